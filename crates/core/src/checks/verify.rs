//! Checks whether a solution is right: every value must follow from the values one move later.
//!
//! A win has a move that wins in its distance, and none that wins sooner. A loss has only losing moves, and
//! the longest of them has the distance of the state. A draw has a move that draws and none that wins. Only
//! one solution obeys these laws in all states. Proof: by induction on the distance, its wins and losses are
//! right. If some draws were wrong, the one nearest to the end would have a move that breaks a law.

use std::error::Error;
use std::fmt;
use std::ops::{ControlFlow, Range};

use super::window::KeyWindow;
use crate::rules::{Game, Key, Probe, Sealed, Status, Value};
use crate::solve::error::{Progress, Tell};
use crate::threads;

/// The result of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// How many states the numbering has.
    pub states: u64,
    /// How many moves it checked, including exits. `None` if it checked 64 states at a time.
    pub moves: Option<u64>,
}

/// Why a solution is not verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError<E> {
    /// A value does not follow from the rules and the values one move later.
    Value {
        /// The state.
        state: u64,
        /// The value in the solution; `None` for an invalid state.
        found: Option<Value>,
        /// The value that follows.
        expected: Option<Value>,
    },
    /// A move leads out of `0..states`.
    Outside {
        /// The state that the move leaves.
        state: u64,
        /// What `successors` visits.
        visited: u64,
    },
    /// The solution has another number of states than the game.
    States {
        /// How many the solution has.
        found: u64,
        /// How many the game has.
        expected: u64,
    },
    /// Looking up a state failed.
    Probe(E),
    /// The progress callback asked to stop.
    Cancelled,
}

impl<E: fmt::Display> fmt::Display for VerifyError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |value: &Option<Value>| match value {
            None => "invalid".to_string(),
            Some(value) => format!("{value:?}"),
        };
        match self {
            VerifyError::Value { state, found, expected } => {
                write!(
                    f,
                    "state {state} is {} but {} follows; if a solve said so, audit the game",
                    name(found),
                    name(expected)
                )
            }
            VerifyError::Outside { state, visited } => {
                write!(
                    f,
                    "state {state}: successors({state}) visits {visited}, which is not a state of the game"
                )
            }
            VerifyError::States { found, expected } => {
                write!(f, "the solution has {found} states but the game has {expected}")
            }
            VerifyError::Probe(error) => error.fmt(f),
            VerifyError::Cancelled => f.write_str("the verification was stopped"),
        }
    }
}

impl<E: Error> Error for VerifyError<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            // The message includes that of the error itself, so the chain continues with its source.
            VerifyError::Probe(error) => error.source(),
            _ => None,
        }
    }
}

impl<E> VerifyError<E> {
    /// The state that shows the error, if one does.
    pub fn state(&self) -> Option<u64> {
        match *self {
            VerifyError::Value { state, .. } | VerifyError::Outside { state, .. } => Some(state),
            _ => None,
        }
    }
}

/// Checks that every value follows from the rules and the values one move later. If not, it names the first
/// such state. Without distances the check is weaker: it accepts wrong wins if each of them has a move to the
/// next one, forever.
///
/// It shares only the rules with the solver. So it also finds mistakes in
/// [`predecessors`](crate::Predecessors::predecessors), which the solver cannot notice. The error only names
/// a state at which the solution is wrong. To find the wrong move, use [`audit`](crate::audit()).
///
/// ```
/// # use retrograde::adapters::Explicit;
/// # use retrograde::{solve, verify};
/// let game = Explicit::from_edges(3, [(0, 1), (1, 2)]);
/// let verified = verify(&game, &solve(&game))?;
/// assert_eq!((verified.states, verified.moves), (3, Some(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Verifier`] has options.
pub fn verify<P: Probe>(game: impl Verifiable, probe: &P) -> Result<Verified, VerifyError<P::Error>>
where
    P::Error: Send,
{
    Verifier::new().verify(game, probe)
}

/// A game for [`verify`](crate::verify()). Pass `&game` to check state by state, or
/// [`ByWords(&game)`](crate::bit_parallel::ByWords) to check 64 states at a time. This trait is sealed.
pub trait Verifiable: Sealed {
    /// What [`Verifier::verify`] does.
    fn verify<P: Probe>(
        self,
        verifier: Verifier<'_>,
        probe: &P,
    ) -> Result<Verified, VerifyError<P::Error>>;
}

/// Options of a verification.
pub struct Verifier<'a> {
    memory_max: u64,
    progress: Box<Tell<'a>>,
}

impl fmt::Debug for Verifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verifier").field("memory_max", &self.memory_max).finish_non_exhaustive()
    }
}

impl Default for Verifier<'_> {
    fn default() -> Self {
        Verifier { memory_max: 128 << 20, progress: Box::new(|_| ControlFlow::Continue(())) }
    }
}

/// Checks the states of a run, given what is prepared for all runs of a wave.
type VerifyRun<'f, W, T, E> = dyn Fn(&W, Range<u64>) -> Result<T, VerifyError<E>> + Sync + 'f;

