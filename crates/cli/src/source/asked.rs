//! What a command asks about: a game with its solution or its table, or tables of regions. From here on both are an oracle.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use retrograde_catalog::{AnyGame, Known, Oracle, Solved, State};

use crate::source::answers::Answers;
use crate::source::engine::{EngineArgs, How};
use crate::source::opened::{Opened, table_in};
use crate::source::tables::{Tables, tables_at};
use crate::source::wrong::failed;
use crate::term::failure::{Failure, input};

/// What is asked about; a game may not be solved yet.
pub(crate) enum Asked {
    Game(Box<Opened>),
    Tables(Tables),
}

/// The same, solved.
pub(crate) enum Answered<'a> {
    Game(Answers<'a>),
    Tables(&'a Tables),
}

/// The state that play begins in: the one asked for, or else the game's own.
pub(crate) fn start_of(game: &dyn AnyGame, named: Option<&str>) -> Result<Option<u64>, Failure> {
    let Some(text) = named else { return Ok(game.start()) };
    let state = game.parse(text);
    state.map(Some).map_err(|error| Failure::Input(format!("--from {text}: {error}")))
}

/// What answers.
pub(crate) enum Answering<'a> {
    Game(Solved<'a>),
    Tables(&'a dyn Oracle),
}

impl Asked {
    /// The tables that a path names.
    pub(crate) fn table(path: &Path) -> Result<Asked, Failure> {
        Ok(match tables_at(path)? {
            Some(tables) => Asked::Tables(tables),
            None => Asked::Game(Box::new(Opened::table(&table_in(path)?)?)),
        })
    }

    /// What answers from a table.
    pub(crate) fn looked_up(&self) -> Result<Answering<'_>, Failure> {
        match self {
            Asked::Game(opened) => match &opened.table {
                Some(table) => {
                    let solved = Solved::new(&*opened.game, Known::Table(table));
                    Ok(Answering::Game(solved.map_err(input)?))
                }
                None => Err(Failure::Usage("a game is no table".to_owned())),
            },
            Asked::Tables(tables) => Ok(Answering::Tables(&*tables.oracle)),
        }
    }

    /// The table that is read, where there is one that results must not be written over.
    pub(crate) fn read(&self) -> Option<PathBuf> {
        match self {
            Asked::Game(opened) => opened.table.as_ref().map(|table| table.path().to_owned()),
            Asked::Tables(_) => None,
        }
    }

    /// The state that was named, or else the one that play begins in, where there is one.
    pub(crate) fn start(&self, named: Option<&str>) -> Result<Option<State>, Failure> {
        match (self, named) {
            (Asked::Game(opened), _) => Ok(start_of(&*opened.game, named)?.map(Solved::state)),
            (Asked::Tables(tables), None) => Ok(tables.oracle.start()),
            (Asked::Tables(tables), Some(text)) => {
                tables.oracle.parse(text).map(Some).map_err(failed)
            }
        }
    }

    /// The state that was named, or else the best to begin in. An error says how to name one.
    pub(crate) fn begin(&self, named: Option<&str>) -> Result<State, Failure> {
        match (self.start(named)?, self) {
            (Some(start), _) => Ok(start),
            (None, Asked::Tables(tables)) => tables.begin(),
            (None, Asked::Game(_)) => Err(Failure::Usage(
                "the game names no start: say with --from STATE where to play from".to_owned(),
            )),
        }
    }

    /// Solves what is not solved.
    pub(crate) fn answered<'a>(
        &'a self,
        engine: &EngineArgs,
        how: How<'_>,
    ) -> Result<Answered<'a>, Failure> {
        Ok(match self {
            Asked::Game(opened) => Answered::Game(engine.answers(opened, how)?),
            Asked::Tables(tables) => Answered::Tables(tables),
        })
    }
}

impl Answered<'_> {
    /// What answers.
    pub(crate) fn oracle(&self) -> Result<Answering<'_>, Failure> {
        Ok(match self {
            Answered::Game(answers) => {
                Answering::Game(Solved::new(answers.game(), answers.known()).map_err(input)?)
            }
            Answered::Tables(tables) => Answering::Tables(&*tables.oracle),
        })
    }

    /// The one region meant.
    pub(crate) fn one(&self) -> Result<String, Failure> {
        match self {
            Answered::Game(_) => Ok(String::new()),
            Answered::Tables(tables) => tables.one(),
        }
    }
}

impl<'a> Deref for Answering<'a> {
    type Target = dyn Oracle + 'a;

    fn deref(&self) -> &Self::Target {
        match self {
            Answering::Game(solved) => solved,
            Answering::Tables(oracle) => *oracle,
        }
    }
}
