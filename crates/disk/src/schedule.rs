//! Decides which part to read, step or write next, only from the completed level of each part. To *step* a
//! part is to take it to its next level.
//!
//! ```text
//! a part at completed level c has swept level c; it may step to c + 1 once no neighbour is behind it:
//!     then all updates for its level c have been sent
//! a pass takes all parts from one completed level to a target:
//!     step the part that stands first among those in memory that may step
//!     read the part that stands first among those that may step and have something to do
//!     write a part once it has reached the target
//!     if nothing else can be done and memory is full, write the part that is furthest
//! ```
//!
//! If parts have only near neighbours, this becomes a staircase. Part `r` is at completed level c, the parts
//! a step behind it at c + 1, and so on, up to a part that has reached the target. So each part is read and
//! written once a pass. If all parts are neighbours, a pass advances by one level. Some part can always step,
//! because no part is behind the last one. So a pass ends.

use std::collections::{BTreeSet, VecDeque};

use crate::links::{Links, Ranked};

/// The place of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// On disk.
    OnDisk,
    /// A thread reads it.
    Coming,
    /// In memory.
    Here,
    /// A thread steps it.
    Busy,
    /// In memory. A thread will write it, or writes it.
    Leaving,
}

/// The course of a pass. It uses the ranks of parts, in an order in which neighbours are near each other.
pub(crate) struct Schedule<'l> {
    links: &'l Links,
    part_of: &'l [u32],
    rank_of: &'l [u32],
    completed_levels: Vec<u32>,
    target: u32,
    places: Vec<Place>,
    /// For each part, how many neighbours are behind it.
    behind: Vec<u32>,
    /// The parts in memory that may step.
    steppable: BTreeSet<u32>,
    /// The parts on disk that may step and have something to do.
    wanted: BTreeSet<u32>,
    /// The parts to write, in order.
    leaving: VecDeque<u32>,
    /// How many parts memory has space for, and how many are in memory.
    slots: usize,
    taken: usize,
    /// How many of these parts a thread reads, steps or writes, or will write.
    moving: usize,
    /// How many parts have reached the target and are on disk.
    over: usize,
}

/// Whether a part on disk has nothing to do at a completed level. Then it steps without being read.
pub(crate) type Quiet<'q> = &'q dyn Fn(usize, u32) -> bool;

