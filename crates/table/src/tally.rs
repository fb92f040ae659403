//! Counts the values of a table again, to check its header and its histogram.
//!
//! Checksums cover both, but the writer may have written wrong numbers.

use retrograde::internal::{ByLevel, threads};
use retrograde::parts::Tally;
use retrograde::{Code, Counts, Game, Level, Probe, Value};

use crate::error::TableError;
use crate::header::SideCounts;
use crate::rules::{Partial, WithRules};
use crate::table::Table;

/// Counts states in runs of this length.
const RUN: u64 = 1 << 16;

impl<G: Game, T: Partial + Sync> WithRules<'_, G, T> {
    /// Counts all states, and compares every number with the header and the histogram. `sides` are the sides
    /// in the order of the header. `side_run` gives the side to move in a state, and for how many states
    /// from there on. If `sides` is empty, only the histogram is checked.
    pub fn check_counts(
        &self,
        sides: &[&str],
        side_run: impl Fn(u64) -> (usize, u64) + Sync,
    ) -> Result<(), TableError> {
        Recounting { values: self, table: self.table() }.check_counts(sides, &side_run)
    }
}

/// The values of a table, whatever adds those that it leaves out. So this is not compiled for each game.
struct Recounting<'a> {
    values: &'a dyn Probe<Error = TableError>,
    table: &'a Table,
}

impl Recounting<'_> {
    fn check_counts(
        &self,
        sides: &[&str],
        side_run: &(dyn Fn(u64) -> (usize, u64) + Sync),
    ) -> Result<(), TableError> {
        let Recounting { values, table } = *self;
        let none = || Recount::new(sides.len().max(1));
        let count_run = |run: u64| {
            let mut tally = none();
            let states = run * RUN..values.states().min((run + 1) * RUN);
            let mut codes = vec![Code::INVALID; (states.end - states.start) as usize];
            values.fill_codes(states.start, &mut codes)?;
            let mut rest = &codes[..];
            while !rest.is_empty() {
                let first = states.end - rest.len() as u64;
                let (side, len) = side_run(first);
                let (here, after) = rest.split_at(rest.len().min(len as usize));
                for (state, &code) in (first..).zip(here) {
                    tally.add_code(side, code);
                    if code.is_far() {
                        tally.add(side, values.probe(state)?, 1);
                    }
                }
                rest = after;
            }
            Ok(tally.decoded())
        };
        let mut tally = none();
        threads::try_map(values.states().div_ceil(RUN), 16, count_run, |run| {
            tally.add_all(&run);
            Ok(())
        })?;
        self.disagreement(&tally, sides)?.map_or(Ok(()), |problem| {
            let path = table.path().into();
            Err(TableError::Header { path, problem })
        })
    }

    /// The first wrong number in the table, if any. A table may have no counts of sides. A table with
    /// distances must have a histogram.
    fn disagreement(&self, tally: &Recount, sides: &[&str]) -> Result<Option<String>, TableError> {
        let header = self.table.header();
        let said = &header.about.counts;
        let found = sides.iter().zip(&tally.counts);
        let found: Vec<_> = found.map(|(side, counts)| SideCounts::new(side, *counts)).collect();
        if !sides.is_empty() && !said.is_empty() {
            let differs =
                (0..said.len().max(found.len())).find(|&at| said.get(at) != found.get(at));
            if let Some(at) = differs {
                let spell =
                    |counts: Option<&SideCounts>| counts.map_or("no more sides".into(), spell);
                let (said, found) = (spell(said.get(at)), spell(found.get(at)));
                return Ok(Some(format!("it says {said}, but there are {found}")));
            }
        }
        if !self.values.has_distances() {
            return Ok(None);
        }
        let said = self.table.levels()?;
        let levels: Vec<Level> = Level::all(&tally.levels).collect();
        let differs = (0..said.len().max(levels.len())).find(|&at| said.get(at) != levels.get(at));
        if let Some(at) = differs {
            let spell = |level: Option<&Level>| {
                level.map_or("no more levels".into(), |Level { distance, wins, losses }| {
                    format!("{wins} wins and {losses} losses at distance {distance}")
                })
            };
            let (said, found) = (spell(said.get(at)), spell(levels.get(at)));
            return Ok(Some(format!("the histogram says {said}, but there are {found}")));
        }
        let longest = levels.last().map(|level| level.distance);
        let spell =
            |longest: Option<u32>| longest.map_or("none".into(), |longest| longest.to_string());
        Ok((header.longest != longest).then(|| {
            let (said, found) = (spell(header.longest), spell(longest));
            format!("it says that the longest distance is {said}, but it is {found}")
        }))
    }
}

fn spell(counts: &SideCounts) -> String {
    let SideCounts { side, win, loss, draw, invalid } = counts;
    format!("{win} won, {loss} lost, {draw} drawn and {invalid} invalid for {side}")
}

/// States counted by side to move and by level.
struct Recount {
    counts: Vec<Counts>,
    levels: ByLevel<Tally>,
    /// For each side, how often each code occurs. To count codes takes one addition a state, and to count
    /// values takes a dozen.
    codes: Vec<Vec<u64>>,
}

impl Recount {
    fn new(sides: usize) -> Recount {
        let (counts, codes) = (vec![Counts::default(); sides], vec![Vec::new(); sides]);
        Recount { counts, levels: ByLevel::default(), codes }
    }

    #[inline(always)]
    fn add_code(&mut self, side: usize, code: Code) {
        let (codes, at) = (&mut self.codes[side], usize::from(code.bits()));
        if at >= codes.len() {
            codes.resize(at + 1, 0);
        }
        codes[at] += 1;
    }

    /// Adds `states` states of a value.
    fn add(&mut self, side: usize, value: Option<Value>, states: u64) {
        let counts = &mut self.counts[side];
        match value {
            None => counts.invalid += states,
            Some(Value::Draw) => counts.draw += states,
            Some(Value::Win(distance)) => {
                counts.win += states;
                self.levels.at(distance).wins += states;
            }
            Some(Value::Loss(distance)) => {
                counts.loss += states;
                self.levels.at(distance).losses += states;
            }
        }
    }

    /// Turns counts of codes into counts of values. It leaves out far codes, because their values are already
    /// counted.
    fn decoded(mut self) -> Recount {
        for (side, codes) in std::mem::take(&mut self.codes).into_iter().enumerate() {
            for (code, states) in (0..=u16::MAX).map(Code::from_bits).zip(codes) {
                if states > 0 && !code.is_far() {
                    self.add(side, code.value(), states);
                }
            }
        }
        self
    }

    /// Adds another one, without its codes.
    fn add_all(&mut self, other: &Recount) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(sum, counts)| *sum += *counts);
        other.levels.from(0).for_each(|(distance, tally)| *self.levels.at(distance) += *tally);
    }
}
