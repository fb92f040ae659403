//! What every fuzz target checks about a game.
#![forbid(unsafe_code)]

pub mod forge;

use std::ops::ControlFlow;
use std::sync::LazyLock;

use rayon::{ThreadPool, ThreadPoolBuilder};
use retrograde::adapters::Explicit;
use retrograde::bit_parallel::{ByWords, WordKeys};
use retrograde::internal::Thresholds;
use retrograde::play::line;
use retrograde::{Game, Predecessors, Solution, SolveError, Solver, Status, Value, audit, verify};
use retrograde_games::Solvable;
use retrograde_positions::check_position;
use retrograde_testkit::{broken, naive};

/// Whether a game is small enough for many solves: the naive solver is slow.
pub fn is_small(game: &impl Game) -> bool {
    let open = |&state: &u64| game.status(state) == Status::Open;
    let degrees = || (0..game.states()).filter(open).map(|state| u64::from(game.degree(state)));
    game.states() <= 4_000 && degrees().sum::<u64>() <= 1_000
}

/// The rules agree with themselves, and every way to solve the game agrees with the naive solver.
pub fn check_solutions(game: &impl Predecessors) {
    if let Err(wrong) = audit(game) {
        panic!("{wrong}");
    }
    let right = naive::solve(game);
    agree(game, &right);
    agree(&Explicit::from_game(game), &right);
}

/// Besides its solutions: every state has a position with a text, moves and a board, and a line of play.
pub fn check_shown(game: &(impl Solvable + Predecessors)) {
    if let Some(start) = game.start().map(|start| game.number(&(), &start)) {
        assert!(start < game.states(), "the start {start} is no state");
    }
    if !is_small(game) {
        return;
    }
    check_solutions(game);
    let solution = retrograde::solve(game);
    for state in 0..game.states() {
        let Some(position) = game.position(&(), state) else { continue };
        assert_eq!(game.number(&(), &position), state);
        check_position(game, &position).expect("a right position");
        line(game, &solution, state).expect("best play from a state that is no hole");
    }
}

/// The same for sets of states: the word methods agree with the scalar ones, and give the same solution.
pub fn check_words(game: &impl WordKeys) {
    if let Err(wrong) = audit(ByWords(game)) {
        panic!("{wrong}");
    }
    let right = naive::solve(game);
    let words = &|solver: Solver<'_>| solver.solve(ByWords(game));
    in_all_ways(words, |solution| compare(solution, &right));
}

/// Every way to solve the game gives these values.
pub fn agree(game: &impl Predecessors, right: &[Option<Value>]) {
    in_all_ways(&|solver| solver.solve(game), |solution| {
        compare(solution, right);
        verify(game, solution).expect("a right solution verifies");
    });
}

static THREE: LazyLock<ThreadPool> =
    LazyLock::new(|| ThreadPoolBuilder::new().num_threads(3).build().expect("three threads"));

/// A solver run on some game.
pub type Run<'r> = &'r (dyn Fn(Solver<'_>) -> Result<Solution, SolveError> + Sync);

/// Solves with and without distances, on one thread and on three, with all thresholds at their defaults and
/// at their least.
fn in_all_ways(run: Run<'_>, check: impl Fn(&Solution)) {
    for distances in [true, false] {
        for (threads, thresholds) in
            [(1, Thresholds::default()), (1, Thresholds::least()), (3, Thresholds::least())]
        {
            let solver = Solver::new().threads(threads).distances(distances).thresholds(thresholds);
            check(&THREE.install(|| run(solver)).expect("nothing stops this solve"));
        }
    }
}

/// A snapshot after level number `level`, counted from 0; `None` if there are fewer levels.
pub fn snapshot(run: Run<'_>, solver: Solver<'_>, level: usize) -> Option<Vec<u8>> {
    let (mut seen, mut kept) = (0, Vec::new());
    let stopped = run(solver.at_level_end(|snapshot| {
        seen += 1;
        if seen <= level {
            return ControlFlow::Continue(());
        }
        snapshot.write(&mut kept).expect("there is room");
        ControlFlow::Break(())
    }));
    stopped.is_err().then_some(kept)
}

/// A solve that was stopped after a level continues to these values. Any number of threads keeps the same bytes.
pub fn goes_on(run: Run<'_>, level: usize, right: &[Option<Value>]) {
    for distances in [true, false] {
        for thresholds in [Thresholds::default(), Thresholds::least()] {
            let solver = |threads| {
                Solver::new().threads(threads).distances(distances).thresholds(thresholds)
            };
            let Some(kept) = snapshot(run, solver(1), level) else {
                return;
            };
            let again = THREE.install(|| snapshot(run, solver(3), level));
            assert_eq!(again.as_ref(), Some(&kept), "threads change what is kept");
            compare(&run(solver(1).resume(&kept[..])).expect("it goes on"), right);
        }
    }
}

/// A solution has these values, as far as it keeps them.
pub fn compare(solution: &Solution, right: &[Option<Value>]) {
    let distances = solution.has_distances();
    for (state, &value) in (0..).zip(right) {
        let told = if distances { value } else { value.map(broken::without_distance) };
        assert_eq!(solution.value(state), told, "state {state}, distances {distances}");
    }
}
