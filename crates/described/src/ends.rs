//! The ends by which a player wins, in slots.

use crate::board::Set;
use crate::slots::Slots;
use crate::text::{Test, Text};

/// The ends by which a player wins.
#[derive(Default)]
pub(crate) struct Ends {
    patterns: Vec<(Set, Set)>,
    /// On a small board, a bit for each set of men of the player: whether it holds a pattern without men of the other player.
    /// Then `patterns` has only those with such men.
    lined: Vec<u64>,
    /// Slot, zone, and whether the man must be safe.
    pub(crate) reaches: Vec<(usize, Set, bool)>,
    pub(crate) out: bool,
    pub(crate) below: u32,
    /// Slots of which the other player has no man.
    pub(crate) takes: Vec<usize>,
}

/// The most points of a board on which a table has a bit for each set of men.
const LINED_MAX: u32 = 16;

impl Ends {
    /// The ends of a player.
    pub(crate) fn new(text: &Text, slots: &Slots, player: usize) -> Ends {
        let mut ends = Ends::default();
        for end in text.ends.iter().filter(|end| end.player == player) {
            match end.test {
                Test::Pattern { own, other } => ends.patterns.push((own, other)),
                Test::Reach { class, zone, safe } => {
                    ends.reaches.push((slots.of_class[class], zone, safe));
                }
                Test::Out => ends.out = true,
                Test::Below(least) => ends.below = ends.below.max(least),
                Test::Take(class) => ends.takes.push(slots.of_class[class]),
            }
        }
        ends.tabulate(u32::from(text.board.len()));
        ends
    }

    /// Whether the men of the player, and those of the other one, stand in a pattern.
    #[inline(always)]
    pub(crate) fn has_pattern(&self, own: Set, other: Set) -> bool {
        let holds = |(mine, theirs): &(Set, Set)| own & mine == *mine && other & theirs == *theirs;
        self.lined.get(own as usize / 64).is_some_and(|word| word >> (own % 64) & 1 != 0)
            || self.patterns.iter().any(holds)
    }

    /// Moves the patterns of own men to a table, on a small board.
    fn tabulate(&mut self, points: u32) {
        let (own, mixed): (Vec<_>, Vec<_>) =
            self.patterns.iter().copied().partition(|(_, other)| *other == 0);
        if points > LINED_MAX || own.is_empty() {
            return;
        }
        self.patterns = mixed;
        self.lined = vec![0; (1_usize << points).div_ceil(64)];
        for men in 0..1_usize << points {
            let holds = own.iter().any(|(mine, _)| men as Set & mine == *mine);
            self.lined[men / 64] |= u64::from(holds) << (men % 64);
        }
    }
}
