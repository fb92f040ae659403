//! What a program needs of a game beside its rules: names, texts of states, pictures, and what helps to solve it.

use retrograde::Probe;
use retrograde::bit_parallel::WordKeys;
use retrograde::parts::Parted;

use crate::Stage;

/// A game that a program can show to people.
pub trait Show: Sync {
    /// The name of the game in one lower-case word: `pursuit`.
    fn name(&self) -> &'static str;

    /// Who plays: `["police", "thief"]`, or `["player"]` where both are alike.
    fn movers(&self) -> &'static [&'static str] {
        &["player"]
    }

    /// Which of [`movers`](Show::movers) is to move in `state`.
    fn mover(&self, state: u64) -> usize {
        let _ = state;
        0
    }

    /// For how many states from this one on the mover is the same. Saying less is allowed, and slower.
    fn mover_run(&self, state: u64) -> u64 {
        let _ = state;
        1
    }

    /// How many states a person would count, holes included, where those are not the states of the
    /// numbering, which is laid out for speed.
    fn states_named(&self) -> Option<u64> {
        None
    }

    /// The state the game begins in, where it has one.
    fn start(&self) -> Option<u64>;

    /// The state in words: `police 0,0 3,4`. Only asked of states that are not void.
    fn text(&self, state: u64) -> String;

    /// The state that `text` names, or what is wrong with it.
    fn parse(&self, text: &str) -> Result<u64, String>;

    /// The state drawn, where the game has a board. Ends without a line break.
    fn picture(&self, state: u64) -> Option<String> {
        let _ = state;
        None
    }

    /// A move in as few words as tell it from the others of its state, as a player types it.
    fn step(&self, from: u64, to: u64) -> String {
        let _ = from;
        self.text(to)
    }

    /// The same placement with the other mover to move, where both may be. Only asked of states that are not void.
    fn passed(&self, state: u64) -> Option<u64> {
        let _ = state;
        None
    }

    /// The board it is played on, where that is a grid of cells.
    fn stage(&self) -> Option<&dyn Stage> {
        None
    }

    /// How long the rows of states are, where the states lie in rows with one player to move in each row, and the next
    /// player in the next. Tables of such games are smaller.
    fn row_len(&self) -> Option<u64> {
        None
    }

    /// The same game in a numbering in which moves stay nearer, where it has one.
    fn banded(&self) -> Option<Banded> {
        None
    }

    /// What there is to add about a solved game, where its values are at hand.
    fn remark<P: Probe>(&self, values: &P) -> Result<Option<Remark>, P::Error>
    where
        Self: Sized,
    {
        let _ = values;
        Ok(None)
    }

    /// Calls `visitor` with the game, where it can be solved 64 states at a time.
    fn visit_words<V: WordsVisitor>(&self, visitor: V) -> Option<V::Output>
    where
        Self: Sized,
    {
        let _ = visitor;
        None
    }
}

/// Code that works on a game 64 states at a time. See [`Show::visit_words`].
pub trait WordsVisitor {
    /// What it makes of the game.
    type Output;

    /// Works on the game.
    fn visit<G: WordKeys>(self, game: &G) -> Self::Output;
}

/// A game in a numbering in which moves stay near, for a solver that has only some of its states in memory.
pub struct Banded {
    /// The game in that numbering: blocks of states in another order, each the same inside.
    pub game: Box<dyn Parted>,
    /// How many states a block has.
    pub block_len: u64,
    /// For each block of the usual numbering its place in the other one.
    pub place_of: Vec<u32>,
}

/// A remark on a solved game, for people and for programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// Text without a line break at the end.
    pub text: String,
    /// The same as a name and words, where a program has a use for it. The words may be missing.
    pub words: Option<(&'static str, Option<Vec<String>>)>,
}
