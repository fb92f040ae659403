//! Misère play: a player who cannot move wins.

use std::ops::Range;

use crate::forward;
use crate::rules::{Game, Predecessors, Status, Value};

/// A game in which the player who cannot move wins, instead of losing.
///
/// Terminal states keep their values. Only open states without moves and exits are now won.
///
/// ```
/// use retrograde::adapters::{Explicit, Misere};
/// use retrograde::{Value, solve};
///
/// let path = Explicit::from_edges(3, [(0, 1), (1, 2)]);
/// assert_eq!(solve(&path).value(0), Some(Value::Loss(2)));
/// assert_eq!(solve(&Misere(&path)).value(0), Some(Value::Win(2)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Misere<G>(pub G);

impl<G: Game> Game for Misere<G> {
    forward!(Game for this => this.0; but status classify);

    fn status(&self, state: u64) -> Status {
        let status = self.0.status(state);
        if status != Status::Open || self.0.degree(state) > 0 {
            return status;
        }
        let mut stuck = true;
        self.0.exits(state, |_| stuck = false);
        if stuck { Status::Terminal(Value::Win(0)) } else { status }
    }

    fn classify(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        self.0.classify(states, |state, status, degree, exits| {
            let stuck = status == Status::Open && degree == 0 && exits.is_empty();
            let status = if stuck { Status::Terminal(Value::Win(0)) } else { status };
            visit(state, status, degree, exits);
        });
    }
}

impl<G: Predecessors> Predecessors for Misere<G> {
    forward!(Predecessors for this => this.0);
}
