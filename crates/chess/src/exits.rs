//! Captures and promotions: the moves that leave a region, and their values.

use std::sync::{Arc, PoisonError, RwLock};

use retrograde::{Probe, Value};
use retrograde_regions::SolvedRegion;

use crate::index::Index;
use crate::kings::Place;
use crate::material::{Material, SLOTS, Squares};
use crate::piece::{Color, Piece, Role, Square, squares as each};
use crate::worths::Worths;

/// About how many bytes of exit values to keep in memory. Neighbouring placements of the two kings seldom need a
/// third of this.
pub(crate) const WORTHS_BYTES: usize = if cfg!(test) { 1 << 12 } else { 256 << 20 };

/// The exits of a region into solved regions.
///
/// The effect of a capture or a promotion on the slots of a position does not depend on the squares. So it is
/// computed once for each way to capture or promote.
pub(crate) struct Exits<'a> {
    /// The regions that exits lead to, in the order of [`Material::needs`].
    regions: Vec<Region<'a>>,
    /// The values of moves into each region that are in memory. If they take too much, empty ones replace them.
    worths: RwLock<Arc<[Worths]>>,
    /// The index is the [number of a way](way_number). `None` if there is no such move.
    ways: Vec<Option<Way>>,
}

/// A region that exits lead to.
struct Region<'a> {
    index: Index,
    solution: SolvedRegion<'a>,
}

/// The pieces after an exit.
#[derive(Clone)]
struct Way {
    /// The new region. `None` stands for two bare kings.
    region: Option<usize>,
    /// Whether the colours are exchanged, so that white stays the stronger side.
    flip: bool,
    /// For each slot of the new region, the old slot that fills it.
    slots: [usize; SLOTS],
}

impl<'a> Exits<'a> {
    pub(crate) fn new(index: &Index, solved: Vec<SolvedRegion<'a>>) -> Exits<'a> {
        let needs = index.material().needs();
        assert_eq!(
            solved.len(),
            needs.len(),
            "{} needs the solutions of {needs:?}, in this order",
            index.material()
        );
        let region = |(&need, solution): (&Material, SolvedRegion<'a>)| {
            let index = Index::new(need);
            let (states, solved) = (index.states(), solution.states());
            assert_eq!(solved, states, "this is not a solution of {need}");
            Region { index, solution }
        };
        let regions: Vec<_> = needs.iter().zip(solved).map(region).collect();
        let worths = nothing_read(&regions);
        let mut ways = vec![None; way_number(SLOTS, None, None)];
        for man in 0..index.pieces().len() {
            for captured in capturable(index.pieces(), man) {
                for promotion in promotions(index.pieces()[man]) {
                    if captured.is_some() || promotion.is_some() {
                        ways[way_number(man, captured, promotion)] =
                            Some(Way::new(index.pieces(), &needs, man, captured, promotion));
                    }
                }
            }
        }
        Exits { regions, worths: RwLock::new(worths), ways }
    }

    /// The values that [`values`](Exits::values) uses. Do not keep them for long: if they take too much memory, it is
    /// free only after their last user has dropped them.
    ///
    /// No lock is held while a user reads values. To read them, a table may have to find the exits of this same game.
    pub(crate) fn worths(&self) -> Arc<[Worths]> {
        let worths = Arc::clone(&self.worths.read().unwrap_or_else(PoisonError::into_inner));
        if worths.iter().map(Worths::bytes).sum::<usize>() < WORTHS_BYTES {
            return worths;
        }
        let mut now = self.worths.write().unwrap_or_else(PoisonError::into_inner);
        // Unless another thread has replaced them.
        if Arc::ptr_eq(&now, &worths) {
            *now = nothing_read(&self.regions);
        }
        Arc::clone(&now)
    }

    /// The value of a move of `turn`, for `turn`: the man of slot `man` goes to `to`.
    pub(crate) fn value(
        &self,
        (turn, squares): (Color, &Squares),
        (man, to): (usize, Square),
        captured: Option<usize>,
        promotion: Option<Role>,
    ) -> Value {
        let mut squares = *squares;
        squares[man] = to;
        let way = way_number(man, captured, promotion);
        let Some(reached) = self.reached((turn, &squares), way) else {
            return Value::Draw;
        };
        let state = reached.state();
        let Ok(value) = reached.region.solution.probe(state);
        value.unwrap_or_else(|| reached.invalid(state)).after_move(false)
    }

    /// The values of a move of `turn`, for each square on which the man of one slot may stand after it. All other
    /// men stand as in `squares`. Calls `visit` with sets of squares of equal value.
    ///
    /// If he is the man of the word in the new region, one lookup is enough for all squares.
    ///
    /// Arguments that are numbers stay in registers. An option or a tuple of options would be written to memory and read
    /// back in larger pieces, for which the processor waits.
    pub(crate) fn values(
        &self,
        worths: &[Worths],
        (turn, squares): (Color, &Squares),
        way: usize,
        (man, set): (usize, u64),
        mut visit: impl FnMut(u64, Value),
    ) {
        let mut squares = *squares;
        squares[man] = Square::new(set.trailing_zeros() as u8);
        let Some(mut reached) = self.reached((turn, &squares), way) else {
            return visit(set, Value::Draw);
        };
        match reached.slot_of(man) {
            Some(slot) if reached.region.index.word_slot() == Some(slot) => {
                let wanted = reached.bring_set(set);
                reached.worths(worths, wanted, |states, value| {
                    visit(reached.take_back(states), value);
                });
            }
            Some(slot) => {
                for at in each(set) {
                    // The kings do not depend on his square, unless he is a king. Then there is only one square.
                    reached.squares[slot] = reached.bring(at);
                    let wanted = 1 << (reached.state() % 64);
                    reached.worths(worths, wanted, |_, value| visit(at.bit(), value));
                }
            }
            // He is captured, so his square makes no difference.
            None => {
                let wanted = 1 << (reached.state() % 64);
                reached.worths(worths, wanted, |_, value| visit(set, value));
            }
        }
    }

    /// The target of a move, from the squares of all men after it. `None` stands for two bare kings.
    #[inline(always)]
    fn reached(&self, (turn, squares): (Color, &Squares), way: usize) -> Option<Reached<'_>> {
        let way = self.ways[way].as_ref().expect("a capture or a promotion");
        let number = way.region?;
        let region = &self.regions[number];
        let turn = if way.flip { turn } else { !turn };
        let flipped = |square: Square| if way.flip { square.flip_ranks() } else { square };
        let filled = way.slots.map(|slot| flipped(squares[slot]));
        let place =
            region.index.kings.place(filled[0], filled[1]).expect("kings that do not touch");
        let squares = filled.map(|square| place.symmetry.apply(square));
        Some(Reached { number, region, way, turn, place, squares })
    }
}

