//! `solve --disk`: solves a game larger than memory with its parts in files, and writes a table.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueHint};
use retrograde::bit_parallel::LogError;
use retrograde::parts::Parted;
use retrograde_catalog::{AnyGame, by_side_of};
use retrograde_disk::{Disk, DiskSolution, Plan};
use retrograde_games::Banded;
use retrograde_table::About;
use serde::Serialize;
use serde_json::json;

use crate::report::format::{Printer, Report};
use crate::source::checkpoint::Checkpoint;
use crate::source::engine::EngineArgs;
use crate::source::opened::Opened;
use crate::source::save::{Save, Saved};
use crate::term::failure::{Failure, input};
use crate::term::number::{Size, grouped, time};
use crate::term::stop;

/// Whether to solve on disk.
#[derive(Args)]
#[command(next_help_heading = "Disk")]
pub(crate) struct DiskArgs {
    /// Keep in this folder what does not fit in --memory: the distances in a log, and if two bits a state are
    /// too much, all arrays. If a solve is stopped, the same command continues it. The files are removed once
    /// the table is written
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with_all = ["checkpoint", "processes", "hosts"])]
    disk: Option<PathBuf>,
    /// Print the plan of a solve on disk, with its reads and writes, and solve nothing
    #[arg(long, requires = "disk")]
    plan: bool,
}

impl DiskArgs {
    /// See [`with_one_heap`].
    pub(crate) fn with_one_heap(&self) {
        if self.disk.is_some() {
            with_one_heap();
        }
    }

    /// Whether the option is given at all.
    pub(crate) fn is_given(&self) -> bool {
        self.disk.is_some()
    }

    /// Whether a solve on disk is asked for.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.disk.is_some() && !self.plan
    }

    /// The solve on disk, if it is wanted.
    pub(crate) fn checked(
        self,
        opened: &Opened,
        engine: &EngineArgs,
        (distances, out): (bool, bool),
    ) -> Result<Option<OnDisk>, Failure> {
        let DiskArgs { disk, plan } = self;
        let Some(folder) = disk else { return Ok(None) };
        if !out && !plan {
            let advice = "a solve on disk writes a table: --disk needs --out FILE";
            return Err(Failure::Usage(advice.to_owned()));
        }
        let About { game, parameters, board, .. } = opened.about();
        let version = env!("CARGO_PKG_VERSION");
        let banded = opened.game.banded();
        let identity = json!([version, game, parameters, board, banded.is_some()]).to_string();
        let disk = engine.on_disk(&folder).distances(distances).identity(identity);
        let logged = engine.fits_with_log(&*opened.game)?.filter(|_| distances && !disk.is_begun());
        let kept = match logged {
            Some(memory) => {
                let checkpoint = Checkpoint::beside_log(folder.join(LOG), opened.about());
                Kept::Log { checkpoint, memory }
            }
            None => Kept::Parts { disk, banded },
        };
        Ok(Some(OnDisk { kept, plan }))
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

/// A solve on disk, or its plan.
pub(crate) struct OnDisk {
    kept: Kept,
    pub(crate) plan: bool,
}

/// The data on disk.
enum Kept {
    /// All arrays, in parts. The game may have another numbering.
    Parts { disk: Disk, banded: Option<Banded> },
    /// The distances, in a log. Two bits a state stay in memory: this many bytes.
    Log { checkpoint: Checkpoint, memory: u64 },
}

/// The result and the cost of a solve on disk.
pub(crate) struct DiskSolved {
    /// The table.
    pub(crate) saved: Saved,
    /// The remaining files of the folder.
    left: Left,
    /// How many passes over the files there were.
    passes: u32,
    read: u64,
    written: u64,
    seconds: f64,
}

enum Left {
    Parts(DiskSolution),
    Log(Checkpoint),
}

impl OnDisk {
    /// Solves, and writes the table.
    pub(crate) fn solve(
        self,
        opened: &Opened,
        engine: &EngineArgs,
        save: Save,
    ) -> Result<DiskSolved, Failure> {
        let (game, began) = (&*opened.game, Instant::now());
        match self.kept {
            Kept::Parts { disk, banded } => {
                stop::left("stopped; the same command continues from the last complete pass");
                let parted = parted(game, banded.as_ref());
                let solved = engine.solve_on_disk(parted, game, &disk)?;
                let seconds = began.elapsed().as_secs_f64();
                let solution = match banded {
                    Some(Banded { block_len, place_of, .. }) => {
                        solved.renumbered(block_len, place_of)
                    }
                    None => solved,
                };
                let counting = engine.quiet.doing("counting");
                let counts = by_side_of(game, &|states| solution.count(states)).map_err(input)?;
                drop(counting);
                let saved = save.write_values(game, counts, solution.histogram(), &solution)?;
                let (passes, (read, written)) = (solution.passes(), solution.bytes_moved());
                Ok(DiskSolved {
                    saved,
                    left: Left::Parts(solution),
                    passes,
                    read,
                    written,
                    seconds,
                })
            }
            Kept::Log { checkpoint, .. } => {
                let solution = engine.solve_logged(game, &checkpoint)?;
                let seconds = began.elapsed().as_secs_f64();
                let counts = by_side_of(game, &|states| Ok::<_, LogError>(solution.count(states)));
                let counts = counts.map_err(input)?;
                let saved = save.write_values(game, counts, solution.histogram(), &solution)?;
                let bytes = solution.bytes_in_store();
                let left = Left::Log(checkpoint);
                Ok(DiskSolved { saved, left, passes: 1, read: bytes, written: bytes, seconds })
            }
        }
    }

    /// Removes the files of a solve that was killed after it wrote its table.
    pub(crate) fn clear(self) -> Result<(), Failure> {
        match self.kept {
            Kept::Parts { disk, .. } => disk.clear().map_err(input),
            Kept::Log { checkpoint, .. } => checkpoint.clear(true),
        }
    }

    /// Prints the plan of a solve.
    pub(crate) fn print_plan(
        &self,
        opened: &Opened,
        printer: &mut Printer<'_>,
    ) -> Result<(), Failure> {
        let game = &*opened.game;
        let (disk, parted) = match &self.kept {
            Kept::Parts { disk, banded } => (disk, parted(game, banded.as_ref())),
            // A set of states that settle together takes ten bytes, and usually has some ten states.
            Kept::Log { memory, .. } => {
                return printer.print(&LogPlan { memory: *memory, bytes: game.states() });
            }
        };
        let plan = disk.plan(parted).map_err(input)?;
        let pace = disk.measure(parted).map_err(input)?;
        let Plan { parts, part_states, slots, neighbours, levels_a_pass, bytes } = plan;
        let pass = pace.read.max(pace.written).as_secs_f64();
        printer.print(&PartsPlan {
            parts,
            part_states,
            parts_in_memory: slots,
            neighbours,
            levels_a_pass,
            bytes,
            bytes_packed: pace.packed,
            seconds_a_pass: pass,
        })
    }
}

/// The plan of a solve whose distances go to a log.
#[derive(Serialize)]
struct LogPlan {
    memory: u64,
    bytes: u64,
}

impl Report for LogPlan {
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "memory     {}: two bits a state", Size { bytes: self.memory })?;
        let log = Size { bytes: self.bytes };
        Ok(writeln!(
            out,
            "disk       about {log} for the log of distances, written once and read once"
        )?)
    }
}

