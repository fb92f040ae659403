//! A table gives the same answers as the solution, with any options of writing and by any way of probing.

use std::fs;
use std::path::Path;

use crate::common::{Given, Scratch, chase, twin, values};
use rayon::ThreadPoolBuilder;
use retrograde::adapters::Explicit;
use retrograde::{Game, Level, Outcome, Probe, Solver, Value, solve};
use retrograde_games::Board;
use retrograde_table::{
    About, Compression, Folder, ImageCounts, InvalidStates, Options, Rows, SideCounts, Table,
    TableError, WithRules, Writer,
};
use retrograde_testkit::{Rng, random};

const COMPRESSIONS: [Compression; 4] =
    [Compression::None, Compression::Fast, Compression::Standard, Compression::Best];

/// Probes a table in every way and compares with `expected`. A state that is `None` there may have any
/// answer.
fn assert_answers(path: &Path, expected: &[Option<Option<Value>>]) {
    let table = Options::new().cache_bytes(1 << 17).open(path).unwrap();
    assert_eq!(table.states(), expected.len() as u64);
    table.check().unwrap();
    let known: Vec<u64> =
        (0..table.states()).filter(|state| expected[*state as usize].is_some()).collect();
    for (state, value) in (0..).zip(expected) {
        assert_eq!(table.keeps(state), value.is_some());
        let Some(value) = value else {
            assert!(matches!(table.probe(state), Err(TableError::NotStored { .. })));
            continue;
        };
        assert_eq!(table.probe(state).unwrap(), *value, "{state}");
        assert_eq!(table.probe_wdl(state).unwrap(), value.map(Value::outcome));
        if table.has_distances() {
            let distance = value.and_then(Value::distance);
            assert_eq!(table.probe_distance(state).unwrap(), distance);
        } else {
            let refused = table.probe_distance(state);
            assert!(matches!(refused, Err(TableError::NoDistances { .. })));
        }
    }
    assert_many(&table, &known, expected);
}

/// All ways to probe many states.
fn assert_many(table: &Table, known: &[u64], expected: &[Option<Option<Value>>]) {
    let value_of = |state: u64| expected[state as usize].unwrap();
    let mut rng = Rng::new(1);
    let mut mixed: Vec<u64> = known.to_vec();
    if !known.is_empty() {
        mixed.extend((0..100).map(|_| rng.pick(known)));
    }
    for last in (1..mixed.len()).rev() {
        mixed.swap(last, rng.below(last as u64 + 1) as usize);
    }
    let many = table.probe_many(&mixed).unwrap();
    assert!(mixed.iter().zip(many).all(|(state, value)| value_of(*state) == value));

    let mut scanned = Vec::new();
    table
        .scan(0..table.blocks(), |first, values| {
            assert!(!values.is_empty());
            for (state, value) in (first..).zip(values) {
                assert_eq!(*value, value_of(state));
                scanned.push(state);
            }
        })
        .unwrap();
    scanned.sort_unstable();
    assert_eq!(scanned, known);

    let loaded = table.load(u64::MAX).unwrap();
    assert!(known.iter().all(|state| loaded.probe(*state).unwrap() == value_of(*state)));
    if known.len() == expected.len() {
        for _ in 0..20 {
            let from = rng.below(table.states() + 1);
            let to = rng.within(from..table.states() + 1);
            let mut values = vec![None; (to - from) as usize];
            table.fill(from, &mut values).unwrap();
            assert!((from..).zip(&values).all(|(state, value)| value_of(state) == *value));
            values.fill(None);
            loaded.fill(from, &mut values).unwrap();
            assert!((from..).zip(values).all(|(state, value)| value_of(state) == value));
        }
    }
    for _ in 0..20 {
        let count = if known.is_empty() { 0 } else { rng.below(6) };
        let some: Vec<u64> = (0..count).map(|_| rng.pick(known)).collect();
        let values = some.iter().map(|state| value_of(*state));
        // An invalid state is less than any value.
        let least = values.min().flatten();
        assert_eq!(loaded.least_of(&some).unwrap(), least);
        assert_eq!(table.least_of(&some).unwrap(), least);
    }
}

