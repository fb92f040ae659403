//! What the program needs of a game besides its rules: names, texts of states, pictures, and help for the
//! solver.

use retrograde::Probe;
use retrograde::bit_parallel::WordKeys;

use crate::Stage;

/// A game that a program can show to people.
pub trait Show: Sync {
    /// The name of the game in one lower-case word: `pursuit`.
    fn name(&self) -> &'static str;

    /// The players: `["police", "thief"]`, or `["player"]` if both sides are alike.
    fn sides(&self) -> &'static [&'static str] {
        &["player"]
    }

    /// Which of [`sides`](Show::sides) is to move in `state`.
    fn side_to_move(&self, state: u64) -> usize {
        let _ = state;
        0
    }

    /// How many states from this one on have the same side to move. A smaller number is allowed, and slower.
    fn side_run(&self, state: u64) -> u64 {
        let _ = state;
        1
    }

    /// How many states a person would count, including invalid ones. `None` if that is the number of states
    /// of the numbering.
    fn states_named(&self) -> Option<u64> {
        None
    }

    /// The state in which the game begins, if it has one.
    fn start(&self) -> Option<u64>;

    /// The state as text: `police 0,0 3,4`. Called for valid states only.
    fn text(&self, state: u64) -> String;

    /// The state that `text` names. The error says what is wrong with the text.
    fn parse(&self, text: &str) -> Result<u64, String>;

    /// A drawing of the state, if the game has a board. Ends without a line break.
    fn picture(&self, state: u64) -> Option<String> {
        let _ = state;
        None
    }

    /// A short text for a move, as a player types it. It differs from the texts of all other moves of the
    /// state.
    fn step(&self, from: u64, to: u64) -> String {
        let _ = from;
        self.text(to)
    }

    /// The ways to make a move on the board as it is drawn. For games whose states are positions up to symmetry, written for the player
    /// to move: there the [picture](Show::picture) of the next state may lie otherwise. None for all other games.
    fn ways(&self, from: u64, to: u64) -> Vec<Way> {
        let _ = (from, to);
        Vec::new()
    }

    /// How many men each of [`sides`](Show::sides) has yet to put on the board. Empty where all begin on it.
    fn hand(&self, state: u64) -> Vec<(char, u32)> {
        let _ = state;
        Vec::new()
    }

    /// The same position with the other side to move, if both may be to move. Called for valid states only.
    fn passed(&self, state: u64) -> Option<u64> {
        let _ = state;
        None
    }

    /// The board of the game, if it is a grid of cells.
    fn stage(&self) -> Option<&dyn Stage> {
        None
    }

    /// The length of a row of states, if the states lie in rows with one side to move in each row, and the
    /// other side in the next. Tables of such games are smaller.
    fn row_len(&self) -> Option<u64> {
        None
    }

    /// The same game in a numbering with shorter moves, if it has one.
    fn banded(&self) -> Option<Banded<Self>>
    where
        Self: Sized,
    {
        None
    }

    /// What else to say about a solved game, from its values.
    fn remark<P: Probe>(&self, values: &P) -> Result<Option<Remark>, P::Error>
    where
        Self: Sized,
    {
        let _ = values;
        Ok(None)
    }

    /// Calls `visitor` with the game, if it can be solved 64 states at a time.
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
    /// The result of the work.
    type Output;

    /// Works on the game.
    fn visit<G: WordKeys>(self, game: &G) -> Self::Output;
}

/// A game in a numbering with short moves, for a solver that keeps only some states in memory.
pub struct Banded<G> {
    /// The game in that numbering. Blocks of states are in another order; each block is the same inside.
    pub game: G,
    /// How many states a block has.
    pub block_len: u64,
    /// For each block of the usual numbering, its place in the other one.
    pub place_of: Vec<u32>,
}

/// A way to make a move on a board as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Its name: `a3-c3`.
    pub name: String,
    /// The board after it, neither turned nor with other letters.
    pub picture: String,
}

/// A remark on a solved game, for people and for programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// The text, without a line break at the end.
    pub text: String,
    /// The same for programs: a name and words. The words may be missing.
    pub words: Option<(&'static str, Option<Vec<String>>)>,
}
