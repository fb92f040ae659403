//! A file of blocks with a readable header. Each block is compressed and has its own checksum.
//!
//! Tables are such files. You can use them for other data that you write once and read in pieces. The
//! container contains bytes, not states. `FORMAT.md` specifies it: a fixed start, the header, a text, the
//! blocks, and an index of two levels. A reader computes the places of index pages, and a page gives the
//! places of its blocks. So to open a file, it reads no index. Each time it uses a page, it checks the page.

mod read;
mod write;

pub use crate::compression::{Packer, unpack_block};
pub use read::{BlockReader, Container};
pub use write::{Contents, write};

use retrograde::internal::checksum::checksum;

/// The version of the format that the writer writes.
pub const VERSION: u32 = 2;

/// The oldest version that the reader reads.
const VERSION_READ_MIN: u32 = 1;

/// The kind of a file: its first sixteen bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind(pub [u8; 16]);

impl Kind {
    /// A table.
    pub const TABLE: Kind = Kind(*b"retrograde table");

    /// The name of the kind without `retrograde`.
    fn noun(self) -> String {
        let text = String::from_utf8_lossy(&self.0);
        text.strip_prefix("retrograde ").unwrap_or(&text).trim_end().to_string()
    }
}

/// The bytes before the header.
const START_BYTES: u64 = 56;
/// How many blocks a page of the index has.
const PAGE_BLOCKS: u64 = 256;
/// The bytes of a page besides its entries: the start of its first block, and the checksum.
const PAGE_FRAME_BYTES: u64 = 16;
const PAGE_ENTRY_BYTES: u64 = 4;
/// The bytes of a block besides its packed data: its unpacked length, and the checksum.
const BLOCK_FRAME_BYTES: u64 = 12;
const CHECKSUM_BYTES: u64 = 8;

/// How many bytes the index of `blocks` blocks takes. `None` if that is impossible.
fn index_bytes(blocks: u64) -> Option<u64> {
    let frames = blocks.div_ceil(PAGE_BLOCKS).checked_mul(PAGE_FRAME_BYTES)?;
    blocks.checked_mul(PAGE_ENTRY_BYTES)?.checked_add(frames)
}

/// Splits off the checksum at the end of part `number`: a page or a block. `None` if the checksum is wrong.
fn checked(bytes: &[u8], number: u64) -> Option<&[u8]> {
    let (content, sum) = bytes.split_last_chunk::<8>()?;
    (checksum(content, number) == u64::from_le_bytes(*sum)).then_some(content)
}
