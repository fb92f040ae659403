//! Which squares a piece attacks, as sets of squares.
//!
//! Steps come from tables. Sliders use the obstruction difference (Gerd Isenberg, on the Chess Programming
//! Wiki). On a line through the square, take the nearest obstacle above minus the nearest obstacle below. The
//! result has exactly the squares between them. So a line takes a few instructions, and a table of two words.

use crate::piece::{Color, Piece, Role, Square};

/// The squares that a piece on `from` attacks, if men stand on the `occupied` squares. The first occupied
/// square on a line is also attacked (or defended).
#[inline]
pub(crate) fn attacks(piece: Piece, from: Square, occupied: u64) -> u64 {
    match piece.role {
        Role::King => KING[from.index()],
        Role::Knight => KNIGHT[from.index()],
        Role::Pawn => pawn(piece.color, from),
        Role::Rook => slide(RANK, from, occupied) | slide(FILE, from, occupied),
        Role::Bishop => slide(RISING, from, occupied) | slide(FALLING, from, occupied),
        Role::Queen => (0..4).fold(0, |set, line| set | slide(line, from, occupied)),
    }
}

/// The squares a king on `from` steps to.
#[inline]
pub(crate) fn king(from: Square) -> u64 {
    KING[from.index()]
}

/// The squares that a pawn attacks, occupied or not.
#[inline]
pub(crate) fn pawn(color: Color, from: Square) -> u64 {
    PAWN[color as usize][from.index()]
}

/// The squares strictly between two squares on a line.
#[inline]
pub(crate) fn between(a: Square, b: Square) -> u64 {
    BETWEEN[a.index()][b.index()]
}

/// Whether a piece moves along lines.
pub(crate) fn slides(role: Role) -> bool {
    matches!(role, Role::Queen | Role::Rook | Role::Bishop)
}

const RANK: usize = 0;
const FILE: usize = 1;
const RISING: usize = 2;
const FALLING: usize = 3;

/// A line through a square: its squares with smaller numbers, and with greater ones.
#[derive(Clone, Copy)]
struct Line {
    lower: u64,
    upper: u64,
}

#[inline]
fn slide(direction: usize, from: Square, occupied: u64) -> u64 {
    let Line { lower, upper } = LINES[direction][from.index()];
    let below = 1u64 << 63 >> ((lower & occupied) | 1).leading_zeros();
    let above = (upper & occupied) & (upper & occupied).wrapping_neg();
    (lower | upper) & above.wrapping_mul(2).wrapping_sub(below)
}

static LINES: [[Line; 64]; 4] = [lines(1, 0), lines(0, 1), lines(1, 1), lines(-1, 1)];
static KING: [u64; 64] =
    steps(&[(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]);
static KNIGHT: [u64; 64] =
    steps(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static PAWN: [[u64; 64]; 2] = [steps(&[(-1, 1), (1, 1)]), steps(&[(-1, -1), (1, -1)])];
static BETWEEN: [[u64; 64]; 64] = all_between();

/// The target of a step of `(files, ranks)` as a set; empty off the board.
const fn step(from: usize, files: i32, ranks: i32) -> u64 {
    let (file, rank) = (from as i32 % 8 + files, from as i32 / 8 + ranks);
    if file < 0 || file > 7 || rank < 0 || rank > 7 { 0 } else { 1 << (rank * 8 + file) }
}

const fn steps<const N: usize>(by: &[(i32, i32); N]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < N {
            table[from] |= step(from, by[i].0, by[i].1);
            i += 1;
        }
        from += 1;
    }
    table
}

const fn ray(from: usize, files: i32, ranks: i32) -> u64 {
    let mut set = 0;
    let mut distance = 1;
    while distance < 8 {
        set |= step(from, files * distance, ranks * distance);
        distance += 1;
    }
    set
}

const fn lines(files: i32, ranks: i32) -> [Line; 64] {
    let mut table = [Line { lower: 0, upper: 0 }; 64];
    let mut from = 0;
    while from < 64 {
        table[from] = Line { lower: ray(from, -files, -ranks), upper: ray(from, files, ranks) };
        from += 1;
    }
    table
}

const fn all_between() -> [[u64; 64]; 64] {
    const STEPS: [(i32, i32); 8] =
        [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            let (mut passed, mut distance) = (0, 1);
            while distance < 8 {
                let to = step(from, STEPS[i].0 * distance, STEPS[i].1 * distance);
                if to == 0 {
                    break;
                }
                table[from][to.trailing_zeros() as usize] = passed;
                passed |= to;
                distance += 1;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same square by square.
    fn walked(role: Role, from: Square, occupied: u64) -> u64 {
        let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let oblique = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
        let directions = match role {
            Role::Rook => straight.to_vec(),
            Role::Bishop => oblique.to_vec(),
            _ => [straight, oblique].concat(),
        };
        let mut set = 0;
        for (files, ranks) in directions {
            for distance in 1..8 {
                let to = step(from.index(), files * distance, ranks * distance);
                set |= to;
                if to & occupied != 0 {
                    break;
                }
            }
        }
        set
    }

    #[test]
    fn sliders_stop_where_a_walk_stops() {
        let mut occupied = 0x9E37_79B9_7F4A_7C15u64;
        for round in 0..64 * 200 {
            occupied ^= occupied << 13;
            occupied ^= occupied >> 7;
            occupied ^= occupied << 17;
            let sparse = occupied & occupied.rotate_left(round % 61 + 1);
            let from = Square::new((round % 64) as u8);
            for role in [Role::Queen, Role::Rook, Role::Bishop] {
                let piece = Piece { color: Color::White, role };
                assert_eq!(
                    attacks(piece, from, sparse),
                    walked(role, from, sparse),
                    "{role:?} on {from}, obstacles {sparse:#x}"
                );
            }
        }
    }

    #[test]
    fn between_is_what_two_queens_both_see() {
        let queen = Piece { color: Color::White, role: Role::Queen };
        for a in (0..64).map(Square::new) {
            for b in (0..64).map(Square::new).filter(|&b| b != a) {
                let joined = attacks(queen, a, 0) & b.bit() != 0;
                let line = (0..4)
                    .fold(0, |set, line| set | slide(line, a, b.bit()) & slide(line, b, a.bit()));
                assert_eq!(between(a, b), if joined { line } else { 0 }, "{a} {b}");
            }
        }
    }
}
