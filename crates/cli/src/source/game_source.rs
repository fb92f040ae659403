//! A game with or without a table, by its name or from the table.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_catalog::{CompiledGame, GameOracle, Known, from_about};
use retrograde_games::{GAMES, Setup, SetupError, Spec};
use retrograde_table::{About, Folder, Table, TableError};

use crate::term::failure::{Failure, input};

/// A game to be solved, or with a table.
pub(crate) struct GameSource {
    /// The game.
    pub(crate) game: Arc<dyn CompiledGame>,
    /// The setup of the game.
    pub(crate) setup: Setup,
    /// Its table, if there is one.
    pub(crate) table: Option<Arc<Table>>,
}

impl GameSource {
    /// A game to be solved.
    pub(crate) fn game(setup: Setup) -> Result<GameSource, Failure> {
        Ok(GameSource { game: retrograde_catalog::game(&setup)?, setup, table: None })
    }

    /// The game of a table at a path.
    pub(crate) fn table(path: &Path) -> Result<GameSource, Failure> {
        let (setup, table) = open_table(path)?;
        Ok(GameSource { game: game_of(&setup, &table)?, setup, table: Some(Arc::new(table)) })
    }

    /// The game with the values of a table of it.
    pub(crate) fn with(&self, table: impl Into<Arc<Table>>) -> Result<GameOracle, Failure> {
        GameOracle::new(Arc::clone(&self.game), Known::Table(table.into())).map_err(input)
    }

    /// The header of the table of a game.
    pub(crate) fn about(&self) -> About {
        retrograde_catalog::about(&self.setup)
    }
}

/// The game of a table. If its parameters are wrong, the table is at fault and not the arguments.
pub(crate) fn game_of(setup: &Setup, table: &Table) -> Result<Arc<dyn CompiledGame>, Failure> {
    let name = table.path().display();
    retrograde_catalog::game(setup).map_err(|error| match error {
        SetupError::Argument(problem) => Failure::Input(format!("{name}: {problem}")),
        error => error.into(),
    })
}

/// Opens a table. If the file is the board or graph of a game, the error suggests the game.
pub(crate) fn open(path: &Path) -> Result<Table, Failure> {
    Table::open(path).map_err(|error| match (error, games_of_text(path)) {
        (error @ TableError::Foreign { .. }, Some(games)) => Failure::Input(format!(
            "{error}; if it is the board, graph or text of a game, name the game first: {games} {}",
            path.display()
        )),
        (error, _) => input(error),
    })
}

/// Opens a table, and returns its game.
pub(crate) fn open_table(path: &Path) -> Result<(Setup, Table), Failure> {
    let table = open(path)?;
    let setup = from_about(&table.header().about, &path.display().to_string())?;
    Ok((setup, table))
}

/// The path of a table, or of the only table in a folder.
pub(crate) fn table_in(path: &Path) -> Result<PathBuf, Failure> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let folder = Folder::new(path);
    let names = folder.names().map_err(input)?;
    match &names[..] {
        [name] => folder.file(name).map_err(input),
        [] => Err(Failure::Input(format!(
            "{}: there is no table in this folder; `solve --out FILE` writes one",
            path.display()
        ))),
        [first, ..] => Err(Failure::Input(format!(
            "{}: there are {} tables in this folder: name one, like {}",
            path.display(),
            names.len(),
            path.join(format!("{first}.{}", Folder::EXTENSION)).display()
        ))),
    }
}

/// The tables of a path: one, or all in a folder.
pub(crate) fn tables(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let folder = Folder::new(path);
    let names = folder.names().map_err(input)?;
    if names.is_empty() {
        let path = path.display();
        return Err(Failure::Input(format!("{path}: there is no table in this folder")));
    }
    names.iter().map(|name| folder.file(name).map_err(input)).collect()
}

/// The games that can read a file, if it is a text.
fn games_of_text(path: &Path) -> Option<String> {
    const HEAD: u64 = 4096;
    let mut head = Vec::new();
    File::open(path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    let is_text = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    if head.is_empty() || !head.iter().all(is_text) {
        return None;
    }
    // The last character, and the last line, may be cut short.
    let head = match std::str::from_utf8(&head) {
        Ok(head) => head,
        Err(error) if error.error_len().is_some() => return None,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).ok()?,
    };
    let recognizes = |game: &&&Spec| game.file.as_ref().is_some_and(|file| (file.recognizes)(head));
    let games: Vec<&str> = GAMES.iter().filter(recognizes).map(|game| game.name).collect();
    (!games.is_empty()).then(|| games.join(" or "))
}
