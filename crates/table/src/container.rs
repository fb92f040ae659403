//! A file of blocks that are packed and checked each on its own, with a header one can read.
//!
//! Tables are such files, and so may be whatever else wants to be written whole and read in pieces. The container
//! knows bytes and no states. `FORMAT.md` lays them down: a fixed start, the header, a text, the blocks, and an index
//! of two levels, whose pages stand at places one can reckon and say where the blocks are. So nothing of the
//! index is read when the file is opened, and a page is checked each time it is used.

mod read;
mod write;

pub use read::{BlockReader, Container};
pub use write::{Contents, write};

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The version of the format that is written.
pub const VERSION: u32 = 2;

/// The oldest version that is read.
const VERSION_READ_MIN: u32 = 1;

/// What kind of file it is: its first sixteen bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind(pub [u8; 16]);

impl Kind {
    /// A table.
    pub const TABLE: Kind = Kind(*b"retrograde table");

    /// What stands behind the name of the house.
    fn noun(self) -> String {
        let text = String::from_utf8_lossy(&self.0);
        text.strip_prefix("retrograde ").unwrap_or(&text).trim_end().to_string()
    }
}

/// The bytes before the header.
const START_BYTES: u64 = 56;
/// How many blocks a page of the index knows.
const PAGE_BLOCKS: u64 = 256;
/// What a page takes beside its entries: where its first block begins, and the checksum.
const PAGE_FRAME_BYTES: u64 = 16;
const PAGE_ENTRY_BYTES: u64 = 4;
/// What a block takes beside its packed bytes: its length when unpacked, and the checksum.
const BLOCK_FRAME_BYTES: u64 = 12;
const CHECKSUM_BYTES: u64 = 8;

/// The checksum of the part with this number: a page, a block. The number is mixed in, so that
/// one whole part in the place of another is found out too.
fn checksum(bytes: &[u8], number: u64) -> u64 {
    xxh3_64_with_seed(bytes, number)
}

/// How many bytes the index of so many blocks takes; `None` for more than can be.
fn index_bytes(blocks: u64) -> Option<u64> {
    let frames = blocks.div_ceil(PAGE_BLOCKS).checked_mul(PAGE_FRAME_BYTES)?;
    blocks.checked_mul(PAGE_ENTRY_BYTES)?.checked_add(frames)
}

/// Splits bytes from their checksum at the end, if it holds.
fn checked(bytes: &[u8], number: u64) -> Option<&[u8]> {
    let (content, sum) = bytes.split_last_chunk::<8>()?;
    (checksum(content, number) == u64::from_le_bytes(*sum)).then_some(content)
}
