//! Progress of long work on a terminal: one line on standard error. A thread of its own redraws it, so it
//! moves even if the work reports nothing. Work under a second shows nothing.
//!
//! The line fits the current width of the terminal. It stays until something else is written: all output of
//! the program to a terminal first erases it.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use retrograde::Progress;
use retrograde_catalog::plain;

use crate::term::number::{clock, rounded};

/// How long work takes before it shows a line.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line is drawn.
const PAUSE: Duration = Duration::from_millis(100);

/// Whether the line is on the terminal. The holder of this lock may write there.
static DRAWN: Mutex<bool> = Mutex::new(false);

/// Erases the line, and keeps it away until the guard is dropped.
pub(crate) fn apart() -> impl Drop {
    let mut drawn = drawn();
    if std::mem::take(&mut *drawn) {
        // If the terminal is gone, the work continues.
        let _ = io::stderr().write_all(b"\r\x1b[K");
    }
    drawn
}

/// Prints a note besides the results.
pub(crate) fn note(text: &str) {
    let _apart = apart();
    // If standard error is closed, the work continues.
    let _ = writeln!(io::stderr(), "{}", plain(text));
}

/// Says on a terminal what the program reads from it, and how the input ends. Otherwise the program would seem to hang.
pub(crate) fn reads(from: &dyn IsTerminal, what: &str) {
    if from.is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        note(&format!("reading {what} from the terminal; {end} on a line of its own ends it"));
    }
}

