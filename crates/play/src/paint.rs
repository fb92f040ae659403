//! Positions in colour. With `NO_COLOR` there is none; the signs alone show everything.

use retrograde_catalog::plain;

use crate::field::{Grid, Look, Paint, Tile};

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
            Look::Grid(grid) => {
                let rows = 0..grid.cells.len() / grid.columns;
                let mut lines: Vec<String> = rows.map(|row| self.row(grid, row)).collect();
                if let Some((_, files)) = &grid.names {
                    let files: Vec<String> = files.iter().map(|file| format!("{file:1}")).collect();
                    lines.push(format!("  {}", files.join(" ")));
                }
                lines.extend(grid.below.clone());
                lines.join("\n")
            }
        }
    }

    fn row(self, grid: &Grid, row: usize) -> String {
        let cells = &grid.cells[row * grid.columns..][..grid.columns];
        let name =
            grid.names.as_ref().map_or(String::new(), |(ranks, _)| format!("{:1} ", ranks[row]));
        let cells: Vec<String> = cells.iter().map(|tile| self.tile(*tile, "")).collect();
        // If cells have names, as on a chess board, blanks separate the signs.
        let row = format!("{name}{}", cells.join(if grid.names.is_some() { " " } else { "" }));
        row.trim_end().to_owned()
    }

    /// A cell: its sign in its colour, then `after` in the same colour.
    pub(crate) fn tile(self, tile: Tile, after: &str) -> String {
        let sign = tile.sign;
        if !self.0 {
            return format!("{sign}{after}");
        }
        format!("{}{sign}{after}{PLAIN}", colours(tile.paint))
    }
}

/// The codes for the colours of a cell. Blue and orange also differ for colour-blind readers.
pub(crate) fn colours(paint: Paint) -> &'static str {
    match paint {
        Paint::Wall => "\x1b[38;5;240;48;5;238m",
        Paint::Floor => "\x1b[38;5;245m",
        Paint::Dark => "\x1b[38;5;245;48;5;236m",
        Paint::Exit => "\x1b[1;38;5;16;48;5;78m",
        Paint::Man(0, _) => "\x1b[1;38;5;231;48;5;25m",
        Paint::Man(..) => "\x1b[1;38;5;16;48;5;214m",
    }
}
