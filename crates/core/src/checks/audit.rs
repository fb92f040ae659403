//! Checks whether the two directions of a game agree.
//!
//! A wrong backward move is a common mistake, and the engine cannot notice it. The engine counts moves
//! forwards, and subtracts them backwards. So the audit follows every move in both directions.
//!
//! For a whole game, it compares sums of hashed moves, in time linear in the number of moves. If the game has
//! rules about positions, it hashes positions (`positions.rs`), otherwise states (`sums.rs`). If the sums
//! differ, or for a part of a game, it goes state by state. It looks for each move from its other end, and
//! names the first error.

use std::fmt;
use std::ops::{ControlFlow, Range};

use super::auditor::Auditor;
use super::sums::compare_sums;
use crate::memory::bits::Ones;
use crate::rules::{Erased, ErasedGame, Game, Predecessors, Sealed, Status, Value};

/// The result of an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audited {
    /// How many states were checked.
    pub states: u64,
    /// How many moves the open states have.
    pub moves: u64,
}

/// How a game breaks its contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuditError {
    /// `successors(from)` and `predecessors(to)` visit each other a different number of times.
    Moves {
        /// The state that the move leaves.
        from: u64,
        /// The state that it leads to.
        to: u64,
        /// How often `successors` visits it.
        forwards: u64,
        /// How often `predecessors` visits it.
        backwards: u64,
    },
    /// `degree` differs from the number of successors.
    Degree {
        /// The state.
        state: u64,
        /// The result of `degree`.
        degree: u64,
        /// How many successors are visited.
        successors: u64,
    },
    /// A state has more moves than `degree_max` says.
    DegreeMax {
        /// The state.
        state: u64,
        /// How many moves it has.
        degree: u64,
        /// The result of `degree_max`.
        degree_max: u64,
    },
    /// `successors(state)` does not end when `visit` breaks, or does not say that it has ended.
    Stop {
        /// The state.
        state: u64,
    },
    /// `classify` or `invalid_states` contradicts `status` and `degree`.
    Classify {
        /// The state.
        state: u64,
    },
    /// `predecessors(state)` and `predecessors_of_each` visit `from` a different number of times.
    Each {
        /// The state.
        state: u64,
        /// The predecessor.
        from: u64,
        /// How often `predecessors` visits it.
        alone: u64,
        /// How often `predecessors_of_each` visits it, for several states at once.
        together: u64,
    },
    /// A method of [`BitParallel`](crate::bit_parallel::BitParallel) contradicts the methods for single
    /// states.
    Words {
        /// The method.
        method: &'static str,
        /// The word that it was asked about.
        word: u64,
        /// The set of states it was given.
        set: u64,
        /// The first state about which it is wrong.
        state: u64,
    },
    /// The value of an exit is a win or a loss in 0, so it does not count the move itself.
    Exit {
        /// The state that has the exit.
        state: u64,
        /// The value of the exit.
        value: Value,
    },
    /// A move leads to an invalid state.
    IntoInvalid {
        /// The state that the move leaves.
        from: u64,
        /// The invalid state.
        to: u64,
    },
    /// A move leads out of `0..states`, forwards or backwards.
    Outside {
        /// The state.
        state: u64,
        /// What it visited.
        visited: u64,
    },
    /// The progress callback asked to stop.
    Cancelled,
}

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            AuditError::Moves { from, to, forwards, backwards } => write!(
                f,
                "state {from}: successors({from}) visits {to} {} but predecessors({to}) visits {from} {}",
                times(forwards),
                times(backwards)
            ),
            AuditError::Degree { state, degree, successors } => write!(
                f,
                "state {state}: degree({state}) is {degree} but successors({state}) visits {successors}"
            ),
            AuditError::DegreeMax { state, degree, degree_max } => {
                write!(f, "state {state}: it has {degree} moves but degree_max() is {degree_max}")
            }
            AuditError::Stop { state } => write!(
                f,
                "state {state}: successors({state}) must end at a visit that breaks, and return what the last visit returned"
            ),
            AuditError::Classify { state } => write!(
                f,
                "state {state}: classify(..) or invalid_states({}) says something else of it than status({state}) and degree({state})",
                state / 64
            ),
            AuditError::Each { state, from, alone, together } => write!(
                f,
                "state {state}: predecessors({state}) visits {from} {} but predecessors_of_each(..) visits it {}",
                times(alone),
                times(together)
            ),
            AuditError::Words { method, word, set, state } => write!(
                f,
                "state {state}: {method}({word}, {set:#x}) disagrees with the scalar methods"
            ),
            AuditError::Exit { state, value } => write!(
                f,
                "state {state}: exits({state}) visits the value {value:?}; add the move itself"
            ),
            AuditError::IntoInvalid { from, to } => {
                write!(f, "state {from}: successors({from}) visits {to}, which is invalid")
            }
            AuditError::Outside { state, visited } => {
                write!(
                    f,
                    "state {state}: its moves visit {visited}, which is not a state of the game"
                )
            }
            AuditError::Cancelled => f.write_str("the audit was stopped"),
        }
    }
}

