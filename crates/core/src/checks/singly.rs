//! A game that is asked about one state at a time. The audit compares a game with it.

use crate::forward;
use crate::rules::{BitParallel, Game, Predecessors, WordKeys};

/// A game with the default of each method that answers for many states.
pub(super) struct Singly<'g, G>(pub(super) &'g G);

impl<G: Game> Game for Singly<'_, G> {
    forward!(Game for game => game.0; but classify invalid_states);
}

impl<G: Predecessors> Predecessors for Singly<'_, G> {
    forward!(Predecessors for game => game.0; but predecessors_of_each);
}

impl<G: Predecessors> BitParallel for Singly<'_, G> {}

impl<G: Predecessors> WordKeys for Singly<'_, G> {}
