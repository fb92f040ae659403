//! Missing or damaged tables: the error names them and the command that builds them, and a build builds them again.

use std::fs;
use std::ops::ControlFlow;

use chess_for_tests::{Chess, Material};
use retrograde::{Game, Solver, Status, Value};
use retrograde_regions::{BuildError, Builder, Event, Manifest, Tables};

use crate::{Scratch, build, files};

fn material(text: &str) -> Material {
    text.parse().unwrap()
}

/// Turns one bit of a file.
fn damage(path: &std::path::Path, at: usize) {
    let mut bytes = fs::read(path).unwrap();
    let at = at % bytes.len();
    bytes[at] ^= 0x10;
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_missing_table_is_named_with_the_command_that_makes_it() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KQvK").unwrap();
    let tables = Tables::open(Chess, &*folder).unwrap();
    let error = tables.table(&material("KRvK")).unwrap_err().to_string();
    let place = folder.display();
    assert_eq!(
        error,
        format!(
            "there is no finished table of KRvK in {place}; to make it: retrograde build chess KRvK \
             --out {place}"
        )
    );
    assert!(tables.get_table(&material("KRvK")).unwrap().is_none());
    assert!(tables.get_table(&material("KQvK")).unwrap().is_some());
}

#[test]
fn a_folder_that_is_not_there_has_no_tables() {
    let tables = Tables::open(Chess, &*Scratch::new()).unwrap();
    assert!(tables.get_table(&material("KQvK")).unwrap().is_none());
}

#[test]
fn a_table_that_was_removed_is_made_again() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KPvK").unwrap();
    let whole = files(&folder);
    fs::remove_file(folder.join("KRvK.table")).unwrap();
    let tables = Tables::open(Chess, &*folder).unwrap();
    assert!(tables.get_table(&material("KRvK")).unwrap().is_none());
    let error = tables.probe(&material("KRvK"), 0).unwrap_err().to_string();
    assert!(error.contains("KRvK.table") && error.contains("build chess KRvK"), "{error}");
    assert_eq!(build(&Chess, &folder, "KPvK").unwrap(), ["KRvK"]);
    assert_eq!(files(&folder), whole);
}

#[test]
fn a_damaged_table_is_found_and_made_again() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KPvK").unwrap();
    let whole = files(&folder);
    for at in [3, 100, 4_000, whole["KQvK.table"].len() - 1] {
        damage(&folder.join("KQvK.table"), at);
        let tables = Tables::open(Chess, &*folder).unwrap();
        let error = tables.check(&material("KQvK")).unwrap_err().to_string();
        assert!(error.contains("KQvK.table") && error.contains("build chess KQvK"), "{error}");
        let mut repaired = Vec::new();
        Builder::new(&Chess, &*folder)
            .progress(|event| {
                if let Event::Repairing(region, error) = event {
                    repaired.push((region.to_string(), error.to_string()));
                }
                ControlFlow::Continue(())
            })
            .build(&[material("KPvK")])
            .unwrap();
        let [(region, error)] = &repaired[..] else { panic!("{repaired:?}") };
        assert_eq!(region, "KQvK");
        assert!(error.contains("checksum differs"), "{error}");
        assert_eq!(files(&folder), whole);
    }
}

#[test]
fn a_table_of_another_length_is_not_asked() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KQvK").unwrap();
    build(&Chess, &folder, "KRvK").unwrap();
    fs::copy(folder.join("KRvK.table"), folder.join("KQvK.table")).unwrap();
    let tables = Tables::open(Chess, &*folder).unwrap();
    let error = tables.table(&material("KQvK")).unwrap_err().to_string();
    assert!(error.contains("this is not the table of KQvK"), "{error}");
}

