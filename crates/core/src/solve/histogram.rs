//! How many states settle at each distance: the layers of the game.
//!
//! A game may have ten million levels with one state each. Its histogram must not take more memory than its
//! states. So a level is three numbers with seven bits in each byte, which is usually three bytes.

use std::collections::BTreeMap;
use std::iter::Sum;
use std::ops::AddAssign;

use super::entries::{push_number, take_number};

/// The number of wins and losses at each distance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// For each level that is not empty: the step from the level before, the wins, the losses.
    bytes: Vec<u8>,
    /// The last level written.
    last: u32,
}

/// What settles at one distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The distance in plies.
    pub distance: u32,
    /// How many states win at this distance.
    pub wins: u64,
    /// How many states lose at this distance.
    pub losses: u64,
}

/// How many states have settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many of them are won.
    pub wins: u64,
    /// How many of them are lost.
    pub losses: u64,
}

impl Tally {
    /// Wins and losses together.
    pub fn total(self) -> u64 {
        self.wins + self.losses
    }

    /// Counts a state that is won, or lost.
    #[inline]
    pub fn count(&mut self, won: bool) {
        *(if won { &mut self.wins } else { &mut self.losses }) += 1;
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        let add = |a: Tally, b: Tally| Tally { wins: a.wins + b.wins, losses: a.losses + b.losses };
        tallies.fold(Tally::default(), add)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.losses += other.losses;
    }
}

impl Level {
    /// The levels at which something was counted, from the shortest distance to the longest.
    pub fn all(tallies: &ByLevel<Tally>) -> impl Iterator<Item = Level> {
        let some = tallies.from(0).filter(|(_, tally)| tally.total() > 0);
        some.map(|(distance, &Tally { wins, losses })| Level { distance, wins, losses })
    }
}

impl Histogram {
    /// The levels that are not empty, from the shortest distance to the longest.
    pub fn levels(&self) -> impl Iterator<Item = Level> + '_ {
        let (mut rest, mut distance) = (&self.bytes[..], 0);
        std::iter::from_fn(move || {
            distance += take_number(&mut rest)? as u32;
            Some(Level { distance, wins: take_number(&mut rest)?, losses: take_number(&mut rest)? })
        })
    }

    /// The bytes, and the last level.
    pub(crate) fn parts(&self) -> (&[u8], u32) {
        (&self.bytes, self.last)
    }

    /// Makes a histogram from bytes of unknown origin. Returns `None` if they are not the bytes of a
    /// histogram with this last level.
    pub(crate) fn from_parts(bytes: Vec<u8>, last: u32) -> Option<Histogram> {
        let (mut rest, mut level) = (&bytes[..], None);
        while !rest.is_empty() {
            let [step, wins, losses] = [(); 3].map(|()| take_number(&mut rest));
            let (step, wins, losses) = (step?, wins?, losses?);
            let next = level.unwrap_or(0_u64).checked_add(step)?;
            if level == Some(next) || wins.checked_add(losses)? == 0 {
                return None;
            }
            level = Some(next);
        }
        (level.unwrap_or(0) == u64::from(last)).then_some(Histogram { bytes, last })
    }

    /// Appends a level. Its distance must be longer than all before.
    pub(crate) fn push(&mut self, level: Level) {
        if level.wins + level.losses == 0 {
            return;
        }
        assert!(self.bytes.is_empty() || level.distance > self.last);
        for number in [u64::from(level.distance - self.last), level.wins, level.losses] {
            push_number(&mut self.bytes, number);
        }
        self.last = level.distance;
    }
}

/// Makes a histogram from levels in ascending order.
///
/// # Panics
///
/// If a level does not come after the one before.
impl FromIterator<Level> for Histogram {
    fn from_iter<I: IntoIterator<Item = Level>>(levels: I) -> Histogram {
        let mut histogram = Histogram::default();
        for level in levels {
            let first = histogram.bytes.is_empty();
            assert!(first || level.distance > histogram.last, "{level:?} is out of order");
            histogram.push(level);
        }
        histogram
    }
}

/// Levels below this are looked up by number.
const NEAR: u32 = 1 << 10;

/// A value for each level. A level has the default until the caller sets a value. An array holds the values of near levels,
/// and a map those of far levels: in most games, nearly all distances are short, but a few may be billions of plies long.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByLevel<T> {
    near: Vec<T>,
    far: BTreeMap<u32, T>,
}

