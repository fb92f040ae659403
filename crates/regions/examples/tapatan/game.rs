//! The game of a region.

use std::ops::ControlFlow;

use retrograde::{Game, Predecessors, Probe, Status, Value};
use retrograde_regions::SolvedRegion;

use super::board::{MEN, Men, POINTS, beside, has_row, points};
use super::family::Tier;

/// The game of a region. Moves that place a man leave the region for the next one.
pub(crate) struct Placing<'a> {
    tier: Tier,
    /// The solution of the next region; none if all men are placed.
    next: Option<SolvedRegion<'a>>,
}

impl<'a> Placing<'a> {
    pub(crate) fn new(tier: Tier, next: Option<SolvedRegion<'a>>) -> Placing<'a> {
        Placing { tier, next }
    }
}

/// How many numbers a region has: three for each point.
pub(crate) const STATES: u64 = 3u64.pow(POINTS);

/// The men of a state; `None` if it is no position. A position has as many men of each side as have been placed, and no
/// row of the side to move.
pub(crate) fn men_of(tier: Tier, state: u64) -> Option<Men> {
    let men = Men::of_number(state);
    let placed = tier.placed();
    let counts = (men.own.count_ones(), men.other.count_ones());
    (counts == (placed / 2, placed - placed / 2) && !has_row(men.own)).then_some(men)
}

impl Game for Placing<'_> {
    fn states(&self) -> u64 {
        STATES
    }

    fn status(&self, state: u64) -> Status {
        match men_of(self.tier, state) {
            None => Status::Invalid,
            Some(men) if has_row(men.other) => Status::Terminal(Value::Loss(0)),
            Some(_) => Status::Open,
        }
    }

    fn exits(&self, state: u64, mut visit: impl FnMut(Value)) {
        let Some(next) = &self.next else { return };
        let men = Men::of_number(state);
        for to in men.free() {
            let after = Men { own: men.own | 1 << to, ..men }.turned();
            let Ok(value) = next.probe(after.number());
            if let Some(value) = value {
                visit(value.after_move(false));
            }
        }
    }

    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.tier.placed() < 2 * MEN {
            return ControlFlow::Continue(());
        }
        let men = Men::of_number(state);
        for from in points(men.own) {
            for to in men.free().filter(|to| beside(from) >> to & 1 != 0) {
                visit(Men { own: men.own ^ 1 << from | 1 << to, ..men }.turned().number())?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Predecessors for Placing<'_> {
    fn predecessors(&self, state: u64, visit: impl FnMut(u64)) {
        if self.tier.placed() < 2 * MEN {
            return;
        }
        // Steps go both ways: a man of the other side came from a free neighbouring point.
        let before = Men::of_number(state).turned();
        let step_back = |to: u32| {
            let from = before.free().filter(move |from| beside(to) >> from & 1 != 0);
            from.map(move |from| Men { own: before.own ^ 1 << to | 1 << from, ..before }.number())
        };
        points(before.own).flat_map(step_back).for_each(visit);
    }
}
