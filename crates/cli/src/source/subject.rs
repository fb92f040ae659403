//! The subject of a command: a game by name, the text of a game, or a table. Only this file tells them apart; all other
//! code gets values from any of them.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, ValueHint};
use retrograde_catalog::gather;
use retrograde_games::{GAMES, Parameter, Setup, Spec, TEXT, find_game};
use retrograde_table::Table;

use crate::source::game_source::{GameSource, table_in, tables};
use crate::source::misnamed::{is_a_game, is_text, is_text_path, is_word, misnamed};
use crate::source::options::Memory;
use crate::source::parameters::{ArgumentsOf, Games, all_games};
use crate::source::tables::{Tables, tables_at};
use crate::source::target::Target;
use crate::source::text::read;
use crate::term::failure::Failure;

/// The arguments that name a game or a table.
#[derive(Args, Clone)]
pub(crate) struct Subject {
    #[arg(value_name = "GAME|TABLE", value_hint = ValueHint::AnyPath, value_parser = GameOrTable,
        hide_possible_values = true, help = subject_help())]
    subject: OsString,
    #[arg(value_hint = ValueHint::FilePath, help = file_help())]
    file: Option<PathBuf>,
    #[command(flatten)]
    parameters: ArgumentsOf<Games>,
}

fn subject_help() -> String {
    let games = all_games(", ");
    format!(
        "The game: {games}; --help after its name shows its options. Or the text of a game, a file that ends in `.game`. Or a \
         table written by `solve --out`, or a folder with one: then nothing is solved"
    )
}

fn file_help() -> String {
    let games = GAMES.iter().filter(|game| game.file.is_some()).map(|game| game.name);
    let games: Vec<&str> = games.collect();
    format!("The board, graph or text; `-` is standard input. Only {} need one", games.join(", "))
}

