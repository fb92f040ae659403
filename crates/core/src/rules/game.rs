//! The rules of a game: the traits that you implement.
//!
//! There are two traits. Every game implements [`Game`]. The second, [`Predecessors`], makes solves fast.
//! Closures receive the moves with static dispatch, so rules and engine compile into one loop.

use std::ops::Range;

use super::value::Value;
use crate::checks::{AuditError, Audited, Auditor};
use crate::forward;
use crate::memory::bits::Ones;

/// A two-player game on the states `0..states`.
///
/// A state is a position together with who is to move. Its value is always meant for the player to move. Some
/// numbers may stand for no position; such a number is [`Status::Invalid`].
pub trait Game: Sync {
    /// How many states the numbering has, including invalid ones.
    fn states(&self) -> u64;

    /// What the rules alone say of a state. An open state without moves and exits is lost in 0: a player who
    /// cannot move loses. For the opposite see [`Misere`](crate::adapters::Misere).
    fn status(&self, state: u64) -> Status;

    /// Visits every state that a move leads to from an open `state`, once per move.
    fn successors(&self, state: u64, visit: impl FnMut(u64));

    /// The exits of an open state. An exit is a move that leaves this game for a state solved elsewhere. Its
    /// value is the value for the player who moves, including the move itself (so never `Win(0)` or
    /// `Loss(0)`). Called for open states only.
    fn exits(&self, state: u64, visit: impl FnMut(Value)) {
        let _ = (state, visit);
    }

    /// How many moves `successors` visits. Override it if a formula is cheaper than counting.
    fn degree(&self, state: u64) -> u32 {
        let mut count = 0;
        self.successors(state, |_| count += 1);
        count
    }

    /// The status of each state of a range, in any order. Open states come with their degree (the others with
    /// 0) and the values of their exits. Every solve begins with this. Override it if neighbouring states
    /// share work.
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

    /// Which states of a word are invalid. The first is `64 * word`, at bit 0. States beyond the last one are
    /// invalid. Override it if that is cheaper to know than a full [`status`](Game::status).
    fn invalid_states(&self, word: u64) -> u64 {
        (0..64).fold(0, |invalid_states, bit| {
            let state = word * 64 + bit;
            let invalid = state >= self.states() || self.status(state) == Status::Invalid;
            invalid_states | u64::from(invalid) << bit
        })
    }

    /// A bound on [`degree`](Game::degree) over all states, if the game knows one. It decides how the engine
    /// counts moves. Without it the engine first walks all states to find out.
    fn degree_max(&self) -> Option<u32> {
        None
    }

    /// Whether a move keeps the turn (multiple jumps, sowing again). The compiler removes it if it is
    /// constant.
    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        let _ = (from, to);
        false
    }
}

/// A game with backward moves.
///
/// Backward moves are easy to get wrong, and a solve cannot notice it. A missing move leaves its origin open,
/// an extra one settles it too early, and the solution is wrong without an error. So use
/// [`audit`](crate::audit()) on a small case first; it names the state. If backward moves are too hard to
/// write, [`Explicit`](crate::adapters::Explicit) stores them.
pub trait Predecessors: Game {
    /// For which states of a block the engine computes the predecessors ahead of time, to prefetch their
    /// memory. It does not change the solution. It must always be the same.
    #[inline(always)]
    fn prefetch(&self) -> Prefetch {
        Prefetch::First
    }

    /// Visits every open state with a move to `state`, once per such move. You may also visit invalid and
    /// terminal states, if leaving them out costs more. Called for settled states, including terminal ones,
    /// never for invalid ones.
    fn predecessors(&self, state: u64, visit: impl FnMut(u64));

    /// The predecessors of each state of a set of neighbouring states, in any order. Bit `i` of `set` is the
    /// state `first + i`, and `first` is a multiple of 64. `visit` gets the state and its predecessor. Every
    /// solve uses this. Override it if neighbouring states share work.
    #[inline(always)]
    fn predecessors_of_each(&self, first: u64, set: u64, mut visit: impl FnMut(u64, u64)) {
        for bit in Ones(set) {
            self.predecessors(first + bit, |from| visit(first + bit, from));
        }
    }

    /// Audits the whole game, if it knows a faster way than to compare its methods state by state.
    /// [`audit`](crate::audit()) tries this first. `None` means that it must compare them: because something
    /// differs, or because there is no faster way. Adapters do not forward it, since the audit of an inner
    /// game says nothing about the adapter.
    fn audit_all(&self, auditor: &mut Auditor<'_>) -> Result<Option<Audited>, AuditError> {
        let _ = auditor;
        Ok(None)
    }
}

/// For which states of a block the engine computes the predecessors twice: first to prefetch their memory,
/// later to update them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefetch {
    /// The first of the set: if neighbours lead to neighbours.
    First,
    /// The whole set: if they lead anywhere.
    All,
    /// None: if walking twice costs more than waiting for memory.
    None,
}

impl Prefetch {
    /// The states to prefetch for, out of a set.
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
    /// Decided by the rules. The distance need not be 0.
    Terminal(Value),
    /// Decided by its moves.
    Open,
}

impl<G: Game> Game for &G {
    forward!(Game for game => **game);
}

impl<G: Predecessors> Predecessors for &G {
    forward!(Predecessors for game => **game);

    fn audit_all(&self, auditor: &mut Auditor<'_>) -> Result<Option<Audited>, AuditError> {
        (**self).audit_all(auditor)
    }
}
