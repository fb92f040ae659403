//! The values of a solution, encoded block by block for a table.

use retrograde::{Code, Probe, Value};

use crate::code::{DISTANCE_MAX, Encoder, Forgotten};
use crate::exits::{BestExits, exit_as_kept};
use crate::layout::Run;

/// The values to write: any [`Probe`], as a trait object. So the writer is compiled once, and not for each source of
/// values.
pub trait Values: Sync {
    /// As [`Probe::states`].
    fn states(&self) -> u64;

    /// As [`Probe::has_distances`].
    fn has_distances(&self) -> bool;

    /// As [`Probe::fill_codes`]. The error says why a value is missing.
    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), String>;

    /// As [`Probe::fill`].
    fn fill(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), String>;
}

impl<P: Probe> Values for P {
    fn states(&self) -> u64 {
        Probe::states(self)
    }

    fn has_distances(&self) -> bool {
        Probe::has_distances(self)
    }

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), String> {
        Probe::fill_codes(self, first, codes).map_err(|error| error.to_string())
    }

    fn fill(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), String> {
        Probe::fill(self, first, values).map_err(|error| error.to_string())
    }
}

/// The values of the blocks to pack.
pub(crate) struct Source<'a> {
    pub(crate) values: &'a dyn Values,
    pub(crate) forget_invalid: bool,
    /// The exits that a reader will use, if the table leaves out their values.
    pub(crate) exits: Option<&'a dyn BestExits>,
}

/// The buffers of one thread.
#[derive(Default)]
pub(crate) struct Scratch {
    encoder: Encoder,
    /// The runs of a block.
    runs: Vec<Run>,
    /// The code of the best exit of each state of a block.
    exits: Vec<Code>,
    /// For each state, whether a reader finds its value by its exits.
    free: Vec<bool>,
    /// The codes of the values of a block.
    codes: Vec<Code>,
    /// The values of a block in which some distance is too long for a code.
    values: Vec<Option<Value>>,
}

impl Source<'_> {
    /// Appends the bytes of a block of these runs. The error says why a value is missing.
    pub(crate) fn encode(
        &self,
        scratch: &mut Scratch,
        runs: impl Iterator<Item = Run>,
        bytes: &mut Vec<u8>,
    ) -> Result<(), String> {
        let Scratch { encoder, runs: block, exits, free, codes, values } = scratch;
        block.clear();
        block.extend(runs);
        let states = block.iter().map(|run| run.len).sum();
        codes.resize(states, Code::INVALID);
        for run in &*block {
            let codes = &mut codes[run.at..run.at + run.len];
            self.values.fill_codes(run.first, codes)?;
        }
        free.clear();
        if let Some(by) = self.exits {
            exits.resize(states, Code::INVALID);
            for run in &*block {
                let exits = &mut exits[run.at..run.at + run.len];
                by.best_exits(run.first, exits).map_err(|error| error.to_string())?;
            }
            let distances = self.values.has_distances();
            let tells = |(code, exit): (&Code, &Code)| {
                let exit = exit_as_kept(*exit, distances);
                (exit != Code::INVALID) & (exit == *code) & !exit.is_far()
            };
            free.extend(codes.iter().zip(&*exits).map(tells));
        }
        let forgotten = Forgotten { invalid: self.forget_invalid, free };
        if encoder.encode_codes(codes, forgotten, bytes) {
            return Ok(());
        }
        values.resize(states, None);
        for run in &*block {
            let values = &mut values[run.at..run.at + run.len];
            self.values.fill(run.first, values)?;
            let too_far = |value: &Option<Value>| {
                value.and_then(Value::distance).is_some_and(|distance| distance > DISTANCE_MAX)
            };
            if let Some((state, _)) = (run.first..).zip(&*values).find(|(_, value)| too_far(value))
            {
                return Err(format!(
                    "state {state} is more than {DISTANCE_MAX} plies from the end, which no table can hold"
                ));
            }
        }
        encoder.encode(values, forgotten, bytes);
        Ok(())
    }
}
