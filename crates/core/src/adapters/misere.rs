//! Misère play: who cannot move wins.

use std::ops::Range;

use crate::forward;
use crate::rules::{Game, Retrograde, Status, Value};

/// A game in which the player who cannot move wins, instead of losing.
///
/// What the rules decide stays as it is; only open states with neither moves nor exits change sides.
///
/// ```
/// use retrograde::{Explicit, Misere, Value, solve};
///
/// let path = Explicit::from_edges(3, [(0, 1), (1, 2)]);
/// assert_eq!(solve(&path).value(0), Some(Value::Loss(2)));
/// assert_eq!(solve(&Misere(&path)).value(0), Some(Value::Win(2)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Misere<G>(pub G);

impl<G: Game> Game for Misere<G> {
    forward!(this => this.0; states successors degree voids degree_max keeps_turn);

    fn status(&self, state: u64, mut exit: impl FnMut(Value)) -> Status {
        let mut stuck = true;
        let status = self.0.status(state, |value| {
            stuck = false;
            exit(value);
        });
        if status == Status::Open && stuck && self.0.degree(state) == 0 {
            Status::Final(Value::Win(0))
        } else {
            status
        }
    }

    fn survey(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        self.0.survey(states, |state, status, degree, exits| {
            let stuck = status == Status::Open && degree == 0 && exits.is_empty();
            let status = if stuck { Status::Final(Value::Win(0)) } else { status };
            visit(state, status, degree, exits);
        });
    }
}

impl<G: Retrograde> Retrograde for Misere<G> {
    forward!(this => this.0; SCOUTS<G> predecessors predecessors_of_each);
}
