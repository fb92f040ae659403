//! The subject of a command: a game by name, the text of a game, or a table. Only this file tells them apart; all other
//! code gets values from any of them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, ValueHint, value_parser};
use retrograde_catalog::gather;
use retrograde_games::{Arguments, GAMES, Setup, Spec, TEXT, find_game, game_named};
use retrograde_table::Table;

use crate::source::game_source::{GameSource, table_in, tables};
use crate::source::misnamed::{is_a_game, is_text, is_text_path, is_word, misnamed};
use crate::source::options::Memory;
use crate::source::parameters::{Given, all_games, with_games};
use crate::source::tables::{Tables, tables_at};
use crate::source::target::Target;
use crate::source::text::read;
use crate::term::failure::Failure;

/// What a command is about.
#[derive(Clone)]
pub(crate) enum Subject {
    /// A game by name.
    Game { spec: &'static Spec, file: Option<PathBuf>, given: Given },
    /// The path of a text or a table, and the words after it: a state, or a table of a folder.
    Path { path: PathBuf, words: Vec<String> },
}

impl Args for Subject {
    fn augment_args(command: Command) -> Command {
        let path = Arg::new("path")
            .value_name("TEXT|TABLE")
            .num_args(1..)
            .required(true)
            .value_hint(ValueHint::AnyPath)
            .value_parser(value_parser!(OsString))
            .help(
                "The text of a game, a file that ends in `.game`. Or a table written by `solve --out`, or a folder with \
                 one: then nothing is solved, and a state may follow, or the name of a table in the folder",
            );
        let command = command.arg(path).subcommand_value_name("GAME");
        let command = command.subcommand_negates_reqs(true).args_conflicts_with_subcommands(true);
        command.defer(|command| {
            with_games(command, GAMES.iter().copied(), |command, spec| match &spec.file {
                None => command,
                Some(file) => command.arg(
                    Arg::new("file")
                        .value_name("FILE")
                        .value_hint(ValueHint::FilePath)
                        .value_parser(value_parser!(PathBuf))
                        .help(format!("The {}; `-` is standard input", file.holds)),
                ),
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Subject {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Subject, clap::Error> {
        let game = matches.subcommand();
        Ok(match game.and_then(|(name, matches)| Some((find_game(name)?, matches))) {
            Some((spec, matches)) => {
                let file = spec.file.as_ref().and_then(|_| matches.get_one("file").cloned());
                Subject::Game { spec, file, given: Given::of(spec, matches) }
            }
            None => {
                let mut words = matches.get_many::<OsString>("path").unwrap_or_default();
                let path = words.next().map(PathBuf::from).unwrap_or_default();
                let words = words.map(|word| word.to_string_lossy().into_owned()).collect();
                Subject::Path { path, words }
            }
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subject {
    /// The subject in a few words: `pursuit examples/board.txt`.
    pub(crate) fn title(&self) -> String {
        match self {
            Subject::Game { spec, file: Some(file), .. } => {
                format!("{} {}", spec.name, file.display())
            }
            Subject::Game { spec, file: None, given } => format!("{}{given}", spec.name),
            Subject::Path { path, .. } => path.display().to_string(),
        }
    }

    /// The path of the table, if the subject is one.
    pub(crate) fn table(&self) -> Option<&Path> {
        match self {
            Subject::Path { path, .. } if !is_text_path(path) => Some(path),
            _ => None,
        }
    }

    /// The file of the game, if there is one.
    pub(crate) fn board(&self) -> Option<PathBuf> {
        let file = match self {
            Subject::Game { file, .. } => file.as_deref()?,
            Subject::Path { path, .. } => Some(&**path).filter(|path| is_text_path(path))?,
        };
        Some(if file.as_os_str() == "-" { "/dev/stdin".into() } else { file.to_owned() })
    }

    /// The subject, and the state that follows `--from` or a path. A position without quotes comes in several words.
    pub(crate) fn target(
        &mut self,
        from: Option<String>,
        memory: Memory,
    ) -> Result<(Target, Option<String>), Failure> {
        let mut beside = match self {
            Subject::Game { .. } => Vec::new(),
            Subject::Path { words, .. } => std::mem::take(words),
        };
        let Some(tables) = self.tables_of_regions()? else {
            let state = match (from, beside.pop()) {
                (from, None) => from,
                (None, state) if beside.is_empty() => state,
                (Some(from), Some(extra)) => return Err(beside_from(&extra, &from)),
                (None, Some(extra)) => return Err(unexpected(&extra)),
            };
            return Ok((Target::Game(Box::new(self.clone().open(memory)?)), state));
        };
        let words: Vec<String> = from.iter().cloned().chain(beside).collect();
        let words = if words.is_empty() { words } else { gather(&tables.oracle, words) };
        match (&words[..], from) {
            ([], _) => Ok((Target::Tables(tables), None)),
            ([one], _) => Ok((Target::Tables(tables), Some(one.clone()))),
            ([_, second, ..], Some(from)) => Err(beside_from(second, &from)),
            ([_, second, ..], None) => {
                let what = tables.oracle.style().position;
                let problem = format!("`{second}` is a second position; name only one {what}");
                Err(Failure::Usage(problem))
            }
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
        match self {
            Subject::Path { path, words } => match &words[..] {
                [] => Ok(Some(tables)),
                [word, ..] if !path.is_dir() => Err(is_a_table(path, word)),
                [name] => tables.narrowed(name).map(Some),
                [_, extra, ..] => Err(unexpected(extra)),
            },
            Subject::Game { .. } => Ok(Some(tables)),
        }
    }

    fn tables_of_regions(&self) -> Result<Option<Tables>, Failure> {
        Ok(self.table().map(tables_at).transpose()?.flatten())
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
        match &self {
            Subject::Game { spec, .. } => {
                return Err(Failure::Usage(format!("{}{advice}", is_a_game(spec))));
            }
            Subject::Path { path, .. } if is_text_path(path) => {
                return Err(Failure::Usage(format!("{}{advice}", is_text(path))));
            }
            Subject::Path { .. } => {}
        }
        match self.read_game(Memory::default())? {
            Err(path) => tables(&path),
            Ok(_) => Ok(Vec::new()),
        }
    }

    /// Reads the game, or returns the path of the tables.
    fn read_game(self, memory: Memory) -> Result<Result<Setup, PathBuf>, Failure> {
        let (path, words) = match self {
            Subject::Game { spec, file, given } => {
                return set_up(spec, file, given, memory).map(Ok);
            }
            Subject::Path { path, words } => (path, words),
        };
        let extra = words.first();
        if is_text_path(&path) {
            let Some(extra) = extra else {
                let given = Given(Arguments::default());
                return set_up(game_named(TEXT)?, Some(path), given, memory).map(Ok);
            };
            let text = path.display();
            let problem = format!("{text} is the text of a game: leave `{extra}` out");
            return Err(Failure::Usage(problem));
        }
        misnamed(&path)?;
        if !path.exists() && is_word(&path) {
            let (name, games) = (path.display(), all_games());
            let problem = format!("`{name}` is neither a game nor a table; the games are {games}");
            return Err(Failure::Usage(problem));
        }
        let game = extra.and_then(|word| find_game(word));
        if let Some(game) = game.filter(|game| game.file.is_some() && Table::open(&path).is_err()) {
            let (game, file) = (game.name, path.display());
            return Err(Failure::Usage(format!(
                "{game} is a game, and its name comes first: `retrograde solve {game} {file}`"
            )));
        }
        match extra {
            Some(word) => Err(is_a_table(&path, word)),
            None => Ok(Err(path)),
        }
    }
}

/// Sets a game up, and reads its file within the memory limit.
fn set_up(
    spec: &'static Spec,
    file: Option<PathBuf>,
    given: Given,
    memory: Memory,
) -> Result<Setup, Failure> {
    if let Some(file) = file.as_ref().filter(|file| Table::open(file).is_ok()) {
        return Err(Failure::Input(format!(
            "{}: this is a table, which names its own game: leave {} out",
            file.display(),
            spec.name
        )));
    }
    let what = format!("the {}", spec.file.as_ref().map_or("file", |file| file.holds));
    let board = file.map(|file| read(&file, &what, memory)).transpose()?;
    let setup = Setup::new(spec, given.0, board)?;
    memory.allow("reading this graph", setup.reading_bytes())?;
    Ok(setup)
}

/// The error if a word stands where none is expected.
fn unexpected(word: &str) -> Failure {
    Failure::Usage(format!("unexpected argument '{word}' found"))
}

/// The error if another state stands beside `--from`.
fn beside_from(extra: &str, from: &str) -> Failure {
    Failure::Usage(format!("`{extra}` stands beside --from `{from}`: name one state"))
}

/// The error if a word stands beside a table.
fn is_a_table(path: &Path, word: &str) -> Failure {
    let name = path.display();
    let what = if path.is_dir() { "a folder of tables" } else { "a table" };
    Failure::Usage(format!("{name} is {what}, which names its own game: leave `{word}` out"))
}
