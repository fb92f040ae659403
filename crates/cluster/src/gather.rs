//! All ranks pack the table, and the first one writes it. No rank holds all values in memory.
//!
//! ```text
//! until the table is written:
//!     a superstep: the first rank says which blocks come next, or that it is done
//!     some supersteps, until all of them are packed:
//!         each rank sends values to the ranks that pack the blocks of the next superstep, and what it packed in the last one
//!         to the first rank
//!         while they travel, it packs its blocks of this superstep
//! ```
//!
//! A rank packs the blocks whose first state it has, up to an equal share. Some blocks are harder to pack than others. So a rank
//! may be a superstep ahead of another, and a request is long.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;

use retrograde::bit_parallel::LogError;
use retrograde::internal::threads;
use retrograde::{Code, Counts, Histogram, Value};
use retrograde_catalog::Output;
use retrograde_games::Turns;
use retrograde_table::{BestExits, Options, SideCounts, Tile, TilePackers};

use crate::block_partition::BlockPartition;
use crate::engine::{OwnValues, RankValues};
use crate::game::Game;
use crate::hear::Hear;
use crate::request::Request;
use crate::tile_values::{self, Share, TileValues};
use crate::transport::Supersteps;
use crate::write::{AllRanks, Calls, NewTable, write_table};

/// How many supersteps pack the blocks of a request. At its end, all ranks wait for the one whose blocks were hardest. With many
/// ranks there are fewer, because the first rank has all packed blocks in memory.
fn supersteps(ranks: usize) -> usize {
    (64 / ranks).clamp(8, 32)
}

/// How many states a block of the table has, and the memory of their codes.
const TILE_STATES: u64 = 1 << 16;
const TILE_BYTES: u64 = 2 * TILE_STATES;

/// How many blocks of the table each rank packs in a superstep: few for a small game, so that they take less memory than its
/// states.
fn tiles(states: u64, ranks: usize) -> usize {
    const LEAST: u64 = 2;
    /// With an eighth of them, ranks waited a third of the time for the one whose blocks were hard to pack. More are no faster.
    const MOST: u64 = 128;
    (states / ranks as u64 / TILE_STATES / supersteps(ranks) as u64).clamp(LEAST, MOST) as usize
}

/// The most memory that a rank needs to pack: the values of two supersteps, and as many in messages. The first rank needs
/// more: the blocks of two requests, packed to a fourth or less, and the cache of a temporary table if there is one.
pub(crate) fn bytes((rank, ranks): (usize, usize), game: &dyn Game) -> u64 {
    let superstep = tiles(game.states(), ranks) as u64 * TILE_BYTES;
    let of_first = || {
        let cache = if game.turns().is_some() { 0 } else { Options::CACHE_BYTES };
        2 * (supersteps(ranks) * ranks) as u64 * superstep / 8 + cache
    };
    4 * superstep + if rank == 0 { of_first() } else { 0 }
}

/// A rank that has solved its states.
pub(crate) struct Source<'s, 't> {
    pub(crate) values: &'s dyn OwnValues,
    pub(crate) supersteps: &'s mut Supersteps<'t>,
    pub(crate) block_partition: BlockPartition,
    pub(crate) game: &'s dyn Game,
    /// Whether values have distances.
    pub(crate) distances: bool,
    pub(crate) hear: Hear<'s>,
}

