//! Estimates the memory, disk and time of a build before it starts.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::time::Duration;

use retrograde::internal::threads;
use retrograde::{Game, Solver, Status};

use crate::build::order::in_order;
use crate::build::solvable::SolvableRegions;
use crate::manifest::Manifest;
use crate::solved::{EXITS_BYTES, SolvedRegion};

/// The regions of a build, each after the regions that it needs. Apart from that, small regions come first. So if the
/// size of the folder is limited, it holds as many tables as possible.
#[derive(Clone, Debug)]
pub struct Plan {
    /// All regions, including finished ones.
    pub regions: Vec<Planned>,
}

/// A region of a build.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The region.
    pub region: String,
    /// The regions that it needs, as places in the plan, in the order of [`Family::needs`](crate::Family::needs).
    pub needs: Vec<usize>,
    /// How many states it has, including invalid ones.
    pub states: u64,
    /// About how many bytes of memory it takes at least. The tables that it needs stay on disk. If the game
    /// [has words](crate::Family::visit_words), its distances are in a log on disk, too.
    pub memory_least: u64,
    /// About how many bytes it takes if its distances are in memory. This is faster.
    pub memory_distances: u64,
    /// About how many bytes it takes with the tables that it needs: unpacked in memory, or their caches. This is the
    /// fastest way.
    pub memory: u64,
    /// About how many bytes of [`memory_distances`](Planned::memory_distances) the solver writes to. It reserves the
    /// rest, which takes no physical memory.
    pub memory_used: u64,
    /// The length of its table, if it is finished.
    pub table_bytes: Option<u64>,
    /// Whether its table may leave out values of one side to move.
    pub leaves_out: bool,
}

/// The most memory of regions that a build solves at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryMost {
    /// The memory that the build reserves. A memory limit must be at least this.
    pub reserved: u64,
    /// About the peak of physical memory of the whole program.
    pub used: u64,
}

/// The measured cost of some regions, for estimates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// How many states the largest region has. Only regions with at least a quarter as many states count. A small
    /// region takes longer to begin, per state, and less time to solve.
    pub largest: u64,
    /// How many states these regions have.
    pub states: u64,
    /// The time to solve and write them.
    pub time: Duration,
    /// The length of their tables.
    pub table_bytes: u64,
    /// The time per state grows as this power of the number of states.
    pub growth: f64,
}

impl Plan {
    /// How many states the unfinished regions have.
    pub fn states_left(&self) -> u64 {
        self.left().map(|planned| planned.states).sum()
    }

    /// The largest [`memory_least`](Planned::memory_least) of all regions.
    pub fn memory_least_most(&self) -> u64 {
        self.left().map(|planned| planned.memory_least).max().unwrap_or(0)
    }

    /// About how many bytes all tables will have, including finished ones.
    pub fn table_bytes(&self, rates: &Rates) -> u64 {
        let per_state = self.per_state(rates);
        self.regions.iter().map(|planned| planned.table_bytes_by(per_state)).sum()
    }

    /// About how many bytes of disk the build takes at most besides the tables, for copies of tables with all values.
    pub fn copies_bytes(&self, rates: &Rates) -> u64 {
        /// A copy takes up to this number of times as many bytes as its table. Measured for endgames of five pieces:
        /// 4.4 times on average.
        const COPY: u64 = 5;
        let mut needed_by = vec![0; self.regions.len()];
        self.left().flat_map(|planned| &planned.needs).for_each(|&need| needed_by[need] += 1);
        let (mut bytes, mut most) = (0, 0);
        let copy_bytes = |planned: &Planned| COPY * self.table_bytes_of(planned, rates);
        for (place, planned) in self.regions.iter().enumerate() {
            let left = planned.table_bytes.is_none();
            if left && planned.leaves_out && needed_by[place] > 0 {
                bytes += copy_bytes(planned);
                most = most.max(bytes);
            }
            for &need in planned.needs.iter().filter(|_| left) {
                needed_by[need] -= 1;
                let need_of = &self.regions[need];
                if needed_by[need] == 0 && need_of.leaves_out && need_of.table_bytes.is_none() {
                    bytes -= copy_bytes(need_of);
                }
            }
        }
        most
    }

    /// About how many bytes the table of a region will have. If it is finished, the exact number.
    pub fn table_bytes_of(&self, planned: &Planned, rates: &Rates) -> u64 {
        planned.table_bytes_by(self.per_state(rates))
    }