impl<'a> Verifier<'a> {
    /// Uses 128 MiB, without progress.
    pub fn new() -> Verifier<'a> {
        Verifier::default()
    }

    /// Sets about how many bytes to use for values, besides the solution itself. If the game is larger, the
    /// verifier probes values far away in the numbering one by one.
    #[must_use]
    pub fn memory_max(mut self, bytes: u64) -> Self {
        self.memory_max = bytes;
        self
    }

    /// How many bytes the verifier uses for values.
    pub fn memory(&self) -> u64 {
        self.memory_max
    }

    /// Sets a callback for progress. If it returns `Break`, the verification stops.
    #[must_use]
    pub fn progress(mut self, progress: impl FnMut(&Progress) -> ControlFlow<()> + 'a) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// Checks that every value follows, as [`verify`] does.
    pub fn verify<P: Probe>(
        self,
        game: impl Verifiable,
        probe: &P,
    ) -> Result<Verified, VerifyError<P::Error>> {
        game.verify(self, probe)
    }

    /// For a verification of your own: calls `verify` for runs of states, on all threads, until all states
    /// are done. `seen` gets the result of each run, in order.
    pub fn in_runs<T: Send, E: Send>(
        &mut self,
        states: u64,
        verify_run: impl Fn(Range<u64>) -> Result<T, VerifyError<E>> + Sync,
        mut seen: impl FnMut(T),
    ) -> Result<(), VerifyError<E>> {
        self.in_waves(states, &|_, _| {}, &mut (), &|(), run| verify_run(run), &mut seen)
    }

    /// Verifies all states, run by run, with a window on the values around them. `seen` gets the result of
    /// each run, in order.
    pub(crate) fn by_window<T: Send, E: fmt::Display + Send>(
        &mut self,
        states: u64,
        probe: &dyn Probe<Error = E>,
        verify_run: &VerifyRun<'_, KeyWindow, T, E>,
        seen: &mut dyn FnMut(T),
    ) -> Result<(), VerifyError<E>> {
        if probe.states() != states {
            return Err(VerifyError::States { found: probe.states(), expected: states });
        }
        let mut window = KeyWindow::new(states, self.memory_max);
        let slide = |window: &mut KeyWindow, end| window.slide_to(end, probe);
        self.in_waves(states, &slide, &mut window, verify_run, seen)
    }

    /// Takes a few runs at a time, in order. So it names the first wrong state, with any number of threads.
    /// `prepare` is called before each of these waves. Functions are called for thousands of states, so they may come by dynamic
    /// dispatch, and this is not compiled for each game.
    fn in_waves<W: Sync, T: Send, E: Send>(
        &mut self,
        states: u64,
        prepare: &dyn Fn(&mut W, u64),
        with: &mut W,
        verify_run: &VerifyRun<'_, W, T, E>,
        seen: &mut dyn FnMut(T),
    ) -> Result<(), VerifyError<E>> {
        const RUN: u64 = 1 << 14;
        let wave = RUN * 32 * threads::count() as u64;
        for first in (0..states).step_by(wave as usize) {
            let end = states.min(first + wave);
            prepare(with, end);
            let with = &*with;
            let runs = threads::map((end - first).div_ceil(RUN) as usize, |run| {
                let from = first + run as u64 * RUN;
                verify_run(with, from..end.min(from + RUN))
            });
            for result in runs {
                seen(result?);
            }
            let progress = Progress { level: None, done: end, states };
            if (self.progress)(&progress).is_break() {
                return Err(VerifyError::Cancelled);
            }
        }
        Ok(())
    }
}

impl<G: Game> Verifiable for &G {
    fn verify<P: Probe>(
        self,
        mut verifier: Verifier<'_>,
        probe: &P,
    ) -> Result<Verified, VerifyError<P::Error>> {
        let mut moves = 0;
        let probe: &dyn Probe<Error = P::Error> = probe;
        let far = |state| probe.probe(state).map_or(Key::UNKNOWN, Key::of);
        let distances = probe.has_distances();
        let verify_run = |window: &KeyWindow, run| {
            let mut broken = None;
            let judge = &mut |state| {
                if broken.is_none() {
                    // Checks the state again, slowly, for the right message.
                    broken = verify_state(self, probe, state).err();
                }
            };
            let moves =
                StateChecks { game: self, distances, window, far: &far }.verify_run(run, judge);
            broken.map_or(Ok(moves), Err)
        };
        verifier.by_window(self.states(), probe, &verify_run, &mut |count| moves += count)?;
        Ok(Verified { states: self.states(), moves: Some(moves) })
    }
}

/// Checks states with a window on the values around them. It does not know what can go wrong with a lookup, so it is
/// compiled once for a game.
struct StateChecks<'a, G> {
    game: &'a G,
    distances: bool,
    window: &'a KeyWindow,
    /// Looks up the key of a state outside the window.
    far: &'a (dyn Fn(u64) -> Key + Sync),
}

