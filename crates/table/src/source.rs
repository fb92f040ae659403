//! What a table is written from: the values of a solution, block by block.

use retrograde::{Probe, Value};

use crate::code::Encoder;
use crate::layout::Layout;

/// The values to be written.
pub(crate) struct Source<'a, P> {
    pub(crate) values: &'a P,
    pub(crate) forget_voids: bool,
}

/// The buffers of one thread.
#[derive(Default)]
pub(crate) struct Scratch {
    encoder: Encoder,
    values: Vec<Option<Value>>,
}

impl<P: Probe> Source<'_, P> {
    /// Appends the bytes of a block, or says why a value could not be had.
    pub(crate) fn encode(
        &self,
        scratch: &mut Scratch,
        layout: &Layout,
        block: u64,
        bytes: &mut Vec<u8>,
    ) -> Result<(), String> {
        scratch.values.resize(layout.block_states(block), None);
        for run in layout.runs(block) {
            let values = &mut scratch.values[run.at..run.at + run.len];
            self.values.fill(run.first, values).map_err(|error| error.to_string())?;
        }
        scratch.encoder.encode(&scratch.values, self.forget_voids, bytes);
        Ok(())
    }
}
