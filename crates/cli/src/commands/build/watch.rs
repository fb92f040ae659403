//! Shows the progress of a build: a line for each finished table, and on a terminal a bar.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use retrograde_regions::{Event, Plan};
use serde::Serialize;

use crate::report::format::{Printer, Report};
use crate::term::failure::Failure;
use crate::term::number::{Size, grouped, time};
use crate::term::progress::{Line, Ticker, note};
use crate::term::quiet::Quiet;

/// An event of a build, with the numbers to show.
pub(super) enum News {
    /// A finished table is read.
    Reading,
    /// A stage of a region, and the share that is done.
    Doing(String, String, f64),
    /// A table is missing or damaged.
    Repairing(String, String),
    /// A finished table: states, bytes, time.
    Finished(String, u64, u64, Duration),
    /// Another builder has finished a table.
    Found(String),
    /// There is nothing to do until another builder finishes this region: its description.
    Waiting(String, String),
    /// Another builder has taken a region of this one.
    Lost(String),
}

impl News {
    /// The line to show for an event, if any. We measured the time of each stage on KRBvKR, verified.
    pub(super) fn of(event: Event<'_>) -> Option<News> {
        Some(match event {
            Event::Checking(_) => News::Reading,
            Event::Repairing(region, error) => {
                News::Repairing(region.to_string(), error.to_string())
            }
            Event::Begun(planned) => News::Doing(planned.region.clone(), "seeding".into(), 0.0),
            Event::Solving(region, progress) => {
                let share = share(progress.done, progress.states);
                match progress.level {
                    None => News::Doing(region.to_string(), "seeding".into(), 0.15 * share),
                    Some(level) => {
                        let doing = format!("level {level}");
                        News::Doing(region.to_string(), doing, 0.15 + 0.3 * share)
                    }
                }
            }
            Event::Verifying(region, done, of) => {
                let share = share(done, of);
                let doing = format!("verifying {:.0}%", 100.0 * share);
                News::Doing(region.to_string(), doing, 0.45 + 0.3 * share)
            }
            Event::Writing(region, written, of) => {
                let share = share(written, of);
                let doing = format!("writing {:.0}%", 100.0 * share);
                News::Doing(region.to_string(), doing, 0.75 + 0.25 * share)
            }
            Event::Finished(region, entry, time) => {
                News::Finished(region.to_string(), entry.states, entry.bytes, time)
            }
            Event::Found(region, _) => News::Found(region.to_string()),
            Event::Waiting(region, holder) => News::Waiting(region.to_string(), holder.to_owned()),
            Event::Lost(region) => News::Lost(region.to_string()),
            _ => return None,
        })
    }
}

fn share(done: u64, of: u64) -> f64 {
    done as f64 / of.max(1) as f64
}

/// A table that was made.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Made {
    region: String,
    states: u64,
    bytes: u64,
    seconds: f64,
}

impl Report for Made {
    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Made { region, states, bytes, seconds } = self;
        let (states, size) = (grouped(*states), Size { bytes: *bytes }.to_string());
        let took = time(*seconds);
        Ok(writeln!(out, "{region:<8} {states:>16} states {size:>9}  {took}")?)
    }
}

/// Receives the events of a build.
pub(super) struct Watch {
    began: Instant,
    made: usize,
    /// How many tables other builders have made.
    found: usize,
    /// For whom the build waits, since when, and whether a note has said so.
    waiting: Option<(String, Instant, bool)>,
    quiet: Quiet,
    /// Shared with the thread that draws.
    doing: Arc<Mutex<Doing>>,
    /// Whether standard error is a terminal.
    _ticker: Option<Ticker>,
}

/// The progress of a build.
#[derive(Default)]
struct Doing {
    /// How many tables there will be.
    regions: usize,
    /// How many of them are done.
    done: usize,
    /// How many existing ones were read.
    read: usize,
    /// For each region to build, its number of states.
    states: BTreeMap<String, u64>,
    /// How many of these are done.
    states_done: u64,
    /// The current regions, and the share of each that is done.
    in_hand: BTreeMap<String, (String, f64)>,
    /// When the first region began. The time to read existing tables says nothing about the speed.
    begun: Option<Instant>,
    /// For whom the build waits, if it has nothing to do.
    waiting: Option<String>,
    /// The progress at the last change, and the time of that change.
    moved: Option<(f64, Instant)>,
}

impl Watch {
    /// For a planned build.
    pub(super) fn new(plan: &Plan, quiet: Quiet) -> Watch {
        let left = plan.regions.iter().filter(|planned| planned.table_bytes.is_none());
        let states: BTreeMap<_, _> =
            left.map(|planned| (planned.region.clone(), planned.states)).collect();
        let regions = plan.regions.len();
        let doing = Doing { regions, done: regions - states.len(), states, ..Doing::default() };
        let doing = Arc::new(Mutex::new(doing));
        let drawn = Arc::clone(&doing);
        let line = move |elapsed, width| held(&drawn).line(elapsed, width);
        let _ticker = quiet.is_watched().then(|| Ticker::start(line));
        let began = Instant::now();
        Watch { began, made: 0, found: 0, waiting: None, quiet, doing, _ticker }
    }

