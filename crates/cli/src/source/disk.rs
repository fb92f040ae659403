//! `solve --disk`: solves a game larger than memory with its parts in files, and writes a table.

use std::fmt::Display;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueHint};
use retrograde::bit_parallel::WordSolution;
use retrograde::{Counts, Histogram, Probe};
use retrograde_catalog::{CompiledGame, by_side_of};
use retrograde_disk::{Disk, DiskSolution, Plan, Renumbered};
use retrograde_games::Banded;
use retrograde_table::About;
use serde::Serialize;
use serde_json::json;

use crate::report::format::{Printer, Report};
use crate::source::checkpoint::Checkpoint;
use crate::source::engine::{EngineArgs, Logged};
use crate::source::game_source::GameSource;
use crate::source::save::{Save, Saved};
use crate::term::failure::{Failure, input};
use crate::term::number::{Size, counted, grouped, time};
use crate::term::stop;

/// Whether to solve on disk.
#[derive(Args)]
#[command(next_help_heading = "Disk")]
pub(crate) struct DiskArgs {
    /// Keep in this folder what does not fit in --memory: the distances in a log, and if two or three bits a
    /// state are too much, all arrays. If a solve is stopped, the same command continues it. The files are removed once
    /// the table is written. With several ranks, each keeps its log there, and a stopped solve starts again
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "checkpoint")]
    disk: Option<PathBuf>,
}

impl DiskArgs {
    /// See [`with_one_heap`].
    pub(crate) fn with_one_heap(&self) {
        if self.disk.is_some() {
            with_one_heap();
        }
    }

    /// The folder.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.disk.as_deref()
    }

    /// Whether a solve on disk is asked for.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.disk.is_some()
    }

    /// The solve on disk, if it is wanted. It needs a table to write, or only its plan is wanted.
    pub(crate) fn checked(
        self,
        opened: &GameSource,
        engine: &EngineArgs,
        (distances, out_or_plan): (bool, bool),
    ) -> Result<Option<OnDisk>, Failure> {
        let Some(folder) = self.disk else { return Ok(None) };
        if !out_or_plan {
            let advice = "a solve on disk writes a table: --disk needs --out FILE";
            return Err(Failure::Usage(advice.to_owned()));
        }
        let About { game, parameters, board, .. } = opened.about();
        let other = opened.game.in_bands();
        let banded = other.is_some();
        let version = env!("CARGO_PKG_VERSION");
        let identity = json!([version, game, parameters, board, banded]).to_string();
        let disk = engine.on_disk(&folder).distances(distances).identity(identity);
        let other = other.as_ref().map(|banded| &*banded.game);
        let logged = engine.fits_with_log(&*opened.game, other, distances)?;
        let bits = logged.filter(|_| !disk.is_begun()).map(|logged| {
            let window = logged.window.is_some();
            let checkpoint = Checkpoint::beside_log(folder.join(LOG), opened.about(), window);
            Bits { checkpoint, logged, distances }
        });
        Ok(Some(OnDisk { disk, bits }))
    }
}

/// Starts the program again with one heap for all threads, if it has more. The allocator of glibc keeps the
/// memory that each thread has freed, so the process would take up to twice as much. Only the environment can
/// change that.
pub(crate) fn with_one_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::os::unix::process::CommandExt;
        use std::{env, process::Command};
        const HEAPS: &str = "MALLOC_ARENA_MAX";
        if env::var_os(HEAPS).is_none()
            && let Ok(program) = env::current_exe()
        {
            let mut words = env::args_os();
            let mut again = Command::new(program);
            again.arg0(words.next().unwrap_or_default()).args(words).env(HEAPS, "1");
            // It only returns if that fails, and then continues with more memory.
            let _ = again.exec();
        }
    }
}

/// The log of distances, in the folder of the solve.
const LOG: &str = "distances.log";

/// A solve on disk.
pub(crate) struct OnDisk {
    /// All arrays in parts.
    disk: Disk,
    /// The way with two or three bits a state, if it fits in memory.
    bits: Option<Bits>,
}

/// The distances in a log. With a window, the bits are on disk, too.
struct Bits {
    checkpoint: Checkpoint,
    logged: Logged,
    distances: bool,
}

