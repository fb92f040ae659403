//! The states that play can reach: a numbering has room for more, and published counts are of those alone.

use std::ops::Range;

use bitvec::field::BitField;
use bitvec::prelude::{BitVec, Lsb0};

use crate::forward;
use crate::rules::{Game, Outcome, Probe, Retrograde, Status, Value};
use crate::solve::solution::Counts;

/// The states that play can reach from some of them, a bit each.
///
/// ```
/// use retrograde::{Explicit, Within, reachable, solve};
///
/// // Play from 0 never comes to 3, from where one could go to 1.
/// let game = Explicit::from_edges(4, [(0, 1), (1, 2), (3, 1)]);
/// let reached = reachable(&game, [0]);
/// assert_eq!(reached.iter().collect::<Vec<_>>(), [0, 1, 2]);
/// assert_eq!(reached.counts(&solve(&game))?.loss, 2);
/// // Or the others are made holes before the game is solved.
/// assert_eq!(solve(&Within(&game, &reached)).counts().void, 1);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reachable {
    states: BitVec<usize, Lsb0>,
    len: u64,
}

/// The states that play can reach from `starts`, those among them. It takes a bit a state, and eight bytes for each state of
/// two neighbouring plies.
///
/// # Panics
///
/// If play begins in, or leads to, what is no state of the game, void states among it: [`audit`](crate::audit()) names the
/// moves that do.
pub fn reachable(game: &impl Game, starts: impl IntoIterator<Item = u64>) -> Reachable {
    let states = BitVec::repeat(false, game.states() as usize);
    let mut reached = Reachable { states, len: 0 };
    let (mut ply, mut next) = (Vec::new(), Vec::new());
    for start in starts {
        let is_state = start < game.states() && game.status(start, |_| {}) != Status::Void;
        assert!(is_state, "play cannot begin in {start}, which is no state of the game");
        reached.add(start, &mut ply);
    }
    while !ply.is_empty() {
        for from in ply.drain(..) {
            let status = game.status(from, |_| {});
            assert!(status != Status::Void, "play leads to {from}, which is void: audit the game");
            if status == Status::Open {
                game.successors(from, |to| {
                    assert!(
                        to < game.states(),
                        "successors({from}) visits {to}, which is no state of the game"
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
    /// Notes a state, and as found if it is new.
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

    /// Which states of a word it can reach.
    fn word(&self, word: u64) -> u64 {
        let from = usize::try_from(word.saturating_mul(64)).unwrap_or(usize::MAX);
        let from = from.min(self.states.len());
        let states = &self.states[from..self.states.len().min(from.saturating_add(64))];
        if states.is_empty() { 0 } else { states.load_le() }
    }

    /// How many states it can reach.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// All of them, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.states.iter_ones().map(|state| state as u64)
    }

    /// How many of them have each value.
    pub fn counts<P: Probe>(&self, probe: &P) -> Result<Counts, P::Error> {
        let mut counts = Counts::default();
        for state in self.iter() {
            match probe.probe(state)?.map(Value::outcome) {
                Some(Outcome::Win) => counts.win += 1,
                Some(Outcome::Loss) => counts.loss += 1,
                Some(Outcome::Draw) => counts.draw += 1,
                None => counts.void += 1,
            }
        }
        Ok(counts)
    }
}

/// A game in which the states that play does not reach are void.
#[derive(Clone, Copy, Debug)]
pub struct Within<'r, G>(pub G, pub &'r Reachable);

impl<G: Game> Game for Within<'_, G> {
    forward!(this => this.0; states successors degree degree_max keeps_turn);

    fn status(&self, state: u64, exit: impl FnMut(Value)) -> Status {
        if self.1.contains(state) { self.0.status(state, exit) } else { Status::Void }
    }

    fn survey(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        self.0.survey(states, |state, status, degree, exits| match self.1.contains(state) {
            true => visit(state, status, degree, exits),
            false => visit(state, Status::Void, 0, &[]),
        });
    }

    fn voids(&self, word: u64) -> u64 {
        self.0.voids(word) | !self.1.word(word)
    }
}

impl<G: Retrograde> Retrograde for Within<'_, G> {
    forward!(this => this.0; SCOUTS<G> predecessors predecessors_of_each);
}
