//! Misère play: who cannot move wins.

use crate::rules::{Game, Retrograde, Status, Value};

/// A game in which the player who cannot move wins, instead of losing.
///
/// What the rules decide stays as it is; only open states with neither moves nor exits change sides.
#[derive(Clone, Copy, Debug)]
pub struct Misere<G>(pub G);

impl<G: Game> Game for Misere<G> {
    fn states(&self) -> u64 {
        self.0.states()
    }

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

    fn successors(&self, state: u64, visit: impl FnMut(u64)) {
        self.0.successors(state, visit);
    }

    fn degree(&self, state: u64) -> u32 {
        self.0.degree(state)
    }

    fn degree_max(&self) -> Option<u32> {
        self.0.degree_max()
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        self.0.keeps_turn(from, to)
    }
}

impl<G: Retrograde> Retrograde for Misere<G> {
    fn predecessors(&self, state: u64, visit: impl FnMut(u64)) {
        self.0.predecessors(state, visit);
    }

    #[inline(always)]
    fn predecessors_of_each(&self, first: u64, set: u64, visit: impl FnMut(u64, u64)) {
        self.0.predecessors_of_each(first, set, visit);
    }

    fn scouts(&self, set: u64) -> u64 {
        self.0.scouts(set)
    }
}
