//! Where play begins, and the verdict there: the first line of `solve` and of `line`.

use retrograde::Value;
use retrograde_catalog::{Playable, word};

use crate::report::list;
use crate::term::failure::Failure;
use crate::term::number::plies;

/// The state that play begins in: the one asked for, or else the game's own.
pub(crate) fn start(game: &dyn Playable, from: Option<&str>) -> Result<Option<u64>, Failure> {
    let Some(text) = from else { return Ok(game.start()) };
    let state = game.parse(text);
    state.map(Some).map_err(|error| Failure::Input(format!("--from {text}: {error}")))
}

/// `WIN in 9 plies for police, from police 0,0 3,4`.
pub(crate) fn verdict(game: &dyn Playable, state: u64, value: Value, distances: bool) -> String {
    let word = word(value).to_uppercase();
    let distance = list::distance(value, distances);
    let distance = distance.map_or(String::new(), |d| format!(" in {}", plies(d)));
    format!("{word}{distance} for {}, from {}", mover(game, state), game.text(state))
}

/// `win in 9`, `draw`: a value in few words.
pub(crate) fn brief(value: Value, distances: bool) -> String {
    let word = word(value);
    match list::distance(value, distances) {
        Some(distance) => format!("{word} in {distance}"),
        None => word.to_owned(),
    }
}

/// Who is to move: by name, where the players are not alike.
pub(crate) fn mover(game: &dyn Playable, state: u64) -> String {
    match game.movers() {
        [_] => "the player to move".to_owned(),
        movers => movers[game.mover(state)].to_owned(),
    }
}
