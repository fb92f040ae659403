//! Questions about tables: those of a folder, or of files that somebody has chosen.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use retrograde::Level;
use retrograde_catalog::{GameOracle, Oracle, Worth, family_of, from_about, open_family};
use retrograde_chess::{FenError, Illegal, Mainline, Position, Report, Square, Tablebase};
use retrograde_regions::TablebaseError;
use retrograde_table::{Options, Table};
use serde_json::{Value, json};

use crate::limits::Check;
use crate::oracle::RegionOracle;
use crate::problem::Problem;
use crate::samples::Sample;
use crate::solve::{levels_object, sides};

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
    pub fn list(&self, check: Check<'_>) -> Result<Value, Problem> {
        let mut listed = Vec::new();
        for (name, entry) in &self.tables {
            check()?;
            if let Ok(told) = self.table_of(entry).and_then(|table| brief(name, table)) {
                listed.push(told);
            }
        }
        Ok(json!({ "tables": listed }))
    }

    /// The same without reading the tables of a family.
    pub fn list_names(&self, check: Check<'_>) -> Result<Value, Problem> {
        let mut listed = Vec::new();
        for (name, entry) in &self.tables {
            check()?;
            listed.push(match entry {
                Entry::Region(region) => json!({ "name": region, "game": self.family()?.game() }),
                Entry::Game(opened) => brief(name, &opened.table)?,
            });
        }
        Ok(json!({ "tables": listed }))
    }

    /// The header of a table.
    pub fn about(&self, name: &str) -> Result<Value, Problem> {
        let table = self.table(name)?;
        // This text was parsed once when the table was opened, so it is valid.
        let mut said: Value = serde_json::from_str(table.header_text()).unwrap_or_default();
        said["name"] = json!(name);
        said["numbers"] = json!(table.states());
        said["states"] = json!(states(table));
        said["bytes"] = json!(table.bytes());
        said["start"] = json!(self.oracle(name)?.start());
        Ok(said)
    }

    /// How many states of a table are won, lost and drawn, and at which distances.
    pub fn stats(&self, name: &str) -> Result<Value, Problem> {
        let table = self.table(name)?;
        let mut said = brief(name, table)?;
        said["sides"] = sides(&table.header().about.counts);
        said["levels"] = levels_object(&table.levels()?);
        let about = &table.header().about;
        if about.game == CHESS {
            let parameters = &about.parameters;
            said["placements"] =
                json!({ "white": parameters["white"], "black": parameters["black"] });
        }
        Ok(said)
    }

    /// The states with the longest wins, longest first. For a region, one state for each side.
    pub fn longest(&self, name: &str, check: Check<'_>) -> Result<Vec<Sample>, Problem> {
        match self.entry(name)? {
            Entry::Region(_) => Ok(longest_in(&self.table(name)?.header().about.parameters)),
            Entry::Game(_) => self.oracle(name)?.longest(check),
        }
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

/// The entry of a table in the list of tables.
fn brief(name: &str, table: &Table) -> Result<Value, Problem> {
    let header = table.header();
    let mut levels = table.levels()?;
    levels.retain(|_| header.distances);
    let longest = |of: fn(&&Level) -> bool| levels.iter().rfind(of).map(|level| level.distance);
    Ok(json!({
        "name": name,
        "game": header.about.game,
        "title": family_of(&header.about).and_then(|family| family.title(&header.about)),
        "states": states(table),
        "numbers": header.states,
        "distances": header.distances,
        "longest": longest(|_| true),
        "longest_win": longest(|level| level.wins > 0),
        "bytes": table.bytes(),
    }))
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
