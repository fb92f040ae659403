//! Probes a folder of endgames as an engine does: with the engine's own positions, from many threads.

mod asked;
mod follows;
mod reports;
mod sides;
// This runs the example.
#[path = "../../examples/play.rs"]
#[allow(dead_code)]
mod play;

use std::path::PathBuf;
use std::sync::LazyLock;

use retrograde_chess::builder;

/// A folder with this name that does not exist yet.
fn fresh(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// Tables that all tests read and none changes.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = fresh("endgames-asked");
    // In the last, pawns capture in passing.
    builder(&folder).build(&["KQvKR", "KPvK", "KPvKP"]).unwrap();
    folder
});
