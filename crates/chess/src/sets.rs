//! Equal men as a set of squares, and the number of the set among all of its size.
//!
//! Three knights are the same in any order, so a number stands for their set of squares. Sets are ordered by
//! their greatest square, then by the next, and so on. The number of a set is how many sets come before it.

use std::ops::Range;

use crate::material::{SLOTS, Squares};
use crate::piece::{Role, Square};

/// The equal men of some slots.
pub(crate) struct Group {
    pub(crate) slots: Range<usize>,
    /// The lowest square that they can have.
    first: u8,
    /// The factor of their number in a combined number.
    pub(crate) stride: u64,
    /// For each number, the squares of the set in ascending order.
    pub(crate) sets: Vec<[Square; SLOTS - 3]>,
}

impl Group {
    pub(crate) fn new(slots: Range<usize>, role: Role, stride: u64) -> Group {
        let first = if role == Role::Pawn { 8 } else { 0 };
        let mut sets = Vec::new();
        let mut set = [Square::new(first); SLOTS - 3];
        spread(slots.len(), first..64 - first, &mut set, &mut sets);
        let group = Group { slots, first, stride, sets };
        debug_assert!((0u64..).zip(&group.sets).all(|(n, set)| group.number_of(set) == n));
        group
    }

    /// The number of the set of squares of these men, in any order.
    #[inline(always)]
    pub(crate) fn number(&self, squares: &Squares) -> u64 {
        let place = |square: Square| u64::from(square.number() - self.first);
        match squares[self.slots.clone()] {
            [one] => place(one),
            // As `number_of`, in few instructions: a solve asks this most.
            [a, b] => {
                let (less, more) = (place(a.min(b)), place(a.max(b)));
                less + (more * more - more) / 2
            }
            _ => self.number_of_any(squares),
        }
    }

    #[inline(never)]
    fn number_of_any(&self, squares: &Squares) -> u64 {
        let mut set = [Square::new(0); SLOTS - 3];
        let set = &mut set[..self.slots.len()];
        set.copy_from_slice(&squares[self.slots.clone()]);
        set.sort_unstable();
        self.number_of(set)
    }

    /// Puts the men on the squares of the set with this number.
    #[inline]
    pub(crate) fn place(&self, number: u32, squares: &mut Squares) {
        match &mut squares[self.slots.clone()] {
            [one] => *one = Square::new(self.first + number as u8),
            likes => likes.copy_from_slice(&self.sets[number as usize][..likes.len()]),
        }
    }

    /// The number of an ascending set: how many sets have a smaller greatest member, and so on downwards.
    fn number_of(&self, set: &[Square]) -> u64 {
        let members = set[..self.slots.len()].iter().zip(1..);
        members.map(|(square, size)| choose(u64::from(square.number() - self.first), size)).sum()
    }
}

/// Every ascending set of `size` of these squares, in order of their numbers.
fn spread<const N: usize>(
    size: usize,
    from: Range<u8>,
    set: &mut [Square; N],
    sets: &mut Vec<[Square; N]>,
) {
    let Some(last) = size.checked_sub(1) else {
        sets.push(*set);
        return;
    };
    for greatest in from.clone().skip(last) {
        set[last] = Square::new(greatest);
        spread(last, from.start..greatest, set, sets);
    }
}

/// In how many ways `size` of `count` can be chosen.
#[inline]
fn choose(count: u64, size: u32) -> u64 {
    match size {
        1 => count,
        2 => count * count.saturating_sub(1) / 2,
        3 => count * count.saturating_sub(1) * count.saturating_sub(2) / 6,
        _ => unreachable!("at most three equal men are numbered as a set"),
    }
}
