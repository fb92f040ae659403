//! The threads that everything parallel runs on.
//!
//! Not rayon's own: a process forked from one with such threads has none of them, and would wait for them for ever.
//! Python forks (`multiprocessing`, data loaders), so a process that finds itself to be another starts threads anew.

use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The pool, and the process it belongs to.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The threads of this process: as many as `RAYON_NUM_THREADS` says, or else as there are processors.
pub(crate) fn pool() -> Arc<ThreadPool> {
    let mut held = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = process::id();
    if let Some((owner, pool)) = held.take() {
        if owner == process {
            let shared = Arc::clone(&pool);
            *held = Some((owner, pool));
            return shared;
        }
        // To drop it would be to wake threads that are not there.
        std::mem::forget(pool);
    }
    let pool = ThreadPoolBuilder::new().build().expect("the system refuses to start threads");
    let pool = Arc::new(pool);
    *held = Some((process, Arc::clone(&pool)));
    pool
}
