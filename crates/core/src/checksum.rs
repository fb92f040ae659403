//! Checksums of bytes, for snapshots, logs, tables and manifests alike: XXH3 of 64 bits.

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
