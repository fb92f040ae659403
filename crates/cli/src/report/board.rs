//! The board of a state as letters, where it tells people more than the text of the state.

use retrograde_catalog::{Oracle, State};

/// The board as lines of letters. Chess has FENs, and a board of more squares would fill the screen.
pub(crate) fn board_text(oracle: &Oracle, state: &State) -> Option<String> {
    match oracle.style().pgn {
        true => None,
        false => retrograde_picture::lettered(&oracle.board(state)?),
    }
}
