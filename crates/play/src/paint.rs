//! Positions in colour. With `NO_COLOR` there is none; the signs alone show everything.

use retrograde_catalog::plain;

use retrograde_picture::{Paint, Tile};

use crate::field::Look;

/// Whether there is colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ink(pub(crate) bool);

/// The end of every colour.
pub(crate) const PLAIN: &str = "\x1b[0m";

impl Ink {
    /// A position, as lines without a break at the end.
    pub(crate) fn look(self, look: &Look) -> String {
        match look {
            Look::Text(text) => plain(text).into_owned(),
            Look::Board(_, tiles) => {
                let drawing = tiles.text(|tile| self.tile(tile));
                drawing + &look.below().map_or(String::new(), |below| format!("\n{below}"))
            }
        }
    }

    /// A letter of a board in its colour.
    fn tile(self, tile: &Tile) -> String {
        match self.0 {
            true => format!("{}{}{PLAIN}", colours(tile.paint), tile.sign),
            false => tile.sign.to_string(),
        }
    }
}

/// The codes for the colours of a letter. Blue and orange also differ for colour-blind readers.
pub(crate) fn colours(paint: Paint) -> &'static str {
    match paint {
        Paint::Line => "\x1b[38;5;245m",
        Paint::Wall => "\x1b[38;5;240;48;5;238m",
        Paint::Floor => "\x1b[38;5;245m",
        Paint::Dark => "\x1b[38;5;245;48;5;236m",
        Paint::Exit => "\x1b[1;38;5;16;48;5;78m",
        Paint::Man(Some(0)) => "\x1b[1;38;5;231;48;5;25m",
        Paint::Man(Some(_)) => "\x1b[1;38;5;16;48;5;214m",
        Paint::Man(None) => "\x1b[1;38;5;16;48;5;250m",
    }
}
