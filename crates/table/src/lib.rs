//! Stores solved games on disk: write a table once, probe it for years.
//!
//! ```
//! use retrograde::Value;
//! use retrograde::adapters::Explicit;
//! use retrograde_table::{About, Table, Writer};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A heap of 1000 stones. A move takes one, two or three. A player who cannot move loses.
//! let moves = (1..=1000).flat_map(|stones| (1..=3.min(stones)).map(move |take| (stones, stones - take)));
//! let game = Explicit::from_edges(1001, moves);
//! let solution = retrograde::solve(&game);
//! let path = std::env::temp_dir().join("stones.table");
//! let about = About { game: "stones".into(), ..About::default() };
//! Writer::new(about).histogram(solution.histogram()).write(&path, &solution)?;
//!
//! let table = Table::open(&path)?; // cheap: a block is read when a probe needs it
//! assert_eq!(table.probe(13)?, Some(Value::Win(7)));
//! assert_eq!(retrograde::play::line(&game, &table, 13)?.states, [13, 12, 11, 8, 7, 4, 3, 0]);
//! table.check()?; // thorough: every byte
//! # Ok(())
//! # }
//! ```
//!
//! # Costs
//!
//! * **Time.** [`Table::open`] reads only the header. If the block of a state is in memory, a probe takes tens of
//!   nanoseconds. Any other probe reads the index entry of the block, and unpacks one block of at most 65,536 states.
//!   [`Table::load`] unpacks a table once, and a probe is then one access to memory. The time to write is linear in the
//!   number of states, and most of it is compression.
//! * **Memory.** An open table takes its header and a cache with a [bound](Options), 16 MiB by default. A loaded table takes
//!   a byte a state, or two if it has more than 256 different values. The caller says how much it may take: a small file can
//!   hold billions of equal states. A writer keeps a few blocks for each thread.
//! * **On disk.** A state takes a fraction of a byte: 0.02 to 0.5 bytes in chess and pursuit. [`Compression`] trades time for size.
//! * **Threads.** Any number of threads can probe a table. If the block of a state is in memory, a probe takes no lock. To
//!   write, check or load a table uses all threads of rayon's pool.
//! * **Determinism.** The same values give the same bytes, on every machine and with any number of threads.
//!
//! # More
//!
//! * A table is a [`Probe`](retrograde::Probe), like a solution. The functions for lines of play, best moves and checks
//!   accept both.
//! * A table appears as a whole or not at all ([`TempFile`](retrograde_files::TempFile)). If a byte is damaged, a probe never returns a wrong value. It
//!   returns an error that names the file and the block.
//! * For smaller tables, use [`Writer::rows`], [`Writer::invalid_states`], [`Writer::half`] and [`Writer::forget_exits`]
//!   with [`WithRules`].
//! * [`Folder`] is a folder of tables by name. [`Table::load`] puts a table into memory, for probes in
//!   nanoseconds. [`FolderLock`](retrograde_files::FolderLock) lets one process at a time write into a folder.
//! * `FORMAT.md` specifies the bytes. [`container`] is the layer below states: blocks of bytes with checksums.
#![forbid(unsafe_code)]

mod bytes;
mod cache;
mod code;
mod compression;
pub mod container;
mod divisor;
mod error;
mod exits;
mod folder;
mod header;
mod in_memory;
mod layout;
mod pack;
mod recover;
mod rules;
mod scan;
mod shape;
mod source;
mod table;
mod tally;
mod value_cache;
mod varint;
mod writer;
mod zstandard;

pub use compression::Compression;
pub use error::{Section, TableError, WriteError};
pub use exits::BestExits;
pub use folder::Folder;
pub use header::{About, Exits, GridHeader, Header, ImageCounts, InvalidStates, SideCounts};
pub use in_memory::InMemoryTable;
pub use layout::Rows;
pub use pack::{PackTiles, Packing, Tile, TilePackers};
pub use recover::{Kept, Recover};
pub use rules::{Partial, WithRules};
pub use source::Values;
pub use table::{Options, Table};
pub use varint::{read_varint, write_varint};
pub use writer::{Writer, Written};
