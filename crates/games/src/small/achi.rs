//! Achi, of Ghana: three men each on a board of three by three with all lines, also the slanting ones.
//!
//! A row of three wins. A player always has a move.

use super::three::Three;
use super::{SQUARE, played_out};
use crate::{GameSpec, Setup, SetupError, Visitor};

pub(crate) static SPEC: GameSpec = GameSpec::small(
    "achi",
    "three men each, placed and then moved along the lines of nine points: three in a row wins",
    "The board has three by three points, joined along rows, columns and both diagonals. Each player has three men and puts them \
     down in turn. Once all men stand, a player moves one along a line to a free neighbouring point. Three in a row wins.",
);

pub(crate) fn build<V: Visitor>(_: &Setup, visitor: V) -> Result<V::Output, SetupError> {
    played_out(&ACHI, visitor)
}

pub(crate) static ACHI: Three = Three {
    name: SPEC.name,
    points: SQUARE,
    start: "x .../.../...",
    lines: &["abc", "def", "ghi", "adg", "beh", "cfi", "aei", "ceg"],
    jumps: false,
};
