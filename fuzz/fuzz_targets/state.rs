//! The name of a state from any text, for one game of each kind. The reader refuses it with an error, or the
//! state has this name.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retrograde_games::{Board, Chase, Corner, Graph, Piece, Take, Takes};
use retrograde_positions::AnyStates;

fuzz_target!(|text: &str| {
    let board = Board::parse("P..E\n.*.T\n").expect("a board");
    check(&Chase::on_board(&board, 1).expect("a pursuit"), text);
    check(&Chase::parse("a b\nb c\nc d\n", 2).expect("a chase"), text);
    check(&Graph::parse("a b\nb c\n= c loss\n").expect("a graph"), text);
    check(&Take::new(&[3, 5, 7], Takes::Any).expect("heaps"), text);
    check(&Corner::new(Piece::Queen, 3, 4).expect("a board"), text);
});

fn check(game: &impl AnyStates, text: &str) {
    if let Ok(state) = game.state(text) {
        let name = game.text(state).expect("it is a state");
        assert_eq!(game.state(&name), Ok(state), "{text:?} is read as the state {name:?}");
    }
}
