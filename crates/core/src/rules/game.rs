//! The rules of a game: what whoever uses the engine writes.
//!
//! Two traits. Everybody has the first, [`Game`]; the second, [`Predecessors`], is where the speed is.
//! Moves are handed to closures with static dispatch, so that rules and engine compile into one loop.

use std::ops::Range;

use super::value::Value;
use crate::forward;
use crate::memory::bits::Ones;

/// A two-player game on the states `0..states`.
///
/// A state is a position together with who is to move. Its value is always meant for the player to
/// move. States may be numbered with holes; a hole is [`Status::Void`].
pub trait Game: Sync {
    /// How many states the numbering has, holes included.
    fn states(&self) -> u64;

    /// What the rules alone say of a state. An open state with neither moves nor exits is lost in 0:
    /// who cannot move loses. See [`Misere`](crate::adapters::Misere) for the opposite.
    fn status(&self, state: u64) -> Status;

    /// Every state that a move leads to from an open `state`, once per move.
    fn successors(&self, state: u64, visit: impl FnMut(u64));

    /// The exits of an open state: for each move that leaves this game for a state solved elsewhere, what that move is worth to
    /// the player moving, the move itself counted (so never `Win(0)` or `Loss(0)`). It is asked of open states alone.
    fn exits(&self, state: u64, visit: impl FnMut(Value)) {
        let _ = (state, visit);
    }

    /// How many moves `successors` visits. Override where a formula is cheaper than counting.
    fn degree(&self, state: u64) -> u32 {
        let mut count = 0;
        self.successors(state, |_| count += 1);
        count
    }

    /// The status of each of a run of states, in any order, with the degree of those that are open (and 0
    /// for the others) and what their exits are worth. It is how every solve begins: override where neighbouring
    /// states share the work.
    fn survey(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
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

    /// Which states of a word are void, `64 * word` the first of them and bit 0; those beyond the last state are. Override
    /// where that is known sooner than all of a [`status`](Game::status).
    fn voids(&self, word: u64) -> u64 {
        (0..64).fold(0, |voids, bit| {
            let state = word * 64 + bit;
            let void = state >= self.states() || self.status(state) == Status::Void;
            voids | u64::from(void) << bit
        })
    }

    /// A bound on [`degree`](Game::degree) over all states, where the game knows one. It says how
    /// the engine counts moves; without it the engine first walks all states to find out.
    fn degree_max(&self) -> Option<u32> {
        None
    }

    /// Whether the move keeps the turn (multi-jumps, sowing again). Folds away where it is constant.
    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        let _ = (from, to);
        false
    }
}

/// A game that can walk backwards.
///
/// A wrong backward move is everybody's first mistake, and a solve cannot notice it: a move that is missed here leaves its
/// origin open for good, one that is made up settles it too early, and the answer is wrong in silence. So let
/// [`audit`](crate::audit()) compare both directions on a small case before anything else; it names the state. A game for
/// which the way back is too hard to write is stored by [`Explicit`](crate::adapters::Explicit).
pub trait Predecessors: Game {
    /// Which states of a block the engine asks for their predecessors ahead of time, to prefetch the memory where those lie. It
    /// changes no result. It must be the same each time.
    #[inline(always)]
    fn prefetch(&self) -> Prefetch {
        Prefetch::First
    }

    /// Every open state with a move to `state`, once per such move. Void and final states may be
    /// visited as well, where leaving them out would cost more than passing them over. It is asked of states that
    /// have settled, final ones among them, and never of void ones.
    fn predecessors(&self, state: u64, visit: impl FnMut(u64));

    /// The predecessors of each of a set of neighbouring states, in any order: bit `i` of `set` stands for
    /// the state `first + i`, and `first` is a multiple of 64. `visit` is told of the state and then of its
    /// predecessor. It is how every solve goes on: override where neighbouring states share the work.
    #[inline(always)]
    fn predecessors_of_each(&self, first: u64, set: u64, mut visit: impl FnMut(u64, u64)) {
        for bit in Ones(set) {
            self.predecessors(first + bit, |from| visit(first + bit, from));
        }
    }
}

/// Which states of a block the engine asks for their predecessors twice: first to prefetch the memory where those lie, later to
/// update them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefetch {
    /// The first of the set: where neighbours lead to neighbours.
    First,
    /// The whole set: where they lead anywhere.
    All,
    /// None: where to walk twice costs more than to wait for memory.
    None,
}

impl Prefetch {
    /// Those of a set.
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
    /// No state at all: a hole in the numbering.
    Void,
    /// Decided by the rules. The distance need not be 0.
    Final(Value),
    /// Decided by its moves.
    Open,
}

impl<G: Game> Game for &G {
    forward!(Game for game => **game);
}

impl<G: Predecessors> Predecessors for &G {
    forward!(Predecessors for game => **game);
}
