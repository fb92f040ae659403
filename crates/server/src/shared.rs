//! What all requests share.

use std::sync::Arc;

use retrograde_answers::Solves;

use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::watched::Watched;
use crate::work::Work;

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) folder: Watched,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    /// The threads that look states up.
    pub(crate) work: Work,
    /// The threads that solve games. They are separate, so that a lookup never waits for a solve.
    pub(crate) solve_work: Work,
    /// Solves games, and keeps the last ones.
    pub(crate) solves: Solves,
}

impl Shared {
    /// Looks something up on a thread.
    pub(crate) async fn look_up(
        self: Arc<Self>,
        act: impl FnOnce(&Shared) -> Result<Reply, Problem> + Send + 'static,
    ) -> Result<Reply, Problem> {
        let shared = Arc::clone(&self);
        self.work.run(move || act(&shared)).await
    }
}
