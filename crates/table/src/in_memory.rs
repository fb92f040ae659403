//! A table in memory: a byte a state, with lookups in nanoseconds.
//!
//! Use it if you read most states many times: for a verification, or for a game whose exits lead into the
//! table. The bytes are codes of values, as in a block. But all states share the same codes, and the bytes
//! are in the order of the states. So one lookup finds a value. The bytes are in a memory map, which returns
//! to the system on drop. Allocations for each block would stay in the heaps of finished threads, and the
//! next table would take as much memory again.

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{PoisonError, RwLock};

use memmap2::MmapMut;
use retrograde::internal::threads;
use retrograde::{Code, Probe, Value};

use crate::error::TableError;
use crate::exits::raised;
use crate::recover::{Kept, Place, Recover};
use crate::table::Table;

/// All of a table, unpacked.
pub struct InMemoryTable<'a> {
    table: &'a Table,
    codes: Codes,
    /// For each code, its rank among all values as players order them. Invalid states come first.
    places: Vec<u32>,
}

/// The values of states, as codes.
pub(crate) struct Codes {
    /// For each code, its value.
    values: Vec<Option<Value>>,
    /// The same as codes of two bytes.
    short: Vec<Code>,
    /// The code of each state, in order.
    codes: MmapMut,
    /// How many bytes a code has.
    width: usize,
}

impl Codes {
    #[inline]
    fn code(&self, state: u64) -> usize {
        let state = state as usize;
        match self.width {
            1 => usize::from(self.codes[state]),
            2 => {
                usize::from(u16::from_le_bytes([self.codes[2 * state], self.codes[2 * state + 1]]))
            }
            width => {
                let code = &self.codes[state * width..][..width];
                code.iter().rev().fold(0, |code, byte| code << 8 | usize::from(*byte))
            }
        }
    }

    #[inline]
    pub(crate) fn value(&self, state: u64) -> Option<Value> {
        self.values[self.code(state)]
    }

    pub(crate) fn fill_codes(&self, first: u64, codes: &mut [Code]) {
        let (short, len) = (&self.short[..], codes.len() * self.width);
        let kept = &self.codes[first as usize * self.width..][..len];
        match self.width {
            1 => {
                let each = codes.iter_mut().zip(kept);
                each.for_each(|(code, kept)| *code = short[usize::from(*kept)]);
            }
            2 => {
                let each = codes.iter_mut().zip(kept.as_chunks::<2>().0);
                each.for_each(|(code, kept)| *code = short[usize::from(u16::from_le_bytes(*kept))]);
            }
            _ => {
                let each = codes.iter_mut().zip(first..);
                each.for_each(|(code, state)| *code = short[self.code(state)]);
            }
        }
    }

    /// Sets the value of each code.
    fn set_values(&mut self, values: Vec<Option<Value>>) {
        self.short = values.iter().map(|value| Code::of(*value)).collect();
        self.values = values;
    }

    /// Stores the codes of some states.
    fn put(&mut self, first: u64, codes: &[u32]) {
        let places = self.codes[first as usize * self.width..].chunks_mut(self.width);
        for (place, code) in places.zip(codes) {
            place.copy_from_slice(&code.to_le_bytes()[..self.width]);
        }
    }
}

/// How many bytes a code can have.
const WIDTHS: [usize; 3] = [1, 2, 4];

/// How much memory a value takes: it is in a map, and its code is in four arrays.
const VALUE_BYTES: u64 = 64;

/// How many states to recover at a time.
const RUN: u64 = 1 << 14;

