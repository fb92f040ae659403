//! All processes pack the table, and the first one writes it. No process holds all values in memory.
//!
//! ```text
//! until the table is written:
//!     a superstep: the first process says which blocks come next, or that it is done
//!     a superstep: each process sends values to the processes that pack the blocks of the first round
//!     for each round, a superstep:
//!         each process sends values to the processes that pack the blocks of the next round
//!         each process packs its blocks of this round, and sends them to the first process
//! ```
//!
//! A process packs the blocks whose first state it has, up to an equal share.

use std::collections::BTreeMap;
use std::fs;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use rayon::prelude::*;
use retrograde::{Code, Counts, Histogram, Probe, Value};
use retrograde_catalog::{Keep, Output};
use retrograde_cluster::{BlockPartition, ShardValues, Supersteps, Transport};
use retrograde_games::Show;
use retrograde_table::{
    About, BestExits, Compression, InvalidStates, Options, PackTiles, Packing, SideCounts, Table,
    Tile, TilePackers, WriteError, Writer, Written,
};
use serde_json::json;

use crate::game::Game;
use crate::say::say;

/// How many blocks of the table each process packs in a round.
const TILES: usize = 32;
/// How many rounds a request has.
const ROUNDS: usize = 8;
/// The memory of the codes of one round in one process.
const ROUND_BYTES: u64 = TILES as u64 * (1 << 16) * 2;
/// The most memory that a process needs to pack: the values of two rounds, and as many in messages.
pub(crate) const BYTES: u64 = 4 * ROUND_BYTES;

/// The most memory that the first process needs besides: the blocks of two requests, packed to a fourth or less, and the
/// cache of a temporary table if there is one.
pub(crate) fn first_bytes(processes: usize, game: &dyn Game) -> u64 {
    let cache = if game.show().is_some() { 0 } else { Options::CACHE_BYTES };
    2 * (ROUNDS * processes) as u64 * ROUND_BYTES / 8 + cache
}

/// A process that has solved its states.
pub(crate) struct Source<'s, P> {
    pub(crate) values: ShardValues<'s>,
    pub(crate) supersteps: &'s mut Supersteps<P>,
    pub(crate) block_partition: BlockPartition,
    pub(crate) game: &'s dyn Game,
    /// Whether values have distances.
    pub(crate) distances: bool,
}

/// The written table.
pub(crate) struct NewTable {
    pub(crate) bytes: u64,
    /// Its path, if another file has taken its name meanwhile.
    pub(crate) kept: Option<PathBuf>,
}

