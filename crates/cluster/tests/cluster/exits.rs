//! Regions: a chess material whose captures and promotions lead to existing tables.

use crate::solves::shard_values;
use retrograde::bit_parallel::ByWords;
use retrograde::parts::Parted;
use retrograde::{Game, Solver};
use retrograde_chess::{Chess, Endgame, Material};
use retrograde_cluster::{BetweenThreads, BlockPartition, Plan};
use retrograde_regions::Tables;
use std::thread;

/// Solves a region on one machine and on three ranks. Returns how many states the two solutions share.
fn solve_twice(game: &Endgame<'_>) -> u64 {
    let solution = Solver::new().threads(1).solve(ByWords(game)).expect("nothing stops this solve");
    let block_partition = BlockPartition::new(game.states(), 3, 256);
    let parted: &dyn Parted = game;
    let plan = &Plan::new(parted, block_partition, true);
    let mut alike = 0;
    thread::scope(|scope| {
        let running = BetweenThreads::all(3).into_iter().map(|transport| {
            scope.spawn(move || shard_values(parted, plan, transport, Solver::new()))
        });
        let running: Vec<_> = running.collect();
        for thread in running {
            let found = thread.join().expect("no rank fails");
            let (known, histogram) = found.expect("nothing stops this solve");
            assert_eq!(&histogram, solution.histogram());
            for (state, value) in known {
                assert_eq!(value, solution.value(state), "state {state}");
                alike += 1;
            }
        }
    });
    alike
}

#[test]
fn a_chess_material_with_its_exits() {
    let folder = crate::jobs::folder("exits");
    let pawn: Material = "KPvK".parse().expect("a material");
    let built = retrograde_chess::builder(&folder).threads(1).build(&[pawn]).expect("it is built");
    let tables = Tables::open(Chess, &folder).expect("they are there");
    let twice = |region: &str| {
        let material = region.parse().expect("a material");
        tables.with_game(&material, solve_twice).expect("every table is whole")
    };
    let alike: u64 = built.regions.iter().map(|planned| twice(&planned.region)).sum();
    // A king and a pawn promote to four other materials. So there are five regions, and none is empty.
    assert!(alike > 200_000);
}
