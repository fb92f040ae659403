//! Square boards with names at the edge: a letter for the column and a number for the row, as in chess.

/// The name of a square: `a3`. Squares are numbered row by row from 0 at the top left.
pub(crate) fn name(side: u32, square: u32) -> String {
    format!("{}{}", letter(square % side), side - square / side)
}

/// The rows of a board one below the other, with the names of rows and columns.
pub(crate) fn with_edge(rows: &[String]) -> String {
    let side = rows.len();
    let apart = |signs: &mut dyn Iterator<Item = char>| {
        signs.map(String::from).collect::<Vec<_>>().join(" ")
    };
    let row =
        |(row, text): (usize, &String)| format!("{} {}", side - row, apart(&mut text.chars()));
    let mut lines: Vec<String> = rows.iter().enumerate().map(row).collect();
    lines.push(format!("  {}", apart(&mut (0..side as u32).map(letter))));
    lines.join("\n")
}

fn letter(column: u32) -> char {
    char::from(b'a' + column as u8)
}
