//! A place outside memory for the log of distances, pending events, and bits.
//!
//! ```text
//! block: checksum u64, body
//! ```
//!
//! The checksum is that of the body. Its seed is the place of the block: its owner, and its number among the blocks of the
//! owner.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::checksum::checksum;
use crate::solve::error::LogError;

/// Where a solve stores the log of its distances and its pending events: blocks of [`LOG_BLOCK_BYTES`] by number, as in a file.
///
/// Several threads write, in about ascending order. A [resumed](crate::Solver::resume) solve reads the blocks that its
/// snapshot names. It writes all other blocks again. A solve with a [window](crate::bit_parallel::WindowPlan) also keeps
/// its bits here, and overwrites blocks.
pub trait LogStore: Send + Sync {
    /// Writes a block.
    fn write_block(&self, number: u64, block: &[u8]) -> io::Result<()>;

    /// Reads a block that was written.
    fn read_block(&self, number: u64, block: &mut [u8]) -> io::Result<()>;

    /// Waits until all blocks that were written survive a power cut. The solve calls this before it writes a snapshot, because
    /// the snapshot names blocks. Once it has failed, blocks may be lost, and it must always fail.
    fn sync(&self) -> io::Result<()>;
}

/// The size of a block of a [`LogStore`].
pub const LOG_BLOCK_BYTES: usize = HEAD_BYTES + BODY_BYTES;

const HEAD_BYTES: usize = 8;
/// The bytes of a block after its head. Larger blocks are read and written faster; smaller ones leave shorter tails in
/// memory.
pub(crate) const BODY_BYTES: usize = 2040 * size_of::<u64>();

/// A store, and how many blocks it holds.
pub(crate) struct Store {
    blocks: Box<dyn LogStore>,
    count: AtomicU64,
    /// How many blocks have been read and written.
    read: AtomicU64,
    written: AtomicU64,
}

impl Store {
    /// An empty store.
    pub(crate) fn new(blocks: Box<dyn LogStore>) -> Store {
        Store { blocks, count: 0.into(), read: 0.into(), written: 0.into() }
    }

    /// Writes a block: whose it is, which of the owner's blocks it is, and its body. Returns its number in the store.
    pub(crate) fn write(&self, place: [u32; 2], body: &[u8]) -> io::Result<u64> {
        let number = self.count.fetch_add(1, Relaxed);
        self.write_at(number, place, body)?;
        Ok(number)
    }

    /// Writes a block at a number below the [reserved](Store::reserve) ones.
    pub(crate) fn write_at(&self, number: u64, place: [u32; 2], body: &[u8]) -> io::Result<()> {
        self.written.fetch_add(1, Relaxed);
        let sum = checksum(body, seed_of(place)).to_le_bytes();
        self.blocks.write_block(number, &[&sum, body].concat())
    }

    /// Waits until all blocks survive a power cut.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.blocks.sync()
    }

    /// Reserves the first numbers of the store.
    pub(crate) fn reserve(&self, numbers: u64) {
        self.count.fetch_max(numbers, Relaxed);
    }

    /// Reads a block into a buffer. Returns its body.
    pub(crate) fn read<'b>(
        &self,
        number: u64,
        place: [u32; 2],
        block: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], LogError> {
        block.resize(LOG_BLOCK_BYTES, 0);
        self.read.fetch_add(1, Relaxed);
        self.blocks.read_block(number, block).map_err(LogError::Store)?;
        let (sum, body) = block.split_at(HEAD_BYTES);
        let whole = *sum == checksum(body, seed_of(place)).to_le_bytes();
        if whole { Ok(body) } else { Err(LogError::Damaged { block: number }) }
    }

    /// How many bytes have been read from it, and written to it.
    pub(crate) fn bytes_moved(&self) -> (u64, u64) {
        let bytes = |blocks: &AtomicU64| blocks.load(Relaxed) * LOG_BLOCK_BYTES as u64;
        (bytes(&self.read), bytes(&self.written))
    }
}

/// The seed of the checksum of a block.
fn seed_of([owner, number]: [u32; 2]) -> u64 {
    u64::from(owner) << 32 | u64::from(number)
}
