//! Chooses the shape of blocks by trial.
//!
//! On a board with one pursuer, tiles of sixteen rows take two thirds of the space of single rows. With two
//! pursuers it is the other way round. In chess, tiles of 256 rows are a seventh smaller than tiles of
//! sixteen. The numbers of states do not show which shape is best. So the writer packs a few blocks of each
//! shape and chooses the smallest. The choice depends on the values alone, as the bytes of a table must.

use std::path::Path;

use rayon::prelude::*;
use retrograde::Probe;

use crate::compression::{Compression, Packer};
use crate::error::WriteError;
use crate::layout::Grid;
use crate::source::{Scratch, Source};

/// How many states a block may have. More states pack better, but a lookup of a single state outside the
/// cache takes longer (10 microseconds for the first size, 40 for the last).
const BLOCK_STATES: [u64; 2] = [1 << 14, 1 << 16];

/// The widths of tiles to try, besides blocks of single rows.
const TILE_COLUMNS: [u64; 7] = [8192, 4096, 1024, 512, 256, 128, 64];

/// The most states of all blocks of a band. A reader that goes through states in order needs one band at a
/// time, in a cache of [`Options::CACHE_BYTES`](crate::Options::CACHE_BYTES).
const BAND_STATES_MAX: u64 = 1 << 23;

/// How many places to try each shape in, and how many states in total. Trying all shapes costs as much as
/// packing a few million states.
const SAMPLES: u64 = 12;
const SAMPLE_STATES: u64 = BLOCK_STATES[1];

/// A larger block must save at least this share, because it is slower to read.
const LARGER_GAINS: f64 = 0.02;

/// The grid with the blocks that pack best, and about how many bytes they take.
pub(crate) fn choose<P: Probe>(
    grid: Grid,
    compression: Compression,
    source: &Source<'_, P>,
    path: &Path,
) -> Result<(Grid, f64), WriteError> {
    let shapes = shapes(grid);
    if grid.states == 0 || compression == Compression::None {
        return Ok((shapes[0], grid.states_kept() as f64));
    }
    let mut best = (f64::INFINITY, shapes[0]);
    for (size, shape) in sampled_sizes(&shapes, source, path)?.into_iter().zip(shapes) {
        let gains = shape.block_states_max() > best.1.block_states_max();
        if size < best.0 * if gains { 1.0 - LARGER_GAINS } else { 1.0 } {
            best = (size, shape);
        }
    }
    Ok((best.1, best.0 * grid.states_kept() as f64))
}

/// The shapes to try, from single rows to tall tiles, the smaller blocks first.
fn shapes(grid: Grid) -> Vec<Grid> {
    let mut shapes: Vec<Grid> = Vec::new();
    for states in BLOCK_STATES {
        for columns in [&[states], &TILE_COLUMNS[..]].concat() {
            let block_columns = even(grid.columns, columns);
            let block_rows = (states / block_columns).clamp(1, grid.rows().max(1));
            let band = block_rows.saturating_mul(grid.columns).saturating_mul(grid.sides_kept());
            let shape = Grid { block_rows, block_columns, ..grid };
            if shapes.is_empty() || (band <= BAND_STATES_MAX && !shapes.contains(&shape)) {
                shapes.push(shape);
            }
        }
    }
    shapes
}

/// The width of strips of about `most` columns, chosen so that the last strip is not much narrower.
fn even(columns: u64, most: u64) -> u64 {
    let strips = columns.div_ceil(most);
    // With many strips the last one hardly matters, and round numbers are easier to read.
    if strips > 16 { most } else { columns.div_ceil(strips) }
}

/// How many bytes a state takes in some blocks of each shape, spread evenly: as many states for each. All shapes are tried in one place
/// before the next, so that what a source has at hand of a place serves them all.
fn sampled_sizes<P: Probe>(
    shapes: &[Grid],
    source: &Source<'_, P>,
    path: &Path,
) -> Result<Vec<f64>, WriteError> {
    let sizes: Vec<Result<Vec<[usize; 2]>, WriteError>> = (0..SAMPLES)
        .into_par_iter()
        .map(|place| {
            let mut packer =
                Packer::new(Compression::Fast).map_err(|source| WriteError::pack(path, source))?;
            let mut scratch = Scratch::default();
            let sampled = shapes
                .iter()
                .map(|shape| sampled_size(*shape, place, source, &mut packer, &mut scratch, path));
            sampled.collect()
        })
        .collect();
    let mut sums = vec![[0; 2]; shapes.len()];
    for sizes in sizes {
        for (sum, size) in sums.iter_mut().zip(sizes?) {
            *sum = [sum[0] + size[0], sum[1] + size[1]];
        }
    }
    Ok(sums.into_iter().map(|[bytes, states]| bytes as f64 / states as f64).collect())
}

/// How many bytes some blocks of a shape take at one of the places, and how many states they have.
fn sampled_size<P: Probe>(
    shape: Grid,
    place: u64,
    source: &Source<'_, P>,
    packer: &mut Packer,
    scratch: &mut Scratch,
    path: &Path,
) -> Result<[usize; 2], WriteError> {
    let blocks = shape.blocks();
    let each = (SAMPLE_STATES / shape.block_states_max() as u64).max(1);
    let places = blocks.div_ceil(each).min(SAMPLES);
    let (mut bytes, mut states) = (0, 0);
    if place >= places {
        return Ok([0; 2]);
    }
    // In the middle of each of so many equal parts.
    let middle = (2 * u128::from(place) + 1) * u128::from(blocks) / (2 * u128::from(places));
    let first = (middle as u64).saturating_sub(each / 2);
    for block in first..blocks.min(first + each) {
        let (mut raw, mut packed) = (Vec::new(), Vec::new());
        source.encode(scratch, shape.runs(block), &mut raw).map_err(WriteError::Source)?;
        packer.pack(&raw, &mut packed).map_err(|source| WriteError::pack(path, source))?;
        // What stands beside a block counts as well.
        bytes += packed.len() + BESIDE_BYTES;
        states += shape.block_states(block);
    }
    Ok([bytes, states])
}

/// The frame of a block, and its entry in the index.
const BESIDE_BYTES: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(states: u64, columns: u64, sides: u64) -> Grid {
        Grid { states, columns, sides, block_rows: 1, block_columns: 1, ..Grid::default() }
    }

    #[test]
    fn every_shape_is_sound_and_of_the_size_of_a_block() {
        for (columns, sides, rows) in [
            (1, 1, 0),
            (1, 1, 1),
            (7, 2, 9),
            (10_000, 2, 10_000),
            (52_650, 2, 324),
            (1 << 40, 1, 1),
        ] {
            let shapes = shapes(grid(columns * sides * rows, columns, sides));
            assert!(!shapes.is_empty());
            for shape in shapes {
                assert!(shape.checked().is_ok(), "{shape:?}");
                assert!(shape.block_states_max() as u64 <= BLOCK_STATES[1]);
                let all = shape.rows() * shape.columns;
                assert!(
                    shape.block_states_max() as u64 >= (BLOCK_STATES[0] / 4).min(all),
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