    /// About how long the unfinished regions take if so many builders share them. Each has a machine of its own, and takes
    /// the next region whose needs are finished.
    pub fn time(&self, rates: &Rates, builders: usize) -> Duration {
        let done = |planned: &Planned| planned.table_bytes.map(|_| Duration::ZERO);
        let mut ends: Vec<Option<Duration>> = self.regions.iter().map(done).collect();
        let mut left: Vec<usize> = (0..ends.len()).filter(|&place| ends[place].is_none()).collect();
        let mut free: BinaryHeap<_> =
            (0..builders.max(1)).map(|_| Reverse(Duration::ZERO)).collect();
        while !left.is_empty()
            && let Some(Reverse(now)) = free.pop()
        {
            let is_done = |need: &usize| ends[*need].is_some_and(|end| end <= now);
            let ready = |place: &usize| self.regions[*place].needs.iter().all(is_done);
            let begun = left.iter().position(ready).map(|at| left.remove(at));
            // Without a ready region, this builder waits until another one finishes a region.
            let end = match begun {
                Some(place) => Some(now + self.regions[place].time(rates)),
                None => ends.iter().flatten().copied().filter(|end| *end > now).min(),
            };
            begun.into_iter().for_each(|place| ends[place] = end);
            free.extend(end.map(Reverse));
        }
        ends.into_iter().flatten().max().unwrap_or_default()
    }

    /// Which regions fit in `memory_max` bytes of memory, if all regions that they need also fit.
    pub fn fits(&self, memory_max: u64) -> Vec<bool> {
        let mut fits: Vec<bool> = Vec::new();
        for planned in &self.regions {
            let itself = planned.table_bytes.is_some() || planned.memory_least <= memory_max;
            fits.push(itself && planned.needs.iter().all(|&need| fits[need]));
        }
        fits
    }

    /// Returns bytes and states, for the size of tables per state. They are as measured, or those of the largest
    /// finished tables, if these are larger.
    fn per_state(&self, rates: &Rates) -> (u64, u64) {
        let done = || self.regions.iter().filter(|planned| planned.table_bytes.is_some());
        let largest = done().map(|planned| planned.states).max().unwrap_or(0);
        if largest < rates.largest {
            return (rates.table_bytes, rates.states);
        }
        done().filter(|planned| planned.states == largest).fold(
            (0, 0),
            |(bytes, states), planned| {
                (bytes + planned.table_bytes.unwrap_or(0), states + planned.states)
            },
        )
    }

    fn left(&self) -> impl Iterator<Item = &Planned> {
        self.regions.iter().filter(|planned| planned.table_bytes.is_none())
    }
}

/// How a region fits in memory, the fastest way first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// Its distances are in memory. The tables that it needs are unpacked, or have full caches.
    Whole,
    /// Its distances are in memory.
    Distances,
    /// Its distances are in a log on disk. If the family has no logs, the region may not fit at all.
    Least,
}

impl Planned {
    /// How it fits in `room` bytes, and how many of them it takes.
    pub(crate) fn fit(&self, room: u64) -> (Fit, u64) {
        if self.memory <= room {
            (Fit::Whole, self.memory)
        } else if self.memory_distances <= room {
            (Fit::Distances, self.memory_distances)
        } else {
            (Fit::Least, self.memory_least)
        }
    }

    /// Whether its distances are in a log on disk.
    pub(crate) fn is_logged(&self, fit: Fit) -> bool {
        fit == Fit::Least && self.memory_least < self.memory_distances
    }

    /// How many bytes the tables that it needs take in memory.
    pub(crate) fn needs_bytes(&self, fit: Fit) -> u64 {
        if fit == Fit::Whole { self.memory - self.memory_distances } else { 0 }
    }

    /// About how many bytes of physical memory it takes.
    pub(crate) fn used(&self, fit: Fit) -> u64 {
        if self.is_logged(fit) {
            self.memory_least
        } else {
            self.memory_used + self.needs_bytes(fit)
        }
    }

    /// About how long it takes.
    pub fn time(&self, rates: &Rates) -> Duration {
        let larger = self.states as f64 / rates.largest.max(1) as f64;
        let states = self.states as f64 * larger.max(1.0).powf(rates.growth);
        rates.time.mul_f64(states / rates.states.max(1) as f64)
    }

    fn table_bytes_by(&self, (bytes, states): (u64, u64)) -> u64 {
        self.table_bytes.unwrap_or_else(|| scale(self.states, bytes, states))
    }
}

impl Rates {
    /// The rates of some regions. Each has its number of states, the length of its table, and its time.
    pub(crate) fn of(regions: &[(u64, u64, Duration)]) -> Rates {
        let largest = regions.iter().map(|&(states, ..)| states).max().unwrap_or(0);
        let counted = regions.iter().filter(|&&(states, ..)| states >= largest / 4);
        counted.fold(Rates { largest, ..Rates::default() }, |rates, &(states, bytes, time)| Rates {
            states: rates.states + states,
            table_bytes: rates.table_bytes + bytes,
            time: rates.time + time,
            ..rates
        })
    }
}

