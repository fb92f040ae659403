//! The speed of games from texts, beside the same games written in Rust: `described RUNS [GAME]...`. A game is the name of a text in
//! `examples/games`. Solves take turns, on one thread, and the best run of each counts. No numbering is folded, unless the one in Rust
//! is. A text may have more states, so the processor time of a state is compared.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use retrograde::adapters::{BackwardMoves, Numbered};
use retrograde::{Outcome, Predecessors, Solver};
use retrograde_benches::measure::processor_seconds;
use retrograde_described::{DescribedGame, Numbers, Page, PageVisitor};

#[allow(dead_code)]
#[path = "../../../crates/boards/examples/dao.rs"]
mod dao;
#[allow(dead_code)]
#[path = "../../../crates/boards/examples/dobutsu.rs"]
mod dobutsu;
#[allow(dead_code)]
#[path = "../../../crates/boards/examples/fox_and_hounds.rs"]
mod fox_and_hounds;
#[allow(dead_code)]
#[path = "../../../crates/regions/examples/tic_tac_chec.rs"]
mod tic_tac_chec;

const GAMES: [&str; 4] = ["dao", "fox-and-hounds", "tic-tac-chec-3", "dobutsu-without-elephants"];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(Ok(runs)) = arguments.next().map(|runs| runs.parse()) else {
        eprintln!("usage: described RUNS [GAME]...");
        return ExitCode::FAILURE;
    };
    let named: Vec<String> = arguments.collect();
    for game in GAMES.into_iter().filter(|game| named.is_empty() || named.iter().any(|n| n == game))
    {
        let [plain, folded] = [Numbers::Plain, Numbers::Folded];
        match game {
            "dao" => compare(game, plain, &dao::game(), runs),
            "fox-and-hounds" => compare(game, plain, &fox_and_hounds::game(), runs),
            "tic-tac-chec-3" => {
                compare(game, folded, &Numbered(tic_tac_chec::Board::new(3)), runs);
            }
            _ => compare(game, folded, &Numbered(dobutsu::Dobutsu::new([2, 2, 0])), runs),
        }
    }
    ExitCode::SUCCESS
}

/// The least processor time of a state in nanoseconds, and the longest win.
#[derive(Clone, Copy, Debug)]
struct Best {
    nanoseconds: f64,
    longest: Option<u32>,
}

fn measure(game: &impl Predecessors) -> Best {
    let processor = processor_seconds();
    let solution = Solver::new().threads(1).solve(game).expect("no limit");
    let spent = processor_seconds() - processor;
    let longest = solution.longest(0..game.states(), Outcome::Win).map(|(_, plies)| plies);
    Best { nanoseconds: spent / game.states() as f64 * 1e9, longest }
}

/// Solves a game in Rust and the game of a text in turn.
struct InTurn<'g, R> {
    hand: &'g Numbered<R>,
    runs: u32,
}

impl<R: BackwardMoves> PageVisitor for InTurn<'_, R> {
    type Output = [Best; 2];

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> [Best; 2] {
        let mut best = [measure(self.hand), measure(&game)];
        for _ in 1..self.runs {
            for (best, again) in best.iter_mut().zip([measure(self.hand), measure(&game)]) {
                best.nanoseconds = best.nanoseconds.min(again.nanoseconds);
            }
        }
        best
    }
}

fn compare<R: BackwardMoves>(name: &str, numbers: Numbers, hand: &Numbered<R>, runs: u32) {
    let path = format!("{}/../examples/games/{name}.game", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let page = Page::read(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let best = page.visit(numbers, InTurn { hand, runs }).expect("it has been read");
    let [rust, text] = best;
    assert_eq!(rust.longest, text.longest, "{name}: the longest wins differ");
    println!(
        "{name}: {:.0} ns a state in Rust, {:.0} from its text: {:.2} times",
        rust.nanoseconds,
        text.nanoseconds,
        text.nanoseconds / rust.nanoseconds
    );
}
