//! The statistics of a solved region: counts and longest wins, for each side to move.

use retrograde::threads;
use retrograde::{Counts, Outcome, Probe, Solution, Value};

use crate::index::Index;

/// The states with one side to move. Symmetric positions are one state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// How many stones the side to move has on the board.
    pub own: u32,
    /// How many stones the other side has on the board.
    pub other: u32,
    /// States by value.
    pub states: Counts,
    /// The first state with the longest win of the side to move, and its distance; `None` if the side never
    /// wins.
    pub longest_win: Option<(u64, u32)>,
}

impl Stats {
    /// The stones of the side to move and of the other: `9-8`.
    pub fn name(&self) -> String {
        format!("{}-{}", self.own, self.other)
    }
}

/// The statistics of a solution, which can count sets of states.
pub(crate) fn stats_of_solution(index: &Index, solution: &Solution) -> Vec<Stats> {
    threads::map(index.blocks.len(), |number| {
        let block = &index.blocks[number];
        Stats {
            own: block.own,
            other: block.other,
            states: solution.count(block.states()),
            longest_win: solution.longest(block.states(), Outcome::Win),
        }
    })
}

/// The statistics of a region's values from any source.
pub(crate) fn stats_of<P: Probe>(index: &Index, values: &P) -> Result<Vec<Stats>, P::Error> {
    const RUN: u64 = 1 << 14;
    let mut all = Vec::new();
    let mut run = vec![None; RUN as usize];
    for block in &index.blocks {
        let mut stats = Stats { own: block.own, other: block.other, ..Stats::default() };
        let states = block.states();
        for first in states.clone().step_by(RUN as usize) {
            let run = &mut run[..RUN.min(states.end - first) as usize];
            values.fill(first, run)?;
            for (state, value) in (first..).zip(&*run) {
                match *value {
                    None => stats.states.invalid += 1,
                    Some(Value::Draw) => stats.states.draw += 1,
                    Some(Value::Loss(_)) => stats.states.loss += 1,
                    Some(Value::Win(plies)) => {
                        stats.states.win += 1;
                        if stats.longest_win.is_none_or(|(_, longest)| longest < plies) {
                            stats.longest_win = Some((state, plies));
                        }
                    }
                }
            }
        }
        all.push(stats);
    }
    Ok(all)
}