impl<'s> Source<'s, '_> {
    /// Writes the table, with the other ranks. Returns a description of it in the first rank.
    pub(crate) fn write(
        mut self,
        out: &Output,
        histogram: &Histogram,
    ) -> Result<Option<NewTable>, String> {
        let counts = self.game.turns().map(|show| self.count(show)).transpose()?;
        let positions = self.count_positions()?;
        let exits = self.game.exits(&out.path);
        let (exits, packers) = (exits.as_deref(), TilePackers::default());
        if self.supersteps.rank() != 0 {
            while let Some(request) = self.request(&[])? {
                self.pack(&request, exits, &packers)?;
            }
            return Ok(None);
        }
        let ranks = self.block_partition.ranks();
        let (ask, asked) = mpsc::channel();
        let (answer, answers) = mpsc::channel();
        let tiles = AllRanks {
            states: self.game.states(),
            distances: self.distances,
            batch: supersteps(ranks) * self.tiles() * ranks,
            calls: Mutex::new(Calls { requests: ask, answers }),
        };
        // One thread writes while another waits for blocks. This thread and the usual pool pack.
        let threads = rayon::current_num_threads().max(2);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| format!("no thread can be started: {error}"))?;
        let (game, hear) = (self.game, self.hear);
        thread::scope(move |scope| {
            let write = move || {
                let totals = (counts, positions);
                pool.install(|| write_table(out, game, totals, exits, histogram, tiles, hear))
            };
            let writing = thread::Builder::new().spawn_scoped(scope, write);
            let writing = writing.map_err(|error| format!("no thread can be started: {error}"))?;
            for request in asked {
                let request = Request::encode(&request);
                let tiles = self.request(&request)?.unwrap_or_default();
                let _ = answer.send(self.pack(&tiles, exits, &packers)?);
            }
            self.request(&[])?;
            let written = writing.join().map_err(|_| "the table was not written".to_owned())?;
            written.map(Some)
        })
    }

    fn tiles(&self) -> usize {
        tiles(self.game.states(), self.block_partition.ranks())
    }

    /// Sends the request of the first rank to all. Returns it, or `None` if the table is written.
    fn request(&mut self, request: &[u8]) -> Result<Option<Vec<u8>>, String> {
        let all = self.supersteps.end(request, |_| {}).map_err(|error| error.to_string())?;
        let request = all[0].to_vec();
        Ok((!request.is_empty()).then_some(request))
    }

    /// Packs tiles with all ranks. Returns them all in the first rank, and none in the others.
    fn pack(
        &mut self,
        request: &[u8],
        exits: Option<&dyn BestExits>,
        packers: &TilePackers,
    ) -> Result<Vec<Vec<u8>>, String> {
        let strange = || "a message from another rank makes no sense".to_owned();
        let Request { packing, tiles } =
            Request::decode(request, self.game.states()).ok_or_else(strange)?;
        let pack = |own: BTreeMap<usize, TileValues<'_>>| {
            let own: Vec<_> = own.into_iter().collect();
            let packed = threads::map(own.len(), |at| {
                let (number, values) = &own[at];
                let packed = packers.pack(tiles[*number], packing, values, exits)?;
                Ok::<_, String>((*number, packed))
            });
            packed.into_iter().collect::<Result<Vec<_>, _>>()
        };
        let first = self.supersteps.rank() == 0;
        let mut all = vec![None; tiles.len()];
        let packers_of = tile_values::packers(&self.block_partition, &tiles);
        let turns = turns(&packers_of, self.tiles());
        let mut own = BTreeMap::new();
        // In the last two, no values are sent: in one the last tiles are packed, and in the other they arrive.
        for turn in turns.into_iter().chain([Vec::new(), Vec::new()]) {
            let mut next = self.send_values(&turn, &tiles)?;
            self.supersteps.begin_end(&[]).map_err(|error| error.to_string())?;
            for (number, packed) in pack(own)? {
                if first {
                    all[number] = Some(packed);
                } else {
                    write_message(self.supersteps.buffer(0), (PACKED, number, 0), &[&packed]);
                }
            }
            self.receive(&mut next, &mut all)?;
            own = next;
        }
        if !first {
            return Ok(Vec::new());
        }
        all.into_iter().collect::<Option<Vec<_>>>().ok_or_else(strange)
    }

    /// Sends the values of this rank that others pack in a superstep. Returns the tiles that this rank packs, by
    /// number.
    fn send_values(
        &mut self,
        turn: &[(usize, usize)],
        tiles: &[Tile],
    ) -> Result<BTreeMap<usize, TileValues<'s>>, String> {
        let fault = |error: LogError| error.to_string();
        let Source { values, supersteps, block_partition, distances, game, .. } = self;
        let rank = supersteps.rank();
        let (mut own, mut codes, mut far) = (BTreeMap::new(), Vec::new(), Vec::new());
        for &(number, packer) in turn {
            let shares = Share::all(block_partition, &tiles[number]);
            if packer == rank {
                let new = TileValues::new(*values, rank, shares, game.states(), *distances);
                own.insert(number, new);
                continue;
            }
            codes.clear();
            far.clear();
            for share in shares.iter().filter(|share| share.rank == rank) {
                let at = codes.len();
                codes.resize(at + share.len, Code::INVALID);
                values.fill_codes(share.first, &mut codes[at..]).map_err(fault)?;
                if codes[at..].iter().max().is_some_and(|code| code.is_far()) {
                    let states = (share.first..).zip(&codes[at..]);
                    let states = states.filter(|(_, code)| code.is_far());
                    for (state, _) in states {
                        let value = values.value(state).map_err(fault)?;
                        far.extend(value.and_then(Value::distance));
                    }
                }
            }
            if !codes.is_empty() {
                write_values(supersteps.buffer(packer), (number, rank), &codes, &far);
            }
        }
        Ok(own)
    }

    /// Ends the superstep: waits for the values of the tiles that this rank packs next, and for the tiles that
    /// others have packed.
    fn receive(
        &mut self,
        own: &mut BTreeMap<usize, TileValues<'s>>,
        all: &mut [Option<Vec<u8>>],
    ) -> Result<(), String> {
        let mut torn = false;
        let take = |mut buffer: &[u8]| {
            let mut read = || {
                let (head, rest) = buffer.split_first_chunk::<HEAD>()?;
                let [kind, number, from, len] = *head.as_chunks().0 else { return None };
                let [kind, number, from, len] =
                    [kind, number, from, len].map(u32::from_le_bytes).map(|it| it as usize);
                let contents;
                (contents, buffer) = rest.split_at_checked(len)?;
                match kind {
                    VALUES => own.get_mut(&number)?.insert(from, contents)?,
                    PACKED => {
                        let before = all.get_mut(number)?.replace(contents.to_vec());
                        before.is_none().then_some(())?;
                    }
                    _ => return None,
                }
                Some(buffer.is_empty())
            };
            let end = loop {
                match read() {
                    Some(false) => {}
                    end => break end,
                }
            };
            torn |= end.is_none();
        };
        self.supersteps.finish_end(take).map_err(|error| error.to_string())?;
        if torn || own.values().any(|values| values.missing > 0) {
            return Err("a message from another rank makes no sense".to_owned());
        }
        Ok(())
    }

    /// How many states each side wins, loses and draws, over all ranks.
    fn count(&mut self, (turns, sides): (Turns, &[&str])) -> Result<Vec<SideCounts>, String> {
        let mut sums = vec![Counts::default(); sides.len()];
        let rank = self.supersteps.rank();
        for block in self.block_partition.own(rank) {
            let mut states = self.block_partition.states_of(block);
            while !states.is_empty() {
                let end = states.end.min(turns.run_end(states.start));
                let counts = self.values.count(states.start..end);
                sums[turns.side(states.start)] += counts.map_err(|error| error.to_string())?;
                states.start = end;
            }
        }
        let counts = sides.iter().zip(self.add_up(&sums)?);
        Ok(counts.map(|(side, counts)| SideCounts::new(side, counts)).collect())
    }

    /// How many positions are won, lost and drawn, over all ranks, if the header of the table tells it.
    fn count_positions(&mut self) -> Result<Option<Counts>, String> {
        let Source { values, block_partition, distances, game, .. } = *self;
        let rank = self.supersteps.rank();
        let own = RankValues { own: values, rank, block_partition, distances };
        let counts = game.position_counts(&own).map_err(|error| error.to_string())?;
        counts.map(|counts| Ok(self.add_up(&[counts])?[0])).transpose()
    }

    /// Adds up counts over all ranks.
    fn add_up(&mut self, own: &[Counts]) -> Result<Vec<Counts>, String> {
        let said = own.iter().flat_map(|sum| [sum.win, sum.loss, sum.draw, sum.invalid]);
        let said: Vec<u8> = said.flat_map(u64::to_le_bytes).collect();
        let all = self.supersteps.end(&said, |_| {}).map_err(|error| error.to_string())?;
        let mut sums = vec![Counts::default(); own.len()];
        for said in all {
            let numbers = said.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
            let numbers: Vec<u64> = numbers.collect();
            for (sum, counts) in sums.iter_mut().zip(numbers.as_chunks::<4>().0) {
                let &[win, loss, draw, invalid] = counts;
                *sum += Counts { win, loss, draw, invalid };
            }
        }
        Ok(sums)
    }
}

