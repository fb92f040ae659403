//! The arrays of a run of states in a snapshot.

use std::io::{self, Read, Write};

use super::storage::Storage;
use crate::solve::error::SolveError;
use crate::solve::numbers::{read_array, read_exact, read_numbers, write_numbers};

impl Storage {
    /// Writes the value and count of every state. Their distance shows which states settled at the last
    /// level.
    pub(crate) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        to.write_all(&self.cells)?;
        write_numbers(to, [self.high.len() as u64])?;
        for plane in &self.high {
            to.write_all(plane)?;
        }
        write_numbers(to, self.won.iter().copied())
    }

    /// Reads the output of [`write`](Storage::write). There are as many planes as `level` needs.
    pub(crate) fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<(), SolveError> {
        read_exact(from, &mut self.cells)?;
        self.add_planes_for(level);
        if read_array(from)? != [self.high.len() as u64] {
            return Err(SolveError::Snapshot);
        }
        for plane in &mut self.high {
            read_exact(from, plane)?;
        }
        read_numbers(from, &mut self.won)
    }
}
