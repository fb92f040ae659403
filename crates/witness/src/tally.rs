//! Counts how often each value occurs, and compares with the header and the histogram of a table.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::Refusal;
use crate::proof::{Rules, Side};
use crate::table::{DRAW, Number, Table};

/// How often each value occurs, by side to move.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) moves: u64,
    /// For each side, indexed by the number of the value.
    near: Vec<Vec<u64>>,
    /// The same for greater numbers, by side and number.
    far: BTreeMap<(usize, Number), u64>,
    /// For each side, further numbers in the header of a region.
    placements: Vec<Placements>,
}

/// The placements with one side to move.
#[derive(Clone, Default)]
struct Placements {
    /// Draws, losses and wins.
    counts: [u64; 3],
    /// The longest win: its value, the least state that has it, and the position.
    longest: Option<(Number, u64, String)>,
}

impl Placements {
    fn keep(&mut self, value: Number, number: u64, text: impl FnOnce() -> String) {
        let is_win = value > DRAW && !value.is_multiple_of(2);
        let beats = |(most, first, _): &(Number, u64, String)| {
            value > *most || value == *most && number < *first
        };
        if is_win && self.longest.as_ref().is_none_or(beats) {
            self.longest = Some((value, number, text()));
        }
    }
}

/// Their names in a header, in the order of counting.
const OUTCOMES: [&str; 3] = ["draw", "loss", "win"];

fn outcome(value: Number) -> usize {
    if value == DRAW { 0 } else { 1 + value as usize % 2 }
}

/// Smaller numbers than this are counted without a search.
const NEAR: Number = 1 << 11;

impl Tally {
    pub(crate) fn add(&mut self, side: usize, value: Number) {
        match self.near.get_mut(side).and_then(|near| near.get_mut(value as usize)) {
            Some(count) => *count += 1,
            None => self.add_many(side, value, 1),
        }
    }

    /// Counts a position that stands for `many` placements.
    pub(crate) fn place(
        &mut self,
        side: usize,
        value: Number,
        many: u64,
        number: u64,
        text: impl FnOnce() -> String,
    ) {
        if self.placements.len() <= side {
            self.placements.resize(side + 1, Placements::default());
        }
        let side = &mut self.placements[side];
        side.counts[outcome(value)] += many;
        side.keep(value, number, text);
    }

    fn add_many(&mut self, side: usize, value: Number, many: u64) {
        if value >= NEAR {
            *self.far.entry((side, value)).or_default() += many;
            return;
        }
        if self.near.len() <= side {
            self.near.resize(side + 1, vec![0; NEAR as usize]);
        }
        self.near[side][value as usize] += many;
    }

    pub(crate) fn and(mut self, other: Tally) -> Tally {
        self.moves += other.moves;
        other.counts().for_each(|(side, value, many)| self.add_many(side, value, many));
        if self.placements.len() < other.placements.len() {
            self.placements.resize(other.placements.len(), Placements::default());
        }
        for (side, other) in self.placements.iter_mut().zip(other.placements) {
            side.counts.iter_mut().zip(other.counts).for_each(|(sum, many)| *sum += many);
            if let Some((value, number, text)) = other.longest {
                side.keep(value, number, || text);
            }
        }
        self
    }

