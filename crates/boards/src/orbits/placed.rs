//! A first set, looked up once for the numbers of all positions that begin with it.

use core::ops::Range;

use super::{Class, Orbits};

/// A first set taken to the least of its images: the numbers of all positions that begin with it are had from here, without
/// looking for it again.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'o, const SETS: usize> {
    pub(super) orbits: &'o Orbits<SETS>,
    pub(super) class: &'o Class,
    pub(super) element: usize,
}

impl<const SETS: usize> Placed<'_, SETS> {
    /// Another set, moved along.
    #[inline(always)]
    pub fn image(&self, set: u64) -> u64 {
        self.orbits.group.image(self.element, set)
    }

    /// A square, moved along.
    #[inline(always)]
    pub fn square(&self, square: u32) -> u32 {
        self.orbits.group.square_of(self.element, square)
    }

    /// The numbers of all positions that begin with it or with one of its images.
    #[inline]
    pub fn numbers(&self) -> Range<u64> {
        self.class.first..self.orbits.end(self.class)
    }

    /// The elements that leave it alone where it was taken to, identity first: of the numbers that the other sets have by one of
    /// them after another, the least is the position's.
    #[inline]
    pub fn fixers(&self) -> impl Iterator<Item = usize> {
        let identity = self.class.fixers.is_empty().then_some(0);
        identity.into_iter().chain(self.orbits.fixers(self.class))
    }

    /// The number of the position of this first set and others that were moved along, and how many elements of the group
    /// leave it alone. What is given for the first set itself is not looked at.
    #[inline(always)]
    pub fn number(&self, moved: [u64; SETS]) -> (u64, u32) {
        if self.class.fixers.is_empty() {
            (self.class.first + self.orbits.rank(self.class, moved), 1)
        } else {
            self.orbits.least(self.class, moved)
        }
    }
}
