//! `retrograde uci`: an engine for chess programs, which plays endgames from tables.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueHint};
use retrograde_uci::talk;

use crate::commands::examples;
use crate::term::failure::Failure;

/// Play chess endgames from tables in any chess program (UCI): add `retrograde uci --tables DIR` to it as an engine
#[derive(Args)]
#[command(after_help = examples::UCI)]
pub(crate) struct Uci {
    /// A folder that `retrograde build chess` has made [default: the program names one with the option Tables]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    tables: Option<PathBuf>,
}

impl Uci {
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        Ok(talk(io::stdin().lock(), out, self.tables.as_deref())?)
    }
}