impl<'s, P: Transport> Source<'s, P> {
    /// Writes the table, with the other processes. Returns a description of it in the first process.
    pub(crate) fn write(
        mut self,
        out: &Output,
        histogram: &Histogram,
    ) -> Result<Option<NewTable>, String> {
        let counts = self.game.show().map(|show| self.count(show)).transpose()?;
        let exits = self.game.exits(&out.path);
        let (exits, packers) = (exits.as_deref(), TilePackers::default());
        if self.supersteps.index() != 0 {
            while let Some(request) = self.request(&[])? {
                self.pack(&request, exits, &packers)?;
            }
            return Ok(None);
        }
        let (ask, asked) = mpsc::channel();
        let (answer, answers) = mpsc::channel();
        let tiles = AllProcesses {
            states: self.game.states(),
            distances: self.distances,
            batch: ROUNDS * TILES * self.block_partition.processes(),
            calls: Mutex::new((ask, answers)),
        };
        // One thread writes while another waits for blocks. This thread and the usual pool pack.
        let threads = rayon::current_num_threads().max(2);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| format!("no thread can be started: {error}"))?;
        let game = self.game;
        thread::scope(move |scope| {
            let write =
                move || pool.install(|| write_table(out, game, (counts, exits), histogram, tiles));
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

    /// Sends the request of the first process to all. Returns it, or `None` if the table is written.
    fn request(&mut self, request: &[u8]) -> Result<Option<Vec<u8>>, String> {
        let all = self.supersteps.end(request, |_| {}).map_err(|error| error.to_string())?;
        let request = all[0].to_vec();
        Ok((!request.is_empty()).then_some(request))
    }

    /// Packs tiles with all processes. Returns them all in the first process, and none in the others.
    fn pack(
        &mut self,
        request: &[u8],
        exits: Option<&dyn BestExits>,
        packers: &TilePackers,
    ) -> Result<Vec<Vec<u8>>, String> {
        let strange = || "a message from another process makes no sense".to_owned();
        let Request { packing, tiles } =
            Request::decode(request, self.game.states()).ok_or_else(strange)?;
        let pack = |own: BTreeMap<usize, TileValues<'_>>| {
            let packed = own.into_par_iter().map(|(number, values)| {
                let packed = packers.pack(tiles[number], packing, &values, exits)?;
                Ok::<_, String>((number, packed))
            });
            packed.collect::<Result<Vec<_>, _>>()
        };
        let first = self.supersteps.index() == 0;
        let mut all = vec![None; tiles.len()];
        let round = TILES * self.block_partition.processes();
        let mut own = self.send_values(0, &tiles[..round.min(tiles.len())]);
        self.receive(&mut own, &mut all)?;
        for start in (0..tiles.len()).step_by(round) {
            let end = tiles.len().min(start + round);
            let next = self.send_values(end, &tiles[end..tiles.len().min(end + round)]);
            for (number, packed) in pack(std::mem::replace(&mut own, next))? {
                if first {
                    all[number] = Some(packed);
                } else {
                    self.supersteps.send(0, [&head(PACKED, number, 0)[..], &packed].concat());
                }
            }
            self.receive(&mut own, &mut all)?;
        }
        if !first {
            return Ok(Vec::new());
        }
        all.into_iter().collect::<Option<Vec<_>>>().ok_or_else(strange)
    }

    /// Sends the values of this process that others pack. Returns the tiles that this process packs, by number. The
    /// first tile has the number `start`.
    fn send_values(&mut self, start: usize, tiles: &[Tile]) -> BTreeMap<usize, TileValues<'s>> {
        let Source { values, supersteps, block_partition, distances, game } = self;
        let process = supersteps.index();
        let packers = packers(block_partition, tiles);
        let (mut own, mut codes, mut far) = (BTreeMap::new(), Vec::new(), Vec::new());
        for ((number, tile), packer) in (start..).zip(tiles).zip(packers) {
            let shares = Share::all(block_partition, tile);
            if packer == process {
                let new = TileValues::new(*values, process, shares, game.states(), *distances);
                own.insert(number, new);
                continue;
            }
            codes.clear();
            far.clear();
            for share in shares.iter().filter(|share| share.process == process) {
                let at = codes.len();
                codes.resize(at + share.len, Code::INVALID);
                values.fill_codes(share.first, &mut codes[at..]);
                if codes[at..].iter().max().is_some_and(|code| code.is_far()) {
                    let states = (share.first..).zip(&codes[at..]);
                    let states = states.filter(|(_, code)| code.is_far());
                    far.extend(states.filter_map(|(state, _)| values.value(state)?.distance()));
                }
            }
            if !codes.is_empty() {
                supersteps.send(packer, values_message(number, process, &codes, &far));
            }
        }
        own
    }

    /// Ends the superstep: waits for the values of the tiles that this process packs next, and for the tiles that
    /// others have packed.
    fn receive(
        &mut self,
        own: &mut BTreeMap<usize, TileValues<'s>>,
        all: &mut [Option<Vec<u8>>],
    ) -> Result<(), String> {
        let mut torn = false;
        let take = |message: &[u8]| {
            let mut read = || {
                let (head, rest) = message.split_first_chunk::<HEAD>()?;
                let [kind, number, from] = *head.as_chunks().0 else { return None };
                let [kind, number, from] = [kind, number, from].map(u32::from_le_bytes);
                let number = number as usize;
                match kind {
                    VALUES => own.get_mut(&number)?.insert(from as usize, rest),
                    PACKED => {
                        let before = all.get_mut(number)?.replace(rest.to_vec());
                        before.is_none().then_some(())
                    }
                    _ => None,
                }
            };
            torn |= read().is_none();
        };
        self.supersteps.end(&[], take).map_err(|error| error.to_string())?;
        if torn || own.values().any(|values| values.missing > 0) {
            return Err("a message from another process makes no sense".to_owned());
        }
        Ok(())
    }

