//! The least keys that the moves of a word lead to, for verifying 64 states at a time.
//!
//! If another man than the man of the word moves, each state of the word leads to the state with the same bit
//! in another word. The code leaves out states in which he would jump over the man of the word. The man of
//! the word himself moves within one word. Along each line, the least key passes from square to square, up to
//! the next man. States that leave the player in check are invalid, and an invalid state has the greatest
//! key.

use std::ops::Deref;

use retrograde::bit_parallel::{Key, Keys, WordKeys};

use crate::attacks::{attacks, between, king, slides};
use crate::endgame::Endgame;
use crate::fill::{NOT_A, beside};
use crate::frame::{Frame, LAST_RANKS};
use crate::kings::Symmetry;
use crate::moves::pushes;
use crate::piece::{Role, Square, squares};
use crate::words::{OneByOne, is_double_step};

impl WordKeys for Endgame<'_> {
    fn least_of_moves<K: Deref<Target = Keys>>(
        &self,
        word: u64,
        set: u64,
        keys: impl Fn(u64) -> K,
    ) -> Keys {
        match &self.index.frame(word) {
            None => OneByOne(self).least_of_moves(word, set, keys),
            Some(frame) if self.index.equals().is_empty() => {
                self.least_of::<false, K>(frame, set, keys)
            }
            Some(frame) => self.least_of::<true, K>(frame, set, keys),
        }
    }
}

impl Endgame<'_> {
    /// The least keys, if the man of the word has equals, or if he has none.
    #[inline(always)]
    fn least_of<const EQUALS: bool, K: Deref<Target = Keys>>(
        &self,
        frame: &Frame,
        set: u64,
        keys: impl Fn(u64) -> K,
    ) -> Keys {
        let position = &frame.decoded.position;
        let (turn, next) = (frame.turn(), !frame.turn());
        let mut least = [Key::INVALID; 64];
        if frame.man().color == turn {
            let stay = self.index.staying::<EQUALS>(frame, frame.decoded.kings, next);
            stay.keys(
                || self.man_targets(frame, set),
                &keys,
                |keys| self.least_of_man(frame, set, keys, &mut least),
            );
        }
        for slot in frame.standing(turn).filter(|&slot| slot >= 2) {
            let (piece, at) = (position.pieces[slot], position.squares[slot]);
            let targets = match piece.role {
                Role::Pawn => pushes(turn, at, frame.occupied) & !LAST_RANKS,
                _ => attacks(piece, at, frame.occupied) & !frame.occupied,
            };
            self.steps::<EQUALS>(frame, next, slot, targets, |places, to| {
                // If a man would land on the man of the word, he reaches an invalid state.
                let mut jumped = set & between(at, to);
                if is_double_step(piece, at, to) {
                    jumped |= set & self.captors_beside(frame, next, to);
                }
                let before = least;
                places.keys(|| set & !jumped & !to.bit(), &keys, |keys| lower(&mut least, keys));
                squares(jumped).for_each(|square| least[square.index()] = before[square.index()]);
            });
        }
        let at = position.king(turn);
        for to in squares(king(at) & !king(position.king(next)) & !frame.occupied) {
            let mut moved = position.squares;
            moved[turn as usize] = to;
            let Some(place) = self.index.kings.place(moved[0], moved[1]) else { continue };
            let left = || place.symmetry.apply_to_set(set & !to.bit());
            self.turned::<EQUALS>(frame, next, place, &moved).keys(left, &keys, |turned| {
                if place.symmetry == Symmetry::NONE {
                    lower(&mut least, turned);
                } else {
                    for (key, square) in least.iter_mut().zip(squares(!0)) {
                        *key = turned[place.symmetry.apply(square).index()].min(*key);
                    }
                }
            });
        }
        self.least_of_passable(frame, set, &keys, &mut least);
        least
    }

    /// The moves of the man of the word. `keys` are the keys of the states that they lead to.
    fn least_of_man(&self, frame: &Frame, set: u64, keys: &Keys, least: &mut Keys) {
        let (man, empty) = (frame.man(), !frame.occupied);
        if slides(man.role) {
            const LINES: [(i8, Role); 8] = [
                (1, Role::Rook),
                (-1, Role::Rook),
                (8, Role::Rook),
                (-8, Role::Rook),
                (9, Role::Bishop),
                (-9, Role::Bishop),
                (7, Role::Bishop),
                (-7, Role::Bishop),
            ];
            for (by, role) in LINES {
                if man.role == Role::Queen || man.role == role {
                    along(by, empty, keys, least);
                }
            }
            return;
        }
        for square in squares(set) {
            let targets = match man.role {
                Role::Pawn => {
                    let targets = pushes(man.color, square, frame.occupied) & !LAST_RANKS;
                    let passable = |to: Square| {
                        is_double_step(man, square, to)
                            && self.captors_beside(frame, !man.color, to) & square.bit() != 0
                    };
                    squares(targets).filter(|&to| !passable(to)).fold(0, |set, to| set | to.bit())
                }
                _ => attacks(man, square, frame.occupied) & empty,
            };
            for to in squares(targets) {
                least[square.index()] = keys[to.index()].min(least[square.index()]);
            }
        }
    }

    /// The double steps after which an en passant capture is possible.
    fn least_of_passable<K: Deref<Target = Keys>>(
        &self,
        frame: &Frame,
        set: u64,
        keys: &impl Fn(u64) -> K,
        least: &mut Keys,
    ) {
        if !self.index.material().has_en_passant() {
            return;
        }
        let (turn, next) = (frame.turn(), !frame.turn());
        let mut position = frame.decoded.position;
        for square in squares(set) {
            position.squares[frame.man] = square;
            let occupied = position.occupied();
            for slot in self.index.slots_of(turn, Role::Pawn) {
                let at = position.squares[slot];
                for to in squares(pushes(turn, at, occupied)) {
                    let captors = self.pawns(next, &position) & beside(to.bit());
                    if captors == 0 || !is_double_step(position.pieces[slot], at, to) {
                        continue;
                    }
                    let mut squares_after = position.squares;
                    squares_after[slot] = to;
                    let passed = at.offset(turn.ahead());
                    let kings = frame.decoded.kings;
                    let state = self.index.number_passing(kings, next, &squares_after, passed);
                    let key = keys(state / 64)[(state % 64) as usize];
                    least[square.index()] = key.min(least[square.index()]);
                }
            }
        }
    }
}

/// Replaces each key by the key of another word, if that key is less.
#[inline]
fn lower(least: &mut Keys, keys: &Keys) {
    least.iter_mut().zip(keys).for_each(|(least, key)| *least = (*key).min(*least));
}

/// Gives each square the least key that a slider reaches in one direction, over empty squares.
fn along(by: i8, empty: u64, keys: &Keys, least: &mut Keys) {
    // The squares from which a step leads to an empty square of the board.
    let file = by.rem_euclid(8);
    let entered = match file {
        1 => empty & NOT_A,
        7 => empty & !(!NOT_A << 7),
        _ => empty,
    };
    let open = if by > 0 { entered >> by } else { entered << -by };
    let mut reached = [Key::INVALID; 64];
    let mut hand_on = |from: usize| {
        if open >> from & 1 != 0 {
            let to = from.wrapping_add_signed(isize::from(by)) % 64;
            reached[from] = reached[to].min(keys[to]);
        }
    };
    if by > 0 {
        (0..64).rev().for_each(&mut hand_on);
    } else {
        (0..64).for_each(&mut hand_on);
    }
    lower(least, &reached);
}
