//! A directed graph as a list of moves.
//!
//! ```text
//! a b          a move from a to b; labels are any words
//! b c          # the rest of a line is a comment
//! = c draw     c is a draw by rule; win and loss are for the player to move there
//! ```

use super::Parts;
use crate::ReadError;
use crate::words::lines_of_words;
use retrograde::Value;
use std::collections::HashMap;

/// Reads a list of moves.
pub(super) fn read(text: &str) -> Result<Parts, ReadError> {
    let mut parts = Parts::default();
    // The line that gives each value. An error names it if two lines contradict each other.
    let mut valued: HashMap<u64, u64> = HashMap::new();
    for (number, words) in lines_of_words(text) {
        match *words.as_slice() {
            ["=", label, value] => {
                let vertex = u64::from(parts.labels.number(label));
                parts.terminals.push((
                    vertex,
                    value_named(value).map_err(|what| ReadError::at(number, what))?,
                ));
                if let Some(other) = valued.insert(vertex, number) {
                    let what = format!(
                        "{label} has a value in line {other} already: leave one of the two"
                    );
                    return Err(ReadError::at(number, what));
                }
            }
            ["=", ..] => {
                return Err(ReadError::at(
                    number,
                    "not a value: write `= label win`, or loss, or draw",
                ));
            }
            [from, to] => {
                let from = u64::from(parts.labels.number(from));
                parts.edges.push((from, u64::from(parts.labels.number(to))));
            }
            _ => {
                let what =
                    "not a move: write `from to`, one move a line, or `= label win` for a value";
                return Err(ReadError::at(number, what));
            }
        }
    }
    match parts.edges.iter().find_map(|(from, _)| valued.get(from)) {
        Some(&line) => Err(both_valued_and_moving(text, line)),
        None => Ok(parts),
    }
}

fn value_named(word: &str) -> Result<Value, String> {
    match word {
        "win" => Ok(Value::Win(0)),
        "loss" => Ok(Value::Loss(0)),
        "draw" => Ok(Value::Draw),
        _ => Err(format!("{word:?} is not a value: write win, loss or draw")),
    }
}

/// Finds the move that contradicts the value in `line`. It reads the text again, because the reader does not
/// keep the lines of moves.
fn both_valued_and_moving(text: &str, line: u64) -> ReadError {
    let label = lines_of_words(text)
        .find(|&(number, _)| number == line)
        .map(|(_, words)| words.as_slice()[1]);
    let label = label.expect("a line that gave a value is still there");
    let moves = |words: &[&str]| words[0] == label && words.len() == 2;
    let first =
        lines_of_words(text).find(|(_, words)| moves(words.as_slice())).map(|(number, _)| number);
    let first = first.expect("a vertex that moves has a line for it");
    let what = format!(
        "{label} has a value by rule here and a move in line {first}: remove one of the two"
    );
    ReadError::at(line, what)
}
