//! Tests of morris: the naive solver judges the small game, plain rules on raw boards judge the others, and published
//! results judge all.

mod numbers;
mod plain;
mod values;

use std::fs;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use retrograde_morris::{Men, Morris, Region, Tablebase};

/// A folder of tables that is removed at the end of a test.
pub(crate) struct Built {
    folder: PathBuf,
    tables: Tablebase,
}

impl Built {
    /// Builds these regions and the regions that they need.
    pub(crate) fn new(men: Men, regions: &[Region]) -> Built {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = format!("retrograde-morris-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        Morris::new(men).builder(&folder).threads(2).build(regions).unwrap();
        Built { tables: Tablebase::open(&folder).unwrap(), folder }
    }
}

impl Deref for Built {
    type Target = Tablebase;

    fn deref(&self) -> &Tablebase {
        &self.tables
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
