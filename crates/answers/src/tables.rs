//! Questions about tables: those of a folder, or of files that somebody has chosen.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use retrograde::Level;
use retrograde_catalog::{GameOracle, Oracle, Worth, family_of, from_about, open_family};
use retrograde_chess::{FenError, Illegal, Mainline, Position, Report, Square, Tablebase};
use retrograde_regions::TablebaseError;
use retrograde_table::{Options, Table};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::limits::Check;
use crate::oracle::RegionOracle;
use crate::problem::{Problem, ProblemKind};
use crate::samples::Sample;
use crate::solve::{LevelCounts, Sides, level_counts};

/// The name of the game in endgame tables.
const CHESS: &str = "chess";

/// Tables by name.
#[derive(Default)]
pub struct Tables {
    /// The chess endgames, if there are any.
    chess: Option<Tablebase>,
    /// The regions of a family, if there are any.
    family: Option<Oracle>,
    tables: BTreeMap<String, Entry>,
}

/// A table in short.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Brief {
    name: String,
    game: String,
    /// A title for people, if the name of the table does not explain it: `all men placed: 5 against 4`.
    title: Option<String>,
    /// How many states there are, invalid numbers not counted.
    states: Option<u64>,
    /// How many numbers the states have, invalid ones included.
    numbers: u64,
    distances: bool,
    /// The longest distance of any value, in plies.
    longest: Option<u32>,
    /// The longest distance of a win, in plies.
    longest_win: Option<u32>,
    bytes: u64,
}

/// All tables in short, in the order of their names.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableList {
    tables: Vec<Brief>,
}

/// The header of a table, and the data that a client needs for questions.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AboutTable {
    name: String,
    game: String,
    /// How many states there are, invalid numbers not counted.
    states: Option<u64>,
    /// How many numbers the states have, invalid ones included.
    numbers: u64,
    distances: bool,
    bytes: u64,
    /// The start of the game.
    start: Option<String>,
    /// The text of its board.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    /// The parameters of the rules, by name.
    #[serde(skip_serializing_if = "Value::is_null")]
    #[cfg_attr(feature = "schema", schemars(with = "Map<String, Value>"))]
    parameters: Value,
    /// The other entries of the header, as they stand in the file.
    #[serde(flatten)]
    header: Map<String, Value>,
}

/// How many states of a table are won, lost and drawn, and at which distances.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableStats {
    #[serde(flatten)]
    brief: Brief,
    sides: Sides,
    levels: Vec<LevelCounts>,
    /// Chess: placements on the board by side to move, and the longest mates.
    #[serde(skip_serializing_if = "Option::is_none")]
    placements: Option<Value>,
}

/// States with the longest wins, the longest first.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Samples {
    states: Vec<Sample>,
}

/// The answer for one of many positions of chess.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum BatchReport {
    /// The position with its moves.
    Report(Box<Report>),
    /// A text that is no position.
    Problem {
        /// The text.
        fen: String,
        /// What is wrong with it.
        error: String,
    },
}

/// A table.
enum Entry {
    /// A region of the family, which opens it.
    Region(String),
    /// A table of another game.
    Game(Box<GameTable>),
}

/// The table of a game, and its oracle once the game is built.
struct GameTable {
    table: Arc<Table>,
    oracle: OnceLock<Result<Oracle, String>>,
}

impl Tables {
    /// The regions of a folder, of whatever family they are; none if the folder has no manifest.
    pub fn of_folder(folder: &Path, options: Options) -> Result<Tables, TablebaseError> {
        let chess = Tablebase::is_at(folder)?.then(|| Tablebase::open_with(folder, options));
        let chess = chess.transpose()?;
        let family = match &chess {
            Some(chess) => Some(chess.oracle()),
            None => open_family(folder, options)?.map(|(_, tables)| tables),
        };
        let regions = family.iter().flat_map(|family| family.regions());
        let tables = regions.map(|name| (name.clone(), Entry::Region(name))).collect();
        Ok(Tables { chess, family, tables })
    }

    /// Adds the table of a game that is not solved in regions. The error says why it cannot be probed alone.
    pub fn add(&mut self, name: &str, table: Table) -> Result<(), String> {
        let (path, about) = (table.path().display().to_string(), &table.header().about);
        if about.game == CHESS {
            return Err(format!("{path}: not in the folder's manifest"));
        }
        // Such as a region of morris without the regions that its moves lead to.
        from_about(about, &path).map_err(|error| error.to_string())?;
        let opened = GameTable { table: Arc::new(table), oracle: OnceLock::new() };
        self.tables.insert(name.to_owned(), Entry::Game(Box::new(opened)));
        Ok(())
    }

