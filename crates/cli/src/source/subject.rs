//! What a command is about: a game by name, or tables that hold one. The only place that tells one
//! from the other; whatever asks for values gets them from either.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, ValueHint};
use retrograde_catalog::{Name, Parameters, Playable, Recipe, RecipeError};
use retrograde_table::{Folder, Table, TableError};

use crate::answers::Answers;
use crate::chess::{Endgames, endgames};
use crate::engine::{EngineArgs, How};
use crate::failure::Failure;
use crate::game::{GameArgs, all_games};
use crate::morris::{Mills, mills};
use crate::nearest::nearest;
use crate::options::Memory;
use crate::source;

/// The arguments that name a game, or a table of one.
#[derive(Args, Clone)]
pub(crate) struct Subject {
    /// The game: graph, pursuit, chase, take, corner, quixo, or a small game: achi, dodgem, hare, mu-torere, tsoro. Or a
    /// table written by `solve --out`, or a folder that holds one: then nothing is solved
    #[arg(value_name = "GAME|TABLE", value_hint = ValueHint::AnyPath, value_parser = GameOrTable,
        hide_possible_values = true)]
    subject: OsString,
    /// The board or graph; `-` is standard input. Only graph, pursuit and chase need one
    #[arg(value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
    #[command(flatten)]
    parameters: GameArgs,
}

/// Takes any word, and tells the shells which of them are games.
#[derive(Clone)]
struct GameOrTable;

impl TypedValueParser for GameOrTable {
    type Value = OsString;

    fn parse_ref(
        &self,
        _: &clap::Command,
        _: Option<&clap::Arg>,
        word: &OsStr,
    ) -> Result<OsString, clap::Error> {
        Ok(word.to_owned())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Name::ALL.iter().map(|game| PossibleValue::new(game.as_str()))))
    }
}

/// A game to be solved, or one that is.
pub(crate) struct Opened {
    /// The game.
    pub(crate) game: Box<dyn Playable>,
    /// What made it.
    pub(crate) recipe: Recipe,
    /// Its table, where it is solved.
    pub(crate) table: Option<Table>,
}

impl Subject {
    /// What was named, in a few words: `pursuit examples/board.txt`.
    pub(crate) fn title(&self) -> String {
        let subject = Path::new(&self.subject).display();
        match &self.file {
            Some(file) if self.name().is_some() => format!("{subject} {}", file.display()),
            _ => format!("{subject}{}", self.parameters),
        }
    }

    /// Whether this word stands where a game would.
    pub(crate) fn is(&self, word: &str) -> bool {
        self.subject == word
    }

    /// The file named beside it.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

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

    /// The state that `--from` names, or that follows a table.
    pub(crate) fn state(&mut self, from: Option<String>) -> Result<Option<String>, Failure> {
        let words = state_words(from, self.take_state(), Vec::new(), |_| true)?;
        Ok(words.into_iter().next())
    }

    /// The endgame tables named, where such are, and what follows them: for commands that ask for one position, or
    /// for one table of a folder.
    pub(crate) fn endgames(&mut self) -> Result<Option<(Endgames, Option<String>)>, Failure> {
        self.regions(endgames)
    }

    /// The same, for commands that ask for a table as a whole: a file, or a folder and one table of it.
    pub(crate) fn whole_endgames(&mut self) -> Result<Option<Endgames>, Failure> {
        self.whole_regions(endgames, Endgames::narrowed)
    }

    /// The tables of morris named, likewise.
    pub(crate) fn mills(&mut self) -> Result<Option<(Mills, Option<String>)>, Failure> {
        self.regions(mills)
    }

    /// The same, for commands that ask for a table as a whole.
    pub(crate) fn whole_mills(&mut self) -> Result<Option<Mills>, Failure> {
        self.whole_regions(mills, Mills::narrowed)
    }

    fn regions<T>(
        &mut self,
        open: fn(&Path) -> Result<Option<T>, Failure>,
    ) -> Result<Option<(T, Option<String>)>, Failure> {
        let Some(found) = self.table().map(open).transpose()?.flatten() else {
            return Ok(None);
        };
        match Parameters::from(self.parameters.clone()).first_given() {
            Some(parameter) => Err(is_a_table(self.subject.as_ref(), &format!("--{parameter}"))),
            None => Ok(Some((found, self.take_state()))),
        }
    }

    fn whole_regions<T>(
        &mut self,
        open: fn(&Path) -> Result<Option<T>, Failure>,
        narrow: fn(T, &str) -> Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        match self.regions(open)? {
            Some((_, Some(_))) if !Path::new(&self.subject).is_dir() => {
                Err(is_a_table(self.subject.as_ref(), "FILE"))
            }
            Some((found, Some(name))) => narrow(found, &name).map(Some),
            found => Ok(found.map(|(found, _)| found)),
        }
    }

    /// Reads the board in so much memory, or opens the table.
    pub(crate) fn open(self, memory: Memory) -> Result<Opened, Failure> {
        match self.read_game(memory)? {
            Ok(recipe) => Opened::game(recipe),
            Err(path) => Opened::table(&table_in(&path)?),
        }
    }

    /// The same, with every table of a folder.
    pub(crate) fn open_all(self, memory: Memory) -> Result<Vec<Opened>, Failure> {
        match self.read_game(memory)? {
            Ok(recipe) => Ok(vec![Opened::game(recipe)?]),
            Err(path) => tables(&path)?.iter().map(|path| Opened::table(path)).collect(),
        }
    }