    /// Sides, values and counts, for all counts above 0.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (usize, Number, u64)> + '_ {
        let near = (0..).zip(&self.near).flat_map(|(side, near)| {
            (0..).zip(near).map(move |(value, &many)| (side, value, many))
        });
        let far = self.far.iter().map(|(&(side, value), &many)| (side, value, many));
        near.chain(far).filter(|(.., many)| *many > 0)
    }

    /// Compares all numbers with the header and the histogram. Counts by side may be missing entirely.
    pub(crate) fn compare<R: Rules>(&self, table: &Table, rules: &R) -> Result<(), Refusal> {
        let sides = rules.sides();
        self.compare_counts(table, &sides)?;
        for (at, Side { name, .. }) in sides.iter().enumerate() {
            self.compare_placements(table, at, name, rules.said(&table.header, at))?;
        }
        self.compare_histogram(table)
    }

    fn compare_counts(&self, table: &Table, sides: &[Side]) -> Result<(), Refusal> {
        let wrong = |what: &str| Err(Refusal::wrong(&table.path, what));
        let Some(counts) = table.header.get("counts") else { return Ok(()) };
        // Version 1 has the key `mover`.
        let name =
            |said: &Json| said["side"].as_str().or(said["mover"].as_str()).map(str::to_owned);
        let named = counts.as_array().into_iter().flatten().map(name);
        if !named.eq(sides.iter().map(|side| Some(side.name.clone()))) {
            let names: Vec<_> = sides.iter().map(|side| &side.name).collect();
            return wrong(&format!("its header does not count for each of {names:?} in turn"));
        }
        let (mut all, mut rows) = (0, table.states);
        for (at, Side { name, states }) in sides.iter().enumerate() {
            let (said, mut found) = (&counts[at], [0; 3]);
            for (_, value, many) in self.counts().filter(|(side, ..)| *side == at) {
                found[outcome(value)] += many;
            }
            for (outcome, found) in OUTCOMES.iter().zip(found) {
                if said[outcome] != found {
                    return wrong(&format!(
                        "its header counts {} states with {name} to move as a {outcome}, but there are {found}",
                        said[outcome]
                    ));
                }
            }
            let positions: u64 = found.iter().sum();
            // Version 1 has this key.
            let invalid = said["invalid"].as_u64().or(said["void"].as_u64());
            // If sides alternate from row to row, each has equally many states.
            let alternate = table.sides() == Some(sides.len() as u64);
            let states = states.or(alternate.then(|| table.states / sides.len() as u64));
            if states.is_some_and(|states| invalid != states.checked_sub(positions)) {
                return wrong(&format!(
                    "its header has a wrong number of invalid states for {name}"
                ));
            }
            all += positions;
            rows = invalid.and_then(|invalid| rows.checked_sub(invalid)).unwrap_or(u64::MAX);
        }
        match rows == all {
            true => Ok(()),
            false => wrong("its header has a wrong number of invalid states"),
        }
    }

    /// Compares the placements and the longest win of a side with a part of the header, in which a position
    /// has the given key.
    fn compare_placements(
        &self,
        table: &Table,
        side: usize,
        name: &str,
        (said, position): (&Json, &str),
    ) -> Result<(), Refusal> {
        let wrong = |what: String| Err(Refusal::wrong(&table.path, &what));
        let Some(side) = self.placements.get(side) else { return Ok(()) };
        for (outcome, found) in OUTCOMES.iter().zip(side.counts) {
            if said[outcome] != found {
                let said = &said[outcome];
                return wrong(format!(
                    "its header counts {said} placements with {name} to move as a {outcome}, but there are {found}"
                ));
            }
        }
        let longest = side.longest.as_ref().filter(|_| table.distances);
        let found = [
            ("longest", json!(longest.map(|(value, ..)| value / 2 - 1))),
            (position, json!(longest.map(|(.., text)| text))),
        ];
        match found.iter().find(|(key, found)| said[key] != *found) {
            None => Ok(()),
            Some((key, found)) => {
                let said = &said[key];
                wrong(format!("its header says `{key}` of {name} is {said}, but it is {found}"))
            }
        }
    }

    fn compare_histogram(&self, table: &Table) -> Result<(), Refusal> {
        let wrong = |what: &str| Err(Refusal::wrong(&table.path, what));
        if !table.distances {
            return Ok(());
        }
        let mut levels = BTreeMap::<u64, [u64; 2]>::new();
        for (_, value, many) in self.counts().filter(|(_, value, _)| *value > DRAW) {
            levels.entry(value / 2 - 1).or_default()[1 - value as usize % 2] += many;
        }
        let found = levels.iter().map(|(&distance, &[wins, losses])| [distance, wins, losses]);
        let found: Vec<_> = found.collect();
        if found != table.histogram {
            let at = found.iter().zip(&table.histogram).take_while(|(a, b)| a == b).count();
            let spell = |level: Option<&[u64; 3]>| {
                level.map_or("no more levels".into(), |[distance, wins, losses]| {
                    format!("{wins} wins and {losses} losses in {distance}")
                })
            };
            let (said, found) = (spell(table.histogram.get(at)), spell(found.get(at)));
            return wrong(&format!("its histogram says {said}, but there are {found}"));
        }
        match table.header["longest"] == json!(found.last().map(|level| level[0])) {
            true => Ok(()),
            false => wrong("its header has a wrong longest distance"),
        }
    }
}
