//! Files that outlive a crash: tables, checkpoints, manifests, logs.
//!
//! * [`TempFile`]: a file that appears as a whole or not at all.
//! * [`write_json`] and [`read_json`]: a small file that people can read, with a checksum.
//! * [`write_checkpoint`] and [`read_checkpoint`]: a large file that says whose it is.
//! * [`File`]: a file that threads read and write at positions, and that is [synced](File::sync).
//! * [`FolderLock`]: one process at a time writes into a folder.
//! * [`Leases`]: several processes divide the work on a folder.
//! * [`Unfinished`]: what to remove when a signal ends the program.
//! * [`FileError`]: which file, what failed, and what to do next.
//! * [`path_problem`]: which part of a path is not a folder. [`problem_and_way_on`] also says what to do.
//!
//! All of them work on a [`FileSystem`]. This is the system's, unless the caller has [mounted](mount) another one, such as a
//! [folder whose bytes are fetched](FetchedFolder).
#![forbid(unsafe_code)]

mod checkpoint;
mod error;
mod fetched;
mod file;
mod folder;
mod json;
mod lease;
mod lock;
mod path_problem;
mod rename;
mod system;
mod temp_file;
mod unfinished;

pub use checkpoint::{Identity, read_checkpoint, write_checkpoint};
pub use error::{FileError, way_on};
pub use fetched::{FetchedFolder, MissingBytes, PIECE_BYTES, WHOLE_BYTES};
pub use file::{Cursor, File};
pub use folder::{
    create_folders, exists, is_folder, list, remove_file, remove_folder, sync_folder,
};
pub use json::{read_json, write_json};
pub use lease::{Lease, Leases, Take};
pub use lock::FolderLock;
pub use path_problem::{path_problem, problem_and_way_on};
pub use system::{FileSystem, Found, Mode, Mounted, OpenFile, mount};
pub use temp_file::{Durable, TempFile, sweep_temp_files};
pub use unfinished::{Unfinished, remove_unfinished};
