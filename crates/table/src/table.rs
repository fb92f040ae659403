//! An open table, and probes of single states.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use retrograde::{Code, Level, Outcome, Probe, Value};

use crate::cache::Cache;
use crate::code::{self, Block};
use crate::container::{Container, Kind};
use crate::error::{Section, TableError};
use crate::exits::{raise, raised};
use crate::header::{Exits, Header, SideCounts};
use crate::layout::{Finder, Layout, Place};
use crate::recover::{self, Kept, Recover, Recoverer};
use crate::value_cache::ValueCache;

/// Options for opening a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    cache_bytes: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { cache_bytes: Options::CACHE_BYTES }
    }
}

impl Options {
    /// The default size of the cache.
    pub const CACHE_BYTES: u64 = 16 << 20;

    /// A cache of 16 MiB.
    pub fn new() -> Options {
        Options::default()
    }

    /// Sets the size of the cache of unpacked blocks and recovered values: about this number of bytes for all threads.
    /// The cache always holds a few blocks.
    #[must_use]
    pub fn cache_bytes(mut self, bytes: u64) -> Options {
        self.cache_bytes = bytes;
        self
    }

    /// Opens a table.
    pub fn open(self, path: impl AsRef<Path>) -> Result<Table, TableError> {
        Table::new(Container::open(path.as_ref(), Kind::TABLE)?, self)
    }

    /// Opens a table from bytes in memory, for example one that is built into the program. Errors call it `name`.
    pub fn from_bytes(self, name: &str, bytes: Vec<u8>) -> Result<Table, TableError> {
        Table::new(Container::from_bytes(Path::new(name), Kind::TABLE, bytes)?, self)
    }
}

/// A table that leaves values out uses this share of the cache for recovered values.
const VALUES_SHARE: u64 = 16;

/// An open table. Many threads can use it at once.
///
/// If the table [does not mark](crate::InvalidStates::Forgotten) invalid states, it may give any value for them.
/// To ask for such states, use [`WithRules`](crate::WithRules).
#[derive(Debug)]
pub struct Table {
    pub(crate) container: Container,
    pub(crate) layout: Layout,
    finder: Finder,
    header: Header,
    cache: Cache,
    /// Recovered values. Empty if the table alone has the value of every state.
    values: ValueCache,
    /// Finds the values that the table leaves out, once the caller has set it.
    recoverer: OnceLock<Recoverer>,
}

impl Table {
    /// Opens a table with the default [`Options`]. Reads only the header and the histogram.
    pub fn open(path: impl AsRef<Path>) -> Result<Table, TableError> {
        Options::new().open(path)
    }

    fn new(container: Container, options: Options) -> Result<Table, TableError> {
        let senseless = |problem| TableError::Header { path: container.path().into(), problem };
        let header = Header::parse(container.header(), container.version()).map_err(senseless)?;
        let layout = header.layout().map_err(senseless)?;
        if layout.blocks() != container.blocks() {
            return Err(senseless(format!(
                "the file has {} blocks instead of {}",
                container.blocks(),
                layout.blocks()
            )));
        }
        let counted = header.about.counts.iter().try_fold(0u64, |sum, counts| {
            let SideCounts { win, loss, draw, invalid, .. } = counts;
            [win, loss, draw, invalid]
                .into_iter()
                .try_fold(sum, |sum, count| sum.checked_add(*count))
        });
        if counted.is_none_or(|counted| counted > header.states) {
            return Err(senseless("it counts more states than the game has".into()));
        }
        let is_complete = layout.keeps_all() && header.exits == Exits::Kept;
        let share = if is_complete { 0 } else { options.cache_bytes / VALUES_SHARE };
        let values = ValueCache::new(share);
        let cache_bytes = options.cache_bytes - values.bytes();
        let cache = Cache::new(cache_bytes, layout.blocks(), layout.block_states_max() as u64);
        let finder = Finder::new(&layout);
        let recoverer = OnceLock::new();
        let table = Table { container, layout, finder, header, cache, values, recoverer };
        table.levels()?;
        Ok(table)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.container.path()
    }

