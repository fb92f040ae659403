//! Captures and promotions: the moves that leave a region, and what they are worth.

use std::convert::Infallible;

use retrograde::{Probe, Value};

use crate::index::{Index, Squares};
use crate::material::{Material, PIECES_MAX};
use crate::piece::{Color, Piece, Role, Square, squares as each};

const SLOTS: usize = PIECES_MAX as usize;

/// The ways out of a region into those already solved.
///
/// What a capture or a promotion does to a position's slots depends on which slots it touches and not
/// on the squares, so it is worked out once for each.
pub(crate) struct Exits<P> {
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
    pub(crate) fn new(index: &Index, solved: Vec<P>) -> Exits<P> {
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
    pub(crate) fn value(
        &self,
        (turn, squares): (Color, &Squares),
        (mover, to): (usize, Square),
        captured: Option<usize>,
        promotion: Option<Role>,
    ) -> Value {
        let mut found = None;
        let man = (mover, to.bit());
        self.values((turn, squares), (mover, to), captured, promotion, man, |_, value| {
            found = Some(value);
        });
        found.expect("one square, one value")
    }

    /// What the move is worth with the man of one slot on each square of a set: `visit` is called with
    /// the square and the value.
    pub(crate) fn values(
        &self,
        (turn, squares): (Color, &Squares),
        (mover, to): (usize, Square),
        captured: Option<usize>,
        promotion: Option<Role>,
        (man, set): (usize, u64),
        mut visit: impl FnMut(Square, Value),
    ) {
        let way = self.ways[key(mover, captured, promotion)].as_ref();
        let way = way.expect("a capture or a promotion");
        let Some(region) = way.region else {
            return each(set).for_each(|at| visit(at, Value::Draw));
        };
        let (index, solution) = &self.regions[region];
        let look_up = |state: u64| {
            let Ok(value) = solution.probe(state);
            let value = value.unwrap_or_else(|| {
                panic!("state {state} of {}, which a move leads to, is void", index.material())
            });
            value.after_move(false)
        };
        let turn = if way.flip { turn } else { !turn };
        let Some(first) = each(set).next() else { return };
        let mut squares = *squares;
        squares[man] = first;
        squares[mover] = to;
        let flipped = |square: Square| if way.flip { square.flip_ranks() } else { square };
        let filled = way.slots.map(|slot| flipped(squares[slot]));
        // The kings do not depend on where the man stands, unless he is one: then there is one square.
        let place = index.kings.place(filled[0], filled[1]).expect("kings that do not touch");
        let mut brought = filled.map(|square| place.symmetry.apply(square));
        let slots = &way.slots[..index.pieces().len()];
        let Some(slot) = slots.iter().position(|&slot| slot == man) else {
            // The man is gone, and with him all difference.
            let value = look_up(index.number(place.number, turn, &brought));
            return each(set).for_each(|at| visit(at, value));
        };
        let bring = |at: Square| place.symmetry.apply(flipped(at));
        if let Some(stride) = index.stride(slot) {
            let at = brought[slot].number();
            let base =
                index.number(place.number, turn, &brought).wrapping_sub(u64::from(at) * stride);
            for at in each(set) {
                let number = u64::from(bring(at).number());
                visit(at, look_up(base.wrapping_add(number * stride)));
            }
        } else {
            for at in each(set) {
                brought[slot] = bring(at);
                visit(at, look_up(index.number(place.number, turn, &brought)));
            }
        }
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
