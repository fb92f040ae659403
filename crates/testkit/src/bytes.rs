//! A game from any bytes, for fuzzing. Each four bytes are an instruction, and every instruction is valid.

use crate::Plain;
use retrograde::{Status, Value};

/// The game that the bytes describe. The first byte gives the number of states. Each four bytes after it add
/// a move, an exit or a status. Similar bytes give similar games, so a fuzzer can improve step by step.
pub fn game(bytes: &[u8]) -> Plain {
    let Some((&states, rest)) = bytes.split_first() else { return Plain::default() };
    let states = u64::from(states % 41);
    let mut game = Plain::open(states);
    if states == 0 {
        return game;
    }
    for instruction in rest.as_chunks::<4>().0 {
        let [kind, first, second, third] = *instruction;
        let from = u64::from(first) % states;
        let to = u64::from(second) % states;
        match kind % 8 {
            0..=3 => (0..=third / 64).for_each(|_| game.connect(from, to)),
            4 => {
                game.connect(from, to);
                game.kept.insert((from, to));
            }
            5 => game.exits[from as usize].push(value(second, third.max(1))),
            6 => game.statuses[from as usize] = Status::Terminal(value(second, third)),
            _ => game.statuses[from as usize] = Status::Invalid,
        }
    }
    keep_contract(&mut game);
    game
}

/// Win, loss or draw by the low bits of `kind`; the high bits stretch the distance.
fn value(kind: u8, distance: u8) -> Value {
    let stretch = [1, 1, 1, 1, 1, 16, 275, 70_000][usize::from(kind >> 5)];
    match kind % 3 {
        0 => Value::Win(u32::from(distance) * stretch),
        1 => Value::Loss(u32::from(distance) * stretch),
        _ => Value::Draw,
    }
}

/// Removes the moves from states that are not open, and the moves into invalid ones.
fn keep_contract(game: &mut Plain) {
    let mut kept = Plain::new(game.statuses.clone());
    for from in game.states_where(|status| status == Status::Open) {
        kept.exits[from as usize] = std::mem::take(&mut game.exits[from as usize]);
        for to in std::mem::take(&mut game.moves[from as usize]) {
            if game.statuses[to as usize] != Status::Invalid {
                kept.connect(from, to);
            }
        }
    }
    kept.kept = std::mem::take(&mut game.kept);
    *game = kept;
}
