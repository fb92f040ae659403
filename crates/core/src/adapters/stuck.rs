//! Another value for a player who cannot move, as in misère play.

use std::ops::Range;

use crate::forward;
use crate::rules::{Game, Predecessors, Status, Value};

/// A game in which the player who cannot move wins or draws, instead of losing.
///
/// Terminal states keep their values. Only open states without moves and exits have another value now. Rules about
/// positions have a method for this: see [`Rules::stuck`](crate::adapters::Rules::stuck).
///
/// ```
/// use retrograde::adapters::{Explicit, Stuck};
/// use retrograde::{Value, solve};
///
/// let path = Explicit::from_edges(3, [(0, 1), (1, 2)]);
/// assert_eq!(solve(&path).value(0), Some(Value::Loss(2)));
/// assert_eq!(solve(&Stuck::wins(&path)).value(0), Some(Value::Win(2)));
/// assert_eq!(solve(&Stuck::draws(&path)).value(0), Some(Value::Draw));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Stuck<G> {
    game: G,
    value: Value,
}

impl<G> Stuck<G> {
    /// A player who cannot move wins. This is called misère play.
    pub fn wins(game: G) -> Stuck<G> {
        Stuck { game, value: Value::Win(0) }
    }

    /// A player who cannot move draws: stalemate.
    pub fn draws(game: G) -> Stuck<G> {
        Stuck { game, value: Value::Draw }
    }
}

impl<G: Game> Game for Stuck<G> {
    forward!(Game for this => this.game; but status classify);

    fn status(&self, state: u64) -> Status {
        let status = self.game.status(state);
        if status != Status::Open || self.game.has_moves(state) {
            return status;
        }
        let mut stuck = true;
        self.game.exits(state, |_| stuck = false);
        if stuck { Status::Terminal(self.value) } else { status }
    }

    fn classify(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        self.game.classify(states, |state, status, degree, exits| {
            let stuck = status == Status::Open && degree == 0 && exits.is_empty();
            let status = if stuck { Status::Terminal(self.value) } else { status };
            visit(state, status, degree, exits);
        });
    }
}

impl<G: Predecessors> Predecessors for Stuck<G> {
    forward!(Predecessors for this => this.game);
}
