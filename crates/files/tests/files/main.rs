//! Files that outlive a crash, on the file system of the operating system.

mod faults;

use std::fs;
use std::path::{Path, PathBuf};

use retrograde_files::{
    FileError, FolderLock, Identity, TempFile, create_folders, list, read_checkpoint, read_json,
    write_checkpoint, write_json,
};
use retrograde_testkit::Rng;
use serde_json::{Value as Json, json};

/// A folder of one test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder =
            std::env::temp_dir().join(format!("retrograde-files-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }

    fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_json_file_is_read_by_people_and_refused_if_a_byte_differs() {
    let folder = Scratch::new("json");
    let path = folder.join("manifest.json");
    assert_eq!(read_json::<Json>(&path).unwrap(), None);
    let value = json!({ "name": "KQvK", "levels": [1, 2, 3] });
    write_json(&path, &value).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let people: Json = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(people["levels"], value["levels"]);
    let found: Json = read_json(&path).unwrap().expect("it is there");
    assert_eq!(found["name"], "KQvK");
    let mut rng = Rng::new(3);
    for _ in 0..300 {
        let mut bytes = text.clone().into_bytes();
        let at = rng.below(bytes.len() as u64) as usize;
        match rng.below(3) {
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => bytes.truncate(at),
            _ => bytes.insert(at, b' '),
        }
        fs::write(&path, &bytes).unwrap();
        let error = read_json::<Json>(&path).unwrap_err();
        assert!(matches!(error, FileError::Damaged { .. }), "{error}");
    }
}

#[test]
fn a_checkpoint_is_read_by_the_work_that_wrote_it() {
    let folder = Scratch::new("checkpoint");
    let path = folder.join("a.checkpoint");
    let about = json!({ "game": "take", "board": "x".repeat(100), "level": 3 });
    let identity = Identity { magic: b"retrograde solve", version: 3, about: &about };
    assert!(read_checkpoint(&path, identity).unwrap().is_none());
    write_checkpoint(&path, identity, |to| to.write_all(b"data")).unwrap();
    let read = |about: &Json| -> Result<String, FileError> {
        let (_, mut data) =
            read_checkpoint(&path, Identity { about, ..identity })?.expect("a file");
        let mut text = String::new();
        std::io::Read::read_to_string(&mut data, &mut text).unwrap();
        Ok(text)
    };
    assert_eq!(read(&about).unwrap(), "data");
    // The reader need not know all of it.
    assert_eq!(read(&json!({ "game": "take" })).unwrap(), "data");
    let error = read(&json!({ "game": "graph" })).unwrap_err().to_string();
    assert!(error.contains("another game, \"take\" and not \"graph\""), "{error}");
    assert!(matches!(read(&json!({ "game": "graph" })), Err(FileError::Foreign { .. })));
    let error = read(&json!({ "board": "y" })).unwrap_err().to_string();
    assert!(error.contains("another board;"), "{error}");
    let bytes = fs::read(&path).unwrap();
    for at in 0..bytes.len() - 4 {
        for other in [bytes[at] ^ 1, bytes[at] ^ 0x80] {
            let mut changed = bytes.clone();
            changed[at] = other;
            fs::write(&path, &changed).unwrap();
            let error = read(&about).unwrap_err();
            match (16..20).contains(&at) {
                true => assert!(matches!(error, FileError::Foreign { .. }), "byte {at}: {error}"),
                false => assert!(matches!(error, FileError::Damaged { .. }), "byte {at}: {error}"),
            }
        }
        fs::write(&path, &bytes[..at]).unwrap();
        assert!(matches!(read(&about), Err(FileError::Damaged { .. })), "{at} bytes");
    }
}

#[test]
fn folders_are_created_with_all_that_lead_to_them() {
    let folder = Scratch::new("folders");
    let inner = folder.join("a/b/c");
    let created = create_folders(&inner).unwrap();
    assert_eq!(created, [folder.join("a"), folder.join("a/b"), inner.clone()]);
    assert!(create_folders(&inner).unwrap().is_empty());
    fs::write(folder.join("file"), "").unwrap();
    let error = create_folders(&folder.join("file/d")).unwrap_err();
    assert!(error.to_string().contains("cannot create"), "{error}");
    assert!(create_folders(&folder.join("file")).is_err());
    assert_eq!(list(&folder.join("a")).unwrap(), ["b"]);
    assert!(list(&folder.join("none")).unwrap().is_empty());
}

/// A folder in which no lock file can be created used to count as locked.
#[test]
#[cfg(target_os = "linux")]
fn a_folder_without_a_lock_is_not_ones_own() {
    // The system refuses files there, even to root.
    let error = FolderLock::acquire(Path::new("/proc/self")).unwrap_err();
    assert!(error.to_string().contains("cannot lock the file"), "{error}");
    assert!(TempFile::create(Path::new("/proc/self/a")).is_err());
}
