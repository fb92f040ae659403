//! The rules of games that handle 64 states at a time.

use std::cmp::Ordering;
use std::ops::{ControlFlow, Deref, Range};

use super::game::Sealed;
use super::{Predecessors, Status, Value};
use crate::memory::Ones;

/// A game that handles 64 states at a time.
///
/// A *word* is a block of 64 states: state `s` is bit `s % 64` of word `s / 64`. A *set* is some states of one word: a
/// 64-bit number with one bit for each state. Three conventions make the methods shorter:
///
/// * **Every state beyond the end is invalid.** The last word may have bits beyond the last state. These states are
///   invalid, and so are all states of later words. So a method may ask for any word, even for one below 0 that wraps
///   around.
/// * **A method may visit invalid states.** An invalid state counts as won for the player to move in it. So a move into
///   an invalid state never helps a player. If impossible moves lead to invalid states, a method need not check whether a
///   move is possible.
/// * **Extra visits do no harm.** The solver ignores a visit to an invalid, terminal or settled state. It also ignores a
///   second visit to the same state.
///
/// Each method has a default that calls the methods of [`Game`](crate::Game) and [`Predecessors`] for single states. So
/// both engines can solve any game. Override a method if it can compute the moves of all states of a word together.
/// [`audit`](crate::audit()) of [`ByWords`] compares your methods with the methods for single states.
///
/// The example is the game of stones of the [front page](crate). A player takes one, two or three stones. So the methods
/// shift sets by one, two and three.
///
/// ```
/// # use retrograde::bit_parallel::{BitParallel, ByWords, WordKeys};
/// # use retrograde::{Game, Predecessors, Status, Value, audit, solve};
/// # use std::ops::ControlFlow;
/// # struct Stones(u64);
/// # impl Game for Stones {
/// #     fn states(&self) -> u64 { self.0 + 1 }
/// #     fn status(&self, _: u64) -> Status { Status::Open }
/// #     fn successors(&self, stones: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
/// #         (1..=3.min(stones)).map(|take| stones - take).try_for_each(visit)
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
    /// Whether every move passes the turn. Then the solver asks [`words_before`](BitParallel::words_before) which words to
    /// check for losses.
    const PASSES_TURN: bool = false;

    /// How the solver finds the states that win. If true, it looks at the moves of a word again. If false, it keeps a bit
    /// for each state that has a move into a lost state. Set it to true only if every move passes the turn.
    const CHECKS_WINS: bool = false;

    /// Whether the game looks at the moves of one state after the other, as the methods below do by default. Then the solver
    /// passes one word at a time, and its caller can stop it between two words.
    const BY_STATE: bool = false;

    /// Visits the words of a range, in order. Each visit gives the word, the status of its states, and the values of its
    /// special states and exits.
    fn classify_words(
        &self,
        words: Range<u64>,
        mut visit: impl FnMut(u64, WordStatus, Singles<'_>),
    ) {
        let (stuck, mut terminals, mut exits) = (self.stuck(), Vec::new(), Vec::new());
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
                match said.unless_stuck(stuck, degree, worth) {
                    Status::Invalid => status.invalid |= bit,
                    Status::Terminal(Value::Win(0)) => status.won |= bit,
                    Status::Terminal(Value::Loss(0)) => status.lost |= bit,
                    Status::Terminal(value) => {
                        status.special |= bit;
                        terminals.push((bit, value));
                    }
                    Status::Open => exits.extend(worth.iter().map(|&value| (bit, value))),
                }
            });
            visit(word, status, Singles { terminals: &terminals, exits: &exits });
        }
    }

    /// Visits every open state with a move into `set`, which holds states of `word`. Each visit gives a word, a set of
    /// its states, and whether their moves keep the turn.
    fn predecessors_of_set(&self, word: u64, set: u64, mut visit: impl FnMut(u64, u64, bool)) {
        for bit in Ones(set) {
            let to = word * 64 + bit;
            self.predecessors(to, |from| {
                visit(from / 64, 1 << (from % 64), self.keeps_turn(from, to));
            });
        }
    }

    /// Visits all words with an open state that has a move into one of the sets. If bit `i` of `words` is set, `sets[i]`
    /// holds states of word `first + i`. `first` is a multiple of 64.
    ///
    /// Each visit gives a word and 64 bits: the lowest bit is for this word, and the others are for the 63 words after
    /// it. The method may also visit other words, even words beyond the end. The solver calls it only if
    /// [`PASSES_TURN`](BitParallel::PASSES_TURN) or [`CHECKS_WINS`](BitParallel::CHECKS_WINS) is true.
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

    /// Visits the same as [`predecessors_of_set`](BitParallel::predecessors_of_set) for several sets. If bit `i` of `words`
    /// is set, `sets[i]` holds states of word `first + i`. `first` is a multiple of 64.
    fn predecessors_of_run(
        &self,
        first: u64,
        words: u64,
        sets: &[u64; 64],
        mut visit: impl FnMut(u64, u64, bool),
    ) {
        for bit in Ones(words) {
            self.predecessors_of_set(first + bit, sets[bit as usize], &mut visit);
        }
    }

    /// Returns the states of `set` whose moves all lead into the target. `set` holds open states of `word`.
    /// `target(to, keeps_turn)` gives the target states of the word `to`, for moves that keep the turn or pass it.
    fn all_moves_into(&self, word: u64, set: u64, target: impl Fn(u64, bool) -> u64) -> u64 {
        let mut found = set;
        for bit in Ones(set) {
            let from = word * 64 + bit;
            let all = self.successors(from, |to| {
                match target(to / 64, self.keeps_turn(from, to)) >> (to % 64) & 1 {
                    1 => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                }
            });
            found &= !(u64::from(all.is_break()) << bit);
        }
        found
    }

    /// The same as [`all_moves_into`](BitParallel::all_moves_into) for several sets: leaves in each set the states whose moves
    /// all lead into the target. If bit `i` of `words` is set, `sets[i]` holds open states of word `first + i`. `first` is a
    /// multiple of 64.
    fn all_moves_into_run(
        &self,
        first: u64,
        words: u64,
        sets: &mut [u64; 64],
        target: impl Fn(u64, bool) -> u64,
    ) {
        for bit in Ones(words) {
            let set = &mut sets[bit as usize];
            *set = self.all_moves_into(first + bit, *set, &target);
        }
    }
}