/// The last message before the process ends. It waits neither for another thread nor for the reader of
/// standard error. Nothing else is drawn until the result is dropped.
#[cfg(unix)]
pub(crate) fn farewell(text: &str) -> impl Drop {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    const PATIENCE: Duration = Duration::from_millis(50);
    struct Held(Option<MutexGuard<'static, bool>>);
    impl Drop for Held {
        fn drop(&mut self) {}
    }
    let begun = Instant::now();
    let mut held = Held(None);
    while held.0.is_none() && begun.elapsed() < PATIENCE {
        held.0 = DRAWN.try_lock().ok();
        if held.0.is_none() {
            thread::sleep(Duration::from_millis(1));
        }
    }
    let wipe = held.0.as_mut().is_some_and(|drawn| std::mem::take(&mut **drawn));
    let stderr = io::stderr();
    let mut asked = [PollFd::new(&stderr, PollFlags::OUT)];
    if poll(&mut asked, Some(&Timespec::default())).is_ok_and(|ready| ready > 0) {
        let wipe = if wipe { "\r\x1b[K" } else { "" };
        let end = if text.is_empty() { "" } else { "\n" };
        let _ = io::stderr().write_all(format!("{wipe}{text}{end}").as_bytes());
    }
    held
}

fn drawn() -> MutexGuard<'static, bool> {
    DRAWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Redraws the line in one write, so that a kill leaves the terminal in order. Turns wrapping off meanwhile,
/// because the terminal may have become narrower.
fn draw(line: &str) {
    let mut drawn = drawn();
    *drawn = true;
    let line = plain(line);
    let _ = io::stderr().write_all(format!("\x1b[?7l\r{line}\x1b[K\x1b[?7h").as_bytes());
}

/// The current width of the terminal.
fn width() -> usize {
    const USUAL: usize = 80;
    let size = terminal_size::terminal_size_of(io::stderr());
    size.map_or(USUAL, |(terminal_size::Width(width), _)| usize::from(width))
}

/// A line that is redrawn until this is dropped, and then stays.
pub(crate) struct Ticker {
    /// Dropped to stop the thread.
    over: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Draws the text for so much time and width, once the work takes long.
    pub(crate) fn start(line: impl Fn(Duration, usize) -> String + Send + 'static) -> Ticker {
        let (over, told) = mpsc::channel();
        let began = Instant::now();
        let tick = move || {
            let mut pause = PATIENCE;
            while told.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                draw(&line(began.elapsed(), width()));
                pause = PAUSE;
            }
            if pause == PAUSE {
                // Shows the final state too.
                draw(&line(began.elapsed(), width()));
            }
        };
        // If no thread can be started, the work is done without a line.
        let thread = thread::Builder::new().spawn(tick).ok();
        Ticker { over: Some(over), thread }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.over = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The progress of work on the states of a game.
pub(crate) struct Bar {
    seen: Arc<Seen>,
    _ticker: Ticker,
}

/// The reports of the work; another thread draws them.
struct Seen {
    /// The current part, if it has a name.
    what: String,
    done: &'static str,
    level: AtomicU32,
    count: AtomicU64,
    of: AtomicU64,
    over: AtomicU32,
}

/// Stands for no level.
const NO_LEVEL: u32 = u32::MAX;
/// Stands for the time before the first level.
const SEEDING: u32 = u32::MAX - 1;

impl Bar {
    /// A bar for a part of the work, which may have a name.
    pub(crate) fn new(what: String, done: &'static str) -> Bar {
        let seen = Arc::new(Seen {
            what,
            done,
            level: NO_LEVEL.into(),
            count: 0.into(),
            of: 0.into(),
            over: 0.into(),
        });
        let drawn = Arc::clone(&seen);
        let _ticker = Ticker::start(move |elapsed, width| drawn.line(elapsed, width));
        Bar { seen, _ticker }
    }

    /// Reports the progress of a solve with `open` valid states.
    pub(crate) fn show_level(&self, progress: &Progress, open: u64) {
        self.seen.level.store(progress.level.unwrap_or(SEEDING), Ordering::Relaxed);
        self.show(progress.done, if progress.level.is_some() { open } else { progress.states });
    }

    /// Reports how many states are done.
    pub(crate) fn show(&self, count: u64, of: u64) {
        self.seen.count.store(count, Ordering::Relaxed);
        self.seen.of.store(of, Ordering::Relaxed);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.seen.over.store(1, Ordering::Relaxed);
    }
}

impl Seen {
    fn line(&self, elapsed: Duration, width: usize) -> String {
        let (count, of) = (self.count.load(Ordering::Relaxed), self.of.load(Ordering::Relaxed));
        let level = self.level.load(Ordering::Relaxed);
        if of == 0 {
            let head = if self.done == "settled" { "seeding" } else { self.done };
            return Line { head, elapsed, ..Line::default() }.fit(width);
        }
        // States that never settle are draws. They are done at the end.
        let share = match self.over.load(Ordering::Relaxed) {
            0 => (count as f64 / of as f64).min(0.999),
            _ => 1.0,
        };
        let (head, done) = match level {
            NO_LEVEL => (self.what.clone(), self.done),
            SEEDING => ("seeding".to_owned(), "seeded"),
            level => (format!("level {level}"), self.done),
        };
        let rate = rounded(count as f64 / elapsed.as_secs_f64());
        let share = Some(share);
        Line { head: &head, share, done, rate: &rate, elapsed, ago: Duration::ZERO }.fit(width)
    }
}

/// The contents of a line, as far as there is space.
#[derive(Default)]
pub(crate) struct Line<'a> {
    /// The current part.
    pub(crate) head: &'a str,
    /// The share that is done, if it is known.
    pub(crate) share: Option<f64>,
    /// What happens to the states.
    pub(crate) done: &'a str,
    /// How many a second.
    pub(crate) rate: &'a str,
    /// When it began.
    pub(crate) elapsed: Duration,
    /// When it had done so much, if that is known.
    pub(crate) ago: Duration,
}

impl Line<'_> {
    /// The line for a terminal of `width` columns. The last column stays free.
    pub(crate) fn fit(&self, width: usize) -> String {
        /// A shorter bar shows nothing.
        const BAR: std::ops::RangeInclusive<usize> = 8..=30;
        let width = width.saturating_sub(1);
        let seconds = self.elapsed.as_secs_f64();
        let elapsed = clock(seconds);
        let Some(share) = self.share else {
            return cut(&format!("{}, {elapsed}", self.head), width);
        };
        let percent = format!("{:.1}%", 100.0 * share);
        // Too early it is a guess, and at the end it is over before a reader sees it.
        let then = seconds - self.ago.as_secs_f64();
        let left = then * (1.0 - share) / share - (seconds - then);
        let left = (share > 0.01 && share < 1.0 && seconds > 1.0 && left > 0.0)
            .then(|| clock(left.ceil()));
        let left = left.map_or(String::new(), |left| format!(", {left} left"));
        let done = match self.done {
            "" => String::new(),
            done => format!(" {done}"),
        };
        let rate = match self.rate {
            "" => String::new(),
            rate => format!(", {rate} states/s"),
        };
        let head = match self.head {
            "" => String::new(),
            head => format!("{head} "),
        };
        let tails = [
            format!("{percent}{done}{rate}, {elapsed}{left}"),
            format!("{percent}{done}, {elapsed}{left}"),
            format!("{percent}, {elapsed}{left}"),
        ];
        for tail in &tails {
            let taken = head.chars().count() + tail.len() + "[] ".len();
            let room = width.saturating_sub(taken).min(*BAR.end());
            if room >= *BAR.start() {
                let full = (share * room as f64) as usize;
                let bar = "#".repeat(full) + &".".repeat(room - full);
                return format!("{head}[{bar}] {tail}");
            }
        }
        // Head and tail matter more than a bar. If the head is a long list, its end matters least.
        let tail = &tails[2];
        cut(&head, width.saturating_sub(tail.len())) + &cut(tail, width)
    }
}