#[test]
fn a_table_answers_as_its_solution() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    for seed in 0..60 {
        let game = random::game(seed, 0..3000);
        let solution = Solver::new().distances(seed % 4 != 0).solve(&game).unwrap();
        let compression = COMPRESSIONS[seed as usize % 4];
        Writer::new(About::default())
            .compression(compression)
            .histogram(solution.histogram())
            .write(&path, &solution)
            .unwrap();
        let expected: Vec<_> = values(&solution).into_iter().map(Some).collect();
        assert_answers(&path, &expected);
        let twin = twin::read(&fs::read(&path).unwrap());
        assert_eq!(twin.values, expected);

        let table = Table::open(&path).unwrap();
        let levels: Vec<Level> = solution.histogram().levels().collect();
        assert_eq!(table.levels().unwrap(), levels);
        let listed = levels.iter().map(|level| (level.distance, level.wins, level.losses));
        assert!(listed.eq(twin.levels));
        assert_eq!(table.header().longest, levels.last().map(|level| level.distance));
        retrograde::verify(&game, &table).unwrap();
        for state in
            (0..game.states()).step_by(7).filter(|state| expected[*state as usize] != Some(None))
        {
            let moves = retrograde::play::moves(&game, &solution, state).unwrap();
            assert_eq!(retrograde::play::moves(&game, &table, state).unwrap(), moves);
            if solution.has_distances() {
                let line = retrograde::play::line(&game, &solution, state).unwrap();
                assert_eq!(retrograde::play::line(&game, &table, state).unwrap(), line);
            }
        }
    }
}

#[test]
fn rows_and_halves_change_no_answer() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    let mut rng = Rng::new(2);
    // Wide enough for several strips, bands and pages, with distances of more than one byte.
    for (columns, sides, rows, distances) in [
        (1, 1, 1, 1),
        (3, 2, 40, 9),
        (700, 2, 30, 5),
        (30_000, 1, 3, 400),
        (5000, 3, 4, 70_000),
        (40_000, 2, 0, 1),
    ] {
        let count = columns * sides * rows;
        let slope = rng.within(1..50);
        let values: Vec<Option<Value>> = (0..count)
            .map(|state| match (state / slope + rng.below(2)) % distances {
                0 => None,
                1 => Some(Value::Draw),
                odd if odd % 2 == 1 => Some(Value::Win(odd as u32)),
                even => Some(Value::Loss(even as u32)),
            })
            .collect();
        let given = Given { values, distances: true };
        for half in (0..=sides).map(|side| (side < sides).then_some(side)) {
            for invalid_states in [InvalidStates::Kept, InvalidStates::Forgotten] {
                let mut writer = Writer::new(About::default())
                    .rows(columns, sides)
                    .invalid_states(invalid_states)
                    .compression(Compression::Fast);
                if let Some(side) = half {
                    writer = writer.half(side);
                }
                let written = writer.write(&path, &given).unwrap();
                let twin = twin::read(&fs::read(&path).unwrap());
                for (state, value) in (0..).zip(&twin.values) {
                    let kept = half.is_none_or(|side| state / columns % sides == side);
                    assert_eq!(value.is_some(), kept);
                    let truth = given.values[state as usize];
                    if invalid_states == InvalidStates::Kept || truth.is_some() {
                        assert!(value.is_none_or(|value| value == truth));
                    }
                }
                assert_eq!(written.states, twin.values.iter().flatten().count() as u64);
                assert_eq!(written.blocks, twin.blocks.len() as u64);
                assert_eq!(written.bytes, fs::metadata(&path).unwrap().len());
                assert_answers(&path, &twin.values);
            }
        }
    }
}