pub(crate) fn scale(states: u64, per: u64, of: u64) -> u64 {
    (u128::from(states) * u128::from(per) / u128::from(of.max(1))) as u64
}

/// What exits take at most if they are in the log: for each of their distances, the last ones stay in memory. The
/// engine also keeps a bit a state.
const EXITS_LOGGED_BYTES: u64 = 16 << 20;

/// If distances are in a log, this share of the memory goes to the caches of the tables that exits lead to.
pub(crate) const CACHES_SHARE: u64 = 32;

/// Plans a build. The regions in the manifest are finished.
pub(crate) fn plan(
    family: &dyn SolvableRegions,
    targets: &[String],
    manifest: &Manifest,
    (threads, distances): (usize, bool),
) -> Plan {
    let costs = family.exit_costs();
    let mut regions: Vec<Planned> = Vec::new();
    let mut places = HashMap::new();
    for region in in_order(family, targets) {
        let needs: Vec<usize> = family.needs(&region).iter().map(|need| places[need]).collect();
        let states_of = |&need: &usize| regions[need].states;
        let blanks = needs.iter().map(states_of).map(SolvedRegion::blank).collect();
        let game = family.solvable(&region, blanks);
        let solver = Solver::new().threads(threads).distances(distances);
        let cache = costs.cache_bytes(needs.iter().map(states_of).sum());
        let (needed, logged) = game.memory_needed(&solver);
        let arrays = cache + needed;
        let (rules, states) = (game.rules(), game.rules().states());
        let exits = exits_bytes(&rules, costs.bytes);
        let memory_distances = arrays + exits;
        let logged = logged.map(|bytes| bytes + cache).filter(|_| distances);
        let exits_logged = exits.min(states / 8 + EXITS_LOGGED_BYTES);
        let with_caches = |bytes: u64| bytes + bytes.div_ceil(CACHES_SHARE - 1);
        let memory_least = logged.map_or(memory_distances, |logged| {
            memory_distances.min(with_caches(logged + exits_logged))
        });
        let tables_bytes = |states: u64| match costs.in_order {
            true => states.min(EXITS_BYTES),
            // An unpacked table takes a little more than a byte a state.
            false => states + states / 8,
        };
        let tables: u64 = needs.iter().map(states_of).map(tables_bytes).sum();
        let done = manifest.regions.get(&region);
        let done = done.filter(|entry| entry.states == states);
        places.insert(region.clone(), regions.len());
        regions.push(Planned {
            region,
            needs,
            states,
            memory_least,
            memory_distances,
            memory: memory_distances + tables,
            memory_used: arrays + exits * costs.used_percent / 100,
            table_bytes: done.map(|entry| entry.bytes),
            leaves_out: game.grids().iter().map(|rows| rows.sides).min() > Some(1),
        });
    }
    Plan { regions: smallest_first(regions) }
}

/// Sorts regions so that the smallest ready region always comes next. Each region still comes after the regions that it
/// needs.
fn smallest_first(regions: Vec<Planned>) -> Vec<Planned> {
    let mut needed_by = vec![Vec::new(); regions.len()];
    let mut missing: Vec<usize> = regions.iter().map(|planned| planned.needs.len()).collect();
    for (place, planned) in regions.iter().enumerate() {
        planned.needs.iter().for_each(|&need| needed_by[need].push(place));
    }
    let key = |place: usize| Reverse((regions[place].states, place));
    let free = (0..regions.len()).filter(|&place| missing[place] == 0);
    let mut ready: BinaryHeap<_> = free.map(key).collect();
    let mut place_of = vec![0; regions.len()];
    for next in 0..regions.len() {
        let Reverse((_, place)) = ready.pop().expect("the regions were in an order");
        place_of[place] = next;
        for &other in &needed_by[place] {
            missing[other] -= 1;
            if missing[other] == 0 {
                ready.push(key(other));
            }
        }
    }
    let mut placed: Vec<_> = place_of.iter().copied().zip(regions).collect();
    for (_, planned) in &mut placed {
        planned.needs.iter_mut().for_each(|need| *need = place_of[*need]);
    }
    placed.sort_unstable_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, planned)| planned).collect()
}

