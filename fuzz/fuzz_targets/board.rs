//! A board from any text: it is refused with an error, or it is drawn as it was read and the chase on it is sound.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retrograde_games::{Board, Chase};

fuzz_target!(|text: &str| {
    let Ok(board) = Board::parse(text) else { return };
    let drawn = board.picture(board.police(), board.thief());
    assert_eq!(Board::parse(&drawn).as_ref(), Ok(&board), "drawn as {drawn:?}");
    for police in 0..3 {
        if let Ok(chase) = Chase::on_board(&board, police) {
            retrograde_fuzz::check_shown(&chase);
        }
    }
});
