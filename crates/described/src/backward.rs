//! Backward moves: the positions before each move into a position.

use retrograde_boards::{Cells, Position, singles, squares};

use crate::board::{Set, bit};
use crate::rulebook::{Rulebook, place};
use crate::steps::Step;
use crate::tables::MoveTable;

/// What is known of the positions before a move. None of them is one where the game was over: where the player could have taken a man
/// whose loss ends it, or had a man of his own where that ends it.
struct Before<'b> {
    /// Where the man that has moved may stand.
    has_moved: Set,
    /// For each slot and point of that man, where he could have been taken from.
    threats: Option<(&'b [Vec<Set>], usize)>,
    /// Slots, and where men of them end the game if the player is to move.
    ended: &'b [(usize, Set)],
}

impl<'b> Before<'b> {
    #[inline(always)]
    fn new<const N: usize>(book: &'b Rulebook, sets: &[Set; N], player: usize) -> Before<'b> {
        let ended = &*book.slots.ended[player];
        let there = ended.iter().fold(0, |all, &(slot, zone)| all | sets[slot] & zone);
        let has_moved = only(there);
        let all = Before { has_moved, threats: None, ended };
        // Of several such men, he could have taken another one.
        let vital = book.ends[player].wins_by_taking();
        let vital = vital.filter(|&slot| book.slots.most[slot] == 1 && sets[slot] != 0);
        let Some(man) = vital.map(|slot| sets[slot]) else { return all };
        let point = man.trailing_zeros() as usize;
        let threats = &*book.tables[player].threats;
        let own = book.slots.men[player].iter();
        let threat = own.fold(0, |all, &slot| all | sets[slot] & threats[slot][point]);
        Before { has_moved: has_moved & only(threat), threats: Some((threats, point)), ended }
    }

    /// Where a man of a slot cannot have come from.
    #[inline(always)]
    fn never_from(&self, slot: usize) -> Set {
        let threat = self.threats.map_or(0, |(threats, point)| threats[slot][point]);
        let ended = self.ended.iter().filter(|(other, _)| *other == slot);
        ended.fold(threat, |all, (_, zone)| all | zone)
    }
}

/// Which men can have moved, if one of some men has: no two of them.
#[inline(always)]
fn only(men: Set) -> Set {
    match men {
        0 => Set::MAX,
        one if one & one.wrapping_sub(1) == 0 => one,
        _ => 0,
    }
}

/// Visits the position with one more man of a slot on each of some free points. It is as it was in the end.
#[inline(always)]
fn each_put<const N: usize>(
    cells: &Cells,
    position: &mut Position<N>,
    slot: usize,
    points: Set,
    mut visit: impl FnMut(&Position<N>),
) {
    for at in singles(points) {
        cells.put(position, slot, at);
        visit(position);
        cells.lift(position, slot, at);
    }
}

impl Rulebook {
    /// Visits the position before each move into a position, which is given with the player who has moved to move again. Some of
    /// them may be in no cell. Most are made in its place, and it is as it was in the end: copies would wait for the last change.
    #[inline(always)]
    pub(crate) fn before<const N: usize>(
        &self,
        cells: &Cells,
        passed: &mut Position<N>,
        mut visit: impl FnMut(&Position<N>),
    ) {
        let player = self.side(passed);
        let men = self.men(passed.sets(), player);
        let all = men.own | men.other;
        let before = Before::new(self, passed.sets(), player);
        if before.has_moved == 0 {
            return;
        }
        let tables = &self.tables[player];
        let takeable = if tables.takes { self.takeable(passed.sets(), 1 - player) } else { 0 };
        for table in &tables.moves {
            let moved = passed.sets()[table.after] & before.has_moved;
            if moved == 0 || table.placed && !men.placed {
                continue;
            }
            let never_from = before.never_from(table.before);
            for to in squares(moved) {
                let from = table.backwards.of(to, all & !(1 << to)) & !never_from;
                if from == 0 {
                    continue;
                }
                if table.takes {
                    let points = [from, 1 << to];
                    self.before_taking(cells, passed, table, points, takeable, &mut visit);
                } else if table.before == table.after {
                    for from in singles(from) {
                        passed.shift(table.before, from | 1 << to);
                        visit(passed);
                        passed.shift(table.before, from | 1 << to);
                    }
                } else if self.has_room(passed.sets(), table.before) {
                    cells.lift(passed, table.after, 1 << to);
                    each_put(cells, passed, table.before, from, &mut visit);
                    cells.put(passed, table.after, 1 << to);
                }
            }
        }
        for drop in &tables.drops {
            let hand = &self.slots.hands[drop.hand];
            if !hand.has_room(passed.sets()) {
                continue;
            }
            let mut earlier = *passed;
            hand.put(cells, &mut earlier);
            for to in singles(passed.sets()[drop.after] & drop.zone & before.has_moved) {
                cells.lift(&mut earlier, drop.after, to);
                visit(&earlier);
                cells.put(&mut earlier, drop.after, to);
            }
        }
        if !self.has_steps[player] {
            return;
        }
        for &slot in &self.slots.men[player] {
            for to in singles(passed.sets()[slot] & before.has_moved) {
                let lifted = cells.without(*passed, slot, to);
                for step in &self.backward[place(slot, to.trailing_zeros() as u8)] {
                    self.undo(cells, (&lifted, all & !to), player, step, &mut visit);
                }
            }
        }
        if before.has_moved == Set::MAX {
            for step in &self.leaving[player] {
                self.undo(cells, (passed, all), player, step, &mut visit);
            }
        }
    }

