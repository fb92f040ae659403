//! What a command is about: a game by name, or tables that hold one. The only place that tells one
//! from the other; whatever asks for values gets them from either.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, ValueHint};
use retrograde_games::{GAMES, GameSpec, Parameter, Setup};

use crate::source::endgames::{Endgames, endgames};
use crate::source::game::{GameArgs, all_games};
use crate::source::mills::{Mills, mills};
use crate::source::nearest::nearest;
use crate::source::opened::{Opened, table_in, tables};
use crate::source::options::Memory;
use crate::source::state::state_words;
use crate::source::text::read;
use crate::term::failure::Failure;

/// The arguments that name a game, or a table of one.
#[derive(Args, Clone)]
pub(crate) struct Subject {
    #[arg(value_name = "GAME|TABLE", value_hint = ValueHint::AnyPath, value_parser = GameOrTable,
        hide_possible_values = true, help = subject_help())]
    subject: OsString,
    #[arg(value_hint = ValueHint::FilePath, help = file_help())]
    file: Option<PathBuf>,
    #[command(flatten)]
    parameters: GameArgs,
}

fn subject_help() -> String {
    let games = all_games(", ");
    format!(
        "The game: {games}. Or a table written by `solve --out`, or a folder that holds one: then nothing is solved"
    )
}

fn file_help() -> String {
    let games = GAMES.iter().filter(|game| game.file.is_some()).map(|game| game.name);
    let games: Vec<&str> = games.collect();
    format!("The board or graph; `-` is standard input. Only {} need one", games.join(", "))
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
        Some(Box::new(GAMES.iter().map(|game| PossibleValue::new(game.name))))
    }
}

impl Subject {
    /// What was named, in a few words: `pursuit examples/board.txt`.
    pub(crate) fn title(&self) -> String {
        let subject = Path::new(&self.subject).display();
        match &self.file {
            Some(file) if self.spec().is_some() => format!("{subject} {}", file.display()),
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
        self.spec().is_none().then(|| Path::new(&self.subject))
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
        let first_given = self.parameters.0.iter().next().map(|(parameter, _)| parameter);
        match first_given {
            Some(Parameter { name, .. }) => {
                Err(is_a_table(self.subject.as_ref(), &format!("--{name}")))
            }
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
            Ok(setup) => Opened::game(setup),
            Err(path) => Opened::table(&table_in(&path)?),
        }
    }

    /// The same, with every table of a folder.
    pub(crate) fn open_all(self, memory: Memory) -> Result<Vec<Opened>, Failure> {
        match self.read_game(memory)? {
            Ok(setup) => Ok(vec![Opened::game(setup)?]),
            Err(path) => tables(&path)?.iter().map(|path| Opened::table(path)).collect(),
        }
    }

    /// The tables named. Of a game there is none: `advice` is what to do about it.
    pub(crate) fn tables(self, advice: &str) -> Result<Vec<PathBuf>, Failure> {
        if let Some(spec) = self.spec() {
            let game = spec.name;
            return Err(Failure::Usage(format!("{game} is a game and no table; {advice}")));
        }
        match self.read_game(Memory::default())? {
            Err(path) => tables(&path),
            Ok(_) => Ok(Vec::new()),
        }
    }

    /// Reads the game that is named, or gives the path of tables.
    fn read_game(self, memory: Memory) -> Result<Result<Setup, PathBuf>, Failure> {
        if let Some(game) = self.spec() {
            let board = match self.file {
                Some(file) if game.file.is_none() => {
                    let (game, file) = (game.name, file.display());
                    return Err(Failure::Usage(format!("{game} reads no FILE: leave {file} out")));
                }
                file => file.map(|file| read(&file, memory)).transpose()?,
            };
            let setup = Setup::new(game, self.parameters.0, board)?;
            memory.allow_reading(setup.reading_bytes())?;
            return Ok(Ok(setup));
        }
        let path = PathBuf::from(self.subject);
        let name = path.display();
        if !path.exists() && is_word(&path) {
            let families = FAMILIES.map(|(family, _)| family.to_owned());
            let known = GAMES.iter().map(|game| game.name.to_owned()).chain(families);
            let advice = match nearest(&name.to_string(), known) {
                Some(game) => format!("did you mean {game}?"),
                None => format!("the games are {}", all_games(", ")),
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
            None => self.parameters.0.iter().next().map(|(known, _)| format!("--{}", known.name)),
        };
        if let Some(extra) = extra {
            return Err(is_a_table(&path, &extra));
        }
        Ok(Err(path))
    }

    /// The game, where one is named.
    fn spec(&self) -> Option<&'static GameSpec> {
        GameSpec::find(self.subject.to_str()?)
    }
}

/// What is solved region by region, and how.
const FAMILIES: [(&str, &str); 2] =
    [("chess", "retrograde build chess KQvKR"), ("morris", "retrograde build morris --men 3")];

/// What is said of arguments beside a table that only a game could use.
fn is_a_table(path: &Path, extra: &str) -> Failure {
    let name = path.display();
    let what = if path.is_dir() { "a folder of tables" } else { "a table" };
    Failure::Usage(format!("{name} is {what} and says of which game: leave {extra} out"))
}

/// Whether a path may be meant for the name of a game.
fn is_word(path: &Path) -> bool {
    path.components().count() < 2 && path.extension().is_none()
}
