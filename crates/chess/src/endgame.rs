//! The game of one material: a region of chess, with captures and promotions as its exits.

use std::ops::ControlFlow;

use retrograde::{Game, Predecessors, Status, Value};
use retrograde_regions::SolvedRegion;

use crate::attacks::{attacks, king, pawn};
use crate::exits::Exits;
use crate::index::{Decoded, Index};
use crate::material::Material;
use crate::moves::Legal;
use crate::piece::{Color, Role, Square, squares};
use crate::position::Position;

/// Chess with the pieces of one material, with either side to move. A capture or a promotion leads to another
/// material.
///
/// Checkmate is a loss in 0 and stalemate a draw. There is no castling and no fifty-move rule. Distances are
/// plies to mate. The moves of a state within the region are exactly the legal moves that neither capture nor
/// promote.
pub struct Endgame<'a> {
    pub(crate) index: Index,
    pub(crate) exits: Exits<'a>,
}

impl<'a> Endgame<'a> {
    /// The game of `material`, from the solutions of the materials that it [needs](Material::needs), in that
    /// order.
    pub fn new(material: Material, solved: Vec<SolvedRegion<'a>>) -> Endgame<'a> {
        let index = Index::new(material);
        let exits = Exits::new(&index, solved);
        Endgame { index, exits }
    }

    /// The numbering of its states.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The value of the best capture or promotion of a state. `None` if it has none, or if the state is
    /// invalid.
    pub(crate) fn best_exit(&self, state: u64) -> Option<Value> {
        let decoded = self.index.decode(state);
        let position = &decoded.position;
        if !may_leave(position) || self.index.is_invalid(state, &decoded) {
            return None;
        }
        let mut best = None;
        self.exits_from(position, &Legal::of(position), |value| best = best.max(Some(value)));
        best
    }

    /// Calls `exit` with the value of each capture and each promotion.
    fn exits_from(&self, position: &Position, legal: &Legal, mut exit: impl FnMut(Value)) {
        let from = (position.turn, &position.squares);
        for slot in 0..position.slots() {
            for to in squares(legal.targets[slot] & leaving(position, slot)) {
                let captured = (2..position.slots()).find(|&slot| position.squares[slot] == to);
                if position.pieces[slot].role == Role::Pawn && matches!(to.rank(), 0 | 7) {
                    for role in Role::PROMOTIONS {
                        exit(self.exits.value(from, (slot, to), captured, Some(role)));
                    }
                } else {
                    exit(self.exits.value(from, (slot, to), captured, None));
                }
            }
            if let Some(to) = position.en_passant.filter(|_| legal.en_passant & 1 << slot != 0) {
                let taken = to.offset(-position.turn.ahead());
                let captured = (2..position.slots()).find(|&slot| position.squares[slot] == taken);
                exit(self.exits.value(from, (slot, to), captured, None));
            }
        }
    }
}

/// The rank on which a pawn stands after its double step.
pub(crate) const FOURTH: [u64; 2] = [0xFF << 24, 0xFF << 32];

/// Whether some man of the player to move has a capture or a promotion, legal or not. Most positions have
/// none, and it takes much longer to find legal moves.
fn may_leave(position: &Position) -> bool {
    let mut sides = [0; 2];
    for (piece, square) in position.placed() {
        sides[piece.color as usize] |= square.bit();
    }
    let (own, enemy) = (position.turn, sides[!position.turn as usize]);
    position.en_passant.is_some()
        || position.placed().filter(|(piece, _)| piece.color == own).any(|(piece, from)| {
            let before_last = if own == Color::White { 6 } else { 1 };
            let promotes = piece.role == Role::Pawn && from.rank() == before_last;
            promotes || attacks(piece, from, sides[0] | sides[1]) & enemy != 0
        })
}

/// The squares on which a move of this man would be a capture or a promotion.
fn leaving(position: &Position, slot: usize) -> u64 {
    const LAST_RANKS: u64 = 0xFF00_0000_0000_00FF;
    let last = if position.pieces[slot].role == Role::Pawn { LAST_RANKS } else { 0 };
    // An occupied target of a legal move belongs to the other side.
    position.occupied() | last
}

impl Game for Endgame<'_> {
    fn states(&self) -> u64 {
        self.index.states()
    }

