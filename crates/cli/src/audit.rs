//! `retrograde audit`: whether a game's moves and un-moves agree.

use std::io::Write;

use clap::Args;
use retrograde::Audited;

use crate::engine::EngineArgs;
use crate::examples;
use crate::failure::Failure;
use crate::number::grouped;
use crate::subject::Subject;
use crate::summary::states_named;

/// Check a game's rules: every move forwards against every move backwards
#[derive(Args)]
#[command(after_help = examples::ALL)]
pub(crate) struct Audit {
    #[command(flatten)]
    subject: Subject,
    #[command(flatten)]
    engine: EngineArgs,
}

impl Audit {
    /// Checks and prints.
    pub(crate) fn run(mut self, out: &mut dyn Write) -> Result<(), Failure> {
        self.engine.start_threads()?;
        if let Some(endgames) = self.subject.whole_endgames()? {
            return Err(endgames.not_audited());
        }
        let game = self.subject.open()?.game;
        let broken = |error| Failure::Input(format!("{}: {error}", game.name()));
        // Each move is looked for among the un-moves of where it leads, and the other way round.
        self.engine.forecast(&*game, 40.0);
        let Audited { moves, .. } = game.audit().map_err(broken)?;
        let (states, moves) = (grouped(states_named(&*game)), grouped(moves));
        Ok(writeln!(out, "OK: {states} states, {moves} moves, each found again backwards")?)
    }
}
