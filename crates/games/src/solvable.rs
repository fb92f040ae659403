//! What the program needs of a game besides its rules and positions: how states are counted, and help for the solver.

use retrograde::bit_parallel::WordsVisitor;
use retrograde::{Counts, Game, Probe, Solution, SolveError, Solver, Status};
use retrograde_positions::{End, Positions};

/// A game that the program can solve at once, and count.
pub trait Solvable: Positions<Region = (), Index = ()> {
    /// Whether a move takes only a few nanoseconds. Then the scalar engine, verify and audit are compiled for this game.
    /// Otherwise they take it as [`AnyRules`](retrograde::adapters::AnyRules).
    const QUICK_MOVES: bool = false;

    /// What the program says of it.
    fn facts(&self) -> Facts;

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

    /// How many positions are won, lost and drawn, if positions that are equal by symmetry share a state. `None` if each state
    /// is one position.
    fn position_counts<P: Probe>(&self, values: &P) -> Result<Option<Counts>, P::Error>
    where
        Self: Sized,
    {
        let _ = values;
        Ok(None)
    }

    /// Calls `visitor` with the game, or hands it back if the game can only be solved state by state.
    fn visit_words<V: WordsVisitor>(&self, visitor: V) -> Result<V::Output, V>
    where
        Self: Sized,
    {
        Err(visitor)
    }

    /// Calls `visitor` with the game in another numbering, in which it has words. Hands it back if there is none.
    fn visit_rows<V: WordsVisitor>(&self, visitor: V) -> Result<V::Output, V>
    where
        Self: Sized,
    {
        Err(visitor)
    }

    /// How many bytes a solve in that numbering takes besides those of the solver.
    fn bytes_beside_rows(&self) -> u64 {
        0
    }

    /// Solves the game in that numbering. The solution has the numbers of this game. Hands the solver back if there is none.
    fn solve_in_rows<'s>(
        &self,
        solver: Solver<'s>,
    ) -> Result<Result<Solution, SolveError>, Box<Solver<'s>>>
    where
        Self: Sized,
    {
        Err(Box::new(solver))
    }
}

/// What the program says of a game: its name, and how its states are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The name of the game in one lower-case word: `pursuit`.
    pub name: &'static str,
    /// The states in which each player is to move.
    pub turns: Turns,
    /// How many states a person would count, including invalid ones. `None` if that is the number of states.
    pub states_named: Option<u64>,
}

/// The states in which each player is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// A state does not say who is to move.
    Alike,
    /// Rows of states with one player to move in each row, and the other player in the next. Tables of such games are
    /// smaller. This is the length of a row.
    Rows(u64),
    /// First all states with the first player to move. This is how many they are.
    First(u64),
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

/// A remark on a solved game, for people and for programs.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// The text, without a line break at the end.
    pub text: String,
    /// The same for programs: a name and words. The words may be missing.
    pub words: Option<(&'static str, Option<Vec<String>>)>,
}

impl Facts {
    /// The facts of a game whose states do not say who is to move.
    pub const fn of(name: &'static str) -> Facts {
        Facts { name, turns: Turns::Alike, states_named: None }
    }
}

impl Turns {
    /// The names of the sides whose states are counted apart, for a game of these players.
    pub fn sides(self, players: &'static [&'static str]) -> &'static [&'static str] {
        match self {
            Turns::Alike => &["player"],
            Turns::Rows(_) | Turns::First(_) => players,
        }
    }

    /// Which side is to move in a state.
    pub fn side(self, state: u64) -> usize {
        match self {
            Turns::Alike => 0,
            Turns::Rows(len) => (state / len % 2) as usize,
            Turns::First(firsts) => usize::from(state >= firsts),
        }
    }

    /// Where the run of states ends that have the same side to move as this one.
    pub fn run_end(self, state: u64) -> u64 {
        match self {
            Turns::Rows(len) => (state / len + 1) * len,
            Turns::First(firsts) if state < firsts => firsts,
            Turns::Alike | Turns::First(_) => u64::MAX,
        }
    }

    /// The length of the rows, if the states lie in rows.
    pub fn row_len(self) -> Option<u64> {
        match self {
            Turns::Rows(len) => Some(len),
            Turns::Alike | Turns::First(_) => None,
        }
    }
}

/// Visits the states that the moves of a state lead to. If the game has ended by its rules, it visits none, and returns how.
pub fn successors_or_end(game: &impl Game, state: u64, mut visit: impl FnMut(u64)) -> Option<End> {
    match game.status(state) {
        Status::Terminal(value) => Some(End::terminal(value)),
        Status::Invalid => None,
        Status::Open => {
            let mut stuck = true;
            game.each_successor(state, |to| {
                stuck = false;
                visit(to);
            });
            stuck.then(|| End { value: game.stuck(), ..End::STUCK })
        }
    }
}

/// Writes those methods of [`Positions`] that are the same for all games in which a position is the number of its state.
#[macro_export]
macro_rules! positions_are_states {
    () => {
        type Position = u64;
        type Region = ();
        type Index = ();

        fn region(&self, _: &u64) -> Result<(), retrograde::Value> {
            Ok(())
        }

        fn index(&self, _: &()) {}

        fn number(&self, _: &(), state: &u64) -> u64 {
            *state
        }

        fn position(&self, _: &(), state: u64) -> Option<u64> {
            use retrograde::{Game, Status};
            (state < Game::states(self) && Game::status(self, state) != Status::Invalid)
                .then_some(state)
        }
    };
}
