//! What a build tells: a line for each finished table, and on a terminal what is going on.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use retrograde_chess::Material;
use retrograde_regions::Event;

use crate::failure::Failure;
use crate::number::{Size, grouped, time};

/// An event of a build, with what is worth telling of it.
pub(super) enum News {
    /// Something goes on with a region.
    Doing(Material, String),
    /// A table is missing or damaged.
    Repairing(String),
    /// A table is finished: states, bytes, how long it took.
    Finished(Material, u64, u64, Duration),
}

impl News {
    /// What there is to tell of an event, if anything.
    pub(super) fn of(event: Event<'_, Material>) -> Option<News> {
        Some(match event {
            Event::Checking(&region) => News::Doing(region, "reading".into()),
            Event::Repairing(_, error) => News::Repairing(error.to_string()),
            Event::Begun(planned) => News::Doing(planned.region, "seeding".into()),
            Event::Solving(&region, progress) => {
                News::Doing(region, format!("level {}", progress.level))
            }
            Event::Verifying(&region) => News::Doing(region, "verifying".into()),
            Event::Writing(&region, written, of) => {
                News::Doing(region, format!("writing {}%", 100 * written / of.max(1)))
            }
            Event::Finished(&region, entry, time) => {
                News::Finished(region, entry.states, entry.bytes, time)
            }
            _ => return None,
        })
    }
}

/// Who listens to the news.
pub(super) struct Watch {
    began: Instant,
    made: usize,
    /// Where somebody sits in front of a terminal: when its last line was drawn.
    terminal: Option<Instant>,
    drawn: bool,
    /// What is in hand.
    doing: BTreeMap<Material, String>,
}

impl Watch {
    /// Nothing on standard error if `quiet`, or if it is no terminal.
    pub(super) fn new(quiet: bool) -> Watch {
        let began = Instant::now();
        let terminal = (!quiet && io::stderr().is_terminal()).then_some(began);
        Watch { began, made: 0, terminal, drawn: false, doing: BTreeMap::new() }
    }

    /// Tells what is new.
    pub(super) fn hear(&mut self, news: News, out: &mut dyn Write) -> Result<(), Failure> {
        match news {
            News::Doing(region, what) => {
                self.doing.insert(region, what);
                self.draw();
            }
            News::Repairing(error) => {
                self.wipe();
                // Where standard error is closed the table is made again all the same.
                let _ = writeln!(io::stderr(), "made again: {error}");
            }
            News::Finished(region, states, bytes, took) => {
                self.doing.remove(&region);
                self.made += 1;
                self.wipe();
                let (states, size) = (grouped(states), Size { bytes }.to_string());
                let took = time(took.as_secs_f64());
                writeln!(out, "{:<8} {states:>16} states {size:>9}  {took}", region.to_string())?;
                out.flush()?;
            }
        }
        Ok(())
    }

    /// How many tables were made.
    pub(super) fn made(&self) -> usize {
        self.made
    }

    /// How long it took so far.
    pub(super) fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// Takes the line from the terminal.
    pub(super) fn wipe(&mut self) {
        if std::mem::take(&mut self.drawn) {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    fn draw(&mut self) {
        const PAUSE: Duration = Duration::from_millis(100);
        if self.terminal.is_none_or(|last| last.elapsed() < PAUSE) {
            return;
        }
        self.terminal = Some(Instant::now());
        self.drawn = true;
        let doing: Vec<_> =
            self.doing.iter().map(|(region, what)| format!("{region} {what}")).collect();
        let line = format!("{} tables made; {}", self.made, doing.join(", "));
        let mut terminal = io::stderr().lock();
        let _ = write!(terminal, "\r{line}\x1b[K").and_then(|()| terminal.flush());
    }
}
