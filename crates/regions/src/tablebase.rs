//! A folder of tables, asked by position.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use retrograde::Value;
use retrograde::checks::{Verified, Verifier};
use retrograde_table::{Options, Table};

use crate::error::{Cause, RegionError};
use crate::manifest::{Manifest, ManifestError};
use crate::positions::Positions;
use crate::tables::Tables;

/// An open folder of tables. It can be asked from many threads at once.
///
/// A table is opened when it is first asked for, and stays open with a cache of the blocks read lately. A value whose
/// block is in that cache takes no lock and allocates nothing.
pub struct Tablebase<F: Positions> {
    path: PathBuf,
    tables: Tables<F>,
    /// The regions that are finished, and what has been opened of them.
    regions: HashMap<F::Region, OnceLock<OpenedOf<F>>>,
}

/// An open region of a family.
type OpenedOf<F> = Opened<<F as Positions>::Index>;

/// What a probe of a family answers.
type AnswerOf<F> = Answer<<F as Positions>::Position, <F as Positions>::Move>;

/// A region: its numbering and its table.
pub struct Opened<I> {
    index: I,
    table: Arc<Table>,
}

/// What a position is worth, and each of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<P, M> {
    /// The position.
    pub position: P,
    /// Win, loss or draw for the side to move. Without distances every win and loss is one in 0.
    pub value: Value,
    /// In how many plies the game ends, the winner hurrying and the loser delaying. `None` for a draw, and where the
    /// tables were built without distances.
    pub distance: Option<u32>,
    /// The moves, best first: the fastest win, the slowest loss.
    pub moves: Vec<Choice<P, M>>,
}

/// A move, where it leads and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<P, M> {
    /// The move.
    pub played: M,
    /// The position it leads to.
    pub after: P,
    /// What it is worth to the side that makes it, the move counted.
    pub value: Value,
    /// In how many plies, the move counted, the game ends; as in [`Answer::distance`].
    pub distance: Option<u32>,
}

impl<P, M> Answer<P, M> {
    /// The best move; `None` where there is none to make.
    pub fn best(&self) -> Option<&Choice<P, M>> {
        self.moves.first()
    }
}

impl<I> Opened<I> {
    /// The numbering of the states.
    pub fn index(&self) -> &I {
        &self.index
    }

    /// The table. Its values of invalid states may be anything.
    pub fn table(&self) -> &Table {
        &self.table
    }
}

impl<F: Positions> Tablebase<F> {
    /// Whether a path is a folder of tables of this game, as far as its manifest says. A manifest that cannot be read
    /// is an error.
    pub fn is_at(path: impl AsRef<Path>) -> Result<bool, TablebaseError> {
        let path = path.as_ref();
        if !path.is_dir() {
            return Ok(false);
        }
        let manifest = Manifest::read(path).map_err(TablebaseError::Manifest)?;
        Ok(manifest.is_some_and(|manifest| F::of_manifest(Some(&manifest.family)).is_some()))
    }

    /// Opens a folder of tables. Only its manifest is read.
    pub fn open(path: impl AsRef<Path>) -> Result<Tablebase<F>, TablebaseError> {
        Tablebase::open_with(path, Options::new())
    }

