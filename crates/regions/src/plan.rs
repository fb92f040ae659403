//! What a build will take, before it starts.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::time::Duration;

use rayon::prelude::*;
use retrograde::{Game, Solver, Status};

use crate::family::Family;
use crate::manifest::Manifest;
use crate::order::in_order;
use crate::schedule::memory_most;
use crate::solved::Solved;

/// The regions of a build, each after those it needs, and else the smallest first: so a folder of any size holds as many tables as it can.
#[derive(Clone, Debug)]
pub struct Plan<R> {
    /// All of them, those that are done as well.
    pub regions: Vec<Planned<R>>,
}

/// A region of a build.
#[derive(Clone, Debug)]
pub struct Planned<R> {
    /// The region.
    pub region: R,
    /// The regions it needs, by their place in the plan, in the order of [`Family::needs`].
    pub needs: Vec<usize>,
    /// How many states it has, holes included.
    pub states: u64,
    /// About how many bytes of memory it takes at least: the tables it needs stay on disk, and so do its distances, in a log, where
    /// the family can [solve it so](Family::solve_logged).
    pub memory_least: u64,
    /// About how many bytes it takes if its distances are in memory, which is faster.
    pub memory_distances: u64,
    /// About how many bytes it takes if the tables it needs are unpacked in memory as well, which is faster still.
    pub memory: u64,
    /// About how many bytes of [`memory_distances`](Planned::memory_distances) a solve writes to: the rest is reserved and takes no
    /// memory in earnest.
    pub memory_used: u64,
    /// How long its table is, if it is done.
    pub table_bytes: Option<u64>,
}

/// The most memory that the regions take that are solved at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryMost {
    /// What is reserved: a limit on memory must allow it.
    pub reserved: u64,
    /// About the peak of the whole program: what is taken of it in earnest, and what the program takes beside it.
    pub used: u64,
}

/// What building some regions has taken, to reckon from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// How many states the largest of them has. Only regions with at least a quarter as many were counted: the small ones
    /// take longer a state to begin and less to solve.
    pub largest: u64,
    /// How many states were counted.
    pub states: u64,
    /// How long they took to solve and to write.
    pub time: Duration,
    /// How long their tables are.
    pub table_bytes: u64,
}

impl<R> Plan<R> {
    /// How many states the regions have that are not done.
    pub fn states_left(&self) -> u64 {
        self.left().map(|planned| planned.states).sum()
    }

    /// The most memory they take on so many threads, if no more may be taken than so many bytes. Two regions may be
    /// solved at a time.
    pub fn memory_most(&self, threads: usize, memory_max: u64) -> MemoryMost {
        memory_most(self, threads, memory_max)
    }

    /// The most memory any of them takes at least.
    pub fn memory_least_most(&self) -> u64 {
        self.left().map(|planned| planned.memory_least).max().unwrap_or(0)
    }

    /// About how many bytes all tables will have, those that are done included.
    pub fn table_bytes(&self, rates: &Rates) -> u64 {
        let per_state = self.per_state(rates);
        self.regions.iter().map(|planned| planned.table_bytes_by(per_state)).sum()
    }

    /// About how many bytes the table of a region will have; how many it has, if it is done.
    pub fn table_bytes_of(&self, planned: &Planned<R>, rates: &Rates) -> u64 {
        planned.table_bytes_by(self.per_state(rates))
    }

    /// About how long all that is left will take.
    pub fn time(&self, rates: &Rates) -> Duration {
        self.left().map(|planned| planned.time(rates)).sum()
    }

    /// Which regions fit in so much memory, together with all they need.
    pub fn fits(&self, memory_max: u64) -> Vec<bool> {
        let mut fits: Vec<bool> = Vec::new();
        for planned in &self.regions {
            let itself = planned.table_bytes.is_some() || planned.memory_least <= memory_max;
            fits.push(itself && planned.needs.iter().all(|&need| fits[need]));
        }
        fits
    }

    /// So many bytes for so many states: as measured, or as in the largest tables that are done, if
    /// those are larger.
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

    fn left(&self) -> impl Iterator<Item = &Planned<R>> {
        self.regions.iter().filter(|planned| planned.table_bytes.is_none())
    }
}

/// How a region fits in memory, the fastest way first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// With its distances, and the tables it needs unpacked.
    Whole,
    /// With its distances.
    Distances,
    /// Its distances are in a log on disk; or, if the family keeps none, it may not fit at all.
    Least,
}

impl<R> Planned<R> {
    /// How it fits in so many bytes, and how many of them it takes.
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

    /// How many bytes it takes beside its own solve.
    pub(crate) fn unpacked(&self, fit: Fit) -> u64 {
        if fit == Fit::Whole { self.memory - self.memory_distances } else { 0 }
    }

    /// About how many bytes it takes in earnest.
    pub(crate) fn used(&self, fit: Fit) -> u64 {
        let spared = if fit == Fit::Least { self.memory_distances - self.memory_least } else { 0 };
        self.memory_used.saturating_sub(spared) + self.unpacked(fit)
    }

