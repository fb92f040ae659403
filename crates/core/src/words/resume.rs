//! A solve in sets, kept and taken up again: what is known of every state, and no more.
//!
//! What the next level has to look at follows: everything that has settled tells it once more. That finds
//! what the last level would have told, and beside it only states that have settled already.

use rayon::prelude::*;

use super::level::{Arrays, Known};
use super::marks::TOP_WORD;
use crate::rules::Words;
use crate::solve::snapshot::{Sink, Source};
use crate::solve::solver::SolveError;

impl Arrays {
    /// Writes what is known of every state.
    pub(crate) fn write(&self, sink: &mut Sink<'_>) {
        sink.numbers(self.known.as_flattened().iter().copied());
        for set in [&self.barred, &self.fixed] {
            sink.number(u64::from(!set.is_empty()));
            sink.numbers(set.iter().copied());
        }
        if let Some(planes) = &self.planes {
            planes.write(sink);
        }
    }

    /// Reads what [`write`](Arrays::write) wrote, where `level` settled last.
    pub(crate) fn read(&mut self, level: u32, source: &mut Source<'_>) -> Result<(), SolveError> {
        source.numbers(self.known.as_flattened_mut().iter_mut())?;
        let words = self.words();
        for set in [&mut self.barred, &mut self.fixed] {
            if source.number()? != 0 {
                set.resize(words, 0);
                source.numbers(set.iter_mut())?;
            }
        }
        self.planes.as_mut().map_or(Ok(()), |planes| planes.read(level, source))
    }

    /// Tells the next level of everything that has settled.
    pub(crate) fn tell_all<G: Words>(&mut self, game: &G) {
        let Arrays { known, fixed, told, .. } = self;
        let (fixed, told) = (&**fixed, told.share());
        let tell = |(i, known): (usize, &[Known])| {
            for (word, &[open, won]) in (i * TOP_WORD..).zip(known) {
                let fixed = fixed.get(word).unwrap_or(&0);
                for (states, won) in [(won & !open, true), (!(open | won | fixed), false)] {
                    if states != 0 {
                        told.tell::<true, G>(game, word, states, won);
                    }
                }
            }
        };
        known.par_chunks(TOP_WORD).enumerate().for_each(tell);
    }
}
