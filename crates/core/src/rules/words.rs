//! The rules of games whose states lie 64 to a word.

use std::ops::{Deref, Range};

use super::{Retrograde, Status, Value};
use crate::memory::bits::Ones;

/// A game whose states can be treated 64 at a time: state `s` is bit `s % 64` of word `s / 64`.
///
/// Every method has a default on top of the scalar ones, so any game can be run either way;
/// it pays to override them where the states of a word share their moves.
/// [`audit`](crate::audit()) of [`ByWords`] compares them with the scalar methods.
pub trait Words: Retrograde {
    /// What the rules say of the states of a run of words, in order, and of single states among them.
    fn survey_words(&self, words: Range<u64>, mut visit: impl FnMut(u64, WordStatus, Singles<'_>)) {
        let (mut finals, mut exits) = (Vec::new(), Vec::new());
        for word in words {
            let states = word * 64..self.states().min(word * 64 + 64);
            let mut status = WordStatus { void: 0, won: 0, lost: 0, special: 0 };
            if states.end % 64 != 0 {
                status.void = !0 << (states.end % 64);
            }
            finals.clear();
            exits.clear();
            self.survey(states, |state, said, degree, worth| {
                let (at, bit) = ((state % 64) as u8, 1 << (state % 64));
                match said {
                    Status::Void => status.void |= bit,
                    Status::Final(Value::Win(0)) => status.won |= bit,
                    Status::Final(Value::Loss(0)) => status.lost |= bit,
                    Status::Final(value) => {
                        status.special |= bit;
                        finals.push((at, value));
                    }
                    Status::Open if degree == 0 && worth.is_empty() => status.lost |= bit,
                    Status::Open => exits.extend(worth.iter().map(|&value| (at, value))),
                }
            });
            visit(word, status, Singles { finals: &finals, exits: &exits });
        }
    }

    /// Visits, as `(word, states, keeps_turn)`, every open state with a move into `set`, a set of
    /// states of `word`; any state any number of times, and states that are not open as well.
    fn predecessors_of(&self, word: u64, set: u64, mut visit: impl FnMut(u64, u64, bool)) {
        for bit in Ones(set) {
            let to = word * 64 + bit;
            self.predecessors(to, |from| {
                visit(from / 64, 1 << (from % 64), self.keeps_turn(from, to));
            });
        }
    }

    /// Of some open states of `word`, those all of whose moves lead into `target(word, keeps_turn)`.
    /// Void states are always in the target, so that there is no need to ask whether a move is
    /// possible; the words may lie beyond the last.
    fn all_moves_into(&self, word: u64, states: u64, target: impl Fn(u64, bool) -> u64) -> u64 {
        let mut found = states;
        for bit in Ones(states) {
            let from = word * 64 + bit;
            self.successors(from, |to| {
                let inside = target(to / 64, self.keeps_turn(from, to)) >> (to % 64) & 1;
                found &= !((inside ^ 1) << bit);
            });
        }
        found
    }

    /// For each of some open states of `word` the least of the keys of the states that its moves lead to, where
    /// `keys(word)` has those of a word; `i16::MAX` for a state without moves, anything for one that is not among
    /// `states`. By this answers are verified ([`verify`](crate::verify()) of [`ByWords`]).
    ///
    /// Keys order values as the player to move does: losses are negative, wins positive. So they are worth the
    /// opposite where a move keeps the turn: there it is the key negated that counts. The key of void states
    /// is `i16::MAX`, so that there is no need to ask whether a move is possible; the words may lie beyond the last.
    fn least_of_moves<K: Deref<Target = Keys>>(
        &self,
        word: u64,
        states: u64,
        keys: impl Fn(u64) -> K,
    ) -> Keys {
        let mut least = [i16::MAX; 64];
        for bit in Ones(states) {
            let (from, least) = (word * 64 + bit, &mut least[bit as usize]);
            self.successors(from, |to| {
                let key = keys(to / 64)[to as usize % 64];
                let kept = self.keeps_turn(from, to);
                *least = (*least).min(if kept { key.wrapping_neg() } else { key });
            });
        }
        least
    }
}

/// A game to be treated 64 states at a time, by its [`Words`]: [`solve`](crate::solve()),
/// [`Solver::solve`](crate::Solver::solve), [`verify`](crate::verify()) and [`audit`](crate::audit()) take it wherever they
/// take a `&game`, and come to the same values and distances.
///
/// ```
/// # use retrograde::{ByWords, Explicit, Words};
/// # fn show(game: &impl Words) {
/// let (by_words, by_states) = (retrograde::solve(ByWords(game)), retrograde::solve(game));
/// assert_eq!(by_words.counts(), by_states.counts());
/// # }
/// ```
#[derive(Debug)]
pub struct ByWords<'g, G>(pub &'g G);

impl<G> Clone for ByWords<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for ByWords<'_, G> {}

/// The values of the states of a word, as small numbers in the order of values: see [`Words::least_of_moves`].
pub type Keys = [i16; 64];

/// What the rules alone say of 64 states: those in none of the sets are open, and have moves or exits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordStatus {
    /// No states. Those beyond the last state of the game are void as well.
    pub void: u64,
    /// Final, and won in 0.
    pub won: u64,
    /// Lost in 0: final, or open with neither moves nor exits.
    pub lost: u64,
    /// Final with any other value.
    pub special: u64,
}

/// What the rules say of single states of a word, by their bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Singles<'a> {
    /// The value of each special state.
    pub finals: &'a [(u8, Value)],
    /// What the exits of open states are worth, those of a state together.
    pub exits: &'a [(u8, Value)],
}

impl WordStatus {
    /// The status of the state at one bit, which must not be special.
    #[inline(always)]
    pub fn of(&self, bit: u64) -> Status {
        let has = |set: u64| set >> bit & 1 != 0;
        if has(self.void) {
            Status::Void
        } else if has(self.won) {
            Status::Final(Value::Win(0))
        } else if has(self.lost) {
            Status::Final(Value::Loss(0))
        } else {
            Status::Open
        }
    }
}
