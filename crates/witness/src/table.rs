//! Reads a table by its specification (`crates/table/FORMAT.md`). Shares nothing with the code that writes
//! and reads tables elsewhere.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::Value as Json;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::Refusal;
use crate::remote::{Remote, url};

/// The number of a value, as the format has it: 0 for an invalid state, 1 for a draw, 2 + 2d for a loss in d
/// plies, 3 + 2d for a win.
pub(crate) type Number = u64;

pub(crate) const DRAW: Number = 1;
const DISTANCE_MAX: u64 = 4_000_000_000;
/// The longest header or histogram. A sparse file can claim any length.
const PART_MAX: u64 = 1 << 30;

/// An open table. All but the blocks is in memory, with checksums verified.
pub(crate) struct Table {
    pub(crate) path: PathBuf,
    file: Mutex<Bytes>,
    pub(crate) header: Json,
    /// `[distance, wins, losses]` each.
    pub(crate) histogram: Vec<[u64; 3]>,
    /// Where each block begins, and where the last one ends.
    starts: Vec<u64>,
    pub(crate) states: u64,
    pub(crate) distances: bool,
    pub(crate) invalid_kept: bool,
    /// Whether a value is only a bound where the best move leaves the table.
    pub(crate) exits_forgotten: bool,
    grids: Vec<Grid>,
}

/// Where the bytes of a table are.
enum Bytes {
    File(File, u64),
    Remote(Remote),
}

/// States in rows of one length.
struct Grid {
    /// The first state, and the first block.
    first: u64,
    first_block: u64,
    states: u64,
    columns: u64,
    sides: u64,
    half: Option<u64>,
    block_rows: u64,
    block_columns: u64,
}

/// The values of one block.
struct Block {
    values: Vec<Number>,
    /// Which of the values each state has: a byte each, or the low bytes and then the high ones.
    which: Vec<u8>,
    states: usize,
}

