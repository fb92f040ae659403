//! What a solve on several processes asks of a game, whether it is one of the games by name or a region of a family.

use retrograde::Predecessors;
use retrograde::parts::Parted;
use retrograde_cluster::{BlockPartition, Renumbered};
use retrograde_games::{Show, Visitor};
use retrograde_table::{About, Rows};

use crate::gather::Brought;

/// A game, whichever it is, that can be partitioned.
pub(crate) trait Game: Send + Sync {
    /// How many states the numbering has.
    fn states(&self) -> u64;
    /// The rows that its states fall into, by which its table is laid out.
    fn grids(&self) -> Vec<Rows>;
    /// Who plays, where each process counts its own states for them.
    fn show(&self) -> Option<&dyn Show>;
    /// What the table says of itself, those counts piggyback.
    fn about(&self, values: &Brought) -> Result<About, String>;
    /// Whether nothing has been asked in vain: otherwise what was solved is not to be written.
    fn is_sound(&self) -> bool;
    /// What it holds in memory itself.
    fn bytes(&self) -> u64;
    /// The same game in the numbering of the processes.
    fn renumbered(&self, block_partition: BlockPartition) -> Box<dyn Parted + '_>;
}

/// Makes one of a game by name, with what its table says of it.
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
        let (states, movers) = (self.states(), self.game.movers().len() as u64);
        columns.map(|columns| Rows { states, columns, movers }).into_iter().collect()
    }

    fn show(&self) -> Option<&dyn Show> {
        Some(&self.game)
    }

    fn about(&self, _: &Brought) -> Result<About, String> {
        Ok(self.about.clone())
    }

    fn is_sound(&self) -> bool {
        true
    }

    fn bytes(&self) -> u64 {
        0
    }

    fn renumbered(&self, block_partition: BlockPartition) -> Box<dyn Parted + '_> {
        Box::new(Renumbered::new(&self.game, block_partition))
    }
}
