//! Families whose tables people can look at, and lookups of positions in a folder of tables.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use retrograde::Value;
use retrograde::checks::{Verified, Verifier};
use retrograde_files::{FileError, exists, is_folder};
use retrograde_positions::{Arguments, Move, Positions, Spec};
use retrograde_table::{About, Options, Table};
use serde_json::Value as Json;

use crate::error::{Cause, RegionError};
use crate::family::Family;
use crate::manifest::{Manifest, ManifestRules};
use crate::tables::Tables;
use crate::texts::Style;

/// A family whose tables people can look at, by position.
pub trait FamilyTexts:
    Family<Region: Ord> + Positions<Region = <Self as Family>::Region> + Sized
{
    /// The description of the family: its name, its rules, its parameters.
    const SPEC: &'static Spec;

    /// How to write answers.
    const STYLE: Style = Style::PLAIN;

    /// The family with this [name](Family::name), from a folder's manifest, or with a table of this header. `None` for another
    /// game. Without both, a game with one family may return this family.
    fn of(name: Option<&str>, about: Option<&About>) -> Option<Self>;

    /// The family and the regions that arguments choose. The error says what is wrong with the arguments.
    fn chosen(
        given: &Arguments,
        regions: &[String],
    ) -> Result<(Self, Vec<<Self as Family>::Region>), String>;

    /// A title of a region, for people.
    fn title(&self, region: &<Self as Family>::Region) -> String;

    /// The answer about a position in JSON, if the game has a form of its own.
    fn object(
        tables: &Tablebase<Self>,
        position: &Self::Position,
    ) -> Option<Result<Json, TablebaseError>> {
        let _ = (tables, position);
        None
    }
}

/// An open folder of tables. Many threads can use it at once.
///
/// It opens a table at its first use, and keeps it open, with a cache of recent blocks. If the block of a value is in
/// the cache, a lookup takes no lock and allocates nothing.
pub struct Tablebase<F: FamilyTexts> {
    path: PathBuf,
    tables: Tables<F>,
    /// The finished regions, and their open tables.
    regions: HashMap<<F as Family>::Region, OnceLock<OpenRegionOf<F>>>,
}

/// An open region of a family.
type OpenRegionOf<F> = OpenRegion<<F as Positions>::Index>;

/// The result of a probe.
type AnswerOf<F> = Answer<<F as Positions>::Position, Move<<F as Positions>::Position>>;

/// A region: its numbering and its table.
pub struct OpenRegion<I> {
    index: I,
    table: Arc<Table>,
}

/// The value of a position, and of each of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<P, M> {
    /// The position.
    pub position: P,
    /// Win, loss or draw for the side to move. Without distances, every win or loss is a win or loss in 0.
    pub value: Value,
    /// In how many plies the game ends, if the winner hurries and the loser delays. `None` for a draw, and if the
    /// tables have no distances.
    pub distance: Option<u32>,
    /// The moves, best first: the fastest win, the slowest loss.
    pub moves: Vec<Choice<P, M>>,
}

/// A move, the position that it leads to, and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<P, M> {
    /// The move.
    pub played: M,
    /// The position it leads to.
    pub after: P,
    /// The value for the side that makes the move, including the move.
    pub value: Value,
    /// In how many plies the game ends, including the move, as in [`Answer::distance`].
    pub distance: Option<u32>,
}

impl<P, M> Answer<P, M> {
    /// The best move, or `None` if there is no move.
    pub fn best(&self) -> Option<&Choice<P, M>> {
        self.moves.first()
    }
}

impl<I> OpenRegion<I> {
    /// The numbering of the states.
    pub fn index(&self) -> &I {
        &self.index
    }

    /// The table. It may give any value for an invalid state.
    pub fn table(&self) -> &Table {
        &self.table
    }
}

impl<F: FamilyTexts> Tablebase<F> {
    /// Whether a path is a folder of tables of this game, according to its manifest. Returns an error if it cannot read
    /// the manifest.
    pub fn is_at(path: impl AsRef<Path>) -> Result<bool, TablebaseError> {
        let path = path.as_ref();
        if !is_folder(path) {
            return Ok(false);
        }
        let manifest = Manifest::read(path).map_err(TablebaseError::Manifest)?;
        let Some(manifest) = &manifest else { return Ok(false) };
        let family = F::of(Some(&manifest.family), manifest.about().as_ref());
        match &manifest.rules {
            Some(rules) if rules.game != F::SPEC.name => Ok(false),
            Some(ManifestRules { parameters, .. }) if family.is_none() => {
                let (path, parameters) = (path.to_owned(), parameters.to_string());
                Err(TablebaseError::Rules { path, parameters })
            }
            _ => Ok(family.is_some()),
        }
    }

    /// Opens a folder of tables. It reads only the manifest.
    pub fn open(path: impl AsRef<Path>) -> Result<Tablebase<F>, TablebaseError> {
        Tablebase::open_with(path, Options::new())
    }

