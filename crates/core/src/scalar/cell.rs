//! The cell: one small number a state, which counts while the state is open and holds its distance
//! once it is settled.
//!
//! ```text
//! 0           void: no state
//! 1           fixed: a final draw, or a final value whose level has not come yet
//! 2 .. base   settled: 2 + the last digit of the distance, in the radix base - 2
//! base ..     open: base + moves not yet known to lose, less one
//! ```
//!
//! So one load and one comparison with `base` tell a visit all it needs: below, pass over.

use crate::memory::pages::Element;
use crate::solve::snapshot::Kind;

/// The integer a cell is made of. A byte unless some state has more moves than a byte can count.
pub(crate) trait Cell: Element + Copy + Ord + Send + Sync + 'static {
    /// The greatest value a cell can take.
    const MAX: u32;
    fn new(value: u32) -> Self;
    fn get(self) -> u32;
    /// Appends the bytes of cells, the least first.
    fn to_bytes(cells: &[Self], bytes: &mut Vec<u8>);
    /// Makes cells of their bytes, which must be as many as those take.
    fn from_bytes(bytes: &[u8], cells: &mut [Self]);
    /// Which of 64 cells equal `wanted`, as a mask.
    fn find(block: &[Self], wanted: Self) -> u64 {
        find_slowly(block, wanted)
    }
}

impl Cell for u8 {
    const MAX: u32 = u8::MAX as u32;

    fn new(value: u32) -> u8 {
        value as u8
    }

    fn get(self) -> u32 {
        u32::from(self)
    }

    fn to_bytes(cells: &[u8], bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(cells);
    }

    fn from_bytes(bytes: &[u8], cells: &mut [u8]) {
        cells.copy_from_slice(bytes);
    }

    #[inline(always)]
    fn find(block: &[u8], wanted: u8) -> u64 {
        match <&[u8; 64]>::try_from(block) {
            Ok(block) => find_bytes(block, wanted),
            // The last block of a game whose number of states is no multiple of 64.
            Err(_) => find_slowly(block, wanted),
        }
    }
}

/// Eight cells at a time: a byte of `x` is zero where the cell matches, the carry out of its low
/// seven bits says so in its top bit, and the multiplication gathers the eight top bits.
#[inline(always)]
fn find_bytes(block: &[u8; 64], wanted: u8) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let pattern = u64::from(wanted) * 0x0101_0101_0101_0101;
    let mut mask = 0;
    for (i, eight) in block.as_chunks::<8>().0.iter().enumerate() {
        let x = u64::from_le_bytes(*eight) ^ pattern;
        let zero = !(((x & LOW) + LOW) | x | LOW);
        mask |= ((zero >> 7).wrapping_mul(GATHER) >> 56) << (8 * i);
    }
    mask
}

fn find_slowly<C: Cell>(block: &[C], wanted: C) -> u64 {
    block.iter().enumerate().fold(0, |mask, (i, &cell)| mask | u64::from(cell == wanted) << i)
}

impl Cell for u16 {
    const MAX: u32 = u16::MAX as u32;
    fn new(value: u32) -> u16 {
        value as u16
    }
    fn get(self) -> u32 {
        u32::from(self)
    }
    fn to_bytes(cells: &[u16], bytes: &mut Vec<u8>) {
        bytes.extend(cells.iter().flat_map(|cell| cell.to_le_bytes()));
    }
    fn from_bytes(bytes: &[u8], cells: &mut [u16]) {
        let bytes = bytes.as_chunks::<2>().0;
        cells.iter_mut().zip(bytes).for_each(|(cell, bytes)| *cell = u16::from_le_bytes(*bytes));
    }
}

impl Cell for u32 {
    const MAX: u32 = u32::MAX;
    fn new(value: u32) -> u32 {
        value
    }
    fn get(self) -> u32 {
        self
    }
    fn to_bytes(cells: &[u32], bytes: &mut Vec<u8>) {
        bytes.extend(cells.iter().flat_map(|cell| cell.to_le_bytes()));
    }
    fn from_bytes(bytes: &[u8], cells: &mut [u32]) {
        let bytes = bytes.as_chunks::<4>().0;
        cells.iter_mut().zip(bytes).for_each(|(cell, bytes)| *cell = u32::from_le_bytes(*bytes));
    }
}