/// The values of regions of which nothing is read yet.
fn nothing_read(regions: &[Region<'_>]) -> Arc<[Worths]> {
    regions.iter().map(|region| Worths::new(region.index.states())).collect()
}

/// A position of another region.
struct Reached<'e> {
    number: usize,
    region: &'e Region<'e>,
    way: &'e Way,
    turn: Color,
    place: Place,
    /// The squares by slots of the new region. The symmetry of the kings has been applied.
    squares: Squares,
}

impl Reached<'_> {
    /// The value of the move for some states of the word.
    #[inline]
    fn worths(&self, worths: &[Worths], wanted: u64, mut visit: impl FnMut(u64, Value)) {
        let word = self.state() / 64;
        let mut left = wanted;
        for &(states, value) in worths[self.number].of(&self.region.solution, word) {
            if states & left != 0 {
                visit(states & left, value);
                left &= !states;
            }
        }
        if left != 0 {
            self.invalid(word * 64 + u64::from(left.trailing_zeros()));
        }
    }

    #[inline]
    fn state(&self) -> u64 {
        self.region.index.number(self.place.number, self.turn, &self.squares)
    }

    /// The slot of a man in the new region.
    #[inline]
    fn slot_of(&self, man: usize) -> Option<usize> {
        let slots = &self.way.slots[..self.region.index.pieces().len()];
        slots.iter().position(|&slot| slot == man)
    }

    /// The image of the square under the symmetry.
    #[inline]
    fn bring(&self, square: Square) -> Square {
        let square = if self.way.flip { square.flip_ranks() } else { square };
        self.place.symmetry.apply(square)
    }

    #[inline]
    fn bring_set(&self, set: u64) -> u64 {
        self.place.symmetry.apply_to_set(if self.way.flip { set.swap_bytes() } else { set })
    }

    #[inline]
    fn take_back(&self, set: u64) -> u64 {
        let set = self.place.symmetry.undo_to_set(set);
        if self.way.flip { set.swap_bytes() } else { set }
    }

    #[cold]
    fn invalid(&self, state: u64) -> ! {
        panic!(
            "state {state} of {}, which a move leads to, is invalid",
            self.region.index.material()
        )
    }
}

