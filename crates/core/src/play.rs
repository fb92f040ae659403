//! Play in a solved game: the moves of a state from best to worst, and the line of best play.

pub use crate::reachable::{Reachable, Summary, reachable};

use std::collections::HashMap;
use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;

use crate::rules::{Game, Probe, Status, Value};

/// A move and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where the move leads; `None` for an exit.
    pub to: Option<u64>,
    /// The value for the player who makes the move, one ply after the target.
    pub value: Value,
}

/// Why there are no moves or no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlayError<E> {
    /// The values could not be looked up.
    Probe(E),
    /// The requested state has no value: it is invalid or does not exist.
    State(u64),
    /// A move leads to a state without a value. The values do not follow from the rules, or belong to another
    /// game.
    Move {
        /// The state that the move leaves.
        state: u64,
        /// Where it leads.
        visited: u64,
    },
    /// The requested state is won or lost, and the values have no distances.
    NoDistances(u64),
}

impl<E: fmt::Display> fmt::Display for PlayError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::Probe(error) => error.fmt(f),
            PlayError::State(state) => {
                write!(f, "state {state} is invalid or does not exist, so there is no play from it")
            }
            PlayError::Move { state, visited } => write!(
                f,
                "a move leads from state {state} to state {visited}, which has no value: the values do not \
                 follow from the rules, or are of another game; verify the values, or use those of this game"
            ),
            PlayError::NoDistances(state) => write!(
                f,
                "state {state} is won or lost and the values have no distances, so no move is known to lead \
                 to the end; solve with distances"
            ),
        }
    }
}

impl<E: Error> Error for PlayError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            // The message includes that of the error itself, so the chain continues with its source.
            PlayError::Probe(error) => error.source(),
            _ => None,
        }
    }
}

impl<E> From<E> for PlayError<E> {
    fn from(error: E) -> PlayError<E> {
        PlayError::Probe(error)
    }
}

impl<E> PlayError<E> {
    /// The state that the error is about, if any.
    pub fn state(&self) -> Option<u64> {
        match *self {
            PlayError::Probe(_) => None,
            PlayError::State(state)
            | PlayError::Move { state, .. }
            | PlayError::NoDistances(state) => Some(state),
        }
    }
}

/// The moves of an open state, best first: fast wins, slow wins, draws, slow losses, fast losses. Moves of
/// equal value keep the order of the game. Terminal and invalid states have none.
///
/// ```
/// use retrograde::adapters::Explicit;
/// use retrograde::play::moves;
/// use retrograde::{Value, solve};
///
/// let game = Explicit::from_edges(4, [(0, 1), (0, 3), (1, 2), (2, 3)]);
/// let solution = solve(&game);
/// let best_first = moves(&game, &solution, 0)?;
/// assert_eq!((best_first[0].to, best_first[0].value), (Some(3), Value::Win(1)));
/// assert_eq!((best_first[1].to, best_first[1].value), (Some(1), Value::Win(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If there is no such state, if a move leads to a state that has no value, or if a lookup fails.
pub fn moves<P: Probe>(
    game: &impl Game,
    probe: &P,
    state: u64,
) -> Result<Vec<Move>, PlayError<P::Error>> {
    if state >= game.states() {
        return Err(PlayError::State(state));
    }
    let mut moves = Vec::new();
    let mut failed = None;
    let status = game.status(state);
    if status == Status::Open {
        game.exits(state, |value| moves.push(Move { to: None, value }));
    }
    if status == Status::Open {
        let _ = game.successors(state, |to| {
            failed = match value(probe, to) {
                Ok(Some(value)) => {
                    let value = value.after_move(game.keeps_turn(state, to));
                    moves.push(Move { to: Some(to), value });
                    return ControlFlow::Continue(());
                }
                Ok(None) => Some(PlayError::Move { state, visited: to }),
                Err(error) => Some(PlayError::Probe(error)),
            };
            ControlFlow::Break(())
        });
    }
    if let Some(error) = failed {
        return Err(error);
    }
    moves.sort_by_key(|a| std::cmp::Reverse(a.value));
    Ok(moves)
}

/// The value of a state; `None` if it is invalid or does not exist.
fn value<P: Probe>(probe: &P, state: u64) -> Result<Option<Value>, P::Error> {
    if state < probe.states() { probe.probe(state) } else { Ok(None) }
}

/// A line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The states in order. The first is the requested one.
    pub states: Vec<u64>,
    /// How the line ends.
    pub end: LineEnd,
}

/// How a line of play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The last state is decided by the rules.
    Terminal(Value),
    /// The last state has no moves.
    Stuck,
    /// The line leaves the last state by an exit of this value.
    Exit(Value),
    /// After the last state, play returns to an earlier state, and repeats forever.
    Cycle {
        /// The index in `states` where the cycle begins.
        back_to: usize,
    },
    /// The best move of the last state does not have the value of the state: the values are wrong.
    Broken {
        /// The value of the state.
        found: Value,
        /// The value of its best move.
        expected: Value,
    },
}

/// Best play from a state to the end, or for a draw until a state repeats.
///
/// ```
/// use retrograde::adapters::Explicit;
/// use retrograde::play::{LineEnd, line};
/// use retrograde::solve;
///
/// let game = Explicit::from_edges(5, [(0, 1), (1, 2), (3, 4), (4, 3)]);
/// let solution = solve(&game);
/// let lost = line(&game, &solution, 0)?;
/// assert_eq!((lost.states, lost.end), (vec![0, 1, 2], LineEnd::Stuck));
/// let drawn = line(&game, &solution, 3)?;
/// assert_eq!((drawn.states, drawn.end), (vec![3, 4], LineEnd::Cycle { back_to: 0 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the state has no value, or if it is won or lost and `probe` has no distances: without distances a
/// winner cannot tell moves that lead to the end from moves that delay it forever. Also if [`moves`] fails
/// for a state of the line.
pub fn line<P: Probe>(game: &impl Game, probe: &P, from: u64) -> Result<Line, PlayError<P::Error>> {
    let Some(mut value) = value(probe, from)? else { return Err(PlayError::State(from)) };
    let drawn = value == Value::Draw;
    if !drawn && !probe.has_distances() {
        return Err(PlayError::NoDistances(from));
    }
    let mut states = Vec::new();
    // Only draws repeat, so only their states are stored.
    let mut seen = HashMap::new();
    let mut state = from;
    let end = loop {
        if let Some(&back_to) = seen.get(&state) {
            break LineEnd::Cycle { back_to };
        }
        if drawn {
            seen.insert(state, states.len());
        }
        states.push(state);
        if let Status::Terminal(value) = game.status(state) {
            break LineEnd::Terminal(value);
        }
        let best = moves(game, probe, state)?.first().copied();
        let expected = best.map_or(game.stuck(), |best| best.value);
        if expected != value {
            // Each state of a win is a ply nearer to the end. If the values are wrong, play might never end.
            break LineEnd::Broken { found: value, expected };
        }
        match best {
            None => break LineEnd::Stuck,
            Some(Move { to: None, value }) => break LineEnd::Exit(value),
            Some(Move { to: Some(to), .. }) => {
                state = to;
                value = probe.probe(state)?.unwrap_or(Value::Draw);
            }
        }
    };
    Ok(Line { states, end })
}
