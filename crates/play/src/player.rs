//! The program as a player: it plays perfectly, or, as a weaker opponent, makes a random move now and then.

use retrograde::internal::SplitMix64;

use crate::field::Node;

/// The program as a player.
pub struct Player {
    rng: SplitMix64,
    /// On average, one move of this number is random.
    errs: Option<u32>,
}

impl Player {
    /// A player with a seed. The same seed gives the same game.
    pub fn new(seed: u64, errs: Option<u32>) -> Player {
        Player { rng: SplitMix64(seed), errs }
    }

    /// The move to play: a random one among the best, so that games differ.
    pub(crate) fn choose(&mut self, node: &Node) -> usize {
        let moves = &node.moves;
        if let Some(errs) = self.errs
            && self.rng.below(u64::from(errs)) == 0
        {
            return self.rng.below(moves.len() as u64) as usize;
        }
        let best = moves.iter().take_while(|choice| choice.value == moves[0].value).count();
        self.rng.below(best as u64) as usize
    }
}
