//! Positions of any game behind one type, for code that does not know which game it is.

use std::any::Any;
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use retrograde::Value;

use crate::board::Board;
use crate::moves::{End, Move};
use crate::positions::Positions;

/// A position of some game. Only that game can interpret it.
#[derive(Clone)]
pub struct AnyPosition(Arc<dyn Erased>);

/// What is left of the type of a position.
trait Erased: Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn equals(&self, other: &dyn Erased) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
}

impl<P: Eq + Hash + Debug + Send + Sync + 'static> Erased for P {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Erased) -> bool {
        other.as_any().downcast_ref::<P>() == Some(self)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}

impl AnyPosition {
    /// Hides the type of a position.
    pub fn new<P: Eq + Hash + Debug + Send + Sync + 'static>(position: P) -> AnyPosition {
        AnyPosition(Arc::new(position))
    }

    /// The position.
    ///
    /// # Panics
    ///
    /// If it is of another game.
    pub fn of<P: 'static>(&self) -> &P {
        let position = (*self.0).as_any().downcast_ref();
        position.unwrap_or_else(|| panic!("{:?} is a position of another game", self.0))
    }
}

impl PartialEq for AnyPosition {
    fn eq(&self, other: &AnyPosition) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for AnyPosition {}

impl Hash for AnyPosition {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash_into(hasher);
    }
}

impl Debug for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A game without the type of its positions. Each method does what the method of [`Positions`] does.
pub trait AnyPositions: Send + Sync {
    /// See [`Positions::players`].
    fn players(&self) -> &'static [&'static str];
    /// See [`Positions::start`].
    fn start(&self) -> Option<AnyPosition>;
    /// See [`Positions::read`].
    fn read(&self, text: &str) -> Result<AnyPosition, String>;
    /// See [`Positions::write`].
    fn write(&self, position: &AnyPosition) -> String;
    /// See [`Positions::player`].
    fn player(&self, position: &AnyPosition) -> usize;
    /// See [`Positions::moves`].
    fn moves(
        &self,
        position: &AnyPosition,
        visit: &mut dyn FnMut(Move<AnyPosition>),
    ) -> Option<End>;
    /// See [`Positions::board`].
    fn board(&self, position: &AnyPosition) -> Option<Board>;
    /// See [`Positions::with_board`].
    fn with_board(&self, board: &Board, player: usize) -> Option<AnyPosition>;
}

/// A game in one region: its positions and their states.
pub trait AnyStates: AnyPositions {
    /// See [`Positions::passed_run`].
    fn passed_run(&self, states: Range<u64>, visit: &mut dyn FnMut(u64, u64));
    /// See [`Positions::number`]. If the rules decide a position that has no state, its value.
    fn number(&self, position: &AnyPosition) -> Result<u64, Value>;
    /// See [`Positions::position`].
    fn position(&self, state: u64) -> Option<AnyPosition>;
    /// The text of a state, or `None` if it is invalid. See [`Positions::write`].
    fn text(&self, state: u64) -> Option<String>;
    /// The state that a text names. See [`Positions::read`].
    fn state(&self, text: &str) -> Result<u64, String>;
}

impl<G: Positions> AnyPositions for G {
    fn players(&self) -> &'static [&'static str] {
        self.players()
    }

    fn start(&self) -> Option<AnyPosition> {
        self.start().map(AnyPosition::new)
    }

    fn read(&self, text: &str) -> Result<AnyPosition, String> {
        self.read(text).map(AnyPosition::new)
    }

    fn write(&self, position: &AnyPosition) -> String {
        self.write(position.of())
    }

    fn player(&self, position: &AnyPosition) -> usize {
        self.player(position.of())
    }

    fn moves(
        &self,
        position: &AnyPosition,
        visit: &mut dyn FnMut(Move<AnyPosition>),
    ) -> Option<End> {
        self.moves(position.of(), &mut |played| visit(played.map(AnyPosition::new)))
    }

    fn board(&self, position: &AnyPosition) -> Option<Board> {
        self.board(position.of())
    }

    fn with_board(&self, board: &Board, player: usize) -> Option<AnyPosition> {
        self.with_board(board, player).map(AnyPosition::new)
    }
}

impl<G: Positions<Region = (), Index = ()>> AnyStates for G {
    fn passed_run(&self, states: Range<u64>, visit: &mut dyn FnMut(u64, u64)) {
        self.passed_run(&(), states, visit);
    }

    fn number(&self, position: &AnyPosition) -> Result<u64, Value> {
        self.region(position.of()).map(|()| self.number(&(), position.of()))
    }

    fn position(&self, state: u64) -> Option<AnyPosition> {
        self.position(&(), state).map(AnyPosition::new)
    }

    fn text(&self, state: u64) -> Option<String> {
        self.position(&(), state).map(|position| self.write(&position))
    }

    fn state(&self, text: &str) -> Result<u64, String> {
        let position = self.read(text)?;
        match self.region(&position) {
            Ok(()) => Ok(self.number(&(), &position)),
            Err(value) => Err(format!("{text:?} has no state: by the rules it is a {value}")),
        }
    }
}
