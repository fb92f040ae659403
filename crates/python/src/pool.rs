//! The threads for all parallel work.
//!
//! They are not those of rayon's global pool. If a process with such threads forks, the child has none of them, and
//! waits for them forever. Python forks (`multiprocessing`, data loaders). So a process that notices that it is a child
//! starts new threads.

use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The pool, and the process that started it.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The threads of this process: as many as `RAYON_NUM_THREADS` says, otherwise one for each processor.
pub(crate) fn pool() -> Arc<ThreadPool> {
    let mut held = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = process::id();
    if let Some((owner, pool)) = held.take() {
        if owner == process {
            let shared = Arc::clone(&pool);
            *held = Some((owner, pool));
            return shared;
        }
        // Dropping it would wake threads that this process does not have.
        std::mem::forget(pool);
    }
    let pool = ThreadPoolBuilder::new().build().expect("the system refuses to start threads");
    let pool = Arc::new(pool);
    *held = Some((process, Arc::clone(&pool)));
    pool
}
