//! The ways of solving that the tests try, and thread pools that are started once.

use rayon::ThreadPool;
use retrograde::bit_parallel::{BitParallel, ByWords};
use retrograde::internal::Thresholds;
use retrograde::{Counts, Outcome, Predecessors, Solution, Solver, Value};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// How a test solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// How many threads.
    pub(crate) threads: usize,
    /// Whether distances are kept.
    pub(crate) distances: bool,
    /// Whether every threshold has its least value.
    pub(crate) least: bool,
}

/// The ways that every test of an engine tries.
pub(crate) const WAYS: [Way; 8] = [
    Way { threads: 1, distances: true, least: false },
    Way { threads: 2, distances: true, least: false },
    Way { threads: 1, distances: false, least: false },
    Way { threads: 2, distances: false, least: false },
    Way { threads: 1, distances: true, least: true },
    Way { threads: 2, distances: true, least: true },
    Way { threads: 1, distances: false, least: true },
    Way { threads: 2, distances: false, least: true },
];

impl Way {
    /// With distances.
    pub(crate) fn new(threads: usize) -> Self {
        Way { threads, distances: true, least: false }
    }

    /// Without distances.
    pub(crate) fn no_distances(threads: usize) -> Self {
        Way { threads, distances: false, least: false }
    }

    fn solver(self) -> Solver<'static> {
        Solver::new().distances(self.distances).thresholds(thresholds(self.least))
    }

    /// Solves in this way.
    pub(crate) fn solve(self, game: &impl Predecessors) -> Solution {
        let solver = self.solver();
        if self.threads == 1 {
            return solver.threads(1).solve(game).expect("nothing stops this solve");
        }
        in_pool(self.threads, || solver.solve(game)).expect("nothing stops this solve")
    }

    /// Solves in this way with the bit-parallel engine.
    pub(crate) fn solve_words(self, game: &impl BitParallel) -> Solution {
        let solver = self.solver();
        if self.threads == 1 {
            return solver.threads(1).solve(ByWords(game)).expect("nothing stops this solve");
        }
        in_pool(self.threads, || solver.solve(ByWords(game))).expect("nothing stops this solve")
    }

    /// The value without its distance, if this way keeps none.
    pub(crate) fn tells(self, value: Option<Value>) -> Option<Value> {
        if self.distances { value } else { value.map(retrograde_testkit::broken::without_distance) }
    }
}

/// Thresholds at their least values, or at the real ones.
pub(crate) fn thresholds(least: bool) -> Thresholds {
    if least { Thresholds::least() } else { Thresholds::default() }
}

/// Works in a pool of so many threads. The box lets all work with this result share one compiled call.
pub(crate) fn in_pool<'a, R: Send>(threads: usize, work: impl FnOnce() -> R + Send + 'a) -> R {
    let work: Box<dyn FnOnce() -> R + Send + 'a> = Box::new(work);
    pool(threads).install(work)
}

/// A pool of so many threads. Starting one takes longer than solving a small game.
fn pool(threads: usize) -> Arc<ThreadPool> {
    static POOLS: Mutex<BTreeMap<usize, Arc<ThreadPool>>> = Mutex::new(BTreeMap::new());
    let mut pools = POOLS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let start = || rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    Arc::clone(pools.entry(threads).or_insert_with(|| Arc::new(start())))
}

/// All values of a solution.
pub(crate) fn values(solution: &Solution) -> Vec<Option<Value>> {
    (0..solution.states()).map(|state| solution.value(state)).collect()
}

/// The counts of these values.
pub(crate) fn count(values: &[Option<Value>]) -> Counts {
    let of =
        |outcome| values.iter().filter(|value| value.map(Value::outcome) == outcome).count() as u64;
    Counts {
        win: of(Some(Outcome::Win)),
        loss: of(Some(Outcome::Loss)),
        draw: of(Some(Outcome::Draw)),
        invalid: of(None),
    }
}