/// Accepts any word, and tells the shells which words are games.
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
    /// The subject in a few words: `pursuit examples/board.txt`.
    pub(crate) fn title(&self) -> String {
        let subject = Path::new(&self.subject).display();
        match &self.file {
            Some(file) if self.named().is_some() => format!("{subject} {}", file.display()),
            _ => format!("{subject}{}", self.parameters),
        }
    }

    /// The path of the table, if the subject is one.
    pub(crate) fn table(&self) -> Option<&Path> {
        self.spec().is_none().then(|| Path::new(&self.subject))
    }

    /// The file of the game, if there is one.
    pub(crate) fn board(&self) -> Option<PathBuf> {
        let file = self.text().or(self.file.as_deref())?;
        Some(if file.as_os_str() == "-" { "/dev/stdin".into() } else { file.to_owned() })
    }

    /// The word after a path: a state, or a table of a folder.
    fn take_state(&mut self) -> Option<String> {
        if self.named().is_some() {
            return None;
        }
        self.file.take().map(|state| state.to_string_lossy().into_owned())
    }

    /// The subject, and the state that follows `--from` or a table. A position without quotes comes in several words.
    pub(crate) fn target(
        &mut self,
        from: Option<String>,
        rest: Vec<String>,
        memory: Memory,
    ) -> Result<(Target, Option<String>), Failure> {
        let beside: Vec<String> = self.take_state().into_iter().chain(rest).collect();
        let Some(tables) = self.tables_of_regions()? else {
            let state = match (from, &beside[..]) {
                (from, []) => from,
                (None, [state]) if self.named().is_none() => Some(state.clone()),
                (Some(from), [extra, ..]) if self.named().is_none() => {
                    return Err(Failure::Usage(beside_from(extra, &from)));
                }
                (_, [.., extra]) => {
                    return Err(Failure::Usage(format!("unexpected argument '{extra}' found")));
                }
            };
            return Ok((Target::Game(Box::new(self.clone().open(memory)?)), state));
        };
        let words: Vec<String> = from.iter().cloned().chain(beside).collect();
        let words = if words.is_empty() { words } else { gather(&tables.oracle, words) };
        match &words[..] {
            [] => Ok((Target::Tables(tables), None)),
            [one] => Ok((Target::Tables(tables), Some(one.clone()))),
            [_, second, ..] => Err(Failure::Usage(match from {
                Some(from) => beside_from(second, &from),
                None => {
                    let what = tables.oracle.style().position;
                    format!("`{second}` is a second position; name only one {what}")
                }
            })),
        }
    }

    /// The subject as a whole. For tables of regions, a region may follow their folder.
    pub(crate) fn whole(mut self, memory: Memory) -> Result<Target, Failure> {
        Ok(match self.whole_tables()? {
            Some(tables) => Target::Tables(tables),
            None => Target::Game(Box::new(self.open(memory)?)),
        })
    }

    /// The tables of regions, if the subject is such.
    pub(crate) fn whole_tables(&mut self) -> Result<Option<Tables>, Failure> {
        let Some(tables) = self.tables_of_regions()? else { return Ok(None) };
        match self.take_state() {
            Some(word) if !Path::new(&self.subject).is_dir() => {
                Err(is_a_table(self.subject.as_ref(), &format!("`{word}`")))
            }
            Some(name) => tables.narrowed(&name).map(Some),
            None => Ok(Some(tables)),
        }
    }

    fn tables_of_regions(&self) -> Result<Option<Tables>, Failure> {
        let Some(tables) = self.table().map(tables_at).transpose()?.flatten() else {
            return Ok(None);
        };
        match self.parameters.given.iter().next() {
            Some((Parameter { name, .. }, _)) => {
                Err(is_a_table(self.subject.as_ref(), &format!("--{name}")))
            }
            None => Ok(Some(tables)),
        }
    }

    /// Reads the board within the memory limit, or opens the table.
    pub(crate) fn open(self, memory: Memory) -> Result<GameSource, Failure> {
        match self.read_game(memory)? {
            Ok(setup) => GameSource::game(setup),
            Err(path) => GameSource::table(&table_in(&path)?),
        }
    }

    /// The same for every table of a folder.
    pub(crate) fn open_all(self, memory: Memory) -> Result<Vec<GameSource>, Failure> {
        match self.read_game(memory)? {
            Ok(setup) => Ok(vec![GameSource::game(setup)?]),
            Err(path) => tables(&path)?.iter().map(|path| GameSource::table(path)).collect(),
        }
    }

    /// The tables that were named. If the subject is a game, the error ends with `advice`.
    pub(crate) fn tables(self, advice: &str) -> Result<Vec<PathBuf>, Failure> {
        if let Some(spec) = self.named() {
            return Err(Failure::Usage(format!("{}{advice}", is_a_game(spec))));
        }
        if let Some(text) = self.text() {
            return Err(Failure::Usage(format!("{}{advice}", is_text(text))));
        }
        match self.read_game(Memory::default())? {
            Err(path) => tables(&path),
            Ok(_) => Ok(Vec::new()),
        }
    }

    /// Reads the game, or returns the path of the tables.
    fn read_game(self, memory: Memory) -> Result<Result<Setup, PathBuf>, Failure> {
        if let (Some(text), Some(extra)) = (self.text(), &self.file) {
            return Err(Failure::Usage(format!(
                "{} is the text of a game: leave `{}` out",
                text.display(),
                extra.display()
            )));
        }
        if let Some(game) = self.spec() {
            let file = self.text().map(Path::to_owned).or(self.file);
            let what = format!("the {}", game.file.as_ref().map_or("file", |file| file.holds));
            let board = match file {
                Some(file) if game.file.is_none() => {
                    let mut problem =
                        format!("{} reads no FILE: leave {} out", game.name, file.display());
                    let setup = Setup::new(game, self.parameters.given, None);
                    if let Err(error) = setup.and_then(|setup| setup.complete()) {
                        problem += &format!("; {}", Failure::from(error).message());
                    }
                    return Err(Failure::Usage(problem));
                }
                Some(file) if Table::open(&file).is_ok() => {
                    return Err(Failure::Input(format!(
                        "{}: this is a table, which names its own game: leave {} out",
                        file.display(),
                        game.name
                    )));
                }
                file => file.map(|file| read(&file, &what, memory)).transpose()?,
            };
            let setup = Setup::new(game, self.parameters.given, board)?;
            memory.allow("reading this graph", setup.reading_bytes())?;
            return Ok(Ok(setup));
        }
        let path = PathBuf::from(self.subject);
        misnamed(&path)?;
        if !path.exists() && is_word(&path) {
            let (name, games) = (path.display(), all_games(", "));
            let problem = format!("`{name}` is neither a game nor a table; the games are {games}");
            return Err(Failure::Usage(problem));
        }
        let game = self.file.as_ref().and_then(|file| find_game(file.to_str()?));
        if let Some(game) = game.filter(|game| game.file.is_some() && Table::open(&path).is_err()) {
            let (game, file) = (game.name, path.display());
            return Err(Failure::Usage(format!(
                "{game} is a game, and its name comes first: `retrograde solve {game} {file}`"
            )));
        }
        let extra = match &self.file {
            Some(word) => Some(format!("`{}`", word.display())),
            None => {
                self.parameters.given.iter().next().map(|(known, _)| format!("--{}", known.name))
            }
        };
        if let Some(extra) = extra {
            return Err(is_a_table(&path, &extra));
        }
        Ok(Err(path))
    }

    /// The game, if its name or its text was given.
    fn spec(&self) -> Option<&'static Spec> {
        self.named().or_else(|| self.text().and_then(|_| find_game(TEXT)))
    }

    /// The game, if its name was given.
    fn named(&self) -> Option<&'static Spec> {
        find_game(self.subject.to_str()?)
    }

    /// The path of a text, if it was given in place of a name.
    fn text(&self) -> Option<&Path> {
        Some(Path::new(&self.subject)).filter(|path| is_text_path(path))
    }
}

/// The error if another state stands beside `--from`.
fn beside_from(extra: &str, from: &str) -> String {
    format!("`{extra}` stands beside --from `{from}`: name one state")
}

/// The error if arguments of a game stand beside a table.
fn is_a_table(path: &Path, extra: &str) -> Failure {
    let name = path.display();
    let what = if path.is_dir() { "a folder of tables" } else { "a table" };
    Failure::Usage(format!("{name} is {what}, which names its own game: leave {extra} out"))
}
