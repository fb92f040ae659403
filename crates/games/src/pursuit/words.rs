//! Pursuit in sets: 64 places of the policeman in a word.
//!
//! A step of the thief leaves the policeman where he is: the set is the same in another row. A step
//! of the policeman shifts the set. In the order of [`Strips`] every step is a shift by one of fifteen
//! constants: nine inside a strip, three into the strip above, three into the one below; which places can take
//! which shift is said by a mask for each word.

use super::strips::Strips;
use crate::board::Board;

/// A shift by a constant: the places one step away in one direction.
#[derive(Clone, Copy, Debug)]
struct Shift {
    /// By how many bits, counted from the first word of the family.
    bits: u32,
    /// Which of the masks says who can take it.
    mask: usize,
}

/// Shifts by nearly the same distance, which reach into the same three words.
#[derive(Clone, Debug)]
struct Family {
    /// The first of the three words, counted from the word of the set.
    first: i64,
    shifts: Vec<Shift>,
}

const MASKS: usize = 15;

/// The policeman's steps, as shifts.
#[derive(Clone, Debug)]
pub(super) struct Shifts {
    families: Vec<Family>,
    /// For each word of places, which of them can take each shift and stay on the board.
    masks: Vec<[u64; MASKS]>,
}

impl Shifts {
    pub(super) fn new(board: &Board, strips: &Strips, words: u64) -> Shifts {
        let (height, columns) = (i64::from(strips.height()), i64::from(board.columns()));
        // How far it is from a row to the next, inside a strip and over its edge, in places.
        let over = columns * height - (height - 1);
        let mut families = Vec::new();
        let mut steps = Vec::new();
        for downs in [&[-1, 0, 1][..], &[-over], &[over]] {
            let first = (downs[0] - height).div_euclid(64);
            let mut shifts = Vec::new();
            for &down in downs {
                for right in [-height, 0, height] {
                    shifts.push(Shift {
                        bits: (down + right - first * 64) as u32,
                        mask: steps.len(),
                    });
                    steps.push((down + right, down.signum(), right.signum()));
                }
            }
            families.push(Family { first, shifts });
        }
        let mut masks = vec![[0; MASKS]; words as usize];
        for place in 0..strips.places() {
            for (mask, &(shift, down, right)) in steps.iter().enumerate() {
                let to = place as i64 + shift;
                let step =
                    strips.cell(place as u32).zip(u32::try_from(to).ok()).and_then(|(from, to)| {
                        let to = strips.cell(to)?;
                        let row = |cell: u32| i64::from(cell / board.columns());
                        let column = |cell: u32| i64::from(cell % board.columns());
                        Some((row(to) - row(from), column(to) - column(from)))
                    });
                if step == Some((down, right)) {
                    masks[place as usize / 64][mask] |= 1 << (place % 64);
                }
            }
        }
        Shifts { families, masks }
    }

    /// Visits the words with places one step away from a set of places of one word, or none.
    #[inline(always)]
    pub(super) fn spread(&self, word: u64, set: u64, mut visit: impl FnMut(u64, u64)) {
        let masks = &self.masks[word as usize];
        for family in &self.families {
            let mut reached = [0u64; 4];
            for shift in &family.shifts {
                let moved = u128::from(set & masks[shift.mask]) << (shift.bits % 64);
                let at = (shift.bits / 64) as usize & 1;
                reached[at] |= moved as u64;
                reached[at + 1] |= (moved >> 64) as u64;
            }
            for (i, &mask) in (0..).zip(&reached[..3]) {
                if mask != 0 {
                    visit(word.wrapping_add_signed(family.first + i), mask);
                }
            }
        }
    }

    /// Of a set of places of one word, those from which every step stays inside the set whose
    /// words `inside` gives.
    #[inline(always)]
    pub(super) fn all_inside(&self, word: u64, mut set: u64, inside: impl Fn(u64) -> u64) -> u64 {
        let masks = &self.masks[word as usize];
        let words = self.masks.len() as u64;
        for family in &self.families {
            let around: [u64; 3] = std::array::from_fn(|i| {
                let near = word.wrapping_add_signed(family.first + i as i64);
                if near < words { inside(near) } else { 0 }
            });
            for shift in &family.shifts {
                let at = (shift.bits / 64) as usize & 1;
                let pair = u128::from(around[at]) | u128::from(around[at + 1]) << 64;
                set &= !masks[shift.mask] | (pair >> (shift.bits % 64)) as u64;
            }
            if set == 0 {
                return 0;
            }
        }
        set
    }
}