impl std::error::Error for AuditError {}

impl AuditError {
    /// The state that shows the error, if there is one.
    pub fn state(&self) -> Option<u64> {
        match *self {
            AuditError::Moves { from: state, .. }
            | AuditError::Degree { state, .. }
            | AuditError::DegreeMax { state, .. }
            | AuditError::Stop { state }
            | AuditError::Classify { state }
            | AuditError::Each { state, .. }
            | AuditError::Words { state, .. }
            | AuditError::Exit { state, .. }
            | AuditError::IntoInvalid { from: state, .. }
            | AuditError::Outside { state, .. } => Some(state),
            AuditError::Cancelled => None,
        }
    }
}

fn times(n: u64) -> String {
    match n {
        0 => "never".to_string(),
        1 => "once".to_string(),
        n => format!("{n} times"),
    }
}

/// Checks the contract of a game, and names the first state that breaks it.
///
/// For `&game`, it compares `successors` with `predecessors`, move by move, and `degree` with the number of
/// successors. It also compares the methods for many states (`classify`, `invalid_states`,
/// `predecessors_of_each`) with the methods for one state, and breaks off some walks of `successors`. For
/// [`ByWords(&game)`](crate::bit_parallel::ByWords), it compares the methods for words with the methods for
/// single states. It asks about each state of a word alone, about all of them, and about some.
///
/// For games of [`Rules`](crate::adapters::Rules) it takes one to two times as long as a solve. Other games
/// must number each move three times, which takes about seven times as long as a solve. It needs two bits of
/// memory a state. If there is an error, it takes longer, to name the first state. [`Auditor`] has options.
/// For a game without predecessors, use [`audit_forwards`].
pub fn audit(game: impl Auditable) -> Result<Audited, AuditError> {
    Auditor::new().audit(game)
}

