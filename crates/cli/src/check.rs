//! `retrograde check`: whether every byte of a table is as it was written.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use retrograde_table::Table;

use crate::chess;
use crate::engine::Threads;
use crate::failure::Failure;
use crate::number::{Size, grouped};
use crate::subject::{failure, tables};

/// Check all checksums of a table: whether every byte is as it was written
#[derive(Args)]
#[command(after_help = "\
Examples:
  retrograde solve pursuit examples/board.txt --out board.table
  retrograde check board.table
  # whether the values are right as well
  retrograde verify board.table
")]
pub(crate) struct Check {
    /// A table, or a folder of them
    #[arg(value_name = "TABLE", value_hint = ValueHint::AnyPath)]
    table: PathBuf,
    #[command(flatten)]
    threads: Threads,
}

impl Check {
    /// Checks and prints.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.threads.start()?;
        if let Some(endgames) = chess::endgames(&self.table)? {
            return endgames.check(out);
        }
        for path in tables(&self.table)? {
            let table = Table::open(&path).map_err(failure)?;
            table.check().map_err(failure)?;
            let (blocks, size) = (grouped(table.blocks()), Size { bytes: table.bytes() });
            writeln!(
                out,
                "OK: {}: {size} in {blocks} blocks, every checksum holds",
                path.display()
            )?;
        }
        Ok(())
    }
}
