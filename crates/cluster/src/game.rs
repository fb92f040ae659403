//! What a solve on several ranks needs of a game, for games by name and for regions of a family.

use std::path::Path;

use retrograde::bit_parallel::{
    ByWords, LogError, LogStore, Share, WordExchange, WordKeys, WordSolution, WordsVisitor,
};
use retrograde::parts::Parted;
use retrograde::{Counts, Predecessors, SolveError, Solver};
use retrograde_catalog::CompiledGame;
use retrograde_games::{Solvable, Turns, Visitor};
use retrograde_table::{About, BestExits, Rows, Table};

use crate::engine::RankValues;

/// Any game that can be partitioned.
pub(crate) trait Game: Send + Sync {
    /// How many states the numbering has.
    fn states(&self) -> u64;
    /// The rows of its states, for the layout of its table.
    fn grids(&self) -> Vec<Rows>;
    /// The sides to move and their names, if each rank counts its own states by side.
    fn turns(&self) -> Option<(Turns, &'static [&'static str])>;
    /// How many positions the states of this rank stand for, by their values, if the header of the table tells it.
    fn position_counts(&self, values: &RankValues<'_>) -> Result<Option<Counts>, LogError>;
    /// The header of the table, without these counts. `values` makes a table of all values.
    fn about(&self, values: &dyn Fn() -> Result<Table, String>) -> Result<About, String>;
    /// The exits that a reader of the table at this path can ask, if it is a table of a family.
    fn exits<'a>(&'a self, path: &'a Path) -> Option<Box<dyn BestExits + 'a>>;
    /// Whether all lookups succeeded. Otherwise the solution must not be written.
    fn is_sound(&self) -> bool;
    /// The memory of the game itself.
    fn bytes(&self) -> u64;
    /// The game for the scalar engine.
    fn parted(&self) -> Box<dyn Parted + '_>;
    /// See [`ByWords::memory_needed_share`]. `None` if the game must be solved state by state.
    fn memory_needed_share(
        &self,
        solver: &Solver<'_>,
        share: &Share,
        ghosts: (u64, bool),
    ) -> Option<u64>;
    /// Solves the share of this rank 64 states at a time. The log of distances goes to the store, if there is one. See
    /// [`ByWords::solve_in`].
    fn solve_share(
        &self,
        solver: Solver<'_>,
        share: &Share,
        exchange: &mut dyn WordExchange,
        store: Option<Box<dyn LogStore>>,
    ) -> Result<WordSolution, SolveError>;
}

/// A game by name, with the header of its table.
pub(crate) struct ByName(pub(crate) About);

impl Visitor for ByName {
    type Output = Box<dyn Game>;

    fn visit<G: Solvable + Predecessors + 'static>(self, game: G) -> Box<dyn Game> {
        Box::new(Whole { game, about: self.0 })
    }
}

struct Whole<G> {
    game: G,
    about: About,
}

impl<G: Solvable + Predecessors> Game for Whole<G> {
    fn states(&self) -> u64 {
        self.game.states()
    }

    fn grids(&self) -> Vec<Rows> {
        let turns = self.game.facts().turns;
        let columns = turns.row_len().filter(|columns| *columns > 0);
        let (states, sides) = (self.states(), turns.sides(self.game.players()).len() as u64);
        columns.map(|columns| Rows { states, columns, sides }).into_iter().collect()
    }

    fn turns(&self) -> Option<(Turns, &'static [&'static str])> {
        let turns = self.game.facts().turns;
        Some((turns, turns.sides(self.game.players())))
    }

    fn position_counts(&self, values: &RankValues<'_>) -> Result<Option<Counts>, LogError> {
        Solvable::position_counts(&self.game, values)
    }

    fn about(&self, _: &dyn Fn() -> Result<Table, String>) -> Result<About, String> {
        Ok(self.about.clone())
    }

    fn exits<'a>(&'a self, _: &'a Path) -> Option<Box<dyn BestExits + 'a>> {
        None
    }

    fn is_sound(&self) -> bool {
        true
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn parted(&self) -> Box<dyn Parted + '_> {
        CompiledGame::parted(&self.game)
    }

    fn solve_share(
        &self,
        solver: Solver<'_>,
        share: &Share,
        exchange: &mut dyn WordExchange,
        store: Option<Box<dyn LogStore>>,
    ) -> Result<WordSolution, SolveError> {
        let solved = self.game.visit_words(SolveShare(solver, share, exchange, store));
        solved.unwrap_or_else(|_| unreachable!("it has words"))
    }

    fn memory_needed_share(
        &self,
        solver: &Solver<'_>,
        share: &Share,
        ghosts: (u64, bool),
    ) -> Option<u64> {
        self.game.visit_words(MemoryNeeded(solver, share, ghosts)).ok()
    }
}

/// Solves the share of a rank.
pub(crate) struct SolveShare<'a>(
    pub(crate) Solver<'a>,
    pub(crate) &'a Share,
    pub(crate) &'a mut dyn WordExchange,
    pub(crate) Option<Box<dyn LogStore>>,
);

impl WordsVisitor for SolveShare<'_> {
    type Output = Result<WordSolution, SolveError>;

    fn visit<G: WordKeys>(self, game: &G) -> Self::Output {
        let SolveShare(solver, share, exchange, store) = self;
        ByWords(game).solve_share(solver, store, (share, exchange))
    }
}

/// How much memory that takes.
pub(crate) struct MemoryNeeded<'a, 's>(
    pub(crate) &'a Solver<'s>,
    pub(crate) &'a Share,
    pub(crate) (u64, bool),
);

impl WordsVisitor for MemoryNeeded<'_, '_> {
    type Output = u64;

    fn visit<G: WordKeys>(self, game: &G) -> u64 {
        let MemoryNeeded(solver, share, (ghosts, stored)) = self;
        ByWords(game).memory_needed_share(solver, stored, (share, ghosts))
    }
}
