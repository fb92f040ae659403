//! Regions by real processes: the tables are those of one machine, byte for byte. The processes look exits up in the
//! folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use retrograde_catalog::{End, Job, Keep, Task};
use retrograde_chess::{Builder, Chess, Material};
use serde_json::{Value as Json, json};

use crate::processes::{Running, checkpoints, folder, signal, write};

/// A folder with tables that one machine has built: the endgame of a pawn, and those that it promotes to.
fn built(name: &str) -> PathBuf {
    let folder = folder(name);
    let pawn: Material = "KPvK".parse().expect("a material");
    retrograde_chess::build(Builder::new(&Chess, &folder).threads(1), &[pawn])
        .expect("it is built");
    folder
}

/// The job of solving a region on so many processes.
fn job(region: &str, built: &Path, processes: usize, out: &Path) -> Json {
    let (region, folder) = (region.into(), built.into());
    let task = Task::Region { family: "chess".into(), region, folder };
    let mut job = Job::new(task, processes, write(out));
    job.timeout_ms = 20_000;
    job.bit_parallel = true;
    let End::Write(output) = &mut job.end else { unreachable!() };
    output.keep = Keep::OneSide;
    serde_json::to_value(job).expect("a job")
}

/// So little memory that unpacked tables do not fit, and exits are looked up in packed ones.
fn tight(job: &Json) -> Json {
    let mut running = Running::start(job);
    let memory = loop {
        if let Some(memory) = running.line().expect("it says what it takes")["memory"].as_u64() {
            break memory;
        }
    };
    json!(memory - (100 << 10))
}

#[test]
fn regions_on_one_to_five_processes_are_those_of_one_machine() {
    let built = built("regions");
    let out = built.join("found");
    for (region, processes) in
        [("KQvK", 1), ("KNvK", 3), ("KPvK", 2), ("KPvK", 3), ("KPvK", 4), ("KPvK", 5)]
    {
        let mut job = job(region, &built, processes, &out);
        if processes == 4 {
            job["memory"] = tight(&job);
        }
        Running::start(&job).done();
        let expected = fs::read(built.join(format!("{region}.table"))).expect("a table");
        assert!(fs::read(&out).expect("a table") == expected, "{region} on {processes}");
    }
}

#[test]
fn a_region_of_morris_is_that_of_one_machine() {
    use retrograde_morris::{Builder, Men, Morris, Region};
    let built = folder("mills");
    let (family, out) = (Morris::new(Men::Three), built.join("found"));
    let region = Region::named(Men::Three, "p5-2-3").expect("a region");
    retrograde_morris::build(Builder::new(&family, &built), &[region]).expect("it is built");
    let mut job = job("p5-2-3", &built, 2, &out);
    job["task"]["region"]["family"] = json!("morris3");
    Running::start(&job).done();
    let expected = fs::read(built.join("p5-2-3.table")).expect("a table");
    assert!(fs::read(&out).expect("a table") == expected);
}

#[test]
fn a_table_that_an_exit_leads_to_and_that_is_damaged_is_named() {
    let built = built("damaged");
    let out = built.join("found");
    let mut job = job("KPvK", &built, 2, &out);
    let little = tight(&job);
    let path = built.join("KQvK.table");
    let mut bytes = fs::read(&path).expect("a table");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).expect("it can be written");
    // With enough memory, the tables are unpacked before the solve. With little, they are probed during it.
    for memory in [Json::Null, little] {
        job["memory"] = memory;
        let said = Running::start(&job).failed();
        assert!(said.contains("KQvK.table") && said.contains("build chess KQvK"), "{said}");
        assert!(!out.exists());
    }
    fs::remove_file(&path).expect("it was there");
    let said = Running::start(&job).failed();
    assert!(said.contains("KQvK.table") && said.contains("build chess KQvK"), "{said}");
}

#[test]
fn jobs_that_make_no_sense_are_refused_by_name() {
    let built = folder("senseless");
    let out = built.join("found");
    for (family, region, problem) in [
        ("draughts", "KQvK", "draughts KQvK: no such family"),
        ("chess", "KXvK", "chess KXvK: "),
        ("morris9", "0-0", "morris9 0-0: "),
        ("chess", "KPvK", "there is no finished table of KQvK"),
    ] {
        let mut job = job(region, &built, 1, &out);
        job["task"]["region"]["family"] = json!(family);
        let said = Running::start(&job).failed();
        assert!(said.contains(problem), "{said}");
    }
}

#[test]
fn a_process_of_a_region_that_is_killed_is_named_and_nothing_is_written() {
    let built = built("region-killed");
    let out = built.join("found");
    let mut running = Running::start(&job("KPvK", &built, 3, &out));
    let pids = running.pids(3);
    signal("-9", &pids[2]);
    let said = running.failed();
    assert!(said.contains("process 2 was killed by signal 9"), "{said}");
    assert!(!out.exists());
}

/// Captures and promotions take effect at many levels, so the events that wait for theirs are in the checkpoint.
#[test]
fn a_region_goes_on_from_its_last_level_with_any_number_of_processes() {
    let built = built("region-resumed");
    let (out, kept) = (built.join("found"), built.join("KPvK.checkpoint"));
    let job = |processes| {
        let mut job = job("KPvK", &built, processes, &out);
        job["checkpoint"] = checkpoints(&kept);
        job
    };
    let level_kept = || {
        let text = fs::read_to_string(kept.join("cluster.manifest")).unwrap_or_default();
        serde_json::from_str::<Json>(&text).unwrap_or_default()["level"].as_u64()
    };
    let mut last = None;
    for processes in [3, 3, 2, 4] {
        let mut running = Running::start(&job(processes));
        let pids = running.pids(processes);
        let began = Instant::now();
        while level_kept() <= last {
            assert!(began.elapsed() < Duration::from_secs(60), "no level is kept after {last:?}");
            thread::sleep(Duration::from_millis(1));
        }
        signal("-9", &pids[processes - 1]);
        running.failed();
        assert!(!out.exists());
        last = level_kept();
    }
    let mut running = Running::start(&job(2));
    let level = loop {
        if let Some(level) = running.line().expect("it says its level")["level"].as_u64() {
            break level;
        }
    };
    assert_eq!(Some(level), last.map(|last| last + 1));
    running.done();
    assert!(
        fs::read(&out).expect("a table") == fs::read(built.join("KPvK.table")).expect("a table")
    );
    assert!(!kept.exists(), "the checkpoint is removed in the end");
}
