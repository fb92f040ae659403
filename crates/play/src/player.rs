//! The program as a player: it plays perfectly, or, as a weaker opponent, makes a random move now and then.

use crate::field::Node;

/// The program as a player.
pub struct Player {
    rng: Rng,
    /// On average, one move of this number is random.
    errs: Option<u32>,
}

impl Player {
    /// A player with a seed. The same seed gives the same game.
    pub fn new(seed: u64, errs: Option<u32>) -> Player {
        Player { rng: Rng(seed), errs }
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

/// A small random number generator (splitmix64, after Steele, Lea and Flood 2014). The same seed gives the same numbers
/// on every machine.
struct Rng(u64);

impl Rng {
    /// A number below `bound`, which must not be 0.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        ((u128::from(bits) * u128::from(bound)) >> 64) as u64
    }
}
