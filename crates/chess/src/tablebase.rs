//! A folder of endgame tables, asked by position.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use retrograde::{Value, Verified, Verifier};
use retrograde_regions::{Cause, Family, Manifest, RegionError, Tables};
use retrograde_table::{Options, Table};

use crate::bitboards::ToPosition;
use crate::error::TablebaseError;
use crate::family::Chess;
use crate::index::Index;
use crate::material::Material;
use crate::moves::Move;
use crate::position::Position;

/// An open folder of endgame tables. It can be asked from many threads at once.
///
/// A table is opened when it is first asked for, and stays open with a cache of the blocks read lately. A value
/// whose block is in that cache takes no lock and allocates nothing.
pub struct Tablebase {
    path: PathBuf,
    tables: Tables<Chess>,
    /// The materials that are finished, and what has been opened of them.
    regions: HashMap<Material, OnceLock<Endings>>,
}

/// The endings of one material: their numbering and their table.
pub struct Endings {
    index: Index,
    table: Arc<Table>,
}

/// What a position is worth, and each of its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The position.
    pub position: Position,
    /// Win, loss or draw for the player to move. Without distances every win and loss is one in 0.
    pub value: Value,
    /// In how many plies the mate comes, the winner hurrying and the loser delaying. `None` for a draw,
    /// and where the tables were built without distances.
    pub distance: Option<u32>,
    /// The legal moves, best first: the fastest win, the slowest loss.
    pub moves: Vec<Choice>,
}

/// A legal move, where it leads and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub played: Move,
    /// The position it leads to.
    pub after: Position,
    /// What it is worth to the player who makes it, the move counted.
    pub value: Value,
    /// In how many plies, the move counted, the mate comes; as in [`Answer::distance`].
    pub distance: Option<u32>,
}

impl Answer {
    /// The best move; `None` where there is none to make.
    pub fn best(&self) -> Option<&Choice> {
        self.moves.first()
    }
}

impl Tablebase {
    /// Whether a path is a folder of endgame tables, as far as its manifest tells. A manifest that cannot be read is
    /// an error: such a folder is not just any other.
    pub fn is_at(path: impl AsRef<Path>) -> Result<bool, TablebaseError> {
        let path = path.as_ref();
        if !path.is_dir() {
            return Ok(false);
        }
        let manifest = Manifest::read(path).map_err(TablebaseError::Manifest)?;
        Ok(manifest.is_some_and(|manifest| manifest.family == Chess.name()))
    }

    /// Opens a folder that [`build`](crate::build), or `retrograde build chess`, has made. Only its manifest is
    /// read.
    pub fn open(path: impl AsRef<Path>) -> Result<Tablebase, TablebaseError> {
        Tablebase::open_with(path, Options::new())
    }

