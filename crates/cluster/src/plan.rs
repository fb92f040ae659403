//! The memory, the traffic and the disk of each rank, from the rules and a sample of states.

use retrograde_catalog::{Job, JobPlan};

use crate::share::{Engine, Sampled, Share};
use crate::solve::with_game;

/// The plan of a job on so many ranks. It sends nothing.
pub fn plan(job: &Job, ranks: usize) -> Result<JobPlan, String> {
    with_game(job, (0, ranks), |game| {
        let share = Share::of(job, (0, ranks), game);
        let partition = &share.block_partition;
        let Sampled { moves, away, readers } = Sampled::of(&*game.parted(), partition);
        // Scalar: an update is four bytes, and each state sends its updates once, when it settles. Bit-parallel: a set of
        // states is 14 bytes. Most sets have several states, but each may have only one.
        let sent = match share.engine {
            Engine::Scalar(_) => 4.0 * away,
            Engine::BitParallel(_) => 14.0 * readers,
        };
        JobPlan {
            states: game.states(),
            engine: share.engine.name(),
            reason: share.reason,
            block_states: partition.block_states(),
            memory: share.needed(),
            moves_of_a_state: moves,
            moves_away: away,
            sent_bytes_most: (sent * game.states() as f64) as u64,
            // A set of states that settle together takes ten bytes, and usually has some ten states.
            log_bytes: job.disk.as_ref().map(|_| game.states().div_ceil(ranks as u64)),
            checkpoint_bytes: job.checkpoint.as_ref().map(|_| share.bytes),
        }
    })
}
