//! Files on a file system that loses what was not synced, whose operations fail, or that has no locks.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use retrograde_files::{
    Durable, File, FileError, FolderLock, Leases, Take, TempFile, create_folders, exists, list,
    mount,
};
use retrograde_testkit::{Drive, Fault, Rng};

/// A folder in memory.
struct Memory {
    drive: Drive,
    folder: PathBuf,
    _mounted: Box<dyn std::any::Any>,
}

fn memory(name: &str) -> Memory {
    let folder =
        std::env::temp_dir().join(format!("retrograde-faults-{name}-{}", std::process::id()));
    let drive = Drive::new(&folder);
    let _mounted = Box::new(mount(&folder, Arc::new(drive.clone())));
    Memory { drive, folder, _mounted }
}

fn publish(path: &Path, text: &str) -> Result<Durable, FileError> {
    let mut file = TempFile::create(path)?;
    file.write(text.as_bytes())?;
    file.publish()
}

fn read(path: &Path) -> String {
    let mut text = String::new();
    File::open(path).unwrap().cursor(0).read_to_string(&mut text).unwrap();
    text
}

/// A refused sync of the folder came after the rename, and failed a publish whose file was in place.
#[test]
fn a_publish_fails_only_if_the_old_file_stays() {
    let Memory { drive, folder, .. } = &memory("publish");
    let path = &folder.join("a");
    let mut ends = Vec::new();
    for call in 0.. {
        publish(path, "old").unwrap();
        drive.set_fault(call, Fault::Device, false);
        let end = publish(path, "new");
        if !drive.has_failed() {
            break;
        }
        assert_eq!(read(path), if end.is_ok() { "new" } else { "old" }, "call {call}: {end:?}");
        if let Ok(Durable::Unsure(error)) = &end {
            assert!(error.to_string().contains("cannot sync the folder"), "{error}");
            // Without the sync, a power cut may bring the old file back.
        }
        ends.push(end.map(|durable| matches!(durable, Durable::Yes)));
        drive.set_fault(u64::MAX, Fault::Device, false);
        assert_eq!(list(folder).unwrap(), ["a"], "call {call}");
    }
    let unsure = ends.iter().filter(|end| matches!(end, Ok(false))).count();
    let failed = ends.iter().filter(|end| end.is_err()).count();
    assert_eq!(unsure, 1, "one operation syncs the folder: {ends:?}");
    assert!(failed >= 4, "create, lock, write, sync and rename: {ends:?}");
}

/// The entries of folders that lead to a new folder were not synced, so a power cut lost all files in it.
#[test]
fn all_folders_that_lead_to_a_file_outlive_a_power_cut() {
    let mut rng = Rng::new(1);
    for _ in 0..100 {
        let Memory { drive, folder, .. } = &memory("folders");
        let inner = folder.join("a/b/c");
        create_folders(&inner).unwrap();
        publish(&inner.join("file"), "all").unwrap();
        drive.restart(&mut rng);
        assert_eq!(read(&inner.join("file")), "all");
    }
}

/// A lock that the file system does not support used to count as held.
#[test]
fn without_locks_no_folder_is_ones_own_and_no_file_of_another_is_removed() {
    let Memory { drive, folder, .. } = &memory("no-locks");
    drive.set_no_locks();
    let error = FolderLock::acquire(folder).unwrap_err().to_string();
    assert!(error.contains("cannot lock the file") && error.contains("on another one"), "{error}");
    assert!(list(folder).unwrap().is_empty(), "no process would remove the lock");
    // A file can be published all the same: the other writer may live.
    let path = &folder.join("a");
    let mut other = TempFile::create(path).unwrap();
    other.write(b"other").unwrap();
    publish(path, "ours").unwrap();
    assert_eq!(list(folder).unwrap().len(), 2);
    other.publish().unwrap();
    assert_eq!(read(path), "other");
    // A lease is held until it is stale.
    let interval = Duration::from_millis(5);
    let (first, second) = (Leases::new(folder, "w", interval), Leases::new(folder, "w", interval));
    let Take::Ours(lease) = first.take("work", 0).unwrap() else { panic!("it was free") };
    for _ in 0..20 {
        assert!(matches!(second.take("work", 0).unwrap(), Take::Held(_)));
        sleep(interval);
    }
    drop(lease);
    assert!(matches!(second.take("work", 0).unwrap(), Take::Ours(_)));
}

