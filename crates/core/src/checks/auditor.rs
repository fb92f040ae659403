//! Which states of a game to audit, and whom to tell how far it is.
//!
//! States are looked at 64 together, from a multiple of 64 on. A sample of a large game is often enough: a mistake in the rules
//! shows nearly everywhere.

use std::fmt;
use std::ops::{ControlFlow, Range};

use super::audit::{AuditError, Auditable, Audited, audit_word_forwards};
use crate::rules::Game;
use crate::threads;

/// How to audit a game.
///
/// ```
/// # use retrograde::adapters::Explicit;
/// # use retrograde::checks::Auditor;
/// # let game = Explicit::from_edges(1_000, (0..999).map(|from| (from, from + 1)));
/// let audited = Auditor::new().sample(100).audit(&game)?;
/// assert_eq!(audited.states, 128); // 64 of each half
/// # Ok::<(), retrograde::checks::AuditError>(())
/// ```
pub struct Auditor<'a> {
    states: Range<u64>,
    sample: u64,
    progress: Box<dyn FnMut(u64, u64) -> ControlFlow<()> + 'a>,
}

impl fmt::Debug for Auditor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Auditor")
            .field("states", &self.states)
            .field("sample", &self.sample)
            .finish_non_exhaustive()
    }
}

impl Default for Auditor<'_> {
    fn default() -> Self {
        let progress = Box::new(|_, _| ControlFlow::Continue(()));
        Auditor { states: 0..u64::MAX, sample: u64::MAX, progress }
    }
}

impl<'a> Auditor<'a> {
    /// Of all states, in silence.
    pub fn new() -> Auditor<'a> {
        Auditor::default()
    }

    /// Looks only at the states of a range, and at those that share 64 with one of them.
    #[must_use]
    pub fn states(mut self, states: Range<u64>) -> Self {
        self.states = states;
        self
    }

    /// Looks only at about so many states, spread over all; at the same ones each time.
    #[must_use]
    pub fn sample(mut self, states: u64) -> Self {
        self.sample = states;
        self
    }

    /// Call back now and then with how many states have been looked at, and of how many. To break is to cancel.
    #[must_use]
    pub fn progress(mut self, progress: impl FnMut(u64, u64) -> ControlFlow<()> + 'a) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// Looks for a contract that a game breaks, as [`audit`](crate::audit()) does.
    pub fn audit(&mut self, game: impl Auditable) -> Result<Audited, AuditError> {
        game.audit(self)
    }

    /// Looks for a contract that a game breaks which has no predecessors, as [`audit_forwards`](crate::checks::audit_forwards) does.
    pub fn audit_forwards(&mut self, game: &impl Game) -> Result<Audited, AuditError> {
        self.in_words(game.states(), |word| audit_word_forwards(game, word))
    }

    /// Whether all of so many states are looked at.
    pub(crate) fn is_of_all(&self, states: u64) -> bool {
        self.states.start == 0 && self.states.end >= states && self.sample >= states
    }

    /// Tells how many states have been looked at, and of how many.
    pub(crate) fn tell(&mut self, done: u64, of: u64) -> Result<(), AuditError> {
        match (self.progress)(done, of) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(AuditError::Cancelled),
        }
    }

    /// Has the words chosen looked at, of a game of so many states; `look` returns how many moves lead from a word. In order, so
    /// that the state named is the first, however many threads look.
    pub(crate) fn in_words(
        &mut self,
        states: u64,
        look: impl Fn(u64) -> Result<u64, AuditError> + Sync,
    ) -> Result<Audited, AuditError> {
        let chosen = self.states.start..self.states.end.min(states);
        let words =
            if chosen.is_empty() { 0..0 } else { chosen.start / 64..chosen.end.div_ceil(64) };
        let count = (words.end - words.start).min(self.sample.div_ceil(64));
        let of = count.saturating_mul(64).min(states);
        let mut audited = Audited { states: 0, moves: 0 };
        let look = |at| {
            let word = nth(&words, at, count);
            Ok((states.saturating_sub(word * 64).min(64), look(word)?))
        };
        threads::try_map(count, look, |(states, moves)| {
            audited.states += states;
            audited.moves += moves;
            self.tell(audited.states, of)
        })?;
        Ok(audited)
    }
}

/// One word out of each of `count` equal parts: not at equal distances, as numberings are regular.
fn nth(words: &Range<u64>, at: u64, count: u64) -> u64 {
    let edge = |at: u64| {
        let words = u128::from(words.end - words.start);
        (u128::from(at) * words / u128::from(count)) as u64
    };
    let (from, to) = (edge(at), edge(at + 1));
    words.start + from + (at.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) % (to - from)
}
