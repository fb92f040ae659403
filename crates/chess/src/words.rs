//! The moves of a region, 64 states at a time.
//!
//! The states of a word differ only in the square of one man, the man of the word (see
//! [`frame`](crate::frame)). His own moves lead from the word to one word, in which the other side is to
//! move. A fill computes them for all his squares together. A step of another man leads from the word to
//! another word, with the same set of states. It leaves out states in which the man of the word is in the
//! way. A king's step may turn the board, and with it the set. The code never tests whether a move leaves the
//! king in check, because such a move leads to an invalid state, which the engine skips.
//!
//! If the man of the word has equals, a move may change who is the last of them. Then it leads to another word
//! ([`Places`]). The methods for single states handle en passant captures.

use std::ops::Range;

use retrograde::bit_parallel::{BitParallel, Singles, WordKeys, WordStatus};
use retrograde::{Game, Predecessors, Value, forward};

use crate::attacks::{attacks, between, king};
use crate::endgame::{Endgame, FOURTH};
use crate::fill::{ahead, beside, reach};
use crate::frame::{Frame, LAST_RANKS};
use crate::kings::{Place, Symmetry};
use crate::material::Squares;
use crate::moves::pushes;
use crate::piece::{Color, Piece, Role, Square, squares};
use crate::places::Places;
use crate::runs::Sets;

impl BitParallel for Endgame<'_> {
    const PASSES_TURN: bool = true;

    fn classify_words(
        &self,
        words: Range<u64>,
        mut visit: impl FnMut(u64, WordStatus, Singles<'_>),
    ) {
        let mut terminals = Vec::new();
        self.with_worths(words, |word, exits| {
            let Some(frame) = &self.index.frame(word) else {
                return OneByOne(self).classify_words(word..word + 1, &mut visit);
            };
            terminals.clear();
            let (status, drawn) = self.classify_frame(frame, exits);
            terminals.extend((drawn != 0).then_some((drawn, Value::Draw)));
            visit(word, status, Singles { terminals: &terminals, exits: &exits.told });
        });
    }

    fn predecessors_of_set(&self, word: u64, set: u64, visit: impl FnMut(u64, u64, bool)) {
        match &self.index.frame(word) {
            None => OneByOne(self).predecessors_of_set(word, set, visit),
            Some(frame) if self.index.equals().is_empty() => {
                self.predecessors_of::<false>(frame, set, visit);
            }
            Some(frame) => self.predecessors_of::<true>(frame, set, visit),
        }
    }

    fn all_moves_into(&self, word: u64, states: u64, target: impl Fn(u64, bool) -> u64) -> u64 {
        match &self.index.frame(word) {
            None => OneByOne(self).all_moves_into(word, states, target),
            Some(frame) if self.index.equals().is_empty() => {
                self.all_moves_of::<false>(frame, states, target)
            }
            Some(frame) => self.all_moves_of::<true>(frame, states, target),
        }
    }

    fn words_before(&self, first: u64, words: u64, sets: &Sets, mut visit: impl FnMut(u64, u64)) {
        match self.run(first, words) {
            Some(run) => self.words_before_run(&run, words, visit),
            None => squares(words).for_each(|at| {
                let word = first + u64::from(at.number());
                self.predecessors_of_set(word, sets[at.index()], |word, _, _| visit(word, 1));
            }),
        }
    }

    fn predecessors_of_run(
        &self,
        first: u64,
        words: u64,
        sets: &Sets,
        mut visit: impl FnMut(u64, u64, bool),
    ) {
        match self.run(first, words) {
            Some(run) => {
                self.predecessors_of_sets(&run, words, sets, |word, set| visit(word, set, false));
            }
            None => squares(words).for_each(|at| {
                let word = first + u64::from(at.number());
                self.predecessors_of_set(word, sets[at.index()], &mut visit);
            }),
        }
    }

    fn all_moves_into_run(
        &self,
        first: u64,
        words: u64,
        sets: &mut Sets,
        target: impl Fn(u64, bool) -> u64,
    ) {
        match self.run(first, words) {
            Some(run) => self.all_moves_of_run(&run, words, sets, |word| !target(word, false)),
            None => squares(words).for_each(|at| {
                let set = &mut sets[at.index()];
                *set = self.all_moves_into(first + u64::from(at.number()), *set, &target);
            }),
        }
    }
}

