//! The plan of a solve on several processes.

use std::io::Write;

use serde::{Deserialize, Serialize};

use crate::report::format::Report;
use crate::term::failure::Failure;
use crate::term::number::{Size, counted, grouped};

/// The plan, as `retrograde-cluster` reports it.
#[derive(Serialize, Deserialize)]
pub(crate) struct ClusterPlan {
    processes: usize,
    threads: usize,
    states: u64,
    engine: String,
    block_states: u64,
    /// The memory of the process that takes most.
    memory: u64,
    /// How much memory it may take.
    #[serde(default)]
    memory_max: Option<u64>,
    /// How many moves lead into a state, and how many of them start in another process.
    moves_of_a_state: f64,
    moves_away: f64,
    /// All messages together take at most about this number of bytes.
    sent_bytes_most: u64,
    /// The length of a checkpoint of one process, if it is to save any.
    checkpoint_bytes: Option<u64>,
    /// The length of the log of distances of one process, if it keeps one on disk.
    #[serde(default)]
    log_bytes: Option<u64>,
}

impl ClusterPlan {
    /// The same plan, with a limit for the memory of a process.
    pub(super) fn limited(self, memory_max: Option<u64>) -> ClusterPlan {
        ClusterPlan { memory_max, ..self }
    }
}

impl Report for ClusterPlan {
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let &ClusterPlan { processes, threads, states, block_states, memory, .. } = self;
        let size = |bytes| Size { bytes };
        writeln!(out, "processes  {processes}, {} each", counted(threads, "thread"))?;
        writeln!(out, "engine     {}", self.engine)?;
        writeln!(out, "states     {}, in blocks of {}", grouped(states), grouped(block_states))?;
        writeln!(out, "memory     {} for each process", size(memory))?;
        if let Some(limit) = self.memory_max.filter(|limit| memory > *limit) {
            let limit = size(limit);
            writeln!(out, "           each may take {limit}: more processes need less each")?;
        }
        let share = 100.0 * self.moves_away / self.moves_of_a_state.max(f64::MIN_POSITIVE);
        writeln!(
            out,
            "messages   {} at most in all: {:.1} moves lead into a state, {share:.0}% of them from another process",
            size(self.sent_bytes_most),
            self.moves_of_a_state
        )?;
        match (self.checkpoint_bytes, self.log_bytes) {
            (Some(bytes), _) => writeln!(
                out,
                "disk       about {} for the checkpoint of each process; twice that while it saves one",
                size(bytes)
            )?,
            (None, Some(bytes)) => writeln!(
                out,
                "disk       about {} for the log of distances of each process",
                size(bytes)
            )?,
            (None, None) => writeln!(out, "disk       nothing besides the table")?,
        }
        Ok(())
    }
}
