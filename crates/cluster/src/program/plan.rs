//! The plan of a solve: the memory, the traffic and the disk of each process, from the rules and a sample of states.

use serde_json::json;

use crate::job::Job;
use crate::say::say;
use crate::share::{Engine, Sampled, Share};
use crate::solve::with_game;

/// Reports the plan. It starts no other process.
pub(crate) fn run(job: &Job) -> Result<(), String> {
    with_game(job, 0, |game| {
        let share = Share::of(job, 0, game);
        let partition = &share.block_partition;
        let Sampled { moves, away, readers } = Sampled::of(game.parted(), partition);
        // Scalar: an update is four bytes, and each state sends its updates once, when it settles. Bit-parallel: a set of
        // states is 14 bytes. Most sets have several states, but each may have only one.
        let sent = match share.engine {
            Engine::Scalar(_) => 4.0 * away,
            Engine::BitParallel(_) => 14.0 * readers,
        };
        say(&json!({ "plan": {
            "processes": job.told.processes,
            "threads": job.told.threads,
            "states": game.states(),
            "engine": share.engine.name(),
            "block_states": partition.block_states(),
            "memory": share.needed(),
            "moves_of_a_state": moves,
            "moves_away": away,
            "sent_bytes_most": (sent * game.states() as f64) as u64,
            // A set of states that settle together takes ten bytes, and usually has some ten states.
            "log_bytes": job.told.disk.as_ref().map(|_| game.states().div_ceil(job.told.processes as u64)),
            "checkpoint_bytes": job.told.checkpoint.as_ref().map(|_| share.bytes),
        }}));
        Ok(())
    })
}
