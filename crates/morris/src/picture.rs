//! A position as text, with the names of columns and rows at the edge.

use crate::position::{Position, Side};

/// The distance between two columns.
const WIDE: usize = 4;

/// The board, `O` for white's stones and `X` for black's.
pub fn picture(position: &Position) -> String {
    let board = position.men().board();
    let side = board.side as usize;
    // Lines first, stones over them. Each point draws half of the line to its neighbours.
    let (rows, columns) = (2 * side - 1, WIDE * (side - 1) + 1);
    let mut cells = vec![vec![' '; columns]; rows];
    let spot = |point: u32| {
        let (column, row) = board.cell(point);
        (2 * row as usize, WIDE * column as usize)
    };
    for point in 0..board.points() {
        let (row, column) = spot(point);
        for beside in retrograde_boards::squares(board.neighbours(point)) {
            let (to_row, to_column) = spot(beside);
            (row..=to_row).for_each(|row| cells[row][column] = '|');
            if row == to_row {
                (column..=to_column).for_each(|column| cells[row][column] = '-');
            }
        }
    }
    for point in 0..board.points() {
        let (row, column) = spot(point);
        let has = |side| position.stones(side) >> point & 1 != 0;
        cells[row][column] = match (has(Side::White), has(Side::Black)) {
            (true, _) => 'O',
            (_, true) => 'X',
            _ => '.',
        };
    }
    let mut text = String::new();
    for (row, cells) in cells.iter().enumerate() {
        let head = if row % 2 == 0 { format!("{} ", side - row / 2) } else { "  ".to_owned() };
        text += (head + &cells.iter().collect::<String>()).trim_end();
        text.push('\n');
    }
    let letters = (0..side).map(|column| ((b'a' + column as u8) as char).to_string());
    text += "  ";
    text += &letters.collect::<Vec<_>>().join(&" ".repeat(WIDE - 1));
    text.push('\n');
    text
}