    /// How long the file is.
    pub fn bytes(&self) -> u64 {
        self.container.bytes()
    }

    /// The contents of the header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The version of the format of this file.
    pub fn version(&self) -> u32 {
        self.container.version()
    }

    /// The text of the header.
    pub fn header_text(&self) -> &str {
        self.container.header()
    }

    /// How many states of the whole game settle at each distance, according to the writer. Distances ascend, no
    /// level is empty, and the sum is at most the number of states. In a table without distances, nothing confirms
    /// these numbers.
    pub fn levels(&self) -> Result<Vec<Level>, TableError> {
        let text = self.container.text()?;
        let levels: Vec<(u32, u64, u64)> =
            serde_json::from_str(&text).map_err(|_| self.container.damaged(Section::Text))?;
        let levels = levels
            .into_iter()
            .map(|(distance, wins, losses)| Level { distance, wins, losses })
            .collect::<Vec<_>>();
        let senseless = |problem| TableError::Histogram { path: self.path().into(), problem };
        let mut left = self.states();
        for (at, Level { distance, wins, losses }) in levels.iter().enumerate() {
            if at > 0 && levels[at - 1].distance >= *distance {
                return Err(senseless(format!(
                    "distance {distance} comes after {}",
                    levels[at - 1].distance
                )));
            }
            let count = wins.checked_add(*losses).filter(|count| *count > 0);
            let rest = count.and_then(|count| left.checked_sub(count));
            left = rest.ok_or_else(|| {
                let what = format!("{wins} wins and {losses} losses at distance {distance}");
                senseless(format!("there are no {what} among {} states", self.states()))
            })?;
        }
        Ok(levels)
    }

    /// How many states there are, including invalid ones.
    pub fn states(&self) -> u64 {
        self.layout.states()
    }

    /// Whether the table has distances. If not, every distance is 0.
    pub fn has_distances(&self) -> bool {
        self.header.distances
    }

    /// Whether the table keeps a state. Only [half](crate::Writer::half) tables leave some out.
    pub fn keeps(&self, state: u64) -> bool {
        state < self.states() && self.layout.keeps(state)
    }

    /// From now on, answers for all states: `recover` finds the values that are left out. Only the first call has
    /// an effect.
    pub fn recover_by(&self, recover: Arc<dyn Recover>) {
        let _ = self.recoverer.set(Recoverer(recover));
    }

    /// Whether all states are kept.
    pub fn keeps_all(&self) -> bool {
        self.layout.keeps_all()
    }

    /// Whether the table alone has the value of every state.
    pub fn is_complete(&self) -> bool {
        self.layout.keeps_all() && !self.forgets_exits()
    }

    /// Whether it leaves out values that exits give.
    pub(crate) fn forgets_exits(&self) -> bool {
        self.header.exits == Exits::Forgotten
    }

    /// Whether it answers for all states: it has their values, or [can recover](Table::recover_by) them.
    pub fn answers_all(&self) -> bool {
        self.is_complete() || self.recoverer.get().is_some()
    }

    /// Whether it answers for a state.
    pub(crate) fn answers(&self, state: u64) -> bool {
        let by_itself = || !self.forgets_exits() && self.layout.keeps(state);
        state < self.states() && (self.recoverer.get().is_some() || by_itself())
    }

    /// The object that recovers values, if the table needs one and has one.
    pub(crate) fn recoverer(&self) -> Option<&dyn Recover> {
        self.recoverer.get().filter(|_| !self.is_complete()).map(|Recoverer(by)| &**by)
    }

    /// Recovers the values of some states that the table does not keep.
    fn recovered(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), TableError> {
        match self.recoverer() {
            Some(by) => by.recover(&Kept(recover::Place::File(self)), first, values),
            None => Err(self.no_place(first)),
        }
    }