#[test]
fn the_same_game_gives_the_same_bytes_with_any_number_of_threads() {
    let folder = Scratch::new();
    let (chase, columns) = chase(&Board::random(30, 30, 15, 2, 0, 4).unwrap(), 1);
    let solution = solve(&chase);
    for compression in COMPRESSIONS {
        let bytes = |threads: usize| {
            let path = folder.join("a.table");
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let writer = Writer::new(About::default())
                .rows(columns, 2)
                .compression(compression)
                .histogram(solution.histogram());
            pool.install(|| writer.write(&path, &solution)).unwrap();
            fs::read(path).unwrap()
        };
        let one = bytes(1);
        assert!([2, 7].into_iter().all(|threads| bytes(threads) == one));
    }
}

/// In memory a state has a code of one, two or four bytes. The histogram says how many.
#[test]
fn a_table_of_very_many_values_is_loaded() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    for (states, width) in [(200, 1), (2_000, 2), (80_000, 4)] {
        let game = Explicit::from_edges(states, (1..states).map(|from| (from, from - 1)));
        let solution = solve(&game);
        Writer::new(About::default()).write(&path, &solution).unwrap();
        let table = Table::open(&path).unwrap();
        assert_eq!(values(&table.load(u64::MAX).unwrap()), values(&solution), "{width}");
        let writer = Writer::new(About::default()).histogram(solution.histogram());
        writer.write(&path, &solution).unwrap();
        let table = Table::open(&path).unwrap();
        let bytes = table.load_bytes().unwrap();
        assert_eq!(bytes, states * width + 64 * (states + 2));
        assert_eq!(values(&table.load(bytes).unwrap()), values(&solution), "{width}");
    }
}

#[test]
fn half_a_table_and_the_rules_are_a_whole_one() {
    let folder = Scratch::new();
    let path = folder.join("half.table");
    for (board, police) in [("..E\n.*.\n...\n", 2), ("....*...E\n..*......\n....*....\n", 1)] {
        let board = Board::parse(board).unwrap();
        let (chase, columns) = chase(&board, police);
        for distances in [true, false] {
            let solution = Solver::new().distances(distances).solve(&chase).unwrap();
            for side in [0, 1] {
                let writer = Writer::new(About::default()).rows(columns, 2).half(side);
                writer.write(&path, &solution).unwrap();
                let table = Table::open(&path).unwrap();
                let ruled = WithRules::new(&chase, &table).unwrap();
                assert_eq!(values(&ruled), values(&solution));
                assert_eq!(
                    values(&WithRules::new(&chase, &table.load(u64::MAX).unwrap()).unwrap()),
                    values(&solution)
                );
                retrograde::verify(&chase, &ruled).unwrap();
                let beyond = ruled.probe(chase.states());
                assert!(matches!(beyond, Err(TableError::State { .. })));
            }
        }
    }
}

#[test]
fn the_rules_know_what_was_forgotten() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    for seed in 100..160 {
        let game = random::game(seed, 1..2000);
        let solution = Solver::new().distances(seed % 3 != 0).solve(&game).unwrap();
        Writer::new(About::default())
            .invalid_states(InvalidStates::Forgotten)
            .write(&path, &solution)
            .unwrap();
        let table = Table::open(&path).unwrap();
        assert_eq!(table.header().invalid_states, InvalidStates::Forgotten);
        assert_eq!(values(&WithRules::new(&game, &table).unwrap()), values(&solution));
    }
}

#[test]
fn a_table_of_another_game_is_found_out() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    let (chase, columns) = chase(&Board::parse("..E\n").unwrap(), 1);
    let states = chase.states() as usize;
    for (count, problem) in [(states + 2 * columns as usize, "states"), (states, "invalid in it")] {
        let given = Given { values: vec![None; count], distances: true };
        Writer::new(About::default()).rows(columns, 2).half(0).write(&path, &given).unwrap();
        let table = Table::open(&path).unwrap();
        let ruled = WithRules::new(&chase, &table);
        let all =
            ruled.and_then(|ruled| (0..chase.states()).map(|state| ruled.probe(state)).collect());
        let error: TableError = all.map(|_: Vec<_>| ()).unwrap_err();
        assert!(matches!(error, TableError::Game { .. }), "{error}");
        assert!(error.to_string().contains(problem), "{error}");
    }
}

