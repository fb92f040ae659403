//! The game of a text, for the solver.

use std::ops::{ControlFlow, Range};
use std::sync::{Arc, OnceLock};

use retrograde::adapters::{BackwardMoves, Numbered, Rules};
use retrograde::internal::count_images;
use retrograde::{Counts, Game, Predecessors, Probe, Value, forward};
use retrograde_boards::{Cells, Position};

use crate::page::{Numbers, Page};
use crate::row_numbers::RowNumbers;
use crate::rulebook::{Rulebook, value};
use crate::slots::Exchange;

/// The game of a text, whose positions have at most `N` slots.
pub struct DescribedGame<const N: usize>(pub(crate) Numbered<Described<N>>);

/// The rules of a text, and the numbers of its positions.
pub(crate) struct Described<const N: usize> {
    pub(crate) page: Arc<Page>,
    pub(crate) book: Rulebook,
    pub(crate) cells: Cells,
    /// How the players change roles, if such positions share a number.
    pub(crate) exchange: Option<Exchange>,
    /// How rows are numbered, once somebody has asked.
    pub(crate) rows: OnceLock<Option<RowNumbers>>,
}

impl<const N: usize> DescribedGame<N> {
    pub(crate) fn new(
        page: Arc<Page>,
        book: Rulebook,
        cells: Cells,
        numbers: Numbers,
    ) -> DescribedGame<N> {
        let fold = numbers == Numbers::Folded;
        let exchange = if fold { Exchange::new(&page, &book.slots, &cells) } else { None };
        let rows = OnceLock::new();
        DescribedGame(Numbered(Described { page, book, cells, exchange, rows }))
    }

    /// The text of the game.
    pub fn page(&self) -> &Page {
        &self.0.0.page
    }

    /// How many cells have numbers.
    pub(crate) fn cells(&self) -> u64 {
        self.0.0.cells.iter().count() as u64
    }

    /// How many positions are won, lost and drawn. `values` is the solution or the table of this game. The counts are the same for
    /// every numbering.
    pub fn count_positions<P: Probe>(&self, values: &P) -> Result<Counts, P::Error> {
        let Described { page, book, cells, exchange, .. } = &self.0.0;
        let order = cells.group().order() as u64;
        let positions = |men: &[u32]| {
            if exchange.is_some() { order * book.slots.weight(page, men) } else { order }
        };
        // Where each cell ends, and how many positions one without symmetries stands for.
        let ends: Vec<(u64, u64)> =
            cells.iter().map(|(men, numbers)| (numbers.end, positions(&men))).collect();
        let all = count_images(values, |numbers, visit| {
            let mut cell = ends.partition_point(|(end, _)| *end <= numbers.start);
            cells.each::<N>(numbers, |number, position| {
                while ends[cell].0 <= number {
                    cell += 1;
                }
                if let Some((_, stabilizer)) = position {
                    visit(number, ends[cell].1 / u64::from(stabilizer));
                }
            });
        })?;
        Ok(Counts { invalid: 0, ..all })
    }
}

impl<const N: usize> Described<N> {
    /// Whether a position has a number, as far as the places of its men say.
    #[inline(always)]
    pub(crate) fn is_valid(&self, position: &Position<N>) -> bool {
        !self.book.slots.has_ended(position.sets()) && !self.book.is_exposed(position)
    }

    /// The position, or the one with the players in changed roles, whichever has a number.
    #[inline(always)]
    pub(crate) fn numbered(&self, position: &Position<N>) -> Option<Position<N>> {
        self.is_valid(position).then(|| self.in_cell(position)).flatten()
    }

    /// The same of a position that is valid.
    #[inline(always)]
    fn in_cell(&self, position: &Position<N>) -> Option<Position<N>> {
        if self.cells.contains(position) {
            return Some(*position);
        }
        let exchange = self.exchange.as_ref()?;
        let other = self.book.slots.exchange(&self.cells, exchange, position);
        self.cells.contains(&other).then_some(other)
    }
}

impl<const N: usize> Described<N> {
    /// Visits the positions after all moves. A walk is much code, and is compiled once.
    #[inline(never)]
    fn each_safe(
        &self,
        position: &Position<N>,
        visit: &mut dyn FnMut(&Position<N>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.book.each_safe(&self.cells, position, visit)
    }

    /// Whether the player to move has a move that is safe for his royal men.
    pub(crate) fn has_move(&self, position: &Position<N>) -> bool {
        self.each_safe(position, &mut |_| ControlFlow::Break(())).is_break()
    }

    /// The value of a position without moves that the ends leave open.
    pub(crate) fn value_without_moves(&self, position: &Position<N>) -> Value {
        if self.book.is_in_check(position) { Value::Loss(0) } else { self.stuck() }
    }

    /// What the ends say of a position, and of taking a man at once.
    #[inline(always)]
    pub(crate) fn value_by_ends(&self, position: &Position<N>) -> Option<Value> {
        let verdict = self.book.verdict(&self.page, position);
        verdict.or_else(|| self.book.wins_by_taking(position).then_some(Value::Win(1)))
    }

    /// The value of a position without a number.
    pub(crate) fn decided(&self, position: &Position<N>) -> Value {
        let verdict = self.book.verdict(&self.page, position);
        verdict.expect("only positions that the ends decide have no number")
    }
}

impl<const N: usize> Rules for Described<N> {
    type Position = Position<N>;

