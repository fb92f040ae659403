//! The laws of a right solution, checked state by state in one pass. They replace the naive solver for games
//! that are too large for it.
//!
//! A won state has a move that wins in its distance, and none that wins sooner. A lost state has only losing
//! moves, and the longest of them has the distance of the state. A drawn state has no winning move, and one
//! that draws. Only one assignment obeys these laws. Proof: by induction on the distance, the wins and losses
//! are right. Among states wrongly called draws, one would be nearest to the end, and its moves would break a
//! law.

use retrograde::{Game, Status, Value};

/// The first state whose value breaks a law, as a message.
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
            Status::Invalid => None,
            Status::Terminal(value) => Some(value),
            Status::Open => {
                game.exits(state, &mut consider);
                game.each_successor(state, |to| {
                    if let Some(value) = value(to) {
                        consider(value.after_move(game.keeps_turn(state, to)));
                    }
                });
                Some(best.unwrap_or(game.stuck()))
            }
        };
        let found = value(state);
        (found != expected).then(|| {
            format!(
                "state {state} has the value {found:?}, but its {count} moves give {expected:?}"
            )
        })
    })
}
