//! Captures and promotions: the moves that leave a region, and what they are worth.

use std::convert::Infallible;

use retrograde::{Probe, Value};

use super::index::{Index, Squares};
use super::material::{Material, PIECES_MAX};
use super::piece::{Color, Piece, Role, Square};

const SLOTS: usize = PIECES_MAX as usize;

/// The ways out of a region into those already solved.
///
/// What a capture or a promotion does to a position's slots depends on which slots it touches and not
/// on the squares, so it is worked out once for each.
pub(super) struct Exits<P> {
    /// The regions that are reached, in the order of [`Material::needs`].
    regions: Vec<(Index, P)>,
    /// By [`key`]; `None` where no move does that.
    ways: Vec<Option<Way>>,
}

/// What becomes of the pieces.
#[derive(Clone)]
struct Way {
    /// The region reached; `None` is two bare kings.
    region: Option<usize>,
    /// Whether the colours change for white to be the stronger side.
    flip: bool,
    /// For each slot of the region reached, the slot it is filled from.
    slots: [usize; SLOTS],
}

impl<P: Probe<Error = Infallible>> Exits<P> {
    pub(super) fn new(index: &Index, solved: Vec<P>) -> Exits<P> {
        let needs = index.material().needs();
        assert_eq!(
            solved.len(),
            needs.len(),
            "{} needs the solutions of {needs:?}, in this order",
            index.material()
        );
        let regions: Vec<_> = needs.iter().map(|&need| Index::new(need)).zip(solved).collect();
        for (index, solution) in &regions {
            let (states, solved) = (index.states(), solution.states());
            assert_eq!(solved, states, "this is no solution of {}", index.material());
        }
        let mut ways = vec![None; key(SLOTS, None, None)];
        for mover in 0..index.pieces().len() {
            for captured in capturable(index.pieces(), mover) {
                for promotion in promotions(index.pieces()[mover]) {
                    if captured.is_some() || promotion.is_some() {
                        ways[key(mover, captured, promotion)] =
                            Some(Way::new(index.pieces(), &needs, mover, captured, promotion));
                    }
                }
            }
        }
        Exits { regions, ways }
    }

    /// What the move is worth to `turn`, who makes it: the man of slot `mover` goes to `to`.
    pub(super) fn value(
        &self,
        (turn, squares): (Color, &Squares),
        (mover, to): (usize, Square),
        captured: Option<usize>,
        promotion: Option<Role>,
    ) -> Value {
        let way = self.ways[key(mover, captured, promotion)].as_ref();
        let way = way.expect("a capture or a promotion");
        let Some(region) = way.region else { return Value::Draw };
        let (index, solution) = &self.regions[region];
        let mut squares = *squares;
        squares[mover] = to;
        let mut filled = way.slots.map(|slot| squares[slot]);
        if way.flip {
            filled = filled.map(Square::flip_ranks);
        }
        let state = index.encode(if way.flip { turn } else { !turn }, &filled, None);
        let Ok(value) = solution.probe(state);
        let value = value.unwrap_or_else(|| {
            panic!("state {state} of {}, which a move leads to, is void", index.material())
        });
        value.after_move(false)
    }
}

/// What a man may capture: nothing, or any man of the other side.
fn capturable(pieces: &[Piece], mover: usize) -> impl Iterator<Item = Option<usize>> + '_ {
    let enemies = (2..pieces.len()).filter(move |&slot| pieces[slot].color != pieces[mover].color);
    std::iter::once(None).chain(enemies.map(Some))
}

/// What a man may become by moving.
fn promotions(piece: Piece) -> impl Iterator<Item = Option<Role>> {
    let roles = if piece.role == Role::Pawn { &Role::PROMOTIONS[..] } else { &[] };
    std::iter::once(None).chain(roles.iter().copied().map(Some))
}

fn key(mover: usize, captured: Option<usize>, promotion: Option<Role>) -> usize {
    let promotion = promotion.map_or(0, |role| role as usize);
    (mover * (SLOTS + 1) + captured.map_or(SLOTS, |slot| slot)) * 5 + promotion
}

impl Way {
    fn new(
        pieces: &[Piece],
        needs: &[Material],
        mover: usize,
        captured: Option<usize>,
        promotion: Option<Role>,
    ) -> Way {
        let mut left: Vec<(Piece, usize)> = (0..pieces.len())
            .filter(|&slot| Some(slot) != captured)
            .map(|slot| {
                let promoted = promotion.filter(|_| slot == mover);
                let role = promoted.unwrap_or(pieces[slot].role);
                (Piece { role, ..pieces[slot] }, slot)
            })
            .collect();
        let material = Material::of(left.iter().map(|&(piece, _)| piece));
        let (region, flip) = match material {
            None => (None, false),
            Some((material, flip)) => {
                let region = needs.iter().position(|&need| need == material);
                (Some(region.expect("a material needs what its moves lead to")), flip)
            }
        };
        if flip {
            for (piece, _) in &mut left {
                piece.color = !piece.color;
            }
        }
        left.sort_by_key(|&(piece, slot)| (piece.role != Role::King, piece, slot));
        let mut slots = [left[0].1; SLOTS];
        for (to, &(_, from)) in slots.iter_mut().zip(&left) {
            *to = from;
        }
        Way { region, flip, slots }
    }
}
