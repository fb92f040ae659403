//! Chess positions for a folder of endgame tables.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use retrograde::Value;
use retrograde_regions::{Oracle, TablebaseError};
use retrograde_table::Options;

use crate::bitboards::ToPosition;
use crate::family::Chess;
use crate::fen::FenError;
use crate::index::Index;
use crate::moves::Move;
use crate::position::Position;

/// An open folder of endgame tables. Probe it with a FEN, a [`Position`] or [`Bitboards`](crate::Bitboards).
///
/// Many threads can use it at once. If the block of a value is in the cache, a lookup takes no lock and
/// allocates nothing.
pub struct Tablebase(Arc<Tables>);

/// The same folder, for positions of one type.
pub(crate) type Tables = retrograde_regions::Tablebase<Chess>;
/// An open region: its numbering and its table.
pub type OpenRegion = retrograde_regions::OpenRegion<Index>;
/// The value of a position and of each of its legal moves.
pub type Answer = retrograde_regions::Answer<Position, Move>;
/// A legal move, its target and its value.
pub type Choice = retrograde_regions::Choice<Position, Move>;

impl Tablebase {
    /// Whether a path is a folder of endgame tables, according to its manifest. Returns an error if it cannot
    /// read the manifest.
    pub fn is_at(path: impl AsRef<Path>) -> Result<bool, TablebaseError> {
        Tables::is_at(path)
    }

    /// Opens a folder made by a [`builder`](crate::builder) or `retrograde build chess`. Reads only its manifest.
    pub fn open(path: impl AsRef<Path>) -> Result<Tablebase, TablebaseError> {
        Tables::open(path).map(Tablebase::of)
    }

    /// The same. Each table is opened with these options, such as the size of its cache.
    pub fn open_with(
        path: impl AsRef<Path>,
        options: Options,
    ) -> Result<Tablebase, TablebaseError> {
        Tables::open_with(path, options).map(Tablebase::of)
    }

    fn of(tables: Tables) -> Tablebase {
        Tablebase(Arc::new(tables))
    }

    /// The same open tables, for code that knows no chess.
    pub fn oracle(&self) -> Oracle {
        Oracle::shared(Arc::clone(&self.0))
    }

    /// The value of a position for the player to move, without looking at its moves.
    ///
    /// The table gives all values, including mates and stalemates. If you do not trust the table, call
    /// [`verify`](retrograde_regions::Tablebase::verify) first. Or use [`probe`](Tablebase::probe), which
    /// finds mates and stalemates by the rules. Two bare kings need no table. If the block is in the cache
    /// and you do not pass a text, this allocates nothing.
    pub fn value(&self, position: &(impl ToPosition + ?Sized)) -> Result<Value, TablebaseError> {
        self.0.value(&position.to_position()?)
    }

    /// The values of a position and of each of its moves: one lookup for each.
    pub fn probe(&self, position: &(impl ToPosition + ?Sized)) -> Result<Answer, TablebaseError> {
        answer(&self.0, &position.to_position()?)
    }
}

/// A probe with the moves of [`Position::moves`].
pub(crate) fn answer(tables: &Tables, position: &Position) -> Result<Answer, TablebaseError> {
    let after = |played: Move| (played, position.play(&played));
    tables.probe_moves(position, position.moves().into_iter().map(after))
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
