//! Tsoro Yematatu, the "stone game played by three", of Zimbabwe: three men each on the seven points of a triangle.
//!
//! Who makes a row of three wins. A man steps along a line to the free point; only who has no man to step with may jump over one
//! of the opponent's.

use super::played_out;
use super::three::Three;
use crate::{GameSpec, Setup, SetupError, Visitor};

pub(crate) static SPEC: GameSpec = GameSpec::small(
    "tsoro",
    "three men each on a triangle, who jump over one opponent if none can step: three in a row wins",
);

pub(crate) fn build<V: Visitor>(_: &Setup, visitor: V) -> Result<V::Output, SetupError> {
    played_out(&TSORO, visitor)
}

pub(crate) static TSORO: Three = Three {
    name: SPEC.name,
    board: "  a\n /|\\\n b-c-d\n/  |  \\\ne--f--g",
    start: "x ./.../...",
    lines: &["abe", "acf", "adg", "bcd", "efg"],
    jumps: true,
};
