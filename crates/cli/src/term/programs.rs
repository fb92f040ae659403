//! The other programs of the workspace, which this one starts.

use std::path::{Path, PathBuf};
use std::{env, io};

/// Why a program could not be started, and what helps. Its sources are in a folder of `crates`.
pub(crate) fn not_started(name: &str, folder: &str, error: &io::Error) -> String {
    use io::ErrorKind::{NotFound, PermissionDenied};
    /// The program is missing, or this process or the system has too many open files.
    const ENOEXEC: i32 = 8;
    const TOO_MANY: [i32; 2] = [24, 23];
    match (error.kind(), error.raw_os_error()) {
        (NotFound, _) => format!(
            "{name}: {error}; it is not installed; to install it, where the sources lie: cargo install --path crates/{folder}"
        ),
        (PermissionDenied, _) | (_, Some(ENOEXEC)) => {
            format!(
                "{name}: {error}; install it again, where the sources lie: cargo install --path crates/{folder}"
            )
        }
        (_, Some(number)) if TOO_MANY.contains(&number) => {
            format!("{name} cannot be started: {error}; raise the limit, see ulimit -n")
        }
        _ => format!("{name} cannot be started: {error}"),
    }
}

/// The program in the folder of this one, or otherwise the one on the path.
pub(crate) fn program(name: &str) -> PathBuf {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    // Where there is no /proc, the path that started this program says where it lies.
    let called = || env::args_os().next().map(PathBuf::from).filter(|path| path.is_absolute());
    let beside = env::current_exe().ok().or_else(called);
    let beside = beside.as_deref().and_then(Path::parent).map(|folder| folder.join(&name));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "Too many open files" used to advise installing the program again.
    #[test]
    fn advice_fits_the_reason() {
        for (number, advice) in [
            (2, "to install it, where the sources lie: cargo install --path crates/x"),
            (13, "install it again"),
            (24, "raise the limit"),
            (12, "it cannot be started: "),
        ] {
            let said = not_started("it", "x", &io::Error::from_raw_os_error(number));
            assert!(said.contains(advice), "{said}");
            assert_eq!(said.contains("install"), number == 2 || number == 13, "{said}");
        }
    }
}
