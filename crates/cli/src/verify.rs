//! `retrograde verify`: whether every value follows from those one move on.

use std::io::Write;

use clap::Args;
use retrograde::{Verified, verify};

use crate::answers::Answers;
use crate::engine::Engine;
use crate::examples;
use crate::failure::Failure;
use crate::number::grouped;
use crate::playable::Playable;
use crate::subject::{Question, Subject};

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
    engine: Engine,
}

impl Verify {
    /// Solves, checks and prints.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.engine.start_threads()?;
        let Verify { subject, no_distance, engine } = self;
        for opened in subject.open_all()? {
            opened.ask(&engine, !no_distance, Verifying { out })?;
        }
        Ok(())
    }
}

struct Verifying<'a> {
    out: &'a mut dyn Write,
}

impl Question for Verifying<'_> {
    fn ask<G: Playable, A: Answers>(self, game: &G, answers: &A) -> Result<(), Failure> {
        let Verified { moves, .. } = verify(game, answers)
            .map_err(|error| Failure::Input(format!("{}: {error}", game.name())))?;
        let (states, moves) = (grouped(game.states_named()), grouped(moves));
        Ok(writeln!(self.out, "OK: {states} states, {moves} moves, every value follows")?)
    }
}
