//! The rules of a text about positions: forward and backward moves from its atoms, and its ends.
//!
//! A position has a *slot* for each class of men, for each hand and for the side to move. A backward move puts the men back as they
//! were, and then tests the condition of the same atom. So both directions follow from one list.

use std::ops::ControlFlow;

use retrograde::Value;
use retrograde_boards::{Cells, Position, singles, squares};

use crate::atoms::{Atom, Condition, OFF};
use crate::board::{Set, bit};
use crate::cells::verdict;
use crate::ends::Ends;
use crate::page::Page;
use crate::quiet::{QuietMoves, quiet_moves};
use crate::slots::Slots;
use crate::text::Verdict;

/// Points, and the place that is no point.
const PLACES: usize = OFF as usize + 1;

/// An atom in slots.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The slot of the man before and after, or of the hand that he comes from.
    pub(crate) before: usize,
    pub(crate) after: usize,
    /// His place before and after. The set of no point is 0.
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) takes: u8,
    conditions: Vec<Condition>,
}

/// The men as a player sees them.
#[derive(Clone, Copy)]
struct Men {
    own: Set,
    other: Set,
    /// Whether the player has no man in hand.
    placed: bool,
}

/// A move of a position.
pub(crate) enum Moves<'b> {
    /// A man of a slot goes from a point to any point of a set.
    Quiet(usize, Set, Set),
    /// Another move.
    Step(&'b Step),
}

/// The rules of a text.
pub(crate) struct Rulebook {
    pub(crate) slots: Slots,
    /// The quiet moves of each player.
    quiet: [Vec<QuietMoves>; 2],
    /// For each slot and place, the other moves of such a man, and the moves with such a man at their end.
    forward: Vec<Vec<Step>>,
    backward: Vec<Vec<Step>>,
    /// For each player, the moves that leave the board.
    leaving: [Vec<Step>; 2],
    /// For each player and point, the moves that take there.
    taking: [Vec<Vec<Step>>; 2],
    /// Whether a player has moves that are not quiet, and some that are possible only without others.
    has_steps: [bool; 2],
    otherwise: [bool; 2],
    ends: [Ends; 2],
    pub(crate) degree_max: u32,
}

impl Rulebook {
    pub(crate) fn new(page: &Page, slots: Slots) -> Rulebook {
        let text = &page.text;
        let points = usize::from(text.board.len());
        let count = slots.classes() * PLACES;
        let (quiet, tabled) = quiet_moves(page, &slots);
        let mut book = Rulebook {
            quiet,
            forward: vec![Vec::new(); count + slots.hands() * PLACES],
            backward: vec![Vec::new(); count],
            leaving: Default::default(),
            taking: std::array::from_fn(|_| vec![Vec::new(); points]),
            has_steps: [false; 2],
            otherwise: [false; 2],
            ends: [0, 1].map(|player| Ends::new(text, &slots, player)),
            degree_max: 0,
            slots,
        };
        for Atom { change, conditions } in
            page.atoms.all.iter().filter(|atom| !tabled.contains(atom))
        {
            let class = usize::from(change.class);
            let player = text.classes[class].player;
            let before = match change.from {
                OFF => book.slots.hand_of(class),
                _ => Some(book.slots.of_class[class]),
            };
            // Without a hand there is never such a man.
            let Some(before) = before else { continue };
            let after = book.slots.of_class[usize::from(change.becomes)];
            let (from, to, takes) = (change.from, change.to, change.takes);
            let step = Step { before, after, from, to, takes, conditions: conditions.clone() };
            book.has_steps[player] = true;
            book.otherwise[player] |= conditions.iter().any(|condition| condition.otherwise);
            if takes != OFF {
                book.taking[player][usize::from(takes)].push(step.clone());
            }
            match to {
                OFF => book.leaving[player].push(step.clone()),
                _ => book.backward[place(after, to)].push(step.clone()),
            }
            book.forward[place(before, from)].push(step);
        }
        let most = |player: usize| -> u32 {
            let slots = &book.slots;
            let men = slots.men[player].iter().chain(&slots.hands[player]);
            let moves = |&slot: &usize| {
                let quiet = book.quiet[player].iter().filter(|quiet| quiet.slot == slot);
                let quiet = quiet.count() as u32 * u32::from(text.board.len());
                let places = (0..=OFF).map(|at| book.forward[place(slot, at)].len() as u32 + quiet);
                let men = if slot < slots.classes() { slots.most[slot] as u32 } else { 1 };
                men * places.max().unwrap_or(0)
            };
            men.map(moves).sum()
        };
        book.degree_max = most(0).max(most(1));
        book
    }

    /// Who is to move.
    #[inline(always)]
    pub(crate) fn side<const N: usize>(&self, position: &Position<N>) -> usize {
        position.sets()[self.slots.side] as usize
    }

