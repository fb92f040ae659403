//! Signals that ask to stop. What has begun files ends by itself: it keeps its state where that was asked for, takes
//! away what is not finished, and then dies of the signal, as whoever sent it expects.

use std::ops::ControlFlow;

use crate::progress::note;

/// Which signal has come; zero while none has.
#[cfg(unix)]
static SIGNAL: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new(0);

/// From now on the first signal only asks, and the second one ends the program at once. `until` says when what is in
/// hand comes to its end.
#[cfg(unix)]
pub(crate) fn gently(until: &'static str) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use std::sync::Arc;
    use std::sync::atomic::Ordering;

    // A file that may not grow is an error to be told of, and not the end.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
    // Where a signal is passed over, as a shell has it for what runs in the background, it stays so.
    let signals = [SIGINT, SIGTERM].into_iter().filter(|&signal| !is_passed_over(signal));
    let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) else { return };
    let listen = move || {
        for signal in signals.forever() {
            if SIGNAL.swap(signal, Ordering::Relaxed) != 0 {
                end_by(signal);
            }
            note(&format!("stopping {until}; once more stops at once"));
        }
    };
    // Without a thread to spare nobody would hear of it.
    if std::thread::Builder::new().spawn(listen).is_err() {
        note("warning: no thread is left to listen for signals");
    }
}

/// Whether a signal does nothing to this process, where the system tells.
#[cfg(unix)]
fn is_passed_over(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Whether a signal has come.
#[cfg(unix)]
pub(crate) fn is_asked() -> bool {
    SIGNAL.load(std::sync::atomic::Ordering::Relaxed) != 0
}

/// Ends the program by the signal that has come, if one has.
#[cfg(unix)]
pub(crate) fn end() {
    let signal = SIGNAL.load(std::sync::atomic::Ordering::Relaxed);
    if signal != 0 {
        end_by(signal);
    }
}

#[cfg(unix)]
fn end_by(signal: i32) {
    let _apart = crate::progress::apart();
    // It does not come back from a signal that ends programs.
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

/// Elsewhere whatever ends programs does so at once.
#[cfg(not(unix))]
pub(crate) fn gently(_: &'static str) {}

#[cfg(not(unix))]
pub(crate) fn is_asked() -> bool {
    false
}

#[cfg(not(unix))]
pub(crate) fn end() {}

/// What a callback answers that may stop its work.
pub(crate) fn or_go_on() -> ControlFlow<()> {
    if is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
