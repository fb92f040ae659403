//! The rules of the games again, forwards only. They come from docs/games.md and from the numbering of states
//! in `NUMBERS.md`.

mod board;
mod chase;
mod chess;
mod corner;
mod graph;
mod l_game;
mod morris;
mod pursuit;
mod quixo;
mod square;
mod take;
mod text;

pub(crate) use board::Board;
pub(crate) use chase::Chase;
pub(crate) use chess::{Chess, Material, material_named, needs};
pub(crate) use corner::Corner;
pub(crate) use graph::Graph;
pub(crate) use l_game::LGame;
pub(crate) use morris::{Morris, Region};
pub(crate) use pursuit::Pursuit;
pub(crate) use quixo::Quixo;
pub(crate) use take::Take;
pub(crate) use text::{NUMBERING, Text};

use std::ops::Range;

use board::Cell;

use crate::proof::{LOST, WON};
use crate::table::Number;

/// How many states a run has, in games without natural runs.
const RUN: u64 = 1 << 14;

/// How many runs some states have.
fn runs(states: u64) -> u64 {
    states.div_ceil(RUN)
}

/// The numbers of a run of some states.
fn run(run: u64, states: u64) -> Range<u64> {
    run * RUN..states.min((run + 1).saturating_mul(RUN))
}

/// The value of a position without moves.
fn stuck(misere: bool) -> Number {
    if misere { WON } else { LOST }
}

/// The index of the police among the sides of a chase.
const POLICE: usize = 0;
const THIEF: usize = 1;

/// The value of a chase that has ended: the thief caught, or away.
fn chased(side: usize, caught: bool, away: bool) -> Option<Number> {
    match (caught, away) {
        (true, _) => Some(if side == POLICE { WON } else { LOST }),
        (false, true) => Some(if side == THIEF { WON } else { LOST }),
        (false, false) => None,
    }
}

/// The cells one step away from a cell, and itself: with sides only, or with diagonals as well.
fn around(board: &Board, cell: u32, diagonally: bool) -> Vec<u32> {
    let columns = i64::from(board.columns);
    let (row, column) = (i64::from(cell) / columns, i64::from(cell) % columns);
    let mut cells = Vec::new();
    for (down, right) in (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right))) {
        let (row, column) = (row + down, column + right);
        let inside = (0..i64::from(board.rows())).contains(&row) && (0..columns).contains(&column);
        if inside && (diagonally || down == 0 || right == 0) {
            let cell = (row * columns + column) as u32;
            if board.cells[cell as usize] != Cell::Wall {
                cells.push(cell);
            }
        }
    }
    cells
}