    /// The names of all tables, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// Whether there is a table of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.tables.contains_key(name)
    }

    /// How many tables there are.
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// Whether there are no tables.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// All tables in short, in the order of their names. A faulty one is left out. A question about it has the error.
    pub fn list(&self, check: Check<'_>) -> Result<TableList, Problem> {
        let mut tables = Vec::new();
        for (name, entry) in &self.tables {
            check()?;
            if let Ok(told) = self.table_of(entry).and_then(|table| Brief::of(name, table)) {
                tables.push(told);
            }
        }
        Ok(TableList { tables })
    }

    /// The same without reading the tables of a family.
    pub fn list_names(&self, check: Check<'_>) -> Result<Value, Problem> {
        let mut listed = Vec::new();
        for (name, entry) in &self.tables {
            check()?;
            listed.push(match entry {
                Entry::Region(region) => json!({ "name": region, "game": self.family()?.game() }),
                Entry::Game(opened) => json!(Brief::of(name, &opened.table)?),
            });
        }
        Ok(json!({ "tables": listed }))
    }

    /// The header of a table.
    pub fn about(&self, name: &str) -> Result<AboutTable, Problem> {
        let table = self.table(name)?;
        let about = table.header().about.clone();
        // This text was parsed once when the table was opened, so it is valid.
        let mut header: Map<_, _> = serde_json::from_str(table.header_text()).unwrap_or_default();
        header.retain(|entry, _| {
            !["game", "states", "distances", "board", "parameters"].contains(&entry.as_str())
        });
        Ok(AboutTable {
            name: name.to_owned(),
            game: about.game,
            states: states(table),
            numbers: table.states(),
            distances: table.header().distances,
            bytes: table.bytes(),
            start: self.oracle(name)?.start(),
            board: about.board,
            parameters: about.parameters,
            header,
        })
    }

    /// How many states of a table are won, lost and drawn, and at which distances.
    pub fn stats(&self, name: &str) -> Result<TableStats, Problem> {
        let table = self.table(name)?;
        let about = &table.header().about;
        let placements = || {
            let parameters = &about.parameters;
            json!({ "white": parameters["white"], "black": parameters["black"] })
        };
        Ok(TableStats {
            brief: Brief::of(name, table)?,
            sides: Sides::of(&about.counts),
            levels: level_counts(&table.levels()?),
            placements: (about.game == CHESS).then(placements),
        })
    }

    /// The states with the longest wins, longest first. For a region, one state for each side.
    pub fn longest(&self, name: &str, check: Check<'_>) -> Result<Samples, Problem> {
        let states = match self.entry(name)? {
            Entry::Region(_) => longest_in(&self.table(name)?.header().about.parameters),
            Entry::Game(_) => self.oracle(name)?.longest(check)?,
        };
        Ok(Samples { states })
    }

    /// The states of a table.
    pub fn oracle(&self, name: &str) -> Result<RegionOracle, Problem> {
        Ok(match self.entry(name)? {
            Entry::Region(region) => RegionOracle::new(self.family()?.clone(), region),
            Entry::Game(opened) => RegionOracle::new(opened.oracle()?, ""),
        })
    }

    /// The chess endgames.
    pub fn chess(&self) -> Result<&Tablebase, Problem> {
        let missing = || Problem::missing("there are no chess endgames here");
        self.chess.as_ref().ok_or_else(missing)
    }

    /// A position of chess and each of its moves, in the shape of lichess's table server.
    pub fn report(&self, fen: &str) -> Result<Report, Problem> {
        Ok(self.chess()?.report(&position(fen)?)?)
    }

    /// The same for each of many positions. If a text is no position, only its own answer is an error.
    pub fn reports(
        &self,
        fens: Vec<String>,
        check: Check<'_>,
    ) -> Result<Vec<BatchReport>, Problem> {
        self.chess()?;
        let report = |fen: String| {
            check()?;
            match self.report(&fen) {
                Ok(report) => Ok(BatchReport::Report(Box::new(report))),
                Err(problem) if problem.kind() == ProblemKind::Fault => Err(problem),
                Err(problem) => Ok(BatchReport::Problem { fen, error: problem.text().to_owned() }),
            }
        };
        fens.into_iter().map(report).collect()
    }

    /// Best play to the mate, in the shape of lichess's table server.
    pub fn mainline(&self, fen: &str) -> Result<Mainline, Problem> {
        Ok(self.chess()?.mainline(&position(fen)?)?)
    }

    /// Looks up a position of chess and each of its moves, and drops what it finds. A report stops at the first value that
    /// cannot be read; this goes on, so that a folder whose bytes are fetched learns of all
    /// that is missing.
    pub fn touch(&self, fen: &str) {
        if let Some(family) = &self.family
            && let Ok(state) = family.parse(fen)
        {
            let _ = family.value(&state);
            let _ = family.choices(&state);
        }
    }

    fn entry(&self, name: &str) -> Result<&Entry, Problem> {
        let missing = || Problem::missing("there is no table of this name: GET /tables lists them");
        self.tables.get(name).ok_or_else(missing)
    }

    fn family(&self) -> Result<&Oracle, Problem> {
        let missing = || Problem::missing("there are no tables of regions here");
        self.family.as_ref().ok_or_else(missing)
    }

    fn table(&self, name: &str) -> Result<&Table, Problem> {
        self.table_of(self.entry(name)?)
    }

    fn table_of<'a>(&'a self, entry: &'a Entry) -> Result<&'a Table, Problem> {
        match entry {
            Entry::Region(region) => {
                let missing = || Problem::missing(format!("there is no table of {region} here"));
                self.family()?.table(region)?.ok_or_else(missing)
            }
            Entry::Game(opened) => Ok(&opened.table),
        }
    }
}