    fn status(&self, state: u64) -> Status {
        let decoded = self.index.decode(state);
        if self.index.is_invalid(state, &decoded) {
            return Status::Invalid;
        }
        let legal = Legal::of(&decoded.position);
        if legal.none() {
            return Status::Terminal(if legal.check { Value::Loss(0) } else { Value::Draw });
        }
        Status::Open
    }

    fn exits(&self, state: u64, visit: impl FnMut(Value)) {
        let position = self.index.decode(state).position;
        self.exits_from(&position, &Legal::of(&position), visit);
    }

    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let decoded = self.index.decode(state);
        let position = &decoded.position;
        let legal = Legal::of(position);
        let stay = self.index.number(decoded.kings, !position.turn, &position.squares);
        for slot in 0..position.slots() {
            let mut targets = legal.targets[slot] & !leaving(position, slot);
            if slot < 2 {
                let mut moved = position.squares;
                for to in squares(targets) {
                    moved[slot] = to;
                    visit(self.index.encode(!position.turn, &moved, None))?;
                }
                continue;
            }
            if let Some((to, passed)) = self.passable(&decoded, slot, targets) {
                targets &= !to.bit();
                let mut moved = position.squares;
                moved[slot] = to;
                visit(self.index.encode(!position.turn, &moved, Some(passed)))?;
            }
            // The steps of one man are cheap, so only the visits stop.
            let mut flow = ControlFlow::Continue(());
            self.index.steps((stay, &decoded, !position.turn), slot, targets, |state, _| {
                if flow.is_continue() {
                    flow = visit(state);
                }
            });
            flow?;
        }
        ControlFlow::Continue(())
    }

    fn degree(&self, state: u64) -> u32 {
        let position = self.index.decode(state).position;
        let legal = Legal::of(&position);
        (0..position.slots())
            .map(|slot| (legal.targets[slot] & !leaving(&position, slot)).count_ones())
            .sum()
    }

    fn invalid_states(&self, word: u64) -> u64 {
        self.index.invalid_states(word)
    }

    fn degree_max(&self) -> Option<u32> {
        const MOST: [u32; 6] = [8, 27, 14, 13, 8, 2];
        let most = |color| {
            let own = self.index.pieces().iter().filter(|piece| piece.color == color);
            own.map(|piece| MOST[piece.role as usize]).sum()
        };
        Some(u32::max(most(Color::White), most(Color::Black)))
    }
}

impl Endgame<'_> {
    /// If a pawn can make a double step after which an en passant capture is possible: the target, and the
    /// square that the pawn passes.
    fn passable(&self, decoded: &Decoded, slot: usize, targets: u64) -> Option<(Square, Square)> {
        let position = &decoded.position;
        let (piece, from) = (position.pieces[slot], position.squares[slot]);
        if piece.role != Role::Pawn || from.rank() != piece.color.pawn_rank() {
            return None;
        }
        let passed = from.offset(piece.color.ahead());
        let to = passed.offset(piece.color.ahead());
        let captors = pawn(piece.color, passed) & self.pawns(!piece.color, position);
        (targets & to.bit() != 0 && captors != 0).then_some((to, passed))
    }

    pub(crate) fn pawns(&self, color: Color, position: &Position) -> u64 {
        let slots = self.index.slots_of(color, Role::Pawn);
        slots.fold(0, |set, slot| set | position.squares[slot].bit())
    }
}

impl Predecessors for Endgame<'_> {
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        let decoded = self.index.decode(state);
        let position = &decoded.position;
        if let Some(passed) = position.en_passant {
            return self.before_double_step(position, passed, visit);
        }
        let side = !position.turn;
        let occupied = position.occupied();
        let stay = self.index.number(decoded.kings, side, &position.squares);
        for slot in 0..position.slots() {
            if position.pieces[slot].color != side {
                continue;
            }
            let origins = self.origins(position, slot, occupied);
            if slot < 2 {
                let mut earlier = position.squares;
                for origin in squares(origins) {
                    earlier[slot] = origin;
                    self.index.before_king_step(decoded.kings, side, &earlier, &mut visit);
                }
            } else {
                self.index.steps((stay, &decoded, side), slot, origins, |state, _| visit(state));
            }
        }
        if self.doubled(position) != 0 {
            self.passing_predecessors(position, visit);
        }
    }
}

