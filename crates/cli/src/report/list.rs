//! A list of states with their values, one per line: with tabs, with commas, or as objects.

use std::io::Write;
use std::ops::Range;

use retrograde::Value;
use retrograde::internal::threads;

use crate::report::format::Format;
use crate::term::failure::Failure;
use crate::term::progress::Bar;

/// How many lines a thread makes at a time. Several threads work at once, and the runs are written in order.
const RUN: u64 = 1 << 13;

/// Writes the list of `states` states. `lines` makes the lines of a run.
pub(crate) fn write_runs(
    states: u64,
    format: Format,
    bar: Option<&Bar>,
    out: &mut dyn Write,
    lines: impl Fn(Range<u64>) -> Result<String, Failure> + Sync,
) -> Result<(), Failure> {
    if format == Format::Csv {
        writeln!(out, "state,value,distance")?;
    }
    let runs = states.div_ceil(RUN);
    let run = |run: u64| run * RUN..states.min((run + 1) * RUN);
    let lines = |number: u64| Ok((run(number).end, lines(run(number))?));
    threads::try_map(runs, 4, lines, |(done, text)| {
        out.write_all(text.as_bytes())?;
        if let Some(bar) = bar {
            bar.show(done, states);
        }
        Ok(())
    })
}

/// The distance of a value, if it has one and distances were kept.
pub(crate) fn distance(value: Value, kept: bool) -> Option<u32> {
    value.distance().filter(|_| kept)
}
