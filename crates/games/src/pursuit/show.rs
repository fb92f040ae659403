//! A pursuit as text and pictures.

use super::{NOWHERE, POLICE, Pursuit};
use crate::placement::{Placement, SIDES};
use crate::{Banded, Cell, Man, Show, Stage, WordsVisitor};

impl Show for Pursuit {
    fn name(&self) -> &'static str {
        "pursuit"
    }

    fn sides(&self) -> &'static [&'static str] {
        &SIDES
    }

    fn side_to_move(&self, state: u64) -> usize {
        self.split(state).0 as usize % 2
    }

    fn side_run(&self, state: u64) -> u64 {
        self.width - self.split(state).1
    }

    fn states_named(&self) -> Option<u64> {
        Some(2 * (self.board.cells().len() as u64).pow(2))
    }

    fn start(&self) -> Option<u64> {
        Some(self.index(POLICE, *self.board.police().first()?, self.board.thief()?))
    }

    fn text(&self, state: u64) -> String {
        self.placement(state).text(|cell| self.board.cell_text(cell))
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        let Placement { side, police, thief } =
            Placement::parse(text, 1, |name| self.board.cell_named(name))?;
        Ok(self.index(side as u64, police[0], thief))
    }

    fn picture(&self, state: u64) -> Option<String> {
        let Placement { police, thief, .. } = self.placement(state);
        Some(self.board.picture(&police, Some(thief)))
    }

    fn step(&self, from: u64, to: u64) -> String {
        let side = self.side_to_move(from);
        self.board.cell_text(self.men(to)[side].cell)
    }

    fn passed(&self, state: u64) -> Option<u64> {
        let (row, place) = self.split(state);
        Some((row ^ 1) * self.width + place)
    }

    fn stage(&self) -> Option<&dyn Stage> {
        Some(self)
    }

    fn row_len(&self) -> Option<u64> {
        Some(self.row_len())
    }

    fn banded(&self) -> Option<Banded<Pursuit>> {
        let (game, place_of) = self.in_rows();
        Some(Banded { game, block_len: 2 * self.row_len(), place_of })
    }

    fn visit_words<V: WordsVisitor>(&self, visitor: V) -> Option<V::Output> {
        Some(visitor.visit(self))
    }
}

impl Pursuit {
    /// Returns the same game with other numbers: the places of the outside player go row by row, or column by
    /// column if columns are shorter. Then the numbers of neighbouring places differ by about one row of the
    /// board at most. This is better for a solver that holds a few rows in memory. Also returns the new
    /// number of each place.
    pub fn in_rows(&self) -> (Pursuit, Vec<u32>) {
        let board = &self.board;
        let strip = if board.columns() <= board.rows() { 1 } else { board.rows() };
        let game = Pursuit::with_inside(board.clone(), self.inside, strip);
        let game = game.expect("a numbering in another order has the same size");
        let place_of = |&cell: &u32| match cell {
            NOWHERE => game.outer_cells.len() as u32 - 1,
            cell => game.outer_of_cell[cell as usize],
        };
        let places = self.outer_cells.iter().map(place_of).collect();
        (game, places)
    }
}

impl Stage for Pursuit {
    fn rows(&self) -> u32 {
        self.board.rows()
    }

    fn columns(&self) -> u32 {
        self.board.columns()
    }

    fn cell(&self, cell: u32) -> Cell {
        self.board.cells()[cell as usize]
    }

    fn men(&self, state: u64) -> Vec<Man> {
        let Placement { police, thief, .. } = self.placement(state);
        vec![
            Man { side: 0, cell: police[0], letter: 'P' },
            Man { side: 1, cell: thief, letter: 'T' },
        ]
    }

    fn with(&self, state: u64, man: usize, cell: u32) -> Option<u64> {
        if self.board.cells()[cell as usize] == Cell::Wall {
            return None;
        }
        let Placement { side, police, thief } = self.placement(state);
        let (police, thief) = if man == 0 { (cell, thief) } else { (police[0], cell) };
        Some(self.index(side as u64, police, thief))
    }
}
