//! One solve on several ranks: what the commands ask for, and what they hear. A *rank* is one process of a solve.
//!
//! The commands know no network. They get [`Ranks`] from the program that starts them.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use retrograde::Progress;
use retrograde_table::{About, Compression};
use serde::Serialize;

use crate::compiled_game::Engine;

/// The ranks of a solve, as one of them sees them. All of them call the same methods in the same order.
pub trait Ranks: Sync {
    /// The number of this rank.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn count(&self) -> usize;

    /// How many ranks share this machine.
    fn beside(&self) -> usize;

    /// Solves a game, and writes its table. Returns a description of it in the first rank. If `hear` asks to stop, and the
    /// job has checkpoints, all ranks save their state and stop.
    fn solve(
        &self,
        job: &Job,
        hear: &(dyn Fn(JobReport) -> ControlFlow<()> + Sync),
    ) -> Result<Option<JobDone>, JobError>;

    /// Estimates what a solve takes.
    fn plan(&self, job: &Job) -> Result<JobPlan, String>;

    /// Removes the checkpoint of a finished solve.
    fn clear(&self, job: &Job) -> Result<(), String>;

    /// Passes the text of the first rank to all.
    fn tell(&self, text: &str) -> Result<String, String>;
}

/// What to solve, and how.
#[derive(Clone, Debug)]
pub struct Job {
    /// What to solve.
    pub task: Task,
    /// How many threads each rank has.
    pub threads: usize,
    /// How many bytes of memory each rank may take.
    pub memory: Option<u64>,
    /// The length of blocks of states, if not the usual one.
    pub block: Option<u64>,
    /// Whether distances are kept.
    pub distances: bool,
    /// The engine, if not the one that suits the game.
    pub engine: Option<Engine>,
    /// The folder where each rank keeps its log of distances, if not in memory.
    pub disk: Option<PathBuf>,
    /// Where checkpoints go.
    pub checkpoint: Option<Checkpoints>,
    /// The table that the first rank writes.
    pub out: Output,
}

/// What to solve.
#[derive(Clone, Debug)]
pub enum Task {
    /// One of the games by name, as in the header of a table.
    Game(Box<About>),
    /// A region of a family. Its exits are looked up in other tables.
    Region {
        /// The name of the family.
        family: String,
        /// The name of the region.
        region: String,
        /// The folder of the tables.
        folder: PathBuf,
    },
}

/// A folder of checkpoints, and how often to save.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    /// The folder.
    pub folder: PathBuf,
    /// The time from the end of one checkpoint to the beginning of the next.
    pub interval: Duration,
}

/// The table to write.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its path.
    pub path: PathBuf,
    /// Whether it may replace a file.
    pub replace: bool,
    /// The strength of compression.
    pub compression: Compression,
    /// Which states it keeps.
    pub keep: Keep,
}

/// Which states a table keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All states.
    All,
    /// The states of the first side.
    Half,
    /// The states of the side that packs smaller.
    OneSide,
}

/// How far a job has come.
#[derive(Clone, Debug)]
pub enum JobReport {
    /// How this rank solves.
    Begun {
        /// The engine.
        engine: &'static str,
        /// Why the engine was chosen, if the job left it open.
        reason: &'static str,
        /// The most memory that the rank takes.
        bytes: u64,
    },
    /// How many states are seeded, or have settled.
    Solved(Progress),
    /// How many values are written.
    Written(Progress),
    /// A warning.
    Note(String),
}

/// The result of a job.
#[derive(Clone, Debug)]
pub struct JobDone {
    /// The time of the solve.
    pub seconds: f64,
    /// How many bytes all ranks sent.
    pub sent_bytes: u64,
    /// The share of the time in which a rank works, on average.
    pub evenness: f64,
    /// The path of the table, if another file has taken its name.
    pub kept: Option<PathBuf>,
}

/// What a job would take.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JobPlan {
    /// How many states the game has.
    pub states: u64,
    /// The engine.
    pub engine: &'static str,
    /// Why the engine was chosen.
    pub reason: &'static str,
    /// The length of blocks.
    pub block_states: u64,
    /// The memory of the rank that takes most.
    pub memory: u64,
    /// How many moves lead into a state.
    pub moves_of_a_state: f64,
    /// How many of them start in another rank.
    pub moves_away: f64,
    /// All ranks together send at most about this number of bytes.
    pub sent_bytes_most: u64,
    /// The length of a checkpoint of one rank, if it is to save any.
    pub checkpoint_bytes: Option<u64>,
    /// The length of the log of distances of one rank, if it keeps one on disk.
    pub log_bytes: Option<u64>,
}

/// Why a job has ended without a table.
#[derive(Debug)]
pub enum JobError {
    /// It was asked to stop.
    Stopped,
    /// A problem, as text.
    Failed(String),
}

impl From<String> for JobError {
    fn from(problem: String) -> JobError {
        JobError::Failed(problem)
    }
}
