//! A table that leaves out what exits tell answers as any other, once it knows the rules.

use std::fs;
use std::sync::Arc;

use crate::common::{Scratch, Sided, better, twin, values};
use retrograde::{Code, Game, Probe, Solver, Status, Value};
use retrograde_table::{
    About, Compression, Exits, InvalidStates, Options, Table, TableError, WithRules, Writer,
};
use retrograde_testkit::{Rng, random};

/// A random game for two sides.
fn sided(seed: u64) -> Sided {
    let mut rng = Rng::new(seed);
    let (rows, columns) = (rng.within(1..20), rng.within(1..150));
    let states = rows * columns;
    Sided { game: random::game(seed, states..states + 1), columns }
}

#[test]
fn what_exits_tell_is_left_out_and_found_again() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    let mut left_out = 0;
    for seed in 0..80 {
        let game = Arc::new(sided(seed));
        let distances = seed % 4 != 0;
        let solution = Solver::new().distances(distances).solve(&*game).unwrap();
        for half in [None, Some(0), Some(1)] {
            let invalid = match seed % 2 == 0 {
                true => InvalidStates::Forgotten,
                false => InvalidStates::Kept,
            };
            let writer = Writer::new(About::default())
                .compression(Compression::Fast)
                .invalid_states(invalid)
                .rows(game.columns, 2)
                .forget_exits(&*game);
            let writer = half.into_iter().fold(writer, Writer::half);
            writer.write(&path, &solution).unwrap();

            let twin = twin::read(&fs::read(&path).unwrap());
            assert_eq!(twin.header["exits"], "forgotten");
            for (state, bound) in (0..).zip(&twin.values) {
                let (Some(Some(bound)), Some(truth)) = (bound, solution.value(state)) else {
                    continue;
                };
                assert!(*bound <= truth, "seed {seed} state {state}");
                assert_eq!(better(*bound, game.best_exit(state), distances), truth);
                left_out += u64::from(*bound != truth);
            }
            assert_known(&game, &Options::new().open(&path).unwrap(), &values(&solution));
        }
    }
    assert!(left_out > 1000, "{left_out}");
}

/// Probes a table in every way, without the rules, with them, and once it recovers values by itself.
fn assert_known(game: &Arc<Sided>, table: &Table, expected: &[Option<Value>]) {
    assert_eq!(table.header().exits, Exits::Forgotten);
    assert!(!table.is_complete() && !table.answers_all());
    let mut all = vec![None; expected.len()];
    let refused = |found: Result<(), TableError>| {
        assert!(matches!(found, Err(TableError::NotStored { .. })), "{found:?}");
    };
    refused(table.probe(0).map(drop));
    refused(table.probe_many(&[0]).map(drop));
    refused(table.fill(0, &mut all));
    refused(table.load(u64::MAX).unwrap().probe(0).map(drop));

    let loaded = table.load(u64::MAX).unwrap();
    assert_eq!(values(&WithRules::new(&**game, table).unwrap()), expected);
    assert_eq!(values(&WithRules::new(&**game, &loaded).unwrap()), expected);
    WithRules::new(&**game, table).unwrap().fill(0, &mut all).unwrap();
    assert_eq!(all, expected);

    table.recover_by(Arc::clone(game) as _);
    assert!(table.answers_all());
    let valid = |state: &u64| game.status(*state) != Status::Invalid;
    let states: Vec<u64> = (0..game.states()).filter(valid).collect();
    let value = |state: u64| expected[state as usize];
    let same = |found: &dyn Fn(u64) -> Option<Value>| {
        states.iter().for_each(|&state| assert_eq!(found(state), value(state), "{state}"));
    };
    same(&|state| table.probe(state).unwrap());
    let many = table.probe_many(&states).unwrap();
    assert!(states.iter().zip(many).all(|(&state, found)| found == value(state)));
    table.fill(0, &mut all).unwrap();
    same(&|state| all[state as usize]);
    let uncached = Options::new().cache_bytes(0).open(table.path()).unwrap();
    uncached.recover_by(Arc::clone(game) as _);
    uncached.fill(0, &mut all).unwrap();
    same(&|state| all[state as usize]);
    let loaded = table.load(u64::MAX).unwrap();
    same(&|state| loaded.probe(state).unwrap());
    loaded.fill(0, &mut all).unwrap();
    same(&|state| all[state as usize]);
    for some in states.chunks(7) {
        let least = some.iter().filter_map(|&state| value(state)).min();
        assert_eq!(table.least_of(some).unwrap(), least);
        assert_eq!(loaded.least_of(some).unwrap(), least);
    }
    retrograde::verify(&**game, &WithRules::new(&**game, &loaded).unwrap().as_stored()).unwrap();
}

