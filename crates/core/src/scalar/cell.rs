//! The cell: one byte a state. While the state is open, the cell counts moves. Once the state has settled, it
//! holds the distance.
//!
//! ```text
//! 0           invalid: no state
//! 1           fixed: a terminal draw, or a terminal value whose level has not come yet
//! 2 .. base   settled: 2 + the last digit of the distance, in the radix base - 2
//! base ..     open: base + the last digit, in the radix 256 - base, of the moves not yet known to lose, less one
//! ```
//!
//! So an update needs one load and one comparison: if the cell is below `base`, it skips the state.
//!
//! Most games need no other digit of the count. If some state has more moves than a byte can count, *planes*
//! hold the higher digits: a plane is an array with one digit of each state. The same planes later hold the
//! higher digits of the distance. An update reads them only when the count in the byte has run out.

use crate::solve::course::Kind;

/// Which of up to 64 cells equal `wanted`, as a mask.
#[inline(always)]
pub(crate) fn find(block: &[u8], wanted: u8) -> u64 {
    match <&[u8; 64]>::try_from(block) {
        Ok(block) => find_in_block(block, wanted),
        // The last block, if the number of states is not a multiple of 64.
        Err(_) => block
            .iter()
            .enumerate()
            .fold(0, |mask, (i, &cell)| mask | u64::from(cell == wanted) << i),
    }
}

/// Eight cells at a time. A byte of `x` is zero if the cell matches. The carry out of its low seven bits then
/// puts this into its top bit, and the multiplication gathers the eight top bits.
#[inline(always)]
fn find_in_block(block: &[u8; 64], wanted: u8) -> u64 {
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

pub(crate) const INVALID: u8 = 0;
pub(crate) const FIXED: u8 = 1;
/// The first of the settled codes.
pub(crate) const SETTLED: u8 = 2;

/// How distances and counts share a cell and its planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scale {
    /// The most moves of a state.
    pub(crate) degree_max: u32,
    /// The least code of an open state.
    pub(crate) base: u8,
    /// How many planes the higher digits of counts need.
    pub(crate) count_planes: usize,
    /// Whether to keep distances. Without them, the settled codes only distinguish three kinds of states:
    /// this frontier, the next frontier, and states that are done.
    pub(crate) distances: bool,
}

impl Scale {
    /// The scale for states of at most `degree_max` moves.
    pub(crate) fn new(degree_max: u32, distances: bool) -> Scale {
        // Leave at least a few digits for the distance. With a radix of one or two, every level would need
        // planes.
        const COUNT_MAX: u64 = 256 - SETTLED as u64 - 16;
        // If counts have planes, distances have them too, so they need few digits in the byte.
        const RADIX: u64 = 192;
        // All exits of a state count as one move.
        let count_max = (u64::from(degree_max) + 1).max(1);
        let radix = if count_max <= COUNT_MAX { count_max } else { RADIX };
        let count_planes = digits((count_max - 1) / radix);
        Scale { degree_max, base: (256 - radix) as u8, count_planes, distances }
    }

    /// How snapshots of such cells begin.
    pub(crate) fn kind(self, engine: [u8; 8]) -> Kind {
        let layout = (1 + self.count_planes as u64) << 32 | u64::from(self.base);
        Kind { engine, layout, distances: self.distances }
    }

    pub(crate) fn radix(self) -> u32 {
        u32::from(self.base - SETTLED)
    }

    /// The code of a state that settles at `level`, and the part of the distance for the planes.
    pub(crate) fn encode(self, level: u32) -> (u8, u32) {
        if self.distances {
            (SETTLED + (level % self.radix()) as u8, level / self.radix())
        } else {
            (SETTLED + 1 + (level % 2) as u8, 0)
        }
    }

    /// The distance of a settled state.
    pub(crate) fn decode(self, code: u8, high: u32) -> u32 {
        if self.distances { u32::from(code - SETTLED) + high * self.radix() } else { 0 }
    }

    /// The code of an open state that has `count` moves, at least one, and the part of the count for the
    /// planes.
    #[inline(always)]
    pub(crate) fn encode_count(base: u8, count: u32) -> (u8, u32) {
        let radix = 256 - u32::from(base);
        (base + ((count - 1) % radix) as u8, (count - 1) / radix)
    }

    /// How many planes there are once states settle at `level`.
    pub(crate) fn planes(self, level: u32) -> usize {
        let (_, high) = self.encode(level);
        self.count_planes.max(digits(u64::from(high)))
    }
}

/// How many digits of a byte a number has.
fn digits(number: u64) -> usize {
    (u64::BITS - number.leading_zeros()).div_ceil(8) as usize
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
                assert_eq!(find(&block, wanted), slow);
                assert_eq!(find(&block[..63], wanted), slow & (!0 >> 1));
            }
        }
    }

    #[test]
    fn every_level_decodes_to_itself() {
        for degree_max in [0, 3, 11, 237, 238, 1 << 20, u32::MAX] {
            let scale = Scale::new(degree_max, true);
            for level in [0, 1, 15, 16, 240, 255, 256, 65_535, 10_000_000, u32::MAX - 1] {
                let (code, high) = scale.encode(level);
                assert!(code >= SETTLED && code < scale.base);
                assert_eq!(scale.decode(code, high), level);
                assert!(u64::from(high) < 1 << (8 * scale.planes(level)));
            }
        }
    }

    #[test]
    fn counts_have_planes_where_a_byte_has_too_few_codes() {
        for (degree_max, count_planes) in [
            (0, 0),
            (3, 0),
            (237, 0),
            (238, 1),
            (49_151, 1),
            (49_152, 2),
            (1 << 24, 3),
            (u32::MAX - 1, 4),
        ] {
            let scale = Scale::new(degree_max, true);
            assert_eq!(scale.count_planes, count_planes, "{degree_max}");
            for count in [1, 2, 192, 193, degree_max, degree_max + 1] {
                if (1..=degree_max + 1).contains(&count) {
                    let (code, high) = Scale::encode_count(scale.base, count);
                    let radix = 256 - u32::from(scale.base);
                    assert!(code >= scale.base && u64::from(high) < 1 << (8 * count_planes));
                    assert_eq!(u32::from(code - scale.base) + high * radix + 1, count);
                }
            }
        }
    }
}
