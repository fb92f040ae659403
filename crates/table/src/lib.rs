//! Stores solved games on disk: write a table once, probe it for years.
//!
//! ```
//! # use retrograde::{Game, Predecessors, Status, Value};
//! # struct Stones(u64);
//! # impl Game for Stones {
//! #     fn states(&self) -> u64 { self.0 + 1 }
//! #     fn status(&self, _: u64) -> Status { Status::Open }
//! #     fn successors(&self, stones: u64, visit: impl FnMut(u64)) {
//! #         (1..=3.min(stones)).map(|take| stones - take).for_each(visit);
//! #     }
//! # }
//! # impl Predecessors for Stones {
//! #     fn predecessors(&self, stones: u64, visit: impl FnMut(u64)) {
//! #         (1..=3).map(|take| stones + take).filter(|&from| from <= self.0).for_each(visit);
//! #     }
//! # }
//! use retrograde_table::{About, Table, Writer};
//!
//! # let folder = std::env::temp_dir().join(format!("retrograde-lib-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let path = folder.join("stones.table");
//! let game = Stones(1000);
//! let solution = retrograde::solve(&game);
//! let about = About { game: "stones".into(), ..About::default() };
//! Writer::new(about).histogram(solution.histogram()).write(&path, &solution)?;
//!
//! let table = Table::open(&path)?; // cheap: a block is read when it is asked for
//! assert_eq!(table.probe(13)?, Some(Value::Win(7)));
//! assert_eq!(retrograde::play::line(&game, &table, 13)?.states, [13, 12, 11, 8, 7, 4, 3, 0]);
//! table.check()?; // thorough: every byte
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Costs
//!
//! * **Time.** [`Table::open`] reads the header alone. A probe of a block in memory takes tens of nanoseconds. Any other reads its entry
//!   of the index and unpacks one block of at most 65,536 states. [`Table::load`] unpacks a table once, and a probe is then one look into memory. Writing
//!   takes time linear in the states, and most of it is compression.
//! * **Memory.** An open table takes its header and a cache with a [bound](Options), 16 MiB unless told. A loaded table takes a byte a
//!   state, or more where distances are long. Writing keeps a few blocks for each thread.
//! * **On disk.** A state takes a fraction of a byte: 0.02 to 0.5 bytes in chess and pursuit. [`Compression`] trades time for size.
//! * **Threads.** A table can be probed from any number of threads. A probe that finds its block takes no lock. Writing, checking and loading use
//!   all threads of rayon's pool.
//! * **Determinism.** The same values give the same bytes, on every machine and with any number of threads.
//!
//! # More
//!
//! * A table is a [`Probe`](retrograde::Probe), like a solution. Lines of play, best moves and checks work
//!   with both. Many threads can use one table at once.
//! * A table appears as a whole or not at all ([`TempFile`]). A damaged byte gives an error that names the file
//!   and the block, never a wrong value.
//! * Smaller tables: [`Writer::rows`], [`Writer::invalid_states`], and [`Writer::half`] with [`WithRules`].
//! * [`Folder`] is a folder of tables by name. [`Table::load`] puts a table into memory, for probes in
//!   nanoseconds. [`FolderLock`] lets one process at a time write into a folder.
//! * `FORMAT.md` specifies the bytes. [`container`] is the part that knows no states.
#![forbid(unsafe_code)]

mod bytes;
mod cache;
mod checksummed;
mod code;
mod compression;
pub mod container;
mod divisor;
mod error;
mod folder;
mod header;
mod in_memory;
mod layout;
mod lock;
mod recover;
mod rename;
mod rules;
mod scan;
mod shape;
mod source;
mod table;
mod tally;
mod temp_file;
mod temp_writer;
mod unfinished;
mod writer;

pub use checksummed::{is_whole, write_checksummed};
pub use compression::Compression;
pub use divisor::Divisor;
pub use error::{Section, TableError, WriteError};
pub use folder::Folder;
pub use header::{About, GridHeader, Header, InvalidStates, SideCounts};
pub use in_memory::InMemoryTable;
pub use lock::FolderLock;
pub use recover::{Kept, Recover};
pub use rules::{Partial, WithRules};
pub use table::{Options, Table};
pub use temp_file::TempFile;
pub use temp_writer::TempWriter;
pub use unfinished::{Unfinished, remove_unfinished};
pub use writer::{Rows, Writer, Written};
