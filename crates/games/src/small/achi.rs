//! Achi, of Ghana: three men each on a board of three by three with all lines, also the slanting ones.
//!
//! Who makes a row of three wins. Nobody is ever stuck.

use super::three::Three;

pub(crate) static ACHI: Three = Three {
    name: "achi",
    board: "a-b-c\n|\\|/|\nd-e-f\n|/|\\|\ng-h-i",
    start: "x .../.../...",
    lines: &["abc", "def", "ghi", "adg", "beh", "cfi", "aei", "ceg"],
    jumps: false,
};
