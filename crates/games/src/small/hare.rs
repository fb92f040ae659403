//! Hare and hounds: three hounds chase a hare, which wants to get past them to the left.
//!
//! ```text
//!   a-b-c
//!  /|\|/|\
//! d-e-f-g-h
//!  \|/|\|/
//!   i-j-k
//! ```
//!
//! A man goes one step along a line. Hounds never go back to the left. The hounds begin, and win if the hare
//! cannot move. The hare wins on the leftmost square, or if no hound can move. Endless play is a draw.

use retrograde::Value;

use super::{Position, Rules, neighbours, played_out, squares};
use crate::{GameSpec, Setup, SetupError, Visitor};

pub(crate) static SPEC: GameSpec = GameSpec::small(
    "hare",
    "three hounds, never to the left, win if the hare cannot move; the hare wins on the leftmost point",
    "Three hounds and a hare move along the lines to a free neighbouring point. The hounds begin, and never move back to the left. \
     They win if the hare cannot move. The hare wins on the leftmost point, or if no hound can move.",
);

pub(crate) fn build<V: Visitor>(_: &Setup, visitor: V) -> Result<V::Output, SetupError> {
    played_out(&Hare, visitor)
}

#[derive(Debug)]
pub(crate) struct Hare;

const LINES: &[&str] =
    &["abc", "defgh", "ijk", "aei", "bfj", "cgk", "da", "di", "ch", "kh", "afk", "cfi"];
/// The squares of each column, from the left.
const COLUMNS: [&str; 5] = ["d", "aei", "bfj", "cgk", "h"];
const LEFTMOST: u32 = 1 << 3;
const HOUNDS: usize = 0;

impl Rules for Hare {
    fn name(&self) -> &'static str {
        SPEC.name
    }

    fn sides(&self) -> &'static [&'static str; 2] {
        &["hounds", "hare"]
    }

    fn letters(&self) -> [char; 2] {
        ['H', 'R']
    }

    fn kinds(&self) -> [&'static str; 2] {
        ["hound", "hare"]
    }

    fn points(&self) -> &'static [(u8, u8)] {
        &[(1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2), (3, 2)]
    }

    fn lines(&self) -> &'static [&'static str] {
        LINES
    }

    fn start(&self) -> &'static str {
        "hounds H../H...R/H.."
    }

    fn verdict(&self, position: Position) -> Option<Value> {
        (position.side == HOUNDS && position.other() == LEFTMOST).then_some(Value::Loss(0))
    }

    fn moves(&self, position: Position, visit: &mut dyn FnMut(Position)) {
        let own = position.own();
        for man in squares(own) {
            let back = |to: &u32| position.side == HOUNDS && column(*to) < column(man);
            let to = squares(neighbours(LINES, man) & position.free());
            to.filter(|to| !back(to))
                .for_each(|to| visit(position.after(own ^ 1 << man | 1 << to)));
        }
    }
}

/// The column of a square.
fn column(square: u32) -> Option<usize> {
    let letter = char::from(b'a' + square as u8);
    COLUMNS.iter().position(|column| column.contains(letter))
}