/// Besides [`BitParallel`], [`verify`](crate::verify()) needs this trait to check 64 states at a time. The default asks
/// for the moves of each state. Override it if you can compute the moves of a word together.
pub trait WordKeys: BitParallel {
    /// For each state of `set`, returns the least key of the states that its moves lead to. `set` holds open states of
    /// `word`. `keys(to)` gives the keys of the word `to`. If a move keeps the turn, use the [turned](Key::turned) key.
    ///
    /// A state without moves gets [`Key::INVALID`]. A state outside the set may get any key.
    fn least_of_moves<K: Deref<Target = Keys>>(
        &self,
        word: u64,
        set: u64,
        keys: impl Fn(u64) -> K,
    ) -> Keys {
        let mut least = [Key::INVALID; 64];
        for bit in Ones(set) {
            let (from, least) = (word * 64 + bit, &mut least[bit as usize]);
            self.each_successor(from, |to| {
                let key = keys(to / 64)[to as usize % 64];
                *least = (*least).min(if self.keeps_turn(from, to) { key.turned() } else { key });
            });
        }
        least
    }
}

/// A value in two bytes, for the player to move in a state. Keys are in the order of values: losses, draws, wins. After
/// a move that passes the turn, the opponent is to move. So the best move leads to the state with the least key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(pub(crate) i16);

impl Key {
    /// The key of invalid states. It is the greatest, so it is never the best move.
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

    /// The compiler turns this code into instructions for eight keys at a time.
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

/// A game that the solver handles 64 states at a time. Pass it in place of `&game` to [`solve`](crate::solve()),
/// [`Solver::solve`](crate::Solver::solve), [`verify`](crate::verify()) or [`audit`](crate::audit()). The values and
/// distances are the same.
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

impl<G: BitParallel> Sealed for ByWords<'_, G> {}

/// Code that works on a game 64 states at a time, whatever its type. A method that is given one hands it back if the game
/// can only be solved state by state.
pub trait WordsVisitor {
    /// The result of the work.
    type Output;

    /// Works on the game.
    fn visit<G: WordKeys>(self, game: &G) -> Self::Output;
}

/// What the rules alone say of the states of a word. A state that is in no set below is open, and has moves or exits. An
/// open state without both is decided: it has the value [`stuck`](crate::Game::stuck).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordStatus {
    /// The numbers that stand for no state. Numbers beyond the last state are invalid too.
    pub invalid: u64,
    /// States that are won in 0.
    pub won: u64,
    /// States that are lost in 0.
    pub lost: u64,
    /// States with any other value that the rules decide.
    pub special: u64,
}

/// The values that the rules give to single states of a word. Each entry is a set of states and their value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Singles<'a> {
    /// The value of each special state.
    pub terminals: &'a [(u64, Value)],
    /// The values of the exits of open states, in any order. If a state has several exits with the same value, one entry
    /// is enough.
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