impl Endgame<'_> {
    /// The squares that the man of a slot may come from. He belongs to the player who is not to move.
    pub(crate) fn origins(&self, position: &Position, slot: usize, occupied: u64) -> u64 {
        let (piece, at) = (position.pieces[slot], position.squares[slot]);
        match piece.role {
            Role::King => king(at) & !king(position.king(position.turn)) & !occupied,
            Role::Pawn => self.pawn_origins(position, at, occupied),
            _ => attacks(piece, at, occupied) & !occupied,
        }
    }

    /// The pawns of the player to move that may have made a double step one move earlier. The opponent could
    /// then have captured such a pawn en passant.
    fn doubled(&self, position: &Position) -> u64 {
        match self.index.material().has_en_passant() {
            true => self.pawns(position.turn, position) & FOURTH[position.turn as usize],
            false => 0,
        }
    }

    /// Visits the predecessors with a possible en passant capture.
    pub(crate) fn passing_predecessors(&self, position: &Position, mut visit: impl FnMut(u64)) {
        let (occupied, doubled) = (position.occupied(), self.doubled(position));
        for slot in 0..position.slots() {
            if position.pieces[slot].color != position.turn {
                for origin in squares(self.origins(position, slot, occupied)) {
                    self.with_passing(position, (slot, origin), doubled, &mut visit);
                }
            }
        }
    }

    /// The squares that a pawn of the player not to move may come from. Leaves out a double step after which
    /// an en passant capture is possible, because it leads to another state.
    fn pawn_origins(&self, position: &Position, at: Square, occupied: u64) -> u64 {
        let side = !position.turn;
        if at.rank() == side.pawn_rank() {
            return 0;
        }
        let one = at.offset(-side.ahead());
        if one.bit() & occupied != 0 {
            return 0;
        }
        let two = one.offset(-side.ahead());
        let doubled = two.rank() == side.pawn_rank()
            && two.bit() & occupied == 0
            && pawn(side, one) & self.pawns(position.turn, position) == 0;
        one.bit() | if doubled { two.bit() } else { 0 }
    }

    /// Visits the states before the double step over `passed`.
    fn before_double_step(&self, position: &Position, passed: Square, mut visit: impl FnMut(u64)) {
        let side = !position.turn;
        let at = passed.offset(side.ahead());
        let origin = passed.offset(-side.ahead());
        let slot = self.index.slots_of(side, Role::Pawn).find(|&slot| position.squares[slot] == at);
        let slot = slot.expect("a pawn has passed");
        let mut earlier = position.squares;
        earlier[slot] = origin;
        visit(self.index.encode(side, &earlier, None));
        let doubled =
            self.pawns(position.turn, position) & [0xFF << 24, 0xFF << 32][position.turn as usize];
        self.with_passing(position, (slot, origin), doubled, visit);
    }

    /// Visits the states before a man's move in which the opponent could capture one of the `doubled` pawns
    /// en passant. The man's move was also possible in these states.
    fn with_passing(
        &self,
        position: &Position,
        (slot, origin): (usize, Square),
        doubled: u64,
        mut visit: impl FnMut(u64),
    ) {
        let mut earlier = *position;
        earlier.squares[slot] = origin;
        let occupied = earlier.occupied();
        let ready = self.pawns(!position.turn, &earlier);
        for at in squares(doubled) {
            let passed = at.offset(-position.turn.ahead());
            let from = passed.offset(-position.turn.ahead());
            if occupied & (passed.bit() | from.bit()) == 0
                && pawn(position.turn, passed) & ready != 0
            {
                visit(self.index.encode(!position.turn, &earlier.squares, Some(passed)));
            }
        }
    }
}