/// The plan of a solve with all its arrays in files.
#[derive(Serialize)]
struct PartsPlan {
    parts: usize,
    part_states: u64,
    parts_in_memory: usize,
    neighbours: f64,
    levels_a_pass: u32,
    bytes: u64,
    bytes_packed: u64,
    seconds_a_pass: f64,
}

impl Report for PartsPlan {
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let &PartsPlan { parts, part_states, neighbours, levels_a_pass, bytes, .. } = self;
        let (slots, pass) = (self.parts_in_memory, self.seconds_a_pass);
        let states = grouped(part_states);
        writeln!(
            out,
            "parts      {parts} of {states} states, {slots} of them in memory at a time"
        )?;
        writeln!(out, "neighbours {neighbours:.1} a part")?;
        let noun = if levels_a_pass == 1 { "level" } else { "levels" };
        let of = |levels: u32| grouped(u64::from(levels.div_ceil(levels_a_pass)));
        let (levels, hundred, thousand) = (grouped(u64::from(levels_a_pass)), of(100), of(1_000));
        writeln!(
            out,
            "passes     one for {levels} {noun}: {hundred} for 100, {thousand} for 1,000"
        )?;
        let (size, packed) = (Size { bytes }, Size { bytes: self.bytes_packed });
        writeln!(
            out,
            "disk       {size} to read and to write a pass, {packed} if it packs as at the start; twice that is kept"
        )?;
        let pass = time(pass);
        writeln!(
            out,
            "time       {pass} a pass, for reading and writing alone at the speed measured here"
        )?;
        if levels_a_pass < 4 && parts > slots {
            writeln!(
                out,
                "\nMoves lead from each part to nearly all others. More memory makes the solve faster"
            )?;
        }
        Ok(())
    }
}

/// The solution of a game in parts.
fn parted<'a>(game: &'a dyn AnyGame, banded: Option<&'a Banded>) -> &'a dyn Parted {
    banded.map_or_else(|| game.parted(), |banded| &*banded.game)
}

impl DiskSolved {
    /// Removes what is still in the folder.
    pub(crate) fn remove(self) -> Result<Saved, Failure> {
        match self.left {
            Left::Parts(solution) => solution.remove(),
            Left::Log(checkpoint) => checkpoint.remove()?,
        }
        Ok(self.saved)
    }

    /// The cost, for a person.
    pub(crate) fn write_cost(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let (read, written) = (Size { bytes: self.read }, Size { bytes: self.written });
        let passes = match self.passes {
            1 => "1 pass".to_owned(),
            passes => format!("{passes} passes"),
        };
        writeln!(out, "time       {}", time(self.seconds))?;
        Ok(writeln!(out, "disk       {passes}, {read} read, {written} written")?)
    }

    /// The same as an object.
    pub(crate) fn cost(&self) -> DiskCost {
        DiskCost {
            seconds: self.seconds,
            passes: self.passes,
            bytes_read: self.read,
            bytes_written: self.written,
        }
    }
}

/// What a solve on disk has cost.
#[derive(Serialize)]
pub(crate) struct DiskCost {
    seconds: f64,
    passes: u32,
    bytes_read: u64,
    bytes_written: u64,
}
