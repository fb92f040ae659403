//! The states that play can reach. A numbering also has other states, which published counts leave out.

use std::ops::Range;

use bitvec::field::BitField;
use bitvec::prelude::{BitVec, Lsb0};

use crate::forward;
use crate::rules::{Game, Predecessors, Probe, Status, Value};
use crate::solve::histogram::{ByLevel, Histogram, Level, Tally};
use crate::solve::solution::Counts;

/// The states that play can reach from some starting states, a bit each.
///
/// ```
/// use retrograde::adapters::{Explicit, Within};
/// use retrograde::play::reachable;
/// use retrograde::solve;
///
/// // A move leads from 3 to 1, but play from 0 never reaches 3.
/// let game = Explicit::from_edges(4, [(0, 1), (1, 2), (3, 1)]);
/// let reached = reachable(&game, [0]);
/// assert_eq!(reached.iter().collect::<Vec<_>>(), [0, 1, 2]);
/// let summary = reached.summary(&solve(&game))?;
/// assert_eq!(summary.counts.loss, 2);
/// assert_eq!(summary.longest, Some((0, 2))); // state 0, in two plies
/// // `Within` makes all other states invalid before the solve.
/// assert_eq!(solve(&Within(&game, &reached)).counts().invalid, 1);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reachable {
    states: BitVec<usize, Lsb0>,
    len: u64,
}

/// The states that play can reach from `starts`, including `starts`. This takes a bit a state, and eight
/// bytes for each state of two neighbouring plies.
///
/// # Panics
///
/// If a start is invalid or not a state of the game, or if a move leads to such a number.
/// [`audit`](crate::audit()) names such moves.
pub fn reachable(game: &impl Game, starts: impl IntoIterator<Item = u64>) -> Reachable {
    let states = BitVec::repeat(false, game.states() as usize);
    let mut reached = Reachable { states, len: 0 };
    let (mut ply, mut next) = (Vec::new(), Vec::new());
    for start in starts {
        let is_state = start < game.states() && game.status(start) != Status::Invalid;
        assert!(is_state, "play cannot begin in {start}, which is not a state of the game");
        reached.add(start, &mut ply);
    }
    while !ply.is_empty() {
        for from in ply.drain(..) {
            let status = game.status(from);
            assert!(
                status != Status::Invalid,
                "play leads to {from}, which is invalid: audit the game"
            );
            if status == Status::Open {
                game.each_successor(from, |to| {
                    assert!(
                        to < game.states(),
                        "successors({from}) visits {to}, which is not a state of the game"
                    );
                    reached.add(to, &mut next);
                });
            }
        }
        std::mem::swap(&mut ply, &mut next);
    }
    reached
}

impl Reachable {
    /// Adds a state, and puts it on the list of found states if it is new.
    fn add(&mut self, state: u64, found: &mut Vec<u64>) {
        if !self.states.replace(state as usize, true) {
            self.len += 1;
            found.push(state);
        }
    }

    /// Whether play can reach a state.
    pub fn contains(&self, state: u64) -> bool {
        self.states.get(state as usize).is_some_and(|bit| *bit)
    }

    /// The states of a word that play can reach.
    fn word(&self, word: u64) -> u64 {
        let from = usize::try_from(word.saturating_mul(64)).unwrap_or(usize::MAX);
        let from = from.min(self.states.len());
        let states = &self.states[from..self.states.len().min(from.saturating_add(64))];
        if states.is_empty() { 0 } else { states.load_le() }
    }

    /// How many states play can reach.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// All states that play can reach, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.states.iter_ones().map(|state| state as u64)
    }

    /// How many of these states have each value at each distance, and the longest distance.
    pub fn summary<P: Probe>(&self, probe: &P) -> Result<Summary, P::Error> {
        let mut summary = Summary::default();
        let mut levels = ByLevel::<Tally>::default();
        for state in self.iter() {
            let value = probe.probe(state)?;
            summary.counts.add(value.map(Value::outcome), 1);
            let Some(distance) = value.and_then(Value::distance) else { continue };
            levels.at(distance).count(matches!(value, Some(Value::Win(_))));
            if summary.longest.is_none_or(|(_, longest)| longest < distance) {
                summary.longest = Some((state, distance));
            }
        }
        summary.histogram = Level::all(&levels).collect();
        Ok(summary)
    }
}

/// A summary of the states that play can reach. Publications usually give these figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many states have each value.
    pub counts: Counts,
    /// How many states win and lose at each distance.
    pub histogram: Histogram,
    /// The first state with the longest distance to a win or a loss, and that distance.
    pub longest: Option<(u64, u32)>,
}

/// A game in which the states that play does not reach are invalid.
#[derive(Clone, Copy, Debug)]
pub struct Within<'r, G>(pub G, pub &'r Reachable);

impl<G: Game> Game for Within<'_, G> {
    forward!(Game for this => this.0; but status classify invalid_states);

    fn status(&self, state: u64) -> Status {
        if self.1.contains(state) { self.0.status(state) } else { Status::Invalid }
    }

    fn classify(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        self.0.classify(states, |state, status, degree, exits| match self.1.contains(state) {
            true => visit(state, status, degree, exits),
            false => visit(state, Status::Invalid, 0, &[]),
        });
    }

    fn invalid_states(&self, word: u64) -> u64 {
        self.0.invalid_states(word) | !self.1.word(word)
    }
}

impl<G: Predecessors> Predecessors for Within<'_, G> {
    forward!(Predecessors for this => this.0);
}