/// A text that is shortened to `width` characters.
fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.to_owned(),
        Some(_) if width < 2 => text.chars().take(width).collect(),
        // A blank at the end keeps it apart from the next.
        Some(_) => text.chars().take(width - 2).chain("~ ".chars()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(head: &str, share: f64) -> Line<'_> {
        let elapsed = Duration::from_secs(20);
        Line {
            head,
            share: Some(share),
            done: "settled",
            rate: "25 M",
            elapsed,
            ago: Duration::ZERO,
        }
    }

    #[test]
    fn a_line_says_as_much_as_there_is_room_for() {
        let line = line("level 17", 0.25);
        for (width, text) in [
            (
                200,
                "level 17 [#######.......................] 25.0% settled, 25 M states/s, 20s, 1m00s left",
            ),
            (80, "level 17 [#####.................] 25.0% settled, 25 M states/s, 20s, 1m00s left"),
            (60, "level 17 [####.............] 25.0% settled, 20s, 1m00s left"),
            (40, "level 17 25.0%, 20s, 1m00s left"),
            (20, "25.0%, 20s, 1m00s~ "),
        ] {
            assert_eq!(line.fit(width), text);
        }
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let long = "KQvKR level 17, KBvKR seeding, KNvKR writing 45%";
        for width in 0..120 {
            for (head, share) in [("", 0.5), ("level 1234", 0.999), (long, 0.02), (long, 1.0)] {
                let said = line(head, share).fit(width);
                assert!(said.chars().count() < width.max(1), "{width}: {said}");
                let said = Line { head, ..Line::default() }.fit(width);
                assert!(said.chars().count() < width.max(1), "{width}: {said}");
            }
        }
    }

    #[test]
    fn the_end_is_reached_when_it_is_over() {
        let bar = Bar::new(String::new(), "settled");
        assert_eq!(bar.seen.line(PATIENCE, 80), "seeding, 1s");
        bar.show_level(&Progress { level: None, done: 50, states: 200 }, 100);
        assert!(bar.seen.line(PATIENCE, 80).contains("25.0% seeded, 50 states/s, 1s"));
        bar.show_level(&Progress { level: Some(3), done: 60, states: 200 }, 100);
        assert!(bar.seen.line(PATIENCE, 80).contains("60.0% settled, 60 states/s, 1s"));
        let seen = Arc::clone(&bar.seen);
        drop(bar);
        assert!(seen.line(PATIENCE, 80).contains("[##############################] 100.0%"));
    }
}
