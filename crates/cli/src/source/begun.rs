//! The arguments of commands that begin in one state: the subject, and the state.

use std::path::PathBuf;

use clap::Args;
use retrograde_catalog::{Oracle, State};

use crate::source::engine::{EngineArgs, How};
use crate::source::subject::Subject;
use crate::source::target::Target;
use crate::term::failure::Failure;
use crate::term::file::ToFile;

/// The subject, and the state to begin with.
#[derive(Args)]
pub(crate) struct Begun {
    #[command(flatten)]
    pub(crate) subject: Subject,
    /// The state to begin with [default: the game's start; to play or draw one endgame, its longest win]. After a TABLE
    /// it needs no --from
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    from: Option<String>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

impl Begun {
    /// Opens the subject. Also returns the state to begin with, if one is named or the game has a start.
    pub(crate) fn open(&mut self) -> Result<(Target, Option<State>), Failure> {
        let (target, from) = self.subject.target(self.from.take(), self.engine.memory)?;
        let start = target.start(from.as_deref())?;
        Ok((target, start))
    }

    /// The oracle, the state to begin with, and the file that the command reads, if it may not write there. Solves the game if it
    /// has no table. Fails at once if the results cannot go to their file.
    pub(crate) fn solved(
        &mut self,
        to: &ToFile,
    ) -> Result<(Oracle, State, Option<PathBuf>), Failure> {
        self.engine.start_threads()?;
        let read = self.subject.board();
        let (target, start) = self.open()?;
        let read = read.or_else(|| target.read());
        to.free(read.as_deref())?;
        let oracle = self.oracle(&target)?;
        let start = start.ok_or_else(|| {
            let what = oracle.style().position;
            Failure::Usage(format!("the game has no start; name one {what} with --from STATE"))
        })?;
        Ok((oracle, start, read))
    }

    /// The oracle. Solves the game if it has no table.
    pub(crate) fn oracle(&self, target: &Target) -> Result<Oracle, Failure> {
        target.oracle(&self.engine, How::at_once(true))
    }
}
