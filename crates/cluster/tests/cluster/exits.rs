//! Regions: a chess material whose captures and promotions lead to existing tables.

use crate::late::transports;
use crate::solves::shard_values;
use retrograde::parts::Parted;
use retrograde::{Game, Probe, Solution, SolveError, Solver};
use retrograde_chess::{Chess, Endgame, Material};
use retrograde_cluster::{BlockPartition, Plan};
use retrograde_regions::{Builder, Family, Solved};
use retrograde_table::About;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Chess. Each region is solved twice, on one machine and on three processes, and both must agree.
#[derive(Default)]
struct Twice {
    /// How many states the two solutions share.
    alike: AtomicU64,
}

impl Family for Twice {
    type Region = Material;
    type Game<'a> = Endgame<'a>;

    fn name(&self) -> &str {
        Chess.name()
    }

    fn needs(&self, material: &Material) -> Vec<Material> {
        Chess.needs(material)
    }

    fn game<'a>(&self, material: &Material, solved: Vec<Solved<'a>>) -> Endgame<'a> {
        Chess.game(material, solved)
    }

    fn solve(&self, game: &Self::Game<'_>, solver: Solver<'_>) -> Result<Solution, SolveError> {
        let solution = Chess.solve(game, solver)?;
        let block_partition = BlockPartition::new(game.states(), 3, 256);
        let parted: &dyn Parted = game;
        let plan = &Plan::new(parted, block_partition, true);
        thread::scope(|scope| {
            let running = transports(3, 0).into_iter().map(|transport| {
                scope.spawn(move || shard_values(parted, plan, transport, Solver::new()))
            });
            let running: Vec<_> = running.collect();
            for thread in running {
                let found = thread.join().expect("no process fails");
                let (known, histogram) = found.expect("nothing stops this solve");
                assert_eq!(&histogram, solution.histogram());
                for (state, value) in known {
                    assert_eq!(value, solution.value(state), "state {state}");
                    self.alike.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        Ok(solution)
    }

    fn memory_needed(&self, game: &Self::Game<'_>, solver: &Solver<'_>) -> u64 {
        Chess.memory_needed(game, solver)
    }

    fn about<P: Probe>(
        &self,
        material: &Material,
        game: &Self::Game<'_>,
        values: &P,
    ) -> Result<About, P::Error> {
        Chess.about(material, game, values)
    }

    fn judge<P: Probe>(
        &self,
        material: &Material,
        said: &About,
        game: &Self::Game<'_>,
        values: &P,
    ) -> Result<Option<String>, P::Error> {
        Chess.judge(material, said, game, values)
    }
}

#[test]
fn a_chess_material_with_its_exits() {
    let folder = crate::processes::folder("exits");
    let pawn: Material = "KPvK".parse().expect("a material");
    let family = Twice::default();
    Builder::new(&family, &folder).threads(1).build(&[pawn]).expect("it is built");
    // A king and a pawn promote to four other materials. So there are five regions, and none is empty.
    assert!(family.alike.into_inner() > 200_000);
}
