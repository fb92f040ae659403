//! A pursuit for people: its positions, its board, and how its states are numbered.

use std::ops::Range;

use retrograde::bit_parallel::WordsVisitor;
use retrograde::{Game, Status};
use retrograde_positions::{self as positions, End, Move, POINTS_MAX, Positions};

use super::{NOWHERE, POLICE, Pursuit, SPEC};
use crate::placement::{Placement, SIDES};
use crate::{Banded, Cell, Facts, Solvable, Turns, successors_or_end};

impl Positions for Pursuit {
    crate::positions_are_states!();

    fn players(&self) -> &'static [&'static str] {
        &SIDES
    }

    fn start(&self) -> Option<u64> {
        Some(self.index(POLICE, *self.board.police().first()?, self.board.thief()?))
    }

    fn read(&self, text: &str) -> Result<u64, String> {
        let Placement { side, police, thief } =
            Placement::parse(text, 1, |name| self.board.cell_named(name))?;
        Ok(self.index(side as u64, police[0], thief))
    }

    fn write(&self, state: &u64) -> String {
        self.placement(*state).text(|cell| self.board.cell_text(cell))
    }

    fn player(&self, state: &u64) -> usize {
        self.split(*state).0 as usize % 2
    }

    fn moves(&self, &from: &u64, visit: &mut dyn FnMut(Move<u64>)) -> Option<End> {
        let cell_of = |state| {
            let Placement { police, thief, .. } = self.placement(state);
            if self.player(&from) == 0 { police[0] } else { thief }
        };
        successors_or_end(self, from, |to| {
            let cell = cell_of(to);
            let points = vec![cell_of(from) as usize, cell as usize];
            let spellings = vec![self.write(&to)];
            visit(Move { spellings, ..Move::new(self.board.cell_text(cell), points, to) });
        })
    }

    fn board(&self, state: &u64) -> Option<positions::Board> {
        let Placement { police, thief, .. } = self.placement(*state);
        self.board.with_men(&police, thief)
    }

    fn with_board(&self, board: &positions::Board, player: usize) -> Option<u64> {
        let [police, thief] = &board.men[..] else { return None };
        let cells = [police, thief].map(|man| man.point);
        let on_wall = cells.iter().any(|&cell| self.board.cells()[cell] == Cell::Wall);
        let [police, thief] = cells.map(|cell| cell as u32);
        (!on_wall).then(|| self.index(player as u64, police, thief))
    }

    /// The same placement with the other player to move is in the next row.
    fn passed_run(&self, _: &(), states: Range<u64>, visit: &mut dyn FnMut(u64, u64)) {
        for state in states.filter(|state| self.status(*state) != Status::Invalid) {
            if self.split(state).0.is_multiple_of(2) {
                visit(state, state + self.width);
            }
        }
    }
}

impl Solvable for Pursuit {
    const QUICK_MOVES: bool = true;

    fn facts(&self) -> Facts {
        let states_named = Some(2 * (self.board.cells().len() as u64).pow(2));
        Facts { name: SPEC.name, turns: Turns::Rows(self.row_len()), states_named }
    }

    fn banded(&self) -> Option<Banded<Pursuit>> {
        let (game, place_of) = self.in_rows();
        Some(Banded { game, block_len: 2 * self.row_len(), place_of })
    }

    fn visit_words<V: WordsVisitor>(&self, visitor: V) -> Result<V::Output, V> {
        Ok(visitor.visit(self))
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

impl crate::Board {
    /// The board with the players on it. `None` if it is too large to draw.
    pub(crate) fn with_men(&self, police: &[u32], thief: u32) -> Option<positions::Board> {
        use positions::Ground;
        if self.cells().len() as u64 > POINTS_MAX {
            return None;
        }
        let ground = |row, column| {
            let cell = row * self.columns() + column;
            let ground = match self.cells()[cell as usize] {
                Cell::Wall => Ground::Wall,
                Cell::Floor => Ground::Floor,
                Cell::Exit => Ground::Exit,
            };
            (ground, self.cell_text(cell))
        };
        let mut board = positions::Board::squares(self.rows(), self.columns(), ground);
        board.edge = Some(crate::square::edge_numbers(self.rows(), self.columns()));
        board.put(("police", 'P'), Some(0), police.iter().map(|&cell| cell as usize));
        board.put(("thief", 'T'), Some(1), [thief as usize]);
        Some(board)
    }
}
