//! The steps of a pursuit, place by place.

use super::NOWHERE;
use crate::board::{Board, Steps};

/// For each place, all places one step away, including the place itself. Empty for a wall.
#[derive(Clone, Debug)]
pub(super) struct Lists<T> {
    offsets: Vec<u32>,
    places: Vec<T>,
    /// The length of each list.
    pub(super) lens: Vec<u8>,
    pub(super) len_max: u32,
}

impl<T: Ord + Copy> Lists<T> {
    /// The lists for the places of the given cells; `place` gives the number of a cell.
    pub(super) fn new(
        board: &Board,
        steps: Steps,
        cells: &[u32],
        place: impl Fn(u32) -> T,
    ) -> Lists<T> {
        let mut lists =
            Lists { offsets: vec![0], places: Vec::new(), lens: Vec::new(), len_max: 0 };
        for &cell in cells {
            let begin = lists.places.len();
            if cell != NOWHERE {
                lists.places.push(place(cell));
                board.neighbours(cell, steps, |cell| lists.places.push(place(cell)));
                lists.places[begin..].sort_unstable();
            }
            let len = lists.places.len() - begin;
            lists.offsets.push(lists.places.len() as u32);
            lists.lens.push(len as u8);
            lists.len_max = lists.len_max.max(len as u32);
        }
        lists
    }

    /// The lists, all of length `len`, filled up with `missing`.
    pub(super) fn fixed(&self, len: usize, missing: T) -> Vec<T> {
        self.filled(len, |_| missing)
    }

    /// The lists, all of length `len`, filled up with their last place. Empty lists are filled with
    /// `missing`.
    pub(super) fn fixed_by_last(&self, len: usize, missing: T) -> Vec<T> {
        self.filled(len, |list| list.last().copied().unwrap_or(missing))
    }

    fn filled(&self, len: usize, missing: impl Fn(&[T]) -> T) -> Vec<T> {
        let lists = (0..self.lens.len() as u64).map(|place| self.of(place));
        let filled = lists.flat_map(|list| {
            let missing = missing(list);
            (0..len).map(move |i| list.get(i).copied().unwrap_or(missing))
        });
        filled.collect()
    }

    pub(super) fn len(&self, place: u64) -> u32 {
        u32::from(self.lens[place as usize])
    }

    #[inline(always)]
    pub(super) fn of(&self, place: u64) -> &[T] {
        let at = place as usize;
        &self.places[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }
}
