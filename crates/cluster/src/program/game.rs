//! What a solve on several processes needs of a game, for games by name and for regions of a family.

use std::path::Path;

use retrograde::Predecessors;
use retrograde::parts::Parted;
use retrograde_games::{Show, Visitor};
use retrograde_table::{About, BestExits, Rows, Table};

/// Any game that can be partitioned.
pub(crate) trait Game: Send + Sync {
    /// How many states the numbering has.
    fn states(&self) -> u64;
    /// The rows of its states, for the layout of its table.
    fn grids(&self) -> Vec<Rows>;
    /// The game for people, if each process counts its own states by side.
    fn show(&self) -> Option<&dyn Show>;
    /// The header of the table, without those counts. `values` makes a table of all values.
    fn about(&self, values: &dyn Fn() -> Result<Table, String>) -> Result<About, String>;
    /// The exits that a reader of the table at this path can ask, if it is a table of a family.
    fn exits<'a>(&'a self, path: &'a Path) -> Option<Box<dyn BestExits + 'a>>;
    /// Whether all lookups succeeded. Otherwise the solution must not be written.
    fn is_sound(&self) -> bool;
    /// The memory of the game itself.
    fn bytes(&self) -> u64;
    /// The game for the solver.
    fn parted(&self) -> &dyn Parted;
}

/// A game by name, with the header of its table.
pub(crate) struct ByName(pub(crate) About);

impl Visitor for ByName {
    type Output = Box<dyn Game>;

    fn visit<G: Show + Predecessors + Send + 'static>(self, game: G) -> Box<dyn Game> {
        Box::new(Whole { game, about: self.0 })
    }
}

struct Whole<G> {
    game: G,
    about: About,
}

impl<G: Show + Predecessors + Send> Game for Whole<G> {
    fn states(&self) -> u64 {
        self.game.states()
    }

    fn grids(&self) -> Vec<Rows> {
        let columns = Show::row_len(&self.game).filter(|columns| *columns > 0);
        let (states, sides) = (self.states(), self.game.sides().len() as u64);
        columns.map(|columns| Rows { states, columns, sides }).into_iter().collect()
    }

    fn show(&self) -> Option<&dyn Show> {
        Some(&self.game)
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

    fn parted(&self) -> &dyn Parted {
        &self.game
    }
}
