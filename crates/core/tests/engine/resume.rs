//! A solve that stops at the end of any level continues to the same solution, on any number of threads.

use crate::ways::{in_pool, thresholds, values};
use retrograde::adapters::{Edges, Explicit};
use retrograde::bit_parallel::{BitParallel, ByWords};
use retrograde::internal::{ChecksummedReader, ChecksummedWriter};
use retrograde::{Predecessors, Solution, SolveError, Solver, Value};
use retrograde_testkit::long::{Chain, Hubs};
use retrograde_testkit::{cases, random, seed};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

/// How to run a solver on a game, with one engine or the other.
type Run<'r> = &'r (dyn Fn(Solver<'_>) -> Result<Solution, SolveError> + Sync);

/// The snapshot at the end of the level with this number, counted from 0, if there are so many.
fn stop_after(run: Run<'_>, solver: Solver<'_>, stop: usize) -> Option<Vec<u8>> {
    let (mut seen, mut kept) = (0, Vec::new());
    let solver = solver.at_level_end(|snapshot| {
        seen += 1;
        if seen <= stop {
            return ControlFlow::Continue(());
        }
        snapshot.write(&mut kept).expect("there is room");
        ControlFlow::Break(())
    });
    match run(solver) {
        Err(SolveError::Cancelled) => Some(kept),
        Ok(_) => None,
        Err(error) => panic!("{error}"),
    }
}

/// The bytes of a snapshot without their checksums.
fn bare(snapshot: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    ChecksummedReader::new(snapshot).read_to_end(&mut bytes).expect("a whole snapshot");
    bytes
}

/// Bytes with right checksums, as an attacker could make them.
fn forged(bytes: &[u8]) -> Vec<u8> {
    let mut forged = Vec::new();
    let mut to = ChecksummedWriter::new(&mut forged);
    to.write_all(bytes).and_then(|()| to.finish()).expect("there is room");
    forged
}

/// Stops at the end of each level in `stops`, and continues with more threads and other thresholds.
fn check(run: Run<'_>, stops: impl Iterator<Item = usize> + Clone, name: &str) -> usize {
    let mut stopped = 0;
    for distances in [true, false] {
        let whole = run(Solver::new().distances(distances)).expect("nothing stops it");
        for stop in stops.clone() {
            let solver = || Solver::new().distances(distances);
            let kept =
                |least| stop_after(run, solver().threads(1).thresholds(thresholds(least)), stop);
            let [Some(usual), Some(sharded)] = [false, true].map(kept) else { break };
            for (threads, least) in [(1, false), (3, false), (1 + stop % 2 * 2, true)] {
                let solver = || solver().thresholds(thresholds(least));
                let kept = if least { &sharded } else { &usual };
                let again = in_pool(threads, || stop_after(run, solver(), stop));
                assert!(
                    again.as_ref() == Some(kept),
                    "{name}: {threads} threads keep other bytes (thresholds at their least: {least})"
                );
                let gone_on =
                    in_pool(threads, || run(solver().resume(&kept[..]))).expect("it goes on");
                assert!(values(&gone_on) == values(&whole), "{name}: other values after {stop}");
                assert_eq!(gone_on.histogram(), whole.histogram(), "{name} after {stop}");
            }
            stopped += 1;
        }
    }
    stopped
}

fn both<G: BitParallel>(game: &G, stops: impl Iterator<Item = usize> + Clone, name: &str) -> usize {
    let scalar = check(&|solver| solver.solve(game), stops.clone(), name);
    scalar.min(check(&|solver| solver.solve(ByWords(game)), stops, name))
}

#[test]
fn small_games_go_on_from_every_level() {
    let fresh = seed();
    let mut stopped = 0;
    for seed in (0..cases(600)).chain(fresh..fresh + cases(200)) {
        stopped += both(&random::small(seed), 0.., &format!("seed {seed}"));
    }
    assert!(stopped > 200, "only {stopped} solves were stopped");
}

/// Large enough for several parts, marks and outboxes.
#[test]
fn large_games_go_on() {
    let game = random::game(1, 70_000..70_001);
    assert!(both(&game, [1, 4].into_iter(), "70,000 states") > 1);
    // A snapshot stores words in runs of 4,096.
    let game = random::game(2, 300_000..300_001);
    let run: Run<'_> = &|solver| solver.solve(ByWords(&game));
    assert!(check(run, [2].into_iter(), "300,000 states") > 1);
}

/// Distances beyond the first planes, and cells of every width.
#[test]
fn long_games_go_on() {
    let early = [200, 240, 254, 255, 256, 290];
    for (states, stops) in [(300, &early[..]), (70_000, &[65_600])] {
        assert!(both(&Chain { states }, stops.iter().copied(), "chain") >= stops.len(), "{states}");
    }
    for (degree, stops) in [(300, &early[..]), (70_000, &[255, 290])] {
        let game = Hubs { chain: 600, degree, hubs: 3 };
        let stopped = check(&|solver| solver.solve(&game), stops.iter().copied(), "hubs");
        assert!(stopped >= stops.len(), "{degree}");
    }
}

#[test]
fn what_is_no_snapshot_of_the_solve_is_refused() {
    let game = random::game(7, 500..501);
    let run: Run<'_> = &|solver| solver.solve(&game);
    let kept = stop_after(run, Solver::new().threads(1), 0).expect("a game of some levels");
    let refused = |solved| matches!(solved, Err(SolveError::Snapshot));
    assert!(Solver::new().resume(&kept[..]).solve(&game).is_ok());
    assert!(refused(Solver::new().distances(false).resume(&kept[..]).solve(&game)));
    let bytes = bare(&kept);
    for len in (0..bytes.len()).step_by(11) {
        let short = forged(&bytes[..len]);
        assert!(refused(Solver::new().resume(&short[..]).solve(&game)), "{len} bytes");
    }
    for at in 0..24 {
        let mut other = bytes.clone();
        other[at] ^= 1;
        assert!(refused(Solver::new().resume(&forged(&other)[..]).solve(&game)), "byte {at}");
    }
    let long = forged(&[&bytes[..], &[0]].concat());
    assert!(refused(Solver::new().resume(&long[..]).solve(&game)), "a byte more");
    assert!(refused(Solver::new().resume(&kept[..]).solve(ByWords(&game))));
    let larger = random::game(7, 600..601);
    assert!(refused(Solver::new().resume(&kept[..]).solve(&larger)));
    // The maximal degree decides how a state is stored.
    let fan = |moves| Explicit::from_edges(400, (1..400).map(|to| (to - 1 - (to - 1) % moves, to)));
    let three = fan(3);
    let run: Run<'_> = &|solver| solver.solve(&three);
    let kept = stop_after(run, Solver::new().threads(1), 0).expect("a game of some levels");
    assert!(Solver::new().resume(&kept[..]).solve(&three).is_ok());
    for moves in [4, 300] {
        assert!(refused(Solver::new().resume(&kept[..]).solve(&fan(moves))), "{moves} moves");
    }
}

/// All numbers beyond the last state of the last word are invalid: of their two bits, the second is set.
#[test]
fn a_snapshot_in_words_ends_with_the_game() {
    let game = random::game(3, 100..101);
    let kept = stop_after(&|solver| solver.solve(ByWords(&game)), Solver::new().threads(1), 0);
    let kept = bare(&kept.expect("a game of some levels"));
    let solve =
        |kept: &[u8]| Solver::new().threads(1).resume(&forged(kept)[..]).solve(ByWords(&game));
    assert!(solve(&kept).is_ok());
    let beyond = |word: &[u8]| word.try_into().map(|word| u64::from_le_bytes(word) >> 36).ok();
    let invalid =
        |pair: &[u8]| beyond(&pair[..8]) == Some(0) && beyond(&pair[8..]) == Some(!0_u64 >> 36);
    let last = kept.windows(16).rposition(invalid);
    let last = last.expect("the last word, of 36 states");
    for at in [4, 7, 12, 15] {
        let mut changed = kept.clone();
        changed[last + at] ^= 0x80;
        assert!(matches!(solve(&changed), Err(SolveError::Snapshot)), "{at}");
    }
}

#[test]
fn counts_that_cannot_be_together_are_refused() {
    // Their place in the head of a snapshot, after the engine and its layout.
    const LEVEL: usize = 32;
    const SETTLED: usize = 40;
    const WINS: usize = 48;
    const LOSSES: usize = 56;
    let game = random::game(7, 500..501);
    let kept = stop_after(&|solver| solver.solve(&game), Solver::new().threads(1), 1);
    let kept = bare(&kept.expect("a game of some levels"));
    let number = |at: usize| u64::from_le_bytes(kept[at..at + 8].try_into().expect("a number"));
    let found = number(WINS) + number(LOSSES);
    assert!(found <= number(SETTLED) && number(LEVEL) > 0);
    for (at, other, refused) in [
        (SETTLED, found - 1, true),
        (SETTLED, found, false),
        (SETTLED, 500, false),
        (SETTLED, 501, true),
        (WINS, u64::MAX, true),
        (LEVEL, number(LEVEL) - 1, true),
        (LEVEL, u64::from(u32::MAX), true),
        (LEVEL, 1 << 32, true),
    ] {
        let mut changed = kept.clone();
        changed[at..at + 8].copy_from_slice(&other.to_le_bytes());
        let changed = forged(&changed);
        let solver = Solver::new().threads(1).memory_max(1 << 24).resume(&changed[..]);
        let solved = solver.solve(&game);
        let snapshot = matches!(solved, Err(SolveError::Snapshot));
        assert_eq!(snapshot, refused, "{at}: {other}: {:?}", solved.err());
    }
}

/// A snapshot that says that nothing settled at its level made the engine skip to the level of the next pending event.
/// The states that did settle were still waiting to be swept, and it panicked.
#[test]
fn a_snapshot_that_forgets_what_settled_is_refused() {
    const WINS: usize = 48;
    let terminals = [(3, Value::Win(8))];
    let game = Explicit::from_game(Edges::new(4, [(1, 0), (2, 1)]).with_terminals(terminals));
    let kept = stop_after(&|solver| solver.solve(&game), Solver::new().threads(1), 0);
    let mut kept = bare(&kept.expect("a level before the pending event"));
    assert_eq!(kept[WINS..WINS + 8], 1u64.to_le_bytes());
    kept[WINS] = 0;
    let solved = Solver::new().threads(1).resume(&forged(&kept)[..]).solve(&game);
    assert!(matches!(solved, Err(SolveError::Snapshot)), "{:?}", solved.err());
}

/// Games that answer for any number, and snapshots of their solves by either engine, with and without distances.
fn each_snapshot(mut check: impl FnMut(Run<'_>, &dyn Fn() -> Solver<'static>, Vec<u8>)) {
    let mut checked = 0;
    for seed in 0..4_u64 {
        let mut state = seed;
        let mut random = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let edges: Vec<_> = (0..180).map(|_| (random(100), random(100))).collect();
        let terminals = [(5, Value::Win(4)), (9, Value::Loss(7)), (70, Value::Draw)];
        let game = Explicit::from_game(Edges::new(100, edges).with_terminals(terminals));
        let runs: [Run<'_>; 2] =
            [&|solver| solver.solve(&game), &|solver| solver.solve(ByWords(&game))];
        for (run, distances) in runs.into_iter().flat_map(|run| [(run, true), (run, false)]) {
            let solver = || Solver::new().threads(1).distances(distances).memory_max(1 << 24);
            if let Some(kept) = stop_after(run, solver(), 1) {
                check(run, &solver, kept);
                checked += 1;
            }
        }
    }
    assert!(checked >= 12, "only {checked} solves were stopped");
}

/// A solve continued from a snapshot with a changed byte, without an error, to wrong values.
#[test]
fn a_changed_byte_is_damage_wherever_it_is() {
    each_snapshot(|run, solver, kept| {
        for at in 0..kept.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut changed = kept.clone();
                changed[at] ^= change;
                let gone_on = run(solver().resume(&changed[..]));
                assert!(matches!(gone_on, Err(SolveError::Damaged)), "byte {at}");
            }
            let gone_on = run(solver().resume(&kept[..at]));
            assert!(matches!(gone_on, Err(SolveError::Damaged)), "{at} bytes");
        }
    });
}

/// A forged snapshot is refused, or the solve continues with its contents. It never panics, if the rules answer for any
/// number.
#[test]
fn a_forged_snapshot_is_an_error_or_a_wrong_solution() {
    let (mut refused, mut gone_on) = (0, 0);
    each_snapshot(|run, solver, kept| {
        let kept = bare(&kept);
        for at in 0..kept.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut changed = kept.clone();
                changed[at] ^= change;
                // Distances as long as the snapshot claims would take as much memory.
                match run(solver().resume(&forged(&changed)[..])) {
                    Ok(_) => gone_on += 1,
                    Err(_) => refused += 1,
                }
            }
        }
    });
    assert!(refused > 500 && gone_on > 500, "{refused} refused, {gone_on} gone on");
}

