//! Legal moves.
//!
//! For each position, this computes three things once: the squares that the king may not enter, the squares
//! that answer a check, and for each pinned piece the line that it must stay on. The attacks of a piece that
//! remain are its legal targets. The caller can count or visit them.

use crate::attacks::{attacks, between, pawn, slides};
use crate::material::PIECES_MAX;
use crate::piece::{Color, Piece, Role, Square, squares};
use crate::position::Position;

/// A legal move of a [`Position`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The piece that moves.
    pub role: Role,
    /// Its square.
    pub from: Square,
    /// Its target.
    pub to: Square,
    /// The captured piece, if any.
    pub captured: Option<Role>,
    /// The new piece of a promoted pawn.
    pub promotion: Option<Role>,
    /// Whether it is an en passant capture.
    pub en_passant: bool,
}

impl Move {
    /// Whether it resets the count of fifty moves: a capture or a pawn move.
    pub fn zeroing(&self) -> bool {
        self.captured.is_some() || self.role == Role::Pawn
    }

    /// Whether it leads to another material: a capture, or a promotion.
    pub fn conversion(&self) -> bool {
        self.captured.is_some() || self.promotion.is_some()
    }
}

impl Position {
    /// All legal moves.
    pub fn moves(&self) -> Vec<Move> {
        let legal = Legal::of(self);
        let mut moves = Vec::new();
        for slot in 0..self.slots() {
            let (role, from) = (self.pieces[slot].role, self.squares[slot]);
            for to in squares(legal.targets[slot]) {
                let captured = self.piece_at(to).map(|piece| piece.role);
                let quiet = Move { role, from, to, captured, promotion: None, en_passant: false };
                if role == Role::Pawn && matches!(to.rank(), 0 | 7) {
                    let become_one = |role| Move { promotion: Some(role), ..quiet };
                    moves.extend(Role::PROMOTIONS.map(become_one));
                } else {
                    moves.push(quiet);
                }
            }
            if let Some(to) = self.en_passant.filter(|_| legal.en_passant & 1 << slot != 0) {
                let captured = Some(Role::Pawn);
                moves.push(Move { role, from, to, captured, promotion: None, en_passant: true });
            }
        }
        moves
    }

    /// The position after one of its [`moves`](Position::moves).
    #[must_use]
    pub fn play(&self, played: &Move) -> Position {
        let taken = match (played.captured, played.en_passant) {
            (None, _) => None,
            (Some(_), false) => Some(played.to),
            (Some(_), true) => Some(played.to.offset(-self.turn.ahead())),
        };
        let mut placed = [(self.pieces[0], self.squares[0]); PIECES_MAX as usize];
        let mut count = 0;
        for (piece, square) in self.placed().filter(|&(_, square)| Some(square) != taken) {
            placed[count] = if square == played.from {
                let role = played.promotion.unwrap_or(piece.role);
                (Piece { role, ..piece }, played.to)
            } else {
                (piece, square)
            };
            count += 1;
        }
        let doubled =
            played.role == Role::Pawn && played.from.rank().abs_diff(played.to.rank()) == 2;
        let passed = doubled.then(|| played.from.offset(self.turn.ahead()));
        Position::new(&placed[..count], !self.turn, passed)
            .expect("a legal move leads to a legal position")
    }
}

/// The legal moves of the player to move, piece by piece.
pub(crate) struct Legal {
    /// Whether that player is in check.
    pub(crate) check: bool,
    /// The targets of the piece of each slot; empty for the other side. Without en passant captures.
    pub(crate) targets: [u64; PIECES_MAX as usize],
    /// The slots of the pawns that may capture en passant, as bits.
    pub(crate) en_passant: u8,
}

impl Legal {
    pub(crate) fn of(position: &Position) -> Legal {
        let slots = position.slots();
        let king = position.king(position.turn);
        let mut own = 0;
        let mut enemy = 0;
        for slot in 0..slots {
            let side =
                if position.pieces[slot].color == position.turn { &mut own } else { &mut enemy };
            *side |= position.squares[slot].bit();
        }
        let occupied = own | enemy;

        let mut forbidden = 0;
        let mut answers = !0;
        let mut free = [!0; PIECES_MAX as usize];
        for slot in 0..slots {
            let (piece, from) = (position.pieces[slot], position.squares[slot]);
            if piece.color == position.turn {
                continue;
            }
            // The king does not shield the squares behind him from the attacking piece.
            let seen = attacks(piece, from, occupied & !king.bit());
            forbidden |= seen;
            if seen & king.bit() != 0 {
                answers &= from.bit() | between(from, king);
            } else if slides(piece.role) && attacks(piece, from, 0) & king.bit() != 0 {
                let shields = between(from, king) & occupied;
                if shields.is_power_of_two() && shields & own != 0 {
                    let pinned = (0..slots).find(|&slot| position.squares[slot].bit() == shields);
                    free[pinned.expect("a shield is a piece")] = from.bit() | between(from, king);
                }
            }
        }

        let mut targets = [0; PIECES_MAX as usize];
        for slot in 0..slots {
            let (piece, from) = (position.pieces[slot], position.squares[slot]);
            if piece.color != position.turn {
                continue;
            }
            targets[slot] = match piece.role {
                Role::King => attacks(piece, from, occupied) & !own & !forbidden,
                Role::Pawn => {
                    let steps = pushes(piece.color, from, occupied);
                    (steps | pawn(piece.color, from) & enemy) & answers & free[slot]
                }
                _ => attacks(piece, from, occupied) & !own & answers & free[slot],
            };
        }
        let en_passant =
            position.en_passant.map_or(0, |target| passing(position, target, occupied));
        Legal { check: forbidden & king.bit() != 0, targets, en_passant }
    }

    /// Whether there is no legal move.
    pub(crate) fn none(&self) -> bool {
        self.en_passant == 0 && self.targets.iter().all(|&set| set == 0)
    }
}

/// The squares a pawn on `from` may step to, one or two ahead.
pub(crate) fn pushes(color: Color, from: Square, occupied: u64) -> u64 {
    let one = from.offset(color.ahead());
    if one.bit() & occupied != 0 {
        return 0;
    }
    let two = one.offset(color.ahead());
    let doubled = from.rank() == color.pawn_rank() && two.bit() & occupied == 0;
    one.bit() | if doubled { two.bit() } else { 0 }
}

/// The slots of the pawns that may capture en passant on `target`. An en passant capture removes two pawns
/// from a rank, so pins do not show whether the king is then in check. So the code makes the capture, and
/// looks for a check.
fn passing(position: &Position, target: Square, occupied: u64) -> u8 {
    let taken = target.offset(-position.turn.ahead());
    let ready = position.capturers().unwrap_or(0);
    (0..position.slots())
        .filter(|&slot| {
            let from = position.squares[slot].bit();
            let after = occupied & !from & !taken.bit() | target.bit();
            from & ready != 0
                && !position.attacked(position.king(position.turn), !position.turn, after)
        })
        .fold(0, |slots, slot| slots | 1 << slot)
}
