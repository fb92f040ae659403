//! The moves of three to six police. Visits each crowd once.
//!
//! This module does not try all choices of steps. It builds crowds place by place, from the highest place
//! down. Each unfinished crowd has a *family*: all sets of police that could have reached the places chosen
//! so far. A family is a 64-bit number with a bit for each set. A place is impossible if the family becomes
//! empty. So only one path leads to each crowd.

use std::ops::ControlFlow;

use super::adjacency::Adjacency;
use super::crowd::Crowds;

/// With more police, the sets do not fit a word.
pub(crate) const FAMILY_MAX: u32 = 6;

/// Up to this many places need no allocation: three police on a grid, more on thin graphs.
const SPOTS: usize = 32;

/// Where each policeman of a crowd can step.
pub(crate) struct Families<'a> {
    crowds: &'a Crowds,
    rows: [&'a [u32]; FAMILY_MAX as usize],
}

/// A place that some of the police can step to.
#[derive(Clone, Copy, Default)]
struct Spot {
    place: u32,
    /// Which police can step there: a bit each.
    police: u32,
}

impl<'a> Families<'a> {
    /// The steps of a crowd of at most [`FAMILY_MAX`] police.
    pub(crate) fn new(steps: &'a Adjacency, crowds: &'a Crowds, crowd: u64) -> Families<'a> {
        let mut rows = [&[][..]; FAMILY_MAX as usize];
        let mut next = 0;
        crowds.members(crowd, |place| {
            rows[next] = steps.around(place);
            next += 1;
        });
        Families { crowds, rows }
    }

    /// Visits each crowd that one move can make, until `visit` breaks.
    pub(crate) fn visit(&self, mut visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut near = [Spot::default(); SPOTS];
        let mut many = Vec::new();
        self.build(self.crowds.size(), self.merge(&mut near, &mut many), NOBODY, 0, &mut visit)
    }

    /// How many crowds one move can make.
    pub(crate) fn count(&self) -> u64 {
        let mut near = [Spot::default(); SPOTS];
        let mut many = Vec::new();
        let mut kinds = [0; 1 << FAMILY_MAX];
        for spot in self.merge(&mut near, &mut many) {
            kinds[spot.police as usize] += 1;
        }
        count(&kinds[..1 << self.crowds.size()], u64::from(self.crowds.size()), NOBODY)
    }

    /// Chooses the `left` lowest places of a crowd among `spots`. `number` is the sum for the places already
    /// chosen. Recursion: one call for each policeman, so at most six deep.
    fn build(
        &self,
        left: u32,
        spots: &[Spot],
        family: u64,
        number: u64,
        visit: &mut impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if left == 1 {
            let missing = self.missing(family);
            if missing.is_power_of_two() {
                // Usually one policeman is left, and his own places are fewer than all.
                let highest = spots.last().map_or(0, |spot| spot.place);
                let row = self.rows[missing.trailing_zeros() as usize].iter();
                return row
                    .take_while(|&&place| place <= highest)
                    .try_for_each(|&place| visit(number + u64::from(place)));
            }
            let mut spots = spots.iter().filter(|spot| spot.police & missing != 0);
            return spots.try_for_each(|spot| visit(number + u64::from(spot.place)));
        }
        for (i, spot) in spots.iter().enumerate() {
            let family = extend(family, spot.police);
            if family != 0 {
                let number = number + self.crowds.term(left, spot.place);
                self.build(left - 1, &spots[..=i], family, number, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// All places that the police can step to, in ascending order, each once. This uses the memory of `near`
    /// if they fit, otherwise `many`.
    fn merge<'b>(&self, near: &'b mut [Spot; SPOTS], many: &'b mut Vec<Spot>) -> &'b [Spot] {
        let mut rows = self.rows;
        let rows = &mut rows[..self.crowds.size() as usize];
        let places = rows.iter().map(|row| row.len()).sum();
        let spots = if places <= SPOTS {
            &mut near[..]
        } else {
            many.resize(places, Spot::default());
            &mut many[..]
        };
        let mut count = 0;
        while let Some(&place) = rows.iter().filter_map(|row| row.first()).min() {
            let mut police = 0;
            for (i, row) in rows.iter_mut().enumerate() {
                if row.first() == Some(&place) {
                    police |= 1 << i;
                    *row = &row[1..];
                }
            }
            spots[count] = Spot { place, police };
            count += 1;
        }
        &spots[..count]
    }

    /// `family` has all sets that lack one member. Returns the police who can be this member.
    fn missing(&self, family: u64) -> u32 {
        let all = (1 << self.crowds.size()) - 1;
        (0..self.crowds.size())
            .filter(|i| family >> (all ^ (1 << i)) & 1 == 1)
            .map(|i| 1 << i)
            .sum()
    }
}

/// The family of the empty set alone: no policeman has a place yet.
const NOBODY: u64 = 1;

/// For each policeman, the sets that he is in: set `s` is bit `s` of a family.
const WITH: [u64; FAMILY_MAX as usize] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// The sets of `family`, each with one more of `police`.
fn extend(family: u64, mut police: u32) -> u64 {
    let mut sets = 0;
    while police != 0 {
        let i = police.trailing_zeros();
        sets |= (family & !WITH[i as usize]) << (1 << i);
        police &= police - 1;
    }
    sets
}

/// In how many ways `left` places complete the crowds of `family`. For places that the same police can reach,
/// only their number matters. `kinds` has this number for each set of police.
fn count(kinds: &[u64], left: u64, family: u64) -> u64 {
    let Some(kind) = kinds.iter().rposition(|&places| places > 0).filter(|_| left > 0) else {
        return u64::from(left == 0);
    };
    let (mut total, mut ways, mut family) = (0, 1, family);
    for chosen in 0..=left {
        if family == 0 {
            break;
        }
        total += ways * count(&kinds[..kind], left - chosen, family);
        // The number of ways to choose one more place of this kind. A place may be chosen several times.
        ways = ways * (kinds[kind] + chosen) / (chosen + 1);
        family = extend(family, kind as u32);
    }
    total
}
