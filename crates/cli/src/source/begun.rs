//! The arguments of commands that begin in one state: the subject, and the state.

use clap::Args;
use retrograde_catalog::State;

use crate::source::asked::{Answered, Asked};
use crate::source::engine::{EngineArgs, How};
use crate::source::subject::Subject;
use crate::term::failure::Failure;

/// The subject, and the state to begin with.
#[derive(Args)]
pub(crate) struct Begun {
    #[command(flatten)]
    pub(crate) subject: Subject,
    /// The state to begin with [default: the game's start; to play or draw one endgame, its longest win]. After a TABLE
    /// it needs no --from
    #[arg(long, value_name = "STATE")]
    from: Option<String>,
    /// The rest of a FEN that was not quoted
    #[arg(hide = true)]
    pub(crate) rest: Vec<String>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

impl Begun {
    /// Opens the subject. Also returns the state to begin with, if one is named or the game has a start.
    pub(crate) fn open(&mut self) -> Result<(Asked, Option<State>), Failure> {
        let (from, rest) = (self.from.take(), std::mem::take(&mut self.rest));
        let (asked, from) = self.subject.asked(from, rest, self.engine.memory)?;
        let start = asked.start(from.as_deref())?;
        Ok((asked, start))
    }

    /// Solves the game if it has no table.
    pub(crate) fn answered<'a>(&self, asked: &'a Asked) -> Result<Answered<'a>, Failure> {
        asked.answered(&self.engine, How::at_once(true))
    }
}