    /// The same position with the other player to move.
    #[inline(always)]
    pub(crate) fn passed<const N: usize>(
        &self,
        cells: &Cells,
        position: Position<N>,
    ) -> Position<N> {
        match self.side(&position) {
            0 => cells.with(position, self.slots.side, 1),
            _ => cells.without(position, self.slots.side, 1),
        }
    }

    #[inline(always)]
    fn union<const N: usize>(&self, sets: &[Set; N], player: usize) -> Set {
        self.slots.men[player].iter().fold(0, |all, &slot| all | sets[slot])
    }

    #[inline(always)]
    fn men<const N: usize>(&self, sets: &[Set; N], player: usize) -> Men {
        Men {
            own: self.union(sets, player),
            other: self.union(sets, 1 - player),
            placed: self.slots.hands[player].iter().all(|&slot| sets[slot] == 0),
        }
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
        self.each_quiet(sets, side, men, |slot, from, to| {
            any = true;
            visit(Moves::Quiet(slot, from, to))
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

    /// Visits where each man of a player can go by quiet moves, if he can go anywhere.
    #[inline(always)]
    fn each_quiet<const N: usize>(
        &self,
        sets: &[Set; N],
        player: usize,
        men: Men,
        mut visit: impl FnMut(usize, Set, Set) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for quiet in self.quiet[player].iter().filter(|quiet| men.placed || !quiet.placed) {
            for from in squares(sets[quiet.slot]) {
                let to = quiet.forwards.of(from, (men.own | men.other) & !(1 << from));
                if to != 0 {
                    visit(quiet.slot, 1 << from, to)?;
                }
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
        for &slot in &self.slots.hands[player] {
            if sets[slot] > 0 {
                self.forward[place(slot, OFF)].iter().try_for_each(&mut visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The position after a move.
    #[inline(always)]
    pub(crate) fn after<const N: usize>(
        &self,
        cells: &Cells,
        position: &Position<N>,
        step: &Step,
    ) -> Position<N> {
        let from = if step.from == OFF { 1 } else { bit(step.from) };
        let mut after = cells.without(*position, step.before, from);
        if step.takes != OFF {
            let taken = bit(step.takes);
            let other = &self.slots.men[1 - self.side(position)];
            let slot = other.iter().copied().find(|&slot| position.sets()[slot] & taken != 0);
            if let Some(slot) = slot {
                after = cells.without(after, slot, taken);
                if let Some(hand) = self.slots.taken_to[slot] {
                    after = cells.with(after, hand, 1);
                }
            }
        }
        if step.to != OFF {
            after = cells.with(after, step.after, bit(step.to));
        }
        self.passed(cells, after)
    }

    /// Visits the position before each move into a position. Some of them may be in no cell.
    #[inline(always)]
    pub(crate) fn before<const N: usize>(
        &self,
        cells: &Cells,
        position: &Position<N>,
        mut visit: impl FnMut(&Position<N>),
    ) {
        let player = 1 - self.side(position);
        let sets = position.sets();
        let all = self.union(sets, 0) | self.union(sets, 1);
        let passed = self.passed(cells, *position);
        let men = self.men(sets, player);
        for quiet in self.quiet[player].iter().filter(|quiet| men.placed || !quiet.placed) {
            for to in squares(sets[quiet.slot]) {
                for from in singles(quiet.backwards.of(to, all & !(1 << to))) {
                    visit(&passed.moved(quiet.slot, from | 1 << to));
                }
            }
        }
        if !self.has_steps[player] {
            return;
        }
        for &slot in &self.slots.men[player] {
            for to in singles(sets[slot]) {
                let lifted = cells.without(passed, slot, to);
                for step in &self.backward[place(slot, to.trailing_zeros() as u8)] {
                    self.undo(cells, (&lifted, all & !to), player, step, &mut visit);
                }
            }
        }
        for step in &self.leaving[player] {
            self.undo(cells, (&passed, all), player, step, &mut visit);
        }
    }

    /// Takes a move back, from a position without the man that has moved.
    #[inline(always)]
    fn undo<const N: usize>(
        &self,
        cells: &Cells,
        (lifted, all): (&Position<N>, Set),
        player: usize,
        step: &Step,
        mut visit: impl FnMut(&Position<N>),
    ) {
        let Some(from) = self.put_back(cells, *lifted, all, (step.before, step.from)) else {
            return;
        };
        if step.takes == OFF {
            return self.visit_if_possible(from, player, step, visit);
        }
        let all = if step.from == OFF { all } else { all | bit(step.from) };
        for &slot in &self.slots.men[1 - player] {
            let Some(mut earlier) = self.put_back(cells, from, all, (slot, step.takes)) else {
                continue;
            };
            if let Some(hand) = self.slots.taken_to[slot] {
                if earlier.sets()[hand] == 0 {
                    continue;
                }
                earlier = cells.without(earlier, hand, 1);
            }
            self.visit_if_possible(earlier, player, step, &mut visit);
        }
    }

    /// Puts a man on a point or into a hand, if there is room and such a man can be there.
    #[inline(always)]
    fn put_back<const N: usize>(
        &self,
        cells: &Cells,
        position: Position<N>,
        all: Set,
        (slot, at): (usize, u8),
    ) -> Option<Position<N>> {
        let set = position.sets()[slot];
        if at == OFF {
            return (set < self.slots.most[slot]).then(|| cells.with(position, slot, 1));
        }
        let stands = bit(at) & self.slots.zones[slot] & !all != 0;
        (stands && u64::from(set.count_ones()) < self.slots.most[slot])
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
        let men = self.men(earlier.sets(), player);
        let possible = step.is_possible(men, false)
            || self.otherwise[player]
                && step.is_possible(men, true)
                && !self.has_step(earlier.sets(), player, men);
        if possible {
            visit(&earlier);
        }
    }

    /// Whether a player has a move that needs no other to be missing.
    fn has_step<const N: usize>(&self, sets: &[Set; N], player: usize, men: Men) -> bool {
        let quiet = self.each_quiet(sets, player, men, |_, _, _| ControlFlow::Break(()));
        let possible = |step: &Step| match step.is_possible(men, false) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        quiet.is_break() || self.each_step(sets, player, possible).is_break()
    }

    /// What the ends say of a position.
    #[inline(always)]
    pub(crate) fn verdict<const N: usize>(
        &self,
        page: &Page,
        position: &Position<N>,
    ) -> Option<Value> {
        let side = self.side(position);
        let sets = position.sets();
        let last = self.has_won(sets, 1 - side, true);
        let next = self.has_won(sets, side, false);
        verdict(&page.text, last, next).map(value)
    }

    /// Whether an end holds for a player, who has just moved or is to move.
    #[inline(always)]
    fn has_won<const N: usize>(&self, sets: &[Set; N], player: usize, moved: bool) -> bool {
        let ends = &self.ends[player];
        let (own, other) = (self.union(sets, player), self.union(sets, 1 - player));
        ends.has_pattern(own, other)
            || ends.reaches.iter().any(|&(slot, zone, safe)| {
                let mut there = singles(sets[slot] & zone);
                there.any(|at| !(safe && moved && self.is_attacked(sets, 1 - player, at)))
            })
            || ends.takes.iter().any(|&slot| sets[slot] == 0)
            || ends.out && self.count(sets, player) == 0
            || ends.below > 0 && self.count(sets, 1 - player) < ends.below
    }

    /// How many men a player has, on the board and in hand.
    fn count<const N: usize>(&self, sets: &[Set; N], player: usize) -> u32 {
        let in_hand: u64 = self.slots.hands[player].iter().map(|&slot| sets[slot]).sum();
        self.union(sets, player).count_ones() + in_hand as u32
    }

    /// Whether a player could take a man on a point, if it were his turn.
    #[inline(never)]
    fn is_attacked<const N: usize>(&self, sets: &[Set; N], by: usize, at: Set) -> bool {
        let men = self.men(sets, by);
        self.taking[by][at.trailing_zeros() as usize].iter().any(|step| {
            let stands = step.from != OFF && sets[step.before] & bit(step.from) != 0;
            stands && (step.is_possible(men, false) || step.is_possible(men, true))
        })
    }
}

impl Step {
    /// The step of a quiet move.
    pub(crate) fn quiet(slot: usize, from: Set, to: Set) -> Step {
        let at = |set: Set| set.trailing_zeros() as u8;
        Step {
            before: slot,
            after: slot,
            from: at(from),
            to: at(to),
            takes: OFF,
            conditions: Vec::new(),
        }
    }

    /// Whether the other men let it happen. `otherwise`: by a condition for a player without other moves.
    #[inline(always)]
    fn is_possible(&self, men: Men, otherwise: bool) -> bool {
        let own = if self.from == OFF { men.own } else { men.own & !bit(self.from) };
        let still = own | men.other;
        self.conditions.iter().any(|condition| {
            condition.otherwise == otherwise
                && condition.free & still == 0
                && condition.full & !still == 0
                && condition.own & !own == 0
                && condition.other & !men.other == 0
                && (condition.beside == 0 || condition.beside & men.other != 0)
                && (men.placed || !condition.placed)
        })
    }
}

/// The index of a slot and a place.
#[inline(always)]
fn place(slot: usize, at: u8) -> usize {
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