/// Distances that a code of two bytes holds, and others that it does not hold, with a cache for all blocks and with one for a few.
#[test]
fn distances_may_be_long() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    for (least, cache) in [(40, Options::CACHE_BYTES), (40, 0), (40_000, 0), (40_000, 1 << 24)] {
        let win = |distance: u64| Value::Win(least + distance as u32);
        let truth: Vec<_> = (0..5000).map(|state| Some(win(state % 7))).collect();
        let told = truth.iter().map(|value| value.filter(|value| *value != win(3))).collect();
        let exits = Arc::new(crate::common::Told(told));
        let given = crate::common::Given { values: truth.clone(), distances: true };
        Writer::new(About::default()).forget_exits(&*exits).write(&path, &given).unwrap();
        let table = Options::new().cache_bytes(cache).open(&path).unwrap();
        assert_eq!(table.header().exits, Exits::Forgotten);
        table.recover_by(exits);
        assert_eq!(values(&table), truth);
        let mut all = vec![None; truth.len()];
        table.fill(0, &mut all).unwrap();
        assert_eq!(all, truth);
        let mut codes = vec![Code::INVALID; truth.len()];
        table.fill_codes(0, &mut codes).unwrap();
        assert!(codes.iter().zip(truth).all(|(code, value)| *code == Code::of(value)));
    }
}

/// The side that takes fewer bytes is kept, and a game without sides keeps all.
#[test]
fn all_that_moves_tell_is_left_out() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    let mut rng = Rng::new(1);
    for noisy in [0, 1] {
        let value = |state: u64| match state / 500 % 2 == noisy {
            true => Value::Win(rng.below(40) as u32),
            false => Value::Draw,
        };
        let values: Vec<_> = (0..20_000).map(value).map(Some).collect();
        let exits = crate::common::Told(vec![None; values.len()]);
        let given = crate::common::Given { values, distances: true };
        let writer = || Writer::new(About::default()).leave_out(&exits);
        writer().rows(500, 2).write(&path, &given).unwrap();
        let table = Table::open(&path).unwrap();
        assert_eq!(
            (table.header().half(), table.header().exits),
            (Some(1 - noisy), Exits::Forgotten)
        );
        writer().rows(500, 1).write(&path, &given).unwrap();
        assert!(Table::open(&path).unwrap().is_complete());
    }
}

/// Exits that cannot be asked stop the writer, and nothing is left.
#[test]
fn a_failed_exit_is_an_error() {
    struct Failing;
    impl retrograde_table::BestExits for Failing {
        fn best_exit(&self, state: u64) -> Result<Option<Value>, TableError> {
            Err(TableError::Needed {
                path: "b.table".into(),
                problem: format!("asked for {state}"),
            })
        }

        fn best_exits(&self, first: u64, _: &mut [Code]) -> Result<(), TableError> {
            self.best_exit(first).map(drop)
        }
    }
    let folder = Scratch::new();
    let given = crate::common::Given { values: vec![Some(Value::Draw); 900], distances: true };
    let writer = Writer::new(About::default()).forget_exits(&Failing);
    let error = writer.write(folder.join("a.table"), &given).unwrap_err().to_string();
    assert!(error.contains("b.table"), "{error}");
    assert!(folder.files().is_empty());
}
