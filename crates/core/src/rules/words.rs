//! The rules of games whose states lie 64 to a word.

use std::cmp::Ordering;
use std::ops::{Deref, Range};

use super::{Predecessors, Status, Value};
use crate::memory::bits::Ones;

/// A game whose states can be treated 64 at a time.
///
/// A *word* is a block of 64 states: state `s` is bit `s % 64` of word `s / 64`. A *set* is some states of one word, as the
/// bits of a number. Three conventions hold throughout, and save more than they ask:
///
/// * **Beyond the end there is nothing but invalid.** The states of the last word that the game does not have are invalid, and
///   so is every word after the last: a method may ask for any word at all, one below 0 wrapped round included.
/// * **Any player may move to an invalid state.** It counts as won for the player to move there. So a move
///   into it helps no player and never saves one from losing. A method need not check whether a move is
///   possible, if impossible moves lead to invalid states.
/// * **More is as good.** A visit to a state that is invalid, terminal or settled is passed over, and twice is as good as once.
///
/// Every method has a default on top of the scalar ones, so any game can be run either way;
/// it pays to override them where the states of a word share their moves.
/// [`audit`](crate::audit()) of [`ByWords`] compares them with the scalar methods.
///
/// The stones of the [front page](crate), of which one takes one, two or three: what the methods do is to shift.
///
/// ```
/// # use retrograde::bit_parallel::{BitParallel, ByWords, WordKeys};
/// # use retrograde::{Game, Predecessors, Status, Value, audit, solve};
/// # struct Stones(u64);
/// # impl Game for Stones {
/// #     fn states(&self) -> u64 { self.0 + 1 }
/// #     fn status(&self, _: u64) -> Status { Status::Open }
/// #     fn successors(&self, stones: u64, visit: impl FnMut(u64)) {
/// #         (1..=3.min(stones)).map(|take| stones - take).for_each(visit);
/// #     }
/// # }
/// # impl Predecessors for Stones {
/// #     fn predecessors(&self, stones: u64, visit: impl FnMut(u64)) {
/// #         (1..=3).map(|take| stones + take).filter(|&from| from <= self.0).for_each(visit);
/// #     }
/// # }
/// impl BitParallel for Stones {
///     fn predecessors_of_set(&self, word: u64, set: u64, mut visit: impl FnMut(u64, u64, bool)) {
///         if word < self.0 / 64 {
///             visit(word + 1, set >> 63 | set >> 62 | set >> 61, false); // out of this word, into the next
///         }
///         visit(word, set << 1 | set << 2 | set << 3, false);
///     }
///
///     fn all_moves_into(&self, word: u64, set: u64, target: impl Fn(u64, bool) -> u64) -> u64 {
///         let (here, below) = (target(word, false), target(word.wrapping_sub(1), false));
///         (1..=3).fold(set, |set, take| set & (here << take | below >> (64 - take)))
///     }
/// }
///
/// impl WordKeys for Stones {} // for checks
///
/// let game = Stones(1_000);
/// audit(ByWords(&game))?;
/// assert_eq!(solve(ByWords(&game)).value(1_000), Some(Value::Loss(500)));
/// # Ok::<(), retrograde::checks::AuditError>(())
/// ```
pub trait BitParallel: Predecessors {
    /// Whether the solver finds out which states of a word win by looking at their moves again, instead of remembering
    /// a bit for each state that a move into a lost one wins. Only for games all of whose moves pass the turn.
    const CHECKS_WINS: bool = false;

