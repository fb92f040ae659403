//! The plan of a solve: the memory, the traffic and the disk of each process, from the rules and a sample of states.

use retrograde::parts::Parted;
use retrograde_cluster::BlockPartition;
use serde_json::json;

use crate::job::Job;
use crate::say::say;
use crate::solve::{Share, block, with_game};

/// Reports the plan. It starts no other process.
pub(crate) fn run(job: &Job) -> Result<(), String> {
    with_game(job, 0, |game| {
        let Share { plan, needed, .. } = Share::of(job, 0, game, block(job, game));
        let partition = plan.block_partition();
        let (moves, away) = sampled_moves(game.parted(), partition);
        // An update is four bytes. Each state sends its updates once, when it settles.
        let sent = (4.0 * away * game.states() as f64) as u64;
        say(&json!({ "plan": {
            "processes": job.told.processes,
            "threads": job.told.threads,
            "states": game.states(),
            "block_states": partition.block_states(),
            "memory": needed,
            "moves_of_a_state": moves,
            "moves_away": away,
            "sent_bytes_most": sent,
            "checkpoint_bytes": job.told.checkpoint.as_ref().map(|_| plan.bytes(0, 0)),
        }}));
        Ok(())
    })
}

/// How many backward moves a state has on average, and how many of them lead to states of other processes.
fn sampled_moves(game: &dyn Parted, partition: &BlockPartition) -> (f64, f64) {
    /// How many states to ask. Their moves are within a hundredth of those of all states for most games.
    const SAMPLE: u64 = 1 << 16;
    let states = partition.states();
    let process_of = |state: u64| partition.process_of(state / partition.block_states());
    let (mut asked, mut moves, mut away) = (0, 0, 0);
    // All states of a small game. For others a prime that is no multiple of the length of rows or blocks.
    let stride = if states <= SAMPLE { 1 } else { 2_654_435_761 };
    for sample in 0..states.min(SAMPLE) {
        let state = sample * stride % states;
        asked += 1;
        game.backward_moves(state, &mut |from| {
            moves += 1;
            away += u64::from(process_of(from) != process_of(state));
        });
    }
    let average = |count: u64| count as f64 / f64::max(asked as f64, 1.0);
    (average(moves), average(away))
}

#[cfg(test)]
mod tests {
    use retrograde::adapters::Explicit;

    use super::*;

    #[test]
    fn a_sample_of_all_states_counts_all_moves() {
        // Each state but the last has a move to the next one. With blocks of 64, every 64th leaves its block.
        let edges = (0..1023).map(|state| (state, state + 1));
        let game = Explicit::from_edges(1024, edges);
        let (moves, away) = sampled_moves(&game, &BlockPartition::new(1024, 2, 64));
        assert_eq!((moves, away), (1023.0 / 1024.0, 15.0 / 1024.0));
        let (moves, away) = sampled_moves(&game, &BlockPartition::new(1024, 1, 64));
        assert_eq!((moves, away), (1023.0 / 1024.0, 0.0));
        let none = Explicit::from_edges(0, []);
        assert_eq!(sampled_moves(&none, &BlockPartition::new(0, 2, 64)), (0.0, 0.0));
    }
}