impl<T: Default> ByLevel<T> {
    /// The value of a level, to change it.
    #[inline]
    pub fn at(&mut self, level: u32) -> &mut T {
        if level >= NEAR {
            return self.far.entry(level).or_default();
        }
        let at = level as usize;
        if at >= self.near.len() {
            self.near.resize_with(at + 1, T::default);
        }
        &mut self.near[at]
    }

    /// The value of a level, if one was set for this level or a later one.
    pub fn get(&self, level: u32) -> Option<&T> {
        self.near.get(level as usize).or_else(|| self.far.get(&level))
    }

    /// Takes the value of a level, and leaves the default.
    pub fn take(&mut self, level: u32) -> T {
        match self.near.get_mut(level as usize) {
            Some(near) => std::mem::take(near),
            None => self.far.remove(&level).unwrap_or_default(),
        }
    }

    /// The levels from one on, ascending. Some may have the default. A trait object, so that loops over levels do not compile
    /// the two kinds of storage again.
    pub fn from(&self, level: u32) -> Box<dyn Iterator<Item = (u32, &T)> + '_> {
        let near = (0..).zip(&self.near).skip(level as usize);
        Box::new(near.chain(self.far.range(level..).map(|(&level, each)| (level, each))))
    }

    /// All levels with their values, ascending.
    pub fn into_levels(self) -> impl Iterator<Item = (u32, T)> {
        (0..).zip(self.near).chain(self.far)
    }

    /// All levels with their values, ascending, to change them.
    pub fn levels_mut(&mut self) -> impl Iterator<Item = (u32, &mut T)> {
        let far = self.far.iter_mut().map(|(&level, each)| (level, each));
        (0..).zip(&mut self.near).chain(far)
    }

    /// The values of all levels, in any order, to change them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.near.iter_mut().chain(self.far.values_mut())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_come_back_as_they_were_pushed() {
        let levels = [(0, 5, 0), (1, 0, 127), (200, 128, 1 << 40), (70_000, 0, u64::MAX / 2)]
            .map(|(distance, wins, losses)| Level { distance, wins, losses });
        let mut histogram = Histogram::default();
        for level in levels {
            histogram.push(level);
            histogram.push(Level { distance: level.distance, wins: 0, losses: 0 });
        }
        assert_eq!(histogram.levels().collect::<Vec<_>>(), levels);
        assert_eq!(levels.into_iter().collect::<Histogram>(), histogram);
    }

    #[test]
    fn a_level_that_comes_twice_or_holds_nothing_is_refused() {
        let parts = |bytes: &[u8], last| Histogram::from_parts(bytes.to_vec(), last);
        // A step to the level, wins, losses.
        assert!(parts(&[0, 1, 0, 2, 0, 1], 2).is_some());
        assert!(parts(&[0, 1, 0, 0, 0, 1], 0).is_none());
        assert!(parts(&[0, 1, 0, 2, 0, 0], 2).is_none());
        assert!(parts(&[0, 1, 0, 2, 0, 1], 3).is_none());
    }

    #[test]
    fn near_and_far_levels_come_in_order() {
        let mut levels = ByLevel::default();
        let all = [0, 3, NEAR - 1, NEAR, NEAR + 7, u32::MAX];
        all.iter().rev().for_each(|&level| *levels.at(level) += u64::from(level) + 1);
        let found = |from| {
            let filled = levels.from(from).filter(|(_, value)| **value != 0);
            filled.map(|(level, value)| (level, *value)).collect::<Vec<_>>()
        };
        for (skipped, from) in [(0, 0), (1, 1), (3, NEAR), (4, NEAR + 1), (5, u32::MAX)] {
            let right: Vec<_> = all[skipped..].iter().map(|&at| (at, u64::from(at) + 1)).collect();
            assert_eq!(found(from), right);
        }
        assert_eq!(
            (levels.get(3), levels.get(4), levels.get(NEAR + 1)),
            (Some(&4), Some(&0), None)
        );
        assert_eq!([3, NEAR].map(|level| levels.take(level)), [4, u64::from(NEAR) + 1]);
        assert_eq!((levels.get(3), levels.get(NEAR)), (Some(&0), None));
        levels.values_mut().for_each(|value| *value = 0);
        assert!(levels.into_levels().all(|(_, value)| value == 0));
    }
}
