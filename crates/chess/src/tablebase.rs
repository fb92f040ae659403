//! Chess positions for a folder of endgame tables.

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

/// An open folder of endgame tables. Probe it with a FEN, a [`Position`] or [`Bitboards`](crate::Bitboards).
///
/// Many threads can use it at once. A value whose block is in the cache takes no lock and allocates nothing.
pub struct Tablebase(Tables);

/// The folder, for positions in any form.
type Tables = retrograde_regions::Tablebase<Chess>;
/// An open region: its numbering and its table.
pub type Opened = retrograde_regions::Opened<Index>;
/// The value of a position and of each of its legal moves.
pub type Answer = retrograde_regions::Answer<Position, Move>;
/// A legal move, its target and its value.
pub type Choice = retrograde_regions::Choice<Position, Move>;

impl Tablebase {
    /// Whether a path is a folder of endgame tables, according to its manifest. A manifest that cannot be
    /// read is an error.
    pub fn is_at(path: impl AsRef<Path>) -> Result<bool, TablebaseError> {
        Tables::is_at(path)
    }

    /// Opens a folder made by [`build`](crate::build) or `retrograde build chess`. Reads only its manifest.
    pub fn open(path: impl AsRef<Path>) -> Result<Tablebase, TablebaseError> {
        Tables::open(path).map(Tablebase)
    }

    /// The same. Each table is opened with these options, such as the size of its cache.
    pub fn open_with(
        path: impl AsRef<Path>,
        options: Options,
    ) -> Result<Tablebase, TablebaseError> {
        Tables::open_with(path, options).map(Tablebase)
    }

    /// The value of a position for the player to move, without looking at its moves.
    ///
    /// The table gives all values, including mates and stalemates. If a stranger made the table, run
    /// [`verify`](retrograde_regions::Tablebase::verify) first, or use [`probe`](Tablebase::probe), which
    /// knows mates and stalemates by the rules. Two bare kings need no table. Nothing is allocated if the
    /// block is in the cache and the position does not come as text.
    pub fn value(&self, position: &(impl ToPosition + ?Sized)) -> Result<Value, TablebaseError> {
        self.0.value(&position.to_position()?)
    }

    /// The values of a position and of each of its moves: one lookup for each.
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

    /// Two bare kings are a draw, and in no table.
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
