//! Tsoro Yematatu, the "stone game played by three", of Zimbabwe: three men each on the seven points of a triangle.
//!
//! A row of three wins. A man steps along a line to the free point. A player whose men cannot step may jump
//! over a man of the opponent.

use super::played_out;
use super::three::Three;
use crate::{GameSpec, Setup, SetupError, Visitor};

pub(crate) static SPEC: GameSpec = GameSpec::small(
    "tsoro",
    "three men each on a triangle, which jump over one opponent if none can step: three in a row wins",
    "The board is a triangle with its height and a line across: seven points. Each player has three men and puts them down in \
     turn. Then a player moves a man along a line to the free point. If no man can do so, one may jump over a man of the \
     opponent in line. Three in a row wins. A player who cannot move loses.",
);

pub(crate) fn build<V: Visitor>(_: &Setup, visitor: V) -> Result<V::Output, SetupError> {
    played_out(&TSORO, visitor)
}

pub(crate) static TSORO: Three = Three {
    name: SPEC.name,
    points: &[(2, 0), (1, 1), (2, 1), (3, 1), (0, 2), (2, 2), (4, 2)],
    start: "x ./.../...",
    lines: &["abe", "acf", "adg", "bcd", "efg"],
    jumps: true,
};
