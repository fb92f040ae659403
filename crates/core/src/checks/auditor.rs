//! Options of an audit: which states to check, and progress.
//!
//! An audit checks states in blocks of 64. For a large game, a sample is often enough, because a mistake in
//! the rules shows nearly everywhere.

use std::fmt;
use std::ops::{ControlFlow, Range};

use super::audit_error::{AuditError, Audited};
use crate::in_order;
use crate::solve::error::{Progress, Tell};

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
    progress: Box<Tell<'a>>,
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
        let progress = Box::new(|_: &Progress| ControlFlow::Continue(()));
        Auditor { states: 0..u64::MAX, sample: u64::MAX, progress }
    }
}

impl<'a> Auditor<'a> {
    /// Checks all states, without progress.
    pub fn new() -> Auditor<'a> {
        Auditor::default()
    }

    /// Checks only the blocks of 64 states that a range touches.
    #[must_use]
    pub fn states(mut self, states: Range<u64>) -> Self {
        self.states = states;
        self
    }

    /// Checks only about `states` states, spread over the game. They are always the same.
    #[must_use]
    pub fn sample(mut self, states: u64) -> Self {
        self.sample = states;
        self
    }

    /// Sets a callback for progress. If it returns `Break`, the audit stops.
    #[must_use]
    pub fn progress(mut self, progress: impl FnMut(&Progress) -> ControlFlow<()> + 'a) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// Whether the audit checks all states of a game of `states` states.
    pub(crate) fn is_of_all(&self, states: u64) -> bool {
        self.states.start == 0 && self.states.end >= states && self.sample >= states
    }

    /// Reports progress.
    pub(crate) fn tell(&mut self, done: u64, of: u64) -> Result<(), AuditError> {
        match (self.progress)(&Progress { level: None, done, states: of }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(AuditError::Cancelled),
        }
    }

    /// Calls `look` on the chosen words of a game of `states` states. `look` returns the number of moves of a
    /// word. Returns the first error in order, with any number of threads.
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
        in_order::try_map(count, in_order::AT_ONCE, look, |(states, moves)| {
            audited.states += states;
            audited.moves += moves;
            self.tell(audited.states, of)
        })?;
        Ok(audited)
    }
}

/// One word from each of `count` equal parts. The distances between the words are not equal, because
/// numberings are regular.
fn nth(words: &Range<u64>, at: u64, count: u64) -> u64 {
    let edge = |at: u64| {
        let words = u128::from(words.end - words.start);
        (u128::from(at) * words / u128::from(count)) as u64
    };
    let (from, to) = (edge(at), edge(at + 1));
    words.start + from + (at.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) % (to - from)
}
