//! Simulates many ranks on a board: `cargo run --release -p retrograde-cluster --example simulate -- 100`
//!
//! It solves a board with 15% walls in memory. Then it goes through all backward moves, and counts for each level and each
//! simulated rank: updates within the rank, updates that it sends, and updates that it gets. The partition is that
//! of the program.
//!
//! First it prints how evenly the ranks share the levels. At each level all ranks wait for the one with most
//! updates. So the share is the number of all updates, divided by their number if each rank had as many as the busiest.
//!
//! Then it estimates the time of larger boards. A board with `f` times as many states has `f^(1/4)` times as many levels,
//! because its side is so much longer. So each level has `f^(3/4)` times as many updates. The rates are constants below.

use std::error::Error;

use retrograde::{Game, Predecessors, Solver};
use retrograde_cluster::{BlockPartition, Bounds};
use retrograde_games::{Board, Pursuit};

/// Processor time of an update within a rank: one rank and one thread on 100x100, 1.5 s for 940 million updates.
const LOCAL_NS: f64 = 1.6;
/// Processor time of an update between ranks, at each end: two ranks on 100x100 with a partition in which every
/// move leads to the other rank, 105 ns a state at 5.1 updates a state.
const REMOTE_NS: f64 = 10.0;
/// A rank has the processors of a host.
const THREADS: f64 = 8.0;
/// Bytes a second from a host and to it, at 10 Gbit/s.
const NETWORK: f64 = 1.25e9;
/// A superstep waits once for all others. In a data center a message and its answer take 0.1 ms. With hundreds of
/// ranks, the last of them is later.
const SUPERSTEP_S: f64 = 0.0005;
/// Bytes of memory a state: a byte and a plane of higher digits, a bit for *won*, two bits of marks for 64 states.
const STATE_BYTES: f64 = 2.16;

/// Counts by level and rank.
struct Simulated {
    ranks: usize,
    block: u64,
    /// For larger games, how many states they have.
    scaled: Option<f64>,
    local: Vec<u64>,
    sent: Vec<u64>,
    got: Vec<u64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let side: u32 = std::env::args().nth(1).map_or(Ok(60), |side| side.parse())?;
    let game = Pursuit::new(Board::random(side, side, 15, 3, 1, 7)?)?;
    let solution = Solver::new().solve(&game)?;
    let states = game.states();
    let levels = solution.histogram().levels().map(|level| level.distance as usize + 1);
    let levels = levels.max().unwrap_or(0);
    let new = |ranks: usize, block: u64, scaled| {
        let zeros = || vec![0; levels * ranks];
        Simulated { ranks, block, scaled, local: zeros(), sent: zeros(), got: zeros() }
    };
    let mut all = Vec::new();
    for ranks in [2, 4, 8, 16, 32, 64] {
        for block in [256, BlockPartition::block(states, ranks)] {
            all.push(new(ranks, block, None));
        }
    }
    for larger in [1e11, 1e12] {
        for ranks in [64, 1024] {
            // As many blocks as the larger game has, but whole words.
            let block = BlockPartition::block(larger as u64, ranks) as f64;
            let block = (block * states as f64 / larger) as u64;
            all.push(new(ranks, block.max(64).next_power_of_two(), Some(larger)));
        }
    }
    for state in 0..states {
        let Some(distance) = solution.value(state).and_then(|value| value.distance()) else {
            continue;
        };
        game.predecessors(state, |before| {
            for simulated in &mut all {
                let Simulated { ranks, block, local, sent, got, .. } = simulated;
                let rank = |state| (state / *block) as usize % *ranks;
                let (from, to) = (rank(state), rank(before));
                let level = distance as usize * *ranks;
                if from == to {
                    local[level + to] += 1;
                } else {
                    sent[level + from] += 1;
                    got[level + to] += 1;
                }
            }
        });
    }
    println!("{side}x{side}, 15% walls: {states} states, {levels} levels");
    println!("{:>9} {:>14} {:>24}", "ranks", "blocks of 256", "by default");
    let (here, larger) = all.split_at(12);
    for pair in here.as_chunks().0 {
        let [short, long]: &[Simulated; 2] = pair;
        let (ranks, block) = (short.ranks, long.block);
        println!("{ranks:>9} {:>14.2} {:>12.2}, of {block:>8}", short.share(), long.share());
    }
    println!();
    println!("larger boards, {THREADS} threads a rank, {} Gbit/s:", NETWORK * 8e-9);
    println!(
        "{:>7} {:>9} {:>5} {:>6} {:>12} {:>10} {:>10} {:>10} {:>12} {:>8}",
        "states",
        "ranks",
        "share",
        "levels",
        "GB a rank",
        "computing",
        "network",
        "waiting",
        "GB sent each",
        "in all"
    );
    larger.iter().for_each(|simulated| simulated.print(states as f64));
    Ok(())
}

impl Simulated {
    fn levels(&self) -> impl Iterator<Item = (&[u64], &[u64], &[u64])> {
        let of = |counts| <[u64]>::chunks(counts, self.ranks);
        of(&self.local).zip(of(&self.sent)).zip(of(&self.got)).map(|((a, b), c)| (a, b, c))
    }

    /// The share of the time in which ranks work, if each update that a rank applies takes equally long.
    fn share(&self) -> f64 {
        let (mut all, mut most) = (0, 0);
        for (local, _, got) in self.levels() {
            let applied = || local.iter().zip(got).map(|(local, got)| local + got);
            all += applied().sum::<u64>();
            most += applied().max().unwrap_or(0);
        }
        all as f64 / (most * self.ranks as u64) as f64
    }

    /// Estimates a game of more states.
    fn print(&self, states: f64) {
        let all = self.scaled.unwrap_or(states);
        let longer = (all / states).powf(0.25);
        let more = all / states / longer;
        let most = |counts: &[u64]| counts.iter().max().copied().unwrap_or(0) as f64 * more;
        let superstep = (Bounds::default().superstep_bytes / 4) as f64;
        let (mut computing, mut network, mut waiting, mut sent_bytes) = (0.0, 0.0, 0.0, 0.0);
        for (local, sent, got) in self.levels() {
            let work = (0..self.ranks).map(|rank| {
                local[rank] as f64 * LOCAL_NS + (sent[rank] + got[rank]) as f64 * REMOTE_NS
            });
            computing += work.fold(0.0, f64::max) * more * 1e-9 / THREADS * longer;
            network += 4.0 * most(sent).max(most(got)) / NETWORK * longer;
            // Each level ends with a superstep for its sums.
            waiting += ((most(sent) / superstep).ceil().max(1.0) + 1.0) * SUPERSTEP_S * longer;
            sent_bytes += 4.0 * sent.iter().sum::<u64>() as f64 * more * longer;
        }
        let ranks = self.ranks as f64;
        println!(
            "{:>7.0e} {:>9} {:>5.2} {:>6.0} {:>12.1} {:>8.0} s {:>8.0} s {:>8.0} s {:>12.1} {:>6.0} s",
            all,
            self.ranks,
            self.share(),
            (self.local.len() / self.ranks) as f64 * longer,
            all * STATE_BYTES / ranks * 1e-9,
            computing,
            network,
            waiting,
            sent_bytes / ranks * 1e-9,
            computing + network + waiting,
        );
    }
}