impl Table {
    pub(crate) fn open(path: &Path, part_bytes: u64) -> Result<Table, Refusal> {
        let fault = |what: &str| Refusal::unreadable(path, what);
        let mut file = Bytes::open(path, part_bytes).map_err(|what| fault(&what))?;
        let len = file.len();
        let mut take = |at, bytes| file.take(at, bytes).map_err(|what| fault(&what));

        let start = take(0, 56)?;
        if &start[..16] != b"retrograde table" {
            return Err(fault("it does not begin like a table"));
        }
        // Version 1 has other keys in its header, and is otherwise the same.
        let version = word(&start[16..20]);
        if !(1..=2).contains(&version) {
            return Err(fault("this program does not know its version"));
        }
        let [header_len, histogram_len, blocks, index_at, sum] =
            [20..24, 24..32, 32..40, 40..48, 48..56].map(|range| word(&start[range]));
        let text = take(56, header_len)?;
        if xxh3_64_with_seed(&[&start[..48], &text].concat(), 0) != sum {
            return Err(fault("the checksum of its header is wrong"));
        }
        let header: Json = serde_json::from_slice(&text)
            .map_err(|error| fault(&format!("its header is not JSON: {error}")))?;

        let histogram_at = 56 + header_len;
        let histogram = take(histogram_at, histogram_len)?;
        let sum = take(histogram_at + histogram_len, 8)?;
        if xxh3_64_with_seed(&histogram, 0) != word(&sum) {
            return Err(fault("the checksum of its histogram is wrong"));
        }
        let histogram = serde_json::from_slice::<Json>(&histogram).unwrap_or_default();
        let levels = histogram.as_array().ok_or_else(|| fault("its histogram is not a list"))?;
        let level = |level: &Json| {
            let number = |at: usize| level.get(at).and_then(Json::as_u64);
            Some([number(0)?, number(1)?, number(2)?])
        };
        let histogram = levels.iter().map(level).collect::<Option<Vec<_>>>();
        let histogram = histogram
            .ok_or_else(|| fault("a level of its histogram does not have three numbers"))?;

        let states = header["states"].as_u64();
        let states = states.filter(|states| *states < 1 << 44);
        let states = states.ok_or_else(|| fault("its header has no `states`"))?;
        let (keys, invalid) = match version {
            1 => (["movers", "half"], "voids"),
            _ => (["sides", "kept"], "invalid"),
        };
        let grids = match version {
            1 => vec![&header],
            _ => header["grids"].as_array().into_iter().flatten().collect(),
        };
        let (mut first, mut first_block) = (0, 0);
        let grids = grids.into_iter().map(|json| {
            let grid = Grid::of(json, keys, first, first_block).filter(|grid| {
                first += grid.states;
                first_block += grid.bands() * grid.sides_kept() * grid.strips();
                first <= states
            });
            grid.ok_or_else(|| fault("its header describes no order of states"))
        });
        let grids = grids.collect::<Result<Vec<_>, _>>()?;
        if first != states || header["unit"] != "plies" {
            return Err(fault("its header describes no order of states"));
        }
        if first_block != blocks {
            return Err(fault("its header and its blocks do not match"));
        }
        let (mut starts, mut at) = (vec![histogram_at + histogram_len + 8], index_at);
        for page in 0..blocks.div_ceil(256) {
            let here = 256.min(blocks - page * 256);
            let bytes = take(at, 16 + 4 * here)?;
            let (bytes, sum) = bytes.split_at(8 + 4 * here as usize);
            let first = word(&bytes[..8]);
            if xxh3_64_with_seed(bytes, page) != word(sum) || starts.last() != Some(&first) {
                return Err(fault(&format!("page {page} of its index is damaged")));
            }
            starts.extend(bytes[8..].chunks_exact(4).map(|end| first + word(end)));
            at += 16 + 4 * here;
        }
        if at != len || starts.last() != Some(&index_at) || !starts.is_sorted() {
            return Err(fault("its blocks and its index do not fill the file"));
        }
        Ok(Table {
            path: path.to_owned(),
            states,
            distances: header["distances"] == true,
            invalid_kept: header[invalid] == "kept",
            exits_forgotten: match header.get("exits") {
                None => false,
                Some(exits) if exits == "forgotten" => true,
                Some(_) => return Err(fault("its header has strange `exits`")),
            },
            grids,
            histogram,
            starts,
            file: Mutex::new(file),
            header,
        })
    }

    /// Whether the value of a state is in the file.
    pub(crate) fn keeps(&self, state: u64) -> bool {
        let grid = self.grid(state);
        grid.half.is_none_or(|half| (state - grid.first) / grid.columns % grid.sides == half)
    }

    /// Whether it has the values of all states.
    pub(crate) fn is_complete(&self) -> bool {
        !self.exits_forgotten && self.grids.iter().all(|grid| grid.half.is_none())
    }

    /// How many sides alternate from row to row, if that is the same in the whole table.
    pub(crate) fn sides(&self) -> Option<u64> {
        let sides = self.grids.first()?.sides;
        self.grids.iter().all(|grid| grid.sides == sides).then_some(sides)
    }

    /// How many states a band has. They are neighbours in the numbering, and a run of whole blocks in the
    /// file.
    pub(crate) fn band_states(&self) -> u64 {
        self.grids.iter().map(Grid::band_states).max().unwrap_or(1)
    }

    /// Stores the values of some states. States that are not kept stay unchanged.
    pub(crate) fn read(
        &self,
        states: Range<u64>,
        mut put: impl FnMut(usize, Number),
    ) -> Result<(), Refusal> {
        for grid in &self.grids {
            let wanted = states.start.max(grid.first)..states.end.min(grid.first + grid.states);
            if !wanted.is_empty() {
                let before = wanted.start - states.start;
                self.read_grid(grid, wanted, |at, value| put(at + before as usize, value))?;
            }
        }
        Ok(())
    }

