//! The placements of the two kings, counted up to the symmetries of the board.
//!
//! Without pawns, there are eight symmetries. They map the white king into the triangle a1-d1-d4. If he is on
//! the diagonal, they map the black king onto the diagonal or below it. There are 462 placements. With pawns,
//! the only symmetry exchanges the files. It maps the white king to the files a to d, and there are 1806
//! placements.
//!
//! # Both kings on the diagonal
//!
//! Then one more symmetry remains: the reflection in the diagonal keeps the kings and moves other men. A
//! position and its reflection could share one number, but then the code would have to correct the number of
//! moves. Instead **both have their own number**, and a fixed rule gives the number of a position. Exchange
//! files and ranks until the white king is in the quarter a1-d4. There is only one way to do this. Then
//! reflect only if the squares of the kings require it. So each legal move leads to exactly one state, and
//! the degree of a state is its number of legal moves.
//!
//! This matters for positions before a king's move. (Other moves keep the kings.)
//! - If the later state has both kings on the diagonal, an earlier position that must be reflected leads to
//!   the reflection of the later state. So it is not visited.
//! - Otherwise, if an earlier position has both kings on the diagonal, both of its numbers lead to the later
//!   state. So both are visited.
//!
//! Why values are right: consider the game in which only exchanges of files and ranks are symmetries. No
//! position of it is symmetric. Our states are the states of this game, with some pairs of equal value
//! merged.

use std::sync::LazyLock;

use crate::attacks;
use crate::fill::{flip_files, transpose};
use crate::piece::{Square, squares};

/// A symmetry of the board: exchange the files if bit 0 is set and the ranks if bit 1 is set, then reflect in
/// the diagonal from a1 to h8 if bit 2 is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symmetry(u8);

impl Symmetry {
    pub(crate) const NONE: Symmetry = Symmetry(0);
    pub(crate) const REFLECTION: Symmetry = Symmetry(4);

    pub(crate) fn reflects(self) -> bool {
        self.0 & 4 != 0
    }

    #[inline]
    pub(crate) fn apply(self, square: Square) -> Square {
        MOVED[usize::from(self.0)][square.index()]
    }

    /// The same for every square of a set.
    #[inline]
    pub(crate) fn apply_to_set(self, mut set: u64) -> u64 {
        if self.0 & 1 != 0 {
            set = flip_files(set);
        }
        if self.0 & 2 != 0 {
            set = set.swap_bytes();
        }
        if self.reflects() { transpose(set) } else { set }
    }

    /// Inverts `apply_to_set`.
    #[inline]
    pub(crate) fn undo_to_set(self, set: u64) -> u64 {
        let set = if self.reflects() { transpose(set) } else { set };
        // The exchanges are their own inverses, in any order.
        Symmetry(self.0 & 3).apply_to_set(set)
    }
}

static MOVED: [[Square; 64]; 8] = {
    let mut table = [[Square::new(0); 64]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut number = 0;
        while number < 64 {
            let mut moved = number ^ if symmetry & 1 != 0 { 7 } else { 0 };
            moved ^= if symmetry & 2 != 0 { 56 } else { 0 };
            if symmetry & 4 != 0 {
                moved = moved >> 3 | (moved & 7) << 3;
            }
            table[symmetry][number as usize] = Square::new(moved);
            number += 1;
        }
        symmetry += 1;
    }
    table
};

/// A placement of the kings, and the symmetry that maps the kings to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Its number.
    pub(crate) number: u16,
    /// The symmetry to apply to the whole board.
    pub(crate) symmetry: Symmetry,
}

/// All placements of two kings that do not touch.
pub(crate) struct Kings {
    places: Box<[[Option<Place>; 64]; 64]>,
    /// The squares of the white and the black king, by number.
    squares: Vec<[Square; 2]>,
    /// How many symmetries there are.
    symmetries: u32,
}

static WITHOUT_PAWNS: LazyLock<Kings> = LazyLock::new(|| Kings::count(8));
static WITH_PAWNS: LazyLock<Kings> = LazyLock::new(|| Kings::count(2));