    /// Handles an event.
    pub(super) fn hear(&mut self, news: News, printer: &mut Printer<'_>) -> Result<(), Failure> {
        if let News::Waiting(region, holder) = news {
            self.wait(format!("waiting for {holder} to finish {region}"));
            return Ok(());
        }
        self.waiting = None;
        let mut doing = held(&self.doing);
        doing.waiting = None;
        match news {
            News::Reading => doing.read += 1,
            News::Doing(region, what, share) => {
                doing.begun.get_or_insert_with(Instant::now);
                doing.in_hand.insert(region, (what, share));
            }
            News::Found(region) => {
                doing.done += 1;
                doing.states_done += doing.states.get(&region).copied().unwrap_or(0);
                self.found += 1;
            }
            News::Waiting(..) => {}
            News::Lost(region) => {
                doing.in_hand.remove(&region);
                drop(doing);
                self.quiet.note(&format!(
                    "note: this build stood still, and another has taken {region}; going on with other regions"
                ));
            }
            News::Repairing(region, error) => {
                // The number of states is not known here; that of any other region is good enough.
                let states = doing.states.values().max().copied().unwrap_or(1);
                doing.states.insert(region, states);
                doing.done = doing.done.saturating_sub(1);
                drop(doing);
                note(&format!("made again: {error}"));
            }
            News::Finished(region, states, bytes, took) => {
                doing.in_hand.remove(&region);
                doing.done += 1;
                doing.states_done += doing.states.get(&region).copied().unwrap_or(0);
                drop(doing);
                self.made += 1;
                let seconds = took.as_secs_f64();
                printer.print(&Made { region, states, bytes, seconds })?;
                printer.flush()?;
            }
        }
        Ok(())
    }

    /// Shows for whom the build waits. If it waits long, also says so in a note.
    fn wait(&mut self, what: String) {
        const LONG: Duration = Duration::from_secs(10);
        held(&self.doing).waiting = Some(what.clone());
        match &mut self.waiting {
            Some((before, since, said)) if *before == what => {
                if !*said && since.elapsed() > LONG {
                    *said = true;
                    self.quiet.note(&format!("note: {what}"));
                }
            }
            waiting => *waiting = Some((what, Instant::now(), false)),
        }
    }

    /// How many tables were built.
    pub(super) fn made(&self) -> usize {
        self.made
    }

    /// How many tables other builders have finished since the start.
    pub(super) fn found(&self) -> usize {
        self.found
    }

    /// The time so far.
    pub(super) fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }
}

fn held(doing: &Mutex<Doing>) -> MutexGuard<'_, Doing> {
    doing.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Doing {
    fn line(&mut self, elapsed: Duration, width: usize) -> String {
        let Doing { regions, done, .. } = &*self;
        if let Some(what) = &self.waiting {
            let head = format!("{done} of {regions} tables; {what}");
            return Line { head: &head, elapsed, ..Line::default() }.fit(width);
        }
        let Some(begun) = self.begun else {
            let head = format!("reading table {} of {done}", self.read.min(*done).max(1));
            let head = if *done == 0 { "planning" } else { &head };
            return Line { head, elapsed, ..Line::default() }.fit(width);
        };
        let all: u64 = self.states.values().sum();
        let states_of = |region: &String| self.states.get(region).copied().unwrap_or(0) as f64;
        let in_hand: f64 =
            self.in_hand.iter().map(|(region, (_, share))| share * states_of(region)).sum();
        let share = (self.states_done as f64 + in_hand) / all.max(1) as f64;
        let what: Vec<_> =
            self.in_hand.iter().map(|(region, (what, _))| format!("{region} {what}")).collect();
        let head = format!("{done} of {regions} tables; {}", what.join(", "));
        let moved = self.moved.filter(|(before, _)| *before == share);
        let (_, when) = *self.moved.insert(moved.unwrap_or_else(|| (share, Instant::now())));
        let line = Line { head: &head, share: Some(share.min(1.0)), ..Line::default() };
        Line { elapsed: begun.elapsed(), ago: when.elapsed(), ..line }.fit(width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_many_tables_are_read_the_line_stays_short() {
        let mut doing = Doing { regions: 30, done: 29, read: 0, ..Doing::default() };
        for read in 1..=29 {
            doing.read = read;
            let line = doing.line(Duration::from_secs(3), 40);
            assert_eq!(line, format!("reading table {read} of 29, 3s"));
        }
    }

    #[test]
    fn a_build_says_how_much_of_it_is_done() {
        let states = [("KQvK", 100), ("KRvK", 100), ("KQvKR", 1800)];
        let states = states.map(|(name, states)| (name.to_owned(), states)).into();
        let in_hand = [("KQvKR".to_owned(), ("level 7".to_owned(), 0.5))].into();
        let mut doing =
            Doing { regions: 5, done: 4, states, states_done: 200, in_hand, ..Doing::default() };
        doing.begun = Some(Instant::now());
        let line = doing.line(Duration::ZERO, 80);
        assert!(
            line.starts_with("4 of 5 tables; KQvKR level 7 [") && line.contains("] 55.0%, "),
            "{line}"
        );
        doing.in_hand.clear();
        doing.states_done = 2000;
        assert!(doing.line(Duration::ZERO, 80).contains("] 100.0%, "));
    }
}
