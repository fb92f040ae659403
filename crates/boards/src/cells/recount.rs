//! What the numbers of men become when kinds change roles.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::{ABSENT, Cells, Position};

/// What the numbers of men become when kinds change roles, as men do when players change sides: a table of all cells.
#[derive(Clone, Debug)]
pub struct Recount {
    /// For each key, the key after the change, or [`ABSENT`].
    keys: Box<[u32]>,
    /// For each key, the values of the counters after the change.
    values: Box<[u32]>,
}

impl Cells {
    /// A table of what the numbers of men and the values of counters of each cell become, and what they become from there.
    ///
    /// ```
    /// use retrograde_boards::{Cells, Group, Kind};
    ///
    /// // Two men each, on the board or in hand, and who is to move. The players change sides.
    /// let men = || Kind::on(0x1ff, 2);
    /// let cells = Cells::new(Group::square(3), &[men(), men(), Kind::counter(1)], |_| true);
    /// let change = cells.recount(|counts| vec![counts[1], counts[0], 1 - counts[2]]);
    /// let position = cells.with_sets([0b1, 0b110, 0]);
    /// let changed = cells.with_recount(&change, &position, [0b110, 0b1, 0]);
    /// assert_eq!(changed, cells.with_sets([0b110, 0b1, 1]));
    /// ```
    pub fn recount(&self, after: impl Fn(&[u32]) -> Vec<u32>) -> Recount {
        let mut keys = vec![ABSENT; self.places.len()];
        let mut values = vec![0; self.places.len() * self.counters.len()];
        let mut enter = |counts: &[u32]| {
            let (key, new) = (self.key(counts)?, after(counts));
            keys[key as usize] = self.key(&new)?;
            let values = values.iter_mut().skip(key as usize * self.counters.len());
            let counters = self.counters.iter().map(|&(kind, _)| new[usize::from(kind)]);
            values.zip(counters).for_each(|(value, count)| *value = count);
            Some(new)
        };
        for (counts, _) in self.iter() {
            // And back, if only one of both has a cell.
            let _ = enter(&counts).and_then(|new| enter(&new));
        }
        Recount { keys: keys.into(), values: values.into() }
    }

    /// The position after a change of roles, in which men stand on these sets. Its counters come from the table. This takes less time
    /// than [`with_sets`](Cells::with_sets), which counts. If the table lacks the position, the result is in no cell.
    #[inline(always)]
    pub fn with_recount<const KINDS: usize>(
        &self,
        recount: &Recount,
        position: &Position<KINDS>,
        mut sets: [u64; KINDS],
    ) -> Position<KINDS> {
        let at = position.key as usize;
        let values = &recount.values[at * self.counters.len()..];
        for (&(kind, _), &value) in self.counters.iter().zip(values) {
            sets[usize::from(kind)] = value.into();
        }
        let key = recount.keys[at];
        debug_assert!(
            key == ABSENT || u64::from(key) == self.with_sets(sets).key,
            "the sets have other numbers of men than the table says"
        );
        Position { sets, key: key.into() }
    }

    /// The key of some counts, if no kind has more.
    fn key(&self, counts: &[u32]) -> Option<u32> {
        let all = self.kinds.iter().zip(&self.weights).zip(counts);
        all.map(|((kind, weight), &count)| (count <= kind.most).then_some(weight * count)).sum()
    }
}
