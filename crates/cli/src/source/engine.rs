//! Runs a solve for the program: threads, memory limit, progress.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use retrograde::bit_parallel::{WindowPlan, WordSolution};
use retrograde::checks::Verifier;
use retrograde::parts::Parted;
use retrograde::{Solution, SolveError, Solver};
use retrograde_catalog::{CompiledGame, Engine, GameOracle, Known, Ranks};
use retrograde_disk::{Disk, DiskSolution, LogFile};

use crate::source::checkpoint::Checkpoint;
use crate::source::cost::Cost;
use crate::source::forecast;
use crate::source::game_source::GameSource;
use crate::source::options::{Memory, Threads, threads_refused};
use crate::term::failure::{Failure, input};
use crate::term::number::Size;
use crate::term::quiet::Quiet;
use crate::term::stop;

/// How to solve.
#[derive(Args)]
#[command(next_help_heading = "Engine")]
pub(crate) struct EngineArgs {
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) memory: Memory,
    /// Work on one state at a time, or on 64 at a time if the game allows it
    /// [default: 64 at a time if the game allows it]
    #[arg(long, value_enum)]
    engine: Option<Kind>,
    #[command(flatten)]
    pub(crate) quiet: Quiet,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    Scalar,
    #[value(alias = "words")]
    BitParallel,
}

/// How a solve with two or three bits a state fits in memory.
pub(crate) struct Logged {
    /// How many bytes it takes.
    pub(crate) memory: u64,
    /// The plan, if the bits do not fit.
    pub(crate) window: Option<WindowPlan>,
}

/// What a solve keeps.
#[derive(Clone, Copy)]
pub(crate) struct How<'a> {
    /// Whether to keep distances.
    pub(crate) distances: bool,
    /// Where to save the state of the solve, if anywhere.
    pub(crate) checkpoint: Option<&'a Checkpoint>,
}

impl How<'_> {
    /// A solve without checkpoints, with or without distances.
    pub(crate) fn at_once(distances: bool) -> Self {
        How { distances, checkpoint: None }
    }
}

impl EngineArgs {
    /// Starts the requested number of threads.
    pub(crate) fn start_threads(&self) -> Result<(), Failure> {
        self.start_threads_of(None)
    }

    /// The same. The ranks of a machine share its processors.
    pub(crate) fn start_threads_of(&self, ranks: Option<&dyn Ranks>) -> Result<(), Failure> {
        self.threads.start(ranks.map_or(1, Ranks::beside))
    }

    /// The engine that the user asked for, if any.
    pub(crate) fn asked(&self, game: &dyn CompiledGame) -> Result<Option<Engine>, Failure> {
        self.engine.map(|_| self.engine(game)).transpose()
    }

    /// Whether to work on 64 states of the game at a time.
    pub(crate) fn engine(&self, game: &dyn CompiledGame) -> Result<Engine, Failure> {
        match (self.engine, game.has_words()) {
            (Some(Kind::BitParallel), false) => {
                let game = game.name();
                let advice = format!(
                    "{game} cannot be solved 64 states at a time: leave --engine bit-parallel out"
                );
                Err(Failure::Usage(advice))
            }
            (Some(Kind::Scalar), _) | (None, false) => Ok(Engine::Scalar),
            (_, true) => Ok(Engine::BitParallel),
        }
    }