    fn states(&self) -> u64 {
        self.cells.states()
    }

    #[inline(always)]
    fn position(&self, state: u64) -> Option<Position<N>> {
        self.cells.position(state).filter(|position| self.is_valid(position))
    }

    #[inline(always)]
    fn positions(
        &self,
        states: Range<u64>,
        mut visit: impl FnMut(u64, Option<(&Position<N>, u32)>),
    ) {
        self.cells.each(states, |state, found| {
            visit(state, found.filter(|(position, _)| self.is_valid(position)));
        });
    }

    fn state(&self, position: &Position<N>) -> u64 {
        self.state_and_stabilizer(position).0
    }

    fn stabilizer(&self, position: &Position<N>) -> u32 {
        self.state_and_stabilizer(position).1
    }

    #[inline(always)]
    fn state_and_stabilizer(&self, position: &Position<N>) -> (u64, u32) {
        if self.exchange.is_none() || self.cells.contains(position) {
            return self.cells.number(position);
        }
        self.cells.number(&self.in_cell(position).unwrap_or(*position))
    }

    #[inline(always)]
    fn terminal(&self, position: &Position<N>) -> Option<Value> {
        let is_mated = || self.book.is_in_check(position) && !self.has_move(position);
        self.value_by_ends(position).or_else(|| is_mated().then_some(Value::Loss(0)))
    }

    #[inline(always)]
    fn moves(
        &self,
        position: &Position<N>,
        mut visit: impl FnMut(&Position<N>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let leaves = self.book.may_leave(position);
        self.each_safe(position, &mut |next| match leaves && self.numbered(next).is_none() {
            true => ControlFlow::Continue(()),
            false => visit(next),
        })
    }

    fn exits(&self, position: &Position<N>, mut visit: impl FnMut(Value)) {
        if !self.book.may_leave(position) {
            return;
        }
        let _ = self.each_safe(position, &mut |next| {
            if self.numbered(next).is_none() {
                visit(match self.decided(next) {
                    Value::Win(plies) => Value::Loss(plies + 1),
                    Value::Draw => Value::Draw,
                    Value::Loss(plies) => Value::Win(plies + 1),
                });
            }
            ControlFlow::Continue(())
        });
    }

    #[inline(always)]
    fn degree(&self, position: &Position<N>) -> Option<u32> {
        let mut degree = self.book.count_safe(&self.cells, position);
        if self.book.may_leave(position) {
            let _ = self.each_safe(position, &mut |next| {
                degree -= u32::from(self.numbered(next).is_none());
                ControlFlow::Continue(())
            });
        }
        Some(degree)
    }

    fn stuck(&self) -> Value {
        value(self.page.text.stuck)
    }

    fn degree_max(&self) -> Option<u32> {
        Some(self.book.degree_max)
    }
}

impl<const N: usize> BackwardMoves for Described<N> {
    #[inline(always)]
    fn backward_moves(&self, position: &Position<N>, mut visit: impl FnMut(&Position<N>)) {
        // If most positions with a number have the first player to move, those before it have one without an exchange.
        let turned = self.exchange.as_ref().filter(|_| self.book.side(position) == 0);
        let turned =
            turned.map(|exchange| self.book.slots.exchange(&self.cells, exchange, position));
        let mut passed = turned.unwrap_or(*position);
        self.book.pass(&self.cells, &mut passed);
        self.book.before(&self.cells, &mut passed, |earlier| {
            // The solver skips positions in which a royal man can be taken, sooner than a test would. A copy would wait until the last
            // change of the position has been written.
            let exchanged;
            visit(if self.cells.contains(earlier) {
                earlier
            } else {
                let Some(other) = self.in_cell(earlier) else { return };
                exchanged = other;
                &exchanged
            });
        });
    }
}

impl<const N: usize> Game for DescribedGame<N> {
    forward!(Game for game => game.0);
}

impl<const N: usize> Predecessors for DescribedGame<N> {
    forward!(Predecessors for game => game.0);

    fn audit_all(&self, tell: &mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> Option<u64> {
        // Some backward moves begin where a royal man can be taken. These positions are invalid, so only numbers tell them apart.
        if self.0.0.book.has_royal() { None } else { self.0.audit_all(tell) }
    }
}
