//! The values of some tables by state, in bounded memory.
//!
//! A *unit* is a run of states that are unpacked together, a band if blocks allow it. A unit is unpacked at
//! its first use. If there are too many, the oldest unit is dropped. Each thread keeps its last few units, so
//! nearly every value is one load without a lock. A table that leaves out values is in memory as a whole, once
//! these are found.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU16, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use crate::Refusal;
use crate::table::{Number, Table};

/// The least and the greatest number of states in a unit, if bands are too long.
const UNIT_STATES: [u64; 2] = [1 << 10, 1 << 16];
/// The most units that a thread keeps.
const AT_HAND: u64 = 64;

/// A table, and all its values if the file leaves out some.
pub(crate) struct Source {
    pub(crate) table: Table,
    pub(crate) whole: Option<Unit>,
}

/// Some tables and their unpacked units.
pub(crate) struct Values {
    pub(crate) tables: Vec<Arc<Source>>,
    /// For each table, how many states a unit has.
    unit_states: Vec<u64>,
    /// For each table, its units, if they are unpacked.
    units: Vec<Vec<Mutex<Option<Arc<Unit>>>>>,
    unpacked: Mutex<Unpacked>,
    /// How many bytes may be unpacked.
    bytes_max: u64,
    at_hand: u64,
}

#[derive(Default)]
struct Unpacked {
    bytes: u64,
    /// Tables and units, the oldest first.
    order: VecDeque<(usize, usize)>,
}

/// The values of some states: in two bytes each if no distance needs more. Threads that complete a table write
/// different states of it.
pub(crate) enum Unit {
    Narrow(Vec<AtomicU16>),
    Wide(Vec<AtomicU64>),
}

/// The access of one thread.
pub(crate) struct Asker<'a> {
    values: &'a Values,
    /// For each table, how many states a unit has, and `2^64` divided by that, rounded up: division by
    /// multiplication.
    cuts: Vec<(u64, u64)>,
    /// Indexed by the last digits of the unit's number.
    at_hand: Vec<AtHand>,
}

struct AtHand {
    table: usize,
    number: u64,
    unit: Arc<Unit>,
}

impl Values {
    /// Uses at most `memory` bytes, unless even the least takes more.
    pub(crate) fn new(tables: Vec<Arc<Source>>, memory: u64, threads: u64) -> Values {
        // A quarter for the units that threads keep, and a quarter for those that they unpack.
        let share = memory / 4 / threads;
        let unit_states = |table: &Table| match share / cell_bytes(table) {
            room if table.band_states() <= room => table.band_states().max(UNIT_STATES[0]),
            room => room.clamp(UNIT_STATES[0], UNIT_STATES[1]),
        };
        let unit_states: Vec<u64> =
            tables.iter().map(|source| unit_states(&source.table)).collect();
        let with_units = || tables.iter().map(|source| &source.table).zip(&unit_states);
        let units = with_units().map(|(table, &unit)| {
            (0..table.states.div_ceil(unit)).map(|_| Mutex::new(None)).collect()
        });
        let largest = with_units().map(|(table, unit)| unit * cell_bytes(table));
        let at_hand = (share / largest.max().unwrap_or(1)).clamp(1, AT_HAND);
        Values {
            units: units.collect(),
            tables,
            unit_states,
            unpacked: Mutex::default(),
            bytes_max: memory / 2,
            at_hand: 1 << at_hand.ilog2(),
        }
    }