    /// A verifier that shows its progress. The moves of a region lead far across its numbering. So
    /// the verifier keeps all values in memory if they take at most half of the free memory, without the `loaded` bytes of
    /// the table.
    pub(crate) fn verifier(&self, region: &str, loaded: u64) -> Verifier<'static> {
        let verifier = match self.quiet.bar_for(region.to_owned(), "verified") {
            None => Verifier::new(),
            Some(bar) => Verifier::new().progress(move |progress| {
                bar.show(progress.done, progress.states);
                ControlFlow::Continue(())
            }),
        };
        match self.memory.limit() {
            Some(bytes) if !region.is_empty() => {
                verifier.memory_max(bytes.saturating_sub(loaded) / 2)
            }
            _ => verifier,
        }
    }

    /// A game with its values, from its table if it has one; otherwise the game is solved.
    pub(crate) fn solved(
        &self,
        source: &GameSource,
        how: How<'_>,
    ) -> Result<(GameOracle, Cost), Failure> {
        if let Some(table) = &source.table {
            return Ok((source.with(Arc::clone(table))?, Cost::default()));
        }
        let (solution, cost) = self.solve(&*source.game, how)?;
        let known = Known::Solution(Arc::new(solution));
        Ok((GameOracle::new(Arc::clone(&source.game), known).map_err(input)?, cost))
    }

    /// Solves a game.
    fn solve(&self, game: &dyn CompiledGame, how: How<'_>) -> Result<(Solution, Cost), Failure> {
        let How { distances, checkpoint } = how;
        let engine = self.engine(game)?;
        let threads = self.threads.for_states(game.states());
        let mut solver = Solver::new().threads(threads).distances(distances);
        if let Some(bytes) = self.memory.limit() {
            solver = solver.memory_max(bytes);
        }
        let watched = self.quiet.bar("settled").map(|bar| (bar, forecast::not_invalid(game)));
        let keeps = checkpoint.is_some();
        solver = solver.progress(move |progress| {
            if let Some((bar, open)) = &watched {
                bar.show_level(progress, *open);
            }
            // A checkpoint is possible only at the end of a level.
            if keeps { ControlFlow::Continue(()) } else { stop::or_go_on() }
        });
        if let Some(checkpoint) = checkpoint {
            let name = match engine {
                Engine::Scalar => "scalar",
                Engine::BitParallel => "bit-parallel",
            };
            solver = checkpoint.attach(solver, name, distances)?;
        }
        if engine == Engine::Scalar {
            self.quiet.forecast(game, 3.0);
        }
        let began = Instant::now();
        let solution = game.solve(engine, solver).map_err(|error| {
            let unreadable = checkpoint.and_then(|checkpoint| checkpoint.unreadable(&error));
            unreadable.unwrap_or_else(|| self.refusal(error, distances))
        })?;
        let cost = Cost::new(began.elapsed().as_secs_f64(), threads, solution.bytes());
        Ok((solution, cost))
    }

    /// Solves a game with its parts in the files of a folder. The parts may use another numbering.
    pub(crate) fn solve_on_disk(
        &self,
        parted: &dyn Parted,
        game: &dyn CompiledGame,
        disk: &Disk,
    ) -> Result<DiskSolution, Failure> {
        let watched = self.quiet.bar("settled").map(|bar| (bar, forecast::not_invalid(game)));
        let solver = Solver::new().progress(move |progress| {
            if let Some((bar, open)) = &watched {
                bar.show_level(progress, *open);
            }
            stop::or_go_on()
        });
        let solved = disk.solve(parted, solver);
        solved.map_err(|error| Failure::Input(error.to_string()))
    }

    /// The settings of a solve on disk: the same threads and memory as any solve.
    pub(crate) fn on_disk(&self, folder: &Path) -> Disk {
        let disk = Disk::new(folder).threads(rayon::current_num_threads());
        match self.memory.limit() {
            Some(bytes) => disk.memory_max(bytes),
            None => disk,
        }
    }

    /// How a solve with two or three bits a state fits in memory: in full, or with a window. `None` if it does not fit, or
    /// the user asked for the scalar engine. `banded` is the game in a numbering with shorter moves.
    pub(crate) fn fits_with_log(
        &self,
        game: &dyn CompiledGame,
        banded: Option<&dyn CompiledGame>,
        distances: bool,
    ) -> Result<Option<Logged>, Failure> {
        if self.asked(game)? == Some(Engine::Scalar) {
            return Ok(None);
        }
        let solver = self.solver_beside().distances(distances);
        let limit = solver.choices().memory_max;
        let needed = game.memory_needed_logged(&solver);
        if needed <= limit {
            return Ok(Some(Logged { memory: needed + self.beside(), window: None }));
        }
        let window = banded.unwrap_or(game).plan_window(&solver);
        if let Some(plan) = window.filter(|plan| plan.memory <= limit) {
            let memory = plan.memory + self.beside();
            return Ok(Some(Logged { memory, window: Some(plan) }));
        }
        if self.engine == Some(Kind::BitParallel) {
            let advice = "two bits a state do not fit in memory, and a solve with arrays on disk works state by state: \
                          leave --engine bit-parallel out";
            return Err(Failure::Usage(advice.to_owned()));
        }
        Ok(None)
    }

    /// The memory beside a solve with two or three bits a state: the program, the buffers of the table, and the values of eight
    /// shards for each thread that packs.
    fn beside(&self) -> u64 {
        const PROGRAM: u64 = 24 << 20;
        const THREAD: u64 = 20 << 20;
        PROGRAM + THREAD * rayon::current_num_threads() as u64
    }

    /// A solver with the rest of the memory.
    fn solver_beside<'a>(&self) -> Solver<'a> {
        let solver = Solver::new().threads(rayon::current_num_threads());
        match self.memory.limit() {
            Some(bytes) => solver.memory_max(bytes.saturating_sub(self.beside())),
            None => solver,
        }
    }

    /// Solves a game with two or three bits a state. The log of its distances is a file beside a checkpoint, and with a window the
    /// bits are there, too. `None` if exits and lists take more memory than was foreseen, and the user has not asked for
    /// this engine.
    pub(crate) fn solve_logged(
        &self,
        game: &dyn CompiledGame,
        checkpoint: &Checkpoint,
        (distances, window): (bool, bool),
    ) -> Result<Option<WordSolution>, Failure> {
        let file = checkpoint.log().unwrap_or(Path::new(""));
        let watched = self.quiet.bar("settled").map(|bar| (bar, forecast::not_invalid(game)));
        let solver = self.solver_beside().distances(distances).progress(move |progress| {
            if let Some((bar, open)) = &watched {
                bar.show_level(progress, *open);
            }
            // Without a window, a checkpoint is possible at the end of any level.
            if window { stop::or_go_on() } else { ControlFlow::Continue(()) }
        });
        let engine = if window { "words, with a window" } else { "words, with a log" };
        let solver = checkpoint.attach(solver, engine, distances)?;
        let log = LogFile::open(file).map_err(|error| Failure::Input(error.to_string()))?;
        let error = match game.solve_logged(solver, Box::new(log)) {
            Ok(solution) => return Ok(Some(solution)),
            Err(SolveError::Memory { .. }) if self.engine != Some(Kind::BitParallel) => {
                return Ok(None);
            }
            Err(error) => error,
        };
        Err(checkpoint.unreadable(&error).unwrap_or_else(|| match error {
            SolveError::Memory { needed, limit } => {
                let [needed, limit] = [needed, limit].map(|bytes| bytes + self.beside());
                self.refusal(SolveError::Memory { needed, limit }, distances)
            }
            error => self.refusal(error, distances),
        }))
    }

    fn refusal(&self, error: SolveError, distances: bool) -> Failure {
        let (needed, limit) = match error {
            SolveError::Memory { needed, limit } => (needed, limit),
            SolveError::Threads { threads, source } => {
                return Failure::Input(threads_refused(threads, &source));
            }
            error => return Failure::Input(error.to_string()),
        };
        let whose = self.memory.whose_limit(limit);
        let mut advice = String::from("a smaller game takes less");
        if distances {
            advice += ", and `solve --no-distance` as well";
        }
        if disk_left().is_none_or(|left| needed <= left) {
            advice += "; `solve --disk DIR --out FILE` keeps the arrays in files";
        }
        if whose == "there are" {
            advice += "; --memory SIZE tries all the same";
        }
        let (needed, limit) = (Size { bytes: needed }, Size { bytes: limit });
        Failure::Input(format!(
            "the solve takes up to {needed} of memory and {whose} {limit}; {advice}"
        ))
    }
}

/// How many bytes are free where the program runs, if the system says so.
fn disk_left() -> Option<u64> {
    #[cfg(unix)]
    return rustix::fs::statvfs(".")
        .ok()
        .map(|found| found.f_bavail.saturating_mul(found.f_frsize));
    #[cfg(not(unix))]
    None
}
