//! Symmetry that saves memory: games with one state for each orbit.
//!
//! An orbit is a set of states that are images of each other. For each orbit, such a game knows the moves of
//! one state, the representative. A move leads to an orbit. Several moves may lead to the same orbit, and the
//! game visits this orbit once for each of them. Forwards, this gives the right number of moves. Backwards,
//! it does not.
//!
//! Let each state of orbit X have m moves into orbit T, and each state of T have n moves from X. The number
//! of all moves from X to T is |X| m, and it is also |T| n. An orbit has as many states as the group has
//! elements, divided by the stabilizer of a state. So a state x of X waits for m = n |stab x| / |stab t|
//! updates. But a state t of T has only n moves back to X.
//!
//! Nearly all stabilizers have order one, and then nothing needs correction. So this takes almost no time.
//! [`Quotient`](crate::adapters::Quotient) removes duplicates from every list of moves, which takes most of
//! the time of a solve.

use super::orbits::count_orbits;
use super::origins::{FOUND, visit_symmetric};
use crate::forward;
use crate::rules::{Game, Predecessors, Prefetch, Probe};
use crate::solve::solution::Counts;

/// A game with one state for each orbit of a symmetry.
///
/// All methods are about one representative of the orbit, always the same. For each move of the
/// representative, `successors` visits the state of the orbit that the move leads to. If it visits a state
/// twice, the state counts twice. Solve such a game by [`Folded`].
pub trait Symmetric: Game {
    /// How many elements of the group map the representative of a state to itself: 1 for most states, 0 for
    /// invalid ones.
    fn stabilizer(&self, state: u64) -> u32;

    /// Visits, for every move into the representative of `state`, the state of the orbit that the move comes
    /// from, and the stabilizer of that state.
    fn moves_into(&self, state: u64, visit: impl FnMut(u64, u32));
}

/// A [`Symmetric`] game in the form that the engines need.
///
/// ```
/// use retrograde::adapters::{Folded, Symmetric};
/// use retrograde::{Game, Status, Value, audit};
/// use std::ops::ControlFlow;
///
/// /// A token on a path of cells, which is symmetric about its middle. A move takes the token to a neighbour.
/// /// The player who brings it to either end wins. State `s` stands for the cells `middle - s` and `middle + s`.
/// struct Path(u64);
///
/// impl Game for Path {
///     fn states(&self) -> u64 {
///         self.0 + 1
///     }
///     fn status(&self, state: u64) -> Status {
///         if state == self.0 { Status::Terminal(Value::Loss(0)) } else { Status::Open }
///     }
///     fn successors(&self, state: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
///         // From the middle both moves lead to images of one cell.
///         [state.abs_diff(1), state + 1].into_iter().try_for_each(visit)
///     }
/// }
///
/// impl Symmetric for Path {
///     fn stabilizer(&self, state: u64) -> u32 {
///         if state == 0 { 2 } else { 1 }
///     }
///     fn moves_into(&self, state: u64, mut visit: impl FnMut(u64, u32)) {
///         // Into the middle there are two moves as well; into cell 1 there is one from the middle.
///         let below = state.abs_diff(1);
///         visit(below, self.stabilizer(below));
///         if state < self.0 {
///             visit(state + 1, 1);
///         }
///     }
/// }
///
/// let game = Folded(Path(3));
/// audit(&game)?;
/// let solution = retrograde::solve(&game);
/// assert_eq!(solution.value(2), Some(Value::Win(1)));
/// assert_eq!(solution.value(0), Some(Value::Draw));
/// // Of the seven cells, the two ends are lost.
/// assert_eq!(game.count_positions(2, &solution)?.loss, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Folded<G>(pub G);

impl<G: Symmetric> Folded<G> {
    /// Counts the positions of each value, with all mirror images. `order` is the number of symmetries. `values` is the
    /// solution or the table of this game. The count of invalid states is the number of gaps.
    pub fn count_positions<P: Probe>(&self, order: usize, values: &P) -> Result<Counts, P::Error> {
        count_orbits(order, values, |states, visit| {
            states.for_each(|state| visit(state, self.0.stabilizer(state)));
        })
    }
}

impl<G: Symmetric> Game for Folded<G> {
    forward!(Game for this => this.0);
}

impl<G: Symmetric> Predecessors for Folded<G> {
    /// It takes too long to find the predecessors twice, because each must be mapped to the least of its
    /// images.
    fn prefetch(&self) -> Prefetch {
        Prefetch::None
    }

    #[inline]
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        let here = self.0.stabilizer(state);
        if here <= 1 {
            // First collects the states, then visits them. So the processor waits for many memory accesses at
            // once.
            let (mut found, mut len) = ([0; FOUND], 0);
            self.0.moves_into(state, |from, there| {
                for _ in 0..there {
                    found[len] = from;
                    len += 1;
                    if len == FOUND {
                        // With `for_each(&mut visit)`, a call stays here, and `visit` is then kept in memory.
                        for from in found {
                            visit(from);
                        }
                        len = 0;
                    }
                }
            });
            for &from in &found[..len] {
                visit(from);
            }
            return;
        }
        let mut moves = Vec::new();
        self.0.moves_into(state, |from, there| moves.push((from, there)));
        visit_symmetric(&mut moves, here, visit);
    }
}
