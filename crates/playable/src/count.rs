//! How many states each mover wins, loses and draws.

use rayon::prelude::*;
use retrograde::{Counts, Solution};

use retrograde_compiled::Playable;

/// States are asked who moves in them in pieces of so many.
const PIECE: u64 = 1 << 18;

/// The counts of each of [`movers`](retrograde_games::Show::movers).
pub fn by_mover(game: &dyn Playable, solution: &Solution) -> Vec<Counts> {
    let movers = game.movers().len();
    if movers == 1 {
        return vec![solution.counts()];
    }
    let pieces = (0..game.states().div_ceil(PIECE)).into_par_iter();
    let counts = pieces.map(|piece| {
        let end = game.states().min((piece + 1) * PIECE);
        let mut counts = vec![Counts::default(); movers];
        let mut state = piece * PIECE;
        while state < end {
            let (first, mover) = (state, game.mover(state));
            state = end.min(state + game.mover_run(state));
            counts[mover] += solution.count(first..state);
        }
        counts
    });
    counts.reduce(
        || vec![Counts::default(); movers],
        |mut sums, counts| {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            sums
        },
    )
}
