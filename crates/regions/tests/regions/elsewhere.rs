//! Regions that a caller's function solves: the builder plans, verifies and records the tables.

use std::fs;
use std::path::Path;

use chess_for_tests::{Chess, Material};
use retrograde::{Probe, Value};
use retrograde_files::FileError;
use retrograde_regions::{BuildError, Builder, Family, Tables};
use retrograde_table::{InvalidStates, Table, Writer};

use crate::{Scratch, build, files};

fn pawn() -> Material {
    "KPvK".parse().unwrap()
}

#[test]
fn what_was_written_elsewhere_is_noted_as_if_it_were_written_here() {
    let [here, there] = [Scratch::new(), Scratch::new()];
    build(&Chess, &here, "KPvK").unwrap();
    let copy = |name: &str, to: &Path| fs::copy(here.join(format!("{name}.table")), to);
    let builder = Builder::new(&Chess, &*there).verify(true).elsewhere(|planned, path, _| {
        let name = planned.region.to_string();
        assert_eq!(path.file_stem().and_then(|stem| stem.to_str()), Some(&*name));
        let copied = copy(&name, path).map(drop);
        copied.map_err(|error| FileError::new(path, "copy", error).into())
    });
    builder.build(&[pawn()]).unwrap();
    assert_eq!(files(&there), files(&here));
}

#[test]
fn what_fails_elsewhere_is_said_and_what_was_finished_stays() {
    let [here, there] = [Scratch::new(), Scratch::new()];
    build(&Chess, &here, "KPvK").unwrap();
    let builder = || Builder::new(&Chess, &*there);
    let failing = builder().elsewhere(|planned, path, _| {
        let region = planned.region.to_string();
        if region == "KPvK" {
            let problem = "process 1 was killed".to_owned();
            return Err(BuildError::Elsewhere { region, problem });
        }
        fs::copy(here.join(format!("{region}.table")), path).unwrap();
        Ok(())
    });
    let error = failing.build(&[pawn()]).unwrap_err().to_string();
    assert_eq!(error, "KPvK: process 1 was killed");
    assert_eq!(builder().plan(&[pawn()]).unwrap().states_left(), 231_168);
    builder().build(&[pawn()]).unwrap();
    assert_eq!(files(&there), files(&here));
}

/// A table in which one state is a win in one ply.
struct Lie<'t>(&'t Table, u64);

impl Probe for Lie<'_> {
    type Error = <Table as Probe>::Error;

    fn states(&self) -> u64 {
        self.0.states()
    }

    fn has_distances(&self) -> bool {
        true
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, Self::Error> {
        let value = self.0.probe(state)?;
        Ok(if state == self.1 { Some(Value::Win(1)) } else { value })
    }
}

#[test]
fn a_wrong_table_from_elsewhere_is_found_and_not_kept() {
    let [here, there] = [Scratch::new(), Scratch::new()];
    let queen: Material = "KQvK".parse().unwrap();
    build(&Chess, &here, "KQvK").unwrap();
    let tables = Tables::open(Chess, &*here).unwrap();
    let table = tables.table(&queen).unwrap();
    let far = |state: &u64| table.probe(*state).unwrap() == Some(Value::Win(5));
    let position = |game: &<Chess as Family>::Game<'_>| {
        (0..table.states()).filter(far).find(|&state| game.index().position(state).is_some())
    };
    let lie = tables.with_game(&queen, position).unwrap().expect("some are won in five");
    let lying = Builder::new(&Chess, &*there).verify(true).elsewhere(|_, path, _| {
        let writer =
            Writer::new(table.header().about.clone()).invalid_states(InvalidStates::Forgotten);
        writer.write(path, &Lie(&table, lie)).map(drop).map_err(BuildError::from)
    });
    let error = lying.build(&[queen]).unwrap_err().to_string();
    let problem = format!("the solution of KQvK is wrong: state {lie} is Win(1) but");
    assert!(error.contains(&problem), "{error}");
    assert!(!there.join("KQvK.table").exists());
    let tables = Tables::open(Chess, &*there).unwrap();
    assert!(tables.get_table(&queen).unwrap().is_none());
}

#[test]
fn the_table_of_another_region_is_not_taken() {
    let [here, there] = [Scratch::new(), Scratch::new()];
    build(&Chess, &here, "KQvK").unwrap();
    let other = Builder::new(&Chess, &*there).elsewhere(|_, path, _| {
        fs::copy(here.join("KQvK.table"), path).unwrap();
        Ok(())
    });
    let error = other.build(&["KRvK"]).unwrap_err().to_string();
    assert!(error.contains("this is the table of KQvK, not of KRvK"), "{error}");
}
