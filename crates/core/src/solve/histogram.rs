//! How many states settle at each distance: the layers of the game.
//!
//! A game may have ten million levels with one state each. Its histogram must not take more memory than its
//! states. So a level is three numbers with seven bits in each byte, which is usually three bytes.

use std::iter::Sum;
use std::ops::AddAssign;

use super::by_level::ByLevel;

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
            if rest.is_empty() {
                return None;
            }
            distance += read(&mut rest) as u32;
            Some(Level { distance, wins: read(&mut rest), losses: read(&mut rest) })
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
            let [step, wins, losses] = [(); 3].map(|()| read(&mut rest));
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
            write(&mut self.bytes, number);
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

fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read(bytes: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 || shift == 63 {
            break;
        }
        shift += 7;
    }
    number
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
}
