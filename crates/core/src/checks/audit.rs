//! Checks whether the two directions of a game agree.
//!
//! A wrong backward move is a common mistake, and the engine cannot notice it. The engine counts moves
//! forwards, and subtracts them backwards. So the audit follows every move in both directions.
//!
//! For a whole game, it compares sums of hashed moves, in time linear in the number of moves. If the game has
//! rules about positions, it hashes positions (`positions.rs`), otherwise states (`sums.rs`). If the sums
//! differ, or for a part of a game, it goes state by state. It looks for each move from its other end, and
//! names the first error.

use std::ops::{ControlFlow, Range};

use super::audit_error::{AuditError, Audited};
use super::auditor::Auditor;
use super::singly::Singly;
use super::sums::{compare_sums, stops};
use crate::memory::Ones;
use crate::rules::{AnyRules, Game, Predecessors, Sealed, Status, Value};

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

impl Auditor<'_> {
    /// Checks the contract of a game, as [`audit`](crate::audit()) does.
    pub fn audit(&mut self, game: impl Auditable) -> Result<Audited, AuditError> {
        game.audit(self)
    }

    /// Checks a game that has no predecessors, as [`audit_forwards`](crate::checks::audit_forwards) does.
    pub fn audit_forwards(&mut self, game: &impl Game) -> Result<Audited, AuditError> {
        self.in_words(game.states(), |word| audit_word_forwards(game, word))
    }
}

impl<G: Predecessors> Auditable for &G {
    fn audit(self, auditor: &mut Auditor<'_>) -> Result<Audited, AuditError> {
        if auditor.is_of_all(self.states()) {
            let (states, mut told) = (self.states(), Ok(()));
            let moves = self.audit_all(&mut |done, of| {
                told = auditor.tell(done, of);
                if told.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            told?;
            if let Some(moves) = moves {
                return Ok(Audited { states, moves });
            }
            if let Some(audited) = compare_sums(self, auditor)? {
                return Ok(audited);
            }
        }
        search(AnyRules::of(self), auditor)
    }
}

/// Looks for the first error, state by state.
fn search(game: AnyRules<'_>, auditor: &mut Auditor<'_>) -> Result<Audited, AuditError> {
    auditor.in_words(game.states(), |word| audit_word(&game, word))
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
fn audit_word_forwards(game: &impl Game, word: u64) -> Result<u64, AuditError> {
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
    compare_classes([classes(&Singly(game), states.clone()), classes(game, states)])
}

fn classes(game: &impl Game, states: Range<u64>) -> Vec<Classified> {
    let mut classes = Vec::new();
    game.classify(states, |state, status, degree, exits| {
        classes.push((state, status, degree, exits.to_vec()));
    });
    classes
}

/// Checks that `invalid_states` names the invalid states of a word.
fn audit_invalid_states(game: &impl Game, word: u64) -> Result<(), AuditError> {
    match Ones(Singly(game).invalid_states(word) ^ game.invalid_states(word)).next() {
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
        let singly = Singly(game);
        Predecessors::predecessors_of_each(&singly, first, set, |state, from| {
            alone.push((state, from));
        });
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
