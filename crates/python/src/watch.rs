//! Long work that Python can interrupt.
//!
//! Only the thread that Python gave us may answer Ctrl-C and call Python back, so it must not be busy. The work goes to
//! another thread, and this thread wakes up now and then to look.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use retrograde::Progress;

use crate::failure::Failure;
use crate::pool::pool;

/// How often this thread looks.
const PAUSE: Duration = Duration::from_millis(50);

/// The messages between the work and its watcher.
#[derive(Default)]
pub(crate) struct Signal {
    stop: AtomicBool,
    last: Mutex<Option<Progress>>,
    finished: Mutex<bool>,
    changed: Condvar,
}

impl Signal {
    /// Reports the progress of the work. Returns whether to continue.
    pub(crate) fn report(&self, at: &Progress) -> ControlFlow<()> {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(*at);
        self.go_on()
    }

    /// Whether to continue.
    pub(crate) fn go_on(&self) -> ControlFlow<()> {
        if self.stop.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Waits for the work to finish, but not for long. Returns whether it has.
    fn wait(&self) -> bool {
        let finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(finished, PAUSE, |finished| !*finished);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn show(&self, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(progress), Some(at)) = (progress, last) {
            progress.call1((at.level, at.done, at.states))?;
        }
        Ok(())
    }
}

/// Reports that the work has finished, even if it panicked.
struct Finish<'a>(&'a Signal);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        *self.0.finished.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.changed.notify_all();
    }
}

/// Does work with all threads and without holding Python. `progress` is called now and then, and once at the end, with
/// the level if there is one, how many states are done, and of how many. An exception that it raises stops the work, and so does
/// Ctrl-C.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Signal) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let signal = Signal::default();
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let _finish = Finish(&signal);
            pool().install(|| work(&signal))
        });
        let mut raised = None;
        while !py.detach(|| signal.wait()) {
            if raised.is_none() {
                raised = py.check_signals().and_then(|()| signal.show(progress)).err();
                signal.stop.store(raised.is_some(), Relaxed);
            }
        }
        let worked = match py.detach(|| worker.join()) {
            Ok(worked) => worked,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        match raised {
            Some(raised) => Err(raised),
            None => {
                let value = worked?;
                signal.show(progress)?;
                Ok(value)
            }
        }
    })
}