    /// What the rules say of the states of a run of words, in order, and of single states among them.
    fn classify_words(
        &self,
        words: Range<u64>,
        mut visit: impl FnMut(u64, WordStatus, Singles<'_>),
    ) {
        let (mut terminals, mut exits) = (Vec::new(), Vec::new());
        for word in words {
            let states = word * 64..self.states().min(word * 64 + 64);
            let mut status = WordStatus { invalid: 0, won: 0, lost: 0, special: 0 };
            if states.end % 64 != 0 {
                status.invalid = !0 << (states.end % 64);
            }
            terminals.clear();
            exits.clear();
            self.classify(states, |state, said, degree, worth| {
                let bit = 1 << (state % 64);
                match said {
                    Status::Invalid => status.invalid |= bit,
                    Status::Terminal(Value::Win(0)) => status.won |= bit,
                    Status::Terminal(Value::Loss(0)) => status.lost |= bit,
                    Status::Terminal(value) => {
                        status.special |= bit;
                        terminals.push((bit, value));
                    }
                    Status::Open if degree == 0 && worth.is_empty() => status.lost |= bit,
                    Status::Open => exits.extend(worth.iter().map(|&value| (bit, value))),
                }
            });
            visit(word, status, Singles { terminals: &terminals, exits: &exits });
        }
    }

    /// Visits, as `(word, set, keeps_turn)`, every open state with a move into `set`, a set of states of `word`.
    fn predecessors_of_set(&self, word: u64, set: u64, mut visit: impl FnMut(u64, u64, bool)) {
        for bit in Ones(set) {
            let to = word * 64 + bit;
            self.predecessors(to, |from| {
                visit(from / 64, 1 << (from % 64), self.keeps_turn(from, to));
            });
        }
    }

    /// Visits, as a first word and a bit for it and for each of the 63 after it, all words with an open state that has a move
    /// into one of some sets: those of the words from `first` on, a multiple of 64, whose bits are in `words`. It may visit
    /// more, and words that the game does not have. The solver asks where it [checks for wins](BitParallel::CHECKS_WINS).
    fn words_before(
        &self,
        first: u64,
        words: u64,
        sets: &[u64; 64],
        mut visit: impl FnMut(u64, u64),
    ) {
        for bit in Ones(words) {
            self.predecessors_of_set(first + bit, sets[bit as usize], |word, _, _| visit(word, 1));
        }
    }

    /// Of some open states of `word` those all of whose moves lead into `target(word, keeps_turn)`.
    fn all_moves_into(&self, word: u64, set: u64, target: impl Fn(u64, bool) -> u64) -> u64 {
        let mut found = set;
        for bit in Ones(set) {
            let from = word * 64 + bit;
            self.successors(from, |to| {
                let inside = target(to / 64, self.keeps_turn(from, to)) >> (to % 64) & 1;
                found &= !((inside ^ 1) << bit);
            });
        }
        found
    }
}

/// What beside [`BitParallel`] it takes to [`verify`](crate::verify()) answers 64 states at a time. The default asks for the
/// moves of each state: override it where the states of a word share them.
pub trait WordKeys: BitParallel {
    /// For each of some open states of `word` the least of the keys of the states that its moves lead to, those of moves
    /// that keep the turn [turned round](Key::turned), where `keys(word)` has the keys of a word. [`Key::INVALID`] for a state
    /// without moves, anything for one that is not in the set.
    fn least_of_moves<K: Deref<Target = Keys>>(
        &self,
        word: u64,
        set: u64,
        keys: impl Fn(u64) -> K,
    ) -> Keys {
        let mut least = [Key::INVALID; 64];
        for bit in Ones(set) {
            let (from, least) = (word * 64 + bit, &mut least[bit as usize]);
            self.successors(from, |to| {
                let key = keys(to / 64)[to as usize % 64];
                *least = (*least).min(if self.keeps_turn(from, to) { key.turned() } else { key });
            });
        }
        least
    }
}

/// A value in two bytes, ordered as the player to move orders values: losses, draws, wins. So the best move is one into
/// the least key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(pub(crate) i16);

impl Key {
    /// The key of invalid states. It is the greatest, so no player moves there.
    pub const INVALID: Key = Key(i16::MAX);

    /// The key of the same value for the other player.
    #[inline(always)]
    #[must_use]
    pub fn turned(self) -> Key {
        Key(self.0.wrapping_neg())
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        self.0.cmp(&other.0)
    }

    /// In a way that the compiler does for eight keys at a time.
    #[inline(always)]
    fn min(self, other: Key) -> Key {
        Key(self.0.min(other.0))
    }

    #[inline(always)]
    fn max(self, other: Key) -> Key {
        Key(self.0.max(other.0))
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The keys of the states of a word.
pub type Keys = [Key; 64];

/// A game to be treated 64 states at a time, by its [`BitParallel`]: [`solve`](crate::solve()),
/// [`Solver::solve`](crate::Solver::solve), [`verify`](crate::verify()) and [`audit`](crate::audit()) take it wherever they
/// take a `&game`, and come to the same values and distances.
///
/// ```
/// # use retrograde::adapters::Explicit;
/// # use retrograde::bit_parallel::{BitParallel, ByWords};
/// # fn show(game: &impl BitParallel) {
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

/// What the rules alone say of 64 states: those in none of the sets are open, and have moves or exits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordStatus {
    /// No states. Those beyond the last state of the game are invalid as well.
    pub invalid: u64,
    /// Terminal, and won in 0.
    pub won: u64,
    /// Lost in 0: terminal, or open with neither moves nor exits.
    pub lost: u64,
    /// Terminal with any other value.
    pub special: u64,
}

/// What the rules say of single states of a word: sets of states, each with what one value is said of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Singles<'a> {
    /// The value of each special state.
    pub terminals: &'a [(u64, Value)],
    /// What the exits of open states are worth, in any order. Exits of a state that are worth the same may be told as one.
    pub exits: &'a [(u64, Value)],
}

impl WordStatus {
    /// The status of the state at one bit, which must not be special.
    #[inline(always)]
    pub fn of(&self, bit: u64) -> Status {
        let has = |set: u64| set >> bit & 1 != 0;
        if has(self.invalid) {
            Status::Invalid
        } else if has(self.won) {
            Status::Terminal(Value::Win(0))
        } else if has(self.lost) {
            Status::Terminal(Value::Loss(0))
        } else {
            Status::Open
        }
    }
}