/// The result and the cost of a solve on disk.
pub(crate) struct DiskSolved {
    /// The table.
    pub(crate) saved: Saved,
    /// The remaining files of the folder.
    left: Left,
    pub(crate) cost: DiskCost,
}

enum Left {
    Parts(DiskSolution),
    Log(Checkpoint),
}

impl OnDisk {
    /// Solves, and writes the table.
    pub(crate) fn solve(
        self,
        opened: &GameSource,
        engine: &EngineArgs,
        save: Save,
    ) -> Result<DiskSolved, Failure> {
        let (game, began) = (&*opened.game, Instant::now());
        let OnDisk { disk, bits } = self;
        if let Some(Bits { checkpoint, logged, distances }) = bits {
            let window = logged.window.is_some();
            let banded = game.in_bands().filter(|_| window);
            let solved = banded.as_ref().map_or(game, |banded| &*banded.game);
            if let Some(solution) = engine.solve_logged(solved, &checkpoint, (distances, window))? {
                let seconds = began.elapsed().as_secs_f64();
                let count = |solution: &WordSolution, states| solution.count(states);
                let histogram = solution.histogram();
                let saved =
                    write(game, engine, save, &solution, banded.as_ref(), count, histogram)?;
                let passes = solution.passes().max(1);
                let cost = DiskCost::new(seconds, passes, solution.bytes_moved());
                return Ok(DiskSolved { saved, left: Left::Log(checkpoint), cost });
            }
            checkpoint.remove()?;
        }
        // Only some parts are in memory, so moves should be short.
        let banded = game.in_bands();
        let solved = banded.as_ref().map_or(game, |banded| &*banded.game);
        stop::left("stopped; the same command continues from the last checkpoint");
        let solution = engine.solve_on_disk(&*solved.parted(), game, &disk)?;
        let seconds = began.elapsed().as_secs_f64();
        let count = |solution: &DiskSolution, states| solution.count(states);
        let histogram = solution.histogram();
        let saved = write(game, engine, save, &solution, banded.as_ref(), count, histogram)?;
        let cost = DiskCost::new(seconds, solution.passes(), solution.bytes_moved());
        Ok(DiskSolved { saved, left: Left::Parts(solution), cost })
    }

    /// Removes the files of a solve that was killed after it wrote its table.
    pub(crate) fn clear(self) -> Result<(), Failure> {
        match self.bits {
            None => self.disk.clear().map_err(input),
            Some(Bits { checkpoint, distances, .. }) => checkpoint.clear(distances),
        }
    }

    /// Prints the plan of a solve.
    pub(crate) fn print_plan(
        &self,
        opened: &GameSource,
        printer: &mut Printer<'_>,
    ) -> Result<(), Failure> {
        let disk = &self.disk;
        if let Some(Bits { logged: Logged { memory, window }, distances, .. }) = self.bits {
            // A set of states that settle together takes ten bytes, and usually has some ten states.
            let bytes = if distances { opened.game.states() } else { 0 };
            let window = window.map(|plan| (plan.bytes, plan.levels_a_pass));
            let (bits_bytes, levels_a_pass) = window.unzip();
            return printer.print(&LogPlan { memory, bytes, bits_bytes, levels_a_pass });
        }
        let banded = opened.game.in_bands();
        let parted = banded.as_ref().map_or(&*opened.game, |banded| &*banded.game).parted();
        let plan = disk.plan(&*parted).map_err(input)?;
        let pace = disk.measure(&*parted).map_err(input)?;
        let Plan { parts, part_states, slots, bytes } = plan;
        // A pass reads and writes what is not in memory.
        let share = (parts - slots) as f64 / parts.max(1) as f64;
        let seconds_a_pass = pace.read.max(pace.written).as_secs_f64() * share;
        printer.print(&PartsPlan {
            parts,
            part_states,
            parts_in_memory: slots,
            bytes,
            bytes_packed: pace.packed,
            seconds_a_pass,
        })
    }
}

/// The plan of a solve with two or three bits a state.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LogPlan {
    memory: u64,
    /// The log.
    bytes: u64,
    /// With a window.
    #[serde(skip_serializing_if = "Option::is_none")]
    bits_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    levels_a_pass: Option<u32>,
}

