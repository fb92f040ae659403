//! `retrograde probe`: the values of some states, from a table.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use retrograde_catalog::{Known, ask};

use crate::commands::examples;
use crate::report::format::{FormatArg, Printer};
use crate::report::lines::each_line;
use crate::report::list::line_of;
use crate::source::endgames::endgames;
use crate::source::mills::mills;
use crate::source::opened::{game_of, open_table, table_in};
use crate::term::failure::{Failure, input};

/// Look states up in a table: each with its value and its distance in plies
#[derive(Args)]
#[command(after_help = examples::PROBE)]
pub(crate) struct ProbeTable {
    /// A table, or a folder of endgame tables; then states are FENs
    #[arg(value_name = "TABLE", value_hint = ValueHint::AnyPath)]
    table: PathBuf,
    /// The states, as `list` writes them [default: those on standard input, one a line]
    #[arg(value_name = "STATE")]
    states: Vec<String>,
    #[command(flatten)]
    format: FormatArg,
}

impl ProbeTable {
    /// Looks up and prints.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        if let Some(mills) = mills(&self.table)? {
            return mills.probe(self.states, &mut self.format.printer(out));
        }
        if let Some(endgames) = endgames(&self.table)? {
            return endgames.probe(self.states, &mut self.format.printer(out));
        }
        let (setup, table) = open_table(&table_in(&self.table)?)?;
        let game = game_of(&setup, &table)?;
        let values = game.values(Known::Table(&table)).map_err(input)?;
        let (game, values) = (&*game, &*values);
        let ProbeTable { states, format, .. } = self;
        let mut printer = format.printer(out);
        let parse = |text: &str| {
            game.parse(text).map_err(|error| Failure::Input(format!("state {text}: {error}")))
        };
        let answer = |state: u64, printer: &mut Printer<'_>| {
            printer.either(
                |out| {
                    let value = values.probe(state).map_err(input)?;
                    let line = line_of(game, state, value, values.has_distances());
                    Ok(writeln!(out, "{}", line.trim_end())?)
                },
                || ask(game, values, state).map_err(input),
            )
        };
        if !states.is_empty() {
            // All of them first, so that a slip of the pen gives no half of an answer.
            let states: Result<Vec<u64>, Failure> = states.iter().map(|text| parse(text)).collect();
            return states?.into_iter().try_for_each(|state| answer(state, &mut printer));
        }
        each_line(&mut printer, |text, printer| answer(parse(text)?, printer))
    }
}
