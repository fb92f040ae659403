//! `retrograde verify`: whether every value follows from those one move on.

use std::io::Write;

use clap::Args;
use retrograde::Verified;
use serde_json::{Value, json};

use crate::engine::{EngineArgs, How};
use crate::examples;
use crate::failure::Failure;
use crate::number::grouped;
use crate::options::{FORMAT, Json};
use crate::subject::Subject;

/// Check a table, or solve a game and check the solution: every value and distance against those one move on
#[derive(Args)]
#[command(after_help = examples::VERIFY)]
pub(crate) struct Verify {
    #[command(flatten)]
    subject: Subject,
    /// Values alone
    #[arg(long, help_heading = "Engine")]
    no_distance: bool,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    engine: EngineArgs,
}

impl Verify {
    /// Solves, checks and prints.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.engine.start_threads()?;
        let Verify { mut subject, no_distance, json, engine } = self;
        if let Some(mills) = subject.whole_mills()? {
            return mills.verify(json, &engine, out);
        }
        if let Some(endgames) = subject.whole_endgames()? {
            return endgames.verify(json, &engine, out);
        }
        for opened in subject.open_all(engine.memory)? {
            let answers = opened.answers(&engine, How::at_once(!no_distance))?;
            let Verified { moves, .. } = engine.verify(&*opened.game, answers.known())?;
            let counts = answers.counts()?;
            let states = counts.iter().map(|of| of.win + of.loss + of.draw).sum();
            if json.json {
                let table = opened.table.map(|table| table.path().display().to_string());
                let object = object(opened.game.name(), table.as_deref(), states, moves);
                writeln!(out, "{object}")?;
            } else {
                writeln!(out, "OK: {}", all_follow(states, moves))?;
            }
        }
        Ok(())
    }
}

/// What there is to say where nothing is wrong.
pub(crate) fn all_follow(states: u64, moves: Option<u64>) -> String {
    let moves = moves.map_or(String::new(), |moves| format!(", {} moves", grouped(moves)));
    format!("{} states{moves}, every value follows", grouped(states))
}

/// The same as an object.
pub(crate) fn object(game: &str, file: Option<&str>, states: u64, moves: Option<u64>) -> Value {
    json!({ "format": FORMAT, "game": game, "file": file, "states": states, "moves": moves })
}
