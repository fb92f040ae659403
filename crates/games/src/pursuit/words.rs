//! Pursuit in sets: 64 places of the one inside in a word.
//!
//! A step of the one outside leaves the other where he is: the set is the same in another row. A step
//! of the one inside shifts the set. In the order of [`Strips`] a step to the side is a shift by the height of
//! a strip, a step up or down a shift by one, and a step over the edge of a strip a shift by one
//! other constant. A policeman's nine steps are taken in two: first to the sides, then up and down.
//!
//! The sets are held in windows: 128 bits that begin a little before their word, so that a shift
//! to either side stays inside.

use super::strips::Strips;
use crate::board::{Board, Steps};

/// How far before its word a window begins: the greatest height of a strip, and one step more.
const MARGIN: u32 = Strips::HEIGHT_MAX + 1;

/// Which places of a window can take which step. A place has a bit only if its cell is on the board.
#[derive(Clone, Copy, Debug)]
struct Masks {
    /// Not in the last column.
    right: u128,
    /// Not in the first.
    left: u128,
    /// Not in the first row of a strip.
    up: u128,
    /// Not in the last.
    down: u128,
    /// In the first row of a strip, with a strip above.
    over_up: u128,
    /// In the last, with a strip below.
    over_down: u128,
}

/// Where a window begins: a word, counted from the one it is for, and a bit.
#[derive(Clone, Copy, Debug)]
struct Begin {
    word: i64,
    bit: u32,
}

/// The steps of the one inside.
#[derive(Clone, Debug)]
pub(super) struct Shifts {
    /// By how much a step to the side shifts.
    side: u32,
    /// Whether two steps, one to the side and one up or down, may be taken as one.
    diagonal: bool,
    /// Where the window of a word begins: the word, counted from it, and the bit.
    here: Begin,
    /// Where it begins when it is moved by a step over the edge of a strip, up or down.
    above: Begin,
    below: Begin,
    /// The masks for the window of each word.
    masks: Vec<Masks>,
}

impl Shifts {
    pub(super) fn new(board: &Board, strips: &Strips, steps: Steps, words: u64) -> Shifts {
        let (height, columns) = (strips.height(), board.columns());
        // For each place of a window around a word the place on the board, if there is one.
        let window = |word: u64, test: &dyn Fn(u32, u32) -> bool| {
            (0..128).fold(0u128, |mask, bit| {
                let place = (word * 64 + bit).checked_sub(u64::from(MARGIN));
                let cell = place.and_then(|place| strips.cell(u32::try_from(place).ok()?));
                let there = cell.is_some_and(|cell| test(cell / columns, cell % columns));
                mask | u128::from(there) << bit
            })
        };
        let last_row = board.rows() - 1;
        let masks = (0..words).map(|word| Masks {
            right: window(word, &|_, column| column + 1 < columns),
            left: window(word, &|_, column| column > 0),
            up: window(word, &|row, _| row % height > 0),
            down: window(word, &|row, _| row % height + 1 < height && row < last_row),
            over_up: window(word, &|row, _| row % height == 0 && row > 0),
            over_down: window(word, &|row, _| row % height + 1 == height && row < last_row),
        });
        let over = i64::from(columns) * i64::from(height) - i64::from(height - 1);
        let begin = |over: i64| {
            let first = over - i64::from(MARGIN);
            Begin { word: first.div_euclid(64), bit: first.rem_euclid(64) as u32 }
        };
        Shifts {
            side: height,
            diagonal: steps == Steps::King,
            here: begin(0),
            above: begin(-over),
            below: begin(over),
            masks: masks.collect(),
        }
    }

    /// Visits the places at most one step away from a set of places of one word, word by word.
    #[inline(always)]
    pub(super) fn spread(&self, word: u64, set: u64, mut visit: impl FnMut(u64, u64)) {
        let masks = &self.masks[word as usize];
        let set = u128::from(set) << MARGIN;
        let sides = self.to_sides(set, masks);
        let row = if self.diagonal { set | sides } else { set };
        let near = set | sides | (row & masks.up) >> 1 | (row & masks.down) << 1;
        let mut visit = |word: u64, places: u64| {
            if places != 0 {
                visit(word, places);
            }
        };
        visit(word.wrapping_sub(1), (near << (64 - MARGIN)) as u64);
        visit(word, (near >> MARGIN) as u64);
        visit(word.wrapping_add(1), (near >> (MARGIN + 64)) as u64);
        let mut visit_over = |row: u128, begin: Begin| {
            let word = word.wrapping_add_signed(begin.word);
            let low = u128::from(row as u64) << (begin.bit % 64);
            let high = (row >> 64) << (begin.bit % 64);
            visit(word, low as u64);
            visit(word.wrapping_add(1), (low >> 64) as u64 | high as u64);
            visit(word.wrapping_add(2), (high >> 64) as u64);
        };
        visit_over(row & masks.over_up, self.above);
        visit_over(row & masks.over_down, self.below);
    }

    /// The places of one word from which staying or a step leads into the set whose words `target`
    /// gives. It is asked for words beyond either end of the row too; what it answers there does
    /// not matter.
    #[inline(always)]
    pub(super) fn reach(&self, word: u64, target: impl Fn(u64) -> u64) -> u64 {
        let masks = &self.masks[word as usize];
        let window = |begin: Begin| {
            let word = word.wrapping_add_signed(begin.word);
            let low = u128::from(target(word)) | u128::from(target(word.wrapping_add(1))) << 64;
            let high = u128::from(target(word.wrapping_add(2)));
            // In two steps, because a shift by 128 is none.
            low >> (begin.bit % 64) | high << 1 << (127 - begin.bit % 64)
        };
        let near = window(self.here);
        // A step is taken back: down from where it went up, and up from where it went down.
        let mut column = near | (near & masks.down) << 1 | (near & masks.up) >> 1;
        column |= window(self.above) & masks.over_up;
        column |= window(self.below) & masks.over_down;
        let row = if self.diagonal { column } else { near };
        let reached = column | self.to_sides(row, masks);
        (reached >> MARGIN) as u64
    }

    #[inline(always)]
    fn to_sides(&self, set: u128, masks: &Masks) -> u128 {
        let side = self.side % 16;
        (set & masks.right) << side | (set & masks.left) >> side
    }
}
