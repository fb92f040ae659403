//! Sets as bits, and the positions of the ones in a word.

use bitvec::prelude::{BitVec, Lsb0};

/// A set of states, or of blocks. The raw words are what hot loops use: bitvec's own iteration and
/// copies are several times slower.
pub(crate) type Bits = BitVec<u64, Lsb0>;

/// The empty set of so many.
pub(crate) fn zeros(bits: usize) -> Bits {
    // From a vector of zeros, which the system gives without touching them.
    let mut zeros = Bits::from_vec(vec![0; bits.div_ceil(64)]);
    zeros.truncate(bits);
    zeros
}

/// The positions of the ones in a word, from the lowest.
pub(crate) struct Ones(pub(crate) u64);

impl Iterator for Ones {
    type Item = u64;

    #[inline(always)]
    fn next(&mut self) -> Option<u64> {
        let ones = self.0;
        self.0 &= ones.wrapping_sub(1);
        (ones != 0).then(|| u64::from(ones.trailing_zeros()))
    }
}
