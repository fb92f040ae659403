//! What the header of a region's table tells of its values: for each side to move, how many states it wins, loses and
//! draws, and its longest win.

use std::convert::Infallible;
use std::ops::Range;

use retrograde::internal::threads;
use retrograde::{Counts, Outcome, Probe, Solution, Value};
use serde_json::{Map, Value as Json};

/// States with consecutive numbers and one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The states.
    pub states: Range<u64>,
    /// The number of the side to move.
    pub side: usize,
    /// How many positions each state stands for. If 0, the run has no longest win, and its states are counted only in
    /// [`SideFacts::states`].
    pub positions: u32,
}

/// What a table's header tells of one side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideFacts {
    /// The states with this side to move.
    pub states: Counts,
    /// The positions that these stand for.
    pub positions: Counts,
    /// The first state with the longest win, and its distance. `None` if the side never wins, or if there are no
    /// distances.
    pub longest_win: Option<(u64, u32)>,
}

/// The counts of some states, and the first of the longest wins with its distance.
type RunFacts = (Counts, Option<(u64, u32)>);

impl SideFacts {
    /// The facts of each side, in order. Reads each value once, in the order of the runs.
    pub fn of<P: Probe>(runs: &[Run], values: &P) -> Result<Vec<SideFacts>, P::Error> {
        let of_run = |run: &Run| count(values, run.states.clone());
        gather(runs, runs.iter().map(of_run), values.has_distances())
    }

    /// The same for a solution, which can count sets of states.
    pub fn of_solution(runs: &[Run], solution: &Solution) -> Vec<SideFacts> {
        let counted = threads::map(runs.len(), |number| {
            let states = || runs[number].states.clone();
            (solution.count(states()), solution.longest(states(), Outcome::Win))
        });
        let counted = counted.into_iter().map(Ok::<_, Infallible>);
        let Ok(sides) = gather(runs, counted, solution.has_distances());
        sides
    }

    /// The entries of a header: the counts of positions, the longest win, and under `name` a position that has it.
    /// `text` gives the text of a state.
    pub fn entries(
        &self,
        name: &str,
        text: impl FnOnce(u64) -> Option<String>,
    ) -> Map<String, Json> {
        let Counts { win, draw, loss, .. } = self.positions;
        let longest = self.longest_win.map(|(_, plies)| plies);
        let position = self.longest_win.and_then(|(state, _)| text(state));
        let entries: [(&str, Json); 5] = [
            ("win", win.into()),
            ("draw", draw.into()),
            ("loss", loss.into()),
            ("longest", longest.into()),
            (name, position.into()),
        ];
        entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Combines the facts of all runs.
fn gather<E>(
    runs: &[Run],
    counted: impl Iterator<Item = Result<RunFacts, E>>,
    distances: bool,
) -> Result<Vec<SideFacts>, E> {
    let sides = runs.iter().map(|run| run.side + 1).max().unwrap_or(0);
    let mut sides = vec![SideFacts::default(); sides];
    for (run, counted) in runs.iter().zip(counted) {
        let (states, longest) = counted?;
        let side = &mut sides[run.side];
        let each = u64::from(run.positions);
        side.states += states;
        side.positions += Counts {
            win: states.win * each,
            draw: states.draw * each,
            loss: states.loss * each,
            invalid: states.invalid * each,
        };
        let longer = |&(_, plies): &(u64, u32)| side.longest_win.is_none_or(|kept| kept.1 < plies);
        if let Some(longest) = longest.filter(|_| distances && run.positions > 0).filter(longer) {
            side.longest_win = Some(longest);
        }
    }
    Ok(sides)
}

/// Reads all values of some states.
fn count<P: Probe>(values: &P, states: Range<u64>) -> Result<RunFacts, P::Error> {
    const CHUNK: u64 = 1 << 14;
    let (mut counts, mut longest) = (Counts::default(), None);
    let mut chunk = vec![None; CHUNK.min(states.end - states.start) as usize];
    for first in states.clone().step_by(CHUNK as usize) {
        let chunk = &mut chunk[..CHUNK.min(states.end - first) as usize];
        values.fill(first, chunk)?;
        for (state, value) in (first..).zip(&*chunk) {
            match *value {
                None => counts.invalid += 1,
                Some(Value::Draw) => counts.draw += 1,
                Some(Value::Loss(_)) => counts.loss += 1,
                Some(Value::Win(plies)) => {
                    counts.win += 1;
                    if longest.is_none_or(|(_, longest)| longest < plies) {
                        longest = Some((state, plies));
                    }
                }
            }
        }
    }
    Ok((counts, longest))
}
