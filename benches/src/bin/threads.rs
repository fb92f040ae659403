//! The gain of a second thread for each game: `threads RUNS [GAME]...`. A game is `cubes`, `random`, `take`,
//! `pursuit60` or `pursuit100`. Solves with one thread and two take turns; the best run of each counts.
#![forbid(unsafe_code)]

use retrograde::adapters::Explicit;
use retrograde::{Predecessors, Solver};
use retrograde_benches::{cubes::Cubes, measure::processor_seconds, random::RandomGraph};
use retrograde_games::{Board, Pursuit, Take, Takes};
use std::process::ExitCode;
use std::time::Instant;

const GAMES: [&str; 5] = ["cubes", "random", "take", "pursuit60", "pursuit100"];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(Ok(runs)) = arguments.next().map(|runs| runs.parse()) else {
        eprintln!("usage: threads RUNS [GAME]...");
        return ExitCode::FAILURE;
    };
    let named: Vec<String> = arguments.collect();
    for game in GAMES.into_iter().filter(|game| named.is_empty() || named.iter().any(|n| n == game))
    {
        let board = |side| Pursuit::new(Board::random(side, side, 15, 2, 1, 1).expect("a board"));
        match game {
            "cubes" => compare(game, &Cubes::new(4), runs),
            "random" => {
                let graph = RandomGraph { vertices: 10_000_000, seed: 1 };
                compare(game, &Explicit::from_game(graph), runs);
            }
            "take" => {
                let take = Take::new(&[60, 70, 80], Takes::Any).expect("a game");
                compare(game, &take, runs);
            }
            "pursuit60" => compare(game, &board(60).expect("a pursuit"), runs),
            _ => compare(game, &board(100).expect("a pursuit"), runs),
        }
    }
    ExitCode::SUCCESS
}

/// Prints the least seconds and processor seconds of one thread and of two.
fn compare(name: &str, game: &impl Predecessors, runs: u32) {
    let mut best = [[f64::INFINITY; 2]; 2];
    let mut counts = None;
    for _ in 0..runs {
        for (threads, best) in (1..).zip(&mut best) {
            let (start, processor) = (Instant::now(), processor_seconds());
            let solution = Solver::new().threads(threads).solve(game).expect("no limit");
            let spent = [start.elapsed().as_secs_f64(), processor_seconds() - processor];
            best.iter_mut().zip(spent).for_each(|(best, spent)| *best = best.min(spent));
            assert_eq!(*counts.get_or_insert(solution.counts()), solution.counts());
        }
    }
    let [[one, one_processor], [two, two_processor]] = best;
    println!(
        "{name}: {one:.3} s ({one_processor:.3} of a processor), on two threads {two:.3} s ({two_processor:.3}): {:.2} times",
        one / two
    );
}
