//! Positions of chess, for a folder of endgame tables.

use std::ops::Deref;
use std::path::Path;

use retrograde::Value;
use retrograde_regions::{Family, Positions, TablebaseError};
use retrograde_table::Options;

use crate::bitboards::ToPosition;
use crate::family::Chess;
use crate::fen::FenError;
use crate::index::Index;
use crate::material::Material;
use crate::moves::Move;
use crate::position::Position;

/// An open folder of endgame tables, asked by FEN, by [`Position`] or by [`Bitboards`](crate::Bitboards).
///
/// It can be asked from many threads at once. A value whose block is in the cache takes no lock and allocates nothing.
pub struct Tablebase(Tables);

/// The folder, whatever positions come as.
type Tables = retrograde_regions::Tablebase<Chess>;
/// An open region: its numbering and its table.
pub type Opened = retrograde_regions::Opened<Index>;
/// What a position is worth, and each of its legal moves.
pub type Answer = retrograde_regions::Answer<Position, Move>;
/// A legal move, where it leads and what it is worth.
pub type Choice = retrograde_regions::Choice<Position, Move>;

impl Tablebase {
    /// Whether a path is a folder of endgame tables, as far as its manifest says. A manifest that cannot be read is
    /// an error.
    pub fn is_at(path: impl AsRef<Path>) -> Result<bool, TablebaseError> {
        Tables::is_at(path)
    }

    /// Opens a folder that [`build`](crate::build), or `retrograde build chess`, has made. Only its manifest is
    /// read.
    pub fn open(path: impl AsRef<Path>) -> Result<Tablebase, TablebaseError> {
        Tables::open(path).map(Tablebase)
    }

    /// The same, each table opened with these options: how it is read, and how much of it is kept in memory.
    pub fn open_with(
        path: impl AsRef<Path>,
        options: Options,
    ) -> Result<Tablebase, TablebaseError> {
        Tables::open_with(path, options).map(Tablebase)
    }

    /// What a position is worth to the player to move, without looking at its moves.
    ///
    /// It is what the table says, mates and stalemates as well: of a table from a stranger ask
    /// [`verify`](retrograde_regions::Tablebase::verify) first, or [`probe`](Tablebase::probe), which knows those by
    /// the rules. Two bare kings need no table. No allocation where the block is in the cache, if the position does
    /// not come as text.
    pub fn value(&self, position: &(impl ToPosition + ?Sized)) -> Result<Value, TablebaseError> {
        self.0.value(&position.to_position()?)
    }

    /// What a position and each of its moves are worth: a lookup for each.
    pub fn probe(&self, position: &(impl ToPosition + ?Sized)) -> Result<Answer, TablebaseError> {
        self.0.probe(&position.to_position()?)
    }
}

impl Deref for Tablebase {
    type Target = Tables;

    fn deref(&self) -> &Tables {
        &self.0
    }
}

impl From<FenError> for TablebaseError {
    fn from(error: FenError) -> TablebaseError {
        TablebaseError::Position(error.to_string())
    }
}

impl Positions for Chess {
    type Position = Position;
    type Move = Move;
    type Index = Index;

    const GAME: &'static str = "chess";
    const BUILD: &'static str = "retrograde build chess --pieces 3";

    fn of_manifest(name: Option<&str>) -> Option<Chess> {
        name.is_none_or(|name| name == Chess.name()).then_some(Chess)
    }

    fn region(&self, name: &str) -> Result<Material, String> {
        name.parse().map_err(|error: crate::MaterialError| error.to_string())
    }

    /// In order of solving.
    fn sort(&self, materials: &mut [Material]) {
        materials.sort_unstable();
    }

    fn index(&self, material: &Material) -> Index {
        Index::new(*material)
    }

    fn read(&self, fen: &str) -> Result<Position, String> {
        fen.parse().map_err(|error: FenError| error.to_string())
    }

    /// Two bare kings are drawn, and in no table.
    fn place(&self, position: &Position) -> Result<Material, Value> {
        position.material().map(|(material, _)| material).ok_or(Value::Draw)
    }

    fn state(index: &Index, position: &Position) -> u64 {
        index.state(position)
    }

    fn moves(&self, position: &Position) -> Vec<(Move, Position)> {
        let after = |played: Move| (played, position.play(&played));
        position.moves().into_iter().map(after).collect()
    }

    fn stuck(&self, position: &Position) -> Value {
        if position.in_check() { Value::Loss(0) } else { Value::Draw }
    }
}