impl Endgame<'_> {
    /// The predecessors, if the man of the word has equals, or if he has none. Most materials have one without, and with
    /// one path for both they took 5% longer.
    #[inline(always)]
    fn predecessors_of<const EQUALS: bool>(
        &self,
        frame: &Frame,
        set: u64,
        mut visit: impl FnMut(u64, u64, bool),
    ) {
        let position = &frame.decoded.position;
        let side = !frame.turn();
        if frame.man().color == side {
            let stay = self.index.staying::<EQUALS>(frame, frame.decoded.kings, side);
            stay.each(self.man_came_from(frame, set), |word, set, _| visit(word, set, false));
        }
        let own_king = side as usize;
        for slot in frame.standing(side) {
            let at = position.squares[slot];
            let origins = self.origins(position, slot, frame.occupied);
            let free = |origin: Square| set & !between(at, origin) & !origin.bit();
            if slot == own_king {
                for origin in squares(origins) {
                    let mut earlier = position.squares;
                    earlier[own_king] = origin;
                    let visit = |word, set| visit(word, set, false);
                    self.before_king_step::<EQUALS>(frame, &earlier, free(origin), visit);
                }
                continue;
            }
            self.steps::<EQUALS>(frame, side, slot, origins, |places, origin| {
                let mut set = free(origin);
                if is_double_step(position.pieces[slot], at, origin) {
                    // If an en passant capture is possible, the double step leads to another state.
                    set &= !self.captors_beside(frame, frame.turn(), at);
                }
                places.each(set, |word, set, _| visit(word, set, false));
            });
        }
        self.before_passing(frame, set, visit);
    }

    /// The states all of whose moves lead into a target, for both cases.
    #[inline(always)]
    fn all_moves_of<const EQUALS: bool>(
        &self,
        frame: &Frame,
        states: u64,
        target: impl Fn(u64, bool) -> u64,
    ) -> u64 {
        let position = &frame.decoded.position;
        let (turn, next) = (frame.turn(), !frame.turn());
        let outside = |word| !target(word, false);
        let mut found = states;
        if frame.man().color == turn {
            let stay = self.index.staying::<EQUALS>(frame, frame.decoded.kings, next);
            let left_out = stay.read(|| self.man_targets(frame, found), outside);
            found &= !self.man_goes_to(frame, left_out);
            if found != 0 && frame.man().role == Role::Pawn {
                found &= !self.man_passes(frame, found, outside);
            }
        }
        let own_king = turn as usize;
        for slot in frame.standing(turn) {
            if found == 0 {
                return 0;
            }
            let (piece, at) = (position.pieces[slot], position.squares[slot]);
            if slot == own_king {
                continue;
            }
            let targets = match piece.role {
                Role::Pawn => pushes(turn, at, frame.occupied) & !LAST_RANKS,
                _ => attacks(piece, at, frame.occupied) & !frame.occupied,
            };
            self.steps::<EQUALS>(frame, next, slot, targets, |places, to| {
                let mut free = found & !between(at, to) & !to.bit();
                if is_double_step(piece, at, to) {
                    let passable = free & self.captors_beside(frame, next, to);
                    free &= !passable;
                    found &= !self.passes(frame, (slot, at, to), passable, outside);
                }
                if free != 0 {
                    found &= !(free & places.read(|| free, outside));
                }
            });
        }
        let enemy_king = position.king(next);
        let at = position.king(turn);
        for to in squares(king(at) & !king(enemy_king) & !frame.occupied) {
            if found == 0 {
                return 0;
            }
            let mut moved = position.squares;
            moved[own_king] = to;
            let Some(place) = self.index.kings.place(moved[0], moved[1]) else { continue };
            let left = || place.symmetry.apply_to_set(found & !to.bit());
            let turned = self.turned::<EQUALS>(frame, next, place, &moved).read(left, outside);
            found &= !(place.symmetry.undo_to_set(turned) & !to.bit());
        }
        found
    }

    /// Visits the positions after, or before, the steps of a man who stands still in the word.
    #[inline(always)]
    pub(crate) fn steps<const EQUALS: bool>(
        &self,
        frame: &Frame,
        turn: Color,
        slot: usize,
        targets: u64,
        mut visit: impl FnMut(Places<'_>, Square),
    ) {
        let (decoded, kings) = (&frame.decoded, frame.decoded.kings);
        if EQUALS && self.index.equals().contains(&slot) {
            let mut moved = decoded.position.squares;
            for to in squares(targets) {
                moved[slot] = to;
                visit(Places::OfEquals(&self.index, (kings, turn), moved), to);
            }
            return;
        }
        let stay = self.index.word(frame, kings, turn) * 64;
        self.index.steps_beside((stay, decoded), slot, targets, |state, to| {
            visit(Places::Word(state / 64), to);
        });
    }

    /// The positions of the same pieces, after a symmetry for new squares of the kings.
    #[inline]
    pub(crate) fn turned<const EQUALS: bool>(
        &self,
        frame: &Frame,
        turn: Color,
        place: Place,
        squares: &Squares,
    ) -> Places<'_> {
        if place.symmetry == Symmetry::NONE {
            return Places::Word(self.index.word(frame, place.number, turn));
        }
        let brought = squares.map(|square| place.symmetry.apply(square));
        if !EQUALS {
            return Places::Word(self.index.number(place.number, turn, &brought) / 64);
        }
        Places::OfEquals(&self.index, (place.number, turn), brought)
    }

    /// The same as [`Index::before_king_step`](Index::before_king_step), for a set.
    fn before_king_step<const EQUALS: bool>(
        &self,
        frame: &Frame,
        earlier: &Squares,
        set: u64,
        mut visit: impl FnMut(u64, u64),
    ) {
        let (kings, turn) = (frame.decoded.kings, !frame.turn());
        self.index.kings.before_step(kings, [earlier[0], earlier[1]], |place| {
            let places = self.turned::<EQUALS>(frame, turn, place, earlier);
            places.each(place.symmetry.apply_to_set(set), |word, set, _| visit(word, set));
        });
    }

    /// The squares from which the man of the word can come to a set of squares.
    fn man_came_from(&self, frame: &Frame, set: u64) -> u64 {
        let (man, empty) = (frame.man(), !frame.occupied);
        if man.role != Role::Pawn {
            return reach(man.role, set, empty);
        }
        let back = |set| ahead(!man.color, set) & empty & !LAST_RANKS;
        let captors = self.pawns(!man.color, &frame.decoded.position);
        let doubled = set & FOURTH[man.color as usize] & !beside(captors);
        back(set) | back(back(doubled))
    }

    /// The squares to which the man of the word may go from a set of squares.
    pub(crate) fn man_targets(&self, frame: &Frame, set: u64) -> u64 {
        let (man, empty) = (frame.man(), !frame.occupied);
        if man.role != Role::Pawn {
            return reach(man.role, set, empty);
        }
        let one = ahead(man.color, set) & empty;
        (one | ahead(man.color, one) & empty) & !LAST_RANKS
    }

    /// The squares from which the man of the word goes to a set of squares, without a capture, a promotion,
    /// or a double step that allows an en passant capture.
    fn man_goes_to(&self, frame: &Frame, set: u64) -> u64 {
        let (man, empty) = (frame.man(), !frame.occupied);
        self.man_came_from(
            frame,
            set & empty & if man.role == Role::Pawn { !LAST_RANKS } else { !0 },
        )
    }

    /// The squares on which the man of the word, as a pawn of `color`, stands beside a square.
    pub(crate) fn captors_beside(&self, frame: &Frame, color: Color, at: Square) -> u64 {
        if self.pawns(color, &frame.decoded.position) & beside(at.bit()) != 0 {
            !0
        } else if frame.man() == (Piece { color, role: Role::Pawn }) {
            beside(at.bit())
        } else {
            0
        }
    }

    /// The states of a set in which a pawn's double step allows an en passant capture, and leads outside the
    /// target.
    fn passes(
        &self,
        frame: &Frame,
        (slot, at, to): (usize, Square, Square),
        states: u64,
        outside: impl Fn(u64) -> u64,
    ) -> u64 {
        let next = !frame.turn();
        let mut squares_now = frame.decoded.position.squares;
        let mut found = 0;
        for square in squares(states) {
            squares_now[frame.man] = square;
            squares_now[slot] = to;
            let passed = at.offset((!next).ahead());
            let state = self.index.number_passing(frame.decoded.kings, next, &squares_now, passed);
            found |= (outside(state / 64) >> (state % 64) & 1) << square.number();
        }
        found
    }

    /// The same, if the pawn is the man of the word.
    fn man_passes(&self, frame: &Frame, states: u64, outside: impl Fn(u64) -> u64) -> u64 {
        let turn = frame.turn();
        let captors = self.pawns(!turn, &frame.decoded.position);
        let empty = !frame.occupied;
        let passable = FOURTH[turn as usize] & beside(captors) & empty;
        let from = ahead(!turn, ahead(!turn, passable) & empty) & states;
        squares(from).fold(0, |found, at| {
            let to = at.offset(turn.ahead()).offset(turn.ahead());
            found | self.passes(frame, (frame.man, at, to), at.bit(), &outside)
        })
    }

    /// Visits the predecessors of a set with a possible en passant capture.
    fn before_passing(&self, frame: &Frame, set: u64, mut visit: impl FnMut(u64, u64, bool)) {
        if !self.index.material().has_en_passant() {
            return;
        }
        let turn = frame.turn();
        let mut position = frame.decoded.position;
        let doubled = self.pawns(turn, &position) & FOURTH[turn as usize] != 0;
        let is_pawn = frame.man() == Piece { color: turn, role: Role::Pawn };
        let set = match (doubled, is_pawn) {
            (true, _) => set,
            (false, true) => set & FOURTH[turn as usize],
            (false, false) => 0,
        };
        for square in squares(set) {
            position.squares[frame.man] = square;
            self.passing_predecessors(&position, |from| visit(from / 64, 1 << (from % 64), false));
        }
    }
}

pub(crate) fn is_double_step(piece: Piece, a: Square, b: Square) -> bool {
    piece.role == Role::Pawn && a.rank().abs_diff(b.rank()) == 2
}

/// A region that handles words state by state.
pub(crate) struct OneByOne<'a>(pub(crate) &'a Endgame<'a>);

impl Game for OneByOne<'_> {
    forward!(Game for region => region.0; but classify invalid_states degree_max keeps_turn);
}

impl Predecessors for OneByOne<'_> {
    forward!(Predecessors for region => region.0; but prefetch predecessors_of_each);
}

impl BitParallel for OneByOne<'_> {}

impl WordKeys for OneByOne<'_> {}