    /// The same with options for the tables, such as the size of the cache.
    pub fn open_with(
        path: impl AsRef<Path>,
        options: Options,
    ) -> Result<Tablebase<F>, TablebaseError> {
        let path = path.as_ref().to_owned();
        if !is_folder(&path) {
            return Err(TablebaseError::NoFolder { path, spec: F::SPEC });
        }
        let manifest = Manifest::read(&path).map_err(TablebaseError::Manifest)?;
        // The game of a text may have the name of a family.
        let about = manifest.as_ref().and_then(Manifest::about);
        let is_other = about.as_ref().is_some_and(|about| about.game != F::SPEC.name);
        let name = manifest.map(|manifest| manifest.family);
        let family = if is_other { None } else { F::of(name.as_deref(), about.as_ref()) };
        let Some(family) = family else {
            return Err(TablebaseError::OtherGame { path, family: name, spec: F::SPEC });
        };
        let tables = Tables::open_with(family, &path, options).map_err(TablebaseError::Manifest)?;
        let named = |name: &String| match tables.family().region_named(name) {
            Ok(region) => Ok((region, OnceLock::new())),
            Err(error) => Err(TablebaseError::Name { path: path.clone(), error }),
        };
        let regions = tables.manifest().regions.keys().map(named).collect::<Result<_, _>>()?;
        Ok(Tablebase { path, tables, regions })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The family.
    pub fn family(&self) -> &F {
        self.tables.family()
    }

    /// The regions with finished tables, in the order of lists.
    pub fn regions(&self) -> Vec<<F as Family>::Region> {
        let mut regions: Vec<_> = self.regions.keys().cloned().collect();
        regions.sort_unstable();
        regions
    }

    /// The family, and the regions with finished tables.
    pub fn into_regions(self) -> (F, Vec<<F as Family>::Region>) {
        let regions = self.regions();
        (self.tables.into_family(), regions)
    }

    /// Whether the tables have distances.
    pub fn has_distances(&self) -> bool {
        self.tables.manifest().distances
    }

    /// Reads a position.
    pub fn read(&self, text: &str) -> Result<F::Position, TablebaseError> {
        let position = self.family().read(text);
        position.map_err(|error| {
            TablebaseError::Position(format!("{} `{text}`: {error}", F::STYLE.position))
        })
    }

    /// The value of a position for the side to move. It does not look at the moves.
    ///
    /// The value comes from the table, also for positions without moves. If you do not trust a table, call
    /// [`verify`](Tablebase::verify) first. Or call [`probe`](Tablebase::probe), which uses the rules for such
    /// positions.
    pub fn value(&self, position: &F::Position) -> Result<Value, TablebaseError> {
        let region = match self.family().region(position) {
            Ok(region) => region,
            Err(value) => return Ok(value),
        };
        let OpenRegion { index, table } = self.opened(&region)?;
        let found = table.probe(self.family().number(index, position));
        let found = found.map_err(|error| self.failed(&region, Cause::Table(error)))?;
        // A table may give any value for an invalid state, but a position is never invalid.
        found.ok_or_else(|| TablebaseError::Unknown {
            region: region.to_string(),
            position: self.family().write(position),
        })
    }

    /// The values of a position and of each of its moves. It makes a lookup for each.
    pub fn probe(&self, position: &F::Position) -> Result<AnswerOf<F>, TablebaseError> {
        let mut moves = Vec::new();
        // If there is no move, `probe_moves` finds out why.
        self.family().moves(position, &mut |played| {
            let after = played.next.clone();
            moves.push((played, after));
        });
        self.probe_moves(position, moves)
    }

    /// The same, for a game that has a type of its own for moves. `moves` are all moves of the position, each with the
    /// position after it.
    pub fn probe_moves<M>(
        &self,
        position: &F::Position,
        moves: impl IntoIterator<Item = (M, F::Position)>,
    ) -> Result<Answer<F::Position, M>, TablebaseError> {
        let choice = |(played, after)| {
            let value = self.value(&after)?.after_move(false);
            Ok(Choice { played, after, value, distance: self.distance(value) })
        };
        let mut moves: Vec<_> =
            moves.into_iter().map(choice).collect::<Result<_, TablebaseError>>()?;
        // A stable sort: moves of the same value stay in the order of the board.
        moves.sort_by_key(|choice| Reverse(choice.value));
        let value = match moves.first() {
            None => match self.family().moves(position, &mut |_| {}) {
                Some(end) => end.value,
                None => self.value(position)?,
            },
            Some(best) => {
                let value = self.value(position)?;
                let same_outcome = best.value.outcome() == value.outcome();
                if !same_outcome || self.has_distances() && best.value != value {
                    return Err(TablebaseError::Contradiction {
                        position: self.family().write(position),
                    });
                }
                value
            }
        };
        Ok(Answer { position: position.clone(), value, distance: self.distance(value), moves })
    }

    /// The distance of a value, if it has one and the tables have distances.
    pub fn distance(&self, value: Value) -> Option<u32> {
        value.distance().filter(|_| self.has_distances())
    }

    /// An open region, for code that goes through all states.
    pub fn opened(
        &self,
        region: &<F as Family>::Region,
    ) -> Result<&OpenRegionOf<F>, TablebaseError> {
        let Some(cell) = self.regions.get(region) else {
            // The region is missing. This call returns the error.
            self.tables.table(region)?;
            return Err(self.failed(region, Cause::Missing { folder: self.path.clone() }));
        };
        if let Some(opened) = cell.get() {
            return Ok(opened);
        }
        let index = self.family().index(region);
        let opened = OpenRegion { index, table: self.tables.table(region)? };
        Ok(cell.get_or_init(|| opened))
    }

    /// Checks that every value of a region follows from its moves, and from the tables that they lead to.
    pub fn verify(&self, region: &<F as Family>::Region) -> Result<Verified, TablebaseError> {
        self.verify_with(region, Verifier::new())
    }

    /// The same with the options of a verifier.
    pub fn verify_with(
        &self,
        region: &<F as Family>::Region,
        verifier: Verifier<'_>,
    ) -> Result<Verified, TablebaseError> {
        Ok(self.tables.verify_with(region, verifier)?)
    }

    /// Checks every byte of a region's table against its checksums and the checksum in the manifest.
    pub fn check(&self, region: &<F as Family>::Region) -> Result<(), TablebaseError> {
        Ok(self.tables.check(region)?)
    }

    fn failed(&self, region: &<F as Family>::Region, cause: Cause) -> TablebaseError {
        let command = self.family().command(region, &self.path);
        RegionError { region: region.to_string(), command, cause }.into()
    }
}

/// Why a tablebase cannot be opened, or cannot answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum TablebaseError {
    /// There is no such folder.
    NoFolder {
        /// The folder.
        path: PathBuf,
        /// The game.
        spec: &'static Spec,
    },
    /// The folder's manifest cannot be read.
    Manifest(FileError),
    /// The folder has tables of another game, or no tables.
    OtherGame {
        /// The folder.
        path: PathBuf,
        /// The family of the tables in it.
        family: Option<String>,
        /// The expected game.
        spec: &'static Spec,
    },
    /// The folder's manifest has rules that this program does not know.
    Rules {
        /// The folder.
        path: PathBuf,
        /// Their parameters.
        parameters: String,
    },
    /// A name in the folder's manifest is not a region.
    Name {
        /// The folder.
        path: PathBuf,
        /// What is wrong with the name.
        error: String,
    },
    /// A text or an object is not a position. The error says which, and why.
    Position(String),
    /// The table is missing, damaged or another one.
    Region(RegionError),
    /// According to the table, a position is invalid.
    Unknown {
        /// The region of the table.
        region: String,
        /// The position.
        position: String,
    },
    /// The value of a position does not follow from the values of its moves.
    Contradiction {
        /// The position.
        position: String,
    },
}

