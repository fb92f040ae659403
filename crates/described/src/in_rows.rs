//! Which games have rows, and their solve. See `rows.rs`.

use std::sync::OnceLock;

use retrograde::adapters::Rules;
use retrograde::bit_parallel::ByWords;
use retrograde::{Solution, SolveError, Solver};

use crate::game::{Described, DescribedGame};
use crate::row_numbers::RowNumbers;
use crate::row_steps::{Masks, RowSteps};
use crate::rows::GameInRows;

impl<const N: usize> DescribedGame<N> {
    /// The game in rows, for a solver that handles 64 positions at a time. Its numbers are not those of the text. `None` if no man is
    /// alone of his kind, or if rows say nothing of some moves.
    pub fn in_rows(&self) -> Option<GameInRows<'_, N>> {
        let game = &self.0.0;
        let numbers = game.rows.get_or_init(|| RowNumbers::new(game));
        numbers.as_ref().map(|numbers| GameInRows::new(game, numbers))
    }

    /// Solves the game, in rows if it has them. The solution has the numbers of the text.
    pub fn solve(&self, solver: Solver<'_>) -> Result<Solution, SolveError> {
        match self.in_rows() {
            Some(rows) => self.solve_rows(&rows, solver),
            None => solver.solve(self),
        }
    }

    /// Solves the game by its rows. The solution has the numbers of the text.
    pub fn solve_rows(
        &self,
        rows: &GameInRows<'_, N>,
        solver: Solver<'_>,
    ) -> Result<Solution, SolveError> {
        let memory_max = solver.choices().memory_max.saturating_sub(rows.bytes_beside());
        Ok(rows.by_text(&solver.memory_max(memory_max).solve(ByWords(rows))?))
    }
}

impl RowNumbers {
    /// `None` if no man is alone of his kind in all positions, or if some moves have no tables.
    fn new<const N: usize>(game: &Described<N>) -> Option<RowNumbers> {
        /// How many numbers there may be for each number of the text.
        const WASTE_MAX: u64 = 4;
        let book = &game.book;
        if game.exchange.is_some() || book.has_steps != [false; 2] || !book.slots.hands.is_empty() {
            return None;
        }
        let own = |slot: usize| {
            let tables = book.tables.iter().flat_map(|tables| &tables.moves);
            tables.filter(move |table| table.before == slot || table.after == slot)
        };
        let stays = |slot: &usize| own(*slot).all(|table| table.before == table.after);
        let alone = (0..book.slots.classes()).filter(stays);
        let alone = alone.filter(|&slot| game.cells.iter().all(|(counts, _)| counts[slot] == 1));
        // His moves take the least time.
        let moves = |slot: usize| own(slot).map(|table| table.forwards.len()).sum::<usize>();
        let lone = alone.max_by_key(|&slot| moves(slot))?;
        let cells = game.cells.without_kind(lone);
        let shift = cells.group().squares().next_power_of_two().trailing_zeros().max(1);
        let player = usize::from(!book.slots.men[0].contains(&lone));
        let tables = [0, 1]
            .map(|player| book.tables[player].moves.iter().map(|table| &*table.forwards).collect());
        let numbers = RowNumbers {
            zone: game.cells.squares_of(lone),
            masks: Masks::new(tables, cells.group().squares())?,
            steps: OnceLock::new(),
            cells,
            lone,
            player,
            shift,
        };
        let few = RowSteps::have_room(numbers.cells.states(), book.degree_max.into());
        (few && numbers.states() <= WASTE_MAX * game.states()).then_some(numbers)
    }
}
