//! Cells of few men, each alone of its kind, as in endings of chess.
//!
//! The rank of such a man among free squares is the number of his square, less one for each man before him on a lower square. So
//! nothing has to count the free squares of a board.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec;

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
    /// As [`placed`](Cells::placed), for a cell of lone men.
    #[inline(always)]
    pub(super) fn placed_lone(&self, cell: &Cell, sets: &[u64]) -> (u64, usize, Option<u128>) {
        let items = &self.items[cell.items[0] as usize..cell.items[2] as usize];
        if let Some(table) = self.tables.get(cell.table as usize) {
            let entry = table[self.index_of_lone(items, sets)];
            if entry & FIXED == 0 {
                let number = cell.first + u64::from(entry >> CLASS_SHIFT);
                return (number, (entry & ELEMENT) as usize, None);
            }
        }
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
            let (least, elements) = self.least(cell, head, entry, sets);
            return (first + least, element, Some(elements));
        }
        if element != 0 {
            let rank = self.rank_of_lone(cell, class as usize, element, sets);
            return (first + rank, element, None);
        }
        let rank = tail.iter().map(|item| item.after * placed.add(set_of(item))).sum::<u64>();
        (first + rank, 0, None)
    }

    /// Numbers the cells of at most three lone men by tables. A table takes a megabyte and some milliseconds, so this pays if many
    /// positions are numbered.
    pub(super) fn tabulate(&mut self) {
        const MEN_MAX: usize = 3;
        let mut known = BTreeMap::new();
        for at in 0..self.cells.len() {
            let cell = &self.cells[at];
            let items = &self.items[cell.items[0] as usize..cell.items[2] as usize];
            if !cell.lone || items.len() > MEN_MAX || items.is_empty() {
                continue;
            }
            let shape = (cell.head, items.len());
            let next = self.tables.len() as u32;
            let table = *known.entry(shape).or_insert(next);
            if table == next {
                self.tables.push(self.table_of(cell, items));
            }
            self.cells[at].table = table;
        }
    }

    /// For each placement of the men of a cell: its number in the cell and the element, as in a head.
    fn table_of(&self, cell: &Cell, items: &[Item]) -> Box<[u32]> {
        let (mut sets, squares) = (vec![0; self.kinds.len()], self.group.squares() as usize);
        let placements = (0..squares.pow(items.len() as u32)).map(|mut rest| {
            let mut all = 0_u64;
            for item in items.iter().rev() {
                let set = 1 << (rest % squares);
                sets[usize::from(item.kind)] = set;
                (all, rest) = (all | set, rest / squares);
            }
            // Others are numbered without the table, too.
            if all.count_ones() as usize != items.len() {
                return FIXED;
            }
            let (number, element, elements) = self.placed_lone(cell, &sets);
            let fixed = if elements.is_some() { FIXED } else { 0 };
            ((number - cell.first) as u32) << CLASS_SHIFT | fixed | element as u32
        });
        placements.collect()
    }

    #[inline(always)]
    fn index_of_lone(&self, items: &[Item], sets: &[u64]) -> usize {
        let squares = self.group.squares() as usize;
        let mut index = 0;
        for item in items {
            index = index * squares + sets[usize::from(item.kind)].trailing_zeros() as usize;
        }
        index
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
