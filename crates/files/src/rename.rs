//! Renames a file to a name that must be free. A check before the rename is not enough. Another process may
//! take the name between the check and the rename, and the rename would destroy its file.

use std::fs;
use std::io;
use std::path::Path;

/// One way to do it.
type Way = fn(&Path, &Path) -> io::Result<()>;

/// The best way first. File systems and kernels support different ways.
const WAYS: [Way; 3] = [in_one_call, by_link, after_a_look];

/// Renames a file to a free name. If the name is taken, the file keeps its own, and the error is
/// [`io::ErrorKind::AlreadyExists`].
pub(crate) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    let mut done = Err(io::ErrorKind::Unsupported.into());
    for way in WAYS {
        done = way(from, to);
        match &done {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {}
            _ => return done,
        }
    }
    done
}

/// One system call checks and renames.
fn in_one_call(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
    }
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    {
        let _ = (from, to);
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Makes a second name, which fails if the name is taken, and then removes the first.
fn by_link(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to)?;
    // The file has its name. If this process cannot remove the temporary name, the next writer does.
    let _ = fs::remove_file(from);
    Ok(())
}

/// For file systems that support neither. If another process takes the name between the check and the rename,
/// its file is lost.
fn after_a_look(from: &Path, to: &Path) -> io::Result<()> {
    match fs::symlink_metadata(to) {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(from, to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_renames_to_a_free_name_and_takes_no_other() {
        let folder = std::env::temp_dir().join(format!("retrograde-rename-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [from, to] = ["from", "to"].map(|name| folder.join(name));
        for (number, way) in WAYS.into_iter().chain([rename_new as Way]).enumerate() {
            fs::write(&from, "ours").unwrap();
            match way(&from, &to) {
                Err(error) if number == 0 && error.kind() != io::ErrorKind::AlreadyExists => {
                    continue; // Not every file system knows it.
                }
                done => done.unwrap(),
            }
            assert_eq!((fs::read(&to).unwrap(), from.exists()), (b"ours".to_vec(), false));
            fs::write(&from, "later").unwrap();
            let taken = way(&from, &to).unwrap_err();
            assert_eq!(taken.kind(), io::ErrorKind::AlreadyExists, "way {number}");
            assert_eq!(fs::read(&to).unwrap(), b"ours");
            assert_eq!(fs::read(&from).unwrap(), b"later");
            fs::remove_file(&to).unwrap();
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
