//! A word of states as one board. All men have one square, except the man of the word: he is on a different
//! square in each of the 64 states. So a set of states is a set of squares.

use crate::attacks::{attacks, between, pawn, slides};
use crate::index::{Decoded, Index};
use crate::material::Squares;
use crate::piece::{Color, Piece, Role, Square};

/// The ranks on which a pawn cannot stand.
pub(crate) const LAST_RANKS: u64 = 0xFF00_0000_0000_00FF;

/// The board of a word.
pub(crate) struct Frame {
    /// The word's first state. In it, the man of the word is on a1. Ignore this square.
    pub(crate) decoded: Decoded,
    /// The slot of the man of the word.
    pub(crate) man: usize,
    /// The squares of all other men.
    pub(crate) occupied: u64,
    /// The squares on which the man of the word would not be the last of his equals. The states with him there are invalid.
    below: u64,
    /// The number of the word within its block. It gives the squares of all men except the kings and the man
    /// of the word.
    pub(crate) others: u64,
}

/// A change of a frame by a move, as far as checks need it.
pub(crate) struct Change<'a> {
    /// The squares of all men.
    pub(crate) squares: &'a Squares,
    /// The squares of all men except the man of the word and a captured man.
    pub(crate) occupied: u64,
    /// The slot of a captured man.
    pub(crate) gone: Option<usize>,
}

impl Index {
    /// The board of a word. `None` if an en passant capture is possible: then the states of a word differ in more than
    /// one man.
    #[inline]
    pub(crate) fn frame(&self, word: u64) -> Option<Frame> {
        if word >= self.placements() / 64 {
            return None;
        }
        let man = self.man();
        let (block, others) = (word / self.block_words(), word % self.block_words());
        // Nothing moves a frame after its bytes are written: to read them back in larger pieces would stall.
        let mut frame = Frame {
            decoded: self.decode_placement(block, others),
            man,
            occupied: 0,
            below: 0,
            others,
        };
        let position = &frame.decoded.position;
        let standing = (0..position.slots()).filter(|&slot| slot != man);
        frame.occupied = standing.fold(0, |set, slot| set | position.squares[slot].bit());
        if let Some(equal) = self.equals().last() {
            frame.below = up_to(position.squares[equal]);
        }
        Some(frame)
    }

    /// The word in which all men except the kings stand as in a frame.
    #[inline]
    pub(crate) fn word(&self, frame: &Frame, kings: u16, turn: Color) -> u64 {
        (u64::from(kings) * 2 + turn as u64) * self.block_words() + frame.others
    }
}

impl Frame {
    pub(crate) fn man(&self) -> Piece {
        self.decoded.position.pieces[self.man]
    }

    pub(crate) fn turn(&self) -> Color {
        self.decoded.position.turn
    }

    /// The board without a change.
    pub(crate) fn unchanged(&self) -> Change<'_> {
        let squares = &self.decoded.position.squares;
        Change { squares, occupied: self.occupied, gone: None }
    }

    /// The slots of one side's men, without the man of the word.
    pub(crate) fn standing(&self, color: Color) -> impl Iterator<Item = usize> + '_ {
        let position = &self.decoded.position;
        (0..position.slots())
            .filter(move |&slot| slot != self.man && position.pieces[slot].color == color)
    }

    /// The squares on which the man of the word would cause a check of the king of `color`.
    #[inline]
    pub(crate) fn checks(&self, color: Color, change: &Change<'_>) -> u64 {
        let position = &self.decoded.position;
        let king = change.squares[color as usize];
        let mut checks = 0;
        for slot in 0..position.slots() {
            let piece = position.pieces[slot];
            if piece.color == color || Some(slot) == change.gone {
                continue;
            }
            let from = change.squares[slot];
            if slot == self.man {
                checks |= attackers(piece, king, change.occupied);
            } else if attacks(piece, from, 0) & king.bit() == 0 {
                continue;
            } else if !slides(piece.role) {
                return !0;
            } else if between(from, king) & change.occupied == 0 {
                checks |= !between(from, king);
            }
        }
        checks
    }

    /// The states that are invalid.
    pub(crate) fn invalid(&self) -> u64 {
        if self.occupied.count_ones() + 1 != u32::from(self.decoded.position.count) {
            return !0;
        }
        let off = if self.man().role == Role::Pawn { LAST_RANKS } else { 0 };
        self.occupied | self.below | off | self.checks(!self.turn(), &self.unchanged())
    }
}

/// A square and all lower ones.
pub(crate) fn up_to(square: Square) -> u64 {
    !0 >> (63 - square.number())
}

/// The squares from which a piece attacks another square.
#[inline]
pub(crate) fn attackers(piece: Piece, target: Square, occupied: u64) -> u64 {
    match piece.role {
        Role::Pawn => pawn(!piece.color, target),
        _ => attacks(piece, target, occupied),
    }
}
