//! What a build tells: a line for each finished table, and on a terminal what is going on.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use retrograde_chess::Material;
use retrograde_regions::Event;

use crate::failure::Failure;
use crate::number::{Size, grouped, time};
use crate::progress::redraw;

/// What is done with a table that is there.
const READING: &str = "reading";

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
            Event::Checking(&region) => News::Doing(region, READING.into()),
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
                // One table is read after the other, and whatever comes next, the one before is done.
                self.doing.retain(|_, what| what != READING);
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
        // A terminal that went away does not stop the work.
        let _ = redraw(&mut io::stderr().lock(), &self.line());
    }

    fn line(&self) -> String {
        let doing: Vec<_> =
            self.doing.iter().map(|(region, what)| format!("{region} {what}")).collect();
        format!("{} tables made; {}", self.made, doing.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_have_been_read_are_no_longer_told_of() {
        let mut watch = Watch::new(true);
        let mut out = Vec::new();
        for name in ["KQvK", "KRvK", "KQvKR"] {
            let material = name.parse().expect("a material");
            watch.hear(News::Doing(material, READING.into()), &mut out).expect("it is told");
            assert_eq!(watch.line(), format!("0 tables made; {name} reading"));
        }
        let material = "KBvK".parse().expect("a material");
        watch.hear(News::Doing(material, "seeding".into()), &mut out).expect("it is told");
        assert_eq!(watch.line(), "0 tables made; KBvK seeding");
    }
}