impl<G: Game> StateChecks<'_, G> {
    /// Checks the states of a run, and calls `judge` with each that may be wrong. Returns the number of their moves.
    fn verify_run(&self, states: Range<u64>, judge: &mut dyn FnMut(u64)) -> u64 {
        let distances = self.distances;
        let mut moves = 0;
        self.game.classify(states, |state, status, _, exits| {
            moves += exits.len() as u64;
            let expected = match status {
                Status::Invalid => Key::INVALID,
                Status::Terminal(value) => Key::of(Some(value)),
                Status::Open => {
                    let (best, count) = self.best(state, exits);
                    moves += count;
                    best
                }
            };
            let found = self.key(state);
            let is_valid = found != Key::INVALID;
            let same = match distances || !is_valid {
                true => found == expected,
                false => found.0.signum() == expected.0.signum(),
            };
            let known = found != Key::UNKNOWN && expected != Key::UNKNOWN;
            if !(same && known && is_valid == (expected != Key::INVALID)) {
                judge(state);
            }
        });
        moves
    }

    /// The key of the best move of a state with these exits, and the number of its moves.
    #[inline(always)]
    fn best(&self, state: u64, exits: &[Value]) -> (Key, u64) {
        let mut best = None;
        let mut unknown = false;
        for &value in exits {
            let key = Key::of(Some(value));
            unknown |= key == Key::UNKNOWN;
            best = best.max(Some(key));
        }
        // Of the moves that pass the turn, the one to the least key is the best. One more wraps, so that an invalid state has
        // the least number, and an unknown value the next.
        const INVALID: i16 = Key::INVALID.0.wrapping_add(1);
        const UNKNOWN: i16 = Key::UNKNOWN.0.wrapping_add(1);
        let mut least = i16::MAX;
        let (mut moves, mut passing) = (0, 0);
        self.game.each_successor(state, |to| {
            moves += 1;
            let key = self.key(to);
            if !self.game.keeps_turn(state, to) {
                passing += 1;
                least = least.min(key.0.wrapping_add(1));
            } else if key == Key::UNKNOWN || key == Key::INVALID {
                unknown = true;
            } else {
                best = best.max(Some(key.after_move(true)));
            }
        });
        if unknown || matches!(least, INVALID | UNKNOWN) {
            return (Key::UNKNOWN, moves);
        }
        if passing > 0 {
            best = best.max(Some(Key(least - 1).after_move(false)));
        }
        (best.unwrap_or_else(|| Key::of(Some(self.game.stuck()))), moves)
    }

    #[inline(always)]
    fn key(&self, state: u64) -> Key {
        self.window.get(state).unwrap_or_else(|| self.far(state))
    }

    /// The key of a state outside the window.
    #[cold]
    #[inline(never)]
    fn far(&self, state: u64) -> Key {
        if state >= self.game.states() {
            return Key::UNKNOWN;
        }
        (self.far)(state)
    }
}

/// Checks one state. Returns the number of its moves.
pub(crate) fn verify_state<E: fmt::Display + Send>(
    game: &impl Game,
    probe: &dyn Probe<Error = E>,
    state: u64,
) -> Result<u64, VerifyError<E>> {
    let mut best: Option<Value> = None;
    let mut moves = 0;
    let mut consider = |value: Value| {
        moves += 1;
        if best.is_none_or(|best| value > best) {
            best = Some(value);
        }
        ControlFlow::Continue(())
    };
    let mut failed = None;
    let expected = match game.status(state) {
        Status::Invalid => None,
        Status::Terminal(value) => Some(value),
        Status::Open => {
            game.exits(state, |value| _ = consider(value));
            let _ = game.successors(state, |to| {
                let found = match to < game.states() {
                    true => probe.probe(to).map_err(VerifyError::Probe),
                    false => Err(VerifyError::Outside { state, visited: to }),
                };
                failed = match found {
                    // A longer distance does not exist. If it stayed the same, two states could prove each other.
                    Ok(Some(value)) if value.distance() == Some(u32::MAX) => {
                        return consider(Value::Draw);
                    }
                    Ok(Some(value)) => {
                        return consider(value.after_move(game.keeps_turn(state, to)));
                    }
                    Ok(None) => {
                        let expected = Some(Value::Draw);
                        Some(VerifyError::Value { state: to, found: None, expected })
                    }
                    Err(error) => Some(error),
                };
                ControlFlow::Break(())
            });
            Some(best.unwrap_or(game.stuck()))
        }
    };
    if let Some(failed) = failed {
        return Err(failed);
    }
    let found = probe.probe(state).map_err(VerifyError::Probe)?;
    let same = match (found, expected) {
        (Some(found), Some(expected)) if !probe.has_distances() => {
            found.outcome() == expected.outcome()
        }
        _ => found == expected,
    };
    if same { Ok(moves) } else { Err(VerifyError::Value { state, found, expected }) }
}
