//! `retrograde audit`: whether a game's moves and un-moves agree.

use std::io::Write;

use clap::Args;
use retrograde::Audited;
use serde_json::json;

use crate::engine::broken;
use crate::examples;
use crate::failure::Failure;
use crate::number::grouped;
use crate::options::{FORMAT, Json, Quiet, Threads};
use crate::subject::Subject;
use crate::summary::states_named;

/// Check a game's rules: every move forwards against every move backwards
#[derive(Args)]
#[command(after_help = examples::AUDIT)]
pub(crate) struct Audit {
    #[command(flatten)]
    subject: Subject,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    quiet: Quiet,
}

impl Audit {
    /// Checks and prints.
    pub(crate) fn run(mut self, out: &mut dyn Write) -> Result<(), Failure> {
        self.threads.start()?;
        if self.subject.whole_mills()?.is_some() {
            return Err(Failure::Usage(
                "the rules of morris need no check here; whether the values follow from them says `retrograde verify`"
                    .to_owned(),
            ));
        }
        if let Some(endgames) = self.subject.whole_endgames()? {
            return Err(endgames.not_audited());
        }
        let game = self.subject.open()?.game;
        // Each move is looked for among the un-moves of where it leads, and the other way round.
        self.quiet.forecast(&*game, 40.0);
        let auditing = self.quiet.doing("auditing");
        let audited = game.audit();
        let Audited { moves, .. } =
            audited.map_err(|error| broken(&*game, &error, Some(error.state())))?;
        drop(auditing);
        let states = states_named(&*game);
        if self.json.json {
            let object =
                json!({ "format": FORMAT, "game": game.name(), "states": states, "moves": moves });
            return Ok(writeln!(out, "{object}")?);
        }
        let (states, moves) = (grouped(states), grouped(moves));
        Ok(writeln!(out, "OK: {states} states, {moves} moves, each found again backwards")?)
    }
}
