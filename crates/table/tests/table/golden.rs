//! Old tables stay readable, and new tables have the same bytes as the golden ones.
//!
//! For each version of the format there is a folder of golden tables. A text lists the values of each, one
//! state a line. `RETROGRADE_GOLDEN=write cargo test -p retrograde-table --test table` writes the tables of
//! the current version again, for a new version of the compressor. The texts and the folders of older
//! versions stay.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common::{Given, Scratch, Told, better, chase, twin};
use retrograde::{Probe, Value};
use retrograde_games::{Board, Take, Takes};
use retrograde_table::{About, Compression, InvalidStates, Rows, SideCounts, Table, Writer};

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

/// Compares a table with the golden one, and the golden one with its text.
fn assert_golden<P: Probe>(name: &str, writer: Writer<'_>, values: &P) {
    assert_golden_of(name, writer, values, None);
}

/// The same for a table that leaves out what these exits tell.
fn assert_golden_of<P: Probe>(
    name: &str,
    writer: Writer<'_>,
    values: &P,
    told: Option<&Arc<Told>>,
) {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    writer.write(&path, values).unwrap();
    let file = golden(&format!("v2/{name}.table"));
    if std::env::var_os("RETROGRADE_GOLDEN").is_some() {
        fs::copy(&path, &file).unwrap();
    }
    let bytes = fs::read(&file).unwrap();
    assert!(fs::read(&path).unwrap() == bytes, "{name} is not written as before");
    let now = assert_read(name, &file, told);
    // All versions give the same values.
    let old = golden(&format!("v1/{name}.table"));
    if old.exists() {
        let old = assert_read(name, &old, None);
        assert_eq!((old.version(), now.version()), (1, 2));
        assert_eq!(old.header().about, now.header().about);
        assert_eq!(
            old.header().rows().collect::<Vec<_>>(),
            now.header().rows().collect::<Vec<_>>()
        );
        assert_eq!(old.header().half(), now.header().half());
        assert_eq!(old.header().invalid_states, now.header().invalid_states);
        assert_eq!(old.levels().unwrap(), now.levels().unwrap());
    }
}

/// Compares a golden table with its text, both as the library and as a slow reader read it.
fn assert_read(name: &str, file: &Path, told: Option<&Arc<Told>>) -> Table {
    let expected = fs::read_to_string(golden(&format!("{name}.txt"))).unwrap();
    let mut twin = twin::read(&fs::read(file).unwrap());
    let table = Table::open(file).unwrap();
    if let Some(told) = told {
        assert_ne!(listed(&twin.values), expected);
        for (value, exit) in twin.values.iter_mut().flatten().zip(&told.0) {
            *value = value.map(|bound| better(bound, *exit, true));
        }
        table.recover_by(Arc::clone(told) as _);
    }
    assert_eq!(listed(&twin.values), expected);
    table.check().unwrap();
    let read: Vec<_> = (0..table.states())
        .map(|state| table.keeps(state).then(|| table.probe(state).unwrap()))
        .collect();
    assert_eq!(listed(&read), expected);
    table
}

fn listed(values: &[Option<Option<Value>>]) -> String {
    let mut text = String::new();
    for (state, value) in values.iter().enumerate() {
        let value = match value {
            None => "not kept".to_string(),
            Some(None) => "void".to_string(),
            Some(Some(Value::Draw)) => "draw".to_string(),
            Some(Some(Value::Loss(distance))) => format!("loss {distance}"),
            Some(Some(Value::Win(distance))) => format!("win {distance}"),
        };
        writeln!(text, "{state} {value}").unwrap();
    }
    text
}

/// The values in a text.
fn given(name: &str, distances: bool) -> Given {
    let text = fs::read_to_string(golden(name)).unwrap();
    let value = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let distance =
            if distances { words.get(2).map_or(0, |word| word.parse().unwrap()) } else { 0 };
        match words[1] {
            "void" => None,
            "draw" => Some(Value::Draw),
            "loss" => Some(Value::Loss(distance)),
            "win" => Some(Value::Win(distance)),
            _ => panic!("{line}"),
        }
    };
    Given { values: text.lines().map(value).collect(), distances }
}

/// A board in rows, with everything that a header can hold.
#[test]
fn chase_in_rows() {
    let board = "..*.\n.E..\n..*.\n";
    let (chase, columns) = chase(&Board::parse(board).unwrap(), 1);
    let solution = retrograde::solve(&chase);
    let counts = |side: u64| {
        let rows = (0..solution.states() / columns).filter(|row| row % 2 == side);
        let mut counts = retrograde::Counts::default();
        rows.for_each(|row| counts += solution.count(row * columns..(row + 1) * columns));
        counts
    };
    let about = About {
        game: "pursuit".into(),
        parameters: serde_json::json!({ "police": 1 }),
        board: Some(board.into()),
        counts: vec![SideCounts::new("police", counts(0)), SideCounts::new("thief", counts(1))],
        positions: None,
    };
    let writer = Writer::new(about).histogram(solution.histogram()).rows(columns, 2);
    assert_golden("chase", writer, &solution);
}

/// The states of one side, with the best compression.
#[test]
fn half_a_chase() {
    let (chase, columns) = chase(&Board::parse("...\n.E.\n..*\n").unwrap(), 2);
    let solution = retrograde::solve(&chase);
    let about = About { game: "pursuit".into(), ..About::default() };
    let writer = Writer::new(about)
        .histogram(solution.histogram())
        .rows(columns, 2)
        .half(1)
        .compression(Compression::Best);
    assert_golden("half", writer, &solution);
}

/// Invalid states, draws, distances beyond 65,536, no compression. The values are those of a random game.
#[test]
fn mixed_values() {
    let about = About { game: "random".into(), ..About::default() };
    let writer = Writer::new(about).compression(Compression::None);
    assert_golden("random", writer, &given("random.txt", true));
}

/// Rows of two lengths, and the states of one side in each.
#[test]
fn two_grids() {
    let about = About { game: "random".into(), ..About::default() };
    let rows = |states, columns, sides| Rows { states, columns, sides };
    let writer = Writer::new(about).grids([rows(120, 10, 2), rows(280, 7, 4)]).half(1);
    assert_golden("grids", writer, &given("random.txt", true));
}

/// Exits tell a third of the values, which the table leaves out.
#[test]
fn forgotten_exits() {
    let about = About { game: "random".into(), ..About::default() };
    let given = given("random.txt", true);
    let exits = (0..).zip(&given.values).map(|(at, value)| value.filter(|_| at % 3 == 0));
    let told = Arc::new(Told(exits.collect()));
    let writer = Writer::new(about).compression(Compression::None).forget_exits(&*told);
    assert_golden_of("exits", writer, &given, Some(&told));
}

/// A random game without distances, and without marks for invalid states.
#[test]
fn mixed_outcomes() {
    let about = About { game: "random".into(), ..About::default() };
    let writer =
        Writer::new(about).invalid_states(InvalidStates::Forgotten).compression(Compression::Fast);
    assert_golden("outcomes", writer, &given("random.txt", false));
}

/// A block with more values than a byte can hold: the only move takes one piece from a heap.
#[test]
fn many_values_in_a_block() {
    let take = Take::new(&[300], Takes::Set(vec![1])).unwrap();
    let solution = retrograde::solve(&take);
    let about = About { game: "take".into(), ..About::default() };
    let writer = Writer::new(about).histogram(solution.histogram());
    assert_golden("take", writer, &solution);
}
