//! How to solve.

use std::ffi::{c_int, c_void};
use std::ops::ControlFlow;

use retrograde::{SolveError, Solver};

use crate::errors::{Code, Failure};

/// Is told how many states are settled, and how many there are. Stops the solve if it returns anything but 0. It may be called from
/// another thread than that of the caller, but by one thread at a time.
pub type Progress =
    Option<unsafe extern "C" fn(context: *mut c_void, done: u64, states: u64) -> c_int>;

/// How to solve. All zeros are the defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Options {
    /// How many threads; 0 for all.
    pub threads: usize,
    /// The most bytes of memory; 0 for no limit.
    pub memory_max: u64,
    /// What is told of the progress; may be null.
    pub progress: Progress,
    /// The first argument of `progress`.
    pub context: *mut c_void,
}

/// The callback with its context.
struct Heard(unsafe extern "C" fn(*mut c_void, u64, u64) -> c_int, *mut c_void);

// SAFETY: the header says that the callback may come from another thread.
unsafe impl Send for Heard {}

impl Heard {
    fn tell(&self, done: u64, states: u64) -> ControlFlow<()> {
        // SAFETY: the caller gave this function together with this context.
        match unsafe { (self.0)(self.1, done, states) } {
            0 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }
}

/// The solver of these options.
///
/// # Safety
///
/// `options` is null, or points to options whose callback may be called during the solve.
pub(crate) unsafe fn solver<'a>(options: *const Options) -> Solver<'a> {
    // SAFETY: the caller promises that it is null or points to options.
    let Some(options) = (unsafe { options.as_ref() }) else { return Solver::new() };
    let mut solver = Solver::new().threads(options.threads);
    if options.memory_max > 0 {
        solver = solver.memory_max(options.memory_max);
    }
    if let Some(progress) = options.progress {
        let heard = Heard(progress, options.context);
        solver = solver.progress(move |told| heard.tell(told.done, told.states));
    }
    solver
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        let code = match error {
            SolveError::Memory { .. } => Code::Memory,
            SolveError::Cancelled => Code::Stopped,
            SolveError::Threads { .. } => Code::Argument,
            _ => Code::Broken,
        };
        Failure::new(code, error)
    }
}