impl Kings {
    /// The placements for a material with or without pawns.
    pub(crate) fn get(pawns: bool) -> &'static Kings {
        if pawns { &WITH_PAWNS } else { &WITHOUT_PAWNS }
    }

    fn count(symmetries: u32) -> Kings {
        let mut kings =
            Kings { places: Box::new([[None; 64]; 64]), squares: Vec::new(), symmetries };
        for white in squares(!0) {
            for black in squares(!attacks::king(white) & !white.bit()) {
                if kings.normal(white, black) == Symmetry::NONE {
                    kings.squares.push([white, black]);
                }
            }
        }
        for white in squares(!0) {
            for black in squares(!attacks::king(white) & !white.bit()) {
                let symmetry = kings.normal(white, black);
                let pair = [white, black].map(|square| symmetry.apply(square));
                let number = kings.squares.iter().position(|&other| other == pair);
                let number = number.expect("normal placements have numbers") as u16;
                kings.places[white.index()][black.index()] = Some(Place { number, symmetry });
            }
        }
        kings
    }

    /// The symmetry that maps two kings to a numbered placement. It depends only on the kings.
    fn normal(&self, white: Square, black: Square) -> Symmetry {
        let files = u8::from(white.file() > 3);
        if self.symmetries == 2 {
            return Symmetry(files);
        }
        let exchange = Symmetry(files | u8::from(white.rank() > 3) << 1);
        let side = |square| {
            let square = exchange.apply(square);
            square.rank().cmp(&square.file())
        };
        let above = side(white).then(side(black)).is_gt();
        Symmetry(exchange.0 | u8::from(above) << 2)
    }

    /// How many placements there are.
    pub(crate) fn placements(&self) -> u64 {
        self.squares.len() as u64
    }

    /// The squares of the kings, white first.
    #[inline]
    pub(crate) fn squares(&self, number: u16) -> [Square; 2] {
        self.squares[usize::from(number)]
    }

    /// The number of this placement. `None` if the kings touch or share a square.
    #[inline]
    pub(crate) fn place(&self, white: Square, black: Square) -> Option<Place> {
        self.places[white.index()][black.index()]
    }

    /// Whether a reflection keeps both kings in place.
    #[inline]
    pub(crate) fn reflectable(&self, number: u16) -> bool {
        self.symmetries == 8
            && self.squares(number).iter().all(|&square| square.transpose() == square)
    }

    /// Visits the placements in which the kings stand on two squares before a step that leads to the placement `later`.
    /// Usually there is one. The [module](self) explains why there may be none or two.
    #[inline]
    pub(crate) fn before_step(
        &self,
        later: u16,
        [white, black]: [Square; 2],
        mut visit: impl FnMut(Place),
    ) {
        let Some(place) = self.place(white, black) else { return };
        if self.reflectable(later) {
            if !place.symmetry.reflects() {
                visit(place);
            }
            return;
        }
        visit(place);
        if self.reflectable(place.number) {
            let Symmetry(symmetry) = place.symmetry;
            visit(Place { symmetry: Symmetry(symmetry ^ Symmetry::REFLECTION.0), ..place });
        }
    }

    /// How many placements of all pieces each state with these kings stands for.
    pub(crate) fn multiplicity(&self, number: u16) -> u32 {
        if self.reflectable(number) { self.symmetries / 2 } else { self.symmetries }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_462_placements_without_pawns_and_1806_with() {
        assert_eq!(Kings::get(false).placements(), 462);
        assert_eq!(Kings::get(true).placements(), 1806);
    }

    #[test]
    fn multiplicities_add_up_to_all_placements_of_two_kings() {
        for pawns in [false, true] {
            let kings = Kings::get(pawns);
            let raw: u32 =
                (0..kings.placements() as u16).map(|number| kings.multiplicity(number)).sum();
            assert_eq!(raw, 3612);
        }
    }

    #[test]
    fn sets_move_as_their_squares_do() {
        for symmetry in (0..8).map(Symmetry) {
            let set = 0x0123_4567_89AB_CDEF;
            let moved = symmetry.apply_to_set(set);
            assert_eq!(moved, squares(set).fold(0, |all, at| all | symmetry.apply(at).bit()));
            assert_eq!(symmetry.undo_to_set(moved), set);
        }
    }

    #[test]
    fn every_symmetry_of_a_placement_has_its_number() {
        for pawns in [false, true] {
            let kings = Kings::get(pawns);
            let symmetries = if pawns { 2 } else { 8 };
            for number in 0..kings.placements() as u16 {
                let [white, black] = kings.squares(number);
                for symmetry in (0..symmetries).map(Symmetry) {
                    let moved = [white, black].map(|square| symmetry.apply(square));
                    let place = kings.place(moved[0], moved[1]).unwrap();
                    assert_eq!(place.number, number);
                    assert_eq!(moved.map(|square| place.symmetry.apply(square)), [white, black]);
                }
            }
        }
    }
}
