//! Checksums of bytes, for snapshots, logs, tables and manifests alike: XXH3 of 64 bits. And frames: data of any length
//! with its checksum.
//!
//! ```text
//! frame: checksum u64, length of the data u32, data
//! ```
//!
//! The seed of the checksum is that of the caller, and the length in its upper bits.

use std::error::Error;
use std::fmt;
use std::io::{self, Read, Write};

use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

/// The checksum of some bytes. Bytes of another place or file have another seed, so they are as wrong as changed ones.
pub fn checksum(bytes: &[u8], seed: u64) -> u64 {
    xxh3_64_with_seed(bytes, seed)
}

/// The checksum of bytes that come in pieces. It is that of [`checksum`] with seed 0.
#[derive(Clone, Default)]
pub struct Sum(Xxh3);

impl Sum {
    /// Of no bytes.
    pub fn new() -> Sum {
        Sum::default()
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The checksum so far.
    pub fn value(&self) -> u64 {
        self.0.digest()
    }
}

/// The bytes of a frame before its data.
pub const FRAME_HEAD_BYTES: usize = 12;

/// Writes a frame.
pub fn write_frame(to: &mut dyn Write, seed: u64, data: &[u8]) -> io::Result<()> {
    let len = data.len() as u32;
    let sum = checksum(data, seed_of(seed, len));
    let mut head = [0; FRAME_HEAD_BYTES];
    head[..8].copy_from_slice(&sum.to_le_bytes());
    head[8..].copy_from_slice(&len.to_le_bytes());
    to.write_all(&head)?;
    to.write_all(data)
}

/// Reads the data of a frame, which has at most `len_max` bytes. Changed or missing bytes give an error of the kind
/// `InvalidData`.
pub fn read_frame(
    from: &mut dyn Read,
    seed: u64,
    len_max: u32,
    data: &mut Vec<u8>,
) -> io::Result<()> {
    data.clear();
    let mut head = Vec::with_capacity(FRAME_HEAD_BYTES);
    from.take(FRAME_HEAD_BYTES as u64).read_to_end(&mut head)?;
    let len = head.get(8..).and_then(|len| Some(u32::from_le_bytes(len.try_into().ok()?)));
    let len = len.filter(|len| *len <= len_max).ok_or_else(damaged)?;
    from.take(u64::from(len)).read_to_end(data)?;
    let sum = checksum(data, seed_of(seed, len)).to_le_bytes();
    if data.len() < len as usize || head[..8] != sum {
        data.clear();
        return Err(damaged());
    }
    Ok(())
}

fn seed_of(seed: u64, len: u32) -> u64 {
    seed ^ u64::from(len) << 40
}

/// The error for changed bytes.
pub(crate) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, Damaged)
}

/// The cause of the error for changed bytes.
#[derive(Debug)]
pub(crate) struct Damaged;

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes are damaged: a checksum is wrong")
    }
}

impl Error for Damaged {}