/// Any error of a reader with the kind `UnexpectedEof` was reported as a damaged snapshot, and the cause was lost.
#[test]
fn an_error_of_the_reader_is_told_as_it_is() {
    struct Failing<'k>(&'k [u8]);
    impl Read for Failing<'_> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            match self.0.read(bytes)? {
                0 => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the tape is torn")),
                len => Ok(len),
            }
        }
    }
    let game = random::game(7, 500..501);
    let kept = stop_after(&|solver| solver.solve(&game), Solver::new().threads(1), 0);
    let kept = kept.expect("a game of some levels");
    for len in [0, 5, 100, kept.len() - 1] {
        match Solver::new().threads(1).resume(Failing(&kept[..len])).solve(&game) {
            Err(SolveError::Outside(error)) => {
                assert!(error.to_string().contains("the tape is torn"), "{len}: {error}");
            }
            Err(other) => panic!("{len}: {other}"),
            Ok(_) => panic!("{len}: it went on"),
        }
    }
}

/// The reported cost of a solve is the same, interrupted or not.
#[test]
fn memory_is_counted_as_if_nothing_had_happened() {
    fn taken(game: &impl Predecessors, kept: Option<&[u8]>) -> u64 {
        let solver = Solver::new().threads(1);
        let solver = match kept {
            Some(kept) => solver.resume(kept),
            None => solver,
        };
        solver.solve(game).expect("it ends").bytes()
    }
    let game = Chain { states: 70_000 };
    let one = Solver::new().threads(1);
    let kept = stop_after(&|solver| solver.solve(&game), one, 65_000).expect("it is long");
    assert_eq!(taken(&game, Some(&kept)), taken(&game, None));
}

