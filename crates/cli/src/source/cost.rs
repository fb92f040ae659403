//! What a solve has cost.

use std::io::Write;

use serde::Serialize;

use crate::term::failure::Failure;
use crate::term::number::{Size, counted, rounded, share, time};

/// The cost of a solve. Empty if a table has answered.
#[derive(Clone, Copy, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Cost {
    seconds: Option<f64>,
    threads: Option<usize>,
    memory_bytes: Option<u64>,
}

impl Cost {
    /// The time, the number of threads, and the bytes of the solution.
    pub(crate) fn new(seconds: f64, threads: usize, memory_bytes: u64) -> Cost {
        let (seconds, threads) = (Some(seconds), Some(threads));
        Cost { seconds, threads, memory_bytes: Some(memory_bytes) }
    }

    /// Prints it in lines of their own. `states` is the number of states that a person counts.
    pub(crate) fn write(self, states: u64, out: &mut dyn Write) -> Result<(), Failure> {
        let Cost { seconds: Some(seconds), threads: Some(threads), memory_bytes: Some(bytes) } =
            self
        else {
            return Ok(());
        };
        let (threads, rate) = (counted(threads, "thread"), rounded(states as f64 / seconds));
        writeln!(out, "time       {} on {threads}, {rate} states/s", time(seconds))?;
        let share = share(bytes as f64 / states.max(1) as f64, "bytes");
        Ok(writeln!(out, "memory     {}{share}", Size { bytes })?)
    }
}
