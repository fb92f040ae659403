//! The moves of seven police and more. Visits each crowd once.
//!
//! As in [`families`](super::families), this module builds crowds place by place, from the highest down, with
//! the family of all sets of police that could have reached the places chosen so far. Many police usually
//! stand on few places, and the police on one place are alike. So a set only needs the number of police that
//! have left each place. This is a number of mixed radix. A family has a bit for each of these numbers.

use std::ops::ControlFlow;

use super::adjacency::Adjacency;
use super::crowd::Crowds;

/// The most sets in a family. More would take too much memory.
const SETS_MAX: u64 = 1 << 12;

/// Where the police of a crowd can step.
pub(crate) struct Hosts<'a> {
    crowds: &'a Crowds,
    /// The places they stand in.
    origins: Vec<Departure<'a>>,
    /// How many words a family has.
    words: usize,
    /// The number of the set of all police.
    all: usize,
}

/// A place that some of the police stand in.
struct Departure<'a> {
    /// Where they can step.
    row: &'a [u32],
    /// What one policeman from here adds to the number of a set.
    stride: usize,
    /// The family of the sets that have all police from here.
    full: Vec<u64>,
}

/// A place that some of the police can step to.
struct Spot {
    place: u32,
    /// The origins that lead here: a bit each.
    from: u64,
}

impl<'a> Hosts<'a> {
    /// The steps of a crowd; `None` if it stands in too many places.
    pub(crate) fn new(steps: &'a Adjacency, crowds: &'a Crowds, crowd: u64) -> Option<Hosts<'a>> {
        let mut stand: Vec<(u32, u64)> = Vec::new();
        crowds.members(crowd, |place| match stand.last_mut() {
            Some((last, count)) if *last == place => *count += 1,
            _ => stand.push((place, 1)),
        });
        let sets = stand.iter().try_fold(1u64, |sets, &(_, count)| {
            sets.checked_mul(count + 1).filter(|sets| *sets <= SETS_MAX)
        })? as usize;
        let words = sets.div_ceil(64);
        let mut stride = 1;
        let origins = stand.into_iter().map(|(place, count)| {
            let radix = count as usize + 1;
            let mut full = vec![0; words];
            for set in (0..sets).filter(|set| set / stride % radix == radix - 1) {
                full[set / 64] |= 1 << (set % 64);
            }
            let origin = Departure { row: steps.around(place), stride, full };
            stride *= radix;
            origin
        });
        Some(Hosts { crowds, origins: origins.collect(), words, all: sets - 1 })
    }

    /// Visits each crowd that one move can make, until `visit` breaks.
    pub(crate) fn visit(&self, visit: &mut dyn FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        let size = self.crowds.size();
        let mut families = vec![0; self.words * size as usize];
        // No policeman has a place yet: the empty set alone.
        families[0] = 1;
        self.build(size, &self.spots(), &mut families, 0, visit)
    }

    /// Chooses the `left` lowest places of a crowd among `spots`. `number` is the sum for the places already
    /// chosen. The first of the `families` belongs to those places; the rest is space for one family for each
    /// further choice.
    fn build(
        &self,
        left: u32,
        spots: &[Spot],
        families: &mut [u64],
        number: u64,
        visit: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (family, rest) = families.split_at_mut(self.words);
        if left == 1 {
            let missing = self.missing(family);
            let mut spots = spots.iter().filter(|spot| spot.from & missing != 0);
            return spots.try_for_each(|spot| visit(number + u64::from(spot.place)));
        }
        for (i, spot) in spots.iter().enumerate() {
            if self.extend(family, spot.from, &mut rest[..self.words]) {
                let number = number + self.crowds.term(left, spot.place);
                self.build(left - 1, &spots[..=i], rest, number, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Sets `to` to the sets of `family`, each with one more policeman from one of these origins. Returns
    /// whether there are any.
    fn extend(&self, family: &[u64], mut from: u64, to: &mut [u64]) -> bool {
        to.fill(0);
        while from != 0 {
            let Departure { stride, full, .. } = &self.origins[from.trailing_zeros() as usize];
            let (words, bits) = (stride / 64, stride % 64);
            let mut carried = 0;
            for (i, to) in to[words..].iter_mut().enumerate() {
                let sets = family[i] & !full[i];
                *to |= sets << bits | carried;
                carried = if bits == 0 { 0 } else { sets >> (64 - bits) };
            }
            from &= from - 1;
        }
        to.iter().any(|&sets| sets != 0)
    }

    /// `family` has all sets that lack one member. Returns the origins that this member can come from.
    fn missing(&self, family: &[u64]) -> u64 {
        let mut missing = 0;
        for (i, origin) in self.origins.iter().enumerate() {
            let set = self.all - origin.stride;
            missing |= (family[set / 64] >> (set % 64) & 1) << i;
        }
        missing
    }

    /// All places that the police can step to, in ascending order, each once.
    fn spots(&self) -> Vec<Spot> {
        let mut spots: Vec<Spot> = Vec::new();
        for (i, origin) in self.origins.iter().enumerate() {
            spots.extend(origin.row.iter().map(|&place| Spot { place, from: 1 << i }));
        }
        spots.sort_unstable_by_key(|spot| spot.place);
        spots.dedup_by(|next, spot| {
            let same = next.place == spot.place;
            if same {
                spot.from |= next.from;
            }
            same
        });
        spots
    }
}