impl GameTable {
    /// The oracle. The game is built from the table's header at its first use.
    fn oracle(&self) -> Result<Oracle, Problem> {
        let make = || GameOracle::of_table(Arc::clone(&self.table)).map(Oracle::new);
        let made = self.oracle.get_or_init(make);
        made.clone().map_err(Problem::fault)
    }
}

impl Brief {
    fn of(name: &str, table: &Table) -> Result<Brief, Problem> {
        let header = table.header();
        let mut levels = table.levels()?;
        levels.retain(|_| header.distances);
        let longest = |of: fn(&&Level) -> bool| levels.iter().rfind(of).map(|level| level.distance);
        let title = family_of(&header.about).and_then(|family| family.title(&header.about));
        Ok(Brief {
            name: name.to_owned(),
            game: header.about.game.clone(),
            title,
            states: states(table),
            numbers: header.states,
            distances: header.distances,
            longest: longest(|_| true),
            longest_win: longest(|level| level.wins > 0),
            bytes: table.bytes(),
        })
    }
}

/// How many states a table has, without invalid numbers. `None` if the header of the table has no counts.
fn states(table: &Table) -> Option<u64> {
    let counts = &table.header().about.counts;
    let sum = counts.iter().map(|of| of.win.saturating_add(of.loss).saturating_add(of.draw));
    (!counts.is_empty()).then(|| sum.fold(0, u64::saturating_add))
}

/// The longest wins in the parameters of a table.
fn longest_in(parameters: &Value) -> Vec<Sample> {
    let parts: Vec<&Value> = match parameters {
        Value::Object(object) => object
            .values()
            .flat_map(|value| value.as_array().map_or(vec![value], |all| all.iter().collect()))
            .collect(),
        _ => Vec::new(),
    };
    let sample = |part: &Value| {
        let text = part.get("fen").or_else(|| part.get("position"))?.as_str()?;
        let plies = u32::try_from(part.get("longest")?.as_u64()?).ok()?;
        Some(Sample {
            state: text.to_owned(),
            worth: Worth { value: "win", distance: Some(plies) },
        })
    };
    let mut samples: Vec<Sample> = parts.into_iter().filter_map(sample).collect();
    samples.sort_by_key(|sample| std::cmp::Reverse(sample.worth.distance));
    samples
}

/// Reads a FEN as lichess's server does. It ignores castling rights and en passant squares that the board
/// rules out. A legal position with castling rights, or with more men than any table, is not found.
fn position(fen: &str) -> Result<Position, Problem> {
    match fen.parse() {
        Err(FenError::Castling(rights)) => {
            let position = position(&without(fen, 2))?;
            match rights.chars().any(|right| is_castling(&position, right)) {
                true => Err(Problem::missing("no table has positions with castling rights")),
                false => Ok(position),
            }
        }
        Err(FenError::Illegal(Illegal::EnPassant(..))) => position(&without(fen, 3)),
        Err(FenError::Illegal(illegal @ Illegal::TooMany(_))) => {
            Err(Problem::missing(illegal.to_string()))
        }
        read => read.map_err(|error| Problem::bad(format!("fen: {error}"))),
    }
}

/// A FEN with `-` in one of its fields.
fn without(fen: &str, field: usize) -> String {
    let fields = fen.split(|letter: char| letter.is_whitespace() || letter == '_');
    let fields = fields.filter(|text| !text.is_empty()).enumerate();
    let fields = fields.map(|(number, text)| if number == field { "-" } else { text });
    fields.collect::<Vec<_>>().join(" ")
}

/// Whether a king and a rook are in place for a castling right.
fn is_castling(position: &Position, right: char) -> bool {
    let white = right.is_ascii_uppercase();
    let rank = if white { 0 } else { 7 };
    let file = match right.to_ascii_lowercase() {
        'k' => 7,
        'q' => 0,
        file => file as u8 - b'a',
    };
    let stands = |file, letter: char| {
        let piece = position.piece_at(Square::at(file, rank));
        let letter = if white { letter } else { letter.to_ascii_lowercase() };
        piece.is_some_and(|piece| piece.letter() == letter)
    };
    stands(4, 'K') && stands(file, 'R')
}