#[test]
fn the_header_says_what_it_was_told() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    let text = "..E\n.*.\n...\n";
    let (chase, columns) = chase(&Board::parse(text).unwrap(), 1);
    let solution = solve(&chase);
    let about = About {
        game: "pursuit".into(),
        parameters: serde_json::json!({ "police": 1, "all": [{ "b": 2, "a": 1 }], "board": null }),
        board: Some(text.into()),
        counts: vec![SideCounts::new("police", solution.counts())],
        positions: Some(ImageCounts::from(solution.counts())),
    };
    Writer::new(about.clone()).rows(columns, 2).write(&path, &solution).unwrap();
    let table = Table::open(&path).unwrap();
    assert_eq!(table.header().about, about);
    assert_eq!(table.header().unit, "plies");
    let rows = Rows { states: solution.states(), columns, sides: 2 };
    assert_eq!(table.header().rows().collect::<Vec<_>>(), [rows]);
    assert!(table.header_text().contains("\"board\": \"..E\\n.*.\\n...\\n\""));
    assert_eq!(table.levels().unwrap(), []);

    // The order of the keys changes nothing.
    let bytes = fs::read(&path).unwrap();
    let turned = serde_json::json!({ "board": null, "all": [{ "a": 1, "b": 2 }], "police": 1 });
    let about = About { parameters: turned, ..about };
    Writer::new(about).rows(columns, 2).write(&path, &solution).unwrap();
    assert!(fs::read(&path).unwrap() == bytes);
}

#[test]
fn a_table_can_be_asked_from_many_threads_at_once() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    let mut rng = Rng::new(9);
    let values = (0..400_000).map(|_| Some(Value::Win(rng.below(3) as u32))).collect();
    let given = Given { values, distances: true };
    Writer::new(About::default()).compression(Compression::Fast).write(&path, &given).unwrap();
    // The cache is so small that threads replace each other's blocks.
    let table = Options::new().cache_bytes(0).open(&path).unwrap();
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let (table, given) = (&table, &given);
            scope.spawn(move || {
                let mut rng = Rng::new(seed);
                for _ in 0..5000 {
                    let state = rng.below(table.states());
                    assert_eq!(table.probe(state).unwrap(), given.values[state as usize]);
                }
            });
        }
    });
}

#[test]
fn a_state_that_is_not_there_is_an_error() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    for states in [0, 1, 70_000] {
        let given = Given { values: vec![Some(Value::Draw); states], distances: false };
        Writer::new(About::default()).write(&path, &given).unwrap();
        let table = Table::open(&path).unwrap();
        let loaded = table.load(u64::MAX).unwrap();
        for state in [states as u64, states as u64 + 1, u64::MAX] {
            let error = table.probe(state).unwrap_err();
            assert!(matches!(error, TableError::State { .. }));
            assert!(error.to_string().contains(&format!("no state {state}")), "{error}");
            assert!(!table.keeps(state));
            assert!(table.probe_many(&[state]).is_err());
            assert!(table.fill(state, &mut [None]).is_err());
            assert!(loaded.probe(state).is_err());
            assert!(loaded.fill(state, &mut [None]).is_err());
        }
        assert!(table.fill(states as u64, &mut []).is_ok());
        assert!(table.fill(0, &mut vec![None; states + 1]).is_err());
        assert!(loaded.fill(0, &mut vec![None; states + 1]).is_err());
    }
}

