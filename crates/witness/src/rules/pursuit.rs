//! One policeman who moves like a king, and a thief who moves to four sides, on a board. Either may stay. The
//! police win where they meet the thief. The thief wins on an exit without police.

use std::ops::Range;

use super::board::{Board, Cell};

use super::{POLICE, THIEF, around, chased};
use crate::proof::{Place, Rules, Side};
use crate::table::Number;

/// The number of a state is `(outside * 2 + side) * width + inside`: see `NUMBERS.md`.
pub(crate) struct Pursuit {
    board: Board,
    /// Who is inside: the side whose places are consecutive in the numbering.
    inside: usize,
    width: u64,
    /// For each place, its cell, inside and outside.
    cells: [Vec<u32>; 2],
    /// For each place, itself and the places one step away, inside and outside.
    steps: [Vec<Vec<u32>>; 2],
    /// For each place outside, the place inside of the same cell.
    meeting: Vec<u32>,
    /// The places inside where players can stand.
    floor: Vec<u32>,
}

/// The places of both, and the side to move.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    side: usize,
    inside: u32,
    outside: u32,
}

impl Pursuit {
    pub(crate) fn new(board: Board) -> Pursuit {
        let columns = board.columns;
        let bare = board.cells.iter().all(|cell| *cell == Cell::Floor);
        let inside = if bare { THIEF } else { POLICE };
        let tiles = board.rows().div_ceil(8) * columns.div_ceil(8);
        let mut outside: Vec<u32> = board.floor().collect();
        outside.sort_by_key(|&cell| (cell / columns / 8, cell % columns, cell));
        let full = tiles as usize * 64 == outside.len();
        let place_inside = |cell: u32| {
            let (row, column) = (cell / columns, cell % columns);
            (row / 8 * columns.div_ceil(8) + column / 8) * 64 + row % 8 * 8 + column % 8
        };
        let mut outside_of = vec![u32::MAX; board.cells.len()];
        (0..).zip(&outside).for_each(|(place, &cell)| outside_of[cell as usize] = place);
        let mut inside_cells = vec![u32::MAX; tiles as usize * 64];
        board.floor().for_each(|cell| inside_cells[place_inside(cell) as usize] = cell);
        let steps = |side, cell, place: &dyn Fn(u32) -> u32| match cell {
            u32::MAX => Vec::new(),
            cell => around(&board, cell, side == POLICE).into_iter().map(place).collect(),
        };
        let from_inside = inside_cells.iter().map(|&cell| steps(inside, cell, &place_inside));
        let place_outside = |cell: u32| outside_of[cell as usize];
        let from_outside = outside.iter().map(|&cell| steps(1 - inside, cell, &place_outside));
        Pursuit {
            inside,
            width: ((u64::from(tiles) + u64::from(full)) | 1) * 64,
            steps: [from_inside.collect(), from_outside.collect()],
            meeting: outside.iter().map(|&cell| place_inside(cell)).collect(),
            floor: board.floor().map(place_inside).collect(),
            cells: [inside_cells, outside],
            board,
        }
    }

    /// The cells of the police and of the thief.
    fn men(&self, &Position { inside, outside, .. }: &Position) -> [u32; 2] {
        let cells = [self.cells[0][inside as usize], self.cells[1][outside as usize]];
        if self.inside == POLICE { cells } else { [cells[1], cells[0]] }
    }
}

impl Rules for Pursuit {
    type Position = Position;

    /// A run for each place outside and each side, and for the invalid place.
    fn runs(&self) -> u64 {
        2 * (self.meeting.len() as u64 + 1)
    }

    fn run(&self, run: u64) -> Range<u64> {
        run * self.width..(run + 1) * self.width
    }

    fn each(&self, run: u64, mut visit: impl FnMut(&Position)) {
        let outside = run as u32 / 2;
        if (outside as usize) < self.meeting.len() {
            for &inside in &self.floor {
                visit(&Position { side: run as usize % 2, inside, outside });
            }
        }
    }

    #[inline]
    fn place(&self, &Position { side, inside, outside }: &Position) -> Place {
        let row = u64::from(outside) * 2 + side as u64;
        Place::Table(0, row * self.width + u64::from(inside))
    }

    #[inline]
    fn moves(&self, position: &Position, mut visit: impl FnMut(&Position)) {
        let &Position { side, inside, outside } = position;
        let steps_inside = side == self.inside;
        let from = if steps_inside { inside } else { outside };
        // One loop for both, so that the compiler inlines the visitor into it.
        for &to in &self.steps[usize::from(!steps_inside)][from as usize] {
            let (inside, outside) = if steps_inside { (to, outside) } else { (inside, to) };
            visit(&Position { side: 1 - side, inside, outside });
        }
    }

    #[inline]
    fn decided(&self, position: &Position) -> Option<Number> {
        let caught = self.meeting[position.outside as usize] == position.inside;
        let [_, thief] = self.men(position);
        chased(position.side, caught, self.board.cells[thief as usize] == Cell::Exit)
    }

    fn sides(&self) -> Vec<Side> {
        Side::named(["police", "thief"])
    }

    fn side_to_move(&self, position: &Position) -> usize {
        position.side
    }

    fn text(&self, position: &Position) -> String {
        let [police, thief] = self.men(position).map(|cell| self.board.name(cell));
        format!("{} {police} {thief}", ["police", "thief"][position.side])
    }
}
