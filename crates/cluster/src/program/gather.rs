//! Gathers the values. The first process requests them in the order of the game and writes them to a temporary table
//! with fast compression. From this table it writes the table of the solve: tries of shapes and tall tiles read values
//! many times, and each value comes over the network once. No process holds all values in memory.
//!
//! ```text
//! until the temporary table is written:
//!     a superstep: the first process requests states, or says that it is done
//!     a superstep: every process sends it the values of its own states among them
//! ```

use std::collections::VecDeque;
use std::fs;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use retrograde::{Code, Counts, Histogram, Probe, Value};
use retrograde_catalog::{Keep, Output};
use retrograde_cluster::{BlockPartition, Piggyback, Shard, Transport};
use retrograde_games::Show;
use retrograde_table::{
    About, Compression, InvalidStates, Options, SideCounts, Table, WriteError, Writer, Written,
};
use serde_json::json;

use crate::game::Game;
use crate::say::say;

/// How many states a request asks for.
const PIECE: u64 = 1 << 18;
/// How many pieces are kept: a block of the temporary table has states of two.
const KEPT: usize = 2;
/// The most memory for the pieces of one process: those on the way, as codes and as messages.
pub(crate) const BYTES: u64 = 4 * PIECE * 2;
/// The most memory that the first process needs besides: the kept pieces, the next one, and the cache of the temporary
/// table.
pub(crate) const FIRST_BYTES: u64 = (KEPT as u64 + 1) * PIECE * 2 + Options::CACHE_BYTES;

/// A solved shard and its process.
pub(crate) struct Source<'s, 'a, P, A> {
    pub(crate) shard: &'s mut Shard<'a, P, A>,
    pub(crate) block_partition: BlockPartition,
    pub(crate) game: &'s dyn Game,
}

/// The written table.
pub(crate) struct NewTable {
    pub(crate) bytes: u64,
    /// Its path, if another file has taken its name meanwhile.
    pub(crate) kept: Option<PathBuf>,
}

impl<P: Transport, A: Piggyback> Source<'_, '_, P, A> {
    /// Lets the first process write the table. Returns a description of it in that process.
    pub(crate) fn write(
        mut self,
        (distances, out): (bool, &Output),
        histogram: &Histogram,
    ) -> Result<Option<NewTable>, String> {
        let counts = self.game.show().map(|show| self.count(show)).transpose()?;
        if self.shard.supersteps().index() != 0 {
            return self.serve().map(|()| None);
        }
        let (ask, asked) = mpsc::channel();
        let (answer, answers) = mpsc::channel();
        let brought = Brought {
            states: self.game.states(),
            distances,
            pieces: Mutex::new(Pieces { ask, answers, requested: None, kept: VecDeque::new() }),
        };
        let game = self.game;
        thread::scope(|scope| {
            let write = move || write_table(out, game, counts, histogram, brought);
            let writing = thread::Builder::new().spawn_scoped(scope, write);
            let writing = writing.map_err(|error| format!("no thread can be started: {error}"))?;
            for states in asked {
                let found = self.bring(states)?;
                let _ = answer.send(found);
            }
            self.request(0..0)?;
            let written = writing.join().map_err(|_| "the table was not written".to_owned())?;
            written.map(Some)
        })
    }

    /// Answers requests until the first process is done.
    fn serve(&mut self) -> Result<(), String> {
        loop {
            let states = self.request(0..0)?;
            if states.is_empty() {
                return Ok(());
            }
            let message = self.own(states)?;
            let supersteps = self.shard.supersteps();
            supersteps.send(0, message);
            supersteps.end(&[], |_| {}).map_err(|error| error.to_string())?;
        }
    }

    /// The values of some states, from all processes.
    fn bring(&mut self, states: Range<u64>) -> Result<Piece, String> {
        let strange = || "values from another process make no sense".to_owned();
        self.request(states.clone())?;
        let own = self.own(states.clone())?;
        let mut messages = vec![Vec::new(); self.block_partition.processes()];
        let mut torn = false;
        let mut take = |message: &[u8]| match message.split_first_chunk() {
            Some((process, values)) => {
                match messages.get_mut(u32::from_le_bytes(*process) as usize) {
                    Some(place) => *place = values.to_vec(),
                    None => torn = true,
                }
            }
            None => torn = true,
        };
        take(&own);
        let ended = self.shard.supersteps().end(&[], take);
        ended.map_err(|error| error.to_string())?;
        let mut lens = vec![0; messages.len()];
        self.block_partition
            .runs(states.clone())
            .for_each(|(process, _, run)| lens[process] += run_len(&run));
        let parts =
            messages.iter().zip(lens).map(|(message, len)| message.split_at_checked(2 * len));
        let mut parts: Vec<_> =
            parts.collect::<Option<_>>().filter(|_| !torn).ok_or_else(strange)?;
        let mut found = Piece::default();
        for (process, _, run) in self.block_partition.runs(states) {
            let (codes, far) = &mut parts[process];
            let (now, later) = codes.split_at(2 * run_len(&run));
            *codes = later;
            *far = found.append(now, far).ok_or_else(strange)?;
        }
        Ok(found)
    }

