//! Writes the table in the first rank.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use retrograde::{Counts, Histogram, Progress};
use retrograde_catalog::{JobReport, Keep, Output};
use retrograde_files::FileError;
use retrograde_table::{
    About, BestExits, Compression, InvalidStates, PackTiles, Packing, SideCounts, Table, Tile,
    WriteError, Writer,
};

use crate::game::Game;
use crate::hear::Hear;
use crate::request::Request;

/// The written table.
pub(crate) struct NewTable {
    /// Its path, if another file has taken its name meanwhile.
    pub(crate) kept: Option<PathBuf>,
}

/// Packs with all ranks, for the writer.
pub(crate) struct AllRanks {
    pub(crate) states: u64,
    pub(crate) distances: bool,
    pub(crate) batch: usize,
    pub(crate) calls: Mutex<Calls>,
}

/// The way to the thread that packs.
pub(crate) struct Calls {
    pub(crate) requests: Sender<Request>,
    pub(crate) answers: Receiver<Vec<Vec<u8>>>,
}

impl PackTiles for AllRanks {
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
        let Calls { requests, answers } =
            &*self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut packed = Vec::new();
        for tiles in tiles.chunks(self.batch) {
            requests.send(Request { packing, tiles: tiles.to_vec() }).map_err(|_| stopped())?;
            packed.extend(answers.recv().map_err(|_| stopped())?);
        }
        Ok(packed)
    }
}

/// Writes the table as `retrograde solve --out` does.
pub(crate) fn write_table(
    out: &Output,
    game: &dyn Game,
    (counts, positions): (Option<Vec<SideCounts>>, Option<Counts>),
    exits: Option<&dyn BestExits>,
    histogram: &Histogram,
    tiles: AllRanks,
    hear: Hear<'_>,
) -> Result<NewTable, String> {
    /// The side to move whose states a half table keeps.
    const HALF: u64 = 0;
    let mut about = game.about(&|| temporary_table(&out.path, &tiles, hear))?;
    if let Some(counts) = counts {
        about.counts = counts;
    }
    if let Some(positions) = positions {
        about.positions = Some(positions.into());
    }
    let mut writer = Writer::new(about)
        .compression(out.compression)
        .grids(game.grids())
        .invalid_states(InvalidStates::Forgotten)
        .histogram(histogram)
        .replace(out.replace)
        .progress(progress(hear));
    match (out.keep, exits) {
        (Keep::Half, _) => writer = writer.half(HALF),
        (Keep::OneSide, Some(exits)) => writer = writer.leave_out(exits),
        _ => {}
    }
    match writer.write_tiles(&out.path, &tiles) {
        Ok(_) => Ok(NewTable { kept: None }),
        Err(WriteError::File(FileError::Taken { kept, .. })) => Ok(NewTable { kept: Some(kept) }),
        Err(error) => Err(error.to_string()),
    }
}

/// A temporary table of all values beside `out`. It has no name once it is open, so nothing is left of it when this
/// rank ends.
fn temporary_table(out: &Path, tiles: &AllRanks, hear: Hear<'_>) -> Result<Table, String> {
    let mut path = out.as_os_str().to_owned();
    path.push(".values");
    let path = PathBuf::from(path);
    let writer = Writer::new(About { game: "values".into(), ..About::default() })
        .compression(Compression::Fast)
        .replace(false)
        .progress(progress(hear));
    let path = match writer.write_tiles(&path, tiles) {
        Ok(_) => path,
        // A file of this name stays.
        Err(WriteError::File(FileError::Taken { kept, .. })) => kept,
        Err(error) => return Err(error.to_string()),
    };
    let table = Table::open(&path).map_err(|error| error.to_string())?;
    fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(table)
}

/// Reports how many states are written, at most ten times a second.
fn progress(hear: Hear<'_>) -> impl FnMut(&Progress) -> ControlFlow<()> + Send {
    let mut told = Instant::now();
    move |progress| {
        if told.elapsed().as_millis() < 100 {
            return ControlFlow::Continue(());
        }
        told = Instant::now();
        hear(JobReport::Written(*progress))
    }
}
