//! The rules of a game: the traits that you implement.
//!
//! There are two traits. Every game implements [`Game`]. To be solved, a game also needs [`Predecessors`]: it lists its
//! backward moves, or [`Explicit`](crate::adapters::Explicit) stores them. A
//! game passes its moves to closures with static dispatch. So rules and engine compile into one loop.

use std::ops::{ControlFlow, Range};

use super::value::Value;
use crate::memory::Ones;

/// What a walk of moves returns, and what the closure returns that it calls: `Flow::Continue(())` to go on, or `Flow::Break(())` to
/// stop.
///
/// ```
/// use retrograde::{Flow, Game, adapters::Edges};
///
/// // The moves from vertex 0, until one leads to vertex 2.
/// let graph = Edges::new(4, [(0, 1), (0, 2), (0, 3)]);
/// let mut seen = Vec::new();
/// let flow = graph.successors(0, |to| {
///     seen.push(to);
///     if to == 2 { Flow::Break(()) } else { Flow::Continue(()) }
/// });
/// assert_eq!((flow, seen), (Flow::Break(()), vec![1, 2]));
/// ```
pub type Flow = ControlFlow<()>;

/// A two-player game on the states `0..states`.
///
/// A state is a position and the player to move. Its value is always for the player to move. Some numbers may
/// stand for no position. Such a number is [`Status::Invalid`].
pub trait Game: Sync {
    /// How many states the numbering has, including invalid ones.
    fn states(&self) -> u64;

    /// What the rules alone say of a state. An open state without moves and exits has the value
    /// [`stuck`](Game::stuck).
    fn status(&self, state: u64) -> Status;

    /// Visits every state that a move leads to from an open `state`, once per move. If `visit` breaks, the walk ends at
    /// once, and breaks as well. So a caller that knows enough pays for no further moves.
    ///
    /// An iterator does this by `try_for_each(visit)`. In a loop, write `visit(to)?`, and `Flow::Continue(())` after the loop.
    fn successors(&self, state: u64, visit: impl FnMut(u64) -> Flow) -> Flow;

    /// Visits every state that [`successors`](Game::successors) visits, without a way to stop.
    #[inline]
    fn each_successor(&self, state: u64, mut visit: impl FnMut(u64)) {
        let _ = self.successors(state, |to| {
            visit(to);
            Flow::Continue(())
        });
    }

    /// Whether an open state has a move. This stops at the first one.
    #[inline]
    fn has_moves(&self, state: u64) -> bool {
        self.successors(state, |_| Flow::Break(())).is_break()
    }

    /// The exits of an open state. An exit is a move into another game, which is already solved. Its value is
    /// for the player who moves. It includes the move itself, so it is never `Win(0)` or `Loss(0)`. The
    /// solver asks only open states.
    fn exits(&self, state: u64, visit: impl FnMut(Value)) {
        let _ = (state, visit);
    }

    /// How many moves `successors` visits. Override it if a formula is cheaper than counting.
    fn degree(&self, state: u64) -> u32 {
        let mut count = 0;
        self.each_successor(state, |_| count += 1);
        count
    }

    /// Visits each state of a range, in any order, with its status, its degree and the values of its exits.
    /// The degree of a state that is not open is 0. Every solve begins with this method. Override it if
    /// neighbouring states share work.
    #[inline]
    fn classify(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        let mut exits = Vec::new();
        for state in states {
            exits.clear();
            let status = self.status(state);
            let mut degree = 0;
            if status == Status::Open {
                self.exits(state, |value| exits.push(value));
                degree = self.degree(state);
            }
            visit(state, status, degree, &exits);
        }
    }

    /// Which states of a word are invalid. Bit 0 is the state `64 * word`. States beyond the last one are
    /// invalid. Override it if you can find this faster than the full [`status`](Game::status).
    #[inline]
    fn invalid_states(&self, word: u64) -> u64 {
        (0..64).fold(0, |invalid_states, bit| {
            let state = word * 64 + bit;
            let invalid = state >= self.states() || self.status(state) == Status::Invalid;
            invalid_states | u64::from(invalid) << bit
        })
    }

    /// A bound on [`degree`](Game::degree) over all states, if the game knows one. It decides how the engine
    /// counts moves. Without a bound, the engine first counts the moves of all states.
    #[inline]
    fn degree_max(&self) -> Option<u32> {
        None
    }