    pub(crate) fn asker(&self) -> Asker<'_> {
        let nothing =
            || AtHand { table: usize::MAX, number: 0, unit: Arc::new(Unit::Narrow(Vec::new())) };
        let cut = |&states: &u64| (states, u64::MAX / states + 1);
        Asker {
            values: self,
            cuts: self.unit_states.iter().map(cut).collect(),
            at_hand: (0..self.at_hand).map(|_| nothing()).collect(),
        }
    }

    fn unit(&self, table: usize, unit: u64) -> Result<Arc<Unit>, Refusal> {
        let place = &self.units[table][unit as usize];
        let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(unit) = &*place {
            return Ok(Arc::clone(unit));
        }
        let (of, states) = (&self.tables[table].table, self.unit_states[table]);
        let states = unit * states..of.states.min((unit + 1) * states);
        let bytes = (states.end - states.start) * cell_bytes(of);
        let unpacked = Arc::new(Unit::unpack(of, states)?);
        *place = Some(Arc::clone(&unpacked));
        drop(place);

        let mut all = self.unpacked.lock().unwrap_or_else(PoisonError::into_inner);
        all.bytes += bytes;
        all.order.push_back((table, unit as usize));
        while all.bytes > self.bytes_max
            && let Some((table, unit)) = all.order.pop_front()
        {
            let place = self.units[table][unit].lock();
            if let Some(unit) = place.unwrap_or_else(PoisonError::into_inner).take() {
                all.bytes -= unit.bytes();
            }
        }
        Ok(unpacked)
    }
}

impl Asker<'_> {
    /// The number of a state's value, or 0 if it is not in memory, left out, or invalid.
    #[inline(always)]
    pub(crate) fn at_hand(&self, table: usize, state: u64) -> Number {
        if let Some(whole) = &self.values.tables[table].whole {
            return whole.get(state as usize);
        }
        let (states, inverse) = self.cuts[table];
        let number = ((u128::from(state) * u128::from(inverse)) >> 64) as u64;
        let held = &self.at_hand[number as usize & (self.at_hand.len() - 1)];
        if held.number == number && held.table == table {
            held.unit.get((state - number * states) as usize)
        } else {
            0
        }
    }

    /// The number of a state's value, or 0 if it is left out or invalid.
    pub(crate) fn value(&mut self, table: usize, state: u64) -> Result<Number, Refusal> {
        match self.at_hand(table, state) {
            0 if self.values.tables[table].whole.is_none() => self.fetch(table, state),
            value => Ok(value),
        }
    }

    #[cold]
    fn fetch(&mut self, table: usize, state: u64) -> Result<Number, Refusal> {
        let (states, _) = self.cuts[table];
        let number = state / states;
        let unit = self.values.unit(table, number)?;
        let value = unit.get((state % states) as usize);
        let last_digits = number as usize & (self.at_hand.len() - 1);
        self.at_hand[last_digits] = AtHand { table, number, unit };
        Ok(value)
    }
}

impl Unit {
    /// The values of these states that are in the file, and 0 for the others.
    pub(crate) fn unpack(table: &Table, states: std::ops::Range<u64>) -> Result<Unit, Refusal> {
        let len = (states.end - states.start) as usize;
        let unit = match cell_bytes(table) {
            2 => Unit::Narrow((0..len).map(|_| AtomicU16::new(0)).collect()),
            _ => Unit::Wide((0..len).map(|_| AtomicU64::new(0)).collect()),
        };
        let mut fits = true;
        table.read(states, |at, value| fits &= unit.set(at, value))?;
        if !fits {
            let what = "it has a distance that is longer than its header says";
            return Err(Refusal::wrong(&table.path, what));
        }
        Ok(unit)
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> Number {
        match self {
            Unit::Narrow(cells) => cells[at].load(Relaxed).into(),
            Unit::Wide(cells) => cells[at].load(Relaxed),
        }
    }

    /// Stores a value; `false` if it is too long.
    #[inline]
    pub(crate) fn set(&self, at: usize, value: Number) -> bool {
        match self {
            Unit::Narrow(cells) => cells[at].store(value as u16, Relaxed),
            Unit::Wide(cells) => cells[at].store(value, Relaxed),
        }
        self.get(at) == value
    }

    fn bytes(&self) -> u64 {
        match self {
            Unit::Narrow(cells) => 2 * cells.len() as u64,
            Unit::Wide(cells) => 8 * cells.len() as u64,
        }
    }
}

/// How many bytes the number of a value takes.
fn cell_bytes(table: &Table) -> u64 {
    let longest = table.header["longest"].as_u64();
    let narrow = longest.is_some_and(|longest| 3 + 2 * longest <= u64::from(u16::MAX));
    if narrow || !table.distances { 2 } else { 8 }
}
