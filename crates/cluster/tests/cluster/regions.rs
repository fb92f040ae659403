//! Regions: the tables are those of one machine, byte for byte. The ranks look exits up in the folder.

use std::fs;
use std::path::{Path, PathBuf};

use retrograde_catalog::{Engine, Job, Keep, Task};
use retrograde_chess::Material;
use retrograde_cluster::{BetweenThreads, Transport, plan};

use crate::jobs::{Faulty, done, every_level, folder, job_of, problem, ran};

/// A folder with tables that one machine has built: the endgame of a pawn, and those that it promotes to.
fn built(name: &str) -> PathBuf {
    let folder = folder(name);
    let pawn: Material = "KPvK".parse().expect("a material");
    retrograde_chess::builder(&folder).threads(1).build(&[pawn]).expect("it is built");
    folder
}

fn job(region: &str, built: &Path, out: &Path) -> Job {
    let (family, region, folder) = ("chess".into(), region.into(), built.into());
    job_of(Task::Region { family, region, folder }, Keep::OneSide, out)
}

/// So little memory that unpacked tables do not fit, and exits are looked up in packed ones.
fn tight(job: &Job, ranks: usize) -> Option<u64> {
    let needed = |memory| plan(&Job { memory, ..job.clone() }, ranks).expect("a plan").memory;
    // With less memory, buffers take less of it.
    let most = (0..8).fold(needed(None), |memory, _| needed(Some(memory)));
    Some(most - (100 << 10))
}

#[test]
fn regions_on_one_to_five_ranks_are_those_of_one_machine() {
    let built = built("regions");
    let out = built.join("found");
    let (scalar, words) = (Some(Engine::Scalar), Some(Engine::BitParallel));
    for (region, ranks, engine) in [
        ("KQvK", 1, words),
        ("KNvK", 3, None),
        ("KPvK", 2, words),
        ("KPvK", 3, scalar),
        ("KPvK", 4, words),
        ("KPvK", 5, None),
    ] {
        let mut job = job(region, &built, &out);
        job.engine = engine;
        if ranks == 4 {
            job.memory = tight(&job, ranks);
        }
        done(&job, ranks);
        let expected = fs::read(built.join(format!("{region}.table"))).expect("a table");
        assert!(fs::read(&out).expect("a table") == expected, "{region} on {ranks}");
    }
}

#[test]
fn a_region_of_morris_is_that_of_one_machine() {
    use retrograde_morris::{Men, Morris, Region};
    let built = folder("mills");
    let (family, out) = (Morris::new(Men::Three), built.join("found"));
    let region = Region::named(Men::Three, "p5-2-3").expect("a region");
    family.builder(&built).build(&[region]).expect("it is built");
    let (family, region, folder) = ("morris3".into(), "p5-2-3".into(), built.clone());
    done(&job_of(Task::Region { family, region, folder }, Keep::OneSide, &out), 2);
    let expected = fs::read(built.join("p5-2-3.table")).expect("a table");
    assert!(fs::read(&out).expect("a table") == expected);
}

#[test]
fn a_table_that_an_exit_leads_to_and_that_is_damaged_is_named_and_nothing_is_kept() {
    let built = built("damaged");
    let (out, kept) = (built.join("found"), built.join("kept"));
    let mut job = job("KPvK", &built, &out);
    job.engine = Some(Engine::BitParallel);
    let little = tight(&job, 1);
    let path = built.join("KQvK.table");
    let whole = fs::read(&path).expect("a table");
    let mut bytes = whole.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).expect("it can be written");
    // With enough memory, the tables are unpacked before the solve. With little, they are probed during it. (The first rank
    // needs more than the others. So if it cannot unpack them, the others still can.)
    for memory in [little, None] {
        (job.memory, job.checkpoint) = (memory, every_level(&kept));
        let ranks = if memory.is_some() { 1 } else { 2 };
        let said = problem(ran(&job, BetweenThreads::all(ranks)).0);
        assert!(said.contains("KQvK.table") && said.contains("build chess KQvK"), "{said}");
        assert!(!out.exists());
        assert!(!kept.join("cluster.manifest").exists(), "a checkpoint after a failed lookup");
    }
    fs::write(&path, whole).expect("it can be written");
    done(&job, 3);
    let expected = fs::read(built.join("KPvK.table")).expect("a table");
    assert!(fs::read(&out).expect("a table") == expected);
    fs::remove_file(&path).expect("it was there");
    let said = problem(ran(&job, BetweenThreads::all(2)).0);
    assert!(said.contains("KQvK.table") && said.contains("build chess KQvK"), "{said}");
}

#[test]
fn regions_that_do_not_exist_are_refused_by_name() {
    let built = folder("senseless");
    for (family, region, problem_is) in [
        ("draughts", "KQvK", "draughts KQvK: no such family"),
        ("chess", "KXvK", "chess KXvK: "),
        ("morris9", "0-0", "morris9 0-0: "),
        ("chess", "KPvK", "there is no finished table of KQvK"),
    ] {
        let mut job = job(region, &built, &built.join("found"));
        let Task::Region { family: asked, .. } = &mut job.task else { unreachable!() };
        *asked = family.into();
        let said = problem(ran(&job, BetweenThreads::all(1)).0);
        assert!(said.contains(problem_is), "{said}");
    }
}

/// Captures and promotions take effect at many levels, so the events that wait for theirs are in the checkpoint.
#[test]
fn a_region_goes_on_from_its_last_level_with_any_number_of_ranks() {
    let built = built("region-resumed");
    let (out, kept) = (built.join("found"), built.join("KPvK.checkpoint"));
    for engine in [Engine::Scalar, Engine::BitParallel] {
        let mut job = job("KPvK", &built, &out);
        (job.checkpoint, job.engine) = (every_level(&kept), Some(engine));
        for ranks in [3, 3, 2, 4] {
            let lost = |inner: BetweenThreads| {
                let left = if inner.rank() == ranks - 1 { 20 } else { usize::MAX };
                Faulty { inner, left, bit: None }
            };
            let (ended, _) = ran(&job, BetweenThreads::all(ranks).into_iter().map(lost).collect());
            assert_eq!(problem(ended), "this rank is lost");
            assert!(kept.join("cluster.manifest").exists() && !out.exists());
        }
        // The number of ranks may change what engine would suit. The one of the checkpoint goes on.
        job.engine = None;
        done(&job, 2);
        let expected = fs::read(built.join("KPvK.table")).expect("a table");
        assert!(fs::read(&out).expect("a table") == expected);
        assert!(!kept.exists(), "the checkpoint is removed in the end");
        fs::remove_file(&out).expect("it was there");
    }
}
