//! The moves of a region, 64 words at a time.
//!
//! The states of a *run*, which is 64 neighbouring words, differ only in the squares of two men: the man of the word, and the
//! man of the run, who is on a different square in each word. So a set of words is a set of squares. A step of any other man
//! leads from all words of the run to the words of one run. The code finds this run once for all words, where
//! [`words`](crate::words) would find each word.
//!
//! Both men have no equals, and the man of the run is no pawn. The code handles other materials, and those with en passant
//! captures, word by word.

use crate::attacks::{attacks, between, king};
use crate::endgame::Endgame;
use crate::fill::reach;
use crate::frame::{Frame, LAST_RANKS};
use crate::kings::{Place, Symmetry};
use crate::material::Squares;
use crate::moves::pushes;
use crate::piece::{Color, Piece, Role, Square, squares};

/// A set of states for each word of a run.
pub(crate) type Sets = [u64; 64];

/// The board of a run.
pub(crate) struct Run {
    /// The board of its first word. In it, the man of the run is on a1. Ignore this square.
    frame: Frame,
    /// The slot of the man of the run.
    man: usize,
    /// The squares of all men but the man of the word and the man of the run.
    occupied: u64,
}

impl Run {
    fn piece(&self) -> Piece {
        self.frame.decoded.position.pieces[self.man]
    }

    /// The slots of one side's men, without the man of the word, the man of the run, and the king.
    fn standing(&self, color: Color) -> impl Iterator<Item = usize> + '_ {
        self.frame.standing(color).filter(|&slot| slot >= 2 && slot != self.man)
    }

    /// The squares that the man of the run reaches from a square.
    fn steps(&self, at: Square) -> impl Iterator<Item = Square> + use<> {
        squares(attacks(self.piece(), at, self.occupied) & !self.occupied)
    }
}