    /// The same, each table opened with these options: how it is read, and how much of it is kept in memory.
    pub fn open_with(
        path: impl AsRef<Path>,
        options: Options,
    ) -> Result<Tablebase, TablebaseError> {
        let path = path.as_ref().to_owned();
        if !path.is_dir() {
            return Err(TablebaseError::NoFolder { path });
        }
        let tables = Tables::open_with(Chess, &path, options).map_err(TablebaseError::Manifest)?;
        let family = tables.manifest().family.clone();
        if family != Chess.name() {
            return Err(TablebaseError::OtherGame { path, family });
        }
        let named = |name: &String| match name.parse() {
            Ok(material) => Ok((material, OnceLock::new())),
            Err(error) => Err(TablebaseError::Name { path: path.clone(), error }),
        };
        let regions = tables.manifest().regions.keys().map(named).collect::<Result<_, _>>()?;
        Ok(Tablebase { path, tables, regions })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The materials whose tables are finished, in order of solving.
    pub fn materials(&self) -> Vec<Material> {
        let mut materials: Vec<_> = self.regions.keys().copied().collect();
        materials.sort_unstable();
        materials
    }

    /// Whether the tables say how long a win takes.
    pub fn has_distances(&self) -> bool {
        self.tables.manifest().distances
    }

    /// What a position is worth to the player to move, without looking at its moves.
    ///
    /// It is what the table says, mates and stalemates as well: of a table from a stranger ask [`verify`](Tablebase::verify)
    /// first, or [`probe`](Tablebase::probe), which knows those by the rules. Two bare kings need no table. No allocation where the block is in the cache, if the position does not
    /// come as text.
    pub fn value(&self, position: &(impl ToPosition + ?Sized)) -> Result<Value, TablebaseError> {
        self.look(&position.to_position()?)
    }

    /// What a position and each of its moves are worth: a lookup for each.
    pub fn probe(&self, position: &(impl ToPosition + ?Sized)) -> Result<Answer, TablebaseError> {
        let position = position.to_position()?;
        let value = self.look(&position)?;
        let moves = position.moves().into_iter().map(|played| {
            let after = position.play(&played);
            let value = self.look(&after)?.after_move(false);
            Ok(Choice { played, after, value, distance: self.distance(value) })
        });
        let mut moves: Vec<_> = moves.collect::<Result<_, TablebaseError>>()?;
        let value = match moves.is_empty() {
            false => value,
            // What the rules decide, no table is asked.
            true if position.in_check() => Value::Loss(0),
            true => Value::Draw,
        };
        // Stable: of moves worth the same the first in the order of the board stays first.
        moves.sort_by_key(|choice| Reverse(choice.value.preference()));
        Ok(Answer { position, value, distance: self.distance(value), moves })
    }

    /// The distance of a value, where it has one and distances were kept.
    pub fn distance(&self, value: Value) -> Option<u32> {
        value.distance().filter(|_| self.has_distances())
    }

    /// The endings of a material, for whoever goes through all of them.
    pub fn endings(&self, material: &Material) -> Result<&Endings, TablebaseError> {
        let Some(region) = self.regions.get(material) else {
            // It is missing, and the tables find the words.
            self.tables.table(material)?;
            let cause = Cause::Missing { folder: self.path.clone() };
            return Err(self.failed(material, cause));
        };
        if let Some(endings) = region.get() {
            return Ok(endings);
        }
        let endings = Endings { index: Index::new(*material), table: self.tables.table(material)? };
        Ok(region.get_or_init(|| endings))
    }

    /// Checks that every value of a material follows from its moves, and from the tables that they lead to.
    pub fn verify(&self, material: &Material) -> Result<Verified, TablebaseError> {
        self.verify_with(material, Verifier::new())
    }

    /// The same, with the choices of a verifier.
    pub fn verify_with(
        &self,
        material: &Material,
        verifier: Verifier<'_>,
    ) -> Result<Verified, TablebaseError> {
        Ok(self.tables.verify_with(material, verifier)?)
    }

    /// Checks every byte of a material's table against its checksums and the manifest's.
    pub fn check(&self, material: &Material) -> Result<(), TablebaseError> {
        Ok(self.tables.check(material)?)
    }

    fn look(&self, position: &Position) -> Result<Value, TablebaseError> {
        let Some((material, _)) = position.material() else { return Ok(Value::Draw) };
        let Endings { index, table } = self.endings(&material)?;
        let found = table.probe(index.state(position));
        let found = found.map_err(|error| self.failed(&material, Cause::Table(error)))?;
        // Forgotten void states may read as anything, but no position is one.
        found.ok_or_else(|| TablebaseError::Unknown { material, position: position.to_string() })
    }

    fn failed(&self, material: &Material, cause: Cause) -> TablebaseError {
        let (region, command) = (material.to_string(), Chess.command(material, &self.path));
        RegionError { region, command, cause }.into()
    }
}

impl Endings {
    /// The numbering of the states.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The table. What it says of void states may be anything.
    pub fn table(&self) -> &Table {
        &self.table
    }
}