    /// Sends the request of the first process to all. Other processes only receive it.
    fn request(&mut self, states: Range<u64>) -> Result<Range<u64>, String> {
        let said = [states.start, states.end].map(u64::to_le_bytes);
        let all = self.shard.supersteps().end(said.as_flattened(), |_| {});
        let all = all.map_err(|error| error.to_string())?;
        match all[0].as_chunks::<8>().0 {
            &[start, end] => Ok(u64::from_le_bytes(start)..u64::from_le_bytes(end)),
            _ => Err("the first process asks for states that make no sense".to_owned()),
        }
    }

    /// A message with its own values among some states.
    fn own(&mut self, states: Range<u64>) -> Result<Vec<u8>, String> {
        let process = self.shard.supersteps().index();
        let (mut codes, mut far) = (Vec::new(), Vec::new());
        for (holder, renumbered, run) in self.block_partition.runs(states) {
            if holder == process {
                let at = codes.len();
                codes.resize(at + run_len(&run), Code::INVALID);
                self.shard.fill_codes(renumbered, &mut codes[at..]);
                let states = (renumbered..).zip(&codes[at..]).filter(|(_, code)| code.is_far());
                let values = states.filter_map(|(state, _)| self.shard.value(state));
                far.extend(values.filter_map(Value::distance).flat_map(u32::to_le_bytes));
            }
        }
        let mut message = (process as u32).to_le_bytes().to_vec();
        message.extend(codes.into_iter().flat_map(|Code(code)| code.to_le_bytes()));
        message.extend(far);
        Ok(message)
    }

