//! `retrograde audit`: whether a game's moves and un-moves agree.

use std::io::Write;

use clap::Args;
use retrograde::{Audited, audit};

use crate::engine::Engine;
use crate::examples;
use crate::failure::Failure;
use crate::game::Task;
use crate::number::grouped;
use crate::playable::Playable;
use crate::subject::Subject;

/// Check a game's rules: every move forwards against every move backwards
#[derive(Args)]
#[command(after_help = examples::ALL)]
pub(crate) struct Audit {
    #[command(flatten)]
    subject: Subject,
    #[command(flatten)]
    engine: Engine,
}

impl Audit {
    /// Checks and prints.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.engine.start_threads()?;
        self.subject.open()?.with(Auditing { out })
    }
}

struct Auditing<'a> {
    out: &'a mut dyn Write,
}

impl Task for Auditing<'_> {
    fn run<G: Playable>(self, game: &G) -> Result<(), Failure> {
        let broken = |error| Failure::Input(format!("{}: {error}", game.name()));
        let Audited { moves, .. } = audit(game).map_err(|error| broken(error.to_string()))?;
        game.audit_words().map_err(broken)?;
        let (states, moves) = (grouped(game.states_named()), grouped(moves));
        Ok(writeln!(self.out, "OK: {states} states, {moves} moves, each found again backwards")?)
    }
}