impl Table {
    /// Unpacks the whole table into memory, with all threads, if it takes at most `bytes_max` bytes there. A small file can
    /// hold many equal states, so the length of the file is no bound.
    pub fn load(&self, bytes_max: u64) -> Result<InMemoryTable<'_>, TableError> {
        self.load_by(self.recoverer(), bytes_max)
    }

    /// The same, but `by` finds the values that the table leaves out. If it has other tables in memory, this is
    /// faster than looking values up in their files.
    pub fn load_by(
        &self,
        by: Option<&dyn Recover>,
        bytes_max: u64,
    ) -> Result<InMemoryTable<'_>, TableError> {
        let (mut width, values) = self.codes_in_memory()?;
        let refused = |width: usize, values: u64| {
            let (path, needed) = (self.path().into(), self.bytes_of(width, values));
            Err(TableError::Memory { path, needed, limit: bytes_max })
        };
        if self.bytes_of(width, values) > bytes_max {
            return refused(width, values);
        }
        // The histogram of a table may lie.
        loop {
            let left = bytes_max.saturating_sub(self.bytes_of(width, 0)) / VALUE_BYTES;
            let most = 1 << (8 * width);
            if let Some(loaded) = self.load_in(width, left.min(most), by)? {
                return Ok(loaded);
            }
            if left < most || width == WIDTHS[2] {
                return refused(width, left + 1);
            }
            width *= 2;
        }
    }

    /// How many bytes the table takes in memory, with this number of different values, and codes of `width` bytes.
    fn bytes_of(&self, width: usize, values: u64) -> u64 {
        let codes = self.states().saturating_mul(width as u64);
        codes.saturating_add(values.saturating_mul(VALUE_BYTES))
    }

    /// How many bytes [`load`](Table::load) takes, if the histogram has the distance of each value.
    pub fn load_bytes(&self) -> Result<u64, TableError> {
        let (width, values) = self.codes_in_memory()?;
        Ok(self.bytes_of(width, values))
    }

    /// How many bytes a code has in memory, and how many codes there are. Without a histogram this is a guess: most tables
    /// have few values.
    fn codes_in_memory(&self) -> Result<(usize, u64), TableError> {
        let levels = self.levels()?;
        let values =
            levels.iter().map(|level| u64::from(level.wins > 0) + u64::from(level.losses > 0));
        // Two more codes stand for draws and for invalid states.
        let codes = 2 + values.sum::<u64>();
        let [.., longest] = WIDTHS;
        Ok((WIDTHS.into_iter().find(|width| codes <= 1 << (8 * width)).unwrap_or(longest), codes))
    }

    /// Unpacks the table with codes of `width` bytes, if it has at most `values_max` different values.
    fn load_in(
        &self,
        width: usize,
        values_max: u64,
        by: Option<&dyn Recover>,
    ) -> Result<Option<InMemoryTable<'_>>, TableError> {
        let bytes =
            usize::try_from(self.states()).ok().and_then(|states| states.checked_mul(width));
        let map = bytes.ok_or(io::ErrorKind::OutOfMemory.into()).and_then(MmapMut::map_anon);
        let map = map.map_err(|source| TableError::io(self.path(), source))?;
        let mut codes = Codes { values: Vec::new(), short: Vec::new(), codes: map, width };
        let known = Known::new(values_max);
        // How many blocks a thread unpacks at a time: so few that they stay in the cache until a thread copies them.
        const BLOCKS: u64 = 8;
        let unpack = |some: u64| {
            let mut reader = self.container.reader();
            let numbers = some * BLOCKS..self.blocks().min((some + 1) * BLOCKS);
            let unpacked = numbers.map(|number| {
                let block = self.decode(number, reader.read(number, self.block_bytes_max())?)?;
                let mut values = vec![0; self.layout.block_states(number)];
                block.fill_numbers(&mut values, |value| known.code(value));
                known.check()?;
                Ok((number, values))
            });
            unpacked.collect::<Result<Vec<(u64, Vec<u32>)>, Stop>>()
        };
        let unpacked = threads::try_map(self.blocks().div_ceil(BLOCKS), 4, unpack, |blocks| {
            for (number, block) in blocks {
                for run in self.layout.runs(number) {
                    codes.put(run.first, &block[run.at..run.at + run.len]);
                }
            }
            Ok(())
        });
        match unpacked {
            Err(Stop::Values) => return Ok(None),
            Err(Stop::Failed(error)) => return Err(error),
            Ok(()) => codes.set_values(known.values()),
        }
        if self.forgets_exits()
            && let Some(by) = by
        {
            self.change(&mut codes, &known, self.layout.runs_kept(RUN), |codes, first, values| {
                let mut exits = vec![Code::INVALID; values.len()];
                by.best_exits(first, &mut exits)?;
                for ((value, exit), state) in values.iter_mut().zip(exits).zip(first..) {
                    let exit = if exit.is_far() { by.best_exit(state)? } else { exit.value() };
                    *value = raised(codes.value(state), exit, self.has_distances());
                }
                Ok(())
            })?;
        }
        if known.check().is_err() {
            return Ok(None);
        }
        if let Some(by) = by {
            let runs = self.layout.runs_not_kept(RUN);
            self.change(&mut codes, &known, runs, |codes, first, values| {
                by.recover(&Kept(Place::Memory(self, codes)), first, values)
            })?;
        }
        if known.check().is_err() {
            return Ok(None);
        }
        let values = &codes.values;
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by_key(|&code| values[code]);
        let mut places = vec![0; values.len()];
        (0..).zip(&order).for_each(|(place, &code)| places[code] = place);
        Ok(Some(InMemoryTable { table: self, codes, places }))
    }

    /// Stores other codes for the states of some runs. `find` writes their values, given the codes so far and
    /// the first state of a run.
    fn change(
        &self,
        codes: &mut Codes,
        known: &Known,
        runs: impl Iterator<Item = Range<u64>>,
        find: impl Fn(&Codes, u64, &mut [Option<Value>]) -> Result<(), TableError> + Sync,
    ) -> Result<(), TableError> {
        /// How many runs to change at a time: enough for all threads, but so few that their values fit in
        /// memory.
        const RUNS: usize = 256;
        let mut runs = runs.peekable();
        while runs.peek().is_some() {
            let some: Vec<Range<u64>> = runs.by_ref().take(RUNS).collect();
            let found = &*codes;
            let changed = threads::map(some.len(), |at| {
                let run = &some[at];
                let mut values = vec![None; (run.end - run.start) as usize];
                find(found, run.start, &mut values)?;
                // Codes that this thread has seen before, so that threads seldom need the shared map.
                let mut met = [u32::MAX; 1 << 10];
                let codes = values.into_iter().map(|value| {
                    match met.get_mut(usize::from(Code::of(value).bits())) {
                        None => known.code(value),
                        Some(code) if *code != u32::MAX => *code,
                        Some(code) => {
                            *code = known.code(value);
                            *code
                        }
                    }
                });
                Ok::<_, TableError>((run.start, codes.collect::<Vec<u32>>()))
            });
            for changed in changed {
                let (first, run) = changed?;
                codes.put(first, &run);
            }
        }
        codes.set_values(known.values());
        Ok(())
    }
}

