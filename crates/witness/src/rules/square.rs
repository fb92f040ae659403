//! The squares of a board of a few rows, and its rotations and reflections.

/// For each of the eight symmetries of a square board, where each square goes. Squares are counted row by row.
pub(crate) fn symmetries(side: u32) -> Vec<Vec<u32>> {
    let last = side - 1;
    let each = |turn: u32| {
        let image = |square: u32| {
            let (row, column) = (square / side, square % side);
            let (row, column) = if turn & 1 == 0 { (row, column) } else { (column, row) };
            let row = if turn & 2 == 0 { row } else { last - row };
            let column = if turn & 4 == 0 { column } else { last - column };
            row * side + column
        };
        (0..side * side).map(image).collect()
    };
    (0..8).map(each).collect()
}

/// The image of a set of squares.
pub(crate) fn image(symmetry: &[u32], set: u64) -> u64 {
    squares(set).fold(0, |image, square| image | 1 << symmetry[square as usize])
}

/// The squares of a set, ascending.
pub(crate) fn squares(set: u64) -> impl Iterator<Item = u32> {
    let left = |set: &u64| Some(set & (set - 1)).filter(|set| *set > 0);
    std::iter::successors(Some(set).filter(|set| *set > 0), left).map(u64::trailing_zeros)
}

/// The rows of a board, with a sign for each set of stones: `x.o/.../..x`.
pub(crate) fn rows(side: u32, stones: &[(char, u64)]) -> String {
    let sign = |square: u32| {
        let found = stones.iter().find(|(_, set)| set >> square & 1 == 1);
        found.map_or('.', |(sign, _)| *sign)
    };
    let row = |row: u32| (0..side).map(|column| sign(row * side + column)).collect();
    (0..side).map(row).collect::<Vec<String>>().join("/")
}