    /// How many states each side wins, loses and draws, over all processes.
    fn count(&mut self, show: &dyn Show) -> Result<Vec<SideCounts>, String> {
        let mut sums = vec![Counts::default(); show.sides().len()];
        let process = self.supersteps.index();
        for block in self.block_partition.own(process) {
            let mut states = self.block_partition.states_of(block);
            while !states.is_empty() {
                let end = states.end.min(states.start + show.side_run(states.start));
                sums[show.side_to_move(states.start)] += self.values.count(states.start..end);
                states.start = end;
            }
        }
        let said = sums.iter().flat_map(|sum| [sum.win, sum.loss, sum.draw, sum.invalid]);
        let said: Vec<u8> = said.flat_map(u64::to_le_bytes).collect();
        let all = self.supersteps.end(&said, |_| {}).map_err(|error| error.to_string())?;
        let mut sums = vec![Counts::default(); sums.len()];
        for said in all {
            let numbers = said.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
            let numbers: Vec<u64> = numbers.collect();
            for (sum, counts) in sums.iter_mut().zip(numbers.as_chunks::<4>().0) {
                let &[win, loss, draw, invalid] = counts;
                *sum += Counts { win, loss, draw, invalid };
            }
        }
        let counts = show.sides().iter().zip(sums);
        Ok(counts.map(|(side, counts)| SideCounts::new(side, counts)).collect())
    }
}

/// What all processes pack together.
struct Request {
    packing: Packing,
    tiles: Vec<Tile>,
}

/// The strengths of compression, as numbers of a request.
const STRENGTHS: [Compression; 4] =
    [Compression::None, Compression::Fast, Compression::Standard, Compression::Best];

impl Request {
    fn encode(&self) -> Vec<u8> {
        let Packing { compression, invalid_states, leaves_out_exits } = self.packing;
        let strength = STRENGTHS.iter().position(|each| *each == compression).unwrap_or_default();
        let forgotten = invalid_states == InvalidStates::Forgotten;
        let mut bytes = vec![strength as u8, u8::from(forgotten), u8::from(leaves_out_exits)];
        bytes.extend(self.tiles.iter().flat_map(Tile::to_bytes));
        bytes
    }

    /// `None` if it makes no sense for a game of `states` states.
    fn decode(bytes: &[u8], states: u64) -> Option<Request> {
        let (&[strength, forgotten, exits], tiles) = bytes.split_first_chunk()?;
        let (tiles, rest) = tiles.as_chunks();
        let packing = Packing {
            compression: *STRENGTHS.get(usize::from(strength))?,
            invalid_states: match forgotten {
                0 => InvalidStates::Kept,
                _ => InvalidStates::Forgotten,
            },
            leaves_out_exits: exits != 0,
        };
        let tiles = tiles.iter().map(|tile| Tile::from_bytes(tile, states));
        let tiles = tiles.collect::<Option<_>>().filter(|_| rest.is_empty())?;
        Some(Request { packing, tiles })
    }
}

/// States of a tile that one process has, and that follow one another.
#[derive(Clone, Copy)]
struct Share {
    first: u64,
    len: usize,
    /// The position of the first state in the tile.
    at: usize,
    process: usize,
}

impl Share {
    /// All states of a tile, in order.
    fn all(block_partition: &BlockPartition, tile: &Tile) -> Vec<Share> {
        let runs = tile.runs().flat_map(|run| block_partition.runs(run));
        let mut at = 0;
        let share = |(process, run): (usize, Range<u64>)| {
            let len = (run.end - run.start) as usize;
            at += len;
            Share { first: run.start, len, at: at - len, process }
        };
        runs.map(share).collect()
    }
}

/// The length of the head of a message: its kind, the number of the tile, and the sender.
const HEAD: usize = 12;
/// The kind of a message of values: the codes, and then the distances that do not fit a code.
const VALUES: u32 = 0;
/// The kind of a message with a packed tile.
const PACKED: u32 = 1;

fn head(kind: u32, number: usize, from: usize) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head.copy_from_slice([kind, number as u32, from as u32].map(u32::to_le_bytes).as_flattened());
    head
}

fn values_message(number: usize, from: usize, codes: &[Code], far: &[u32]) -> Vec<u8> {
    let mut message = vec![0; HEAD + 2 * codes.len()];
    let (start, rest) = message.split_at_mut(HEAD);
    start.copy_from_slice(&head(VALUES, number, from));
    let (places, _) = rest.as_chunks_mut();
    places.iter_mut().zip(codes).for_each(|(place, code)| *place = code.0.to_le_bytes());
    message.extend(far.iter().flat_map(|far| far.to_le_bytes()));
    message
}