pub(crate) const VOID: u32 = 0;
pub(crate) const FIXED: u32 = 1;
/// The first of the settled codes.
pub(crate) const SETTLED: u32 = 2;

/// How distances and counts share the range of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scale {
    /// The least code of an open state.
    pub(crate) base: u32,
    /// Whether distances are kept. If not, the settled codes only tell the frontier of one level
    /// from that of the next and from what has been visited.
    pub(crate) distances: bool,
}

impl Scale {
    /// The scale for counts up to `count_max` in cells of type `C`, or `None` if they do not fit.
    pub(crate) fn new<C: Cell>(count_max: u64, distances: bool) -> Option<Scale> {
        // A few digits at least: with a radix of one or two every level would need its planes.
        const DIGITS_MIN: u64 = 16;
        let base = (u64::from(C::MAX) + 1).checked_sub(count_max)?;
        (base >= u64::from(SETTLED) + DIGITS_MIN)
            .then(|| Scale { base: base.min(u64::from(u32::MAX)) as u32, distances })
    }

    /// What the snapshots of arrays of such cells begin with.
    pub(crate) fn kind<C: Cell>(self, engine: [u8; 8]) -> Kind {
        let layout = (size_of::<C>() as u64) << 32 | u64::from(self.base);
        Kind { engine, layout, distances: self.distances }
    }

    fn radix(self) -> u32 {
        self.base - SETTLED
    }

    /// The code of what settles at `level`, and the part of the distance that goes to the planes.
    pub(crate) fn encode(self, level: u32) -> (u32, u32) {
        if self.distances {
            (SETTLED + level % self.radix(), level / self.radix())
        } else {
            (SETTLED + 1 + level % 2, 0)
        }
    }

    /// The distance of a settled state.
    pub(crate) fn decode(self, code: u32, high: u32) -> u32 {
        if self.distances { code - SETTLED + high * self.radix() } else { 0 }
    }
}

/// The width of cells that a game needs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Width {
    Byte(Scale),
    Two(Scale),
    Four(Scale),
}

impl Width {
    /// For states of so many moves.
    pub(crate) fn of(degree_max: u32, distances: bool) -> Width {
        // Exits count for one move.
        let count_max = u64::from(degree_max) + 1;
        if let Some(scale) = Scale::new::<u8>(count_max, distances) {
            Width::Byte(scale)
        } else if let Some(scale) = Scale::new::<u16>(count_max, distances) {
            Width::Two(scale)
        } else {
            let scale = Scale::new::<u32>(count_max, distances);
            Width::Four(scale.expect("no state has four thousand million moves"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn find_agrees_with_comparing_one_by_one() {
        let mut x = 1u64;
        for _ in 0..if cfg!(miri) { 10 } else { 1000 } {
            let block: [u8; 64] = std::array::from_fn(|_| {
                x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                [0, 1, 2, 127, 128, 129, 254, 255][(x >> 61) as usize]
            });
            for wanted in [0, 1, 2, 127, 128, 254, 255] {
                let slow = (0..64).fold(0u64, |m, i| m | u64::from(block[i] == wanted) << i);
                assert_eq!(u8::find(&block, wanted), slow);
                assert_eq!(u8::find(&block[..63], wanted), slow & (!0 >> 1));
            }
        }
    }

    #[test]
    fn every_level_decodes_to_itself() {
        for count_max in [3, 11, 238] {
            let scale = Scale::new::<u8>(count_max, true).unwrap();
            for level in [0, 1, 15, 16, 240, 255, 256, 65_535, 10_000_000, u32::MAX - 1] {
                let (code, high) = scale.encode(level);
                assert!(code >= SETTLED && code < scale.base);
                assert_eq!(scale.decode(code, high), level);
            }
        }
        assert_eq!(Scale::new::<u8>(239, true), None);
        assert_eq!(Scale::new::<u8>(300, true), None);
    }
}
