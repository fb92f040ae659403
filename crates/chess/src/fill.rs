//! Steps and slides of whole sets of squares at once.
//!
//! A set of squares stands for several boards, each with the same man on one of the squares. So the squares
//! of a set never block each other. In each step, slides double their length (Kogge and Stone's prefixes, as
//! on the Chess Programming Wiki).

use crate::piece::{Color, Role};

pub(crate) const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;
const NOT_AB: u64 = NOT_A & (NOT_A << 1);
const NOT_GH: u64 = NOT_H & (NOT_H >> 1);

/// The empty squares that a man reaches from any square of a set. He is not a pawn and not a king. His moves
/// also go back, so these are also the squares that he may come from.
#[inline]
pub(crate) fn reach(role: Role, set: u64, empty: u64) -> u64 {
    match role {
        Role::Queen => straight(set, empty) | oblique(set, empty),
        Role::Rook => straight(set, empty),
        Role::Bishop => oblique(set, empty),
        Role::Knight => knight(set) & empty,
        Role::King | Role::Pawn => unreachable!("kings and pawns have their own rules"),
    }
}

fn straight(set: u64, empty: u64) -> u64 {
    up::<1>(set, empty & NOT_A)
        | up::<8>(set, empty)
        | down::<1>(set, empty & NOT_H)
        | down::<8>(set, empty)
}

fn oblique(set: u64, empty: u64) -> u64 {
    up::<9>(set, empty & NOT_A)
        | up::<7>(set, empty & NOT_H)
        | down::<9>(set, empty & NOT_H)
        | down::<7>(set, empty & NOT_A)
}

/// Slides over `free` squares. Each step adds `BY` to the number of the square.
#[inline]
fn up<const BY: u32>(set: u64, free: u64) -> u64 {
    let mut entered = set << BY & free;
    let mut open = free;
    for by in [BY, 2 * BY, 4 * BY] {
        entered |= entered << by & open;
        open &= open << by;
    }
    entered
}

/// The same, but each step subtracts `BY`.
#[inline]
fn down<const BY: u32>(set: u64, free: u64) -> u64 {
    let mut entered = set >> BY & free;
    let mut open = free;
    for by in [BY, 2 * BY, 4 * BY] {
        entered |= entered >> by & open;
        open &= open >> by;
    }
    entered
}

fn knight(set: u64) -> u64 {
    let near = (set << 1 & NOT_A) | (set >> 1 & NOT_H);
    let far = (set << 2 & NOT_AB) | (set >> 2 & NOT_GH);
    near << 16 | near >> 16 | far << 8 | far >> 8
}

/// A set of squares moved a step ahead of a side.
#[inline]
pub(crate) fn ahead(color: Color, set: u64) -> u64 {
    match color {
        Color::White => set << 8,
        Color::Black => set >> 8,
    }
}

/// The squares to the left and right of the squares of a set.
#[inline]
pub(crate) fn beside(set: u64) -> u64 {
    (set << 1 & NOT_A) | (set >> 1 & NOT_H)
}

/// The set, reflected in the diagonal from a1 to h8.
#[inline]
pub(crate) fn transpose(mut set: u64) -> u64 {
    for (by, mask) in
        [(28, 0x0F0F_0F0F_0000_0000), (14, 0x3333_0000_3333_0000), (7, 0x5500_5500_5500_5500)]
    {
        let swapped = mask & (set ^ set << by);
        set ^= swapped ^ swapped >> by;
    }
    set
}

/// The set with reversed files: a becomes h.
#[inline]
pub(crate) fn flip_files(mut set: u64) -> u64 {
    for (by, mask) in
        [(1, 0x5555_5555_5555_5555), (2, 0x3333_3333_3333_3333), (4, 0x0F0F_0F0F_0F0F_0F0F)]
    {
        set = (set >> by & mask) | (set & mask) << by;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::attacks;
    use crate::piece::{Piece, Square, squares};

    fn random(seed: u64) -> impl Iterator<Item = u64> {
        let mut bits = seed;
        std::iter::from_fn(move || {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            Some(bits)
        })
    }

    #[test]
    fn a_set_reaches_what_its_squares_reach() {
        let mut random = random(0x9E37_79B9_7F4A_7C15);
        let mut next = || random.next().unwrap();
        for _ in 0..2000 {
            let (occupied, set) = (next() & next(), next() & next());
            for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                let man = Piece { color: Color::White, role };
                let single = squares(set).fold(0, |all, from| all | attacks(man, from, occupied));
                assert_eq!(reach(role, set, !occupied), single & !occupied, "{role:?} {set:#x}");
            }
        }
    }

    #[test]
    fn sets_turn_as_their_squares_do() {
        for set in random(1).take(1000) {
            let turned =
                |turn: fn(Square) -> Square| squares(set).fold(0, |all, at| all | turn(at).bit());
            assert_eq!(transpose(set), turned(Square::transpose));
            assert_eq!(flip_files(set), turned(|at| Square::at(7 - at.file(), at.rank())));
            assert_eq!(set.swap_bytes(), turned(Square::flip_ranks));
            let rank = |at: Square| 0xFF << (at.rank() * 8);
            let neighbours = |at: Square| (at.bit() << 1 | at.bit() >> 1) & rank(at);
            assert_eq!(beside(set), squares(set).fold(0, |all, at| all | neighbours(at)));
        }
    }
}
