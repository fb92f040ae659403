//! Solves games that exceed memory. Their parts lie in files of a folder, and memory stays below a limit.
//!
//! Each level is a pass over the parts that have something to do. A part stays in memory until another needs its place, so a
//! pass reads and writes only what does not fit. [`Disk::plan`] says how much. The solution is the same as in memory, bit
//! for bit.
//!
//! ```
//! use retrograde::adapters::Explicit;
//! use retrograde::{Probe, Solver, Value};
//! use retrograde_disk::Disk;
//!
//! # let folder = std::env::temp_dir().join(format!("retrograde-disk-{}", std::process::id()));
//! let chain = Explicit::from_edges(1000, (1..1000).map(|state| (state, state - 1)));
//! let disk = Disk::new(&folder).memory_max(64 << 20);
//! let solution = disk.solve(&chain, Solver::new())?;
//! assert_eq!(solution.probe(999)?, Some(Value::Win(999)));
//! solution.remove();
//! # Ok::<(), retrograde::SolveError>(())
//! ```
#![forbid(unsafe_code)]

mod at_hand;
mod buffer_pool;
mod disk;
mod engine;
mod error;
mod inboxes;
mod log_file;
mod manifest;
mod measure;
mod on_disk;
mod packed;
mod pass;
mod plan;
mod renumbered;
mod snapshot_file;
mod values;

pub use disk::Disk;
#[doc(hidden)]
pub use disk::Trial;
pub use error::DiskError;
pub use log_file::LogFile;
pub use measure::Pace;
pub use plan::Plan;
pub use renumbered::Renumbered;
pub use snapshot_file::SnapshotFile;
pub use values::DiskSolution;