/// The damage comes after the check at the start, during the solve of a region that needs the table. No table is
/// written from it, in memory or from disk.
#[test]
fn damage_during_a_build_stops_it_and_is_named() {
    for tight in [false, true] {
        let folder = Scratch::new();
        build(&Chess, &folder, "KQvK").unwrap();
        let path = folder.join("KQvK.table");
        let length = fs::metadata(&path).unwrap().len() as usize;
        let builder = Builder::new(&Chess, &*folder).threads(1).progress(|event| {
            if let Event::Begun(planned) = event
                && planned.region == "KPvK"
            {
                // In the middle of the blocks, so that the table opens without an error.
                damage(&path, length / 2);
            }
            ControlFlow::Continue(())
        });
        let least = builder.plan(&[material("KPvK")]).unwrap().memory_least_most();
        let builder = if tight { builder.memory_max(least) } else { builder };
        let error = builder.build(&[material("KPvK")]).unwrap_err();
        assert!(matches!(error, BuildError::Region(_)), "{error}");
        let error = error.to_string();
        assert!(error.contains("KQvK.table") && error.contains("build chess KQvK"), "{error}");
        assert!(!folder.join("KPvK.table").exists());
    }
}

/// A failed lookup during a solve counted as a draw, and later lookups were tried again. So the solve used a mix of
/// both. Now the first failure is the last lookup, and the caller gets the error that names the table, and no value.
#[test]
fn damage_after_opening_is_an_error_and_no_value() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KPvK").unwrap();
    let region = material("KPvK");
    let path = folder.join("KQvK.table");
    let whole = fs::read(&path).unwrap();
    // In the blocks with black to move, which a promotion of the pawn leads to.
    let spoil = || damage(&path, whole.len() * 2 / 3);
    let opened = || {
        fs::write(&path, &whole).unwrap();
        let tables = Tables::open(Chess, &*folder).unwrap();
        tables.table(&material("KQvK")).unwrap();
        tables
    };
    let named = |error: String| assert!(error.contains("KQvK.table"), "{error}");

    let tables = opened();
    spoil();
    let solution = tables.with_game(&region, |game| retrograde::solve(game));
    named(solution.expect_err("no solution").to_string());

    let tables = opened();
    spoil();
    let mut acted = false;
    let solution = tables.with_game_watched(&region, Some(u64::MAX), |game, _| {
        acted = true;
        retrograde::solve(game)
    });
    named(solution.expect_err("no solution").to_string());
    assert!(!acted, "a table that is to be loaded is read before the game is made");

    let tables = opened();
    spoil();
    let solution = tables.with_game_watched(&region, None, |game, failure| {
        let solved = Solver::new().progress(|_| match failure.happened() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        let solved = solved.solve(game);
        assert!(failure.happened());
        // The table is whole again, and still nothing is looked up.
        fs::write(&path, &whole).unwrap();
        for state in (0..game.states()).filter(|state| game.status(*state) == Status::Open) {
            game.exits(state, |exit| assert_eq!(exit, Value::Draw, "an exit of state {state}"));
        }
        solved
    });
    named(solution.expect_err("no solution").to_string());

    let tables = opened();
    tables.with_game(&region, |game| retrograde::solve(game)).expect("nothing is damaged");
}

/// Opening a pipe would wait forever.
#[test]
fn a_pipe_in_the_place_of_a_file_is_refused() {
    for name in ["KQvK.table", Manifest::FILE] {
        let folder = Scratch::new();
        build(&Chess, &folder, "KQvK").unwrap();
        fs::remove_file(folder.join(name)).unwrap();
        let made = std::process::Command::new("mkfifo").arg(folder.join(name)).status();
        assert!(made.unwrap().success());
        let error = build(&Chess, &folder, "KQvK").unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("not a file"), "{error}");
    }
}

#[test]
fn a_manifest_that_makes_no_sense_is_named() {
    let folder = Scratch::new();
    build(&Chess, &folder, "KQvK").unwrap();
    let path = folder.join(Manifest::FILE);
    let text = fs::read_to_string(&path).unwrap();
    for (text, problem) in [
        (text[..text.len() / 2].to_string(), "EOF while parsing"),
        (text.replace("\"version\": 2", "\"version\": 7"), "version 7 of the manifest"),
        (text.replace("\"chess\"", "[]"), "line 3"),
        (text.replace("\"chess\"", "\"morris\""), "checksum"),
    ] {
        fs::write(&path, text).unwrap();
        let error = build(&Chess, &folder, "KQvK").unwrap_err().to_string();
        assert!(error.contains("manifest.json") && error.contains(problem), "{error}");
        assert!(Tables::open(Chess, &*folder).is_err());
    }
}
