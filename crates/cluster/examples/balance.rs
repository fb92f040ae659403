//! How evenly processes would share the levels of a board: `cargo run --release -p retrograde-cluster --example balance -- 100`
//!
//! It solves a board with 15% walls in memory. The work of a level is its updates: one for each backward move from a state
//! that settled at the level before. The process of the predecessor applies the update. At each level all processes wait for
//! the one with most updates. So the balance is the number of all updates, divided by their number if each process had as
//! many as the busiest one.

use std::error::Error;

use retrograde::{Game, Predecessors, Solver};
use retrograde_cluster::BlockPartition;
use retrograde_games::{Board, Pursuit};

const PROCESSES: [usize; 6] = [2, 4, 8, 16, 32, 64];

/// Updates by level and process, where states are partitioned in blocks.
struct Shared {
    block: u64,
    processes: usize,
    updates: Vec<u64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let side: u32 = std::env::args().nth(1).map_or(Ok(60), |side| side.parse())?;
    let game = Pursuit::new(Board::random(side, side, 15, 3, 1, 7)?)?;
    let solution = Solver::new().solve(&game)?;
    let states = game.states();
    let levels = solution.histogram().levels().map(|level| level.distance as usize + 1);
    let levels = levels.max().unwrap_or(0);
    let blocks_of = |processes| [64, 256, BlockPartition::block(states, processes)];
    let mut all: Vec<Shared> = PROCESSES
        .into_iter()
        .flat_map(|processes| blocks_of(processes).map(|block| (processes, block)))
        .map(|(processes, block)| Shared { block, processes, updates: vec![0; levels * processes] })
        .collect();
    for state in 0..states {
        let Some(distance) = solution.value(state).and_then(|value| value.distance()) else {
            continue;
        };
        game.predecessors(state, |before| {
            for shared in &mut all {
                let process = (before / shared.block) as usize % shared.processes;
                shared.updates[distance as usize * shared.processes + process] += 1;
            }
        });
    }
    println!("{side}x{side}, 15% walls: {states} states, {levels} levels");
    println!("{:>9} {:>12} {:>12} {:>24}", "processes", "blocks of 64", "of 256", "by default");
    for renumbered in all.chunks(3) {
        let [short, middle, long] = [&renumbered[0], &renumbered[1], &renumbered[2]].map(balance);
        let Shared { processes, .. } = renumbered[0];
        let usual = renumbered[2].block;
        println!("{processes:>9} {short:>12.2} {middle:>12.2} {long:>12.2}, of {usual:>8}");
    }
    Ok(())
}

fn balance(shared: &Shared) -> f64 {
    let busiest = |level: &[u64]| level.iter().max().copied().unwrap_or(0);
    let longest: u64 = shared.updates.chunks(shared.processes).map(busiest).sum();
    let made: u64 = shared.updates.iter().sum();
    made as f64 / (longest * shared.processes as u64) as f64
}