#[test]
fn what_cannot_be_laid_out_is_refused_before_a_file_is_begun() {
    let folder = Scratch::new();
    let given = Given { values: vec![None; 60], distances: true };
    for writer in [
        Writer::new(About::default()).rows(7, 2),
        Writer::new(About::default()).rows(0, 2),
        Writer::new(About::default()).rows(30, 2).half(2),
        Writer::new(About::default()).half(1),
    ] {
        assert!(writer.write(folder.join("a.table"), &given).is_err());
    }
    assert!(folder.files().is_empty());
}

#[test]
fn a_folder_answers_for_its_tables() {
    let folder = Scratch::new();
    let tables = Folder::new(folder.join("tables"));
    let file = tables.file("KQvK").unwrap();
    assert!(tables.names().is_err());
    fs::create_dir(tables.path()).unwrap();
    let given =
        Given { values: vec![Some(Value::Win(3)), None, Some(Value::Draw)], distances: true };

    assert_eq!(tables.get_table("KQvK").unwrap().map(|table| table.states()), None);
    assert_eq!(tables.get_probe("KQvK", 0).unwrap(), None);
    assert_eq!(tables.get_wdl("KQvK", 0).unwrap(), None);
    assert_eq!(tables.get_distance("KQvK", 0).unwrap(), None);
    let missing = tables.probe("KQvK", 0).unwrap_err();
    assert!(matches!(missing, TableError::Missing { .. }));
    assert!(missing.to_string().contains("KQvK.table"), "{missing}");

    Writer::new(About::default()).write(&file, &given).unwrap();
    fs::write(tables.path().join("notes.txt"), "").unwrap();
    assert_eq!(tables.names().unwrap(), ["KQvK"]);
    assert_eq!(tables.probe("KQvK", 0).unwrap(), Some(Value::Win(3)));
    assert_eq!(tables.get_probe("KQvK", 1).unwrap(), None);
    assert_eq!(tables.probe_wdl("KQvK", 2).unwrap(), Some(Outcome::Draw));
    assert_eq!(tables.get_wdl("KQvK", 0).unwrap(), Some(Outcome::Win));
    assert_eq!(tables.probe_distance("KQvK", 0).unwrap(), Some(3));
    assert_eq!(tables.get_distance("KQvK", 2).unwrap(), None);

    // A table that exists and cannot be read is not a missing one.
    fs::write(tables.file("bad").unwrap(), "retrograde").unwrap();
    assert!(tables.get_probe("bad", 0).is_err());
    for name in ["", "../KQvK", "a/b", ".hidden", "a\0b"] {
        assert!(matches!(tables.get_probe(name, 0), Err(TableError::Name { .. })), "{name}");
    }
}

/// A chain that is longer than a code of two bytes can tell. Its ends are lost and won in 39,999 plies.
#[test]
fn distances_too_long_for_a_code_are_counted() {
    let chain = |states: u64| Explicit::from_edges(states, (1..states).map(|at| (at, at - 1)));
    let (game, scratch) = (chain(40_000), Scratch::new());
    let (solution, shorter) = (solve(&game), solve(&chain(39_999)));
    let even_odd = |state: u64| ((state % 2) as usize, 1);
    for (name, histogram, right) in
        [("right", solution.histogram(), true), ("wrong", shorter.histogram(), false)]
    {
        let counts = ["even", "odd"].map(|side| {
            let (win, loss) = if side == "odd" { (20_000, 0) } else { (0, 20_000) };
            SideCounts { side: side.into(), win, loss, draw: 0, invalid: 0 }
        });
        let about = About { counts: counts.into(), ..About::default() };
        let path = scratch.join(name);
        Writer::new(about).histogram(histogram).write(&path, &solution).unwrap();
        let table = Table::open(&path).unwrap();
        let counted =
            WithRules::new(&game, &table).unwrap().check_counts(&["even", "odd"], even_odd);
        let problem = counted.map_err(|error| error.to_string());
        assert_eq!(problem.is_ok(), right, "{problem:?}");
        assert!(right || problem.unwrap_err().contains("losses at distance 39999"));
    }
}
