//! The beginning of a bit-parallel solve: the status of each state of a word, and the values of its exits.
//!
//! To visit all moves of every state would take longer than the rest of the solve. So this code finds a
//! capture or a promotion once, for all squares of the man of the word. For other moves, it only needs to
//! know that one is legal. The first few moves usually show this.

use std::ops::Range;

use retrograde::Value;
use retrograde::bit_parallel::WordStatus;

use crate::attacks::{attacks, between, king};
use crate::endgame::Endgame;
use crate::exits::way_number;
use crate::fill::{ahead, reach};
use crate::frame::{Change, Frame, LAST_RANKS, attackers};
use crate::moves::pushes;
use crate::piece::{Color, Role, Square, squares};
use crate::worths::Worths;

/// The values of exits.
pub(crate) struct Found<'w> {
    /// The source of these values.
    pub(crate) worths: &'w [Worths],
    /// Sets of squares of the man of the word, each with the value of one exit of these states.
    pub(crate) told: Vec<(u64, Value)>,
}

impl Endgame<'_> {
    /// The status of the states of a frame, and which of them are draws. Adds the values of exits.
    pub(crate) fn classify_frame(&self, frame: &Frame, exits: &mut Found<'_>) -> (WordStatus, u64) {
        let invalid = frame.invalid();
        let live = !invalid;
        if live == 0 {
            return (WordStatus { invalid, won: 0, lost: 0, special: 0 }, 0);
        }
        let stuck = live & !self.exits_of_frame(frame, live, exits);
        let stuck = stuck & !self.quiet(frame, stuck);
        let checked = if stuck == 0 { 0 } else { frame.checks(frame.turn(), &frame.unchanged()) };
        let (lost, drawn) = (stuck & checked, stuck & !checked);
        (WordStatus { invalid, won: 0, lost, special: drawn }, drawn)
    }

    /// Visits words of placements: sets of states, each with the value of one exit of these states.
    pub(crate) fn exits_of_words(
        &self,
        words: Range<u64>,
        mut visit: impl FnMut(u64, &[(u64, Value)]),
    ) {
        self.with_worths(words, |word, exits| {
            let frame = self.index.frame(word).expect("a word of placements");
            if may_have_exits(&frame) {
                self.exits_of_frame(&frame, !frame.invalid(), exits);
            }
            visit(word, &exits.told);
        });
    }

    /// Calls `act` for each word, with a place for the values of its exits.
    pub(crate) fn with_worths(&self, words: Range<u64>, mut act: impl FnMut(u64, &mut Found<'_>)) {
        /// After how many words the code may drop exit values.
        const RUN: usize = 1 << 10;
        let mut told = Vec::new();
        for first in words.clone().step_by(RUN) {
            let worths = self.exits.worths();
            let mut exits = Found { worths: &worths, told };
            for word in first..words.end.min(first + RUN as u64) {
                exits.told.clear();
                act(word, &mut exits);
            }
            told = exits.told;
        }
    }

    /// Adds the values of the exits of some states that are not invalid. Returns the states in which one is legal.
    fn exits_of_frame(&self, frame: &Frame, live: u64, exits: &mut Found<'_>) -> u64 {
        let mut movable = self.man_exits(frame, live, exits);
        for slot in frame.standing(frame.turn()) {
            movable |= self.exits_of(frame, slot, live, exits);
        }
        movable
    }

    /// The captures and promotions of a man who stands still in the word. Returns the states in which one is
    /// legal.
    fn exits_of(&self, frame: &Frame, slot: usize, live: u64, exits: &mut Found<'_>) -> u64 {
        let position = &frame.decoded.position;
        let (piece, at) = (position.pieces[slot], position.squares[slot]);
        let occupied = frame.occupied & !at.bit();
        let attacked = attacks(piece, at, frame.occupied);
        let mut moved = position.squares;
        let mut movable = 0;
        let mut leave = |to: Square, captured: Option<usize>, states: u64| {
            moved[slot] = to;
            let change = Change { squares: &moved, occupied: occupied | to.bit(), gone: captured };
            let mut states = states & live & !between(at, to);
            if states != 0 {
                states &= !frame.checks(piece.color, &change);
            }
            if states != 0 {
                self.tell(frame, (slot, to), captured, states, exits);
            }
            movable |= states;
        };
        for enemy in frame.standing(!piece.color).filter(|&enemy| enemy >= 2) {
            let to = position.squares[enemy];
            if attacked & to.bit() != 0 {
                leave(to, Some(enemy), !0);
            }
        }
        if piece.role == Role::Pawn {
            for to in squares(pushes(piece.color, at, frame.occupied) & LAST_RANKS) {
                leave(to, None, !to.bit());
            }
        }
        if frame.man().color != piece.color {
            movable |= self.captures_of_man(frame, slot, attacked & live & !frame.occupied, exits);
        }
        movable
    }

    /// The captures of the man of the word by another man. Returns the squares on which the capture is legal.
    ///
    /// Once the man is gone, checks depend only on the target of the capturing man.
    fn captures_of_man(
        &self,
        frame: &Frame,
        slot: usize,
        attacked: u64,
        exits: &mut Found<'_>,
    ) -> u64 {
        let position = &frame.decoded.position;
        let (piece, at) = (position.pieces[slot], position.squares[slot]);
        let own_king = position.king(piece.color);
        let occupied = frame.occupied & !at.bit();
        let mut targets = match piece.role {
            Role::King => attacked & !king(position.king(!piece.color)),
            _ => attacked,
        };
        for enemy in frame.standing(!piece.color).filter(|&enemy| enemy >= 2) {
            let from = position.squares[enemy];
            let seen = attacks(position.pieces[enemy], from, occupied);
            if piece.role == Role::King {
                targets &= !seen;
            } else if seen & own_king.bit() != 0 {
                targets &= between(from, own_king);
            }
        }
        match piece.role {
            // The square of a king changes the placement.
            Role::King => {
                squares(targets)
                    .for_each(|to| self.tell(frame, (slot, to), Some(frame.man), to.bit(), exits));
            }
            _ => {
                let last = if piece.role == Role::Pawn { targets & LAST_RANKS } else { 0 };
                let from = (position.turn, &position.squares);
                let mut tell = |promotion, set| {
                    let way = way_number(slot, Some(frame.man), promotion);
                    let Found { worths, told } = &mut *exits;
                    self.exits.values(worths, from, way, (slot, set), |set, value| {
                        told.push((set, value));
                    });
                };
                if targets != last {
                    tell(None, targets & !last);
                }
                if last != 0 {
                    Role::PROMOTIONS.into_iter().for_each(|role| tell(Some(role), last));
                }
            }
        }
        targets
    }

    /// The captures and promotions of the man of the word.
    fn man_exits(&self, frame: &Frame, live: u64, exits: &mut Found<'_>) -> u64 {
        let (man, position) = (frame.man(), &frame.decoded.position);
        if man.color != frame.turn() {
            return 0;
        }
        let mut movable = 0;
        let mut leave = |to: Square, captured: Option<usize>, states: u64| {
            let occupied = frame.occupied & !to.bit();
            let change = Change { squares: &position.squares, occupied, gone: captured };
            if states != 0 && frame.checks(man.color, &change) & to.bit() == 0 {
                self.tell(frame, (frame.man, to), captured, states, exits);
                movable |= states;
            }
        };
        for enemy in frame.standing(!man.color).filter(|&enemy| enemy >= 2) {
            let to = position.squares[enemy];
            leave(to, Some(enemy), attackers(man, to, frame.occupied) & live);
        }
        if man.role == Role::Pawn {
            movable |= self.promotions_of_man(frame, live, exits);
        }
        movable
    }

    /// The promotions of the man of the word, who captures no man. Often he is also the man of the word in the region that
    /// they lead to. Then one lookup gives the values for all his squares.
    fn promotions_of_man(&self, frame: &Frame, live: u64, exits: &mut Found<'_>) -> u64 {
        let (man, position) = (frame.man(), &frame.decoded.position);
        let targets = ahead(man.color, live) & !frame.occupied & LAST_RANKS;
        if targets == 0 {
            return 0;
        }
        let targets = targets & !frame.checks(man.color, &frame.unchanged());
        let before = |targets| ahead(!man.color, targets);
        if targets != 0 {
            let from = (position.turn, &position.squares);
            let Found { worths, told } = exits;
            for role in Role::PROMOTIONS {
                let way = way_number(frame.man, None, Some(role));
                self.exits.values(worths, from, way, (frame.man, targets), |targets, value| {
                    told.push((before(targets), value));
                });
            }
        }
        before(targets)
    }

    /// Adds the value of a capture or a promotion in each of some states.
    fn tell(
        &self,
        frame: &Frame,
        (slot, to): (usize, Square),
        captured: Option<usize>,
        states: u64,
        exits: &mut Found<'_>,
    ) {
        let position = &frame.decoded.position;
        let mut moved = position.squares;
        moved[slot] = to;
        let from = (position.turn, &moved);
        let mut tell = |promotion| {
            let way = way_number(slot, captured, promotion);
            let Found { worths, told } = &mut *exits;
            if slot == frame.man {
                // All his origins lead to the same square.
                self.exits.values(worths, from, way, (slot, to.bit()), |_, value| {
                    told.push((states, value));
                });
                return;
            }
            let man = (frame.man, states);
            self.exits.values(worths, from, way, man, |set, value| told.push((set, value)));
        };
        if position.pieces[slot].role == Role::Pawn && matches!(to.rank(), 0 | 7) {
            Role::PROMOTIONS.into_iter().for_each(|role| tell(Some(role)));
        } else {
            tell(None);
        }
    }

    /// The states of `states` in which a move that is not an exit is legal.
    fn quiet(&self, frame: &Frame, states: u64) -> u64 {
        let (man, position) = (frame.man(), &frame.decoded.position);
        let turn = frame.turn();
        let mut movable = 0;
        if states != 0 && man.color == turn {
            let safe = !frame.checks(turn, &frame.unchanged()) & !frame.occupied;
            movable |= match man.role {
                Role::Pawn => {
                    let one = ahead(!turn, safe);
                    one | ahead(!turn, ahead(!turn, safe) & !frame.occupied) & doubles(turn)
                }
                role => reach(role, safe, !frame.occupied),
            };
        }
        for slot in frame.standing(turn) {
            let (piece, at) = (position.pieces[slot], position.squares[slot]);
            let targets = match piece.role {
                Role::King => king(at) & !king(position.king(!turn)) & !frame.occupied,
                Role::Pawn => pushes(turn, at, frame.occupied),
                _ => attacks(piece, at, frame.occupied) & !frame.occupied,
            };
            let mut moved = position.squares;
            for to in squares(targets) {
                if states & !movable == 0 {
                    return movable;
                }
                moved[slot] = to;
                let occupied = frame.occupied & !at.bit() | to.bit();
                let change = Change { squares: &moved, occupied, gone: None };
                movable |= !frame.checks(turn, &change) & !between(at, to) & !to.bit();
            }
        }
        movable
    }
}

/// Whether there is a man to capture, or a pawn that may be about to promote.
fn may_have_exits(frame: &Frame) -> bool {
    let (position, turn) = (&frame.decoded.position, frame.turn());
    (2..position.slots()).any(|slot| {
        let (piece, at) = (position.pieces[slot], position.squares[slot]);
        let promotes = || piece.role == Role::Pawn && pushes(turn, at, 0) & LAST_RANKS != 0;
        piece.color != turn || promotes() || slot == frame.man && piece.role == Role::Pawn
    })
}

/// The rank on which this side's pawns may make a double step.
fn doubles(color: Color) -> u64 {
    0xFF << (color.pawn_rank() * 8)
}
