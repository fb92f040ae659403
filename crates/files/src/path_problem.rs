//! Errors of the system about a path, in words that name the part of the path that is wrong.

use std::io;
use std::path::Path;

use crate::error::way_on;

/// What is wrong with a file that is used as a folder.
pub(crate) const NO_FOLDER: &str = "this is not a folder";

/// What is wrong with a path: `text.txt is not a folder` for `text.txt/table`. The system only says "Not a directory" of
/// the whole path.
pub fn path_problem(path: &Path, source: &io::Error) -> String {
    let is_no_folder = |part: &&Path| part.metadata().is_ok_and(|found| !found.is_dir());
    let no_folder = match source.kind() {
        io::ErrorKind::NotADirectory => path.ancestors().find(is_no_folder),
        // The system says so if a folder is to be made where a file is.
        io::ErrorKind::AlreadyExists => Some(path).filter(is_no_folder),
        _ => None,
    };
    if let Some(part) = no_folder {
        return match part == path {
            true => NO_FOLDER.to_owned(),
            false => format!("{} is not a folder", part.display()),
        };
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| source.kind() == io::ErrorKind::NotFound && !folder.exists()) {
        Some(folder) => format!("there is no folder {}", folder.display()),
        None => source.to_string(),
    }
}

/// The same with what to do about it, if that is known.
pub fn problem_and_way_on(path: &Path, source: &io::Error) -> String {
    let problem = path_problem(path, source);
    match way_on(source) {
        Some(way) if problem != NO_FOLDER => format!("{problem}; {way}"),
        _ => problem,
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::*;

    /// A path below a file was reported as "Not a directory", which does not say what is none.
    #[test]
    fn the_wrong_part_of_a_path_is_named() {
        let folder = env::temp_dir().join(format!("retrograde-path-problem-{}", process::id()));
        let (file, none) = (folder.join("file"), folder.join("none"));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(&file, "").expect("a file");
        let read = |path: &Path| path_problem(path, &fs::read(path).expect_err("no file"));
        assert_eq!(read(&file.join("a/b")), format!("{} is not a folder", file.display()));
        assert_eq!(read(&none.join("b")), format!("there is no folder {}", none.display()));
        let listed = fs::read_dir(&file).expect_err("no folder");
        assert_eq!(path_problem(&file, &listed), "this is not a folder");
        let made = fs::create_dir_all(&file).expect_err("a file is there");
        assert_eq!(path_problem(&file, &made), "this is not a folder");
        let other = io::Error::from(io::ErrorKind::PermissionDenied);
        assert_eq!(path_problem(&file, &other), other.to_string());
        fs::remove_dir_all(&folder).expect("the folder goes");
    }
}