    /// The same for states of one grid.
    fn read_grid(
        &self,
        grid: &Grid,
        states: Range<u64>,
        mut put: impl FnMut(usize, Number),
    ) -> Result<(), Refusal> {
        let row_states = grid.columns * grid.sides;
        let bands = (states.start - grid.first) / grid.band_states()
            ..(states.end - grid.first).div_ceil(grid.band_states());
        for band in bands {
            let rows = band * grid.block_rows..grid.rows().min((band + 1) * grid.block_rows);
            for kept in 0..grid.sides_kept() {
                let side = grid.half.unwrap_or(kept);
                for strip in 0..grid.strips() {
                    let first_column = strip * grid.block_columns;
                    let width = grid.block_columns.min(grid.columns - first_column);
                    let mut block = None;
                    for row in rows.clone() {
                        let first = row * row_states + side * grid.columns + first_column;
                        let first = grid.first + first;
                        let wanted = first.max(states.start)..(first + width).min(states.end);
                        if wanted.is_empty() {
                            continue;
                        }
                        let block = match &mut block {
                            Some(block) => block,
                            none => {
                                let number = (band * grid.sides_kept() + kept) * grid.strips();
                                let number = grid.first_block + number + strip;
                                let count = (rows.end - rows.start) * width;
                                none.insert(self.block(number, count as usize)?)
                            }
                        };
                        let at = (row - rows.start) * width + wanted.start - first;
                        for (at, state) in (at as usize..).zip(wanted) {
                            put((state - states.start) as usize, block.value(at));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn grid(&self, state: u64) -> &Grid {
        let grid = self.grids.iter().rfind(|grid| grid.first <= state);
        grid.expect("the first grid begins with state 0")
    }

    fn block(&self, number: u64, states: usize) -> Result<Block, Refusal> {
        let fault = |what: &str| {
            Refusal::unreadable(&self.path, &format!("block {number} is damaged: {what}"))
        };
        let range = self.starts[number as usize]..self.starts[number as usize + 1];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = file.take(range.start, range.end - range.start);
        drop(file);
        let bytes = bytes.map_err(|what| fault(&what))?;
        let (bytes, sum) = bytes.split_last_chunk::<8>().ok_or_else(|| fault("it is too short"))?;
        if xxh3_64_with_seed(bytes, number) != u64::from_le_bytes(*sum) {
            return Err(fault("its checksum is wrong"));
        }
        let (len, packed) =
            bytes.split_first_chunk::<4>().ok_or_else(|| fault("it is too short"))?;
        let len = u32::from_le_bytes(*len) as usize;
        // The list of values and the codes: no block is longer than this.
        if len > 10 + 12 * states {
            return Err(fault("it claims to be longer than any block"));
        }
        let unpacked = match packed.len() == len {
            true => packed.to_vec(),
            false => {
                zstd::bulk::decompress(packed, len).map_err(|error| fault(&error.to_string()))?
            }
        };
        let block = (unpacked.len() == len).then(|| Block::parse(&unpacked, states)).flatten();
        block.ok_or_else(|| fault("it does not have the form of a block"))
    }
}

impl Bytes {
    fn open(path: &Path, part_bytes: u64) -> Result<Bytes, String> {
        if let Some(url) = url(path) {
            return Remote::open(url, part_bytes).map(Bytes::Remote);
        }
        // Checked first, because opening a pipe would wait for a writer.
        if !path.is_file() {
            return Err("there is no file of this name".into());
        }
        let file = File::open(path).map_err(|error| error.to_string())?;
        let len = file.metadata().map_err(|error| error.to_string())?.len();
        Ok(Bytes::File(file, len))
    }

    fn len(&self) -> u64 {
        match self {
            Bytes::File(_, len) => *len,
            Bytes::Remote(remote) => remote.len(),
        }
    }

    /// Reads some bytes, if there are so many.
    fn take(&mut self, at: u64, bytes: u64) -> Result<Vec<u8>, String> {
        if at.checked_add(bytes).is_none_or(|end| end > self.len()) {
            return Err("the file is cut short".into());
        }
        let mut buffer = Vec::new();
        if bytes > PART_MAX || buffer.try_reserve_exact(bytes as usize).is_err() {
            return Err(format!("a part of {bytes} bytes is longer than any"));
        }
        match self {
            Bytes::File(file, _) => {
                file.seek(SeekFrom::Start(at)).map_err(|error| error.to_string())?;
                file.take(bytes).read_to_end(&mut buffer).map_err(|error| error.to_string())?;
            }
            Bytes::Remote(remote) => {
                buffer.resize(bytes as usize, 0);
                remote.read(at, &mut buffer)?;
            }
        }
        if buffer.len() as u64 == bytes { Ok(buffer) } else { Err("the file is cut short".into()) }
    }
}

impl Grid {
    /// Parses a grid of a header, if it makes sense. `keys` are those of the number of sides and of the side whose states are kept.
    fn of(json: &Json, [sides, kept]: [&str; 2], first: u64, first_block: u64) -> Option<Grid> {
        let number = |key: &str| json[key].as_u64();
        let half = match json.get(kept) {
            None => None,
            Some(half) => Some(half.as_u64()?),
        };
        let grid = Grid {
            first,
            first_block,
            states: number("states").filter(|states| *states < 1 << 44)?,
            columns: number("columns")?,
            sides: number(sides)?,
            half,
            block_rows: number("block_rows")?,
            block_columns: number("block_columns")?,
        };
        let laid_out = grid.columns > 0
            && grid.sides > 0
            && grid.states.checked_rem(grid.columns.saturating_mul(grid.sides)) == Some(0)
            && (1..=grid.columns).contains(&grid.block_columns)
            && grid.block_rows > 0
            && grid.block_rows.saturating_mul(grid.block_columns) <= 1 << 16
            && half.is_none_or(|half| half < grid.sides);
        laid_out.then_some(grid)
    }

    /// How many states a band has.
    fn band_states(&self) -> u64 {
        self.block_rows.saturating_mul(self.columns).saturating_mul(self.sides)
    }

    fn rows(&self) -> u64 {
        self.states / self.columns / self.sides
    }

    fn bands(&self) -> u64 {
        self.rows().div_ceil(self.block_rows)
    }

    fn strips(&self) -> u64 {
        self.columns.div_ceil(self.block_columns)
    }

    fn sides_kept(&self) -> u64 {
        if self.half.is_some() { 1 } else { self.sides }
    }
}

impl Block {
    fn parse(bytes: &[u8], states: usize) -> Option<Block> {
        let mut rest = bytes;
        let count = number(&mut rest).filter(|count| (1..=states as u64).contains(count))?;
        let mut values = vec![number(&mut rest)?];
        for at in 1..count as usize {
            let more = number(&mut rest)?;
            values.push(values[at - 1].checked_add(more)?.checked_add(1)?);
        }
        let bytes_a_state = usize::from(count > 1) + usize::from(count > 256);
        if values[count as usize - 1] > 3 + 2 * DISTANCE_MAX || rest.len() != bytes_a_state * states
        {
            return None;
        }
        let block = Block { values, which: rest.to_vec(), states };
        (0..states).all(|at| block.which(at) < block.values.len()).then_some(block)
    }

    fn which(&self, at: usize) -> usize {
        let part = |which: usize| usize::from(*self.which.get(which).unwrap_or(&0));
        if self.values.len() == 1 { 0 } else { part(at) | part(self.states + at) << 8 }
    }

    fn value(&self, at: usize) -> Number {
        self.values[self.which(at)]
    }
}

/// A number with seven bits a byte.
fn number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

/// Up to eight bytes as a number.
fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