impl<'l> Schedule<'l> {
    /// A pass of all parts from one completed level to another, with space for `slots` parts in memory.
    pub(crate) fn new(
        ranked: &'l Ranked,
        completed: u32,
        target: u32,
        slots: usize,
        quiet: Quiet<'_>,
    ) -> Schedule<'l> {
        let Ranked { links, part_of, rank_of } = ranked;
        let parts = links.parts();
        let mut schedule = Schedule {
            links,
            part_of,
            rank_of,
            completed_levels: vec![completed; parts],
            target,
            places: vec![Place::OnDisk; parts],
            behind: vec![0; parts],
            steppable: BTreeSet::new(),
            wanted: BTreeSet::new(),
            leaving: VecDeque::new(),
            slots,
            taken: 0,
            moving: 0,
            over: if completed == target { parts } else { 0 },
        };
        schedule.look((0..parts as u32).collect(), quiet);
        schedule
    }

    /// Whether all parts have reached the target and are on disk.
    pub(crate) fn is_over(&self) -> bool {
        self.over == self.completed_levels.len()
    }

    /// The completed level of a part.
    pub(crate) fn completed(&self, part: usize) -> u32 {
        self.completed_levels[self.rank_of[part] as usize]
    }

    /// Whether there is a part to read, and space for it.
    pub(crate) fn may_read(&self) -> bool {
        self.taken < self.slots && !self.wanted.is_empty()
    }

    /// The next part to read, if there is one and space for it.
    pub(crate) fn read_next(&mut self) -> Option<usize> {
        if !self.may_read() {
            return None;
        }
        let rank = self.wanted.pop_first()? as usize;
        self.places[rank] = Place::Coming;
        self.taken += 1;
        self.moving += 1;
        Some(self.part_of[rank] as usize)
    }

    /// A part has been read.
    pub(crate) fn has_come(&mut self, part: usize, quiet: Quiet<'_>) {
        let rank = self.rank_of[part];
        self.places[rank as usize] = Place::Here;
        self.moving -= 1;
        self.look(vec![rank], quiet);
    }

    /// Whether a part may be stepped.
    pub(crate) fn may_step(&self) -> bool {
        !self.steppable.is_empty()
    }

    /// The next part to step, if there is one.
    pub(crate) fn step_next(&mut self) -> Option<usize> {
        let rank = self.steppable.pop_first()? as usize;
        self.places[rank] = Place::Busy;
        self.moving += 1;
        Some(self.part_of[rank] as usize)
    }

    /// A part has been stepped, and its updates sent.
    pub(crate) fn has_stepped(&mut self, part: usize, quiet: Quiet<'_>) {
        let rank = self.rank_of[part] as usize;
        self.places[rank] = Place::Here;
        self.moving -= 1;
        let mut changed = Vec::new();
        self.advance(rank, &mut changed);
        self.look(changed, quiet);
    }

    /// Whether nothing can be done until an unfinished part leaves the memory.
    fn is_stuck(&self) -> bool {
        let idle = self.moving == 0 && self.steppable.is_empty();
        idle && !self.wanted.is_empty() && self.taken == self.slots
    }

    /// Whether there is a part to write.
    pub(crate) fn may_write(&self) -> bool {
        !self.leaving.is_empty() || self.is_stuck()
    }

    /// The next part to write, if there is one.
    pub(crate) fn write_next(&mut self) -> Option<usize> {
        if let Some(rank) = self.leaving.pop_front() {
            return Some(self.part_of[rank as usize] as usize);
        }
        if !self.is_stuck() {
            return None;
        }
        let here = (0..self.places.len()).filter(|&rank| self.places[rank] == Place::Here);
        let furthest =
            here.max_by_key(|&rank| (self.completed_levels[rank], std::cmp::Reverse(rank)))?;
        self.places[furthest] = Place::Leaving;
        self.moving += 1;
        Some(self.part_of[furthest] as usize)
    }

    /// A part has been written.
    pub(crate) fn has_left(&mut self, part: usize, quiet: Quiet<'_>) {
        let rank = self.rank_of[part];
        self.places[rank as usize] = Place::OnDisk;
        self.taken -= 1;
        self.moving -= 1;
        if self.completed_levels[rank as usize] == self.target {
            self.over += 1;
        } else {
            self.look(vec![rank], quiet);
        }
    }

    /// Advances the completed level of a part, and records the parts that this may free.
    fn advance(&mut self, rank: usize, changed: &mut Vec<u32>) {
        let completed = self.completed_levels[rank];
        self.completed_levels[rank] = completed + 1;
        let links = self.links;
        for &neighbour in links.of(rank) {
            let its = self.completed_levels[neighbour as usize];
            if its == completed {
                self.behind[rank] += 1;
            } else if its == completed + 1 {
                self.behind[neighbour as usize] -= 1;
                changed.push(neighbour);
            }
        }
        changed.push(rank as u32);
    }

    /// Finds the right set for parts whose completed level, place or neighbours have changed.
    fn look(&mut self, mut changed: Vec<u32>, quiet: Quiet<'_>) {
        while let Some(rank) = changed.pop() {
            let at = rank as usize;
            let completed = self.completed_levels[at];
            match self.places[at] {
                Place::Here if completed == self.target => {
                    self.places[at] = Place::Leaving;
                    self.moving += 1;
                    self.leaving.push_back(rank);
                }
                _ if self.behind[at] > 0 || completed == self.target => {}
                Place::Here => _ = self.steppable.insert(rank),
                Place::OnDisk if quiet(self.part_of[at] as usize, completed) => {
                    self.advance(at, &mut changed);
                    self.over += usize::from(completed + 1 == self.target);
                }
                Place::OnDisk => _ = self.wanted.insert(rank),
                Place::Coming | Place::Busy | Place::Leaving => {}
            }
        }
    }
}

/// How many levels a pass may take with space for `slots` parts, if it reads and writes each part once. At
/// least one.
pub(crate) fn rehearse(ranked: &Ranked, slots: usize, levels_max: u32) -> u32 {
    if ranked.links.parts() <= slots {
        return levels_max;
    }
    let fits = |levels| is_once(ranked, slots, levels);
    // A part that reaches a level beyond the diameter has all connected parts in memory. Then any number of levels fits.
    let beyond = ranked.links.diameter_max() + 1;
    if beyond < levels_max && fits(beyond) {
        return levels_max;
    }
    let levels_max = levels_max.min(beyond);
    let mut good = 1;
    while good < levels_max && fits((2 * good).min(levels_max)) {
        good = (2 * good).min(levels_max);
    }
    let mut bad = (2 * good).min(levels_max + 1);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if fits(middle) { good = middle } else { bad = middle }
    }
    good
}

