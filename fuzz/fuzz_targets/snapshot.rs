//! The state of a solve, changed here and there: it is refused, or the solve goes on to some values.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use retrograde::{ByWords, Solver};
use retrograde_fuzz::{Run, compare, forge, snapshot};
use retrograde_testkit::{Plain, naive, random};

/// Games with exits, moves that keep the turn and finals far away.
static GAMES: LazyLock<Vec<Plain>> =
    LazyLock::new(|| (0..8).map(|seed| random::game(seed, 100..200)).collect());

fuzz_target!(|data: &[u8]| {
    let Some((&[which, how, level], edits)) = data.split_first_chunk() else { return };
    let game = &GAMES[usize::from(which) % GAMES.len()];
    let runs: [Run<'_>; 2] = [&|solver| solver.solve(game), &|solver| solver.solve(ByWords(game))];
    let run = runs[usize::from(how & 1)];
    // Distances as long as they are said to be would take as much memory.
    let solver = || Solver::new().threads(1).distances(how & 2 != 0).memory_max(1 << 24);
    let Some(mut kept) = snapshot(run, solver(), usize::from(level % 16)) else { return };
    let honest = kept.clone();
    forge::edit(&mut kept, edits);
    let Ok(solution) = run(solver().resume(&kept[..])) else {
        assert!(kept != honest, "what was kept is refused");
        return;
    };
    if kept == honest {
        compare(&solution, &naive::solve(game));
    }
    for state in 0..solution.states() {
        solution.value(state);
    }
});
