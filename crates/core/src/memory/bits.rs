//! Sets as bits, and the positions of the ones in a word.

/// A set of states, or of blocks: number `n` is bit `n % 64` of word `n / 64`.
pub(crate) type Bits = Vec<u64>;

/// The empty set. The system gives zeros without writing them.
pub(crate) fn zeros(bits: usize) -> Bits {
    vec![0; bits.div_ceil(64)]
}

/// Whether a number is in a set.
pub(crate) fn has(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 != 0
}

/// The positions of the ones in a word, from the lowest.
#[derive(Clone)]
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
