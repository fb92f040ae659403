//! `retrograde verify`: whether every value follows from those one move on.

use std::io::Write;

use clap::Args;
use retrograde::Verified;

use crate::engine::{EngineArgs, How};
use crate::examples;
use crate::failure::Failure;
use crate::number::grouped;
use crate::subject::Subject;
use crate::summary::states_named;

/// Check a table, or solve a game and check the solution: every value and distance against those one move on
#[derive(Args)]
#[command(after_help = examples::ALL)]
pub(crate) struct Verify {
    #[command(flatten)]
    subject: Subject,
    /// Values alone
    #[arg(long, help_heading = "Engine")]
    no_distance: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

impl Verify {
    /// Solves, checks and prints.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.engine.start_threads()?;
        let Verify { mut subject, no_distance, engine } = self;
        if let Some((endgames, only)) = subject.endgames()? {
            return endgames.verify(only.as_deref(), out);
        }
        for opened in subject.open_all()? {
            let answers = opened.answers(&engine, How::at_once(!no_distance))?;
            let Verified { moves, .. } = engine.verify(&*opened.game, answers.known())?;
            writeln!(out, "OK: {}", all_follow(states_named(&*opened.game), moves))?;
        }
        Ok(())
    }
}

/// What there is to say where nothing is wrong.
pub(crate) fn all_follow(states: u64, moves: Option<u64>) -> String {
    let moves = moves.map_or(String::new(), |moves| format!(", {} moves", grouped(moves)));
    format!("{} states{moves}, every value follows", grouped(states))
}