impl Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TablebaseError::NoFolder { path, spec } => {
                let name = path.display();
                match exists(path) {
                    true => write!(f, "{name}: this is not a folder; name another one"),
                    false => {
                        write!(
                            f,
                            "{name}: there is no such folder; `{} --out {name}` makes one",
                            spec.command()
                        )
                    }
                }
            }
            TablebaseError::Manifest(error) => error.fmt(f),
            TablebaseError::OtherGame { path, family: Some(family), spec } => {
                write!(f, "{}: these are tables of {family}, not of {}", path.display(), spec.name)
            }
            TablebaseError::OtherGame { path, family: None, spec } => {
                let path = path.display();
                write!(
                    f,
                    "{path}: there are no tables of {} here; `{} --out {path}` makes some",
                    spec.name,
                    spec.command()
                )
            }
            TablebaseError::Rules { path, parameters } => {
                let path = path.display();
                write!(
                    f,
                    "{path}: this program cannot read the rules in the manifest, with {parameters}; use a newer program"
                )
            }
            TablebaseError::Name { path, error } => {
                write!(f, "{}: the manifest: {error}", path.display())
            }
            TablebaseError::Position(problem) => f.write_str(problem),
            TablebaseError::Region(error) => error.fmt(f),
            TablebaseError::Unknown { region, position } => {
                write!(f, "the table of {region} knows nothing of {position}")
            }
            TablebaseError::Contradiction { position } => write!(
                f,
                "{position}: the best move is not worth what the position is said to be; \
                 `retrograde verify` finds what is wrong"
            ),
        }
    }
}

impl std::error::Error for TablebaseError {}

impl From<RegionError> for TablebaseError {
    fn from(error: RegionError) -> TablebaseError {
        TablebaseError::Region(error)
    }
}
