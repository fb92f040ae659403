//! Counts the states that each side wins, loses and draws.

use std::convert::Infallible;
use std::ops::Range;

use retrograde::internal::threads;
use retrograde::{Counts, Solution};

use crate::compiled_game::CompiledGame;

/// How many states are looked up at a time.
const PIECE: u64 = 1 << 18;

/// The counts of each of its sides, in their order.
pub fn by_side(game: &dyn CompiledGame, solution: &Solution) -> Vec<Counts> {
    match by_side_of(game, &|states| Ok::<_, Infallible>(solution.count(states))) {
        Ok(counts) => counts,
        Err(never) => match never {},
    }
}

/// The same, with a function that counts the values of a range of states.
pub fn by_side_of<E: Send>(
    game: &dyn CompiledGame,
    count: &(dyn Fn(Range<u64>) -> Result<Counts, E> + Sync),
) -> Result<Vec<Counts>, E> {
    let (sides, turns) = (game.sides().len(), game.facts().turns);
    if sides == 1 {
        return Ok(vec![count(0..game.states())?]);
    }
    let count_piece = |piece: u64| {
        let end = game.states().min((piece + 1) * PIECE);
        let mut counts = vec![Counts::default(); sides];
        let mut state = piece * PIECE;
        while state < end {
            let (first, side) = (state, turns.side(state));
            state = end.min(turns.run_end(state));
            counts[side] += count(first..state)?;
        }
        Ok(counts)
    };
    let mut sums = vec![Counts::default(); sides];
    // Small pieces keep all threads in the same area: values may be on disk.
    threads::try_map(game.states().div_ceil(PIECE), 4, count_piece, |counts| {
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        Ok(())
    })?;
    Ok(sums)
}