/// For each tile, the process that packs it: the one with its first state, until this process has an equal share.
fn packers(block_partition: &BlockPartition, tiles: &[Tile]) -> Vec<usize> {
    let processes = block_partition.processes();
    let most = tiles.len().div_ceil(processes);
    let mut loads = vec![0; processes];
    let first = |tile: &Tile| tile.runs().next().and_then(|run| block_partition.runs(run).next());
    let first = tiles.iter().map(|tile| first(tile).map_or(0, |(process, _)| process));
    let wanted = first.map(|process| {
        loads[process] += 1;
        (loads[process] <= most).then_some(process)
    });
    let wanted: Vec<Option<usize>> = wanted.collect();
    let mut free = (0..processes).flat_map(|process| (loads[process]..most).map(move |_| process));
    wanted.into_iter().map(|process| process.or_else(|| free.next()).unwrap_or_default()).collect()
}

/// The values of the states of a tile. Those of this process stay in the shard.
struct TileValues<'s> {
    own: ShardValues<'s>,
    process: usize,
    shares: Vec<Share>,
    /// How many states the game has.
    states: u64,
    distances: bool,
    /// For each state its code, if another process has sent it. Empty until then.
    codes: Vec<Code>,
    /// The positions of codes for long distances, and these distances.
    far: BTreeMap<usize, u32>,
    /// How many states of other processes have no value yet.
    missing: usize,
}

impl<'s> TileValues<'s> {
    fn new(
        own: ShardValues<'s>,
        process: usize,
        shares: Vec<Share>,
        states: u64,
        distances: bool,
    ) -> TileValues<'s> {
        let others = shares.iter().filter(|share| share.process != process);
        let missing = others.map(|share| share.len).sum();
        let (codes, far) = (Vec::new(), BTreeMap::new());
        TileValues { own, process, shares, states, distances, codes, far, missing }
    }

    /// Inserts the values that another process has sent: a code for each of its states, and the distances that do not
    /// fit a code. `None` if there are too many or too few.
    fn insert(&mut self, process: usize, mut values: &[u8]) -> Option<()> {
        let TileValues { shares, codes: all, far, missing, .. } = self;
        all.resize(shares.iter().map(|share| share.len).sum(), Code::INVALID);
        let shares = shares.iter().filter(|share| share.process == process);
        for Share { at, len, .. } in shares.clone() {
            let (codes, rest) = values.split_at_checked(2 * len)?;
            let codes = codes.as_chunks().0.iter().map(|code| Code(u16::from_le_bytes(*code)));
            all[*at..at + len].iter_mut().zip(codes).for_each(|(place, code)| *place = code);
            (values, *missing) = (rest, missing.checked_sub(*len)?);
        }
        for Share { at, len, .. } in shares {
            let codes = (*at..).zip(&all[*at..at + len]);
            for (at, _) in codes.filter(|(_, code)| code.is_far()) {
                let (distance, rest) = values.split_first_chunk()?;
                far.insert(at, u32::from_le_bytes(*distance));
                values = rest;
            }
        }
        values.is_empty().then_some(())
    }

    /// The share of a state, and the position of the state in it.
    fn share(&self, state: u64) -> (&Share, usize) {
        let share = self.shares.partition_point(|share| share.first <= state) - 1;
        let share = &self.shares[share];
        (share, (state - share.first) as usize)
    }
}

/// Answers for the states of the tile only.
impl Probe for TileValues<'_> {
    type Error = String;

    fn states(&self) -> u64 {
        self.states
    }

    fn has_distances(&self) -> bool {
        self.distances
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, String> {
        let (share, within) = self.share(state);
        if share.process == self.process {
            return Ok(self.own.value(state));
        }
        let at = share.at + within;
        Ok(self.codes[at].value_with(|| self.far[&at]))
    }

    fn fill_codes(&self, mut first: u64, mut codes: &mut [Code]) -> Result<(), String> {
        while !codes.is_empty() {
            let (share, within) = self.share(first);
            let (now, rest) = codes.split_at_mut(codes.len().min(share.len - within));
            match share.process == self.process {
                true => self.own.fill_codes(first, now),
                false => {
                    let at = share.at + within;
                    now.copy_from_slice(&self.codes[at..at + now.len()]);
                }
            }
            (first, codes) = (first + now.len() as u64, rest);
        }
        Ok(())
    }
}