    /// The value of an open state with neither moves nor exits: a player who cannot move loses, wins (`Win(0)`) or draws.
    /// The answer must always be the same.
    ///
    /// ```
    /// use retrograde::adapters::{Edges, Explicit};
    /// use retrograde::{Value, solve};
    ///
    /// let path = |stuck| Explicit::from_game(Edges::new(3, [(0, 1), (1, 2)]).with_stuck(stuck));
    /// assert_eq!(solve(&path(Value::Loss(0))).value(0), Some(Value::Loss(2)));
    /// assert_eq!(solve(&path(Value::Win(0))).value(0), Some(Value::Win(2)));
    /// assert_eq!(solve(&path(Value::Draw)).value(0), Some(Value::Draw));
    /// ```
    #[inline]
    fn stuck(&self) -> Value {
        Value::Loss(0)
    }

    /// Whether a move keeps the turn, as in draughts after a jump. If the answer is constant, the compiler
    /// removes the call.
    #[inline]
    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        let _ = (from, to);
        false
    }
}

/// A game with backward moves.
///
/// A *backward move* is a move into a state, seen from this state. Backward moves are easy to get wrong, and
/// the solver cannot notice it. If a move is missing, a state stays open. If there is one too many, a state
/// settles too early. In both cases the solution is wrong, and there is no error. So use
/// [`audit`](crate::audit()) on a small case first, which names the state. If backward moves are too hard to
/// write, [`Explicit`](crate::adapters::Explicit) stores them.
pub trait Predecessors: Game {
    /// For which states of a block the engine computes the predecessors twice: first to prefetch their
    /// memory, later to update them. This does not change the solution. The answer must always be the same.
    #[inline(always)]
    fn prefetch(&self) -> Prefetch {
        Prefetch::First
    }

    /// Visits every open state with a move to `state`, once per such move. You may also visit invalid and
    /// terminal states, if this is cheaper than to leave them out. The solver asks settled states, including
    /// terminal ones, but never invalid ones.
    fn predecessors(&self, state: u64, visit: impl FnMut(u64));

    /// Visits the predecessors of each state of a set, in any order. Bit `i` of `set` is the state
    /// `first + i`, and `first` is a multiple of 64. `visit` gets the state and its predecessor. Every solve
    /// uses this method. Override it if neighbouring states share work.
    #[inline(always)]
    fn predecessors_of_each(&self, first: u64, set: u64, mut visit: impl FnMut(u64, u64)) {
        for bit in Ones(set) {
            self.predecessors(
                first + bit,
                #[inline(always)]
                |from| visit(first + bit, from),
            );
        }
    }

    /// Audits the whole game, if there is a faster way than to compare the methods state by state. Returns the number of
    /// moves. [`audit`](crate::audit()) tries this first. It returns `None` if something differs, if there is no
    /// faster way, or once `tell` breaks, which gets the number of states done and the number of all. Then `audit` compares
    /// the methods. Adapters do not forward this method, because the audit
    /// of an inner game says nothing about the adapter.
    fn audit_all(&self, tell: &mut dyn FnMut(u64, u64) -> Flow) -> Option<u64> {
        let _ = tell;
        None
    }
}

/// For which states of a block the engine computes the predecessors twice: first to prefetch their memory,
/// later to update them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Prefetch {
    /// For the first state of a set. Choose this if neighbouring states have neighbouring predecessors.
    First,
    /// For all states of a set. Choose this if predecessors may lie anywhere.
    All,
    /// For no state. Choose this if it costs more to compute predecessors twice than to wait for memory.
    None,
}

impl Prefetch {
    /// The states of a set to prefetch for.
    #[inline(always)]
    pub(crate) fn of(self, set: u64) -> u64 {
        match self {
            Prefetch::First => set & set.wrapping_neg(),
            Prefetch::All => set,
            Prefetch::None => 0,
        }
    }
}

/// What the rules alone say of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The number stands for no position.
    Invalid,
    /// The rules decide the state. The distance need not be 0.
    Terminal(Value),
    /// The moves of the state decide it.
    Open,
}

impl Status {
    /// The status of a state with its degree and its exits. An open state without both has the value `stuck`.
    #[inline(always)]
    pub(crate) fn unless_stuck(self, stuck: Value, degree: u32, exits: &[Value]) -> Status {
        match self {
            Status::Open if degree == 0 && exits.is_empty() => Status::Terminal(stuck),
            status => status,
        }
    }
}

/// Who implements it is a way to hand a game to the solver. Other crates cannot.
pub trait Sealed {}
