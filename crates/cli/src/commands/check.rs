//! `retrograde check`: whether every byte of a table is as it was written.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use retrograde_table::Table;
use serde_json::{Value, json};

use crate::chess;
use crate::examples;
use crate::failure::Failure;
use crate::morris;
use crate::number::{Size, grouped};
use crate::options::{FORMAT, Json, Quiet, Threads};
use crate::subject::{failure, tables};

/// Check all checksums of a table: whether every byte is as it was written
#[derive(Args)]
#[command(after_help = examples::CHECK)]
pub(crate) struct Check {
    /// A table, or a folder of them
    #[arg(value_name = "TABLE", value_hint = ValueHint::AnyPath)]
    table: PathBuf,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    quiet: Quiet,
}

impl Check {
    /// Checks and prints.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.threads.start()?;
        if let Some(mills) = morris::mills(&self.table)? {
            return mills.check(self.json, self.quiet, out);
        }
        if let Some(endgames) = chess::endgames(&self.table)? {
            return endgames.check(self.json, self.quiet, out);
        }
        for path in tables(&self.table)? {
            let table = Table::open(&path).map_err(failure)?;
            let watched = self.quiet.doing(format!("checking {}", path.display()));
            table.check().map_err(failure)?;
            drop(watched);
            if self.json.json {
                writeln!(out, "{}", object(&table))?;
                continue;
            }
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

/// What there is to say of a table in which nothing is wrong, as an object.
pub(crate) fn object(table: &Table) -> Value {
    json!({
        "format": FORMAT,
        "file": table.path().display().to_string(),
        "bytes": table.bytes(),
        "blocks": table.blocks(),
    })
}