/// The slots that a man may capture: none, or a man of the other side.
fn capturable(pieces: &[Piece], man: usize) -> impl Iterator<Item = Option<usize>> + '_ {
    let enemies = (2..pieces.len()).filter(move |&slot| pieces[slot].color != pieces[man].color);
    std::iter::once(None).chain(enemies.map(Some))
}

/// What a man may promote to.
fn promotions(piece: Piece) -> impl Iterator<Item = Option<Role>> {
    let roles = if piece.role == Role::Pawn { &Role::PROMOTIONS[..] } else { &[] };
    std::iter::once(None).chain(roles.iter().copied().map(Some))
}

/// The number of a way to leave the region: who moves, whom he captures, and what he promotes to.
#[inline(always)]
pub(crate) fn way_number(man: usize, captured: Option<usize>, promotion: Option<Role>) -> usize {
    let promotion = promotion.map_or(0, |role| role as usize);
    (man * (SLOTS + 1) + captured.map_or(SLOTS, |slot| slot)) * 5 + promotion
}

impl Way {
    fn new(
        pieces: &[Piece],
        needs: &[Material],
        man: usize,
        captured: Option<usize>,
        promotion: Option<Role>,
    ) -> Way {
        let mut left: Vec<(Piece, usize)> = (0..pieces.len())
            .filter(|&slot| Some(slot) != captured)
            .map(|slot| {
                let promoted = promotion.filter(|_| slot == man);
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

#[cfg(test)]
mod tests {
    use retrograde_testkit::broken::Computed;

    use super::*;
    use crate::endgame::Endgame;

    /// A value that differs from those of the neighbours.
    fn value(number: u64) -> Value {
        let noise = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) as u32 >> 8;
        let far = if noise.is_multiple_of(97) { 1_000 } else { 0 };
        match noise % 3 {
            0 => Value::Loss(noise % 50 * 2 + far),
            1 => Value::Draw,
            _ => Value::Win(noise % 50 * 2 + 1 + far),
        }
    }

    fn game(name: &str) -> Endgame<'static> {
        let material: Material = name.parse().unwrap();
        let solved = |&need: &Material| {
            SolvedRegion::of(Computed { states: Index::new(need).states(), first: 1, value })
        };
        Endgame::new(material, material.needs().iter().map(solved).collect())
    }

    /// With so little memory that it must drop values all the time.
    #[test]
    fn words_have_the_exits_of_their_states() {
        for name in ["KPvK", "KQvKR", "KPvKR", "KBNvK", "KNvKP"] {
            let game = game(name);
            let (mut found, words) = (0, game.index().placements() / 64);
            for first in (0..words).step_by(words as usize / 50) {
                game.exits_of_words(first..words.min(first + 9), |word, told| {
                    for bit in 0..64 {
                        let exits = told.iter().filter(|(states, _)| states >> bit & 1 != 0);
                        let best = exits.map(|(_, value)| *value).max();
                        found += u64::from(best.is_some());
                        assert_eq!(best, game.best_exit(word * 64 + bit), "{name} {word} {bit}");
                    }
                });
            }
            assert!(found > 0, "{name}");
            let read: usize = game.exits.worths().iter().map(Worths::bytes).sum();
            assert!(read < WORTHS_BYTES, "{name}: {read} bytes are held");
        }
    }

    /// To read values from a table that leaves values out, a thread finds exits of the region of that table, in the
    /// middle of finding others. With a lock held for both, a repack of five pieces waited for itself for ever.
    #[test]
    fn exits_are_found_while_others_of_the_same_region_are_in_use() {
        let game = game("KPvKR");
        let words = game.index().placements() / 64;
        game.exits_of_words(0..words / 200, |word, _| {
            let other = words - 1 - word;
            game.exits_of_words(other..other + 1, |_, told| {
                for (states, value) in told {
                    let state = other * 64 + u64::from(states.trailing_zeros());
                    assert!(Some(*value) <= game.best_exit(state));
                }
            });
        });
    }
}
