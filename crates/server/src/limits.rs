//! Limits for one request, one connection, and all together.

use std::time::{Duration, Instant};

use retrograde_answers::{Limits as Questions, Problem, ProblemKind};

/// The limits of a server. All of them are finite, so memory and time are bounded for any request.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How many connections are open at once. Others wait until one closes.
    pub connections: usize,
    /// How many threads look states up.
    pub threads: usize,
    /// How many requests may wait for such a thread. Others are refused.
    pub waiting: usize,
    /// How long a request may take from its first byte to its answer. A solve may take half of that.
    pub request_time: Duration,
    /// How long the head of a request may take, and how long a connection may be idle.
    pub head_time: Duration,
    /// How long a client may leave an answer unread.
    pub write_time: Duration,
    /// How long open requests may continue after a stop signal.
    pub stop_time: Duration,
    /// How many bytes the body of a request may have.
    pub body_bytes: usize,
    /// What one question may cost.
    pub questions: Questions,
}

impl Default for Limits {
    fn default() -> Limits {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Limits {
            connections: 1024,
            threads,
            waiting: 1024,
            request_time: Duration::from_secs(10),
            head_time: Duration::from_secs(10),
            write_time: Duration::from_secs(20),
            stop_time: Duration::from_secs(10),
            body_bytes: 256 << 10,
            questions: Questions::default(),
        }
    }
}

impl Limits {
    /// When work that begins now must be done, because the client waits no longer.
    pub(crate) fn deadline(&self) -> Deadline {
        Deadline(Instant::now() + self.request_time)
    }
}

/// When the client stops waiting.
#[derive(Clone, Copy)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    /// Stops work that no client waits for any more.
    pub(crate) fn check(self) -> Result<(), Problem> {
        if Instant::now() < self.0 {
            return Ok(());
        }
        let text = "this takes longer than a request may: ask for less at once";
        Err(Problem::new(ProblemKind::Busy, text))
    }
}
