//! Runs work that reads files or computes, on a limited number of threads, with a limited queue before them.
//!
//! If a client hangs up, its request keeps its place until its thread is done. So there are never more working threads
//! than places.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use tokio::sync::Semaphore;

use crate::problem::Problem;

/// Places to work in.
pub(crate) struct Work {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
    waiting_max: usize,
}

impl Work {
    pub(crate) fn new(places: usize, waiting_max: usize) -> Work {
        Work { places: Arc::new(Semaphore::new(places)), waiting: 0.into(), waiting_max }
    }

    /// How many requests wait for a place.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Relaxed)
    }

    /// Runs work on a thread of its own, when a place is free.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        act: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let place = match Arc::clone(&self.places).try_acquire_owned() {
            Ok(place) => place,
            Err(_) => {
                let _queued = Queued::join(self)?;
                let place = Arc::clone(&self.places).acquire_owned().await;
                place.map_err(|_| Problem::busy("the server is about to stop"))?
            }
        };
        let done = tokio::task::spawn_blocking(move || {
            let done = act();
            drop(place);
            done
        });
        // It panics only if tables and rules contradict each other.
        done.await.unwrap_or_else(|error| Err(Problem::fault(error)))
    }
}

/// A place in the queue. Dropping it gives the place back.
struct Queued<'a>(&'a Work);

impl Queued<'_> {
    fn join(work: &Work) -> Result<Queued<'_>, Problem> {
        let queued = Queued(work);
        if work.waiting.fetch_add(1, Relaxed) >= work.waiting_max {
            return Err(Problem::busy("too many requests are waiting; ask again"));
        }
        Ok(queued)
    }
}

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Relaxed);
    }
}
