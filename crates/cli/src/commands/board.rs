//! `retrograde board`: random boards for pursuit, the same on every machine for the same seed.

use std::io::Write;

use clap::Args;
use retrograde_games::whole_number;

use crate::commands::examples;
use crate::term::failure::Failure;
use crate::term::file::ToFile;

/// Print a random board for pursuit
#[derive(Args)]
#[command(after_help = examples::BOARD)]
pub(crate) struct Board {
    /// How many rows
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count)]
    rows: u32,
    /// How many columns
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = count)]
    columns: u32,
    /// How many percent of the cells are walls, like 15 or 15%
    #[arg(long, value_name = "PERCENT", default_value_t = 15, allow_negative_numbers = true, value_parser = percent)]
    walls: u32,
    /// How many exits
    #[arg(long, value_name = "N", default_value_t = 3, allow_negative_numbers = true, value_parser = count)]
    exits: u32,
    /// How many police; with 0 there is no thief either
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = count)]
    police: u32,
    /// The same seed gives the same board
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true,
        value_parser = |text: &str| whole_number::<u64>(text, 0..=u64::MAX))]
    seed: u64,
    #[command(flatten)]
    to: ToFile,
}

impl Board {
    /// Makes the board and prints it.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let Board { rows, columns, walls, exits, police, seed, to } = self;
        let board = retrograde_games::Board::random(rows, columns, walls, exits, police, seed)
            .map_err(|error| Failure::Input(error.to_string()))?;
        to.write(out, None, |out| Ok(write!(out, "{board}")?))
    }
}

/// A count. The board says which counts it takes.
fn count(text: &str) -> Result<u32, String> {
    whole_number(text, 0..=u32::MAX.into())
}

/// A percentage, as `15` or `15%`.
fn percent(text: &str) -> Result<u32, String> {
    match text.strip_suffix('%').unwrap_or(text).parse() {
        Ok(percent @ 0..=100) => Ok(percent),
        _ => Err("write a number from 0 to 100, like 15 or 15%".to_owned()),
    }
}
