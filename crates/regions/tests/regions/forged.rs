//! Forged tables: every checksum is right and the manifest lists them, but their contents are wrong.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use chess_for_tests::{Chess, Material};
use retrograde::{Game, Histogram, Predecessors, Probe, Status, Value};

use retrograde_regions::{Family, Manifest, Tables};
use retrograde_table::{About, InvalidStates, SideCounts, Table, TableError, Writer};

use crate::{Scratch, build};

/// A table with another value for one of its states.
struct Lie<'a>(&'a Table, Option<(u64, Value)>);

impl Probe for Lie<'_> {
    type Error = TableError;
    fn states(&self) -> u64 {
        self.0.states()
    }
    fn has_distances(&self) -> bool {
        true
    }
    fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        match self.1 {
            Some((at, value)) if at == state => Ok(Some(value)),
            _ => self.0.probe(state),
        }
    }
}

fn material(text: &str) -> Material {
    text.parse().unwrap()
}

/// Updates the entry of a file in the manifest, and those of all tables that need it.
pub(crate) fn note(folder: &Path, name: &str) {
    let mut manifest = Manifest::read(folder).unwrap().unwrap();
    let entry = manifest.regions.get_mut(name).unwrap();
    let bytes = fs::read(folder.join(format!("{name}.table"))).unwrap();
    entry.bytes = bytes.len() as u64;
    let checksum = format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&bytes));
    entry.checksum.clone_from(&checksum);
    for need in manifest.regions.values_mut().filter_map(|entry| entry.needs.get_mut(name)) {
        need.clone_from(&checksum);
    }
    manifest.write(folder).unwrap();
}

/// The table of KQvK, and the histogram of its solution.
struct Honest {
    _folder: Scratch,
    tables: Tables<Chess>,
    histogram: Histogram,
}

impl Honest {
    fn new() -> Honest {
        let folder = Scratch::new();
        build(&Chess, &folder, "KQvK").unwrap();
        let tables = Tables::open(Chess, &*folder).unwrap();
        let solve = |game: &<Chess as Family>::Game<'_>| retrograde::solve(game);
        let solution = tables.with_game(&material("KQvK"), solve).unwrap();
        Honest { _folder: folder, tables, histogram: solution.histogram().clone() }
    }

    /// The verdict on the table, written again into another folder with these changes.
    fn judged(
        &self,
        lie: Option<(u64, Value)>,
        about: impl Fn(&mut About),
        histogram: Option<&Histogram>,
    ) -> Result<(), String> {
        let (region, folder) = (material("KQvK"), Scratch::new());
        let table = self.tables.table(&region).unwrap();
        let mut header = table.header().about.clone();
        about(&mut header);
        let writer = Writer::new(header).invalid_states(InvalidStates::Forgotten);
        let writer = writer.histogram(histogram.unwrap_or(&self.histogram));
        fs::create_dir(&*folder).unwrap();
        writer.write(folder.join("KQvK.table"), &Lie(&table, lie)).unwrap();
        self.tables.manifest().write(&folder).unwrap();
        note(&folder, "KQvK");
        let tables = Tables::open(Chess, &*folder).unwrap();
        tables.check(&region).map_err(|error| error.to_string())?;
        tables.verify(&region).map(drop).map_err(|error| error.to_string())
    }
}

#[test]
fn a_stalemate_that_is_stored_as_a_win_is_found() {
    let honest = Honest::new();
    let stalemate = |game: &<Chess as Family>::Game<'_>| {
        let stuck = |state: &u64| game.status(*state) == Status::Terminal(Value::Draw);
        (0..game.states()).find(stuck).expect("there is a stalemate")
    };
    let state = honest.tables.with_game(&material("KQvK"), stalemate).unwrap();
    let error = honest.judged(Some((state, Value::Win(1))), |_| {}, None).unwrap_err();
    assert!(error.contains(&format!("state {state} is Win(1) but Draw follows")), "{error}");
}

#[test]
fn counts_and_histograms_that_are_not_so_are_found() {
    let honest = Honest::new();
    honest.judged(None, |_| {}, None).expect("nothing is changed");
    for (side, key, lie) in [
        ("white", "win", 144_509.into()),
        ("black", "draw", 0.into()),
        ("white", "longest", 21.into()),
        ("white", "fen", "8/8/8/8/8/8/8/K1k4Q w - - 0 1".into()),
    ] {
        let lie: serde_json::Value = lie;
        let error = honest.judged(None, |about| about.parameters[side][key] = lie.clone(), None);
        let error = error.expect_err(key);
        assert!(error.contains(&format!("for {side} it says")), "{error}");
    }
    let other = retrograde::solve(&Walk(4));
    // The verification accepted an empty histogram.
    for histogram in [other.histogram(), &Histogram::default()] {
        let error = honest.judged(None, |_| {}, Some(histogram)).unwrap_err();
        assert!(error.contains("the histogram says"), "{error}");
    }
    for lie in [
        |about: &mut About| about.counts.swap(0, 1),
        |about: &mut About| drop(about.counts.pop()),
        |about: &mut About| about.counts.push(SideCounts::new("grey", Default::default())),
    ] {
        let error = honest.judged(None, lie, None).unwrap_err();
        assert!(error.contains("its counts of states are wrong"), "{error}");
    }
    let error = honest.judged(None, |about| about.parameters["more"] = 7.into(), None).unwrap_err();
    assert!(error.contains("it says {\""), "{error}");
}

/// Two tables with exchanged names, and a manifest that fits.
#[test]
fn a_table_under_the_name_of_another_is_not_asked() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KBvK").unwrap();
    build(&Chess, &folder, "KNvK").unwrap();
    fs::rename(folder.join("KBvK.table"), folder.join("aside")).unwrap();
    fs::rename(folder.join("KNvK.table"), folder.join("KBvK.table")).unwrap();
    fs::rename(folder.join("aside"), folder.join("KNvK.table")).unwrap();
    note(&folder, "KBvK");
    note(&folder, "KNvK");
    let tables = Tables::open(Chess, &*folder).unwrap();
    for (name, other) in [("KBvK", "KNvK"), ("KNvK", "KBvK")] {
        let error = tables.table(&material(name)).unwrap_err().to_string();
        assert!(error.contains(&format!("the table of {other}, not of {name}")), "{error}");
    }
    // A build does not use them either.
    let error = build(&Chess, &folder, "KPvK").unwrap_err().to_string();
    assert!(error.contains("this is the table of"), "{error}");
}

/// Fields that a token walks down. On field 0 it cannot move.
struct Walk(u64);

impl Game for Walk {
    fn states(&self) -> u64 {
        self.0
    }
    fn status(&self, _: u64) -> Status {
        Status::Open
    }
    fn successors(&self, field: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        field.checked_sub(1).into_iter().try_for_each(visit)
    }
}

impl Predecessors for Walk {
    fn predecessors(&self, field: u64, visit: impl FnMut(u64)) {
        Some(field + 1).filter(|field| *field < self.0).into_iter().for_each(visit);
    }
}
