//! Royal men: no move may leave one where the other player can take it.
//!
//! To look at the position after each move takes long. But most moves of other men are safe for a royal man that is not attacked: those
//! that begin outside the lines on which it could be. And the royal man itself is safe wherever the other player takes nothing.

use std::ops::ControlFlow;

use retrograde_boards::{Cells, Position, singles, squares};

use crate::board::Set;
use crate::rulebook::{Moves, Rulebook};

/// What the men of the other player say of the moves of a player with one royal man.
#[derive(Clone, Copy)]
struct Guard {
    slot: usize,
    attacked: bool,
    /// Where the other player takes a man, once the royal man has left its point.
    danger: Set,
    /// The points whose men may shield the royal man.
    lines: Set,
    /// Where a move of another man may end an attack: on these lines, or on an attacker.
    shields: Set,
}

impl Rulebook {
    /// Whether there are royal men.
    #[inline(always)]
    pub(crate) fn has_royal(&self) -> bool {
        !self.royal[0].is_empty() || !self.royal[1].is_empty()
    }

    /// Whether the player who has just moved has a royal man that can be taken. No move leads there.
    #[inline(always)]
    pub(crate) fn is_exposed<const N: usize>(&self, position: &Position<N>) -> bool {
        self.has_royal() && self.can_lose_royal(position.sets(), 1 - self.side(position))
    }

    /// Whether a royal man of the player to move is attacked.
    #[inline(always)]
    pub(crate) fn is_in_check<const N: usize>(&self, position: &Position<N>) -> bool {
        self.has_royal() && self.can_lose_royal(position.sets(), self.side(position))
    }

    #[inline(always)]
    fn can_lose_royal<const N: usize>(&self, sets: &[Set; N], player: usize) -> bool {
        let mut royal = self.royal[player].iter();
        royal
            .any(|&slot| singles(sets[slot]).any(|at| self.is_attacked(sets, 1 - player, at, true)))
    }

    /// `None` if the position after each move must be looked at.
    #[inline(never)]
    fn guard<const N: usize>(&self, sets: &[Set; N], player: usize) -> Option<Guard> {
        let &[slot] = &*self.royal[player] else { return None };
        let (royal, by) = (sets[slot], &self.tables[1 - player]);
        if by.takes_by_full || self.takes_by_steps[1 - player] || !royal.is_power_of_two() {
            return None;
        }
        let [own, other] = [player, 1 - player].map(|player| self.union(sets, player));
        let others = (own | other) & !royal;
        let mut guard = Guard { slot, attacked: false, danger: 0, lines: 0, shields: other };
        for table in by.moves.iter().filter(|table| table.takes && sets[table.before] != 0) {
            for from in squares(sets[table.before]) {
                guard.danger |= table.forwards.onto(from, others & !(1 << from), Set::MAX);
            }
            guard.lines |= table.attacks.lines(royal.trailing_zeros());
        }
        guard.attacked = guard.danger & royal != 0;
        guard.shields |= guard.lines;
        Some(guard)
    }

    /// Whether the royal man of a player is attacked once the man on a point has gone.
    #[inline(always)]
    fn is_shield<const N: usize>(
        &self,
        sets: &[Set; N],
        player: usize,
        slot: usize,
        from: Set,
    ) -> bool {
        let others = (self.union(sets, 0) | self.union(sets, 1)) & !from;
        self.is_attacked_by_tables(sets, 1 - player, sets[slot].trailing_zeros(), || others)
    }

    /// Visits the moves of the player to move that may be safe for his royal men. If the second argument is false, a move is safe only
    /// if the position after it is not exposed.
    #[inline(always)]
    pub(crate) fn guarded_moves<'b, const N: usize>(
        &'b self,
        position: &Position<N>,
        mut visit: impl FnMut(Moves<'b>, bool) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (side, sets) = (self.side(position), position.sets());
        if self.royal[side].is_empty() {
            return self.moves(position, |moves| visit(moves, true));
        }
        let guard = self.guard(sets, side);
        self.moves(position, |moves| {
            let (moves, safe) = match guard {
                Some(guard) => {
                    guard.limit(moves, |from| self.is_shield(sets, side, guard.slot, from))
                }
                None => (moves, false),
            };
            visit(moves, safe)
        })
    }

    /// Visits the position after each move that is safe for royal men.
    #[inline(always)]
    pub(crate) fn each_safe<const N: usize>(
        &self,
        cells: &Cells,
        position: &Position<N>,
        mut visit: impl FnMut(&Position<N>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let passed = self.passed(cells, *position);
        self.guarded_moves(position, |moves, safe| {
            self.each_after(cells, &passed, &moves, |next| match safe || !self.is_exposed(next) {
                true => visit(next),
                false => ControlFlow::Continue(()),
            })
        })
    }

    /// How many moves are safe for royal men.
    #[inline(always)]
    pub(crate) fn count_safe<const N: usize>(&self, cells: &Cells, position: &Position<N>) -> u32 {
        let mut count = 0;
        let _ = self.guarded_moves(position, |moves, safe| {
            if safe {
                count += moves.count();
                return ControlFlow::Continue(());
            }
            let passed = self.passed(cells, *position);
            self.each_after(cells, &passed, &moves, |next| {
                count += u32::from(!self.is_exposed(next));
                ControlFlow::Continue(())
            })
        });
        count
    }
}

impl Guard {
    /// Leaves out moves that are not safe, and says whether all others are.
    #[inline(never)]
    fn limit<'b>(&self, moves: Moves<'b>, is_shield: impl Fn(Set) -> bool) -> (Moves<'b>, bool) {
        match moves {
            Moves::Table(table, from, to) if table.before == self.slot => {
                match table.after == self.slot {
                    true => (Moves::Table(table, from, to & !self.danger), true),
                    false => (moves, false),
                }
            }
            Moves::Table(table, from, to) if table.after != self.slot => match self.attacked {
                true => (Moves::Table(table, from, to & self.shields), false),
                false => (moves, from & self.lines == 0 || !is_shield(from)),
            },
            Moves::Drop(drop, to) if drop.after != self.slot => match self.attacked {
                true => (Moves::Drop(drop, to & self.lines), false),
                false => (moves, true),
            },
            _ => (moves, false),
        }
    }
}
