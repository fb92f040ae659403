//! How many states of a text play reaches from the start, by their values and distances: `reached TEXT`. A player who can win at once
//! does so: play goes on from no state that is won in one ply. Some solvers publish these counts.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use retrograde::play::{Summary, reachable};
use retrograde::{Flow, Game, Level, Solution, Solver, Status, Value, grouped};
use retrograde_described::{DescribedGame, Numbers, Page, PageVisitor};
use retrograde_positions::Positions;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path] = &arguments[..] else {
        eprintln!("usage: reached TEXT");
        return ExitCode::FAILURE;
    };
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let page = Page::read(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (start, summary) = page.visit(Numbers::Folded, Reached).expect("it has been read");
    let counts = [summary.counts.win, summary.counts.loss, summary.counts.draw];
    let [won, lost, drawn] = counts.map(grouped);
    println!("start {start}, reached {}", grouped(counts.iter().sum()));
    println!("won {won}, lost {lost}, drawn {drawn}");
    for Level { distance, wins, losses } in summary.histogram.levels() {
        println!("{distance} {wins} {losses}");
    }
    ExitCode::SUCCESS
}

struct Reached;

impl PageVisitor for Reached {
    /// The value of the start, and what is reached.
    type Output = (Value, Summary);

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> Self::Output {
        let solution = Solver::new().solve(&game).expect("it fits in memory");
        let start = game.start().expect("every text has a start");
        let start = game.number(&(), &start);
        let reached = reachable(&AtOnce(&game, &solution), [start]);
        let Ok(summary) = reached.summary(&solution);
        (solution.value(start).expect("the start is valid"), summary)
    }
}

/// A game that is over as soon as a player can win in one ply.
struct AtOnce<'g, G>(&'g G, &'g Solution);

impl<G: Game> Game for AtOnce<'_, G> {
    fn states(&self) -> u64 {
        self.0.states()
    }

    fn status(&self, state: u64) -> Status {
        match self.1.value(state) {
            Some(won @ Value::Win(1)) => Status::Terminal(won),
            _ => self.0.status(state),
        }
    }

    fn successors(&self, state: u64, visit: impl FnMut(u64) -> Flow) -> Flow {
        self.0.successors(state, visit)
    }
}
