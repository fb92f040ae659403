//! The result of a solve: the value and distance of every state.

use std::convert::Infallible;
use std::fmt;
use std::ops::Range;

use super::histogram::Histogram;
use crate::rules::{Code, Outcome, Probe, Value};

/// A solved game.
pub struct Solution {
    kept: Box<dyn Kept>,
    histogram: Histogram,
    bytes: u64,
}

/// How many states have each value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// States that the player to move wins.
    pub win: u64,
    /// States that the player to move loses.
    pub loss: u64,
    /// States that neither player wins.
    pub draw: u64,
    /// Invalid states: numbers that stand for no position.
    pub invalid: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.win += other.win;
        self.loss += other.loss;
        self.draw += other.draw;
        self.invalid += other.invalid;
    }
}

impl Solution {
    pub(crate) fn new(kept: Box<dyn Kept>, histogram: Histogram, bytes: u64) -> Solution {
        Solution { kept, histogram, bytes }
    }

    /// How many states there are, including invalid ones.
    pub fn states(&self) -> u64 {
        self.kept.states()
    }

    /// Whether the solution has distances. If not, every distance is 0.
    pub fn has_distances(&self) -> bool {
        self.kept.has_distances()
    }

    /// The value of a state, or `None` if it is invalid.
    ///
    /// # Panics
    ///
    /// If there is no such state.
    pub fn value(&self, state: u64) -> Option<Value> {
        self.kept.value(index(state, || self.states()))
    }

    /// Win, loss or draw, or `None` if the state is invalid.
    ///
    /// # Panics
    ///
    /// If there is no such state.
    pub fn outcome(&self, state: u64) -> Option<Outcome> {
        self.value(state).map(Value::outcome)
    }

    /// How many states of a range have each value.
    ///
    /// # Panics
    ///
    /// If the range does not lie inside `0..states`.
    pub fn count(&self, states: Range<u64>) -> Counts {
        self.kept.count(indices(states, self.states()))
    }

    /// The longest win or loss among the states of a range: the first state that has it, and the distance. `None` if no
    /// state has that outcome.
    ///
    /// # Panics
    ///
    /// If the range does not lie inside `0..states`.
    pub fn longest(&self, states: Range<u64>, outcome: Outcome) -> Option<(u64, u32)> {
        let longest = self.kept.longest(indices(states, self.states()), outcome);
        longest.map(|(state, distance)| (state as u64, distance))
    }

    /// How many states have each value.
    pub fn counts(&self) -> Counts {
        self.count(0..self.states())
    }

    /// How many states win and lose at each distance.
    pub fn histogram(&self) -> &Histogram {
        &self.histogram
    }

    /// How many bytes the solve took at its peak.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl fmt::Debug for Solution {
    /// Shows how many states have each value, and not the values.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solution")
            .field("states", &self.states())
            .field("has_distances", &self.has_distances())
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl Probe for Solution {
    type Error = Infallible;

    fn states(&self) -> u64 {
        self.states()
    }

    fn has_distances(&self) -> bool {
        self.has_distances()
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, Infallible> {
        Ok(self.value(state))
    }

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), Infallible> {
        self.kept.fill_codes(index(first, || self.states()), codes);
        Ok(())
    }
}

/// The index of a state in memory. A number that does not fit into a `usize` is not a state of the solution.
#[inline]
pub(crate) fn index(state: u64, states: impl FnOnce() -> u64) -> usize {
    usize::try_from(state)
        .unwrap_or_else(|_| panic!("state {state} is none of the {} states", states()))
}

/// The indices of a range of states.
///
/// # Panics
///
/// If the range does not lie inside `0..states`.
pub(crate) fn indices(range: Range<u64>, states: u64) -> Range<usize> {
    let Range { start, end } = range;
    assert!(
        start.max(end) <= states,
        "states {start} to {end} are not all among the {states} states"
    );
    start as usize..end as usize
}

/// The arrays of an engine after a solve.
pub(crate) trait Kept: Send + Sync {
    fn states(&self) -> u64;
    fn has_distances(&self) -> bool;
    fn value(&self, at: usize) -> Option<Value>;
    /// Writes the codes of the states from `at` on. One call gives many values, because a dynamic call takes
    /// as long as one value.
    fn fill_codes(&self, at: usize, codes: &mut [Code]) {
        (at..).zip(codes).for_each(|(at, code)| *code = Code::of(self.value(at)));
    }
    fn count(&self, range: Range<usize>) -> Counts;

    fn longest(&self, range: Range<usize>, outcome: Outcome) -> Option<(usize, u32)> {
        let mut longest = None;
        for at in range {
            let value = self.value(at).filter(|value| value.outcome() == outcome);
            if let Some(distance) = value.and_then(Value::distance) {
                keep_longest(&mut longest, at, distance);
            }
        }
        longest
    }
}

/// Keeps the longest distance so far.
pub(crate) fn keep_longest(longest: &mut Option<(usize, u32)>, at: usize, distance: u32) {
    if longest.is_none_or(|(_, longest)| longest < distance) {
        *longest = Some((at, distance));
    }
}