    /// About how long it takes. A state of a large region takes longer than one of those that were measured: its moves lead
    /// further in memory.
    pub fn time(&self, rates: &Rates) -> Duration {
        /// The time a state takes grows as this power of how many there are. So it did over 27 regions of nine men's morris, of
        /// 1.5 million to a billion states.
        const GROWTH: f64 = 0.11;
        let growth = self.states as f64 / rates.largest.max(1) as f64;
        let states = self.states as f64 * growth.max(1.0).powf(GROWTH);
        rates.time.mul_f64(states / rates.states.max(1) as f64)
    }

    fn table_bytes_by(&self, (bytes, states): (u64, u64)) -> u64 {
        self.table_bytes.unwrap_or_else(|| scale(self.states, bytes, states))
    }
}

impl Rates {
    /// What some regions come to, each with its states, the length of its table and how long it took.
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

/// Plans a build; what the manifest knows is done.
pub(crate) fn plan<F: Family>(
    family: &F,
    targets: &[F::Region],
    manifest: &Manifest,
    (threads, distances): (usize, bool),
) -> Plan<F::Region> {
    let mut regions: Vec<Planned<F::Region>> = Vec::new();
    let mut places = HashMap::new();
    for region in in_order(family, targets) {
        let needs: Vec<usize> = family.needs(&region).iter().map(|need| places[need]).collect();
        let states_of = |&need: &usize| regions[need].states;
        let blanks = needs.iter().map(states_of).map(Solved::blank).collect();
        let game = family.game(&region, blanks);
        let solver = Solver::new().threads(threads).distances(distances);
        let arrays = family.memory_needed(&game, &solver);
        let exits = exits_bytes(&game, |states| family.exit_bytes(states));
        let memory_distances = arrays + exits;
        let logged = family.memory_needed_logged(&game, &solver).filter(|_| distances);
        let memory_least =
            logged.map_or(memory_distances, |logged| memory_distances.min(logged + exits));
        // A table that is unpacked takes a byte a state, and a little.
        let unpacked: u64 = needs.iter().map(states_of).map(|states| states + states / 8).sum();
        let done = manifest.regions.get(&region.to_string());
        let done = done.filter(|entry| entry.states == game.states());
        places.insert(region.clone(), regions.len());
        regions.push(Planned {
            region,
            needs,
            states: game.states(),
            memory_least,
            memory_distances,
            memory: memory_distances + unpacked,
            memory_used: family.memory_used(arrays, exits),
            table_bytes: done.map(|entry| entry.bytes),
        });
    }
    Plan { regions: smallest_first(regions) }
}

/// Brings regions, of which each comes after those it needs, into an order in which the smallest that can come does.
fn smallest_first<R>(regions: Vec<Planned<R>>) -> Vec<Planned<R>> {
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

/// About how many bytes an engine will keep for the exits of a game, given what it keeps for 64 neighbouring states of which so many
/// have exits. A sample tells how many states have
/// exits; which of them draw is not known before they are solved, so that this is rather too much.
pub(crate) fn exits_bytes(game: &impl Game, bytes_of_states: impl Fn(u64) -> u64 + Sync) -> u64 {
    const NEIGHBOURS: u64 = 64;
    const SAMPLES: u64 = 1 << 7;
    let words = game.states().div_ceil(NEIGHBOURS);
    let samples = words.min(SAMPLES);
    let bytes_of = |sample: u64| {
        // Spread over all states, and out of step with any regularity of the numbering.
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
    scale(words, (0..samples).into_par_iter().map(bytes_of).sum(), samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_region_that_can_come_first_does() {
        let region = |region: &'static str, states, needs: &[usize]| Planned {
            region,
            needs: needs.to_vec(),
            states,
            memory_least: states,
            memory_distances: states,
            memory: states,
            memory_used: states,
            table_bytes: None,
        };
        let regions = vec![
            region("large", 9, &[]),
            region("needs large", 1, &[0]),
            region("small", 2, &[]),
            region("needs small", 5, &[2]),
            region("needs both", 7, &[2, 1]),
        ];
        let ordered = smallest_first(regions);
        let found: Vec<_> =
            ordered.iter().map(|planned| (planned.region, &planned.needs[..])).collect();
        let expected: [(&str, &[usize]); 5] = [
            ("small", &[]),
            ("needs small", &[0]),
            ("large", &[]),
            ("needs large", &[2]),
            ("needs both", &[0, 3]),
        ];
        assert_eq!(found, expected);
        let fits = Plan { regions: ordered }.fits(7);
        assert_eq!(fits, [true, true, false, false, false]);
    }

    #[test]
    fn only_large_regions_are_reckoned_from() {
        let seconds = Duration::from_secs;
        let regions = [(100, 90, seconds(9)), (250, 10, seconds(2)), (1_000, 30, seconds(4))];
        let counted = Rates { largest: 1_000, states: 1_250, time: seconds(6), table_bytes: 40 };
        assert_eq!(Rates::of(&regions), counted);
        assert_eq!(Rates::of(&[]), Rates::default());
    }
}
