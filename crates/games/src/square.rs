//! Square boards with names at the edge: a letter for the column and a number for the row, as in chess. And grids with
//! numbers at the edge.

/// The name of a square: `a3`. Squares are numbered row by row from 0 at the top left.
pub(crate) fn name(side: u32, square: u32) -> String {
    format!("{}{}", char::from(b'a' + (square % side) as u8), side - square / side)
}

/// Numbers from 0 for the rows and columns of a grid.
pub(crate) fn edge_numbers(rows: u32, columns: u32) -> (Vec<String>, Vec<String>) {
    let numbers = |count| (0..count).map(|number: u32| number.to_string()).collect();
    (numbers(rows), numbers(columns))
}

/// Reads rows of signs, `x.o/.../x..`, of a square board. `None` if the form is another one. Each sign becomes the set of its
/// squares.
pub(crate) fn read_rows<const SIGNS: usize>(
    text: &str,
    side: u32,
    signs: [char; SIGNS],
) -> Option<[u64; SIGNS]> {
    let rows: Vec<&str> = text.split('/').collect();
    let mut sets = [0; SIGNS];
    let even = rows.iter().all(|row| row.chars().count() == side as usize);
    if rows.len() != side as usize || !even {
        return None;
    }
    for (square, sign) in rows.concat().chars().enumerate() {
        match signs.iter().position(|known| *known == sign) {
            Some(found) => sets[found] |= 1 << square,
            None if sign == '.' => {}
            None => return None,
        }
    }
    Some(sets)
}

/// The same sets as text.
pub(crate) fn write_rows<const SIGNS: usize>(
    side: u32,
    signs: [char; SIGNS],
    sets: [u64; SIGNS],
) -> String {
    let sign = |square: u32| {
        let found = signs.iter().zip(sets).find(|(_, set)| set >> square & 1 != 0);
        found.map_or('.', |(sign, _)| *sign)
    };
    let row = |row| (row * side..(row + 1) * side).map(sign).collect();
    (0..side).map(row).collect::<Vec<String>>().join("/")
}

/// The player at the beginning of a text, and the rest. Without one, the first player.
pub(crate) fn read_player<'a>(text: &'a str, players: &[&str]) -> (usize, &'a str) {
    let text = text.trim();
    let named = text.split_once(char::is_whitespace).and_then(|(word, rest)| {
        Some((players.iter().position(|player| *player == word)?, rest.trim_start()))
    });
    named.unwrap_or((0, text))
}
