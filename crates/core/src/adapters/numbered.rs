//! Rules about positions instead of states: the shortest way to write a board game.
//!
//! It takes longer to turn a position into its state than to make a move. So rules give moves as positions.
//! If the solver only counts moves, it turns none of them into states. [`Game::classify`] makes the position
//! of each state once, and then uses this position.

use std::hash::Hash;
use std::ops::Range;

use crate::checks::positions::compare_positions;
use crate::checks::{AuditError, Audited, Auditor};
use crate::rules::{Game, Predecessors, Status, Value};

/// The rules of a board game, about positions. [`Numbered`] makes a [`Game`] from them.
pub trait Rules: Sync {
    /// The pieces on the board, and the side to move, unless the pieces are always as seen by the side to
    /// move. An audit compares positions by their hashes. So different positions must have different hashes,
    /// as with a derived `Hash`.
    type Position: Hash;

    /// How many states the numbering has.
    fn states(&self) -> u64;

    /// The position of a state, or `None` if the state is invalid.
    fn position(&self, state: u64) -> Option<Self::Position>;

    /// The state of a position.
    fn state(&self, position: Self::Position) -> u64;

    /// The value of a terminal position, which the rules decide without looking at moves.
    fn terminal(&self, position: &Self::Position) -> Option<Value>;

    /// Visits the position after each move. A position that is not terminal and has no moves is lost.
    fn moves(&self, position: &Self::Position, visit: impl FnMut(Self::Position));

    /// Visits the value of each move into a game that is solved already, as [`Game::exits`] does.
    fn exits(&self, position: &Self::Position, visit: impl FnMut(Value)) {
        let _ = (position, visit);
    }

    /// A bound on the number of moves: see [`Game::degree_max`].
    fn degree_max(&self) -> Option<u32> {
        None
    }

    /// Whether the move between two states keeps the turn: see [`Game::keeps_turn`].
    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        let _ = (from, to);
        false
    }
}

/// Rules that can also take a move back.
pub trait BackwardMoves: Rules {
    /// Visits the position before each move that leads to this one. You may also visit terminal positions:
    /// they have no moves, so the solver skips them.
    fn backward_moves(&self, position: &Self::Position, visit: impl FnMut(Self::Position));
}

/// The game of some [`Rules`]. If they implement [`BackwardMoves`], you can solve it. Otherwise put it into
/// [`Explicit`](crate::adapters::Explicit).
///
/// ```
/// use retrograde::adapters::{BackwardMoves, Numbered, Rules};
/// use retrograde::{Value, audit, solve};
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
///     fn state(&self, [mine, theirs]: [u64; 2]) -> u64 {
///         mine * self.0 + theirs
///     }
///     fn terminal(&self, _: &[u64; 2]) -> Option<Value> {
///         None
///     }
///     fn moves(&self, &[mine, theirs]: &[u64; 2], mut visit: impl FnMut([u64; 2])) {
///         (mine + 1..self.0.min(mine + 3)).for_each(|to| visit([theirs, to]));
///     }
/// }
///
/// impl BackwardMoves for Race {
///     fn backward_moves(&self, &[theirs, mine]: &[u64; 2], mut visit: impl FnMut([u64; 2])) {
///         (mine.saturating_sub(2)..mine).for_each(|from| visit([from, theirs]));
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
        let position = self.0.position(state);
        position.unwrap_or_else(|| panic!("state {state} is invalid: audit the game"))
    }

    #[inline(always)]
    fn count(&self, position: &R::Position) -> u32 {
        let mut count = 0;
        self.0.moves(position, |_| count += 1);
        count
    }
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

    fn successors(&self, state: u64, mut visit: impl FnMut(u64)) {
        self.0.moves(&self.position(state), |to| visit(self.0.state(to)));
    }

    fn degree(&self, state: u64) -> u32 {
        self.count(&self.position(state))
    }

    fn classify(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        let mut exits = Vec::new();
        for state in states {
            let Some(position) = self.0.position(state) else {
                visit(state, Status::Invalid, 0, &[]);
                continue;
            };
            if let Some(value) = self.0.terminal(&position) {
                visit(state, Status::Terminal(value), 0, &[]);
                continue;
            }
            exits.clear();
            self.0.exits(&position, |value| exits.push(value));
            visit(state, Status::Open, self.count(&position), &exits);
        }
    }

    fn degree_max(&self) -> Option<u32> {
        self.0.degree_max()
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        self.0.keeps_turn(from, to)
    }
}

impl<R: BackwardMoves> Predecessors for Numbered<R> {
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        self.0.backward_moves(&self.position(state), |from| visit(self.0.state(from)));
    }

    fn audit_all(&self, auditor: &mut Auditor<'_>) -> Result<Option<Audited>, AuditError> {
        compare_positions(&self.0, auditor)
    }
}
