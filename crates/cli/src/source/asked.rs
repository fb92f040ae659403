//! The subject of a command: a game with its solution or its table, or tables of regions. From here on, both are an
//! oracle.

use std::path::{Path, PathBuf};

use retrograde_catalog::{AnyGame, Known, Oracle, Solved, State};

use crate::source::answers::Answers;
use crate::source::engine::{EngineArgs, How};
use crate::source::misnamed::misnamed;
use crate::source::opened::{Opened, table_in};
use crate::source::tables::{Tables, tables_at};
use crate::source::wrong::failed;
use crate::term::failure::{Failure, input};

/// The subject of a command. A game may not be solved yet.
pub(crate) enum Asked {
    Game(Box<Opened>),
    Tables(Tables),
}

/// The subject of a command, solved.
pub(crate) enum Answered<'a> {
    Game(Answers<'a>),
    Tables(&'a Tables),
}

/// The state to begin with: the requested one, or else the start of the game.
pub(crate) fn start_of(game: &dyn AnyGame, named: Option<&str>) -> Result<Option<State>, Failure> {
    let Some(text) = named else { return Ok(game.start()) };
    let state = game.read(text);
    state.map(Some).map_err(|error| Failure::Input(format!("--from {text}: {error}")))
}

impl Asked {
    /// The tables that a path names.
    pub(crate) fn table(path: &Path) -> Result<Asked, Failure> {
        misnamed(path)?;
        Ok(match tables_at(path)? {
            Some(tables) => Asked::Tables(tables),
            None => Asked::Game(Box::new(Opened::table(&table_in(path)?)?)),
        })
    }

    /// The oracle of a table.
    pub(crate) fn looked_up(&self) -> Result<Oracle<'_>, Failure> {
        match self {
            Asked::Game(opened) => match &opened.table {
                Some(table) => {
                    let solved = Solved::new(&*opened.game, Known::Table(table));
                    Ok(Oracle::new(solved.map_err(input)?))
                }
                None => Err(Failure::Usage("this is a game and not a table".to_owned())),
            },
            Asked::Tables(tables) => Ok(tables.oracle.clone()),
        }
    }

    /// The table that is read, if there is one: results must not overwrite it.
    pub(crate) fn read(&self) -> Option<PathBuf> {
        match self {
            Asked::Game(opened) => opened.table.as_ref().map(|table| table.path().to_owned()),
            Asked::Tables(_) => None,
        }
    }

    /// The requested state, or else the start, if there is one.
    pub(crate) fn start(&self, named: Option<&str>) -> Result<Option<State>, Failure> {
        match (self, named) {
            (Asked::Game(opened), _) => start_of(&*opened.game, named),
            (Asked::Tables(tables), None) => Ok(tables.oracle.start()),
            (Asked::Tables(tables), Some(text)) => {
                tables.oracle.parse(text).map(Some).map_err(failed)
            }
        }
    }

    /// The requested state, or else the best one to begin with. An error says how to name one.
    pub(crate) fn begin(&self, named: Option<&str>) -> Result<State, Failure> {
        match (self.start(named)?, self) {
            (Some(start), _) => Ok(start),
            (None, Asked::Tables(tables)) => tables.begin(),
            (None, Asked::Game(_)) => Err(Failure::Usage(
                "the game has no start; name a state with --from STATE".to_owned(),
            )),
        }
    }

    /// Solves the game if it has no table.
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
    /// The oracle.
    pub(crate) fn oracle(&self) -> Result<Oracle<'_>, Failure> {
        match self {
            Answered::Game(answers) => Ok(Oracle::new(answers.solved_game()?)),
            Answered::Tables(tables) => Ok(tables.oracle.clone()),
        }
    }

    /// The only region that the command is about.
    pub(crate) fn one(&self) -> Result<String, Failure> {
        match self {
            Answered::Game(_) => Ok(String::new()),
            Answered::Tables(tables) => tables.one(),
        }
    }
}
