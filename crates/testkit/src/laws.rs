//! The laws of a right answer, checked state by state in one pass: the naive solver's twin for games too large
//! for it.
//!
//! A won state has a move that wins in its distance and none that wins sooner; a lost state has none but moves
//! that lose, the longest in its distance; a drawn state has no move that wins and one that draws. Only one
//! assignment obeys: by induction on the distance the wins and losses are right, and a state said to be drawn
//! that is not would have a nearest one, with a move that gives it away.

use retrograde::{Game, Status, Value};

/// The first state whose value breaks a law, in words.
pub fn broken(game: &impl Game, value: impl Fn(u64) -> Option<Value>) -> Option<String> {
    (0..game.states()).find_map(|state| {
        let (mut best, mut count) = (None, 0);
        let mut consider = |option: Value| {
            count += 1;
            if best.is_none_or(|best: Value| option > best) {
                best = Some(option);
            }
        };
        let expected = match game.status(state) {
            Status::Void => None,
            Status::Final(value) => Some(value),
            Status::Open => {
                game.exits(state, &mut consider);
                game.successors(state, |to| {
                    if let Some(value) = value(to) {
                        consider(value.after_move(game.keeps_turn(state, to)));
                    }
                });
                Some(best.unwrap_or(Value::Loss(0)))
            }
        };
        let found = value(state);
        (found != expected).then(|| {
            format!("state {state} is said to be {found:?} and its {count} moves say {expected:?}")
        })
    })
}
