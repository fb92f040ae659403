//! A folder of endgames, asked the way an engine asks: from positions of its own, from many threads.

mod asked;
mod follows;
mod reports;
mod sides;
// What the example prints is tried here.
#[path = "../../examples/play.rs"]
#[allow(dead_code)]
mod play;

use std::path::PathBuf;
use std::sync::LazyLock;

use retrograde_chess::{Builder, Chess, build};

/// A folder of this name that is not there yet.
fn fresh(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// Tables that all tests ask and none changes.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = fresh("endgames-asked");
    let targets = ["KQvKR", "KPvK"].map(|name| name.parse().unwrap());
    build(Builder::new(&Chess, &folder), &targets).unwrap();
    folder
});
