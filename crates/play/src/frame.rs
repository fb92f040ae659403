//! The next picture of the screen: letters with their colours. The terminal gets all of it at once.

use std::fmt::Write as _;

use crate::paint::PLAIN;

/// Letters in rows and columns.
pub(crate) struct Frame {
    rows: usize,
    columns: usize,
    cells: Vec<(char, &'static str)>,
    /// Whether there are colours.
    colour: bool,
}

/// Exchanges light and dark, without a colour.
pub(crate) const REVERSED: &str = "\x1b[7m";
/// For less important text.
pub(crate) const FAINT: &str = "\x1b[2m";
/// For important text.
pub(crate) const BOLD: &str = "\x1b[1m";

impl Frame {
    /// An empty screen.
    pub(crate) fn new(rows: usize, columns: usize, colour: bool) -> Frame {
        Frame { rows, columns, cells: vec![(' ', ""); rows * columns], colour }
    }

    /// Puts a text at a place. If it does not fit, a sign marks the cut.
    pub(crate) fn put(
        &mut self,
        row: usize,
        column: usize,
        room: usize,
        text: &str,
        style: &'static str,
    ) {
        if row >= self.rows || column >= self.columns {
            return;
        }
        let room = room.min(self.columns - column);
        let long = text.chars().count() > room;
        for (at, letter) in text.chars().take(room).enumerate() {
            let letter = match letter {
                _ if long && at + 1 == room => '~',
                // A name may contain control characters, which must not reach the terminal.
                control if control.is_control() => '?',
                letter => letter,
            };
            let style =
                if self.colour || matches!(style, REVERSED | FAINT | BOLD) { style } else { "" };
            self.cells[row * self.columns + column + at] = (letter, style);
        }
    }

    /// The bytes that draw it on a terminal.
    pub(crate) fn written(&self) -> String {
        let mut text = String::new();
        for (row, cells) in self.cells.chunks(self.columns).enumerate() {
            let mut style = "";
            let _ = write!(text, "\x1b[{};1H", row + 1);
            for &(letter, wanted) in cells {
                if wanted != style {
                    text.push_str(PLAIN);
                    text.push_str(wanted);
                    style = wanted;
                }
                text.push(letter);
            }
            if !style.is_empty() {
                text.push_str(PLAIN);
            }
        }
        text
    }
}