impl Report for LogPlan {
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let (memory, log) = (Size { bytes: self.memory }, Size { bytes: self.bytes });
        let (Some(bytes), Some(levels)) = (self.bits_bytes, self.levels_a_pass) else {
            writeln!(out, "memory     {memory}: two or three bits a state")?;
            return Ok(writeln!(
                out,
                "disk       about {log} for the log of distances, written once and read once"
            )?);
        };
        let bits = Size { bytes };
        writeln!(out, "memory     {memory}: two bits a state of a part of the states")?;
        writeln!(out, "passes     {}", passes(levels))?;
        writeln!(out, "disk       {bits} to read a pass and at most to write; twice that is kept")?;
        if self.bytes > 0 {
            writeln!(
                out,
                "           about {log} for the log of distances, written and read once"
            )?;
        }
        Ok(())
    }
}

/// How many levels a pass takes, and how many passes there are.
fn passes(levels_a_pass: u32) -> String {
    let noun = if levels_a_pass == 1 { "level" } else { "levels" };
    let of = |levels: u32| grouped(u64::from(levels.div_ceil(levels_a_pass)));
    let (levels, hundred, thousand) = (grouped(u64::from(levels_a_pass)), of(100), of(1_000));
    format!("one for {levels} {noun}: {hundred} for 100, {thousand} for 1,000")
}

/// The plan of a solve with all its arrays in files.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PartsPlan {
    parts: usize,
    part_states: u64,
    parts_in_memory: usize,
    bytes: u64,
    bytes_packed: u64,
    seconds_a_pass: f64,
}

impl Report for PartsPlan {
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let &PartsPlan { parts, part_states, bytes, .. } = self;
        let (slots, pass) = (self.parts_in_memory, self.seconds_a_pass);
        let states = grouped(part_states);
        writeln!(
            out,
            "parts      {parts} of {states} states, {slots} of them in memory at a time"
        )?;
        writeln!(out, "passes     {}", passes(1))?;
        let (size, packed) = (Size { bytes }, Size { bytes: self.bytes_packed });
        writeln!(
            out,
            "disk       {size} for all parts, {packed} if they pack as at the start; twice that is kept"
        )?;
        let pass = time(pass);
        Ok(writeln!(
            out,
            "time       {pass} a pass at most, to read and write the parts that are not in memory, at the speed measured here"
        )?)
    }
}

/// Counts the values of a solution, and writes its table. The solution may have the numbering of `banded`.
fn write<S: Probe + Sync, E: Display + Send>(
    game: &dyn CompiledGame,
    engine: &EngineArgs,
    save: Save,
    solution: &S,
    banded: Option<&Banded<Box<dyn CompiledGame + '_>>>,
    count: impl Fn(&S, Range<u64>) -> Result<Counts, E> + Sync,
    histogram: &Histogram,
) -> Result<Saved, Failure> {
    let values = match banded {
        Some(Banded { block_len, place_of, .. }) => Renumbered::new(solution, *block_len, place_of),
        None => Renumbered::same(solution),
    };
    let counting = engine.quiet.doing("counting");
    let counts = by_side_of(game, &|states| values.count(states, &count)).map_err(input)?;
    drop(counting);
    save.write_values(game, counts, histogram, &values)
}

impl DiskSolved {
    /// Removes what is still in the folder.
    pub(crate) fn remove(self) -> Result<Saved, Failure> {
        match self.left {
            _ if !self.saved.is_durable() => {}
            Left::Parts(solution) => solution.remove(),
            Left::Log(checkpoint) => checkpoint.remove()?,
        }
        Ok(self.saved)
    }
}

/// What a solve on disk has cost.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct DiskCost {
    seconds: f64,
    /// How many passes over the files there were.
    passes: u32,
    bytes_read: u64,
    bytes_written: u64,
}

impl DiskCost {
    fn new(seconds: f64, passes: u32, (bytes_read, bytes_written): (u64, u64)) -> DiskCost {
        DiskCost { seconds, passes, bytes_read, bytes_written }
    }

    /// The cost, for a person.
    pub(crate) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let [read, written] = [self.bytes_read, self.bytes_written].map(|bytes| Size { bytes });
        let passes = counted(self.passes, "pass");
        writeln!(out, "time       {}", time(self.seconds))?;
        Ok(writeln!(out, "disk       {passes}, {read} read, {written} written")?)
    }
}