/// Packs with all processes, for the writer.
struct AllProcesses {
    states: u64,
    distances: bool,
    batch: usize,
    calls: Mutex<(Sender<Request>, Receiver<Vec<Vec<u8>>>)>,
}

impl PackTiles for AllProcesses {
    fn states(&self) -> u64 {
        self.states
    }

    fn has_distances(&self) -> bool {
        self.distances
    }

    fn batch(&self) -> usize {
        self.batch
    }

    fn pack(&self, tiles: &[Tile], packing: Packing) -> Result<Vec<Vec<u8>>, WriteError> {
        let stopped = || WriteError::Source("the solve has stopped".to_owned());
        let (ask, answers) = &*self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut packed = Vec::new();
        for tiles in tiles.chunks(self.batch) {
            ask.send(Request { packing, tiles: tiles.to_vec() }).map_err(|_| stopped())?;
            packed.extend(answers.recv().map_err(|_| stopped())?);
        }
        Ok(packed)
    }
}

/// Writes the table as `retrograde solve --out` does.
fn write_table(
    out: &Output,
    game: &dyn Game,
    (counts, exits): (Option<Vec<SideCounts>>, Option<&dyn BestExits>),
    histogram: &Histogram,
    tiles: AllProcesses,
) -> Result<NewTable, String> {
    /// The side to move whose states a half table keeps.
    const HALF: u64 = 0;
    let mut about = game.about(&|| temporary_table(&out.path, &tiles))?;
    if let Some(counts) = counts {
        about.counts = counts;
    }
    let mut writer = Writer::new(about)
        .compression(out.compression)
        .grids(game.grids())
        .invalid_states(InvalidStates::Forgotten)
        .histogram(histogram)
        .replace(out.replace)
        .progress(progress());
    match (out.keep, exits) {
        (Keep::Half, _) => writer = writer.half(HALF),
        (Keep::OneSide, Some(exits)) => writer = writer.leave_out(exits),
        _ => {}
    }
    match writer.write_tiles(&out.path, &tiles) {
        Ok(Written { bytes, .. }) => Ok(NewTable { bytes, kept: None }),
        Err(WriteError::Taken { kept, .. }) => {
            let found = fs::metadata(&kept).map_err(|error| error.to_string())?;
            Ok(NewTable { bytes: found.len(), kept: Some(kept) })
        }
        Err(error) => Err(error.to_string()),
    }
}

/// A temporary table of all values beside `out`. It has no name once it is open, so nothing is left of it when this
/// process ends.
fn temporary_table(out: &Path, tiles: &AllProcesses) -> Result<Table, String> {
    let mut path = out.as_os_str().to_owned();
    path.push(".values");
    let path = PathBuf::from(path);
    let writer = Writer::new(About { game: "values".into(), ..About::default() })
        .compression(Compression::Fast)
        .replace(false)
        .progress(progress());
    let path = match writer.write_tiles(&path, tiles) {
        Ok(_) => path,
        // A file of this name stays.
        Err(WriteError::Taken { kept, .. }) => kept,
        Err(error) => return Err(error.to_string()),
    };
    let table = Table::open(&path).map_err(|error| error.to_string())?;
    fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(table)
}

