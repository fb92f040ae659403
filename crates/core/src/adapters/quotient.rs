//! Symmetry: of states that mirror each other, the solver solves only one.
//!
//! This is an adapter, not an option of the engine. States that mirror each other form an *orbit*. One state
//! of each orbit stays, and the others become invalid. Orbits differ in size, so it would be wrong to count a
//! move twice if it leads to an orbit in two ways. Example: a state on the axis has two moves, which mirror
//! each other. Both lead to the same orbit. But backwards, there is only one move. So both directions remove
//! duplicates: a move of the quotient is a pair of orbits.

use std::ops::ControlFlow;

use crate::rules::{Game, Predecessors, Status, Value};

/// A game in which symmetric states are one state.
///
/// `canonical` maps every state to the representative of its orbit, which is the same for all states of the
/// orbit. The mirror image of a move must be a move. Mirror images must have the same status and the same
/// exits. If moves can keep the turn, `keeps_turn` must give the same answer for two representatives as for
/// each move between their orbits.
///
/// Use this for a game that you have already written without symmetry. It keeps the numbering of the game, so
/// it saves no memory. It removes duplicates from every list of moves. A game that numbers orbits from the
/// start is smaller and faster: see [`Folded`](crate::adapters::Folded).
///
/// ```
/// use retrograde::adapters::{Explicit, Quotient};
/// use retrograde::{Value, audit, solve};
///
/// // A ring of five cells. Cells 2 and 3 also lead to state 5, which has no moves.
/// let ring = (0..5).flat_map(|cell| [(cell, (cell + 1) % 5), (cell, (cell + 4) % 5)]);
/// let game = Explicit::from_edges(6, ring.chain([(2, 5), (3, 5)]));
/// // Cells 1 and 4 are images of each other, and so are 2 and 3.
/// let quotient = Quotient::new(&game, |state| if state < 5 { state.min((5 - state) % 5) } else { 5 });
/// audit(&quotient)?;
/// let (half, whole) = (solve(&quotient), solve(&game));
/// assert_eq!(half.value(4), None);
/// assert_eq!(half.value(quotient.canonical(4)), whole.value(4));
/// # Ok::<(), retrograde::checks::AuditError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Quotient<G, F> {
    game: G,
    canonical: F,
}

impl<G: Game, F: Fn(u64) -> u64 + Sync> Quotient<G, F> {
    /// The quotient of a game by a symmetry.
    pub fn new(game: G, canonical: F) -> Quotient<G, F> {
        Quotient { game, canonical }
    }

    /// The representative of a state. The solution has its value.
    pub fn canonical(&self, state: u64) -> u64 {
        (self.canonical)(state)
    }

    /// The distinct representatives of the states that `walk` visits, in increasing order.
    fn distinct(&self, walk: impl FnOnce(&mut dyn FnMut(u64))) -> Vec<u64> {
        let mut reached = Vec::new();
        walk(&mut |state| reached.push(self.canonical(state)));
        reached.sort_unstable();
        reached.dedup();
        reached
    }
}

impl<G: Game, F: Fn(u64) -> u64 + Sync> Game for Quotient<G, F> {
    fn states(&self) -> u64 {
        self.game.states()
    }

    fn status(&self, state: u64) -> Status {
        if self.canonical(state) == state { self.game.status(state) } else { Status::Invalid }
    }

    fn exits(&self, state: u64, visit: impl FnMut(Value)) {
        self.game.exits(state, visit);
    }

    fn successors(&self, state: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        let reached = self.distinct(|each| self.game.each_successor(state, each));
        reached.into_iter().try_for_each(visit)
    }

    fn degree_max(&self) -> Option<u32> {
        self.game.degree_max()
    }

    fn stuck(&self) -> Value {
        self.game.stuck()
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        self.game.keeps_turn(from, to)
    }
}

impl<G: Predecessors, F: Fn(u64) -> u64 + Sync> Predecessors for Quotient<G, F> {
    /// A move between two orbits has an image that ends in any given state of the second orbit. So the
    /// predecessors of the representative show all such moves.
    fn predecessors(&self, state: u64, visit: impl FnMut(u64)) {
        self.distinct(|each| self.game.predecessors(state, each)).into_iter().for_each(visit);
    }
}