    /// The value of a state; `None` if it is invalid.
    pub fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        if self.recoverer().is_none() || state >= self.states() {
            return self.probe_kept(state);
        }
        if let Some(value) = self.values.get(state) {
            return Ok(value);
        }
        let mut value = [None];
        if self.layout.keeps(state) {
            value[0] = self.probe_kept(state)?;
        } else {
            self.recovered(state, &mut value)?;
        }
        self.values.put(state, value[0]);
        Ok(value[0])
    }

    /// The value of a state that the table keeps.
    pub(crate) fn probe_kept(&self, state: u64) -> Result<Option<Value>, TableError> {
        if self.forgets_exits()
            && let Ok(Place { block, at }) = self.place(state)
            && let Some(value) = self.cache.look(self.raised_key(block), |block| block.value(at))
        {
            return Ok(value);
        }
        self.raised(state, self.bound(state)?)
    }

    /// The value of a state that the table keeps, from its bound.
    #[inline]
    pub(crate) fn raised(
        &self,
        state: u64,
        bound: Option<Value>,
    ) -> Result<Option<Value>, TableError> {
        if !self.forgets_exits() {
            return Ok(bound);
        }
        let by = self.recoverer().ok_or_else(|| self.no_place(state))?;
        Ok(raised(bound, by.best_exit(state)?, self.has_distances()))
    }

    /// The value that the table holds for a state that it keeps. If an exit gives the value, it may be a bound,
    /// which is no better.
    pub(crate) fn bound(&self, state: u64) -> Result<Option<Value>, TableError> {
        let Place { block, at } = self.place(state)?;
        match self.cache.look(block, |block| block.value(at)) {
            Some(value) => Ok(value),
            None => Ok(self.cached(block)?.value(at)),
        }
    }

    /// Win, loss or draw; `None` if the state is invalid.
    pub fn probe_wdl(&self, state: u64) -> Result<Option<Outcome>, TableError> {
        Ok(self.probe(state)?.map(Value::outcome))
    }

    /// The distance to the end in plies; `None` for a draw or an invalid state. An error if the table has no
    /// distances.
    pub fn probe_distance(&self, state: u64) -> Result<Option<u32>, TableError> {
        if !self.has_distances() {
            return Err(TableError::NoDistances { path: self.path().into() });
        }
        Ok(self.probe(state)?.and_then(Value::distance))
    }

    /// Where a state is kept.
    #[inline]
    pub(crate) fn place(&self, state: u64) -> Result<Place, TableError> {
        let place = if state < self.states() { self.finder.place(state) } else { None };
        place.ok_or_else(|| self.no_place(state))
    }

    /// Returns an error if there is no such state, or if the table does not answer for it.
    #[inline]
    pub(crate) fn check_answered(&self, state: u64) -> Result<(), TableError> {
        if self.answers(state) { Ok(()) } else { Err(self.no_place(state)) }
    }

    /// Returns an error if there is no such state, or if the table does not keep it.
    #[inline]
    pub(crate) fn check_kept(&self, state: u64) -> Result<(), TableError> {
        let kept = state < self.states() && self.layout.keeps(state);
        if kept { Ok(()) } else { Err(self.no_place(state)) }
    }

    /// The same for some consecutive states.
    pub(crate) fn check_kept_run(&self, first: u64, len: u64) -> Result<(), TableError> {
        let mut state = first;
        while state < first + len {
            self.check_kept(state)?;
            state += self.layout.row_left(state);
        }
        Ok(())
    }

    #[cold]
    pub(crate) fn no_place(&self, state: u64) -> TableError {
        let (path, states) = (self.path().into(), self.states());
        if state < states {
            TableError::NotStored { path, state }
        } else {
            TableError::State { path, state, states }
        }
    }

    /// A block. Adds it to the cache if it is not there.
    pub(crate) fn cached(&self, number: u64) -> Result<Arc<Block>, TableError> {
        if let Some(block) = self.cache.look(number, Arc::clone) {
            return Ok(block);
        }
        let block = Arc::new(self.read(number)?);
        self.cache.put(number, Arc::clone(&block));
        Ok(block)
    }

    /// A block of values. If the table leaves out values of exits, this looks up the exits of the whole block, and
    /// adds the block to the cache. It is for callers that ask for many states, because many moves lead to the
    /// same state.
    pub(crate) fn valued(&self, number: u64) -> Result<Arc<Block>, TableError> {
        if !self.forgets_exits() {
            return self.cached(number);
        }
        let key = self.raised_key(number);
        if let Some(block) = self.cache.look(key, Arc::clone) {
            return Ok(block);
        }
        let states = self.layout.block_states(number);
        let (mut codes, mut exits) = (vec![Code::INVALID; states], vec![Code::INVALID; states]);
        // The cache needs only the values.
        let bounds = match self.cache.look(number, Arc::clone) {
            Some(bounds) => bounds,
            None => Arc::new(self.read(number)?),
        };
        bounds.fill_codes(0, &mut codes);
        for run in self.layout.runs(number) {
            let by = self.recoverer().ok_or_else(|| self.no_place(run.first))?;
            by.best_exits(run.first, &mut exits[run.at..run.at + run.len])?;
        }
        raise(&mut codes, &exits, self.has_distances());
        let block = match Block::of_codes(&mut codes) {
            Some(block) => block,
            None => self.raised_block(number, &bounds)?,
        };
        let block = Arc::new(block);
        self.cache.put(key, Arc::clone(&block));
        Ok(block)
    }

    /// A block of values in which some distance is too long for a code.
    #[cold]
    fn raised_block(&self, number: u64, bounds: &Block) -> Result<Block, TableError> {
        let mut values = vec![None; self.layout.block_states(number)];
        bounds.fill(0, &mut values);
        for run in self.layout.runs(number) {
            for (value, state) in values[run.at..run.at + run.len].iter_mut().zip(run.first..) {
                *value = self.raised(state, *value)?;
            }
        }
        Block::of(&values).ok_or_else(|| self.container.damaged(Section::Block { block: number }))
    }

    /// Reads a block from the file.
    fn read(&self, number: u64) -> Result<Block, TableError> {
        self.decode(number, self.container.read(number, self.block_bytes_max())?)
    }

    /// The number that the cache uses for a block of values, which comes from a block of bounds.
    fn raised_key(&self, block: u64) -> u64 {
        self.layout.blocks() + block
    }

    /// Decodes the bytes of a block.
    pub(crate) fn decode(&self, number: u64, bytes: Vec<u8>) -> Result<Block, TableError> {
        Block::decode(bytes, self.layout.block_states(number))
            .ok_or_else(|| self.container.damaged(Section::Block { block: number }))
    }

    pub(crate) fn block_bytes_max(&self) -> usize {
        code::bytes_max(self.layout.block_states_max())
    }
}

impl Probe for Table {
    type Error = TableError;

    fn states(&self) -> u64 {
        self.states()
    }

    fn has_distances(&self) -> bool {
        self.has_distances()
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        self.probe(state)
    }

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), TableError> {
        if self.recoverer().is_none() {
            return self.fill_kept(first, codes);
        }
        let (mut state, mut rest, mut found) = (first, codes, Vec::new());
        while !rest.is_empty() {
            // How many states to recover together.
            const RUN: u64 = 1 << 12;
            self.check_answered(state)?;
            let keeps = self.layout.keeps(state);
            let row = self.layout.row_left(state).min(if keeps { u64::MAX } else { RUN });
            let (run, after) = rest.split_at_mut(rest.len().min(row as usize));
            if keeps {
                self.fill_kept(state, run)?;
            } else {
                found.clear();
                found.resize(run.len(), None);
                self.recovered(state, &mut found)?;
                run.iter_mut().zip(&found).for_each(|(code, found)| *code = Code::of(*found));
            }
            (state, rest) = (state + run.len() as u64, after);
        }
        Ok(())
    }
}