impl Endgame<'_> {
    /// The board of the run that begins with a word. `None` if the words have to be handled one by one.
    pub(crate) fn run(&self, first: u64, words: u64) -> Option<Run> {
        /// Runs with fewer words are faster word by word.
        const FEW: u32 = 3;
        let man = self.index.run_slot().filter(|_| words.count_ones() > FEW)?;
        let frame = self.index.frame(first)?;
        let position = &frame.decoded.position;
        let standing = (0..position.slots()).filter(|&slot| slot != man && slot != frame.man);
        let occupied = standing.fold(0, |set, slot| set | position.squares[slot].bit());
        Some(Run { frame, man, occupied })
    }

    /// Leaves in each set of `words` the states none of whose moves lead to the states that `outside` returns for words.
    #[inline(always)]
    pub(crate) fn all_moves_of_run(
        &self,
        run: &Run,
        words: u64,
        sets: &mut Sets,
        outside: impl Fn(u64) -> u64,
    ) {
        let (frame, position) = (&run.frame, &run.frame.decoded.position);
        let (turn, next) = (frame.turn(), !frame.turn());
        let stay = self.index.word(frame, frame.decoded.kings, next);
        let word_at = |first: u64, at: Square| first.wrapping_add(u64::from(at.number()));
        // The words that still have states.
        let mut left = words;
        let mut remove = |left: &mut u64, at: Square, states: u64| {
            let set = &mut sets[at.index()];
            *set &= !states;
            *left &= !(u64::from(*set == 0) << at.number());
        };
        if run.piece().color == turn {
            let outside: Sets = std::array::from_fn(|at| outside(stay + at as u64));
            for at in squares(left) {
                let reached = |set, to: Square| set | outside[to.index()] & !between(at, to);
                remove(&mut left, at, run.steps(at).fold(0, reached));
            }
        }
        if frame.man().color == turn {
            for at in squares(left) {
                let empty = !(run.occupied | at.bit());
                let outside = outside(word_at(stay, at)) & empty;
                if outside != 0 {
                    remove(&mut left, at, reach(frame.man().role, outside, empty));
                }
            }
        }
        let own_king = turn as usize;
        for to in squares(king(position.king(turn)) & !king(position.king(next)) & !run.occupied) {
            let mut moved = position.squares;
            moved[own_king] = to;
            let Some(place) = self.index.kings.place(moved[0], moved[1]) else { continue };
            let first = self.turned_run(run, next, place, &moved);
            let (symmetry, free) = (place.symmetry, !to.bit());
            if symmetry == Symmetry::NONE {
                for at in squares(left & free) {
                    remove(&mut left, at, outside(word_at(first, at)) & free);
                }
                continue;
            }
            for at in squares(left & free) {
                let outside = symmetry.undo_to_set(outside(word_at(first, symmetry.apply(at))));
                remove(&mut left, at, outside & free);
            }
        }
        for slot in run.standing(turn) {
            let (piece, at) = (position.pieces[slot], position.squares[slot]);
            let targets = match piece.role {
                Role::Pawn => pushes(turn, at, run.occupied) & !LAST_RANKS,
                _ => attacks(piece, at, run.occupied) & !run.occupied,
            };
            self.index.steps_beside((stay * 64, &frame.decoded), slot, targets, |state, to| {
                let (first, free) = (state / 64, !(between(at, to) | to.bit()));
                for at in squares(left & free) {
                    remove(&mut left, at, outside(word_at(first, at)) & free);
                }
            });
        }
    }

    /// Visits the predecessors of the sets: words, each with a set of its states.
    #[inline(always)]
    pub(crate) fn predecessors_of_sets(
        &self,
        run: &Run,
        words: u64,
        sets: &Sets,
        mut visit: impl FnMut(u64, u64),
    ) {
        let (frame, side) = (&run.frame, !run.frame.turn());
        let stay = self.index.word(frame, frame.decoded.kings, side);
        let mut stayed = [0; 64];
        if frame.man().color == side {
            for at in squares(words) {
                let empty = !(run.occupied | at.bit());
                stayed[at.index()] = reach(frame.man().role, sets[at.index()], empty);
            }
        }
        if run.piece().color == side {
            for at in squares(words) {
                for origin in run.steps(at) {
                    stayed[origin.index()] |=
                        sets[at.index()] & !(between(at, origin) | origin.bit());
                }
            }
        }
        for (word, set) in (stay..).zip(stayed).filter(|(_, set)| *set != 0) {
            visit(word, set);
        }
        self.runs_before(run, |first, symmetry, free| {
            for at in squares(words & free) {
                let set = symmetry.apply_to_set(sets[at.index()] & free);
                let word = first.wrapping_add(u64::from(symmetry.apply(at).number()));
                visit(word, set);
            }
        });
    }

    /// Visits words with a move into some words of a run: the first of 64 words, and a bit for each.
    #[inline(always)]
    pub(crate) fn words_before_run(&self, run: &Run, words: u64, mut visit: impl FnMut(u64, u64)) {
        let (frame, side) = (&run.frame, !run.frame.turn());
        let stay = self.index.word(frame, frame.decoded.kings, side);
        if frame.man().color == side {
            visit(stay, words);
        }
        if run.piece().color == side {
            visit(stay, reach(run.piece().role, words, !run.occupied));
        }
        self.runs_before(run, |first, symmetry, free| {
            visit(first, symmetry.apply_to_set(words & free));
        });
    }

    /// Visits the runs before the moves of all other men: the first word, the symmetry that the move takes back, and the squares
    /// that the man of the word and the man of the run leave free for it.
    #[inline(always)]
    fn runs_before(&self, run: &Run, mut visit: impl FnMut(u64, Symmetry, u64)) {
        let (frame, position) = (&run.frame, &run.frame.decoded.position);
        let (side, kings) = (!frame.turn(), frame.decoded.kings);
        let stay = self.index.word(frame, kings, side) * 64;
        for slot in run.standing(side) {
            let at = position.squares[slot];
            let origins = self.origins(position, slot, run.occupied);
            self.index.steps_beside((stay, &frame.decoded), slot, origins, |state, origin| {
                visit(state / 64, Symmetry::NONE, !(between(at, origin) | origin.bit()));
            });
        }
        let own_king = side as usize;
        for origin in squares(self.origins(position, own_king, run.occupied)) {
            let mut earlier = position.squares;
            earlier[own_king] = origin;
            self.index.kings.before_step(kings, [earlier[0], earlier[1]], |place| {
                let first = self.turned_run(run, side, place, &earlier);
                visit(first, place.symmetry, !origin.bit());
            });
        }
    }

    /// The run of the same pieces, after a symmetry for new squares of the kings.
    fn turned_run(&self, run: &Run, turn: Color, place: Place, squares: &Squares) -> u64 {
        if place.symmetry == Symmetry::NONE {
            return self.index.word(&run.frame, place.number, turn);
        }
        let mut brought = squares.map(|square| place.symmetry.apply(square));
        brought[run.man] = Square::new(0);
        self.index.number(place.number, turn, &brought) / 64
    }
}
