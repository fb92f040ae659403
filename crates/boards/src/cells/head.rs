//! The first kinds of a cell, and their classes: heads that are images of each other.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::Group;

/// The heads with the same kinds and sizes.
#[derive(Clone, Debug)]
pub(super) struct Head {
    /// For the rank of each head: its class, whether the class has several symmetries, and the element that maps the head to the
    /// representative of the class.
    pub(super) entries: Vec<u32>,
    /// The sets of the representative of each class.
    sets: Vec<u64>,
    /// How many sets a head has.
    len: usize,
    /// For each class, the range of its fixers: the elements that map its representative to itself. It is empty if there is only the
    /// identity.
    ranges: Vec<Range<u32>>,
    fixers: Vec<u8>,
}

/// The bits of an entry that hold the element.
pub(super) const ELEMENT: u32 = 0x7f;
/// Set in an entry if the class has fixers.
pub(super) const FIXED: u32 = 0x80;
pub(super) const CLASS_SHIFT: u32 = 8;
/// The entry of a head that has not been visited.
const UNSEEN: u32 = u32::MAX;

impl Head {
    /// The classes of `count` heads of `len` sets. `sets_of` gives the sets of a rank, and `rank_of` the rank of sets.
    pub(super) fn new(
        group: &Group,
        len: usize,
        count: u64,
        sets_of: impl Fn(u64, &mut [u64]),
        rank_of: impl Fn(&[u64]) -> u64,
    ) -> Head {
        let entries = vec![UNSEEN; count as usize];
        let mut head =
            Head { entries, sets: Vec::new(), len, ranges: Vec::new(), fixers: Vec::new() };
        let mut sets = vec![0; len];
        for rank in 0..count {
            if head.entries[rank as usize] == UNSEEN {
                sets_of(rank, &mut sets);
                head.add(group, rank, &sets, &rank_of);
            }
        }
        head
    }

    /// Adds a head and all its images. The least image always comes first.
    fn add(&mut self, group: &Group, rank: u64, sets: &[u64], rank_of: &impl Fn(&[u64]) -> u64) {
        let image = |element| {
            let image: Vec<u64> = sets.iter().map(|&set| group.image(element, set)).collect();
            rank_of(&image)
        };
        let images: Vec<u64> = (0..group.order()).map(image).collect();
        let class = self.ranges.len() as u32;
        assert!(class < UNSEEN >> CLASS_SHIFT, "too many classes of first men");
        let start = self.fixers.len() as u32;
        let fixing = images.iter().enumerate().filter(|&(_, &image)| image == rank);
        let fixing: Vec<u8> = fixing.map(|(element, _)| element as u8).collect();
        if fixing.len() > 1 {
            self.fixers.extend(&fixing);
        }
        let fixed = if fixing.len() > 1 { FIXED } else { 0 };
        for (element, image) in images.into_iter().enumerate() {
            let entry = &mut self.entries[image as usize];
            if *entry == UNSEEN {
                *entry = class << CLASS_SHIFT | fixed | group.inverse(element) as u32;
            }
        }
        self.sets.extend(sets);
        self.ranges.push(start..self.fixers.len() as u32);
    }

    /// How many classes there are.
    pub(super) fn classes(&self) -> u64 {
        self.ranges.len() as u64
    }

    /// How many classes have several symmetries.
    pub(super) fn fixed_classes(&self) -> u64 {
        self.ranges.iter().filter(|range| !range.is_empty()).count() as u64
    }

    /// The sets of the representative of a class.
    #[inline(always)]
    pub(super) fn sets(&self, class: usize) -> &[u64] {
        &self.sets[class * self.len..][..self.len]
    }

    /// The elements that map a class to itself, identity first; none if there is only the identity.
    #[inline(always)]
    pub(super) fn fixers(&self, class: usize) -> &[u8] {
        let Range { start, end } = self.ranges[class];
        &self.fixers[start as usize..end as usize]
    }
}
