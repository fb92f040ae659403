//! Looks at all states of a region, a run at a time: for statistics, and for lists.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::ops::Range;

use retrograde::{Outcome, Value};
use retrograde_regions::{OracleError, States, word};
use serde::Serialize;

/// How many of the longest wins are listed.
pub const LONGEST: usize = 10;

/// In how many positions, of those in which either side may be to move, it is better, worse or the same to
/// move first. An advantage for one side is also one for the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct First {
    /// In how many it is better.
    pub better: u64,
    /// In how many it is worse.
    pub worse: u64,
    /// In how many it is the same.
    pub same: u64,
}

/// The statistics of some states.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Sorted, and no more than are listed.
    longest: Vec<(Reverse<u32>, u64)>,
    /// Whether it is better to move first.
    pub first: First,
}

impl First {
    /// Counts a position, given its value for either side if that side moves.
    fn count(&mut self, here: Value, passed: Value) {
        let worth = |value: Value| match value.outcome() {
            Outcome::Loss => -1,
            Outcome::Draw => 0,
            Outcome::Win => 1,
        };
        // A win of the other side, if it moves, is a loss here.
        match worth(here) + worth(passed) {
            1.. => self.better += 1,
            0 => self.same += 1,
            _ => self.worse += 1,
        }
    }
}

impl Tally {
    /// Keeps a win if it is among the longest and real: a table may have any value for an invalid number.
    fn keep(&mut self, state: u64, value: Value, is_state: impl FnOnce() -> bool) {
        let Value::Win(plies) = value else { return };
        let found = (Reverse(plies), state);
        let is_short =
            self.longest.len() == LONGEST && self.longest.last().is_some_and(|last| *last <= found);
        if is_short || !is_state() {
            return;
        }
        let place = self.longest.partition_point(|kept| *kept < found);
        self.longest.insert(place, found);
        self.longest.truncate(LONGEST);
    }

    /// The longest wins and their plies, the longest first. Equal ones are in the order of the numbering.
    pub fn longest(&self) -> impl Iterator<Item = (u64, u32)> {
        self.longest.iter().map(|&(Reverse(plies), state)| (state, plies))
    }

    /// The statistics of these states and of others.
    #[must_use]
    pub fn and(mut self, other: Tally) -> Tally {
        self.longest.extend(other.longest);
        self.longest.sort_unstable();
        self.longest.truncate(LONGEST);
        self.first.better += other.first.better;
        self.first.worse += other.first.worse;
        self.first.same += other.first.same;
        self
    }
}

/// The statistics of a run of states. A win in less than `least` plies is not among the longest.
pub fn tally_run(states: &dyn States, run: Range<u64>, least: u32) -> Result<Tally, OracleError> {
    let fill = |run: &Range<u64>| {
        let mut found = vec![None; (run.end - run.start) as usize];
        states.fill(run.start, &mut found).map(|()| found)
    };
    let mut tally = Tally::default();
    let found = fill(&run)?;
    for (state, value) in run.clone().zip(&found) {
        if let Some(worth) = value.filter(|value| value.distance() >= Some(least)) {
            tally.keep(state, worth, || states.text(state, *value).is_some());
        }
    }
    // Each placement once, with the first side to move.
    let mut pairs = Vec::new();
    states.passed(run.clone(), &mut |state, passed| pairs.push((state, passed)));
    // If the same placements with the other side to move lie close together, one read gets them all.
    let first = pairs.iter().map(|(_, passed)| *passed).min().unwrap_or(0);
    let end = pairs.iter().map(|(_, passed)| passed + 1).max().unwrap_or(0);
    let near = end - first <= 4 * (run.end - run.start);
    let others = if near { fill(&(first..end))? } else { Vec::new() };
    for (state, passed) in pairs {
        let other = match near {
            true => others[(passed - first) as usize],
            false => fill(&(passed..passed + 1))?[0],
        };
        if let Some((here, other)) = found[(state - run.start) as usize].zip(other) {
            tally.first.count(here, other);
        }
    }
    Ok(tally)
}

/// How a line of a list is written.
#[derive(Clone, Copy, Debug)]
pub enum Lines {
    /// With tabs between the fields.
    Tabs,
    /// With commas.
    Csv,
    /// As an object that begins with this version of its shape.
    Json {
        /// The version.
        format: u32,
    },
}

/// A line as an object.
#[derive(Serialize)]
struct Row<'a> {
    format: u32,
    state: &'a str,
    value: &'static str,
    distance: Option<u32>,
}

impl Lines {
    /// Writes the line of a state into a string, which cannot fail.
    pub fn write(self, text: &mut String, state: &str, value: Option<Value>, distances: bool) {
        let distance = value.and_then(Value::distance).filter(|_| distances);
        let value = value.map_or("invalid", word);
        let number = distance.map(|distance| distance.to_string());
        _ = match self {
            Lines::Tabs => writeln!(text, "{state}\t{value}\t{}", number.as_deref().unwrap_or("-")),
            Lines::Csv => {
                writeln!(text, "{},{value},{}", quoted(state), number.as_deref().unwrap_or(""))
            }
            Lines::Json { format } => {
                let row = Row { format, state, value, distance };
                writeln!(text, "{}", serde_json::to_string(&row).unwrap_or_default())
            }
        };
    }
}

/// The lines of the valid states of a run.
pub fn list_run(
    states: &dyn States,
    distances: bool,
    lines: Lines,
    run: Range<u64>,
) -> Result<String, OracleError> {
    let mut found = vec![None; (run.end - run.start) as usize];
    states.fill(run.start, &mut found)?;
    let mut text = String::new();
    for (state, value) in run.zip(found) {
        if let Some(state) = states.text(state, value) {
            lines.write(&mut text, &state, value, distances);
        }
    }
    Ok(text)
}

/// A field of a comma-separated line, in quotes if it contains a special character.
pub fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