    /// The same, each table opened with these options: how it is read, and how much of it is kept in memory.
    pub fn open_with(
        path: impl AsRef<Path>,
        options: Options,
    ) -> Result<Tablebase<F>, TablebaseError> {
        let path = path.as_ref().to_owned();
        if !path.is_dir() {
            return Err(TablebaseError::NoFolder { path, build: F::BUILD });
        }
        let manifest = Manifest::read(&path).map_err(TablebaseError::Manifest)?;
        let name = manifest.map(|manifest| manifest.family);
        let Some(family) = F::of_manifest(name.as_deref()) else {
            let (game, build) = (F::GAME, F::BUILD);
            return Err(TablebaseError::OtherGame { path, family: name, game, build });
        };
        let tables = Tables::open_with(family, &path, options).map_err(TablebaseError::Manifest)?;
        let named = |name: &String| match tables.family().region(name) {
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

    /// The regions whose tables are finished, in the order in which they are listed.
    pub fn regions(&self) -> Vec<F::Region> {
        let mut regions: Vec<_> = self.regions.keys().cloned().collect();
        self.family().sort(&mut regions);
        regions
    }

    /// The family, and the regions whose tables are finished.
    pub fn into_regions(self) -> (F, Vec<F::Region>) {
        let regions = self.regions();
        (self.tables.into_family(), regions)
    }

    /// Whether the tables say how long a win takes.
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

    /// What a position is worth to the side to move, without looking at its moves.
    ///
    /// It is what the table says, also of positions without moves: of a table from a stranger ask
    /// [`verify`](Tablebase::verify) first, or [`probe`](Tablebase::probe), which knows those by the rules.
    pub fn value(&self, position: &F::Position) -> Result<Value, TablebaseError> {
        let region = match self.family().place(position) {
            Ok(region) => region,
            Err(value) => return Ok(value),
        };
        let Opened { index, table } = self.opened(&region)?;
        let found = table.probe(F::state(index, position));
        let found = found.map_err(|error| self.failed(&region, Cause::Table(error)))?;
        // Forgotten invalid states may read as anything, but no position is one.
        found.ok_or_else(|| TablebaseError::Unknown {
            region: region.to_string(),
            position: position.to_string(),
        })
    }

    /// What a position and each of its moves are worth: a lookup for each.
    pub fn probe(&self, position: &F::Position) -> Result<AnswerOf<F>, TablebaseError> {
        let choice = |(played, after)| {
            let value = self.value(&after)?.after_move(false);
            Ok(Choice { played, after, value, distance: self.distance(value) })
        };
        let moves = self.family().moves(position).into_iter().map(choice);
        let mut moves: Vec<_> = moves.collect::<Result<_, TablebaseError>>()?;
        // Stable: of moves worth the same the first in the order of the board stays first.
        moves.sort_by_key(|choice| Reverse(choice.value));
        let value = match moves.first() {
            None => match self.family().over(position) {
                Some(over) => over.value,
                None => self.value(position)?,
            },
            Some(best) => {
                let value = self.value(position)?;
                let same_outcome = best.value.outcome() == value.outcome();
                if !same_outcome || self.has_distances() && best.value != value {
                    return Err(TablebaseError::Contradiction { position: position.to_string() });
                }
                value
            }
        };
        Ok(Answer { position: position.clone(), value, distance: self.distance(value), moves })
    }

    /// The distance of a value, where it has one and distances were kept.
    pub fn distance(&self, value: Value) -> Option<u32> {
        value.distance().filter(|_| self.has_distances())
    }

    /// A region, for code that goes through all of it.
    pub fn opened(&self, region: &F::Region) -> Result<&OpenedOf<F>, TablebaseError> {
        let Some(cell) = self.regions.get(region) else {
            // It is missing, and the tables find the words.
            self.tables.table(region)?;
            return Err(self.failed(region, Cause::Missing { folder: self.path.clone() }));
        };
        if let Some(opened) = cell.get() {
            return Ok(opened);
        }
        let index = self.family().index(region);
        let opened = Opened { index, table: self.tables.table(region)? };
        Ok(cell.get_or_init(|| opened))
    }

    /// Checks that every value of a region follows from its moves, and from the tables that they lead to.
    pub fn verify(&self, region: &F::Region) -> Result<Verified, TablebaseError> {
        self.verify_with(region, Verifier::new())
    }

    /// The same, with the choices of a verifier.
    pub fn verify_with(
        &self,
        region: &F::Region,
        verifier: Verifier<'_>,
    ) -> Result<Verified, TablebaseError> {
        Ok(self.tables.verify_with(region, verifier)?)
    }

    /// Checks every byte of a region's table against its checksums and the manifest's.
    pub fn check(&self, region: &F::Region) -> Result<(), TablebaseError> {
        Ok(self.tables.check(region)?)
    }

    fn failed(&self, region: &F::Region, cause: Cause) -> TablebaseError {
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
        /// A command that makes one, up to its name.
        build: &'static str,
    },
    /// The folder's manifest cannot be read.
    Manifest(ManifestError),
    /// The folder holds the tables of another game, or none.
    OtherGame {
        /// The folder.
        path: PathBuf,
        /// The family of the tables in it.
        family: Option<String>,
        /// The game that was looked for.
        game: &'static str,
        /// A command that makes tables of it, up to the name of the folder.
        build: &'static str,
    },
    /// The folder's manifest names what is no region.
    Name {
        /// The folder.
        path: PathBuf,
        /// What is wrong with the name.
        error: String,
    },
    /// What was asked about is no position: which, and why.
    Position(String),
    /// The table is missing, damaged or another one.
    Region(RegionError),
    /// The table takes a position for none.
    Unknown {
        /// The region of the table.
        region: String,
        /// The position.
        position: String,
    },
    /// The moves of a position are not worth what the position is said to be.
    Contradiction {
        /// The position.
        position: String,
    },
}

impl Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TablebaseError::NoFolder { path, build } => {
                let path = path.display();
                write!(f, "{path}: there is no such folder; `{build} --out {path}` makes one")
            }
            TablebaseError::Manifest(error) => error.fmt(f),
            TablebaseError::OtherGame { path, family: Some(family), game, .. } => {
                write!(f, "{}: these are tables of {family}, not of {game}", path.display())
            }
            TablebaseError::OtherGame { path, family: None, game, build } => {
                let path = path.display();
                write!(
                    f,
                    "{path}: there are no tables of {game} here; `{build} --out {path}` makes some"
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

impl std::error::Error for TablebaseError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TablebaseError::Manifest(error) => Some(error),
            TablebaseError::Region(error) => Some(error),
            _ => None,
        }
    }
}

impl From<RegionError> for TablebaseError {
    fn from(error: RegionError) -> TablebaseError {
        TablebaseError::Region(error)
    }
}
