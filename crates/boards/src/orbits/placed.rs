//! A first set that is looked up once for the numbers of all positions that begin with it.

use core::ops::Range;

use super::{Class, Orbits};

/// A first set and the least of its images. It gives the numbers of all positions that begin with the set,
/// without another lookup.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'o, const SETS: usize> {
    pub(super) orbits: &'o Orbits<SETS>,
    pub(super) class: &'o Class,
    pub(super) element: usize,
}

impl<const SETS: usize> Placed<'_, SETS> {
    /// The image of another set under the same element.
    #[inline(always)]
    pub fn image(&self, set: u64) -> u64 {
        self.orbits.group.image(self.element, set)
    }

    /// The image of a square under the same element.
    #[inline(always)]
    pub fn square(&self, square: u32) -> u32 {
        self.orbits.group.square_of(self.element, square)
    }

    /// The numbers of all positions that begin with this set or one of its images.
    #[inline]
    pub fn numbers(&self) -> Range<u64> {
        self.class.first..self.orbits.end(self.class)
    }

    /// The elements that map the least image to itself, identity first. Each gives the other sets a number.
    /// The least of these numbers is the position's.
    #[inline]
    pub fn fixers(&self) -> impl Iterator<Item = usize> {
        let identity = self.class.fixers.is_empty().then_some(0);
        identity.into_iter().chain(self.orbits.fixers(self.class))
    }

    /// The number of the position of this first set and other sets, and how many elements of the group map it
    /// to itself. The other sets must be mapped already. The entry for the first set is ignored.
    #[inline(always)]
    pub fn number(&self, moved: [u64; SETS]) -> (u64, u32) {
        if self.class.fixers.is_empty() {
            (self.class.first + self.orbits.rank(self.class, moved), 1)
        } else {
            self.orbits.least(self.class, moved)
        }
    }
}
