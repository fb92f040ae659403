//! `retrograde probe`: the values of some states, from a table.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use retrograde_catalog::{Lines, Oracle, State, gather, word};

use crate::commands::examples;
use crate::report::board::board_text;
use crate::report::format::{FormatArg, Printer};
use crate::report::lines::each_line;
use crate::report::list::distance;
use crate::report::verdict::side_to_move;
use crate::source::target::Target;
use crate::source::wrong::failed;
use crate::term::failure::Failure;
use crate::term::number::plies;

/// Look up states in a table, and print the value and the distance in plies of each
#[derive(Args)]
#[command(after_help = examples::PROBE)]
pub(crate) struct ProbeTable {
    /// A table, or a folder of tables of regions; in such a folder, states are positions (in chess FENs)
    #[arg(value_name = "TABLE", value_hint = ValueHint::AnyPath)]
    table: PathBuf,
    /// The states, as `list` writes them [default: read them from standard input, one per line]
    #[arg(value_name = "STATE", allow_negative_numbers = true)]
    states: Vec<String>,
    #[command(flatten)]
    format: FormatArg,
}

impl ProbeTable {
    /// Looks up the states and prints their values.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let ProbeTable { table, states, format } = self;
        let mut printer = format.printer(out);
        let oracle = &Target::table(&table)?;
        if states.is_empty() {
            return each_line(&mut printer, "states, one per line,", |text, printer| {
                let state = oracle.parse(text).map_err(failed)?;
                answer(oracle, &state, printer, |out| write_line(oracle, &state, out))
            });
        }
        // Read all states first. So a typing error in one of them does not leave half of an answer.
        let states = gather(oracle, states).into_iter().map(|text| oracle.parse(&text));
        let states: Vec<State> = states.collect::<Result<_, _>>().map_err(failed)?;
        let lists = oracle.style().lists;
        for (place, state) in states.iter().enumerate() {
            printer.between(if lists && place > 0 { "\n" } else { "" })?;
            answer(oracle, state, &mut printer, |out| match lists {
                true => write_answer(oracle, state, out),
                false => write_line(oracle, state, out),
            })?;
        }
        Ok(())
    }
}

fn answer(
    oracle: &Oracle,
    state: &State,
    printer: &mut Printer<'_>,
    text: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    printer.either(text, || oracle.object(state).map_err(failed))
}

/// Prints the state, its value and its distance, with tabs between them.
fn write_line(oracle: &Oracle, state: &State, out: &mut dyn Write) -> Result<(), Failure> {
    let value = oracle.value(state).map_err(failed)?;
    let mut line = String::new();
    Lines::Tabs.write(&mut line, &oracle.text(state), value, oracle.has_distances());
    Ok(out.write_all(line.as_bytes())?)
}

/// Prints the state and each of its moves.
fn write_answer(oracle: &Oracle, state: &State, out: &mut dyn Write) -> Result<(), Failure> {
    let answer = oracle.choices(state).map_err(failed)?;
    let (style, distances) = (oracle.style(), oracle.has_distances());
    // How many moves the winner makes in this number of plies.
    let moves = |plies: u32| plies.div_ceil(2);
    let length = match (&answer.over, distance(answer.value, distances), style.moves) {
        (Some(over), ..) if answer.moves.is_empty() => format!(" ({})", over.why),
        (_, None, _) => String::new(),
        (_, Some(d), None) => format!(" in {}", plies(d)),
        (_, Some(d), Some(name)) => {
            format!(" in {} ({name} {})", plies(d), moves(d))
        }
    };
    let (value, side) = (word(answer.value).to_uppercase(), side_to_move(oracle, state));
    match board_text(oracle, state) {
        Some(picture) => writeln!(out, "{value}{length} for {side}\n\n{picture}")?,
        None => writeln!(out, "{value}{length} for {side} in {}", oracle.text(state))?,
    }
    if answer.moves.is_empty() {
        return Ok(());
    }
    let width = style.move_width;
    let column = |text: &str| format!(" {text:<6}");
    let names: String = style.columns.iter().map(|name| column(name)).collect();
    let title = style.moves.map_or(String::new(), |name| format!(" {name:>8}"));
    writeln!(out, "\n{:<width$}{names} {:<5} {:>6}{title}", "move", "value", "plies")?;
    let cell = |number: Option<u32>| number.map_or("-".to_owned(), |n| n.to_string());
    for played in &answer.moves {
        let entries = style.entries.iter().filter(|(name, _)| style.columns.contains(name));
        let entries: String =
            entries.map(|(_, notation)| column(notation.of(&played.step))).collect();
        let (value, distance) = (word(played.value), distance(played.value, distances));
        let title =
            style.moves.map_or(String::new(), |_| format!(" {:>8}", cell(distance.map(moves))));
        let label = &played.step.name;
        writeln!(out, "{label:<width$}{entries} {value:<5} {:>6}{title}", cell(distance))?;
    }
    Ok(())
}
