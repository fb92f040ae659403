//! Three and six men's morris: whole games are proved, and a wrong value, count or table is found.

use std::fs;
use std::path::Path;

use retrograde::Probe;
use retrograde_morris::{Index, Men, Region};
use retrograde_table::{InvalidStates, Table, Writer};
use retrograde_testkit::{Rng, cases, seed};
use retrograde_witness::{Options, Refusal, tables, witness};
use serde_json::json;

use crate::common::{Lie, Scratch, assert_refused, other, witnessed};

/// How many positions a game has, as `benches/record` counts them.
const GAMES: [(Men, usize, u64); 2] = [(Men::Three, 7, 498), (Men::Six, 71, 1_954_176)];

#[test]
fn whole_games_are_proved() {
    let folder = Scratch::new();
    for (men, regions, positions) in GAMES {
        let built = folder.morris(men);
        let tables = tables(&built).unwrap();
        assert_eq!(tables.len(), regions);
        let proved = tables.iter().map(|table| {
            let proved = witnessed(table).unwrap_or_else(|refusal| panic!("{refusal}"));
            assert!(proved.distances);
            proved.positions
        });
        assert_eq!(proved.sum::<u64>(), positions, "{men:?}");
    }
    // With less memory than the values take the verdict is the same.
    let table = folder.join("morris6/3-3.table");
    let options = Options { memory: 1, threads: 3, ..Options::default() };
    assert_eq!(witness(&table, &options), witnessed(&table));
}

#[test]
fn a_wrong_value_is_found() {
    let (folder, seed) = (Scratch::new(), seed());
    let mut rng = Rng::new(seed);
    for (men, ..) in GAMES {
        let built = folder.morris(men);
        let paths = tables(&built).unwrap();
        for round in 0..cases(100) {
            let path = &paths[rng.below(paths.len() as u64) as usize];
            let index = Index::new(men, Region::named(men, stem(path)).unwrap());
            let (state, position) = loop {
                let state = rng.below(index.states());
                if let Some(position) = index.position(state) {
                    break (state, position);
                }
            };
            let honest = fs::read(path).unwrap();
            let table = Table::open(path).unwrap();
            let truth = table.probe(state).unwrap().unwrap();
            let lie = Lie { truth: &table, state, value: other(truth, &mut rng) };
            drop(rewrite(path, &table, &lie, |_| {}));
            let value = lie.value;
            let what = format!("round {round} of seed {seed}: {position}: {truth:?} as {value:?}");
            assert_refused(path, &what);
            fs::write(path, honest).unwrap();
        }
    }
}

#[test]
fn a_header_that_lies_is_refused() {
    let folder = Scratch::new();
    let built = folder.morris(Men::Three);
    for (name, lies) in [
        (
            "3-3",
            &[
                ("/sides/0/win", json!(1)),
                ("/sides/0/draw", json!(0)),
                ("/sides/0/longest", json!(2)),
                ("/sides/0/position", json!("white a1 b1 a2 black a3 b3 c2")),
                ("/sides/0/own", json!(2)),
                ("/men", json!(6)),
                ("/men", json!(4)),
                ("/region", json!("3-2")),
                ("/region", json!("p5-2-3")),
            ][..],
        ),
        ("p5-2-3", &[("/region", json!("p5-3-3")), ("/region", json!("p9-2-3"))][..]),
    ] {
        let path = built.join(format!("{name}.table"));
        let honest = fs::read(&path).unwrap();
        for (key, lie) in lies {
            let table = Table::open(&path).unwrap();
            let refusal = rewrite(&path, &table, &table, |about| {
                *about.pointer_mut(key).unwrap_or_else(|| panic!("{key}")) = lie.clone();
            });
            let refusal = refusal.expect_err(&format!("{name}: {key} is {lie}")).to_string();
            assert!(refusal.contains(stem(&path)), "{key}: {refusal}");
            fs::write(&path, &honest).unwrap();
        }
    }
}

#[test]
fn moves_lead_to_the_tables_of_the_same_game() {
    let folder = Scratch::new();
    let [three, six] = [Men::Three, Men::Six].map(|men| folder.morris(men));
    let path = six.join("4-3.table");
    fs::rename(six.join("3-3.table"), six.join("kept")).unwrap();
    let refusal = witnessed(&path).unwrap_err();
    assert!(
        matches!(&refusal, Refusal::Unreadable(what) if what.contains("lead to 3-3")),
        "{refusal}"
    );
    fs::copy(three.join("3-3.table"), six.join("3-3.table")).unwrap();
    let refusal = witnessed(&path).unwrap_err();
    assert!(
        matches!(&refusal, Refusal::Wrong(what) if what.contains("another number of men")),
        "{refusal}"
    );
}

/// Writes a table again with other values and parameters, and asks the witness.
fn rewrite<P: Probe>(
    path: &Path,
    table: &Table,
    values: &P,
    change: impl FnOnce(&mut serde_json::Value),
) -> Result<u64, Refusal>
where
    P::Error: std::fmt::Debug,
{
    let mut about = table.header().about.clone();
    change(&mut about.parameters);
    let writer = Writer::new(about).invalid_states(InvalidStates::Forgotten);
    let changed = path.with_extension("changed");
    writer.write(&changed, values).unwrap();
    fs::rename(&changed, path).unwrap();
    witnessed(path).map(|proved| proved.positions)
}

fn stem(path: &Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap()
}
