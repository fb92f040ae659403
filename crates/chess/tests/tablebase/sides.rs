//! Folders whose tables keep one side give the same answers as folders whose tables keep both.

use std::fs;
use std::path::Path;

use retrograde::{Probe, Value};
use retrograde_chess::{Material, Tablebase, builder};
use retrograde_testkit::{Rng, seed};

use crate::fresh;

fn built(name: &str, targets: &[&str], both_sides: bool) -> Tablebase {
    let folder = fresh(name);
    let targets: Vec<Material> = targets.iter().map(|name| name.parse().unwrap()).collect();
    let builder = builder(&folder).both_sides(both_sides).verify(true);
    builder.build(&targets).unwrap();
    Tablebase::open(&folder).unwrap()
}

fn filled(values: &impl Probe<Error = impl std::fmt::Debug>) -> Vec<Option<Value>> {
    let mut all = vec![None; values.states() as usize];
    // In pieces that begin and end at any state.
    for (first, piece) in (0..).step_by(10_007).zip(all.chunks_mut(10_007)) {
        values.fill(first, piece).unwrap();
    }
    all
}

#[test]
fn one_side_answers_as_both_do() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let targets = ["KPvK", "KRvK"];
    let (one, both) = (built("one-side", &targets, false), built("both-sides", &targets, true));
    let (mut sides, mut sum) = (0, [0, 0]);
    for material in one.regions() {
        let (of_one, of_both) = (one.opened(&material).unwrap(), both.opened(&material).unwrap());
        let (index, table) = (of_one.index(), of_one.table());
        assert!(of_both.table().is_complete());
        assert!(!table.keeps_all() && !table.is_complete() && table.answers_all());
        // The header is longer, which matters to a table of draws.
        assert!(table.bytes() < of_both.table().bytes() + 100);
        sum = [sum[0] + table.bytes(), sum[1] + of_both.table().bytes()];
        sides |= 1 << table.header().half().unwrap();
        let (found, expected) = (filled(table), filled(of_both.table()));
        let loaded = filled(&table.load(u64::MAX).unwrap());
        let all = (0..).zip(&expected).filter(|&(state, _)| index.position(state).is_some());
        for (state, value) in all {
            assert_eq!(found[state as usize], *value, "{material}: state {state}");
            assert_eq!(loaded[state as usize], *value, "{material}: state {state}");
        }
        let some: Vec<u64> = (0..1000).map(|_| rng.below(index.states())).collect();
        let some: Vec<u64> = some.into_iter().filter(|at| index.position(*at).is_some()).collect();
        let many = table.probe_many(&some).unwrap();
        for (&state, many) in some.iter().zip(many) {
            let value = expected[state as usize];
            assert_eq!((table.probe(state).unwrap(), many), (value, value), "{material}: {state}");
            let position = index.position(state).unwrap();
            assert_eq!(one.probe(&position).unwrap(), both.probe(&position).unwrap());
        }
        one.verify(&material).unwrap();
        one.check(&material).unwrap();
    }
    assert!(sides > 0 && 3 * sum[0] < 2 * sum[1], "{sum:?}");
}

/// The values of a side that is not kept need other tables. Without these, the error names what is missing.
#[test]
fn without_the_tables_that_moves_lead_to_nothing_is_recovered() {
    let tables = built("one-side-alone", &["KPvK"], false);
    let folder = tables.path().to_owned();
    let material: Material = "KPvK".parse().unwrap();
    drop(tables);
    let queens = folder.join("KQvK.table");
    let whole = fs::read(&queens).unwrap();
    let value = |path: &Path| {
        let tables = Tablebase::open(path).unwrap();
        let value = |fen: &str| tables.value(fen).map_err(|error| error.to_string());
        [value("8/P7/8/8/8/8/k7/2K5 w - - 0 1"), value("8/P7/8/8/8/8/k7/2K5 b - - 0 1")]
    };
    let known = value(&folder);
    assert!(known.iter().all(Result::is_ok), "{known:?}");
    // The damage is in a block. Both values follow from it: one by a promotion, the other by the move before.
    let mut damaged = whole.clone();
    let at = whole.len() / 2;
    damaged[at] ^= 1;
    fs::write(&queens, damaged).unwrap();
    let errors = value(&folder).map(Result::unwrap_err);
    assert!(errors.iter().all(|error| error.contains("KQvK")), "{errors:?}");
    assert!(Tablebase::open(&folder).unwrap().verify(&material).is_err());
    fs::remove_file(&queens).unwrap();
    let errors = value(&folder).map(Result::unwrap_err);
    assert!(errors.iter().all(|error| error.contains("KQvK")), "{errors:?}");
}
