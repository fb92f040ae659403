//! The statistics of a solved region: counts of placements on the board, and the longest mates.

use std::convert::Infallible;
use std::ops::Range;

use retrograde::threads;
use retrograde::{Counts, Outcome, Probe, Solution, Value};

use crate::index::Index;

/// The placements with one side to move. Symmetric placements count separately, and equal pieces have no
/// order. Positions with an en passant capture are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Placements that the side to move wins.
    pub win: u64,
    /// Placements that are drawn.
    pub draw: u64,
    /// Placements that the side to move loses.
    pub loss: u64,
    /// The states with this side to move: one for all symmetric placements, including en passant states.
    pub states: Counts,
    /// The longest win of the side to move, if it ever wins.
    pub longest_win: Option<Longest>,
    /// The longest loss of the side to move, if it ever loses.
    pub longest_loss: Option<Longest>,
}

/// A longest mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Longest {
    /// Its length in plies.
    pub plies: u32,
    /// The first state with that length.
    pub state: u64,
}

impl Stats {
    /// The statistics of a region's values, with white and with black to move. Reads each value once, in
    /// order.
    pub fn of<P: Probe>(index: &Index, values: &P) -> Result<[Stats; 2], P::Error> {
        gather(index, runs(index).into_iter().map(|states| look(values, states)))
    }

    /// The same for a solution, which can count sets of states.
    pub fn of_solution(index: &Index, solution: &Solution) -> [Stats; 2] {
        let runs = runs(index);
        let told = threads::map(runs.len(), |run| {
            let longest = |outcome| solution.longest(runs[run].clone(), outcome);
            let (longest_win, longest_loss) = (longest(Outcome::Win), longest(Outcome::Loss));
            Ok::<_, Infallible>((solution.count(runs[run].clone()), longest_win, longest_loss))
        });
        let Ok(stats) = gather(index, told.into_iter());
        stats
    }
}

/// For some states: their counts, and the first of the longest wins and losses with its length.
type Told = (Counts, Option<(u64, u32)>, Option<(u64, u32)>);

/// All runs of states with the same side to move.
fn runs(index: &Index) -> Vec<Range<u64>> {
    let blocks = index.blocks().map(|block| block.states);
    blocks.chain(index.passing().map(|(_, states)| states)).collect()
}

/// Combines the results of all [`runs`].
fn gather<E>(
    index: &Index,
    mut told: impl Iterator<Item = Result<Told, E>>,
) -> Result<[Stats; 2], E> {
    let mut stats = [Stats::default(), Stats::default()];
    for (block, told) in index.blocks().zip(&mut told) {
        let side = &mut stats[block.turn as usize];
        let (counts, longest_win, longest_loss) = told?;
        let raw = u64::from(block.multiplicity);
        side.states += counts;
        side.win += counts.win * raw;
        side.draw += counts.draw * raw;
        side.loss += counts.loss * raw;
        keep(&mut side.longest_win, longest_win);
        keep(&mut side.longest_loss, longest_loss);
    }
    for ((turn, _), told) in index.passing().zip(told) {
        stats[turn as usize].states += told?.0;
    }
    Ok(stats)
}

/// Reads all values of some states.
fn look<P: Probe>(values: &P, states: Range<u64>) -> Result<Told, P::Error> {
    const RUN: u64 = 1 << 14;
    let (mut counts, mut longest_win, mut longest_loss) = (Counts::default(), None, None);
    let mut run = vec![None; RUN.min(states.end - states.start) as usize];
    for first in states.clone().step_by(RUN as usize) {
        let run = &mut run[..RUN.min(states.end - first) as usize];
        values.fill(first, run)?;
        for (state, value) in (first..).zip(&*run) {
            let (count, longest, plies) = match *value {
                None => {
                    counts.invalid += 1;
                    continue;
                }
                Some(Value::Draw) => {
                    counts.draw += 1;
                    continue;
                }
                Some(Value::Win(plies)) => (&mut counts.win, &mut longest_win, plies),
                Some(Value::Loss(plies)) => (&mut counts.loss, &mut longest_loss, plies),
            };
            *count += 1;
            if longest.is_none_or(|(_, longest)| longest < plies) {
                *longest = Some((state, plies));
            }
        }
    }
    Ok((counts, longest_win, longest_loss))
}

fn keep(longest: &mut Option<Longest>, found: Option<(u64, u32)>) {
    let Some((state, plies)) = found else { return };
    if longest.is_none_or(|longest| longest.plies < plies) {
        *longest = Some(Longest { plies, state });
    }
}

#[cfg(test)]
mod tests {
    use retrograde_testkit::broken::Computed;

    use super::*;

    #[test]
    fn every_state_is_counted_for_who_is_to_move() {
        for name in ["KQvK", "KPvK", "KPvKP"] {
            let index = Index::new(name.parse().unwrap());
            let blocks = index.blocks().map(|block| (block.turn, block.states));
            let mut next = 0;
            for (turn, states) in blocks.chain(index.passing()) {
                assert_eq!(states.start, next, "{name}");
                next = states.end;
                for state in [states.start, states.end - 1] {
                    assert_eq!(index.decode(state).position.turn, turn, "{name} {state}");
                }
            }
            assert_eq!(next, index.states(), "{name}");
            let drawn = Computed { states: next, first: 0, value: |_| Value::Draw };
            let Ok(sides) = Stats::of(&index, &drawn);
            assert_eq!(sides.map(|side| side.states.draw).iter().sum::<u64>(), next, "{name}");
        }
    }
}
