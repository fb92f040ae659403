//! What a command is about: a game by name, or tables that hold one. The only place that tells one
//! from the other; whatever asks for values gets them from either.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use retrograde_table::{Folder, TableError};

use crate::answers::{Answers, OpenTable};
use crate::engine::{Engine, How};
use crate::failure::Failure;
use crate::game::{Name, Parameters, Recipe, Task};
use crate::playable::Playable;
use crate::source::Source;

/// The arguments that name a game, or a table of one.
#[derive(Args)]
pub(crate) struct Subject {
    /// The game: graph, pursuit, chase, take or corner. Or a table written by `solve --out`, or a folder
    /// that holds one: then nothing is solved
    #[arg(value_name = "GAME|TABLE", value_hint = ValueHint::AnyPath)]
    subject: OsString,
    /// The board or graph; `-` is standard input. `take`, `corner` and tables need none
    #[arg(value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
    #[command(flatten)]
    parameters: Parameters,
}

/// A game to be solved, or one that is.
pub(crate) enum Opened {
    Game(Recipe),
    Table(OpenTable),
}

/// Something to ask of a game whose values are known.
pub(crate) trait Question {
    /// Refuses what can be refused before the game is solved.
    fn prepare<G: Playable>(&mut self, game: &G) -> Result<(), Failure> {
        let _ = game;
        Ok(())
    }

    /// Whether it judges what a table keeps: then final states are answered from there as well, and not by the rules.
    fn judges(&self) -> bool {
        false
    }

    /// Asks.
    fn ask<G: Playable, A: Answers>(self, game: &G, answers: &A) -> Result<(), Failure>;
}

impl Subject {
    /// The table named, where one is.
    pub(crate) fn table(&self) -> Option<&Path> {
        self.name().is_none().then(|| Path::new(&self.subject))
    }

    /// The file that the board is read from, where one is named.
    pub(crate) fn board(&self) -> Option<PathBuf> {
        let file = self.file.as_ref()?;
        Some(if file.as_os_str() == "-" { "/dev/stdin".into() } else { file.clone() })
    }

    /// What follows a table: for commands that ask for one state of it, or for one table of a folder.
    pub(crate) fn take_state(&mut self) -> Option<String> {
        self.table()?;
        self.file.take().map(|state| state.to_string_lossy().into_owned())
    }

    /// Reads the board, or opens the table.
    pub(crate) fn open(self) -> Result<Opened, Failure> {
        match self.read_game()? {
            Ok(recipe) => Ok(Opened::Game(recipe)),
            Err(path) => open_table(&path).map(Opened::Table),
        }
    }

    /// The same, with every table of a folder.
    pub(crate) fn open_all(self) -> Result<Vec<Opened>, Failure> {
        match self.read_game()? {
            Ok(recipe) => Ok(vec![Opened::Game(recipe)]),
            Err(path) => {
                tables(&path)?.iter().map(|path| OpenTable::open(path).map(Opened::Table)).collect()
            }
        }
    }

    /// Reads the game that is named, or gives the path of tables.
    fn read_game(self) -> Result<Result<Recipe, PathBuf>, Failure> {
        if let Some(game) = self.name() {
            let board = match self.file {
                Some(file) if !game.has_board() => {
                    let file = file.display();
                    return Err(Failure::Usage(format!("{game} reads no FILE: leave {file} out")));
                }
                file => file.map(|file| Source::read(&file)).transpose()?,
            };
            return Recipe::new(game, self.parameters, board).map(Ok);
        }
        let path = PathBuf::from(self.subject);
        let name = path.display();
        if !path.exists() && is_word(&path) {
            let games: Vec<String> = Name::value_variants().iter().map(Name::to_string).collect();
            return Err(Failure::Usage(format!(
                "`{name}` is no game and no table; the games are {}",
                games.join(", ")
            )));
        }
        let extra = match &self.file {
            Some(_) => Some("FILE"),
            None => self.parameters.first_given(),
        };
        if let Some(extra) = extra {
            let advice = format!("{name} is a table and says of which game: leave {extra} out");
            return Err(Failure::Usage(advice));
        }
        Ok(Err(path))
    }

    /// The game, where one is named.
    fn name(&self) -> Option<Name> {
        Name::from_str(self.subject.to_str()?, false).ok()
    }
}

impl Opened {
    /// Asks a question of the game: of its table, or else it is solved.
    pub(crate) fn ask<Q: Question>(
        self,
        engine: &Engine,
        how: How<'_>,
        question: Q,
    ) -> Result<(), Failure> {
        match self {
            Opened::Game(recipe) => recipe.with(Solving { engine, how, question }),
            Opened::Table(table) => table.ask(question),
        }
    }

    /// Does something with the game, whose values are not asked for.
    pub(crate) fn with<T: Task>(self, task: T) -> Result<(), Failure> {
        match self {
            Opened::Game(recipe) => recipe.with(task),
            Opened::Table(table) => table.recipe()?.with(task),
        }
    }
}

/// Opens a table, or the only table in a folder.
pub(crate) fn open_table(path: &Path) -> Result<OpenTable, Failure> {
    if !path.is_dir() {
        return OpenTable::open(path);
    }
    let folder = Folder::new(path);
    let names = folder.names().map_err(failure)?;
    match &names[..] {
        [name] => OpenTable::open(&folder.file(name).map_err(failure)?),
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

/// The tables that a path names: one, or all in a folder.
pub(crate) fn tables(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let folder = Folder::new(path);
    let names = folder.names().map_err(failure)?;
    if names.is_empty() {
        let path = path.display();
        return Err(Failure::Input(format!("{path}: there is no table in this folder")));
    }
    names.iter().map(|name| folder.file(name).map_err(failure)).collect()
}

/// A table at fault.
pub(crate) fn failure(error: TableError) -> Failure {
    Failure::Input(error.to_string())
}

/// Whether a path may be meant for the name of a game.
fn is_word(path: &Path) -> bool {
    path.components().count() < 2 && path.extension().is_none()
}

/// Solves a game and asks a question.
struct Solving<'a, Q> {
    engine: &'a Engine,
    how: How<'a>,
    question: Q,
}

impl<Q: Question> Task for Solving<'_, Q> {
    fn run<G: Playable>(self, game: &G) -> Result<(), Failure> {
        let Solving { engine, how, mut question } = self;
        question.prepare(game)?;
        let solved = engine.solve(game, how)?;
        question.ask(game, &solved)
    }
}
