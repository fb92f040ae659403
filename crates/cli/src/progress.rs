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
    began: Instant,
    /// When it was last drawn.
    drawn: Option<Instant>,
    /// How many states were settled when the clock was last read.
    looked: u64,
}

impl Bar {
    /// A bar, where somebody sits in front of it.
    pub(crate) fn on_terminal() -> Option<Bar> {
        io::stderr().is_terminal().then(|| Bar { began: Instant::now(), drawn: None, looked: 0 })
    }

    /// Draws how far the solve has come, when it is time to.
    pub(crate) fn show(&mut self, progress: &Progress) {
        if progress.settled.wrapping_sub(self.looked) < STATES_A_LOOK {
            return;
        }
        self.looked = progress.settled;
        let now = Instant::now();
        let due = self.drawn.map_or(self.began + PATIENCE, |drawn| drawn + PAUSE);
        if now < due {
            return;
        }
        self.drawn = Some(now);
        let line = line(progress.level, progress.settled, progress.states, now - self.began);
        // A terminal that went away does not stop the solve.
        let mut terminal = io::stderr().lock();
        let _ = write!(terminal, "\r{line}\x1b[K").and_then(|()| terminal.flush());
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

fn line(level: u32, settled: u64, states: u64, elapsed: Duration) -> String {
    let share = settled as f64 / states.max(1) as f64;
    let full = (share * WIDTH as f64) as usize;
    let bar: String = (0..WIDTH).map(|place| if place < full { '#' } else { '.' }).collect();
    let rate = rounded(settled as f64 / elapsed.as_secs_f64());
    format!("level {level} [{bar}] {:.1}% settled, {rate} states/s", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_level_share_and_rate() {
        let line = line(17, 50_000_000, 200_000_000, Duration::from_secs(2));
        assert_eq!(line, "level 17 [#######.......................] 25.0% settled, 25 M states/s");
    }
}