/// For each superstep, the numbers of the tiles that are packed in it, each with its rank. A rank packs up to `at_once`
/// tiles in each.
fn turns(packers: &[usize], at_once: usize) -> Vec<Vec<(usize, usize)>> {
    let mut turns: Vec<Vec<_>> = Vec::new();
    let mut packed = BTreeMap::<usize, usize>::new();
    for (number, &packer) in packers.iter().enumerate() {
        let before = packed.entry(packer).or_default();
        let turn = *before / at_once;
        *before += 1;
        if turn == turns.len() {
            turns.push(Vec::new());
        }
        turns[turn].push((number, packer));
    }
    turns
}

/// The length of the head of a message: its kind, the number of the tile, the sender, and the length of the contents.
const HEAD: usize = 16;
/// The kind of a message of values: the codes, and then the distances that do not fit a code.
const VALUES: usize = 0;
/// The kind of a message with a packed tile.
const PACKED: usize = 1;

fn write_message(
    buffer: &mut Vec<u8>,
    (kind, number, from): (usize, usize, usize),
    contents: &[&[u8]],
) {
    let len = contents.iter().map(|part| part.len()).sum();
    let head = [kind, number, from, len].map(|number| (number as u32).to_le_bytes());
    buffer.reserve(HEAD + len);
    buffer.extend(head.as_flattened());
    contents.iter().for_each(|part| buffer.extend_from_slice(part));
}

fn write_values(buffer: &mut Vec<u8>, (number, from): (usize, usize), codes: &[Code], far: &[u32]) {
    let codes: Vec<[u8; 2]> = codes.iter().map(|code| code.bits().to_le_bytes()).collect();
    let far: Vec<[u8; 4]> = far.iter().map(|far| far.to_le_bytes()).collect();
    let contents = [codes.as_flattened(), far.as_flattened()];
    write_message(buffer, (VALUES, number, from), &contents);
}
