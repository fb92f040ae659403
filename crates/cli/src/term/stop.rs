//! Stop signals: Ctrl-C, SIGTERM, SIGHUP.
//!
//! A command that leaves no files dies of them as any program does. A command that does leave files calls
//! [`gently`]:
//!
//! ```text
//! first signal:                     callbacks answer "stop", and the owner of an unfinished file removes it
//! after GRACE, or second signal:   the listening thread removes unfinished files and ends the process
//! ```
//!
//! So a command ends in time whatever its threads do: they may be inside a level that takes hours, or wait
//! for a disk, a pipe or another process. It only waits for a checkpoint that is being written ([`keeping`]),
//! until a second signal. At the end the process dies of the signal, as its sender expects.

use std::ops::ControlFlow;

#[cfg(unix)]
pub(crate) use self::unix::{before_end, end, gently, is_asked, keeping, left};

/// Elsewhere, Ctrl-C asks the callbacks to stop. Twice, it ends the program at once.
#[cfg(not(unix))]
mod elsewhere {
    use std::process::exit;
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
    use std::sync::{Arc, LazyLock, Mutex, Once, PoisonError};
    use std::time::Duration;

    use retrograde_files::remove_unfinished;
    use signal_hook::consts::SIGINT;
    use signal_hook::flag;

    use crate::term::progress::note;

    /// The exit code of a program that Ctrl-C has ended.
    const INTERRUPTED: i32 = 130;

    static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
    static LEFT: Mutex<String> = Mutex::new(String::new());

    pub(crate) fn gently() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // In this order: the first Ctrl-C finds the flag unset, and the second one ends the program.
            let _ = flag::register_conditional_shutdown(SIGINT, INTERRUPTED, Arc::clone(&ASKED));
            let _ = flag::register(SIGINT, Arc::clone(&ASKED));
        });
    }

    pub(crate) fn left(what: impl Into<String>) {
        *LEFT.lock().unwrap_or_else(PoisonError::into_inner) = what.into();
    }

    pub(crate) fn before_end(_: fn()) {}

    pub(crate) fn keeping() -> impl Sized {}

    pub(crate) fn is_asked() -> bool {
        ASKED.load(SeqCst)
    }

    pub(crate) fn end() {
        if is_asked() {
            let _unfinished = remove_unfinished(Duration::ZERO);
            let left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
            if !left.is_empty() {
                note(&left);
            }
            exit(INTERRUPTED);
        }
    }
}

#[cfg(not(unix))]
pub(crate) use self::elsewhere::{before_end, end, gently, is_asked, keeping, left};

/// The answer of a callback that may stop its work.
pub(crate) fn or_go_on() -> ControlFlow<()> {
    if is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

#[cfg(unix)]
mod unix {
    use std::io::{self, Read};
    use std::os::unix::net::UnixStream;
    use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::SeqCst};
    use std::sync::{Arc, LazyLock, Mutex, Once, PoisonError};
    use std::thread;
    use std::time::{Duration, Instant};

    use retrograde_catalog::is_signal_ignored;
    use retrograde_files::remove_unfinished;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::{flag, low_level};

    use crate::term::progress::{farewell, note};

    /// How long the work may take to stop by itself. The rest of a second is for ending it otherwise, on a
    /// busy machine.
    const GRACE: Duration = Duration::from_millis(500);

    /// The last signal; zero if there was none.
    static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);
    /// Whether the process is ending. From then on a signal ends it at once.
    static ENDING: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
    /// How many threads are writing data that must not be lost.
    static KEEPING: AtomicU32 = AtomicU32::new(0);
    /// The message when a signal ends the command.
    static LEFT: Mutex<String> = Mutex::new(String::new());
    /// What to do before the process ends.
    static BEFORE_END: Mutex<Option<fn()>> = Mutex::new(None);

    /// From now on the first signal asks, and the second one ends the program at once.
    pub(crate) fn gently() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // A limit on the size of files is an error, not the end of the process.
            let _ = flag::register(SIGXFSZ, Arc::default());
            if let Err(error) = listen() {
                note(&format!(
                    "warning: nothing can listen for signals ({error}); one ends the program at once"
                ));
            }
        });
    }

    /// Sets the message for the end: what is left of a stopped command, and what to do with it.
    pub(crate) fn left(what: impl Into<String>) {
        *LEFT.lock().unwrap_or_else(PoisonError::into_inner) = what.into();
    }

    /// Sets a function to call before a signal ends the process.
    pub(crate) fn before_end(act: fn()) {
        *BEFORE_END.lock().unwrap_or_else(PoisonError::into_inner) = Some(act);
    }

    /// Data that must not be lost is written until the result is dropped. The first signal waits for that.
    pub(crate) fn keeping() -> impl Drop {
        struct Keeping;
        impl Drop for Keeping {
            fn drop(&mut self) {
                KEEPING.fetch_sub(1, SeqCst);
            }
        }
        KEEPING.fetch_add(1, SeqCst);
        Keeping
    }

    /// Whether a signal has come.
    pub(crate) fn is_asked() -> bool {
        SIGNAL.load(SeqCst) != 0
    }

    /// Ends the program by the signal, if one has come.
    pub(crate) fn end() {
        if is_asked() {
            end_now();
        }
    }

    /// Starts the thread that listens, and only then installs the handlers.
    fn listen() -> io::Result<()> {
        let (told, tell) = UnixStream::pair()?;
        thread::Builder::new().name("signals".to_owned()).spawn(move || wait(told))?;
        // If a signal is ignored, as shells do for background jobs, it stays ignored.
        for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&it| !is_signal_ignored(it)) {
            flag::register_conditional_default(signal, Arc::clone(&ENDING))?;
            flag::register_usize(signal, Arc::clone(&SIGNAL), signal as usize)?;
            low_level::pipe::register(signal, tell.try_clone()?)?;
        }
        Ok(())
    }

    /// Waits for the first signal, gives the work some time, and then ends the process.
    fn wait(mut told: UnixStream) {
        /// How often to check whether a checkpoint is written.
        const PAUSE: Duration = Duration::from_millis(20);
        if !heard(&mut told, None) {
            return;
        }
        let (mut until, mut told_so) = (Instant::now() + GRACE, false);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left > Duration::ZERO && heard(&mut told, Some(left)) {
                break;
            }
            if KEEPING.load(SeqCst) == 0 {
                break;
            }
            if !told_so {
                drop(farewell(
                    "stopping as soon as the checkpoint is written; once more stops at once",
                ));
            }
            (until, told_so) = (Instant::now() + PAUSE, true);
        }
        end_now();
    }

    /// Whether a signal comes in this time, or ever.
    fn heard(told: &mut UnixStream, within: Option<Duration>) -> bool {
        loop {
            match told.set_read_timeout(within).and_then(|()| told.read(&mut [0])) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return matches!(read, Ok(1..)),
            }
        }
    }

    /// Removes unfinished files, prints the message, and dies of the signal. Waits for no other thread for
    /// long.
    fn end_now() {
        const PATIENCE: Duration = Duration::from_millis(100);
        if ENDING.swap(true, SeqCst) {
            // Another thread is doing this.
            loop {
                thread::park();
            }
        }
        let _unfinished = remove_unfinished(PATIENCE);
        if let Ok(mut act) = BEFORE_END.try_lock()
            && let Some(act) = act.take()
        {
            act();
        }
        let left = LEFT.try_lock().map(|left| left.clone()).unwrap_or_default();
        let _apart = farewell(&left);
        // It does not return from a signal that ends programs.
        let _ = low_level::emulate_default_handler(SIGNAL.load(SeqCst) as i32);
    }
}
