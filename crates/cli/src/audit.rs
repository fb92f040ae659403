//! `retrograde audit`: whether a game's moves and un-moves agree.

use std::io::Write;

use clap::Args;
use retrograde::{Audited, audit};
use retrograde_games::Show;

use crate::engine::Engine;
use crate::examples;
use crate::extra::Extra;
use crate::failure::Failure;
use crate::game::{GameArgs, Task};
use crate::number::grouped;

/// Check a game's rules: every move forwards against every move backwards
#[derive(Args)]
#[command(after_help = examples::ALL)]
pub(crate) struct Audit {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    engine: Engine,
}

impl Audit {
    /// Checks and prints.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.engine.start_threads()?;
        self.game.with(Auditing { out })
    }
}

struct Auditing<'a> {
    out: &'a mut dyn Write,
}

impl Task for Auditing<'_> {
    fn run<G: Show + Extra>(self, game: &G) -> Result<(), Failure> {
        let Audited { moves, .. } =
            audit(game).map_err(|error| Failure::Input(format!("{}: {error}", game.name())))?;
        let (states, moves) = (grouped(game.states_named()), grouped(moves));
        Ok(writeln!(self.out, "OK: {states} states, {moves} moves, each found again backwards")?)
    }
}
