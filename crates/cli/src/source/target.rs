//! What a command is about: a game with or without its table, or tables of regions. Once it is solved, each is an oracle.

use std::path::{Path, PathBuf};

use retrograde_catalog::{CompiledGame, Oracle, State};

use crate::source::engine::{EngineArgs, How};
use crate::source::game_source::{GameSource, table_in};
use crate::source::misnamed::misnamed;
use crate::source::tables::{Tables, tables_at};
use crate::source::wrong::failed;
use crate::term::failure::Failure;

/// What a command is about. A game may not be solved yet.
pub(crate) enum Target {
    Game(Box<GameSource>),
    Tables(Tables),
}

/// The state to begin with: the requested one, or else the start of the game.
pub(crate) fn start_of(
    game: &dyn CompiledGame,
    named: Option<&str>,
) -> Result<Option<State>, Failure> {
    let Some(text) = named else { return Ok(game.start()) };
    let state = game.read(text);
    state.map(Some).map_err(|error| Failure::Input(format!("--from {text}: {error}")))
}

impl Target {
    /// The oracle of the tables that a path names.
    pub(crate) fn table(path: &Path) -> Result<Oracle, Failure> {
        misnamed(path)?;
        if let Some(tables) = tables_at(path)? {
            return Ok(tables.oracle);
        }
        let source = GameSource::table(&table_in(path)?)?;
        let table = source.table.clone().expect("the source is a table");
        Ok(Oracle::new(source.with(table)?))
    }

    /// The table that is read, if there is one: results must not overwrite it.
    pub(crate) fn read(&self) -> Option<PathBuf> {
        match self {
            Target::Game(source) => source.table.as_ref().map(|table| table.path().to_owned()),
            Target::Tables(_) => None,
        }
    }

    /// The requested state, or else the start, if there is one.
    pub(crate) fn start(&self, named: Option<&str>) -> Result<Option<State>, Failure> {
        match (self, named) {
            (Target::Game(source), _) => start_of(&*source.game, named),
            (Target::Tables(tables), None) => Ok(tables.oracle.start()),
            (Target::Tables(tables), Some(text)) => {
                tables.oracle.parse(text).map(Some).map_err(failed)
            }
        }
    }

    /// The requested state, or else the best one to begin with. An error says how to name one.
    pub(crate) fn begin(&self, named: Option<&str>) -> Result<State, Failure> {
        match (self.start(named)?, self) {
            (Some(start), _) => Ok(start),
            (None, Target::Tables(tables)) => tables.begin(),
            (None, Target::Game(_)) => Err(Failure::Usage(
                "the game has no start; name a state with --from STATE".to_owned(),
            )),
        }
    }

    /// The oracle. Solves the game if it has no table.
    pub(crate) fn oracle(&self, engine: &EngineArgs, how: How<'_>) -> Result<Oracle, Failure> {
        match self {
            Target::Game(source) => Ok(Oracle::new(engine.solved(source, how)?.0)),
            Target::Tables(tables) => Ok(tables.oracle.clone()),
        }
    }

    /// The only region that the command is about.
    pub(crate) fn one(&self) -> Result<String, Failure> {
        match self {
            Target::Game(_) => Ok(String::new()),
            Target::Tables(tables) => tables.one(),
        }
    }
}
