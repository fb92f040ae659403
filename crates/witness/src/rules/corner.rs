//! A piece walks right, down, or diagonally, until it has no move. A player who cannot move loses, or wins in
//! misère play.

use std::ops::Range;

use super::{run, runs, stuck};
use crate::proof::{Place, Rules};
use crate::table::Number;

/// States are the cells, row by row.
pub(crate) struct Corner {
    rows: u64,
    columns: u64,
    /// How far the piece goes straight, and how far diagonally.
    straight: u64,
    diagonal: u64,
    misere: bool,
}

impl Corner {
    pub(crate) fn new(piece: &str, rows: u64, columns: u64, misere: bool) -> Option<Corner> {
        let (straight, diagonal) = match piece {
            "queen" => (u64::MAX, u64::MAX),
            "rook" => (u64::MAX, 0),
            "bishop" => (0, u64::MAX),
            "king" => (1, 1),
            _ => return None,
        };
        rows.checked_mul(columns).filter(|&states| states > 0)?;
        Some(Corner { rows, columns, straight, diagonal, misere })
    }
}

impl Rules for Corner {
    type Position = u64;

    fn runs(&self) -> u64 {
        runs(self.rows * self.columns)
    }

    fn run(&self, number: u64) -> Range<u64> {
        run(number, self.rows * self.columns)
    }

    fn each(&self, number: u64, mut visit: impl FnMut(&u64)) {
        self.run(number).for_each(|state| visit(&state));
    }

    fn place(&self, &position: &u64) -> Place {
        Place::Table(0, position)
    }

    fn moves(&self, &position: &u64, mut visit: impl FnMut(&u64)) {
        let down = self.rows - 1 - position / self.columns;
        let right = self.columns - 1 - position % self.columns;
        for (most, down, right) in [
            (self.straight.min(down), 1, 0),
            (self.straight.min(right), 0, 1),
            (self.diagonal.min(down).min(right), 1, 1),
        ] {
            (1..=most).for_each(|steps| visit(&(position + steps * (down * self.columns + right))));
        }
    }

    fn stuck(&self, _: &u64) -> Number {
        stuck(self.misere)
    }

    fn text(&self, &position: &u64) -> String {
        format!("{},{}", position / self.columns, position % self.columns)
    }
}