    /// Visits the positions before moves of a table that took a man on one point. They began on any of some points.
    #[inline(always)]
    fn before_taking<const N: usize>(
        &self,
        cells: &Cells,
        passed: &mut Position<N>,
        table: &MoveTable,
        [from, to]: [Set; 2],
        takeable: u64,
        mut visit: impl FnMut(&Position<N>),
    ) {
        if table.before != table.after && !self.has_room(passed.sets(), table.before) {
            return;
        }
        cells.lift(passed, table.after, to);
        for taken in squares(takeable) {
            let taken = taken as usize;
            if to & self.slots.zones[taken] == 0 {
                continue;
            }
            let hand = self.slots.taken_to[taken].map(|hand| &self.slots.hands[hand]);
            if let Some(hand) = hand {
                hand.lift(cells, passed);
            }
            cells.put(passed, taken, to);
            each_put(cells, passed, table.before, from, &mut visit);
            cells.lift(passed, taken, to);
            if let Some(hand) = hand {
                hand.put(cells, passed);
            }
        }
        cells.put(passed, table.after, to);
    }

    /// The slots of the men of a player that the last move can have taken: men who have room on the board, and are in hand if they
    /// come there.
    #[inline(always)]
    fn takeable<const N: usize>(&self, sets: &[Set; N], player: usize) -> u64 {
        let in_hand = |hand: usize| self.slots.hands[hand].count(sets) > 0;
        let slots = self.common[player].iter().filter(|&&slot| {
            self.has_room(sets, slot) && self.slots.taken_to[slot].is_none_or(in_hand)
        });
        slots.fold(0, |all, slot| all | 1 << slot)
    }

    /// Whether a slot has fewer men than it can have.
    #[inline(always)]
    pub(super) fn has_room<const N: usize>(&self, sets: &[Set; N], slot: usize) -> bool {
        let most = self.slots.most[slot];
        // Counting men takes longer than to see that there is none.
        if most == 1 { sets[slot] == 0 } else { u64::from(sets[slot].count_ones()) < most }
    }

    /// Takes a move back, from a position without the man that has moved. `sets` has him.
    #[inline(always)]
    fn undo<const N: usize>(
        &self,
        cells: &Cells,
        (lifted, all): (&Position<N>, Set),
        player: usize,
        step: &Step,
        mut visit: impl FnMut(&Position<N>),
    ) {
        let Some(hand) = step.hand.map(|hand| &self.slots.hands[hand]) else {
            let back = self.put_back(cells, *lifted, all, (step.before, step.from));
            if let Some(from) = back {
                let all = all | bit(step.from);
                let mut possible = |earlier: &Position<N>| {
                    self.visit_if_possible(*earlier, player, step, &mut visit);
                };
                self.each_with_taken(cells, (from, all), player, step.takes, &mut possible);
            }
            return;
        };
        // The man that was dropped comes to the hand last. So it does not count as one that the move took.
        let dropped = cells.with(*lifted, step.after, bit(step.to));
        let all = all | bit(step.to);
        self.each_with_taken(cells, (dropped, all), player, step.takes, &mut |earlier| {
            if hand.has_room(earlier.sets()) {
                let mut earlier = cells.without(*earlier, step.after, bit(step.to));
                hand.put(cells, &mut earlier);
                self.visit_if_possible(earlier, player, step, &mut visit);
            }
        });
    }

    /// Puts the men on some points back that a move has taken, in all ways.
    fn each_with_taken<const N: usize>(
        &self,
        cells: &Cells,
        (position, all): (Position<N>, Set),
        player: usize,
        taken: Set,
        visit: &mut dyn FnMut(&Position<N>),
    ) {
        if taken == 0 {
            return visit(&position);
        }
        let (at, rest) = (taken.trailing_zeros() as u8, taken & (taken - 1));
        for &slot in &self.common[1 - player] {
            let Some(mut earlier) = self.put_back(cells, position, all, (slot, at)) else {
                continue;
            };
            if let Some(hand) = self.slots.taken_to[slot] {
                let hand = &self.slots.hands[hand];
                if hand.count(position.sets()) == 0 {
                    continue;
                }
                hand.lift(cells, &mut earlier);
            }
            self.each_with_taken(cells, (earlier, all), player, rest, visit);
        }
    }

    /// Puts a man on a point, if there is room and such a man can be there.
    #[inline(always)]
    fn put_back<const N: usize>(
        &self,
        cells: &Cells,
        position: Position<N>,
        all: Set,
        (slot, at): (usize, u8),
    ) -> Option<Position<N>> {
        let stands = bit(at) & self.slots.zones[slot] & !all != 0;
        (stands && self.has_room(position.sets(), slot))
            .then(|| cells.with(position, slot, bit(at)))
    }

    #[inline(always)]
    fn visit_if_possible<const N: usize>(
        &self,
        earlier: Position<N>,
        player: usize,
        step: &Step,
        mut visit: impl FnMut(&Position<N>),
    ) {
        // Tables know where the game was over.
        if self.slots.has_ended(earlier.sets()) {
            return;
        }
        let men = self.men(earlier.sets(), player);
        let possible = step.is_possible(men, false)
            || self.otherwise[player]
                && step.is_possible(men, true)
                && !self.has_move(earlier.sets(), player, men);
        if possible {
            visit(&earlier);
        }
    }
}
