//! A folder of tables, asked by position.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use retrograde::{Value, Verified, Verifier};
use retrograde_regions::{Cause, Family, Manifest, RegionError, Tables};
use retrograde_table::{Options, Table};

use crate::board::Men;
use crate::error::TablebaseError;
use crate::family::Morris;
use crate::index::Index;
use crate::position::{Move, Position};
use crate::region::Region;

/// An open folder of tables. It can be asked from many threads at once. A table is opened when it is first asked for, and stays
/// open.
pub struct Tablebase {
    path: PathBuf,
    tables: Tables<Morris>,
    /// The regions that are finished, and what has been opened of them.
    regions: HashMap<Region, OnceLock<Opened>>,
}

/// A region: its numbering and its table.
pub struct Opened {
    index: Index,
    table: Arc<Table>,
}

/// What a position is worth, and each of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The position.
    pub position: Position,
    /// Win, loss or draw for the side to move. Without distances every win and loss is one in 0.
    pub value: Value,
    /// The moves, best first: the fastest win, the slowest loss.
    pub moves: Vec<Choice>,
}

/// A move, where it leads and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub played: Move,
    /// The position it leads to.
    pub after: Position,
    /// What it is worth to the side that makes it, the move counted.
    pub value: Value,
}

impl Answer {
    /// The best move; `None` where there is none to make.
    pub fn best(&self) -> Option<&Choice> {
        self.moves.first()
    }
}

impl Tablebase {
    /// Which game the tables in a folder are of, as far as its manifest tells; `None` for any other folder. A manifest that cannot
    /// be read is an error: such a folder is not just any other.
    pub fn men_at(path: impl AsRef<Path>) -> Result<Option<Men>, TablebaseError> {
        let path = path.as_ref();
        if !path.is_dir() {
            return Ok(None);
        }
        let manifest = Manifest::read(path).map_err(TablebaseError::Manifest)?;
        let family = manifest.map(|manifest| manifest.family);
        Ok(Men::ALL.into_iter().find(|&men| Some(Morris::new(men).name()) == family.as_deref()))
    }

    /// Opens a folder that [`build`](crate::build), or `retrograde build morris`, has made. Only its manifest is read.
    pub fn open(path: impl AsRef<Path>) -> Result<Tablebase, TablebaseError> {
        Tablebase::open_with(path, Options::new())
    }

    /// The same, each table opened with these options.
    pub fn open_with(
        path: impl AsRef<Path>,
        options: Options,
    ) -> Result<Tablebase, TablebaseError> {
        let path = path.as_ref().to_owned();
        let Some(men) = Tablebase::men_at(&path)? else {
            return Err(TablebaseError::OtherGame { path });
        };
        let family = Morris::new(men);
        let tables = Tables::open_with(family, &path, options).map_err(TablebaseError::Manifest)?;
        let named = |name: &String| match Region::named(men, name) {
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

    /// Which game it is.
    pub fn men(&self) -> Men {
        self.tables.family().men()
    }

    /// The regions whose tables are finished: first those where all stones are placed, the smallest first, then those of the
    /// placing phase, its end first.
    pub fn regions(&self) -> Vec<Region> {
        let mut regions: Vec<_> = self.regions.keys().copied().collect();
        regions
            .sort_unstable_by_key(|region| (Reverse(region.placed().unwrap_or(u32::MAX)), *region));
        regions
    }

    /// Whether the tables say how long a win takes.
    pub fn has_distances(&self) -> bool {
        self.tables.manifest().distances
    }

    /// Reads a position of this game.
    pub fn read(&self, text: &str) -> Result<Position, TablebaseError> {
        Position::read(self.men(), text)
            .map_err(|error| TablebaseError::Position { text: text.to_owned(), error })
    }

    /// What a position is worth to the side to move, without looking at its moves.
    pub fn value(&self, position: &Position) -> Result<Value, TablebaseError> {
        let Some(region) = position.region() else { return Ok(Value::Loss(0)) };
        let Opened { index, table } = self.opened(&region)?;
        let found = table
            .probe(index.state(position))
            .map_err(|error| self.failed(&region, Cause::Table(error)))?;
        found.ok_or_else(|| TablebaseError::Unknown { region, position: position.to_string() })
    }

    /// What a position and each of its moves are worth: a lookup for each.
    pub fn probe(&self, position: &Position) -> Result<Answer, TablebaseError> {
        let moves = position.moves().into_iter().map(|played| {
            let after = position.play(&played);
            Ok(Choice { played, after, value: self.value(&after)?.after_move(false) })
        });
        let mut moves: Vec<_> = moves.collect::<Result<_, TablebaseError>>()?;
        // Stable: of moves worth the same the first in the order of the board stays first.
        moves.sort_by_key(|choice| Reverse(choice.value.preference()));
        let value = if moves.is_empty() { Value::Loss(0) } else { self.value(position)? };
        if moves.first().is_some_and(|best| best.value.outcome() != value.outcome())
            || self.has_distances() && moves.first().is_some_and(|best| best.value != value)
        {
            return Err(TablebaseError::Contradiction { position: position.to_string() });
        }
        Ok(Answer { position: *position, value, moves })
    }

    /// The distance of a value, where it has one and distances were kept.
    pub fn distance(&self, value: Value) -> Option<u32> {
        value.distance().filter(|_| self.has_distances())
    }

    /// A region, for whoever goes through all of it.
    pub fn opened(&self, region: &Region) -> Result<&Opened, TablebaseError> {
        let Some(cell) = self.regions.get(region) else {
            // It is missing, and the tables find the words.
            self.tables.table(region)?;
            return Err(self.failed(region, Cause::Missing { folder: self.path.clone() }));
        };
        if let Some(opened) = cell.get() {
            return Ok(opened);
        }
        let index = self.tables.family().index(*region);
        let opened = Opened { index, table: self.tables.table(region)? };
        Ok(cell.get_or_init(|| opened))
    }

    /// Checks that every value of a region follows from its moves, and from the tables that they lead to.
    pub fn verify(&self, region: &Region) -> Result<Verified, TablebaseError> {
        self.verify_with(region, Verifier::new())
    }

    /// The same, with the choices of a verifier.
    pub fn verify_with(
        &self,
        region: &Region,
        verifier: Verifier<'_>,
    ) -> Result<Verified, TablebaseError> {
        Ok(self.tables.verify_with(region, verifier)?)
    }

    /// Checks every byte of a region's table against its checksums and the manifest's.
    pub fn check(&self, region: &Region) -> Result<(), TablebaseError> {
        Ok(self.tables.check(region)?)
    }

    fn failed(&self, region: &Region, cause: Cause) -> TablebaseError {
        let command = self.tables.family().command(region, &self.path);
        RegionError { region: region.to_string(), command, cause }.into()
    }
}

impl Opened {
    /// The numbering of the states.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The table. What it says of gaps in the numbering may be anything.
    pub fn table(&self) -> &Table {
        &self.table
    }
}
