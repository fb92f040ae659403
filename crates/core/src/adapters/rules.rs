//! Rules about positions instead of states: the shortest way to write a board game.
//!
//! It takes longer to turn a position into its state than to make a move. So rules give moves as positions.

use std::hash::Hash;
use std::ops::Range;

use crate::rules::{Flow, Value};
#[cfg(doc)]
use crate::rules::{Game, Predecessors};

/// The rules of a board game, about positions. [`Numbered`](crate::adapters::Numbered) makes a [`Game`] from them.
///
/// # Symmetry
///
/// Positions that mirror each other may share a state. Then [`position`](Rules::position) gives one of them, always the same, and
/// [`stabilizer`](Rules::stabilizer) says how many symmetries map a position to itself. `moves` and `backward_moves` are written as
/// without symmetry: [`Numbered`](crate::adapters::Numbered) counts moves correctly.
pub trait Rules: Sync {
    /// The pieces on the board, and the side to move, unless the pieces are always as seen by the side to
    /// move. An audit compares positions by their hashes. So different positions must have different hashes,
    /// as with a derived `Hash`.
    type Position: Hash;

    /// How many states the numbering has.
    fn states(&self) -> u64;

    /// The position of a state, or `None` if the state is invalid.
    fn position(&self, state: u64) -> Option<Self::Position>;

    /// Visits each state of a range with its position and the [`stabilizer`](Rules::stabilizer) of the position. Every solve begins with
    /// this method. Override it if the positions of neighbouring states take less time to find together.
    #[inline(always)]
    fn positions(
        &self,
        states: Range<u64>,
        mut visit: impl FnMut(u64, Option<(&Self::Position, u32)>),
    ) {
        for state in states {
            let position = self.position(state);
            let position = position.as_ref();
            visit(state, position.map(|position| (position, self.stabilizer(position))));
        }
    }

    /// The state of a position.
    fn state(&self, position: &Self::Position) -> u64;

    /// How many symmetries map a position to itself; 1 if each position has a state of its own.
    #[inline(always)]
    fn stabilizer(&self, position: &Self::Position) -> u32 {
        let _ = position;
        1
    }

    /// The state and the stabilizer of a position. Override it if it takes less time to find both together.
    #[inline(always)]
    fn state_and_stabilizer(&self, position: &Self::Position) -> (u64, u32) {
        (self.state(position), self.stabilizer(position))
    }

    /// The value of a terminal position, which the rules decide without looking at moves. By default there is none: a game
    /// ends when a player cannot move.
    #[inline(always)]
    fn terminal(&self, position: &Self::Position) -> Option<Value> {
        let _ = position;
        None
    }

    /// Visits the position after each move, until `visit` breaks: see [`Game::successors`].
    fn moves(&self, position: &Self::Position, visit: impl FnMut(&Self::Position) -> Flow) -> Flow;

    /// Visits the value of each move into a game that is solved already, as [`Game::exits`] does.
    fn exits(&self, position: &Self::Position, visit: impl FnMut(Value)) {
        let _ = (position, visit);
    }

    /// The value for a player who cannot move: see [`Game::stuck`].
    #[inline]
    fn stuck(&self) -> Value {
        Value::Loss(0)
    }

    /// How many positions `moves` visits, if a formula is cheaper than counting. `None` for all positions otherwise.
    #[inline(always)]
    fn degree(&self, position: &Self::Position) -> Option<u32> {
        let _ = position;
        None
    }

    /// A bound on the number of moves: see [`Game::degree_max`]. The solver asks often, so return a constant or a stored number.
    fn degree_max(&self) -> Option<u32> {
        None
    }

    /// Whether the move between two states keeps the turn: see [`Game::keeps_turn`].
    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        let _ = (from, to);
        false
    }
}

/// Rules that can also take a move back.
pub trait BackwardMoves: Rules {
    /// Visits the position before each move that leads to this one. You may also visit terminal positions: they have no moves, so the
    /// solver skips them. But it takes time to number them. Leave them out if that is cheaper.
    fn backward_moves(&self, position: &Self::Position, visit: impl FnMut(&Self::Position));
}
