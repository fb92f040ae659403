//! Any game as one that is handled 64 states at a time: its words are found state by state.

use retrograde::bit_parallel::BitParallel;
use retrograde::{Game, Predecessors, forward};

/// A game without methods for words. `PASSES` says that each of its moves passes the turn. With `CHECKS`, the engine
/// looks at the moves of open states again to find those that win, and keeps two bits a state instead of three.
#[derive(Clone, Copy, Debug)]
pub struct ByState<G, const PASSES: bool, const CHECKS: bool>(pub G);

impl<G: Game, const PASSES: bool, const CHECKS: bool> Game for ByState<G, PASSES, CHECKS> {
    forward!(Game for this => this.0);
}

impl<G: Predecessors, const PASSES: bool, const CHECKS: bool> Predecessors
    for ByState<G, PASSES, CHECKS>
{
    forward!(Predecessors for this => this.0);
}

/// The other methods keep their defaults, which ask for the moves of each state. The walk over the moves of a state
/// ends at the first one that decides.
impl<G: Predecessors, const PASSES: bool, const CHECKS: bool> BitParallel
    for ByState<G, PASSES, CHECKS>
{
    const PASSES_TURN: bool = PASSES;
    const CHECKS_WINS: bool = CHECKS;
    const BY_STATE: bool = true;
}
