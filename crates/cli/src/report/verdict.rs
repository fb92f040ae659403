//! The verdict on a state: the first line of `solve` and of `line`.

use retrograde::Value;
use retrograde_catalog::{CompiledGame, Oracle, State, word};

use crate::report::list;
use crate::term::number::plies;

/// `WIN in 9 plies for police, from police 0,0 3,4`.
pub(crate) fn verdict(value: Value, distances: bool, side: &str, state: &str) -> String {
    let word = word(value).to_uppercase();
    let distance = list::distance(value, distances);
    let distance = distance.map_or(String::new(), |d| format!(" in {}", plies(d)));
    format!("{word}{distance} for {side}, from {state}")
}

/// `win in 9`, `draw`: a value in a few words.
pub(crate) fn brief(value: Value, distances: bool) -> String {
    let word = word(value);
    match list::distance(value, distances) {
        Some(distance) => format!("{word} in {distance}"),
        None => word.to_owned(),
    }
}

/// The side to move: its name, if the players differ.
pub(crate) fn side_to_move(oracle: &Oracle, state: &State) -> &'static str {
    match oracle.players() {
        [_] => ALIKE,
        players => players[oracle.player(state)],
    }
}

/// The same for a game that may not be solved.
pub(crate) fn side_of(game: &dyn CompiledGame, state: &State) -> &'static str {
    match game.players() {
        [_] => ALIKE,
        players => players[game.player(state)],
    }
}

const ALIKE: &str = "the player to move";
