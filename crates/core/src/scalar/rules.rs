//! What the engine asks of a game. All code that knows the game is here; everything else is compiled once for all games.
//!
//! A call sweeps or seeds many states, so it may come by dynamic dispatch. The calls inside are static.

use super::frontier::Marked;
use super::outbox::Outboxes;
use super::part::PartMut;
use super::run::Part;
use super::seed::{degree_max, seed_part};
use super::sweep::{Left, Nowhere, Prefetcher, Search, sweep_marks};
use crate::rules::{Game, Predecessors, Status};
use crate::solve::pending::PendingEvents;

/// A game, as the engine sees it.
pub(super) trait ScalarRules: Sync {
    /// As [`Game::states`].
    fn states(&self) -> u64;

    /// The most moves of any open state.
    fn degree_max(&self, parallel: bool) -> u32;

    /// Whether many moves lead to another part: more than one in eight, by a sample.
    fn strays(&self, part_len: u64) -> bool;

    /// As [`seed_part`].
    fn seed(
        &self,
        part: &mut PartMut<'_>,
        degree_max: u32,
        found: &mut Marked,
        pending: &mut PendingEvents,
    );

    /// As [`Part::sweep_words`], for a part that holds all states.
    fn sweep_words(&self, part: &mut Part, words: usize) -> bool;

    /// As [`sweep_marks`], until all is done or the outboxes are full.
    fn sweep_marks(
        &self,
        part: &mut PartMut<'_>,
        prefetcher: &mut Prefetcher<'_>,
        left: &mut Left,
        search: (Search, bool),
        found: &mut Marked,
        outboxes: &mut Outboxes,
    );
}

impl<G: Predecessors> ScalarRules for G {
    fn states(&self) -> u64 {
        Game::states(self)
    }

    fn degree_max(&self, parallel: bool) -> u32 {
        degree_max(self, parallel)
    }

    fn strays(&self, part_len: u64) -> bool {
        const SAMPLE: u64 = 256;
        let states = Game::states(self);
        let (mut all, mut away) = (0_u64, 0_u64);
        for state in (0..states).step_by(states.div_ceil(SAMPLE) as usize) {
            if self.status(state) != Status::Invalid {
                self.predecessors(state, |from| {
                    all += 1;
                    away += u64::from(from / part_len != state / part_len);
                });
            }
        }
        away > all / 8
    }

    fn seed(
        &self,
        part: &mut PartMut<'_>,
        degree_max: u32,
        found: &mut Marked,
        pending: &mut PendingEvents,
    ) {
        seed_part(self, part, degree_max, found, pending);
    }

    fn sweep_words(&self, part: &mut Part, words: usize) -> bool {
        part.sweep_words(self, words, &mut Nowhere)
    }

    fn sweep_marks(
        &self,
        part: &mut PartMut<'_>,
        prefetcher: &mut Prefetcher<'_>,
        left: &mut Left,
        search: (Search, bool),
        found: &mut Marked,
        outboxes: &mut Outboxes,
    ) {
        sweep_marks(self, part, prefetcher, left, search, usize::MAX, found, outboxes);
    }
}