/// A game that [`audit`](crate::audit()) can check: `&game`, or [`ByWords(&game)`](crate::bit_parallel::ByWords). This
/// trait is sealed.
pub trait Auditable: Sealed {
    /// What [`Auditor::audit`] does.
    fn audit(self, auditor: &mut Auditor<'_>) -> Result<Audited, AuditError>;
}

/// Checks a game that has no predecessors. Finds moves that lead out of the game or into invalid states,
/// wrong degrees, and exits that do not count the move. Also finds methods for many states that contradict
/// the methods for one. It names the state that the move leaves. [`Explicit`](crate::adapters::Explicit) can
/// only name the state that such a move leads to.
///
/// ```
/// use retrograde::adapters::Edges;
/// use retrograde::checks::{AuditError, audit_forwards};
/// use retrograde::Value;
///
/// let graph = Edges::new(3, [(0, 1), (1, 2)]);
/// assert_eq!(audit_forwards(&graph)?.moves, 2);
/// # Ok::<(), AuditError>(())
/// ```
pub fn audit_forwards(game: &impl Game) -> Result<Audited, AuditError> {
    Auditor::new().audit_forwards(game)
}

impl<G: Predecessors> Auditable for &G {
    fn audit(self, auditor: &mut Auditor<'_>) -> Result<Audited, AuditError> {
        if auditor.is_of_all(self.states()) {
            if let Some(audited) = self.audit_all(auditor)? {
                return Ok(audited);
            }
            if let Some(audited) = compare_sums(self, auditor)? {
                return Ok(audited);
            }
        }
        search(self, auditor)
    }
}

/// Looks for the first error, state by state.
fn search(game: &dyn Erased, auditor: &mut Auditor<'_>) -> Result<Audited, AuditError> {
    let game = &ErasedGame(game);
    auditor.in_words(Game::states(game), |word| audit_word(game, word))
}

/// Checks the states of a word. Returns how many moves lead from the open ones.
fn audit_word(game: &impl Predecessors, word: u64) -> Result<u64, AuditError> {
    let states = word * 64..game.states().min(word * 64 + 64);
    let mut moves = 0;
    for state in states.clone() {
        moves += audit_state(game, state)?;
    }
    audit_classes(game, states.clone())?;
    audit_invalid_states(game, word)?;
    audit_each(game, states)?;
    Ok(moves)
}

/// The same without backward moves.
pub(super) fn audit_word_forwards(game: &impl Game, word: u64) -> Result<u64, AuditError> {
    let states = word * 64..game.states().min(word * 64 + 64);
    let mut moves = 0;
    for state in states.clone() {
        let out = audit_moves(game, state)?.1;
        for &to in &out {
            not_into_invalid(game, state, to)?;
        }
        audit_degree(game, state, out.len() as u64)?;
        moves += out.len() as u64;
    }
    audit_classes(game, states)?;
    audit_invalid_states(game, word)?;
    Ok(moves)
}

/// Checks the moves out of a state, if it is open, and the moves into it. Returns how many lead out.
fn audit_state(game: &impl Predecessors, state: u64) -> Result<u64, AuditError> {
    let (status, out) = audit_moves(game, state)?;
    let into = match status {
        Status::Invalid => Vec::new(),
        _ => collect(game, state, |visit| game.predecessors(state, visit))?,
    };
    audit_degree(game, state, out.len() as u64)?;
    for moves in out.chunk_by(|a, b| a == b) {
        let (from, to, forwards) = (state, moves[0], moves.len() as u64);
        not_into_invalid(game, from, to)?;
        let backwards = count(from, |visit| game.predecessors(to, visit));
        if forwards != backwards {
            return Err(AuditError::Moves { from, to, forwards, backwards });
        }
    }
    for moves in into.chunk_by(|a, b| a == b) {
        let (from, to, backwards) = (moves[0], state, moves.len() as u64);
        // The engine ignores the moves of states that are not open.
        if game.status(from) != Status::Open {
            continue;
        }
        let forwards = count(to, |visit| game.each_successor(from, visit));
        if forwards != backwards {
            return Err(AuditError::Moves { from, to, forwards, backwards });
        }
    }
    Ok(out.len() as u64)
}

/// Checks the exits and the moves of a state. Returns its status and the targets of its moves, in ascending
/// order. A state that is not open has no targets.
fn audit_moves(game: &impl Game, state: u64) -> Result<(Status, Vec<u64>), AuditError> {
    let status = audit_exits(game, state)?;
    let out = match status {
        Status::Open => collect(game, state, |visit| game.each_successor(state, visit))?,
        _ => Vec::new(),
    };
    let moves = out.len() as u64;
    let stops = |at| stops(at, moves, |visit| game.successors(state, |_| visit()));
    if status == Status::Open && !(stops(1) && stops(moves) && stops(moves + 1)) {
        return Err(AuditError::Stop { state });
    }
    Ok((status, out))
}

/// Whether a walk of this number of moves ends at the visit `at`, if that one breaks, and says so.
#[inline]
pub(super) fn stops(
    at: u64,
    moves: u64,
    walk: impl FnOnce(&mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<()>,
) -> bool {
    let mut visits = 0;
    let flow = walk(&mut || {
        visits += 1;
        if visits == at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    visits == at.min(moves) && flow.is_break() == (1..=moves).contains(&at)
}

/// The states that a walk visits, in ascending order, if all of them are states of the game.
fn collect(
    game: &impl Game,
    state: u64,
    walk: impl FnOnce(&mut dyn FnMut(u64)),
) -> Result<Vec<u64>, AuditError> {
    let mut visited = Vec::new();
    walk(&mut |other| visited.push(other));
    if let Some(&visited) = visited.iter().find(|&&other| other >= game.states()) {
        return Err(AuditError::Outside { state, visited });
    }
    visited.sort_unstable();
    Ok(visited)
}

fn not_into_invalid(game: &impl Game, from: u64, to: u64) -> Result<(), AuditError> {
    match game.status(to) {
        Status::Invalid => Err(AuditError::IntoInvalid { from, to }),
        _ => Ok(()),
    }
}

/// Checks that the values of exits include the move. Returns the status of the state.
pub(super) fn audit_exits(game: &impl Game, state: u64) -> Result<Status, AuditError> {
    let mut wrong = None;
    let status = game.status(state);
    if status == Status::Open {
        game.exits(state, |value| {
            if value.distance() == Some(0) {
                wrong = wrong.or(Some(AuditError::Exit { state, value }));
            }
        });
    }
    wrong.map_or(Ok(status), Err)
}

fn audit_degree(game: &impl Game, state: u64, successors: u64) -> Result<(), AuditError> {
    if game.status(state) != Status::Open {
        return Ok(());
    }
    let degree = u64::from(game.degree(state));
    if degree != successors {
        return Err(AuditError::Degree { state, degree, successors });
    }
    match game.degree_max().map(u64::from) {
        Some(degree_max) if degree > degree_max => {
            Err(AuditError::DegreeMax { state, degree, degree_max })
        }
        _ => Ok(()),
    }
}

/// Checks that `classify` visits each state once and agrees with `status` and `degree`.
fn audit_classes(game: &impl Game, states: Range<u64>) -> Result<(), AuditError> {
    let (mut asked, mut told) = (Vec::new(), Vec::new());
    game.classify(states.clone(), |state, status, degree, exits| {
        told.push((state, status, degree, exits.to_vec()));
    });
    for state in states {
        let mut exits = Vec::new();
        let status = game.status(state);
        let mut degree = 0;
        if status == Status::Open {
            game.exits(state, |value| exits.push(value));
            degree = game.degree(state);
        }
        asked.push((state, status, degree, exits));
    }
    compare_classes([asked, told])
}

/// Checks that `invalid_states` names the invalid states of a word.
fn audit_invalid_states(game: &impl Game, word: u64) -> Result<(), AuditError> {
    let invalid = |state| state >= game.states() || game.status(state) == Status::Invalid;
    let asked = (0..64)
        .fold(0, |invalid_states, bit| invalid_states | u64::from(invalid(word * 64 + bit)) << bit);
    match Ones(asked ^ game.invalid_states(word)).next() {
        Some(bit) => Err(AuditError::Classify { state: word * 64 + bit }),
        None => Ok(()),
    }
}

/// A state with its status, its degree and its exits.
type Classified = (u64, Status, u32, Vec<Value>);

/// Compares the results for single states with the results for many.
fn compare_classes([mut asked, mut told]: [Vec<Classified>; 2]) -> Result<(), AuditError> {
    for (.., exits) in asked.iter_mut().chain(&mut told) {
        exits.sort();
    }
    for state in &asked {
        if !told.iter().filter(|told| told.0 == state.0).eq([state]) {
            return Err(AuditError::Classify { state: state.0 });
        }
    }
    let known = |state: u64| asked.iter().any(|asked| asked.0 == state);
    match told.iter().find(|told| !known(told.0)) {
        Some(&(visited, ..)) => Err(AuditError::Outside { state: asked[0].0, visited }),
        None => Ok(()),
    }
}

/// Checks that `predecessors_of_each` visits what `predecessors` does.
fn audit_each(game: &impl Predecessors, states: Range<u64>) -> Result<(), AuditError> {
    let first = states.start;
    let live = states.filter(|&state| game.status(state) != Status::Invalid);
    let live = live.fold(0, |set, state| set | 1 << (state - first));
    // The even states, then the odd ones: two sets of many states that are not full.
    for set in [live & 0x5555_5555_5555_5555, live & 0xaaaa_aaaa_aaaa_aaaa] {
        let (mut alone, mut together) = (Vec::new(), Vec::new());
        for state in Ones(set).map(|bit| first + bit) {
            game.predecessors(state, |from| alone.push((state, from)));
        }
        game.predecessors_of_each(first, set, |state, from| together.push((state, from)));
        compare_visits(alone, together)?;
    }
    Ok(())
}

/// Compares the predecessors of single states with the predecessors of a set.
fn compare_visits(
    mut alone: Vec<(u64, u64)>,
    mut together: Vec<(u64, u64)>,
) -> Result<(), AuditError> {
    alone.sort_unstable();
    together.sort_unstable();
    if alone == together {
        return Ok(());
    }
    let mut pairs = [&alone[..], &together[..]].concat();
    pairs.sort_unstable();
    let count = |all: &[_], pair| all.iter().filter(|&&each| each == pair).count() as u64;
    let differs = pairs.into_iter().find(|&pair| count(&alone, pair) != count(&together, pair));
    let (state, from) = differs.expect("lists that differ differ somewhere");
    let (alone, together) = (count(&alone, (state, from)), count(&together, (state, from)));
    Err(AuditError::Each { state, from, alone, together })
}

/// How often a walk visits a state.
fn count(wanted: u64, walk: impl FnOnce(&mut dyn FnMut(u64))) -> u64 {
    let mut count = 0;
    walk(&mut |state| count += u64::from(state == wanted));
    count
}
