//! The shape of blocks, found by trial.
//!
//! On a board with one pursuer, tiles of sixteen rows take two thirds of what tiles of one row take; with
//! two pursuers it is the other way round. Nobody can tell from the numbers, so a few blocks of each shape are
//! packed and the shape that takes least is chosen. It depends on the values alone, as the table must.

use std::path::Path;

use rayon::prelude::*;
use retrograde::Probe;

use crate::compression::{Compression, Packer};
use crate::error::WriteError;
use crate::layout::Layout;
use crate::source::{Scratch, Source};

/// How many states a block should have: large enough to pack well, small enough that unpacking one to look a
/// single state up takes ten microseconds.
const BLOCK_STATES: u64 = 1 << 14;

/// How many states the blocks of one band may have together: whoever reads states in their order has a band
/// in hand at a time.
const BAND_STATES_MAX: u64 = 1 << 22;

/// How many blocks of each shape are tried.
const SAMPLES: u64 = 32;

/// The layout whose blocks are smallest. `layout` says all but the shape.
pub(crate) fn choose<P: Probe>(
    layout: Layout,
    compression: Compression,
    source: &Source<'_, P>,
    path: &Path,
) -> Result<Layout, WriteError> {
    let shapes = shapes(layout);
    if shapes.len() == 1 || compression == Compression::None {
        return Ok(shapes[0]);
    }
    let mut best = (f64::INFINITY, shapes[0]);
    for shape in shapes {
        let size = sampled_size(shape, source, path)?;
        if size < best.0 {
            best = (size, shape);
        }
    }
    Ok(best.1)
}

/// The shapes to try, from single rows to tiles of sixteen.
fn shapes(layout: Layout) -> Vec<Layout> {
    let mut shapes: Vec<Layout> = Vec::new();
    for columns in [16_384, 8192, 4096, 2048, 1024] {
        let block_columns = even(layout.columns, columns);
        let block_rows = (BLOCK_STATES / block_columns).clamp(1, layout.rows().max(1));
        let band = block_rows.saturating_mul(layout.columns).saturating_mul(layout.movers_kept());
        let shape = Layout { block_rows, block_columns, ..layout };
        if shapes.is_empty() || (band <= BAND_STATES_MAX && !shapes.contains(&shape)) {
            shapes.push(shape);
        }
    }
    shapes
}

/// The width of strips of about `most` columns, such that the last is not much narrower than the others.
fn even(columns: u64, most: u64) -> u64 {
    let strips = columns.div_ceil(most);
    // With many strips the last one hardly matters, and round numbers are kinder to the reader.
    if strips > 16 { most } else { columns.div_ceil(strips) }
}

/// How many bytes a state takes in some blocks of this shape, spread evenly.
fn sampled_size<P: Probe>(
    shape: Layout,
    source: &Source<'_, P>,
    path: &Path,
) -> Result<f64, WriteError> {
    let blocks = shape.blocks();
    let samples = blocks.min(SAMPLES);
    let sizes: Vec<Result<(usize, usize), WriteError>> = (0..samples)
        .into_par_iter()
        .map(|sample| {
            // In the middle of each of so many equal parts.
            let middle =
                (2 * u128::from(sample) + 1) * u128::from(blocks) / (2 * u128::from(samples));
            let block = middle as u64;
            let (mut raw, mut packed) = (Vec::new(), Vec::new());
            source
                .encode(&mut Scratch::default(), &shape, block, &mut raw)
                .map_err(WriteError::Source)?;
            Packer::new(Compression::Fast)
                .and_then(|mut packer| packer.pack(&raw, &mut packed))
                .map_err(|source| WriteError::pack(path, source))?;
            Ok((packed.len(), shape.block_states(block)))
        })
        .collect();
    let (mut bytes, mut states) = (0, 0);
    for size in sizes {
        let (packed, held) = size?;
        bytes += packed;
        states += held;
    }
    Ok(bytes as f64 / states as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(states: u64, columns: u64, movers: u64) -> Layout {
        Layout { states, columns, movers, half: None, block_rows: 1, block_columns: 1 }
    }

    #[test]
    fn every_shape_is_sound_and_of_the_size_of_a_block() {
        for (columns, movers, rows) in [
            (1, 1, 0),
            (1, 1, 1),
            (7, 2, 9),
            (10_000, 2, 10_000),
            (52_650, 2, 324),
            (1 << 40, 1, 1),
        ] {
            let shapes = shapes(layout(columns * movers * rows, columns, movers));
            assert!(!shapes.is_empty());
            for shape in shapes {
                assert!(shape.checked().is_ok(), "{shape:?}");
                assert!(shape.block_states_max() as u64 <= BLOCK_STATES);
                let all = shape.rows() * shape.columns;
                assert!(
                    shape.block_states_max() as u64 >= (BLOCK_STATES / 4).min(all),
                    "{shape:?}"
                );
            }
        }
    }

    #[test]
    fn strips_are_even() {
        assert_eq!(even(10_000, 1024), 1000);
        assert_eq!(even(10_000, 16_384), 10_000);
        assert_eq!(even(1 << 30, 16_384), 16_384);
        assert_eq!(even(1, 1024), 1);
    }
}
