//! Chooses the shape of blocks by trial.
//!
//! On a board with one pursuer, tiles of sixteen rows take two thirds of the space of single rows. With two pursuers
//! it is the other way round. In chess, tiles of 256 rows are a seventh smaller than tiles of sixteen. The number of
//! states does not show which shape is best. So the writer first packs a few blocks of each shape, with fast
//! compression. Then it packs more blocks of the best few shapes, with the compression of the table, and chooses the
//! smallest. The choice depends only on the values, so the same values give the same table.

use std::ops::Range;

use crate::compression::Compression;
use crate::error::WriteError;
use crate::layout::{BLOCK_STATES_MAX, Grid};
use crate::pack::{PackTiles, Packing, Tile};

/// The widths of tiles to try, besides blocks of single rows.
const TILE_COLUMNS: [u64; 7] = [8192, 4096, 1024, 512, 256, 128, 64];

/// The most states of a band, which is a row of blocks. A reader that goes through states in order needs one band at
/// a time in its cache of [`Options::CACHE_BYTES`](crate::Options::CACHE_BYTES).
const BAND_STATES_MAX: u64 = 1 << 23;

/// At how many places the writer tries the shapes: one for so many states, but at least and at most so many. With
/// more places the choice is better, but takes longer. All shapes are tried with fast compression, and then a few
/// with the compression of the table.
const PLACES_ALL: (u64, [u64; 2]) = (1 << 21, [2, 16]);
const PLACES_FEW: (u64, [u64; 2]) = (1 << 20, [3, 32]);

/// The best compression uses this number of times as many places, up to the same number. With few places, its choice was
/// worse than that of the standard compression: a board of 60x60 took 12% more.
const BEST_PLACES: u64 = 4;

/// How many shapes the writer tries again.
const FEW: usize = 3;

/// The few best shapes by a quick trial, and about how many bytes the best one takes.
pub(crate) fn best_few(
    grid: Grid,
    packing: Packing,
    tiles: &dyn PackTiles,
) -> Result<(Vec<Grid>, f64), WriteError> {
    let mut shapes = shapes(grid);
    if grid.states == 0 || !packing.compression.tries_shapes() {
        shapes.truncate(1);
        return Ok((shapes, grid.states_kept() as f64));
    }
    let places = places(&shapes, PLACES_ALL, packing.compression);
    let fast = Packing { compression: Compression::Fast, ..packing };
    let sizes = sampled_sizes(&shapes, places, fast, tiles)?;
    let mut few: Vec<(f64, Grid)> = sizes.into_iter().zip(shapes).collect();
    few.sort_by(|a, b| a.0.total_cmp(&b.0));
    few.truncate(FEW);
    let bytes = few[0].0 * grid.states_kept() as f64;
    Ok((few.into_iter().map(|(_, shape)| shape).collect(), bytes))
}

/// The best shape, and about how many bytes it takes.
pub(crate) fn choose(
    shapes: &[Grid],
    packing: Packing,
    tiles: &dyn PackTiles,
) -> Result<(Grid, f64), WriteError> {
    let states = shapes[0].states_kept() as f64;
    if shapes[0].states == 0 || !packing.compression.tries_shapes() {
        return Ok((shapes[0], states));
    }
    let places = places(shapes, PLACES_FEW, packing.compression);
    let sizes = sampled_sizes(shapes, places, packing, tiles)?;
    let best = sizes.into_iter().zip(shapes).min_by(|a, b| a.0.total_cmp(&b.0));
    let (size, shape) = best.expect("there is a shape");
    Ok((*shape, size * states))
}

/// How many places to try these shapes in.
fn places(
    shapes: &[Grid],
    (states, [least, most]): (u64, [u64; 2]),
    compression: Compression,
) -> u64 {
    let times = if compression == Compression::Best { BEST_PLACES } else { 1 };
    (times * (shapes[0].states_kept() / states).max(least)).min(most)
}

/// The shapes to try, from single rows to tall tiles. A block has about as many states as it may have: blocks of a
/// quarter are read in 10 microseconds in place of 40, but a table takes up to a fifth more.
fn shapes(grid: Grid) -> Vec<Grid> {
    let mut shapes: Vec<Grid> = Vec::new();
    for columns in [&[BLOCK_STATES_MAX], &TILE_COLUMNS[..]].concat() {
        let block_columns = even(grid.columns, columns);
        let block_rows = (BLOCK_STATES_MAX / block_columns).clamp(1, grid.rows().max(1));
        let band = block_rows.saturating_mul(grid.columns).saturating_mul(grid.sides_kept());
        let shape = Grid { block_rows, block_columns, ..grid };
        if shapes.is_empty() || (band <= BAND_STATES_MAX && !shapes.contains(&shape)) {
            shapes.push(shape);
        }
    }
    shapes
}

/// The width of strips of about `most` columns. The last strip is not much narrower.
fn even(columns: u64, most: u64) -> u64 {
    let strips = columns.div_ceil(most);
    // With many strips the last one hardly matters, and round numbers are easier to read.
    if strips > 16 { most } else { columns.div_ceil(strips) }
}

/// For each shape, how many bytes a state takes in some blocks. The blocks are spread evenly, and each shape has the
/// same number of states. It tries all shapes at one place before the next place, because the source may have the
/// values of a place in a cache.
fn sampled_sizes(
    shapes: &[Grid],
    places: u64,
    packing: Packing,
    tiles: &dyn PackTiles,
) -> Result<Vec<f64>, WriteError> {
    let at = |place| {
        let shapes = shapes.iter().enumerate();
        shapes.flat_map(move |(number, shape)| {
            sampled_blocks(*shape, place, places)
                .map(move |block| (number, Tile { grid: *shape, block }))
        })
    };
    let (numbers, sampled): (Vec<usize>, Vec<Tile>) = (0..places).flat_map(at).unzip();
    let mut sums = vec![[0; 2]; shapes.len()];
    let packed = tiles.pack(&sampled, packing)?;
    for ((number, tile), packed) in numbers.into_iter().zip(sampled).zip(packed) {
        let [bytes, states] = sums[number];
        let more = tile.grid.block_states(tile.block);
        sums[number] = [bytes + packed.len() + BESIDE_BYTES, states + more];
    }
    Ok(sums.into_iter().map(|[bytes, states]| bytes as f64 / states as f64).collect())
}

/// The blocks of a shape to try at one of the places.
fn sampled_blocks(shape: Grid, place: u64, places: u64) -> Range<u64> {
    let blocks = shape.blocks();
    let each = (BLOCK_STATES_MAX / shape.block_states_max() as u64).max(1);
    let places = blocks.div_ceil(each).min(places);
    if place >= places {
        return 0..0;
    }
    // In the middle of each of `places` equal parts.
    let middle = (2 * u128::from(place) + 1) * u128::from(blocks) / (2 * u128::from(places));
    let first = (middle as u64).saturating_sub(each / 2);
    first..blocks.min(first + each)
}

/// The checksum of a block, and its entry in the index.
const BESIDE_BYTES: usize = 12;

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
                assert!(shape.block_states_max() as u64 <= BLOCK_STATES_MAX);
                let all = shape.rows() * shape.columns;
                assert!(
                    shape.block_states_max() as u64 >= (BLOCK_STATES_MAX / 4).min(all),
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
