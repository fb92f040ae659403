//! A game from rules about positions.
//!
//! If the solver only counts moves, it turns no position into a state. [`Game::classify`] makes the position
//! of each state once, and then uses this position.

use std::ops::Range;

use super::orbits::count_orbits;
use super::origins::{Origins, VisitFound};
use super::rules::{BackwardMoves, Rules};
use crate::checks::positions::compare_positions;
use crate::rules::{Flow, Game, Predecessors, Prefetch, Probe, Status, Value};
use crate::solve::solution::Counts;

/// The game of some [`Rules`]. If they implement [`BackwardMoves`], you can solve it. Otherwise put it into
/// [`Explicit`](crate::adapters::Explicit).
///
/// ```
/// use retrograde::adapters::{BackwardMoves, Numbered, Rules};
/// use retrograde::{Flow, Value, audit, solve};
///
/// /// Each player has a token on a path; the number is the length of the path. A move takes your token one or two
/// /// fields further. The tokens do not block each other. A player who can no longer move loses.
/// struct Race(u64);
///
/// impl Rules for Race {
///     type Position = [u64; 2]; // of the side to move, and of the other side
///
///     fn states(&self) -> u64 {
///         self.0 * self.0
///     }
///     fn position(&self, state: u64) -> Option<[u64; 2]> {
///         Some([state / self.0, state % self.0])
///     }
///     fn state(&self, [mine, theirs]: &[u64; 2]) -> u64 {
///         mine * self.0 + theirs
///     }
///     fn moves(
///         &self,
///         &[mine, theirs]: &[u64; 2],
///         mut visit: impl FnMut(&[u64; 2]) -> Flow,
///     ) -> Flow {
///         (mine + 1..self.0.min(mine + 3)).try_for_each(|to| visit(&[theirs, to]))
///     }
/// }
///
/// impl BackwardMoves for Race {
///     fn backward_moves(&self, &[theirs, mine]: &[u64; 2], mut visit: impl FnMut(&[u64; 2])) {
///         (mine.saturating_sub(2)..mine).for_each(|from| visit(&[from, theirs]));
///     }
/// }
///
/// let game = Numbered(Race(8));
/// audit(&game)?;
/// assert_eq!(solve(&game).value(0), Some(Value::Loss(14)));
/// # Ok::<(), retrograde::checks::AuditError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Numbered<R>(pub R);

impl<R: Rules> Numbered<R> {
    /// The position of a valid state.
    #[inline(always)]
    fn position(&self, state: u64) -> R::Position {
        self.0.position(state).unwrap_or_else(|| invalid(state))
    }

    /// The state of a position.
    #[inline(always)]
    fn state(&self, position: &R::Position) -> u64 {
        self.0.state_and_stabilizer(position).0
    }

    #[inline(always)]
    fn degree_of(&self, position: &R::Position) -> u32 {
        self.0.degree(position).unwrap_or_else(|| {
            let mut count = 0;
            let _ = self.0.moves(position, |_| {
                count += 1;
                Flow::Continue(())
            });
            count
        })
    }

    /// Counts the positions of each value, with all mirror images. `order` is the number of symmetries. `values` is the
    /// solution or the table of this game. The count of invalid states is the number of gaps.
    ///
    /// ```
    /// use retrograde::adapters::{Numbered, Rules};
    /// use retrograde::{Flow, Value, adapters::Explicit, solve};
    ///
    /// /// A token on a path of seven cells. The player who brings it to an end wins. State `s` stands for two cells,
    /// /// which are `s` from the middle.
    /// struct Path;
    ///
    /// impl Rules for Path {
    ///     type Position = i64; // the distance from the middle, to the right or to the left
    ///
    ///     fn states(&self) -> u64 {
    ///         4
    ///     }
    ///     fn position(&self, state: u64) -> Option<i64> {
    ///         Some(state as i64)
    ///     }
    ///     fn state(&self, cell: &i64) -> u64 {
    ///         cell.unsigned_abs()
    ///     }
    ///     fn stabilizer(&self, cell: &i64) -> u32 {
    ///         if *cell == 0 { 2 } else { 1 }
    ///     }
    ///     fn terminal(&self, cell: &i64) -> Option<Value> {
    ///         (cell.abs() == 3).then_some(Value::Loss(0))
    ///     }
    ///     fn moves(&self, cell: &i64, visit: impl FnMut(&i64) -> Flow) -> Flow {
    ///         [cell - 1, cell + 1].iter().try_for_each(visit)
    ///     }
    /// }
    ///
    /// let game = Explicit::from_game(Numbered(Path));
    /// let solution = solve(&game);
    /// assert_eq!(solution.counts().loss, 1); // the end
    /// let counts = game.game().count_positions(2, &solution)?;
    /// assert_eq!([counts.win, counts.loss, counts.draw], [2, 2, 3]);
    /// # Ok::<(), std::convert::Infallible>(())
    /// ```
    pub fn count_positions<P: Probe>(&self, order: usize, values: &P) -> Result<Counts, P::Error> {
        count_orbits(order, values, |states, visit| {
            self.0.positions(states, |state, position| {
                visit(state, position.map_or(0, |(_, stabilizer)| stabilizer));
            });
        })
    }
}

