//! The engine on a random graph, as a whole process: `engine VERTICES SEED THREADS`. Includes storing the
//! backward moves, and distances. Prints the same line as the textbook program.
#![forbid(unsafe_code)]

use retrograde::Solver;
use retrograde::adapters::Explicit;
use retrograde_benches::{random::RandomGraph, textbook::Answer};
use std::process::ExitCode;

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [vertices, seed, threads] = numbers[..] else {
        eprintln!("usage: engine VERTICES SEED THREADS");
        return ExitCode::FAILURE;
    };
    let graph = RandomGraph { vertices, seed };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build();
    let solved = match pool {
        Ok(pool) => pool.install(|| {
            let game = Explicit::from_game(graph);
            Solver::new().solve(&game).map_err(|error| error.to_string())
        }),
        Err(error) => Err(error.to_string()),
    };
    match solved.map(|solution| solution.counts()) {
        Ok(counts) => {
            println!("{}", Answer { win: counts.win, loss: counts.loss, draw: counts.draw });
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("engine: {error}");
            ExitCode::FAILURE
        }
    }
}
