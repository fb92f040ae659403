//! What the commands ask of ranks, over any transport.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retrograde_catalog::{Job, JobDone, JobError, JobPlan, JobReport, Ranks};

use crate::transport::{Supersteps, Transport};

/// The ranks, as the commands of one of them see them.
pub struct Together<T> {
    transport: Mutex<T>,
    rank: usize,
    count: usize,
    beside: usize,
    work: Work,
}

/// Whether a rank solves, and whether its solve goes on. Another thread may look.
#[derive(Clone, Debug, Default)]
pub struct Work(Arc<(AtomicBool, AtomicU64)>);

impl Work {
    /// How many steps the solve has made. `None` if the rank does not solve, so no steps are due.
    pub fn steps(&self) -> Option<u64> {
        let (solves, steps) = &*self.0;
        solves.load(Ordering::Relaxed).then(|| steps.load(Ordering::Relaxed))
    }

    fn solves(&self, solves: bool) {
        self.0.0.store(solves, Ordering::Relaxed);
    }

    fn step(&self) {
        self.0.1.fetch_add(1, Ordering::Relaxed);
    }
}

impl<T: Transport> Together<T> {
    /// The ranks of a transport. `beside` of them share this machine.
    pub fn new(transport: T, beside: usize) -> Together<T> {
        let (rank, count) = (transport.rank(), transport.ranks());
        Together { transport: Mutex::new(transport), rank, count, beside, work: Work::default() }
    }

    /// Whether the solve of this rank goes on.
    pub fn work(&self) -> Work {
        self.work.clone()
    }

    fn transport(&self) -> MutexGuard<'_, T> {
        self.transport.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Transport> Ranks for Together<T> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn beside(&self) -> usize {
        self.beside
    }

    fn solve(
        &self,
        job: &Job,
        hear: &(dyn Fn(JobReport) -> ControlFlow<()> + Sync),
    ) -> Result<Option<JobDone>, JobError> {
        self.work.solves(true);
        let hear = |report| {
            self.work.step();
            hear(report)
        };
        let done = crate::solve(job, &mut *self.transport(), &hear);
        self.work.solves(false);
        done
    }

    fn plan(&self, job: &Job) -> Result<JobPlan, String> {
        crate::plan(job, self.count)
    }

    fn clear(&self, job: &Job) -> Result<(), String> {
        crate::clear(job)
    }

    fn tell(&self, text: &str) -> Result<String, String> {
        let mut transport = self.transport();
        let mut supersteps = Supersteps::new(&mut *transport, 1);
        let all = supersteps.end(text.as_bytes(), |_| {}).map_err(|error| error.to_string())?;
        let first = all.into_iter().next().unwrap_or_default();
        String::from_utf8(first).map_err(|_| "the first rank told no text".to_owned())
    }
}
