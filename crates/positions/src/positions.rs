//! The trait that connects positions with states.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::Range;

use retrograde::Value;

use crate::board::Board;
use crate::moves::{End, Move};

/// The positions of a game.
///
/// A position is what players see. Play never turns it, and never changes the letters of its men. But one state may stand
/// for several positions: for those that are equal up to symmetry. Then [`number`](Positions::number) gives the state of
/// any of them, and [`position`](Positions::position) one of them.
pub trait Positions: Send + Sync {
    /// A position.
    type Position: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// The name of a region. A game that is solved at once has one region, `()`.
    type Region;

    /// The numbering of a region.
    type Index: Send + Sync;

    /// The players; the first one begins. One name, if both move alike and a position does not say who is to move.
    fn players(&self) -> &'static [&'static str];

    /// The position that play begins with, if the game has one.
    fn start(&self) -> Option<Self::Position>;

    /// The position that a text names. The error says what is wrong with the text.
    fn read(&self, text: &str) -> Result<Self::Position, String>;

    /// The position as text. [`read`](Positions::read) reads it, and no other position has this text.
    fn write(&self, position: &Self::Position) -> String;

    /// Which of the [players](Positions::players) is to move.
    fn player(&self, position: &Self::Position) -> usize;

    /// Visits the moves of a position. If the game has ended, it visits none, and returns how.
    fn moves(
        &self,
        position: &Self::Position,
        visit: &mut dyn FnMut(Move<Self::Position>),
    ) -> Option<End>;

    /// The board of a position, if the game has one.
    fn board(&self, position: &Self::Position) -> Option<Board>;

    /// The position with the men of this [board](Positions::board) and this player to move. `None` if there is no such
    /// position. A game that never answers has no pictures with a man on every point, and no button that passes the turn.
    fn with_board(&self, board: &Board, player: usize) -> Option<Self::Position> {
        let _ = (board, player);
        None
    }

    /// The region of a position. If the rules decide a position that no region has, its value.
    fn region(&self, position: &Self::Position) -> Result<Self::Region, Value>;

    /// The numbering of a region.
    fn index(&self, region: &Self::Region) -> Self::Index;

    /// The state of a position of a region.
    fn number(&self, index: &Self::Index, position: &Self::Position) -> u64;

    /// A position of a state, or `None` if the state is invalid.
    fn position(&self, index: &Self::Index, state: u64) -> Option<Self::Position>;

    /// Visits the states of a run with the first player to move, if the placement can also have the other player to move.
    /// With each it gives the state of that position. Override it if you can find that state without a board.
    fn passed_run(&self, index: &Self::Index, states: Range<u64>, visit: &mut dyn FnMut(u64, u64)) {
        for state in states {
            let Some(position) = self.position(index, state) else { continue };
            if self.player(&position) != 0 {
                continue;
            }
            let board = self.board(&position);
            if let Some(passed) = board.and_then(|board| self.with_board(&board, 1)) {
                visit(state, self.number(index, &passed));
            }
        }
    }
}
