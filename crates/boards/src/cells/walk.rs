//! Visits neighbouring numbers with their positions. Only the last kinds change from one number to the next.

use core::ops::Range;

use super::{Cell, Cells, Position, divide};

impl Cells {
    /// Visits each number of a range with its position and stabilizer, `None` for a gap. This is faster than to ask for each.
    #[inline]
    pub fn each<const KINDS: usize>(
        &self,
        numbers: Range<u64>,
        mut visit: impl FnMut(u64, Option<(&Position<KINDS>, u32)>),
    ) {
        let mut next = numbers.start;
        while next < numbers.end {
            let cell = self.cell_of(next);
            let mut position = self.empty(cell);
            let (mut class, mut rank) = divide(next - cell.first, cell.tail);
            while next < numbers.end && class < self.heads[cell.head as usize].classes() {
                let free = self.place_head(cell, class, &mut position.sets);
                let end = cell.tail.min(rank + (numbers.end - next));
                next += end - rank;
                let first = cell.first + class * cell.tail;
                self.walk(cell, rank..end, free, &mut position, |rank, position| {
                    let stabilizer = self.own_stabilizer(cell, class, rank, &position.sets);
                    visit(first + rank, (stabilizer > 0).then_some((position, stabilizer)));
                });
                (class, rank) = (class + 1, 0);
            }
        }
    }

    /// Visits each position of a class in a range of ranks, gaps included.
    #[inline(always)]
    fn walk<const KINDS: usize>(
        &self,
        cell: &Cell,
        ranks: Range<u64>,
        free: u64,
        position: &mut Position<KINDS>,
        mut visit: impl FnMut(u64, &Position<KINDS>),
    ) {
        // All kinds but the last are placed again only when their set changes.
        let Some((last, before)) = self.tail(cell).split_last() else {
            return ranks.for_each(|rank| visit(rank, position));
        };
        let ways = before.last().map_or(cell.tail, |item| item.after);
        let mut rank = ranks.start;
        while rank < ranks.end {
            let (upper, digit) = divide(rank, ways);
            let open = self.unrank(before, upper * ways, free, &mut position.sets);
            let end = ways.min(digit + (ranks.end - rank));
            let first = self.set_of(last, digit, open);
            position.sets[usize::from(last.kind)] = first;
            visit(rank, position);
            rank += 1;
            // One man goes on to the next free square.
            let mut free = open & last.zone & !(first | first.wrapping_sub(1));
            for digit in digit + 1..end {
                position.sets[usize::from(last.kind)] = match last.size {
                    1 => free & free.wrapping_neg(),
                    _ => self.set_of(last, digit, open),
                };
                free &= free.wrapping_sub(1);
                visit(rank, position);
                rank += 1;
            }
        }
    }
}