/// Whether each part reaches the target before it must be written, if all have something to do.
fn is_once(ranked: &Ranked, slots: usize, levels: u32) -> bool {
    let quiet = |_, _| false;
    let mut schedule = Schedule::new(ranked, 0, levels, slots, &quiet);
    while !schedule.is_over() {
        if let Some(part) = schedule.step_next() {
            schedule.has_stepped(part, &quiet);
        } else if let Some(part) = schedule.read_next() {
            schedule.has_come(part, &quiet);
        } else if let Some(part) = schedule.write_next() {
            if schedule.completed(part) < levels {
                return false;
            }
            schedule.has_left(part, &quiet);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A band: the neighbours of a part are the parts up to `radius` away.
    fn band(parts: usize, radius: usize) -> Links {
        let mut links = Links::none(parts);
        for a in 0..parts {
            (a..parts.min(a + radius + 1)).for_each(|b| links.join(a, b));
        }
        links
    }

    #[test]
    fn a_band_goes_as_many_levels_as_there_are_steps_in_memory() {
        for (radius, slots, levels) in [(1, 12, 12), (1, 3, 3), (2, 12, 6), (3, 40, 14)] {
            let found = rehearse(&band(100, radius).as_numbered(), slots, 1000);
            assert_eq!(found, levels, "radius {radius}, {slots} slots");
        }
    }

    /// With numbers in strips, as on boards, a grid is no band. In layers it is one.
    #[test]
    fn a_grid_in_strips_is_taken_across_them() {
        let (strips, columns) = (8, 60);
        let mut grid = Links::none(strips * columns);
        for (strip, column) in
            (0..strips).flat_map(|strip| (0..columns).map(move |column| (strip, column)))
        {
            for (down, right) in [(0, 1), (1, 0), (1, 1)] {
                if strip + down < strips && column + right < columns {
                    grid.join(strip * columns + column, (strip + down) * columns + column + right);
                }
            }
        }
        let rehearsed =
            [grid.as_numbered(), grid.by_layers()].map(|order| rehearse(&order, 200, 1000));
        assert!(rehearsed[1] > 3 * rehearsed[0], "{rehearsed:?}");
    }

    /// This is found without simulating a million levels, which would take minutes.
    #[test]
    fn where_connected_parts_fit_a_pass_has_no_end() {
        let mut islands = Links::none(90);
        (0..90).filter(|part| part % 9 > 0).for_each(|part| islands.join(part - 1, part));
        let [fits, too_few] = [9, 8].map(|slots| rehearse(&islands.by_layers(), slots, 1_000_000));
        assert!(fits == 1_000_000 && too_few < 9, "{fits} {too_few}");
    }

    #[test]
    fn where_all_are_neighbours_a_pass_is_a_level() {
        assert_eq!(rehearse(&band(30, 30).as_numbered(), 10, 1000), 1);
        assert_eq!(rehearse(&band(10, 10).by_layers(), 10, 1000), 1000);
    }

    /// With little space and quiet parts, all parts still arrive, and no part steps while a neighbour is
    /// behind.
    #[test]
    fn every_pass_ends() {
        let mut rng = 7_u64;
        let mut below = move |bound: usize| {
            rng = rng.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (rng >> 33) as usize % bound
        };
        for _ in 0..300 {
            let parts = 1 + below(20);
            let mut links = Links::none(parts);
            for _ in 0..below(60) {
                let (a, b) = (below(parts), below(parts));
                links.join(a, b);
            }
            let (slots, levels) = (1 + below(6), 1 + below(9) as u32);
            let silence = 1 + below(5);
            let quiet = |part: usize, completed: u32| (part + completed as usize) % silence == 1;
            let ranked = links.by_layers();
            let mut schedule = Schedule::new(&ranked, 0, levels, slots, &quiet);
            let (mut coming, mut busy, mut going) = (Vec::new(), Vec::new(), Vec::new());
            while !schedule.is_over() {
                let before: Vec<u32> = (0..parts).map(|part| schedule.completed(part)).collect();
                match below(6) {
                    0 => coming.extend(schedule.read_next()),
                    1 => busy.extend(schedule.step_next()),
                    2 => going.extend(schedule.write_next()),
                    3 if !coming.is_empty() => {
                        let part = coming.swap_remove(below(coming.len()));
                        schedule.has_come(part, &quiet);
                    }
                    4 if !busy.is_empty() => {
                        let part: usize = busy.swap_remove(below(busy.len()));
                        let all =
                            links.of(part).iter().all(|&q| before[q as usize] >= before[part]);
                        assert!(all, "part {part} steps before its neighbours");
                        schedule.has_stepped(part, &quiet);
                    }
                    5 if !going.is_empty() => {
                        let part = going.swap_remove(below(going.len()));
                        schedule.has_left(part, &quiet);
                    }
                    _ => {}
                }
                assert!(schedule.taken <= slots);
            }
            assert!(schedule.completed_levels.iter().all(|&completed| completed == levels));
        }
    }
}
