//! `retrograde line`: best play from a state to the end, with pictures of the board if the game has one.

use std::io::Write;

use clap::Args;
use retrograde::Value;
use retrograde_catalog::{Line as Best, Oracle, Pgn, State, numbered, result, word};

use retrograde_regions::Notation;

use crate::commands::examples;
use crate::report::board::board_text;
use crate::report::format::FormatArg;
use crate::report::line::{End, Played, Step};
use crate::report::list::distance;
use crate::report::verdict::{brief, side_to_move, verdict};
use crate::source::begun::Begun;
use crate::source::parameters::shared;
use crate::source::wrong::failed;
use crate::term::failure::Failure;
use crate::term::file::ToFile;

/// Print best play to the end. The winner hurries and the loser delays; a draw ends in a cycle
#[derive(Args)]
#[command(after_help = examples::LINE, mut_args = shared)]
pub(crate) struct Line {
    #[command(flatten)]
    begun: Begun,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    to: ToFile,
}

impl Line {
    /// Solves the game, plays and prints.
    pub(crate) fn run(mut self, out: &mut dyn Write) -> Result<(), Failure> {
        let (oracle, start, read) = self.begun.solved(&self.to)?;
        let oracle = &oracle;
        let line = oracle.line(&start).map_err(failed)?;
        self.to.write(out, read.as_deref(), |out| {
            self.format.printer(out).either(
                |out| match oracle.style().pgn {
                    true => write_pgn(oracle, &line, out),
                    false => write_text(oracle, &line, out),
                },
                || Ok(object(oracle, &line)),
            )
        })
    }
}

/// Prints best play as text.
fn write_text(oracle: &Oracle, line: &Best, out: &mut dyn Write) -> Result<(), Failure> {
    let (distances, start) = (oracle.has_distances(), &line.states[0]);
    let verdict = verdict(line.value, distances, side_to_move(oracle, start), &oracle.text(start));
    writeln!(out, "{verdict}\n")?;
    let mut drawn = false;
    for (ply, state) in line.states.iter().enumerate() {
        let value = brief(value_of(oracle, state)?, distances);
        let played = line.moves.get(ply);
        let played = played.map_or(String::new(), |played| format!("  {}", played.step.name));
        writeln!(out, "{ply:>4}  {}  ({value}){played}", oracle.text(state))?;
        let picture = board_text(oracle, state);
        drawn = picture.is_some();
        if let Some(picture) = picture {
            for row in picture.lines() {
                writeln!(out, "      {row}")?;
            }
            writeln!(out)?;
        }
    }
    if !drawn {
        writeln!(out)?;
    }
    Ok(writeln!(out, "{}", line.why)?)
}

/// Prints best play as a game of chess.
fn write_pgn(oracle: &Oracle, line: &Best, out: &mut dyn Write) -> Result<(), Failure> {
    let start = &line.states[0];
    let winner = match line.value {
        Value::Draw => None,
        Value::Win(_) => Some(oracle.player(start)),
        Value::Loss(_) => Some(1 - oracle.player(start)),
    };
    let pgn = Pgn {
        event: "Best play",
        players: ["?", "?"],
        result: result(winner),
        start: &oracle.text(start),
        first: oracle.player(start),
        moves: line_moves(line),
        remark: pgn_remark(oracle, line),
    };
    Ok(write!(out, "{pgn}")?)
}

/// The moves of a line, in the usual notation.
pub(crate) fn line_moves(line: &Best) -> Vec<String> {
    let moves = line.moves.iter().take(line.states.len() - 1);
    moves.map(|played| played.step.name.clone()).collect()
}

/// The moves with their numbers, and why they end.
pub(crate) fn movetext(oracle: &Oracle, line: &Best) -> Vec<String> {
    let remark = pgn_remark(oracle, line).map(|remark| format!("{{{remark}}}"));
    let mut words = numbered(&line_moves(line), oracle.player(&line.states[0]));
    words.extend(remark);
    words
}

/// Why a drawn line ends, if the result does not say so.
fn pgn_remark(oracle: &Oracle, line: &Best) -> Option<String> {
    match line.back_to {
        Some(back_to) => {
            let number = 1 + (back_to + oracle.player(&line.states[0])) / 2;
            Some(format!("as before move {number}, and so on"))
        }
        None if line.kind == "bare kings" => Some("two bare kings".to_owned()),
        None => None,
    }
}

/// Best play as an object.
fn object<'a>(oracle: &'a Oracle, line: &'a Best) -> Played<'a> {
    let distances = oracle.has_distances();
    let back_to = line.back_to.map(|place| place as u64);
    let end = End { kind: line.kind, value: word(line.last), back_to };
    let step = move |place: usize| {
        let state = &line.states[place];
        let value = value_of(oracle, state)?;
        let names = oracle.style().entries;
        let played = line.moves.get(place).filter(|_| place + 1 < line.states.len());
        let entry = |(name, notation): &(&'static str, Notation)| {
            (*name, played.map(|played| notation.of(&played.step).to_owned()))
        };
        Ok(Step {
            state: oracle.text(state),
            value: word(value),
            distance: distance(value, distances),
            picture: board_text(oracle, state),
            played: names.iter().map(entry).collect(),
        })
    };
    Played::new((oracle.game(), line.value, distances), line.states.len(), step, end)
}

fn value_of(oracle: &Oracle, state: &State) -> Result<Value, Failure> {
    let value = oracle.value(state).map_err(failed)?;
    value.ok_or_else(|| Failure::Input(format!("{} is invalid", oracle.text(state))))
}
