//! One policeman, who steps like a king, and a thief, who steps to four sides, on a board; either may stay. Where they meet
//! the police have won; a thief on an exit, and not caught there, has.

use std::ops::Range;

use retrograde_games::{Board, Cell};

use super::{POLICE, THIEF, around, chased};
use crate::proof::{Place, Rules};
use crate::table::Number;

/// The number of a state is `(outside * 2 + mover) * width + inside`: see `NUMBERS.md`.
pub(crate) struct Pursuit {
    board: Board,
    /// Who is inside: the mover whose places follow one another in the numbering.
    inside: usize,
    width: u64,
    /// For each cell the place inside.
    inside_of: Vec<u32>,
    /// For each cell of the floor the place outside; and the cells by place.
    outside_of: Vec<u32>,
    outside: Vec<u32>,
    /// For each cell those a step on, of the police and of the thief.
    steps: [Vec<Vec<u32>>; 2],
}

/// Who stands in which cell.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    mover: usize,
    /// The police's cell and the thief's.
    cells: [u32; 2],
}

impl Pursuit {
    pub(crate) fn new(board: Board) -> Pursuit {
        let columns = board.columns();
        let bare = board.cells().iter().all(|cell| *cell == Cell::Floor);
        let tiles = u64::from(board.rows().div_ceil(8)) * u64::from(columns.div_ceil(8));
        let mut outside: Vec<u32> = board.floor().collect();
        outside.sort_by_key(|&cell| (cell / columns / 8, cell % columns, cell));
        let full = tiles * 64 == outside.len() as u64;
        let cells = 0..board.cells().len() as u32;
        let place = |cell| {
            let (row, column) = (cell / columns, cell % columns);
            (row / 8 * columns.div_ceil(8) + column / 8) * 64 + row % 8 * 8 + column % 8
        };
        let mut outside_of = vec![u32::MAX; board.cells().len()];
        (0..).zip(&outside).for_each(|(place, &cell)| outside_of[cell as usize] = place);
        let steps = [true, false]
            .map(|king| cells.clone().map(|cell| around(&board, cell, king)).collect::<Vec<_>>());
        Pursuit {
            inside: if bare { THIEF } else { POLICE },
            width: ((tiles + u64::from(full)) | 1) * 64,
            inside_of: cells.map(place).collect(),
            outside_of,
            outside,
            steps,
            board,
        }
    }
}

impl Rules for Pursuit {
    type Position = Position;

    /// A run for each place outside and each mover, and for the place that is nowhere.
    fn runs(&self) -> u64 {
        2 * (self.outside.len() as u64 + 1)
    }

    fn run(&self, run: u64) -> Range<u64> {
        run * self.width..(run + 1) * self.width
    }

    fn each(&self, run: u64, mut visit: impl FnMut(&Position)) {
        let Some(&outside) = self.outside.get(run as usize / 2) else { return };
        for inside in self.board.floor() {
            let mut cells = [outside; 2];
            cells[self.inside] = inside;
            visit(&Position { mover: run as usize % 2, cells });
        }
    }

    #[inline]
    fn place(&self, &Position { mover, cells }: &Position) -> Place {
        let outside = u64::from(self.outside_of[cells[1 - self.inside] as usize]);
        let inside = u64::from(self.inside_of[cells[self.inside] as usize]);
        Place::Table(0, (outside * 2 + mover as u64) * self.width + inside)
    }

    #[inline]
    fn moves(&self, &Position { mover, cells }: &Position, mut visit: impl FnMut(&Position)) {
        for &cell in &self.steps[mover][cells[mover] as usize] {
            let mut after = cells;
            after[mover] = cell;
            visit(&Position { mover: 1 - mover, cells: after });
        }
    }

    #[inline]
    fn decided(&self, &Position { mover, cells: [police, thief] }: &Position) -> Option<Number> {
        chased(mover, police == thief, self.board.cells()[thief as usize] == Cell::Exit)
    }

    fn mover(&self, position: &Position) -> usize {
        position.mover
    }

    fn text(&self, &Position { mover, cells }: &Position) -> String {
        let [police, thief] = cells.map(|cell| self.board.cell_text(cell));
        format!("{} {police} {thief}", ["police", "thief"][mover])
    }
}