#[cold]
#[inline(never)]
fn invalid(state: u64) -> ! {
    panic!("state {state} is invalid: audit the game")
}

impl<R: Rules> Game for Numbered<R> {
    fn states(&self) -> u64 {
        self.0.states()
    }

    fn status(&self, state: u64) -> Status {
        let Some(position) = self.0.position(state) else { return Status::Invalid };
        self.0.terminal(&position).map_or(Status::Open, Status::Terminal)
    }

    fn exits(&self, state: u64, visit: impl FnMut(Value)) {
        self.0.exits(&self.position(state), visit);
    }

    fn successors(&self, state: u64, mut visit: impl FnMut(u64) -> Flow) -> Flow {
        self.0.moves(&self.position(state), |to| visit(self.state(to)))
    }

    fn degree(&self, state: u64) -> u32 {
        self.degree_of(&self.position(state))
    }

    #[inline]
    fn classify(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        let mut exits = Vec::new();
        self.0.positions(states, |state, position| {
            let Some((position, _)) = position else {
                return visit(state, Status::Invalid, 0, &[]);
            };
            if let Some(value) = self.0.terminal(position) {
                return visit(state, Status::Terminal(value), 0, &[]);
            }
            exits.clear();
            self.0.exits(position, |value| exits.push(value));
            let degree = self.degree_of(position);
            visit(state, Status::Open, degree, &exits);
        });
    }

    fn degree_max(&self) -> Option<u32> {
        self.0.degree_max()
    }

    fn stuck(&self) -> Value {
        self.0.stuck()
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        self.0.keeps_turn(from, to)
    }
}

impl<R: BackwardMoves> Numbered<R> {
    /// Visits predecessors, some at a time. So this is compiled once for some rules.
    #[inline(never)]
    fn visit_origins<'f>(&self, first: u64, set: u64, visit: &'f mut VisitFound<'f>) {
        let mut origins = Origins::new(visit);
        let mut rest = set;
        while rest != 0 {
            // States that are no further than eight apart share work.
            let near = rest | rest << 1 | rest << 2 | rest << 3;
            let near = near | near << 4;
            let start = rest.trailing_zeros();
            let run = (u64::MAX >> (64 - (near >> start).trailing_ones())) << start;
            let end = u64::from(64 - (rest & run).leading_zeros());
            self.0.positions(first + u64::from(start)..first + end, |state, position| {
                if rest >> (state - first) & 1 == 0 {
                    return;
                }
                let (position, here) = position.unwrap_or_else(|| invalid(state));
                self.0.backward_moves(position, |from| {
                    let (from, there) = self.0.state_and_stabilizer(from);
                    origins.push((state, here), (from, there));
                });
            });
            rest &= !run;
        }
        origins.finish();
    }
}

impl<R: BackwardMoves> Predecessors for Numbered<R> {
    #[inline(always)]
    fn prefetch(&self) -> Prefetch {
        // To number positions twice takes longer than to wait for memory.
        Prefetch::None
    }

    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        self.predecessors_of_each(state & !63, 1 << (state & 63), |_, from| visit(from));
    }

    #[inline]
    fn predecessors_of_each(&self, first: u64, set: u64, mut visit: impl FnMut(u64, u64)) {
        self.visit_origins(first, set, &mut |found| {
            found.iter().for_each(|&(state, from)| visit(state, from));
        });
    }

    fn audit_all(&self, tell: &mut dyn FnMut(u64, u64) -> Flow) -> Option<u64> {
        compare_positions(&self.0, tell)
    }
}
