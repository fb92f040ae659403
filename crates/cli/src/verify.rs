//! `retrograde verify`: whether every value follows from those one move on.

use std::io::Write;

use clap::Args;
use retrograde::{Verified, verify};

use crate::engine::Engine;
use crate::examples;
use crate::failure::Failure;
use crate::game::{GameArgs, Task};
use crate::number::grouped;
use crate::playable::Playable;

/// Solve a game and check the solution: every value and distance against those one move on
#[derive(Args)]
#[command(after_help = examples::ALL)]
pub(crate) struct Verify {
    #[command(flatten)]
    game: GameArgs,
    /// Values alone
    #[arg(long, help_heading = "Engine")]
    no_distance: bool,
    #[command(flatten)]
    engine: Engine,
}

impl Verify {
    /// Solves, checks and prints.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.engine.start_threads()?;
        self.game.with(Verifying { verify: &self, out })
    }
}

struct Verifying<'a> {
    verify: &'a Verify,
    out: &'a mut dyn Write,
}

impl Task for Verifying<'_> {
    fn run<G: Playable>(self, game: &G) -> Result<(), Failure> {
        let solved = self.verify.engine.solve(game, !self.verify.no_distance)?;
        let verified = verify(game, &solved.solution);
        let Verified { moves, .. } =
            verified.map_err(|error| Failure::Input(format!("{}: {error}", game.name())))?;
        let (states, moves) = (grouped(game.states_named()), grouped(moves));
        Ok(writeln!(self.out, "OK: {states} states, {moves} moves, every value follows")?)
    }
}
