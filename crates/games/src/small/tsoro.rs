//! Tsoro Yematatu, the "stone game played by three", of Zimbabwe: three men each on the seven points of a triangle.
//!
//! Who makes a row of three wins. A man steps along a line to the free point; only who has no man to step with may jump over one
//! of the opponent's.

use super::three::Three;

pub(crate) static TSORO: Three = Three {
    name: "tsoro",
    board: "  a\n /|\\\n b-c-d\n/  |  \\\ne--f--g",
    start: "x ./.../...",
    lines: &["abe", "acf", "adg", "bcd", "efg"],
    jumps: true,
};
