//! A snapshot of a solve with some changed bytes and right checksums. The reader refuses it, or the solve
//! continues to some values.
#![no_main]

use std::io::{Read, Write};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use retrograde::adapters::{Edges, Explicit};
use retrograde::bit_parallel::ByWords;
use retrograde::internal::{ChecksummedReader, ChecksummedWriter};
use retrograde::{Solver, Value};
use retrograde_fuzz::{Run, compare, forge, snapshot};
use retrograde_testkit::{Rng, naive};

/// Graphs with terminal states far away. They accept questions about any state.
static GAMES: LazyLock<Vec<Explicit<Edges>>> = LazyLock::new(|| {
    let terminals = [(5, Value::Win(4)), (9, Value::Loss(7)), (70, Value::Draw)];
    let graph = |seed| {
        let mut rng = Rng::new(seed);
        let edges: Vec<_> = (0..180).map(|_| (rng.below(100), rng.below(100))).collect();
        Explicit::from_game(Edges::new(100, edges).with_terminals(terminals))
    };
    (0..8).map(graph).collect()
});

fuzz_target!(|data: &[u8]| {
    let Some((&[which, how, level], edits)) = data.split_first_chunk() else { return };
    let game = &GAMES[usize::from(which) % GAMES.len()];
    let runs: [Run<'_>; 2] = [&|solver| solver.solve(game), &|solver| solver.solve(ByWords(game))];
    let run = runs[usize::from(how & 1)];
    // Distances as long as the snapshot claims could take as much memory.
    let solver = || Solver::new().threads(1).distances(how & 2 != 0).memory_max(1 << 24);
    let Some(honest) = snapshot(run, solver(), usize::from(level % 16)) else { return };
    let mut bytes = Vec::new();
    ChecksummedReader::new(&honest[..]).read_to_end(&mut bytes).expect("a whole snapshot");
    forge::edit(&mut bytes, edits);
    let mut to = ChecksummedWriter::new(Vec::new());
    to.write_all(&bytes).and_then(|()| to.finish()).expect("there is room");
    let kept = std::mem::take(to.get_mut());
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