/// Reports how many states are written, at most ten times a second.
fn progress() -> impl FnMut(u64, u64) -> ControlFlow<()> + Send {
    let mut told = Instant::now();
    move |written, of| {
        if told.elapsed().as_millis() >= 100 {
            say(&json!({ "written": written, "of": of }));
            told = Instant::now();
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use retrograde::SolveError;
    use retrograde::adapters::Explicit;
    use retrograde_cluster::{Message, Plan, Shard};

    use super::*;

    /// The tiles of a game of 40 rows of 100 states, for two sides, in blocks of 8 rows and 30 columns.
    fn tiles() -> Vec<Tile> {
        let numbers = |block| [0, 4000, 100, 2, u64::MAX, 8, 30, block].map(u64::to_le_bytes);
        let tile =
            |block| Tile::from_bytes(numbers(block).as_flattened().try_into().unwrap(), 4000);
        (0..).map_while(tile).collect()
    }

    #[test]
    fn each_process_packs_an_equal_share_and_most_tiles_stay_where_their_first_state_is() {
        let tiles = tiles();
        assert_eq!(tiles.len(), 24);
        for processes in 1..=7 {
            let block_partition = BlockPartition::new(4000, processes, 256);
            let packers = packers(&block_partition, &tiles);
            let most = tiles.len().div_ceil(processes);
            let owner =
                |tile: &Tile| block_partition.runs(tile.runs().next().unwrap()).next().unwrap().0;
            for process in 0..processes {
                let packed = packers.iter().filter(|packer| **packer == process).count();
                assert!(packed <= most, "{processes} processes: {process} packs {packed}");
                let owned = tiles.iter().filter(|tile| owner(tile) == process).count();
                let kept = tiles.iter().zip(&packers);
                let kept =
                    kept.filter(|(tile, packer)| owner(tile) == process && **packer == process);
                assert_eq!(kept.count(), owned.min(most));
            }
        }
    }

    /// The second of three processes, without a network.
    struct Alone;

    impl Transport for Alone {
        fn index(&self) -> usize {
            1
        }

        fn processes(&self) -> usize {
            3
        }

        fn send(&mut self, _: usize, _: Message) {}

        fn receive(&mut self, _: bool) -> Result<Option<Message>, SolveError> {
            Ok(None)
        }
    }

    #[test]
    fn a_tile_gets_its_values_from_all_processes_and_refuses_others() {
        // Some distances do not fit a code.
        let distance = |state: u64| if state % 7 == 5 { 1 << 20 } else { state as u32 };
        let value = |state: u64| Some(Value::Win(distance(state)));
        let block_partition = BlockPartition::new(4000, 3, 64);
        // Nothing is seeded, so each state of this process is invalid.
        let game = Explicit::from_edges(4000, []);
        let plan = Plan::new(&game, block_partition, true);
        let mut shard = Shard::new(&game, &plan, Supersteps::new(Alone), ());
        let own = shard.values().0;
        for tile in tiles() {
            let shares = Share::all(&block_partition, &tile);
            let new = || TileValues::new(own, 1, shares.clone(), 4000, true);
            let message = |process| {
                let shares = shares.iter().filter(|share| share.process == process);
                let states = shares.flat_map(|share| share.first..share.first + share.len as u64);
                let states: Vec<u64> = states.collect();
                let codes = states.iter().map(|&state| Code::of(value(state)));
                let far = states.iter().filter(|&&state| Code::of(value(state)).is_far());
                let far: Vec<u8> = far.flat_map(|&state| distance(state).to_le_bytes()).collect();
                let codes: Vec<u8> = codes.flat_map(|Code(code)| code.to_le_bytes()).collect();
                [codes, far].concat()
            };
            let mut values = new();
            for process in [2, 0] {
                let message = message(process);
                for strange in
                    [&message[..message.len().saturating_sub(2)], &[&message[..], &[1]].concat()]
                {
                    if strange != message {
                        assert_eq!(new().insert(process, strange), None);
                    }
                }
                assert_eq!(values.insert(process, &message), Some(()));
            }
            assert_eq!(values.missing, 0);
            for run in tile.runs() {
                let expected = |state| match block_partition.runs(state..state + 1).next() {
                    Some((1, _)) => None,
                    _ => value(state),
                };
                for state in run.clone() {
                    assert_eq!(values.probe(state), Ok(expected(state)));
                }
                let mut codes = vec![Code::INVALID; (run.end - run.start) as usize];
                values.fill_codes(run.start, &mut codes).unwrap();
                assert!(codes.into_iter().eq(run.map(|state| Code::of(expected(state)))));
            }
            let again = message(0);
            assert!(again.is_empty() || values.insert(0, &again).is_none(), "a message came twice");
        }
    }

    #[test]
    fn a_request_is_read_as_it_was_written_and_others_are_refused() {
        let packing = Packing {
            compression: Compression::Best,
            invalid_states: InvalidStates::Forgotten,
            leaves_out_exits: true,
        };
        let bytes = Request { packing, tiles: tiles() }.encode();
        let read = Request::decode(&bytes, 4000).unwrap();
        assert_eq!((read.packing, read.tiles), (packing, tiles()));
        assert!(Request::decode(&bytes, 3999).is_none());
        assert!(Request::decode(&bytes[..bytes.len() - 1], 4000).is_none());
        let mut strange = bytes.clone();
        strange[0] = 4;
        assert!(Request::decode(&strange, 4000).is_none());
    }
}
