//! A cache of first sets of a numbering, because moves of neighbouring positions lead to the same few sets.

use alloc::vec;
use alloc::vec::Vec;

use crate::{Orbits, Placed};

/// A cache of first sets. A repeated lookup of the same few sets is faster.
///
/// ```
/// use retrograde_boards::{Group, Orbits, Recent, Stones};
///
/// let pairs = Orbits::new(Group::square(3), [Stones::Exactly(1), Stones::Exactly(1)]);
/// let mut recent = Recent::new(&pairs);
/// for other in [0, 1, 2] {
///     let corner = recent.placed(1 << 8);
///     let number = corner.number([0, corner.image(1 << other)]);
///     assert_eq!(number, pairs.state_and_stabilizer([1 << 8, 1 << other]));
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Recent<'o, const SETS: usize> {
    orbits: &'o Orbits<SETS>,
    /// Each slot holds the last set with these bits.
    found: Vec<(u64, Placed<'o, SETS>)>,
}

impl<'o, const SETS: usize> Recent<'o, SETS> {
    const BITS: u32 = 8;

    /// An empty cache.
    pub fn new(orbits: &'o Orbits<SETS>) -> Recent<'o, SETS> {
        Recent { orbits, found: Vec::new() }
    }

    /// The same as [`Orbits::placed`].
    #[inline(always)]
    pub fn placed(&mut self, first: u64) -> Placed<'o, SETS> {
        let at = (first.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - Self::BITS)) as usize;
        match self.found.get(at) {
            Some(&(set, placed)) if set == first => placed,
            _ => self.find(at, first),
        }
    }

    #[inline(never)]
    fn find(&mut self, at: usize, first: u64) -> Placed<'o, SETS> {
        let placed = self.orbits.placed(first);
        if self.found.is_empty() {
            self.found = vec![(first, placed); 1 << Self::BITS];
        }
        self.found[at] = (first, placed);
        placed
    }
}
