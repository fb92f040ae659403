//! The naive solver: slow and obvious. It judges all fast code.
//!
//! It follows the definition literally, and shares only the [`Game`] trait with the engine.

use retrograde::{Game, Status, Value};
use std::collections::BTreeSet;

/// The value of every state, `None` if the state is invalid.
///
/// Goes up through the distances. At each distance, goes through all states that are still open. A state is
/// won in `d` plies if one of its moves wins in `d`. It is lost in `d` if all its moves lose in at most `d`. A state that never settles is a draw. Skips distances at which nothing can settle.
pub fn solve(game: &impl Game) -> Vec<Option<Value>> {
    let mut values = vec![None; game.states() as usize];
    let mut open = Vec::new();
    let mut distances = BTreeSet::from([0]);
    for state in 0..game.states() {
        let mut exits = Vec::new();
        match game.status(state) {
            Status::Invalid => {}
            Status::Terminal(value) => {
                values[state as usize] = Some(value);
                distances.extend(value.distance().map(|d| d + 1));
            }
            Status::Open => {
                game.exits(state, |value| exits.push(value));
                distances.extend(exits.iter().filter_map(|exit| exit.distance()));
                if exits.is_empty() && !game.has_moves(state) {
                    values[state as usize] = Some(game.stuck());
                    distances.extend(game.stuck().distance().map(|d| d + 1));
                } else {
                    open.push((state, exits));
                }
            }
        }
    }
    while let Some(now) = distances.pop_first() {
        open.retain(|(state, exits)| {
            let mut options = exits.clone();
            game.each_successor(*state, |to| {
                options.push(match (values[to as usize], game.keeps_turn(*state, to)) {
                    (None | Some(Value::Draw), _) => Value::Draw, // open or drawn: settles nothing
                    (Some(Value::Loss(d)), false) | (Some(Value::Win(d)), true) => {
                        Value::Win(d + 1)
                    }
                    (Some(Value::Win(d)), false) | (Some(Value::Loss(d)), true) => {
                        Value::Loss(d + 1)
                    }
                });
            });
            if options.contains(&Value::Win(now)) {
                values[*state as usize] = Some(Value::Win(now));
            } else if options.iter().all(|option| matches!(option, Value::Loss(d) if *d <= now)) {
                values[*state as usize] = Some(Value::Loss(now));
            } else {
                return true;
            }
            distances.insert(now + 1);
            false
        });
    }
    for (state, _) in open {
        values[state as usize] = Some(Value::Draw);
    }
    values
}
