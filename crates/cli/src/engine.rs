//! The solve as the program runs it: threads, a limit to its memory, a progress bar.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::time::Instant;

use clap::{Args, ValueEnum};
use retrograde::{Solution, SolveError, Solver, Verified, Verifier};
use retrograde_playable::{
    Engine, Known, Playable, address_space_left, memory_available, memory_limit,
};

use crate::checkpoint::Checkpoint;
use crate::failure::Failure;
use crate::forecast;
use crate::number::Size;
use crate::progress::Bar;

/// How to solve.
#[derive(Args)]
#[command(next_help_heading = "Engine")]
pub(crate) struct EngineArgs {
    #[command(flatten)]
    threads: Threads,
    /// How much memory the solve may take, like 8GiB [default: what is available]
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,
    /// Whether to go through states one by one, or 64 at a time where the game allows it
    /// [default: 64 at a time where it does]
    #[arg(long, value_enum)]
    engine: Option<Kind>,
    /// No progress bar
    #[arg(long, short)]
    quiet: bool,
}

/// How many threads to work on.
#[derive(Args)]
pub(crate) struct Threads {
    /// How many threads to use, up to 1024 [default: all; one for a small game]
    #[arg(long, value_name = "N", help_heading = "Engine",
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    Scalar,
    Words,
}

/// What to keep of a solve.
#[derive(Clone, Copy)]
pub(crate) struct How<'a> {
    /// Whether to keep distances.
    pub(crate) distances: bool,
    /// Where to keep the state of the solve.
    pub(crate) checkpoint: Option<&'a Checkpoint>,
}

impl How<'_> {
    /// With distances or without them, to be done in one go.
    pub(crate) fn at_once(distances: bool) -> Self {
        How { distances, checkpoint: None }
    }
}

/// A game solved.
pub(crate) struct Solved {
    /// Its values.
    pub(crate) solution: Solution,
    /// How long it took.
    pub(crate) seconds: f64,
    /// How many threads worked on it.
    pub(crate) threads: usize,
}

impl Threads {
    /// Starts as many threads as are asked for. Everything parallel runs on them.
    pub(crate) fn start(&self) -> Result<(), Failure> {
        let threads = self.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        pool.map_err(|error| {
            Failure::Input(format!("{threads} threads cannot be started ({error}); ask for fewer"))
        })
    }
}

impl Threads {
    /// How many threads a solve runs on: those asked for, or as many as such a game has work for.
    fn for_states(&self, states: u64) -> usize {
        /// Fewer are solved sooner than threads have spoken to each other.
        const STATES_A_THREAD: u64 = 1 << 18;
        let started = rayon::current_num_threads();
        match self.threads {
            Some(_) => started,
            None => (states / STATES_A_THREAD).clamp(1, started as u64) as usize,
        }
    }
}

impl EngineArgs {
    /// Starts as many threads as are asked for.
    pub(crate) fn start_threads(&self) -> Result<(), Failure> {
        self.threads.start()
    }

    /// Whether to go through the states of a game 64 at a time.
    fn engine(&self, game: &dyn Playable) -> Result<Engine, Failure> {
        match (self.engine, game.has_words()) {
            (Some(Kind::Words), false) => {
                let game = game.name();
                let advice = format!("{game} has no words of 64 states: leave --engine words out");
                Err(Failure::Usage(advice))
            }
            (Some(Kind::Scalar), _) | (None, false) => Ok(Engine::Scalar),
            (_, true) => Ok(Engine::Words),
        }
    }

    /// Verifies the values of a game.
    pub(crate) fn verify(
        &self,
        game: &dyn Playable,
        known: Known<'_>,
    ) -> Result<Verified, Failure> {
        let mut verifier = Verifier::new();
        if let Some(mut bar) = self.bar("verified") {
            let states = game.states();
            verifier = verifier.progress(move |done| {
                bar.show(None, done, states);
                ControlFlow::Continue(())
            });
        }
        let verified = game.verify(self.engine(game)?, verifier, known);
        verified.map_err(|error| Failure::Input(format!("{}: {error}", game.name())))
    }

    /// Solves a game.
    pub(crate) fn solve(&self, game: &dyn Playable, how: How<'_>) -> Result<Solved, Failure> {
        let How { distances, checkpoint } = how;
        let engine = self.engine(game)?;
        let threads = self.threads.for_states(game.states());
        let mut solver = Solver::new().threads(threads).distances(distances);
        if let Some(bytes) = memory_limit(self.memory.map(|size| size.bytes)) {
            solver = solver.memory_max(bytes);
        }
        if let Some(mut bar) = self.bar("settled") {
            solver = solver.progress(move |progress| {
                bar.show_level(progress);
                ControlFlow::Continue(())
            });
        }
        if let Some(checkpoint) = checkpoint {
            let name = match engine {
                Engine::Scalar => "scalar",
                Engine::Words => "words",
            };
            solver = checkpoint.attach(solver, name, distances)?;
        }
        if engine == Engine::Scalar {
            self.forecast(game, 3.0);
        }
        let began = Instant::now();
        let solution =
            game.solve(engine, solver).map_err(|error| self.refusal(error, distances))?;
        Ok(Solved { solution, seconds: began.elapsed().as_secs_f64(), threads })
    }

    /// Says on a terminal how long it will take to go so often through all moves, if that is long.
    pub(crate) fn forecast(&self, game: &dyn Playable, times: f64) {
        if !self.quiet && io::stderr().is_terminal() {
            forecast::say(game, times);
        }
    }

    /// A progress bar, where one is wanted and seen. `done` is what becomes of the states.
    pub(crate) fn bar(&self, done: &'static str) -> Option<Bar> {
        if self.quiet { None } else { Bar::on_terminal(done) }
    }

    fn refusal(&self, error: SolveError, distances: bool) -> Failure {
        let SolveError::Memory { needed, limit } = error else {
            return Failure::Input(error.to_string());
        };
        let asked = self.memory.is_some_and(|asked| asked.bytes <= limit);
        let caged = address_space_left() < memory_available();
        let whose = match (asked, address_space_left().is_some() && caged) {
            (true, _) => "--memory allows",
            (false, true) => "the limit on this process (`ulimit -v`) leaves",
            (false, false) => "there are",
        };
        let mut advice = String::from("a smaller game takes less");
        if distances {
            advice += ", and `solve --no-distance` as well";
        }
        if whose == "there are" {
            advice += "; --memory SIZE tries all the same";
        }
        let (needed, limit) = (Size { bytes: needed }, Size { bytes: limit });
        Failure::Input(format!("the solve needs {needed} of memory and {whose} {limit}; {advice}"))
    }
}
