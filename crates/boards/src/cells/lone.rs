//! Cells of few men, each alone of its kind, as in endings of chess.
//!
//! The rank of such a man among free squares is the number of his square, less one for each man before him on a lower square. So
//! nothing has to count the free squares of a board.

use super::head::{CLASS_SHIFT, ELEMENT, FIXED};
use super::{Cell, Cells, Item};

/// The most men of such a cell. Each is compared with all before.
pub(super) const LONE_MAX: usize = 6;

/// The men so far, behind those of a head.
struct Placed<'h> {
    head: &'h [u64],
    sets: [u64; LONE_MAX],
    len: usize,
}

impl Placed<'_> {
    fn behind(head: &[u64]) -> Placed<'_> {
        Placed { head, sets: [0; LONE_MAX], len: 0 }
    }

    /// Adds a man, and gives his rank among the squares that are free.
    #[inline(always)]
    fn add(&mut self, set: u64) -> u64 {
        let before = self.head.iter().chain(&self.sets[..self.len]);
        let lower: u64 = before.map(|&other| u64::from(other < set)).sum();
        self.sets[self.len] = set;
        self.len += 1;
        u64::from(set.trailing_zeros()) - lower
    }
}

impl Cells {
    /// The number of a position of a cell of lone men, and its stabilizer.
    #[inline(always)]
    pub(super) fn number_of_lone(&self, cell: &Cell, sets: &[u64]) -> (u64, u32) {
        let items = &self.items[cell.items[0] as usize..cell.items[2] as usize];
        let (head_items, tail) = items.split_at((cell.items[1] - cell.items[0]) as usize);
        // Sets of different squares add up without carries.
        let set_of = |item: &Item| sets[usize::from(item.kind)];
        let all = items.iter().fold(0, |all, item| all | set_of(item));
        let sum = items.iter().fold(0, |sum: u64, item| sum.wrapping_add(set_of(item)));
        if sum != all || all & !self.board != 0 {
            self.excluded();
        }
        let mut placed = Placed::behind(&[]);
        let mut index = 0;
        for item in head_items {
            index += item.after * placed.add(set_of(item));
        }
        let head = &self.heads[cell.head as usize];
        let Some(&entry) = head.entries.get(index as usize) else { self.excluded() };
        let (class, element) = (entry >> CLASS_SHIFT, (entry & ELEMENT) as usize);
        let first = cell.first + u64::from(class) * cell.tail;
        if entry & FIXED != 0 {
            let (least, count) = self.least(cell, head, entry, sets);
            return (first + least, count);
        }
        if element != 0 {
            return (first + self.rank_of_lone(cell, class as usize, element, sets), 1);
        }
        (first + tail.iter().map(|item| item.after * placed.add(set_of(item))).sum::<u64>(), 1)
    }

    /// The rank within a class. The element maps the head to the class.
    #[inline(always)]
    pub(super) fn rank_of_lone(
        &self,
        cell: &Cell,
        class: usize,
        element: usize,
        sets: &[u64],
    ) -> u64 {
        let head = self.heads[cell.head as usize].sets(class);
        let mut placed = Placed::behind(head);
        let image = |set: u64| 1 << self.group.square_of(element, set.trailing_zeros());
        let tail = self.tail(cell).iter();
        tail.map(|item| item.after * placed.add(image(sets[usize::from(item.kind)]))).sum()
    }
}
