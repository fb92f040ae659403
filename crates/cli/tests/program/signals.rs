//! Signals at random moments of all phases of the work. The test measures how long the program takes to end.
//!
//! `RETROGRADE_STOPS` is the number of signals (scripts/kills), and `RETROGRADE_SEED` repeats a run.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::thread::sleep;
use std::time::{Duration, Instant};

use retrograde_testkit::{Rng, seed};

use crate::disk::arrays;
use crate::stop::{IN_TIME, SIGNALS, empty, names, send, start};
use crate::{program, results, run, write_file};

/// A stopped command continues to the same table, and leaves no unfinished file.
#[test]
fn signals_at_random() {
    let stops = std::env::var("RETROGRADE_STOPS").ok().and_then(|stops| stops.parse().ok());
    let stops: usize = stops.unwrap_or(8);
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let board = results(run("board --rows 32 --columns 32 --walls 15 --exits 3 --seed 1"));
    write_file("stop-board.txt", board);
    let solve = "solve pursuit stop-board.txt --force --out stop-random";
    let parts = arrays("stop");
    let phases = [
        ("words", format!("{solve}/words.table")),
        ("best", format!("{solve}/best.table --compression best")),
        (
            "kept",
            format!(
                "{solve}/kept.table --engine scalar --checkpoint stop-random/k --checkpoint-interval 0s"
            ),
        ),
        ("disk", format!("{solve}/disk.table --memory 24MB --disk {}", parts.display())),
        ("build", "build chess KQvKR --verify --out stop-random/tables".to_owned()),
        ("plan", "build chess KQvKR --out stop-random/none --plan".to_owned()),
        (
            "list",
            "list corner --piece king --rows 1000 --columns 1000 --force --out stop-random/list"
                .to_owned(),
        ),
        ("verify", "verify stop-random/words.table".to_owned()),
    ];
    let folder = empty("stop-random");
    let mut expected: Vec<Option<Vec<u8>>> = Vec::new();
    let mut took = Vec::new();
    for (name, command) in &phases {
        let begun = Instant::now();
        results(run(command));
        took.push(begun.elapsed());
        expected.push(fs::read(folder.join(format!("{name}.table"))).ok());
    }
    let _ = fs::remove_dir_all(folder.join("tables"));
    let mut times: Vec<(Duration, &str)> = Vec::new();
    for stop in 0..stops {
        let at = stop % phases.len();
        let (name, command) = &phases[at];
        let mut child = start(program(command).env("TMPDIR", &folder));
        sleep(Duration::from_micros(rng.below(took[at].as_micros() as u64)));
        if child.try_wait().expect("a child").is_none() {
            send(&child, SIGNALS[stop % 3].0);
            let sent = Instant::now();
            let output = child.wait_with_output().expect("it ends");
            times.push((sent.elapsed(), name));
            assert!(sent.elapsed() < IN_TIME, "{name} takes {:?}", sent.elapsed());
            let ended = output.status.success() || output.status.signal().is_some();
            assert!(ended, "{name}: {output:?}");
        }
        let unfinished = |name: &String| {
            name.contains("temp_file") || name.contains("measure") || name.contains("lock")
        };
        for inside in [".", "k", "tables"].map(|inside| folder.join(inside)).iter().chain([&parts])
        {
            let left = if inside.exists() { names(inside) } else { Vec::new() };
            assert!(!left.iter().any(unfinished), "{name} leaves {left:?}");
        }
        if let Some(expected) = &expected[at] {
            results(run(command));
            let table = fs::read(folder.join(format!("{name}.table"))).unwrap();
            assert!(table == *expected, "{name}: another table");
        }
    }
    assert!(4 * times.len() >= stops, "only {} of {stops} signals came in time", times.len());
    times.sort();
    let line = |(time, name): &(Duration, &str)| format!("{name} {} ms", time.as_millis());
    let quantiles = [50, 90, 99, 100].map(|percent| times.len() * percent / 100);
    for (percent, at) in [50, 90, 99, 100].into_iter().zip(quantiles) {
        if let Some(of) = times.get(at.saturating_sub(1)) {
            println!("{percent}% of {} signals: within {}", times.len(), line(of));
        }
    }
}