    /// Reads the game that is named, or gives the path of tables.
    fn read_game(self, memory: Memory) -> Result<Result<Recipe, PathBuf>, Failure> {
        let name = self.name();
        let parameters = Parameters::from(self.parameters);
        if let Some(game) = name {
            let board = match self.file {
                Some(file) if !game.has_board() => {
                    let file = file.display();
                    return Err(Failure::Usage(format!("{game} reads no FILE: leave {file} out")));
                }
                file => file.map(|file| source::read(&file, memory)).transpose()?,
            };
            let recipe = Recipe::new(game, parameters, board)?;
            memory.allow_reading(recipe.reading_bytes())?;
            return Ok(Ok(recipe));
        }
        let path = PathBuf::from(self.subject);
        let name = path.display();
        if !path.exists() && is_word(&path) {
            let families = FAMILIES.map(|(family, _)| family.to_owned());
            let known = Name::ALL.map(|game| game.to_string()).into_iter().chain(families);
            let advice = match nearest(&name.to_string(), known) {
                Some(game) => format!("did you mean {game}?"),
                None => format!("the games are {}", all_games()),
            };
            let family = FAMILIES.iter().find(|(family, _)| name.to_string() == *family);
            return Err(Failure::Usage(match family {
                Some((family, build)) => format!(
                    "the tables of {family} are built in a folder: `{build} --out DIR`; then name DIR, or a table in it, \
                     in place of {family}"
                ),
                None => format!("`{name}` is no game and no table; {advice}"),
            }));
        }
        let extra = match &self.file {
            Some(_) => Some("FILE".to_owned()),
            None => parameters.first_given().map(|parameter| format!("--{parameter}")),
        };
        if let Some(extra) = extra {
            return Err(is_a_table(&path, &extra));
        }
        Ok(Err(path))
    }

    /// The game, where one is named.
    fn name(&self) -> Option<Name> {
        self.subject.to_str()?.parse().ok()
    }
}

impl Opened {
    fn game(recipe: Recipe) -> Result<Opened, Failure> {
        Ok(Opened { game: recipe.game()?, recipe, table: None })
    }

    fn table(path: &Path) -> Result<Opened, Failure> {
        let (recipe, table) = open_table(path)?;
        Ok(Opened { game: game_of(&recipe, &table)?, recipe, table: Some(table) })
    }

    /// The values of the game: those of its table, or else it is solved.
    pub(crate) fn answers(
        &self,
        engine: &EngineArgs,
        how: How<'_>,
    ) -> Result<Answers<'_>, Failure> {
        let game = &*self.game;
        match &self.table {
            Some(table) => Answers::looked_up(game, table),
            None => Ok(Answers::solved(game, engine.solve(game, how)?)),
        }
    }
}

/// The game of a table. If its parameters are wrong, the table is at fault and not the arguments.
pub(crate) fn game_of(recipe: &Recipe, table: &Table) -> Result<Box<dyn Playable>, Failure> {
    let name = table.path().display();
    recipe.game().map_err(|error| match error {
        RecipeError::Parameter(problem) => Failure::Input(format!("{name}: {problem}")),
        error => error.into(),
    })
}

/// The words of one state: what `--from` says, or else what follows a table; and the rest of it if it was not quoted.
/// `is_whole` tells whether nothing can follow what `--from` says.
pub(crate) fn state_words(
    from: Option<String>,
    state: Option<String>,
    rest: Vec<String>,
    is_whole: impl FnOnce(&str) -> bool,
) -> Result<Vec<String>, Failure> {
    let beside: Vec<String> = state.into_iter().chain(rest).collect();
    if let (Some(from), Some(extra)) = (&from, beside.first())
        && is_whole(from)
    {
        return Err(Failure::Usage(format!(
            "`{extra}` stands beside --from `{from}`: name one state"
        )));
    }
    Ok(from.into_iter().chain(beside).collect())
}

/// What is solved region by region, and how.
const FAMILIES: [(&str, &str); 2] =
    [("chess", "retrograde build chess KQvKR"), ("morris", "retrograde build morris --men 3")];

/// Opens a table, and says of which game it is.
pub(crate) fn open_table(path: &Path) -> Result<(Recipe, Table), Failure> {
    let table = Table::open(path).map_err(|error| match (error, games_of_text(path)) {
        (error @ TableError::Foreign { .. }, Some(games)) => Failure::Input(format!(
            "{error}; if it is the board or graph of a game, name the game first: {games} {}",
            path.display()
        )),
        (error, _) => failure(error),
    })?;
    let recipe = Recipe::from_about(&table.header().about, &path.display().to_string())?;
    Ok((recipe, table))
}

/// The path of a table, or of the only table in a folder.
pub(crate) fn table_in(path: &Path) -> Result<PathBuf, Failure> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let folder = Folder::new(path);
    let names = folder.names().map_err(failure)?;
    match &names[..] {
        [name] => folder.file(name).map_err(failure),
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

/// The games that a file may hold a board of, if it is a text.
fn games_of_text(path: &Path) -> Option<&'static str> {
    const HEAD: u64 = 4096;
    let mut head = Vec::new();
    File::open(path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    let is_text = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace();
    if head.is_empty() || !head.iter().all(is_text) {
        return None;
    }
    let is_board = |byte: &u8| byte.is_ascii_whitespace() || b"*.EPT".contains(byte);
    Some(if head.iter().all(is_board) { "pursuit" } else { "graph or chase" })
}

/// What is said of arguments beside a table that only a game could use.
fn is_a_table(path: &Path, extra: &str) -> Failure {
    let name = path.display();
    let what = if path.is_dir() { "a folder of tables" } else { "a table" };
    Failure::Usage(format!("{name} is {what} and says of which game: leave {extra} out"))
}

/// A table at fault.
pub(crate) fn failure(error: TableError) -> Failure {
    Failure::Input(error.to_string())
}

/// Whether a path may be meant for the name of a game.
fn is_word(path: &Path) -> bool {
    path.components().count() < 2 && path.extension().is_none()
}