/// Why unpacking stops.
enum Stop {
    Failed(TableError),
    /// There are more different values than there may be.
    Values,
}

impl From<TableError> for Stop {
    fn from(error: TableError) -> Stop {
        Stop::Failed(error)
    }
}

/// The values that occur, numbered in the order in which they appear.
struct Known {
    codes: RwLock<HashMap<Option<Value>, u32>>,
    /// How many there may be, and whether there are more.
    most: u64,
    exceeded: AtomicBool,
}

impl Known {
    fn new(most: u64) -> Known {
        Known { codes: RwLock::default(), most, exceeded: AtomicBool::new(false) }
    }

    /// The code of a value. Any code if there are too many values.
    fn code(&self, value: Option<Value>) -> u32 {
        let known = self.codes.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(code) = known.get(&value) {
            return *code;
        }
        drop(known);
        let mut known = self.codes.write().unwrap_or_else(PoisonError::into_inner);
        let next = known.len();
        if next as u64 == self.most && !known.contains_key(&value) {
            self.exceeded.store(true, Relaxed);
            return 0;
        }
        *known.entry(value).or_insert(next as u32)
    }

    /// An error if there are too many values.
    fn check(&self) -> Result<(), Stop> {
        if self.exceeded.load(Relaxed) { Err(Stop::Values) } else { Ok(()) }
    }

    /// For each code, its value.
    fn values(&self) -> Vec<Option<Value>> {
        let known = self.codes.read().unwrap_or_else(PoisonError::into_inner);
        let mut values = vec![None; known.len()];
        known.iter().for_each(|(value, code)| values[*code as usize] = *value);
        values
    }
}

impl InMemoryTable<'_> {
    /// The table.
    pub fn table(&self) -> &Table {
        self.table
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        self.codes.codes.len() as u64
    }

    /// The value that the table holds for a state that it keeps. It may be a bound.
    pub(crate) fn bound(&self, state: u64) -> Result<Option<Value>, TableError> {
        self.table.check_kept(state)?;
        Ok(self.codes.value(state))
    }

    /// The value of a state; `None` if it is invalid.
    #[inline]
    pub fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        self.table.check_answered(state)?;
        Ok(self.codes.value(state))
    }
}

impl Probe for InMemoryTable<'_> {
    type Error = TableError;

    fn states(&self) -> u64 {
        self.table.states()
    }

    fn has_distances(&self) -> bool {
        self.table.has_distances()
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        self.probe(state)
    }

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), TableError> {
        let Some(last) = (codes.len() as u64).checked_sub(1) else { return Ok(()) };
        self.table.check_answered(first)?;
        self.table.check_answered(first + last)?;
        if !self.table.answers_all() {
            self.table.check_kept_run(first, codes.len() as u64)?;
        }
        self.codes.fill_codes(first, codes);
        Ok(())
    }

    #[inline]
    fn least_of(&self, states: &[u64]) -> Result<Option<Value>, TableError> {
        let mut least: Option<(u32, usize)> = None;
        for &state in states {
            self.table.check_answered(state)?;
            let code = self.codes.code(state);
            let here = (self.places[code], code);
            least = Some(least.map_or(here, |least| least.min(here)));
        }
        Ok(least.and_then(|(_, code)| self.codes.values[code]))
    }
}
