//! The values of a solution, encoded block by block for a table.

use retrograde::{Code, Probe, Value};

use crate::code::{DISTANCE_MAX, Encoder};
use crate::layout::Run;

/// The values to write.
pub(crate) struct Source<'a, P> {
    pub(crate) values: &'a P,
    pub(crate) forget_invalid: bool,
}

/// The buffers of one thread.
#[derive(Default)]
pub(crate) struct Scratch {
    encoder: Encoder,
    /// The runs of a block.
    runs: Vec<Run>,
    /// The codes of the values of a block.
    codes: Vec<Code>,
    /// The values of a block in which some distance is too long for a code.
    values: Vec<Option<Value>>,
}

impl<P: Probe> Source<'_, P> {
    /// Appends the bytes of a block of these runs. The error says why a value is missing.
    pub(crate) fn encode(
        &self,
        scratch: &mut Scratch,
        runs: impl Iterator<Item = Run>,
        bytes: &mut Vec<u8>,
    ) -> Result<(), String> {
        let Scratch { encoder, runs: block, codes, values } = scratch;
        block.clear();
        block.extend(runs);
        let states = block.iter().map(|run| run.len).sum();
        codes.resize(states, Code::INVALID);
        for run in &*block {
            let codes = &mut codes[run.at..run.at + run.len];
            self.values.fill_codes(run.first, codes).map_err(|error| error.to_string())?;
        }
        if encoder.encode_codes(codes, self.forget_invalid, bytes) {
            return Ok(());
        }
        values.resize(states, None);
        for run in &*block {
            let values = &mut values[run.at..run.at + run.len];
            self.values.fill(run.first, values).map_err(|error| error.to_string())?;
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
        encoder.encode(values, self.forget_invalid, bytes);
        Ok(())
    }
}
