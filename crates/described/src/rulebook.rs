//! The rules of a text about positions: forward and backward moves from its atoms.
//!
//! A position has a *slot* for each class of men, for hands and for the side to move. A backward move puts the men back as they were,
//! and then tests the condition of the same atom. So both directions follow from one list. Most moves have tables of both directions
//! (`tables.rs`). The others are steps (`steps.rs`).

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use retrograde::Value;
use retrograde_boards::{Cells, Position, singles, squares};

use crate::atoms::OFF;
use crate::board::{Set, bit};
use crate::ends::Ends;
use crate::page::Page;
use crate::slots::Slots;
use crate::steps::{Men, Step};
use crate::tables::{DropTable, MoveTable, Tables, tables};
use crate::text::Verdict;

/// Points, and the place that is no point.
const PLACES: usize = OFF as usize + 1;

/// Moves of a position.
pub(crate) enum Moves<'b> {
    /// A man goes from a point to any point of a set.
    Table(&'b MoveTable, Set, Set),
    /// A man is dropped on any point of a set.
    Drop(&'b DropTable, Set),
    Step(&'b Step),
}

/// The rules of a text.
pub(crate) struct Rulebook {
    pub(crate) slots: Slots,
    /// The tables of each player.
    pub(super) tables: [Tables; 2],
    /// For each slot and place, the other moves of such a man, and the moves with such a man at their end.
    forward: Vec<Vec<Step>>,
    pub(super) backward: Vec<Vec<Step>>,
    /// For each player, the moves that leave the board.
    pub(super) leaving: [Vec<Step>; 2],
    /// For each player and point, the moves without tables that take there.
    pub(super) taking: [Vec<Vec<Step>>; 2],
    /// Whether a player has such moves.
    pub(super) takes_by_steps: [bool; 2],
    /// Whether a player has moves without tables, and some that are possible only without others.
    pub(super) has_steps: [bool; 2],
    pub(super) otherwise: [bool; 2],
    /// Whether some moves of a player ask for all his men to be on the board.
    ask_placed: [bool; 2],
    pub(super) ends: [Ends; 2],
    /// The slots of the royal men of each player, and those of his other men, who can be taken.
    pub(super) royal: [Vec<usize>; 2],
    pub(super) common: [Vec<usize>; 2],
    /// The lines of mills.
    mills: Vec<Set>,
    pub(crate) degree_max: u32,
}

impl Rulebook {
    pub(crate) fn new(page: &Page, slots: Slots) -> Rulebook {
        let text = &page.text;
        let points = usize::from(text.board.len());
        let (tables, tabled) = tables(page, &slots);
        let of = |player: usize, royal: bool| {
            let classes = text.classes.iter().zip(&slots.of_class);
            let own = classes.filter(|(class, _)| (class.player, class.royal) == (player, royal));
            own.map(|(_, &slot)| slot).collect::<Vec<_>>()
        };
        let mut book = Rulebook {
            tables,
            forward: vec![Vec::new(); slots.classes() * PLACES],
            backward: vec![Vec::new(); slots.classes() * PLACES],
            leaving: Default::default(),
            taking: std::array::from_fn(|_| vec![Vec::new(); points]),
            takes_by_steps: [false; 2],
            has_steps: [false; 2],
            otherwise: [false; 2],
            ask_placed: [0, 1].map(|player| {
                let of_player = |class: u8| text.classes[usize::from(class)].player == player;
                let mut own = page.atoms.all.iter().filter(|atom| of_player(atom.change.class));
                own.any(|atom| atom.conditions.iter().any(|condition| condition.placed))
            }),
            ends: [0, 1].map(|player| Ends::new(page, &slots, player)),
            royal: [0, 1].map(|player| of(player, true)),
            common: [0, 1].map(|player| of(player, false)),
            mills: text.mills.clone(),
            degree_max: degree_max(page, &slots),
            slots,
        };
        for atom in page.atoms.all.iter().filter(|atom| !tabled.contains(atom)) {
            let change = atom.change;
            let class = usize::from(change.class);
            let player = text.classes[class].player;
            let hand = book.slots.hand_of(class);
            // Without a hand there is never such a man.
            if change.from == OFF && hand.is_none() {
                continue;
            }
            let before = book.slots.of_class[class];
            let after = book.slots.of_class[usize::from(change.becomes)];
            let step = Step::new(atom, [before, after], hand.filter(|_| change.from == OFF));
            book.has_steps[player] = true;
            book.takes_by_steps[player] |= change.takes != 0;
            book.otherwise[player] |= atom.conditions.iter().any(|condition| condition.otherwise);
            for taken in squares(change.takes) {
                book.taking[player][taken as usize].push(step.clone());
            }
            match change.to {
                OFF => book.leaving[player].push(step.clone()),
                to => book.backward[place(after, to)].push(step.clone()),
            }
            book.forward[place(before, change.from)].push(step);
        }
        book
    }

    /// Who is to move.
    #[inline(always)]
    pub(crate) fn side<const N: usize>(&self, position: &Position<N>) -> usize {
        position.sets()[self.slots.side] as usize
    }

    /// Lets the other player move.
    #[inline(always)]
    pub(crate) fn pass<const N: usize>(&self, cells: &Cells, position: &mut Position<N>) {
        match self.side(position) {
            0 => cells.put(position, self.slots.side, 1),
            _ => cells.lift(position, self.slots.side, 1),
        }
    }

    /// The same position with the other player to move.
    #[inline(always)]
    pub(crate) fn passed<const N: usize>(
        &self,
        cells: &Cells,
        mut position: Position<N>,
    ) -> Position<N> {
        self.pass(cells, &mut position);
        position
    }

    #[inline(always)]
    pub(super) fn union<const N: usize>(&self, sets: &[Set; N], player: usize) -> Set {
        self.slots.men[player].iter().fold(0, |all, &slot| all | sets[slot])
    }

    #[inline(always)]
    pub(super) fn men<const N: usize>(&self, sets: &[Set; N], player: usize) -> Men {
        let placed = !self.ask_placed[player] || self.in_hand(sets, player).all(|count| count == 0);
        let sides = [player, 1 - player].map(|player| self.union(sets, player));
        Men::new(sides, placed, &self.mills)
    }

    /// How many men each hand of a player holds.
    #[inline(always)]
    pub(super) fn in_hand<const N: usize>(
        &self,
        sets: &[Set; N],
        player: usize,
    ) -> impl Iterator<Item = u64> {
        self.slots.hands_of[player].iter().map(|&hand| self.slots.hands[hand].count(sets))
    }

    /// Visits the moves of the player to move.
    #[inline(always)]
    pub(crate) fn moves<'b, const N: usize>(
        &'b self,
        position: &Position<N>,
        mut visit: impl FnMut(Moves<'b>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let sets = position.sets();
        let side = self.side(position);
        let men = self.men(sets, side);
        let mut any = false;
        self.each_of_tables(sets, side, men, |moves| {
            any = true;
            visit(moves)
        })?;
        if !self.has_steps[side] {
            return ControlFlow::Continue(());
        }
        for otherwise in [false, true] {
            self.each_step(sets, side, |step| {
                if !step.is_possible(men, otherwise) {
                    return ControlFlow::Continue(());
                }
                any = true;
                visit(Moves::Step(step))
            })?;
            if any || !self.otherwise[side] {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits where each man of a player can go by moves that have tables, if he can go anywhere.
    #[inline(always)]
    fn each_of_tables<'b, const N: usize>(
        &'b self,
        sets: &[Set; N],
        player: usize,
        men: Men,
        mut visit: impl FnMut(Moves<'b>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let all = men.own | men.other;
        for table in &self.tables[player].moves {
            if table.placed && !men.placed {
                continue;
            }
            for from in squares(sets[table.before]) {
                let others = all & !(1 << from);
                let to = match table.takes {
                    true => table.forwards.onto(from, others, men.other),
                    false => table.forwards.of(from, others),
                };
                if to != 0 {
                    visit(Moves::Table(table, 1 << from, to))?;
                }
            }
        }
        for drop in &self.tables[player].drops {
            let to = drop.zone & !all;
            if to != 0 && self.slots.hands[drop.hand].count(sets) > 0 {
                visit(Moves::Drop(drop, to))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the steps of all men of a player, possible or not.
    #[inline(always)]
    fn each_step<'b, const N: usize>(
        &'b self,
        sets: &[Set; N],
        player: usize,
        mut visit: impl FnMut(&'b Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for &slot in &self.slots.men[player] {
            for from in squares(sets[slot]) {
                self.forward[place(slot, from as u8)].iter().try_for_each(&mut visit)?;
            }
        }
        for &hand in &self.slots.hands_of[player] {
            let hand = &self.slots.hands[hand];
            let steps = &self.forward[place(self.slots.of_class[hand.class], OFF)];
            if !steps.is_empty() && hand.count(sets) > 0 {
                steps.iter().try_for_each(&mut visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the position after each of some moves. `passed` is the position with the other player to move.
    #[inline(always)]
    pub(crate) fn each_after<const N: usize>(
        &self,
        cells: &Cells,
        passed: &Position<N>,
        moves: &Moves<'_>,
        mut visit: impl FnMut(&Position<N>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match *moves {
            Moves::Table(table, from, to) if !table.takes && table.before == table.after => {
                singles(to).try_for_each(|to| visit(&passed.moved(table.before, from | to)))
            }
            Moves::Table(table, from, to) => {
                let lifted = cells.without(*passed, table.before, from);
                singles(to).try_for_each(|to| {
                    let mut after =
                        if table.takes { self.without_taken(cells, lifted, to) } else { lifted };
                    cells.put(&mut after, table.after, to);
                    visit(&after)
                })
            }
            Moves::Drop(drop, to) => {
                let mut after = *passed;
                self.slots.hands[drop.hand].lift(cells, &mut after);
                singles(to).try_for_each(|to| {
                    cells.put(&mut after, drop.after, to);
                    visit(&after)?;
                    cells.lift(&mut after, drop.after, to);
                    ControlFlow::Continue(())
                })
            }
            Moves::Step(step) => visit(&self.after(cells, *passed, step)),
        }
    }

    /// The position after a move. The other player is already to move.
    #[inline(always)]
    pub(crate) fn after<const N: usize>(
        &self,
        cells: &Cells,
        passed: Position<N>,
        step: &Step,
    ) -> Position<N> {
        let mut after = passed;
        match step.hand {
            Some(hand) => self.slots.hands[hand].lift(cells, &mut after),
            None => cells.lift(&mut after, step.before, bit(step.from)),
        }
        for taken in singles(step.takes) {
            after = self.without_taken(cells, after, taken);
        }
        if step.to != OFF {
            cells.put(&mut after, step.after, bit(step.to));
        }
        after
    }

    /// The position without the man on a point, who is one of the player to move and has just been taken.
    #[inline(always)]
    pub(super) fn without_taken<const N: usize>(
        &self,
        cells: &Cells,
        mut position: Position<N>,
        at: Set,
    ) -> Position<N> {
        let sets = position.sets();
        let taken = self.slots.men[self.side(&position)].iter().find(|&&slot| sets[slot] & at != 0);
        if let Some(&slot) = taken {
            cells.lift(&mut position, slot, at);
            if let Some(hand) = self.slots.taken_to[slot] {
                self.slots.hands[hand].put(cells, &mut position);
            }
        }
        position
    }

    /// Whether a player has a move that needs no other to be missing.
    pub(super) fn has_move<const N: usize>(
        &self,
        sets: &[Set; N],
        player: usize,
        men: Men,
    ) -> bool {
        let of_table = self.each_of_tables(sets, player, men, |_| ControlFlow::Break(()));
        let possible = |step: &Step| match step.is_possible(men, false) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        of_table.is_break() || self.each_step(sets, player, possible).is_break()
    }
}

impl Moves<'_> {
    /// How many there are.
    #[inline(always)]
    pub(crate) fn count(&self) -> u32 {
        match self {
            Moves::Table(_, _, to) | Moves::Drop(_, to) => to.count_ones(),
            Moves::Step(_) => 1,
        }
    }

    /// Visits them as steps.
    pub(crate) fn each_step(&self, slots: &Slots, mut visit: impl FnMut(&Step)) {
        let at = |set: Set| set.trailing_zeros() as u8;
        match self {
            Moves::Table(table, from, to) => {
                for to in singles(*to).map(at) {
                    let takes = if table.takes { bit(to) } else { 0 };
                    let slots = [table.before, table.after];
                    visit(&Step::tested(slots, [at(*from), to], takes, None));
                }
            }
            Moves::Drop(drop, to) => {
                let before = slots.of_class[slots.hands[drop.hand].class];
                for to in singles(*to).map(at) {
                    visit(&Step::tested([before, drop.after], [OFF, to], 0, Some(drop.hand)));
                }
            }
            Moves::Step(step) => visit(step),
        }
    }
}

/// A bound on the number of moves of a position.
fn degree_max(page: &Page, slots: &Slots) -> u32 {
    // A move that takes ends where one that does not would end.
    let ends: BTreeSet<(u8, u8, u8, u8, Set)> = page
        .atoms
        .all
        .iter()
        .map(|atom| atom.change)
        .map(|change| {
            let at_end = change.to != OFF && change.takes == bit(change.to);
            let over = if at_end { 0 } else { change.takes };
            (change.class, change.from, change.to, change.becomes, over)
        })
        .collect();
    let most = |player: usize| -> u32 {
        let of_class = |class: usize| {
            let from = |at: u8| {
                ends.iter().filter(|end| (usize::from(end.0), end.1) == (class, at)).count() as u32
            };
            let most = slots.most[slots.of_class[class]] as u32;
            let stepping = most * (0..OFF).map(from).max().unwrap_or(0);
            stepping + slots.hand_of(class).map_or(0, |_| from(OFF))
        };
        let classes = page.text.classes.iter().enumerate();
        classes.filter(|(_, class)| class.player == player).map(|(at, _)| of_class(at)).sum()
    };
    most(0).max(most(1))
}

/// The index of a slot and a place.
#[inline(always)]
pub(super) fn place(slot: usize, at: u8) -> usize {
    slot * PLACES + usize::from(at)
}

/// The value of a verdict on the player to move.
pub(crate) fn value(verdict: Verdict) -> Value {
    match verdict {
        Verdict::Loses => Value::Loss(0),
        Verdict::Wins => Value::Win(0),
        Verdict::Draws => Value::Draw,
    }
}
