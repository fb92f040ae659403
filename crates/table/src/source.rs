//! The values of a solution, encoded block by block for a table.

use retrograde::{Probe, Short, Value};

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
    /// The values of a block.
    shorts: Vec<Short>,
    /// The same, if some distance in the block is too long for the short form.
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
        let Scratch { encoder, runs: block, shorts, values } = scratch;
        block.clear();
        block.extend(runs);
        let states = block.iter().map(|run| run.len).sum();
        shorts.resize(states, Short::INVALID);
        for run in &*block {
            let shorts = &mut shorts[run.at..run.at + run.len];
            self.values.fill_short(run.first, shorts).map_err(|error| error.to_string())?;
        }
        if encoder.encode_short(shorts, self.forget_invalid, bytes) {
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
