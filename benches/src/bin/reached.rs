//! How many states of a text play reaches from the start, by their values: `reached TEXT`. A player who can win at once does so: play
//! goes on from no state that is won in one ply. Some solvers publish these counts.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;
use retrograde::{Counts, Game, Outcome, Solver, Value, grouped};
use retrograde_described::{DescribedGame, Numbers, Page, PageVisitor};
use retrograde_positions::Positions;

fn main() -> ExitCode {
    let path = std::env::args().nth(1).filter(|_| std::env::args().len() == 2);
    let Some(path) = path else {
        eprintln!("usage: reached TEXT");
        return ExitCode::FAILURE;
    };
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let page = Page::read(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (start, Counts { win, loss, draw, .. }, longest) =
        page.visit(Numbers::Folded, Reached).expect("it has been read");
    println!("start    {start}");
    println!("reached  {}", grouped(win + loss + draw));
    println!("won {}, lost {}, drawn {}", grouped(win), grouped(loss), grouped(draw));
    println!("longest  {longest}");
    ExitCode::SUCCESS
}

struct Reached;

impl PageVisitor for Reached {
    /// The value of the start, what is reached, and the longest win in it.
    type Output = (Value, Counts, u32);

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> Self::Output {
        let solution = Solver::new().solve(&game).expect("it fits in memory");
        let start = game.start().expect("every text has a start");
        let start = game.number(&(), &start);
        let value = |state| solution.value(state).expect("moves lead to valid states");
        let words = game.states().div_ceil(64);
        let [reached, done] = [0, 1].map(|_| (0..words).map(|_| 0.into()).collect());
        let (reached, done): (Vec<AtomicU64>, Vec<AtomicU64>) = (reached, done);
        reached[(start / 64) as usize].fetch_or(1 << (start % 64), Relaxed);
        let (mut counts, mut longest) = (Counts::default(), 0);
        // Each pass takes the states that the one before it has reached, and those that it reaches further on.
        loop {
            let pass = (0..words).into_par_iter().map(|word| {
                let (mut counts, mut longest) = (Counts::default(), 0);
                let at = word as usize;
                let mut new = reached[at].load(Relaxed) & !done[at].load(Relaxed);
                done[at].fetch_or(new, Relaxed);
                while new != 0 {
                    let state = word * 64 + u64::from(new.trailing_zeros());
                    new &= new - 1;
                    let value = value(state);
                    match value.outcome() {
                        Outcome::Win => counts.win += 1,
                        Outcome::Loss => counts.loss += 1,
                        Outcome::Draw => counts.draw += 1,
                    }
                    match value {
                        Value::Win(1) => continue,
                        Value::Win(plies) => longest = longest.max(plies),
                        _ => {}
                    }
                    game.each_successor(state, |to| {
                        reached[(to / 64) as usize].fetch_or(1 << (to % 64), Relaxed);
                    });
                }
                (counts, longest)
            });
            let (more, most) =
                pass.reduce(Default::default, |(mut sum, longest), (counts, other)| {
                    sum += counts;
                    (sum, longest.max(other))
                });
            if more == Counts::default() {
                return (value(start), counts, longest);
            }
            counts += more;
            longest = longest.max(most);
        }
    }
}