/// About how many bytes an engine will keep for the exits of a game. `bytes_of_states` gives the bytes for 64
/// neighbouring states, from the number of them that have exits. A sample shows how many states have exits. This
/// estimate is rather too high, because exits that draw take no bytes, and they are unknown before the solve.
pub(crate) fn exits_bytes(game: &impl Game, bytes_of_states: impl Fn(u64) -> u64 + Sync) -> u64 {
    const NEIGHBOURS: u64 = 64;
    const SAMPLES: u64 = 1 << 7;
    let words = game.states().div_ceil(NEIGHBOURS);
    let samples = words.min(SAMPLES);
    let bytes_of = |sample: u64| {
        // The sample is spread over all states, at distances that differ, because numberings are regular.
        let width = words / samples;
        let word = sample * width + (sample.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) % width;
        let states = word * NEIGHBOURS..game.states().min((word + 1) * NEIGHBOURS);
        let with_exits = states.filter(|&state| {
            let mut exits = false;
            if game.status(state) == Status::Open {
                game.exits(state, |_| exits = true);
            }
            exits
        });
        bytes_of_states(with_exits.count() as u64)
    };
    let bytes = threads::map(samples as usize, |sample| bytes_of(sample as u64));
    scale(words, bytes.iter().sum(), samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(region: &str, states: u64, needs: &[usize]) -> Planned {
        Planned {
            region: region.to_owned(),
            needs: needs.to_vec(),
            states,
            memory_least: states,
            memory_distances: states,
            memory: states,
            memory_used: states,
            table_bytes: None,
            leaves_out: true,
        }
    }

    #[test]
    fn the_smallest_region_that_can_come_first_does() {
        let regions = vec![
            region("large", 9, &[]),
            region("needs large", 1, &[0]),
            region("small", 2, &[]),
            region("needs small", 5, &[2]),
            region("needs both", 7, &[2, 1]),
        ];
        let ordered = smallest_first(regions);
        let found: Vec<_> =
            ordered.iter().map(|planned| (&*planned.region, &planned.needs[..])).collect();
        let expected: [(&str, &[usize]); 5] = [
            ("small", &[]),
            ("needs small", &[0]),
            ("large", &[]),
            ("needs large", &[2]),
            ("needs both", &[0, 3]),
        ];
        assert_eq!(found, expected);
        let plan = Plan { regions: ordered };
        assert_eq!(plan.fits(7), [true, true, false, false, false]);
        // While "needs both" is solved, the build has copies of "small" and "needs large", and before that of "small",
        // "large" and "needs large".
        let rates = Rates { largest: 1, states: 1, table_bytes: 1, ..Rates::default() };
        assert_eq!(plan.copies_bytes(&rates), 5 * (2 + 9 + 1));
        // One builder: 2 + 5 + 9 + 1 + 7. Two: "needs both" waits for "large" and "needs large".
        let rates = Rates { time: Duration::from_secs(1), largest: 100, ..rates };
        let time = |builders| plan.time(&rates, builders).as_secs();
        assert_eq!([1, 2, 3, 100].map(time), [24, 17, 17, 17]);
    }

    #[test]
    fn tables_are_as_large_as_the_largest_finished_ones() {
        let finished =
            |states, bytes| Planned { table_bytes: Some(bytes), ..region("", states, &[]) };
        let regions = vec![
            finished(10, 10),
            finished(100, 30),
            finished(100, 50),
            finished(99, 99),
            region("left", 50, &[]),
        ];
        let plan = Plan { regions };
        let measured = |largest| Rates { largest, states: 1, table_bytes: 2, ..Rates::default() };
        // 80 bytes for 200 states, unless a larger region was measured.
        assert_eq!(plan.table_bytes_of(&plan.regions[4], &measured(100)), 20);
        assert_eq!(plan.table_bytes(&measured(100)), 10 + 30 + 50 + 99 + 20);
        assert_eq!(plan.table_bytes_of(&plan.regions[4], &measured(101)), 100);
        assert_eq!(plan.table_bytes_of(&plan.regions[3], &measured(101)), 99);
    }

    #[test]
    fn only_large_regions_are_reckoned_from() {
        let seconds = Duration::from_secs;
        let regions = [(100, 90, seconds(9)), (250, 10, seconds(2)), (1_000, 30, seconds(4))];
        let (largest, growth) = (1_000, 0.0);
        let counted = Rates { largest, states: 1_250, time: seconds(6), table_bytes: 40, growth };
        assert_eq!(Rates::of(&regions), counted);
        // A region of eight times the states takes 8 or 16 times as long as the largest measured one.
        let planned = region("", 8_000, &[]);
        let rates = Rates { states: 1_000, ..counted };
        assert_eq!(planned.time(&rates), seconds(48));
        assert_eq!(planned.time(&Rates { growth: 1.0 / 3.0, ..rates }).as_secs(), 96);
        assert_eq!(Rates::of(&[]), Rates::default());
    }
}
