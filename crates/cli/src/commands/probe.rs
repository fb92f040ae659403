//! `retrograde probe`: the values of some states, from a table.

use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;

use clap::{Args, ValueHint};
use retrograde_catalog::{Known, ask};

use crate::answers::unanswered;
use crate::chess;
use crate::examples;
use crate::failure::{Failure, shortened};
use crate::list::line_of;
use crate::morris;
use crate::options::{Json, versioned};
use crate::progress::note;
use crate::subject::{failure, game_of, open_table, table_in};

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
    json: Json,
}

impl ProbeTable {
    /// Looks up and prints.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        if let Some(mills) = morris::mills(&self.table)? {
            return mills.probe(self.states, self.json.json, out);
        }
        if let Some(endgames) = chess::endgames(&self.table)? {
            return endgames.probe(self.states, self.json.json, out);
        }
        let (recipe, table) = open_table(&table_in(&self.table)?)?;
        let game = game_of(&recipe, &table)?;
        let values = game.values(Known::Table(&table)).map_err(failure)?;
        let (game, values) = (&*game, &*values);
        let ProbeTable { states, json, .. } = self;
        let parse = |text: &str| {
            game.parse(text).map_err(|error| Failure::Input(format!("state {text}: {error}")))
        };
        let answer = |state: u64| -> Result<String, Failure> {
            if json.json {
                let answer = ask(game, values, state).map_err(unanswered)?;
                return serde_json::to_string(&answer).map_err(unanswered).map(versioned);
            }
            let value = values.probe(state).map_err(unanswered)?;
            Ok(line_of(game, state, value, values.has_distances()).trim_end().to_owned())
        };
        if !states.is_empty() {
            // All of them first, so that a slip of the pen gives no half of an answer.
            let states: Result<Vec<u64>, Failure> = states.iter().map(|text| parse(text)).collect();
            return states?
                .into_iter()
                .try_for_each(|state| Ok(writeln!(out, "{}", answer(state)?)?));
        }
        each_line(out, |text| answer(parse(text)?))
    }
}

/// Answers the lines of standard input. Whoever waits for an answer before asking on gets it. A line that cannot
/// be answered is named, and the others are answered all the same.
pub(crate) fn each_line(
    out: &mut dyn Write,
    mut answer: impl FnMut(&str) -> Result<String, Failure>,
) -> Result<(), Failure> {
    let mut input = BufReader::with_capacity(1 << 16, io::stdin());
    let mut line = Vec::new();
    let (mut asked, mut refused) = (0u64, 0u64);
    for number in 1u64.. {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        if read.map_err(|error| Failure::Input(format!("standard input: {error}")))? == 0 {
            break;
        }
        // The end of the line alone: in the name of a vertex blanks count.
        let ended = |text| str::trim_end_matches(str::trim_end_matches(text, '\n'), '\r');
        let answered = match std::str::from_utf8(&line).map(ended) {
            Ok("") => continue,
            Ok(text) => answer(text),
            Err(_) => Err(Failure::Input("this is no text in UTF-8".to_owned())),
        };
        asked += 1;
        match answered {
            Ok(text) => writeln!(out, "{text}")?,
            Err(Failure::Input(problem)) => {
                refused += 1;
                out.flush()?;
                let problem = shortened(&problem);
                note(&format!("error: standard input: line {number}: {problem}"));
            }
            Err(failure) => return Err(failure),
        }
        if input.buffer().is_empty() {
            out.flush()?;
        }
    }
    if refused == 0 {
        return Ok(());
    }
    out.flush()?;
    Err(Failure::Input(format!("{refused} of {asked} lines could not be answered")))
}