/// A holder that stood still went on with its work to the end, although another had taken it.
#[test]
fn a_holder_notices_that_its_lease_is_lost() {
    let Memory { folder, .. } = &memory("lost");
    let short = Duration::from_millis(5);
    // A holder that renews its lease once an hour stands still, as others see it.
    let slow = Leases::new(folder, "w", Duration::from_secs(3600));
    let quick = Leases::new(folder, "w", short);
    let Take::Ours(still) = slow.take("still", 0).unwrap() else { panic!("it was free") };
    let Take::Ours(renewed) = quick.take("renewed", 0).unwrap() else { panic!("it was free") };
    let taken = loop {
        match quick.take("still", 0).unwrap() {
            Take::Ours(taken) => break taken,
            Take::Held(_) => sleep(short),
        }
    };
    sleep(10 * short);
    assert!(!taken.is_lost() && !renewed.is_lost());
    // What takes a lease does so by removing its file.
    retrograde_files::remove_file(&folder.join("renewed.lease")).unwrap();
    assert!((0..2_000).any(|_| {
        sleep(short);
        renewed.is_lost()
    }));
    drop((renewed, still));
    assert_eq!(list(folder).unwrap(), ["still.lease"], "the new holder keeps its file");
    drop(taken);
    assert!(list(folder).unwrap().is_empty());
}

/// Killed processes left locks, leases and temporary files that no later one removed.
#[test]
fn a_sweep_removes_what_killed_processes_have_left_and_nothing_else() {
    let Memory { drive, folder, .. } = &memory("sweep");
    let short = Duration::from_millis(5);
    let leases = Leases::new(folder, "w", short);
    let Take::Ours(_dead) = leases.take("dead", 0).unwrap() else { panic!("it was free") };
    let _dead =
        (FolderLock::acquire(folder).unwrap(), TempFile::create(&folder.join("x")).unwrap());
    // Killed before it could write its text.
    File::create_new(&folder.join("empty.lease")).unwrap();
    publish(&folder.join("kept"), "all").unwrap();
    publish(&folder.join(".kept.temp_file"), "not ours").unwrap();
    drive.kill();
    let Take::Ours(_living) = leases.take("living", 0).unwrap() else { panic!("it was free") };
    let living = TempFile::create(&folder.join("y")).unwrap();
    assert_eq!(list(folder).unwrap().len(), 8);
    leases.sweep().unwrap();
    let left = list(folder).unwrap();
    assert_eq!(left.len(), 4, "{left:?}");
    for name in ["kept", ".kept.temp_file", "living.lease"] {
        assert!(exists(&folder.join(name)), "{name}");
    }
    living.publish().unwrap();
}

/// A thousand power cuts in publishing a file that exists.
#[test]
fn a_power_cut_leaves_the_old_file_or_the_new_one() {
    let mut rng = Rng::new(3);
    let Memory { drive, folder, .. } = &memory("cut");
    let path = &folder.join("a");
    let text = |number: u32| number.to_string().repeat(700);
    publish(path, &text(0)).unwrap();
    let (mut now, mut failed) = (0, 0);
    for number in 1..1_000 {
        drive.set_fault(rng.below(18), Fault::PowerCut, true);
        let end = publish(path, &text(number));
        failed += u32::from(end.is_err());
        drive.restart(&mut rng);
        let found = read(path);
        let is_new = found == text(number);
        assert!(
            is_new || (found == text(now) && !matches!(end, Ok(Durable::Yes))),
            "{number}: {end:?}"
        );
        now = if is_new { number } else { now };
    }
    assert!((300..1_000).contains(&failed), "{failed}");
}
