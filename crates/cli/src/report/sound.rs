//! Reports of checks that found no error.

use std::io::Write;
use std::path::Path;

use retrograde_table::Table;
use serde::Serialize;

use crate::report::format::Report;
use crate::term::failure::Failure;
use crate::term::number::{Size, counted, grouped};

/// Every value follows from the values one move later.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Verified<'a> {
    pub(crate) game: &'a str,
    /// The table, if one was verified.
    pub(crate) file: Option<String>,
    pub(crate) states: u64,
    pub(crate) moves: Option<u64>,
    /// The region, if it is one.
    #[serde(skip)]
    pub(crate) region: Option<&'a str>,
}

impl Report for Verified<'_> {
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let region = self.region.map_or(String::new(), |region| format!("{region}: "));
        let moves =
            self.moves.map_or(String::new(), |moves| format!(", {}", counted(moves, "move")));
        Ok(writeln!(
            out,
            "OK: {region}{}{moves}, every value follows",
            counted(self.states, "state")
        )?)
    }
}

/// Every byte of a table is as written.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Checked {
    file: String,
    bytes: u64,
    blocks: u64,
}

impl Checked {
    /// Says so of a table.
    pub(crate) fn of(table: &Table) -> Checked {
        let file = table.path().display().to_string();
        Checked { file, bytes: table.bytes(), blocks: table.blocks() }
    }
}

impl Report for Checked {
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Checked { file, bytes, blocks } = self;
        let (size, blocks) = (Size { bytes: *bytes }, counted(*blocks, "block"));
        Ok(writeln!(out, "OK: {file}: {size} in {blocks}, every checksum holds")?)
    }
}

/// A table is the published one.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PublishedTable {
    file: String,
    published: String,
}

impl PublishedTable {
    /// Says so of a file with this checksum.
    pub(crate) fn of(file: &Path, checksum: String) -> PublishedTable {
        PublishedTable { file: file.display().to_string(), published: checksum }
    }
}

impl Report for PublishedTable {
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let PublishedTable { file, published } = self;
        Ok(writeln!(out, "OK: {file}: the published table, {published}")?)
    }
}

/// The rules of a game agree with themselves.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Audited<'a> {
    pub(crate) game: &'a str,
    pub(crate) states: u64,
    /// How many numbers were checked.
    pub(crate) seen: u64,
    pub(crate) moves: u64,
    /// How many there are.
    #[serde(skip)]
    pub(crate) all: u64,
}

impl Report for Audited<'_> {
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Audited { states, seen, moves, all, .. } = *self;
        let states = match seen == all {
            true => counted(states, "state"),
            false => format!("{} of {}", grouped(seen), counted(all, "state")),
        };
        let moves = counted(moves, "move");
        Ok(writeln!(out, "OK: {states}, {moves}, each found again backwards")?)
    }
}
