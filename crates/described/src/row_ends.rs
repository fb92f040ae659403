//! What the rules say of the positions of a row, for all places of the lone man together.

use std::ops::ControlFlow;

use retrograde::Value;
use retrograde::adapters::Rules;
use retrograde_boards::{Position, squares};

use crate::board::Set;
use crate::cells::verdict;
use crate::row_numbers::{Finding, set_of};
use crate::rows::{Row, Rows};
use crate::rulebook::value;

/// A set that holds all places if a condition holds.
fn all_if(holds: bool) -> Set {
    if holds { Set::MAX } else { 0 }
}

impl<const N: usize> Rows<'_, N> {
    /// Visits the valid positions of a row, by sets of the places of the lone man: those that are open, or that have a value. Some of
    /// the open ones are visited again for each exit.
    pub(crate) fn classify(&self, row: &Row<N>, places: Set, mut visit: impl FnMut(Set, Finding)) {
        let (game, book) = (self.game, &self.game.book);
        let side = book.side(&row.others);
        let places = places & !self.ended(row, side) & !self.exposed(row, 1 - side);
        if places == 0 {
            return;
        }
        let mut tell = |set: Set, finding: Finding| {
            if set != 0 {
                visit(set, finding);
            }
        };
        let last = self.has_won(row, places, 1 - side, true);
        let next = self.has_won(row, places, side, false);
        let mut rest = places;
        for (by_last, by_next) in [(true, false), (false, true), (true, true)] {
            let set = if by_last { last } else { !last } & if by_next { next } else { !next };
            if let Some(verdict) = verdict(&game.page.text, by_last, by_next) {
                tell(places & set, Finding::Value(value(verdict)));
                rest &= !set;
            }
        }
        let takes = if book.ends[side].takes_win { rest & self.takes_last(row, side) } else { 0 };
        tell(takes, Finding::Value(Value::Win(1)));
        rest &= !takes;
        if rest == 0 {
            return;
        }
        let leaving = rest & self.may_leave(row, side);
        let stuck = self.stuck(row, side, rest & !leaving);
        tell(rest & !leaving & !stuck, Finding::Open);
        let checked = if stuck != 0 { stuck & self.exposed(row, side) } else { 0 };
        tell(checked, Finding::Value(Value::Loss(0)));
        tell(stuck & !checked, Finding::Value(game.stuck()));
        for at in squares(leaving) {
            let mut sets = *row.others.sets();
            sets[self.lone] = 1 << at;
            let position = game.cells.with_sets(sets);
            if !game.has_move(&position) {
                tell(1 << at, Finding::Value(game.value_without_moves(&position)));
                continue;
            }
            tell(1 << at, Finding::Open);
            game.exits(&position, |value| tell(1 << at, Finding::Exit(value)));
        }
    }

    /// Where men of a player end the game at once.
    fn ended(&self, row: &Row<N>, player: usize) -> Set {
        self.game.book.slots.ended[player].iter().fold(0, |all, &(slot, zone)| {
            all | if slot == self.lone { zone } else { all_if(row.others.sets()[slot] & zone != 0) }
        })
    }

    /// Where a royal man of a player can be taken.
    fn exposed(&self, row: &Row<N>, player: usize) -> Set {
        let royal = self.game.book.royal[player].iter();
        royal.fold(0, |all, &slot| all | self.attacked(row, 1 - player, slot))
    }

    /// Where a player takes a man of a slot, if it is his turn.
    fn attacked(&self, row: &Row<N>, by: usize, slot: usize) -> Set {
        if slot == self.lone {
            return self.lone_attacked(row, by);
        }
        let men = squares(row.others.sets()[slot]);
        men.fold(0, |all, at| all | self.attacked_at(row, by, at))
    }

    /// Where a player takes the lone man, if it is his turn.
    fn lone_attacked(&self, row: &Row<N>, by: usize) -> Set {
        let mut attacked = 0;
        for table in self.tables(by).filter(|table| table.takes) {
            for from in squares(row.others.sets()[table.before]) {
                attacked |= table.forwards.onto(from, row.fixed ^ 1 << from, Set::MAX);
            }
        }
        attacked
    }

    /// Where a player takes the man on a point, if it is his turn.
    fn attacked_at(&self, row: &Row<N>, by: usize, point: u32) -> Set {
        let mut attacked = 0;
        for table in self.tables(by).filter(|table| table.takes) {
            let men = row.others.sets()[table.before];
            if table.before == self.lone {
                attacked |= table.attacks.onto(point, row.fixed, Set::MAX);
            } else if men & table.attacks.simple(point as u8) != 0 {
                return Set::MAX;
            } else if men != 0 && table.attacks.has_lookups() {
                let _ = table.attacks.each(point, row.fixed, |_, from, places| {
                    attacked |= places & all_if(men >> from & 1 != 0);
                    ControlFlow::Continue(())
                });
            }
        }
        attacked
    }

    /// Where an end holds for a player, who has just moved or is to move.
    fn has_won(&self, row: &Row<N>, places: Set, player: usize, moved: bool) -> Set {
        let (book, sets) = (&self.game.book, row.others.sets());
        let ends = &book.ends[player];
        let mut won = 0;
        if ends.has_patterns() {
            let [own, other] = [player, 1 - player].map(|player| book.union(sets, player));
            let holds = |&at: &u32| match self.player == player {
                true => ends.has_pattern(own | 1 << at, other),
                false => ends.has_pattern(own, other | 1 << at),
            };
            won |= set_of(squares(places).filter(holds));
        }
        for &(slot, zone, safe) in &ends.reaches {
            let safe = safe && moved;
            if slot == self.lone {
                let attacked = if safe { self.lone_attacked(row, 1 - player) } else { 0 };
                won |= zone & !attacked;
                continue;
            }
            for at in squares(sets[slot] & zone) {
                won |= if safe { !self.attacked_at(row, 1 - player, at) } else { Set::MAX };
            }
        }
        // A position without a man whose loss ends the game has no number.
        let [own, other] = [player, 1 - player]
            .map(|player| book.union(sets, player).count_ones() + u32::from(self.player == player));
        won | all_if(ends.out && own == 0 || other < ends.below)
    }

    /// Where a player can take a man whose loss ends the game.
    fn takes_last(&self, row: &Row<N>, side: usize) -> Set {
        let sets = row.others.sets();
        let is_last = |slot: usize| slot == self.lone || sets[slot].is_power_of_two();
        let takes = self.game.book.ends[side].takes.iter().filter(|&&slot| is_last(slot));
        takes.fold(0, |all, &slot| all | self.attacked(row, side, slot))
    }

    /// Where a move may lead to a position without a number.
    fn may_leave(&self, row: &Row<N>, side: usize) -> Set {
        let ends = &self.game.book.ends[side];
        let takes = if ends.takes_win { 0 } else { self.takes_last(row, side) };
        all_if(ends.leads_out) | self.ended(row, 1 - side) | takes
    }

    /// The positions of a set without a move that is safe for the royal men.
    fn stuck(&self, row: &Row<N>, side: usize, set: Set) -> Set {
        let book = &self.game.book;
        let safe = |others: &Position<N>| match book.royal[side].is_empty() {
            true => Set::MAX,
            false => !self.exposed(&Row::new(book, *others), side),
        };
        let mut stuck = set;
        if self.player == side && set != 0 {
            let passed = book.passed(&self.cells, row.others);
            let free = safe(&passed) & self.zone & !row.fixed;
            let enemy = book.union(row.others.sets(), 1 - side);
            let is_safe =
                |&at: &u32| safe(&book.without_taken(&self.cells, passed, 1 << at)) >> at & 1 != 0;
            let taken = set_of(squares(enemy).filter(is_safe));
            stuck &= !self.lone_reaches(stuck, row.fixed, free, taken);
        }
        if stuck != 0 {
            let _ = self.moves_of_others(row, |_, others, places| {
                if stuck & places != 0 {
                    stuck &= !(places & safe(others));
                }
                if stuck == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        }
        stuck
    }
}