    /// How many states each side wins, loses and draws, over all processes.
    fn count(&mut self, show: &dyn Show) -> Result<Vec<SideCounts>, String> {
        let mut sums = vec![Counts::default(); show.sides().len()];
        let process = self.shard.supersteps().index();
        for (renumbered, run) in self.block_partition.own(process) {
            let mut state = run.start;
            while state < run.end {
                let end = run.end.min(state + show.side_run(state));
                let states = renumbered + (state - run.start)..renumbered + (end - run.start);
                sums[show.side_to_move(state)] += self.shard.count(states);
                state = end;
            }
        }
        let said = sums.iter().flat_map(|sum| [sum.win, sum.loss, sum.draw, sum.invalid]);
        let said: Vec<u8> = said.flat_map(u64::to_le_bytes).collect();
        let all = self.shard.supersteps().end(&said, |_| {}).map_err(|error| error.to_string())?;
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

/// Writes the table as `retrograde solve --out` does.
fn write_table(
    out: &Output,
    game: &dyn Game,
    counts: Option<Vec<SideCounts>>,
    histogram: &Histogram,
    brought: Brought,
) -> Result<NewTable, String> {
    /// The side to move whose states a half table keeps.
    const HALF: u64 = 0;
    let values = temporary_table(&out.path, brought)?;
    let mut about = game.about(&values)?;
    if let Some(counts) = counts {
        about.counts = counts;
    }
    let exits = game.exits(&out.path);
    let mut writer = Writer::new(about)
        .compression(out.compression)
        .grids(game.grids())
        .invalid_states(InvalidStates::Forgotten)
        .histogram(histogram)
        .replace(out.replace)
        .progress(progress());
    match (out.keep, &exits) {
        (Keep::Half, _) => writer = writer.half(HALF),
        (Keep::OneSide, Some(exits)) => writer = writer.leave_out(&**exits),
        _ => {}
    }
    match writer.write(&out.path, &values) {
        Ok(Written { bytes, .. }) => Ok(NewTable { bytes, kept: None }),
        Err(WriteError::Taken { kept, .. }) => {
            let found = fs::metadata(&kept).map_err(|error| error.to_string())?;
            Ok(NewTable { bytes: found.len(), kept: Some(kept) })
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Writes the values of all processes to a temporary table beside `out`. The table has no name once it is open, so
/// nothing is left of it when this process ends.
fn temporary_table(out: &Path, brought: Brought) -> Result<Table, String> {
    let mut path = out.as_os_str().to_owned();
    path.push(".values");
    let path = PathBuf::from(path);
    // The pieces come one by one, in order.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| format!("no thread can be started: {error}"))?;
    let writer = Writer::new(About { game: "values".into(), ..About::default() })
        .compression(Compression::Fast)
        .replace(false)
        .progress(progress());
    let path = match pool.install(|| writer.write(&path, &brought)) {
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

/// The values of all processes, for a writer that reads them in order.
pub(crate) struct Brought {
    states: u64,
    distances: bool,
    pieces: Mutex<Pieces>,
}

/// The pieces in memory, and the way to get more.
struct Pieces {
    ask: Sender<Range<u64>>,
    answers: Receiver<Piece>,
    /// The piece that is on its way.
    requested: Option<u64>,
    /// By number; the newest comes first.
    kept: VecDeque<(u64, Piece)>,
}

/// The values of some states that follow one another.
#[derive(Default)]
struct Piece {
    codes: Vec<Code>,
    /// The places of codes for long distances, and these distances.
    far: Vec<(usize, u32)>,
}

impl Piece {
    /// Appends the codes that a process has sent. `far` begins with the distances that do not fit a code; the rest of
    /// it is returned. `None` if it ends too early.
    fn append<'b>(&mut self, codes: &[u8], mut far: &'b [u8]) -> Option<&'b [u8]> {
        let at = self.codes.len();
        let codes = codes.as_chunks().0.iter();
        self.codes.extend(codes.map(|code| Code(u16::from_le_bytes(*code))));
        let new = &self.codes[at..];
        if new.iter().max().is_some_and(|code| code.is_far()) {
            for (at, _) in (at..).zip(new).filter(|(_, code)| code.is_far()) {
                let (distance, rest) = far.split_first_chunk()?;
                self.far.push((at, u32::from_le_bytes(*distance)));
                far = rest;
            }
        }
        Some(far)
    }

    fn value(&self, at: usize) -> Option<Value> {
        self.codes[at].value_with(|| {
            let place = self.far.binary_search_by_key(&at, |(place, _)| *place);
            self.far[place.expect("each far code has a distance")].1
        })
    }
}

/// How many states a run has.
fn run_len(run: &Range<u64>) -> usize {
    (run.end - run.start) as usize
}

impl Pieces {
    /// A piece. If it is not in memory, waits for it, and requests the next one.
    fn find(&mut self, piece: u64, states: u64) -> Result<&Piece, String> {
        if let Some(at) = self.kept.iter().position(|(number, _)| *number == piece) {
            return Ok(&self.kept[at].1);
        }
        while self.requested != Some(piece) {
            if self.requested.is_some() {
                self.receive()?;
            }
            self.request(piece, states)?;
        }
        let found = self.receive()?;
        self.kept.truncate(KEPT - 1);
        self.kept.push_front((piece, found));
        if (piece + 1) * PIECE < states {
            self.request(piece + 1, states)?;
        }
        Ok(&self.kept[0].1)
    }

    fn request(&mut self, piece: u64, states: u64) -> Result<(), String> {
        self.requested = Some(piece);
        self.ask.send(piece * PIECE..states.min((piece + 1) * PIECE)).map_err(|_| stopped())
    }

    fn receive(&mut self) -> Result<Piece, String> {
        self.requested = None;
        self.answers.recv().map_err(|_| stopped())
    }
}

fn stopped() -> String {
    "the solve has stopped".to_owned()
}

impl Probe for Brought {
    type Error = String;

    fn states(&self) -> u64 {
        self.states
    }

    fn has_distances(&self) -> bool {
        self.distances
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, String> {
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(pieces.find(state / PIECE, self.states)?.value((state % PIECE) as usize))
    }

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), String> {
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut at, mut rest) = (first, codes);
        while !rest.is_empty() {
            let within = (at % PIECE) as usize;
            let len = rest.len().min(PIECE as usize - within);
            let (codes, left) = rest.split_at_mut(len);
            let piece = pieces.find(at / PIECE, self.states)?;
            codes.copy_from_slice(&piece.codes[within..within + len]);
            (at, rest) = (at + len as u64, left);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_piece_is_requested_once_and_the_temporary_table_has_its_values() {
        let states = 3 * PIECE + 7;
        // Some distances do not fit a code.
        let distance = |state: u64| if state % PIECE == 5 { 1 << 20 } else { state as u32 % 100 };
        let (ask, asked) = mpsc::channel::<Range<u64>>();
        let (answer, answers) = mpsc::channel();
        let answering = thread::spawn(move || {
            let mut requests = Vec::new();
            for wanted in asked {
                let mut piece = Piece::default();
                for (at, state) in wanted.clone().enumerate() {
                    let code = Code::of(Some(Value::Win(distance(state))));
                    if code.is_far() {
                        piece.far.push((at, distance(state)));
                    }
                    piece.codes.push(code);
                }
                requests.push(wanted);
                let _ = answer.send(piece);
            }
            requests
        });
        let pieces = Mutex::new(Pieces { ask, answers, requested: None, kept: VecDeque::new() });
        let folder = std::env::temp_dir().join(format!("retrograde-gather-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("a.table.values"), "a file of the user").unwrap();
        let brought = Brought { states, distances: true, pieces };
        let table = temporary_table(&folder.join("a.table"), brought).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "the temporary table has no name");
        assert_eq!(fs::read(folder.join("a.table.values")).unwrap(), b"a file of the user");
        fs::remove_dir_all(&folder).unwrap();
        for state in (0..states).step_by(997).chain([5, PIECE + 5, states - 1]) {
            assert_eq!(table.probe(state).unwrap(), Some(Value::Win(distance(state))));
        }
        let starts: Vec<u64> = answering.join().unwrap().iter().map(|range| range.start).collect();
        assert_eq!(starts, [0, 1, 2, 3].map(|piece| piece * PIECE));
    }
}
