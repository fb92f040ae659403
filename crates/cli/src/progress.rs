//! The progress bar: one line on a terminal, drawn over and over, for what takes over a second.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use retrograde::Progress;

use crate::number::rounded;

/// How long a solve may take before it is worth a bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the bar is drawn.
const PAUSE: Duration = Duration::from_millis(100);
/// The clock is read once in so many states, so that millions of tiny levels do not pay for it.
const STATES_A_LOOK: u64 = 1 << 14;
const WIDTH: usize = 30;

/// A bar on standard error. Wiped when dropped.
pub(crate) struct Bar {
    /// What becomes of the states: `settled`, `written`, `verified`.
    done: &'static str,
    began: Instant,
    /// When it was last drawn.
    drawn: Option<Instant>,
    /// How many states were done when the clock was last read.
    looked: u64,
}

impl Bar {
    /// A bar, where somebody sits in front of it.
    pub(crate) fn on_terminal(done: &'static str) -> Option<Bar> {
        let began = Instant::now();
        io::stderr().is_terminal().then(|| Bar { done, began, drawn: None, looked: 0 })
    }

    /// Draws how far the solve has come, when it is time to.
    pub(crate) fn show_level(&mut self, progress: &Progress) {
        self.show(Some(progress.level), progress.settled, progress.states);
    }

    /// Draws how many states are done, when it is time to.
    pub(crate) fn show(&mut self, level: Option<u32>, count: u64, states: u64) {
        if count.wrapping_sub(self.looked) < STATES_A_LOOK {
            return;
        }
        self.looked = count;
        let now = Instant::now();
        let due = self.drawn.map_or(self.began + PATIENCE, |drawn| drawn + PAUSE);
        if now < due {
            return;
        }
        self.drawn = Some(now);
        let line = line(level, self.done, count, states, now - self.began);
        // A terminal that went away does not stop the work.
        let mut terminal = io::stderr().lock();
        let _ = redraw(&mut terminal, &line);
    }
}

/// Draws a line in the place of the one before. While it is drawn the terminal is told not to wrap, so that what is wider than
/// the terminal is cut off and never floods it, however wide that is by now.
pub(crate) fn redraw(terminal: &mut dyn Write, line: &str) -> io::Result<()> {
    write!(terminal, "\x1b[?7l\r{line}\x1b[K\x1b[?7h")?;
    terminal.flush()
}

impl Drop for Bar {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

fn line(level: Option<u32>, done: &str, count: u64, states: u64, elapsed: Duration) -> String {
    let level = level.map_or(String::new(), |level| format!("level {level} "));
    let share = count as f64 / states.max(1) as f64;
    let full = (share * WIDTH as f64) as usize;
    let bar: String = (0..WIDTH).map(|place| if place < full { '#' } else { '.' }).collect();
    let rate = rounded(count as f64 / elapsed.as_secs_f64());
    format!("{level}[{bar}] {:.1}% {done}, {rate} states/s", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_level_share_and_rate() {
        let elapsed = Duration::from_secs(2);
        let bar = "[#######.......................] 25.0%";
        let line = |level, done| line(level, done, 50_000_000, 200_000_000, elapsed);
        assert_eq!(line(Some(17), "settled"), format!("level 17 {bar} settled, 25 M states/s"));
        assert_eq!(line(None, "written"), format!("{bar} written, 25 M states/s"));
    }
}