/// Changes bytes of the pending events, so far after its level, in a snapshot of the end of level 5, and continues from
/// it.
fn assert_refused(changes: impl Iterator<Item = (usize, u8, bool)> + Clone) {
    let terminals = [(2, Value::Win(4)), (3, Value::Loss(9))];
    let game = Explicit::from_game(Edges::new(4, [(0, 1), (1, 0)]).with_terminals(terminals));
    let runs: [Run<'_>; 2] =
        [&|solver| solver.solve(&game), &|solver| solver.solve(ByWords(&game))];
    for run in runs {
        let kept = stop_after(run, Solver::new().threads(1), 1).expect("there is more to come");
        let kept = bare(&kept);
        let to_come = kept.windows(8).rposition(|number| number == 9u64.to_le_bytes());
        let to_come = to_come.expect("the level of the loss");
        for (after, number, refused) in changes.clone() {
            let mut changed = kept.clone();
            changed[to_come + after] = number;
            let gone_on = run(Solver::new().threads(1).resume(&forged(&changed)[..]));
            assert_eq!(matches!(gone_on, Err(SolveError::Snapshot)), refused, "{after}: {number}");
        }
    }
}

#[test]
fn what_is_still_to_happen_does_not_lie_in_the_past() {
    assert_refused((0..8).map(|level| (0, level, level <= 5)));
}

#[test]
fn what_is_still_to_happen_lies_within_the_game() {
    let (word, states) = (16, 24);
    let changes =
        [(word, 0, false), (word, 1, true), (states, 1 << 3, false), (states, 1 << 4, true)];
    assert_refused(changes.into_iter());
}
