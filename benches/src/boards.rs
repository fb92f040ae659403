//! The number of moves of a pursuit, by a formula. Walking all moves of the largest boards would take as long
//! as solving them.

use retrograde_games::{Board, Cell, Steps};

/// How many moves a board has, for police and thief, from every state that the rules do not decide.
pub fn moves(board: &Board) -> u64 {
    let ways = |cell: u32, steps: Steps| {
        let mut count = 1; // Staying.
        board.neighbours(cell, steps, |_| count += 1);
        count
    };
    let floor = board.floor().count() as u64;
    let police: u64 = board.floor().map(|cell| ways(cell, Steps::King)).sum();
    let thief_cells = board.floor().filter(|&cell| board.cells()[cell as usize] != Cell::Exit);
    thief_cells
        .map(|cell| police - ways(cell, Steps::King) + (floor - 1) * ways(cell, Steps::Rook))
        .sum()
}
