//! The strength of compression, and the compressor contexts.
//!
//! It takes longer to set up a context than to compress a block. So each thread keeps its contexts: a
//! [`Packer`] to pack, and one context to unpack.

use std::fmt;
use std::io;
use std::str::FromStr;

use crate::zstandard::{Compressor, Strength, decompress};

/// The strength of compression. It changes the time of writing. The time of reading is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// No compression: a byte a state, or two if a block has more than 256 values.
    None,
    /// For the arrays of a solve. The writer does not try shapes of blocks.
    Fastest,
    /// For temporary tables. The writer does not try shapes of blocks.
    Fast,
    /// The default.
    #[default]
    Standard,
    /// A tenth to a fifth smaller, at a few times the work.
    Best,
}

impl Compression {
    /// Whether the writer tries shapes of blocks.
    pub(crate) fn tries_shapes(self) -> bool {
        matches!(self, Compression::Standard | Compression::Best)
    }

    fn strength(self) -> Option<Strength> {
        /// It then finds longer matches than with four bytes, in less time.
        const STANDARD_MIN_MATCH: u32 = 5;
        /// Blocks of tables have long matches: with the 256 bytes of level 15, KRBvKR is 5% larger. Level 18 gives the size of
        /// level 15 with 999 bytes, and takes four times as long.
        const BEST_ENOUGH: u32 = 999;
        let level = |level| Strength { level, min_match: None, enough: None };
        match self {
            Compression::None => None,
            Compression::Fastest => Some(level(1)),
            Compression::Fast => Some(level(3)),
            Compression::Standard => {
                Some(Strength { min_match: Some(STANDARD_MIN_MATCH), ..level(8) })
            }
            Compression::Best => Some(Strength { enough: Some(BEST_ENOUGH), ..level(15) }),
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compression::None => "none",
            Compression::Fastest => "zstd-1",
            Compression::Fast => "zstd-3",
            Compression::Standard => "zstd-8",
            Compression::Best => "zstd-15",
        })
    }
}

impl FromStr for Compression {
    type Err = String;

    fn from_str(text: &str) -> Result<Compression, String> {
        match text {
            "none" => Ok(Compression::None),
            "fast" => Ok(Compression::Fast),
            "standard" => Ok(Compression::Standard),
            "best" => Ok(Compression::Best),
            _ => Err(format!("there is no compression '{text}': use none, fast, standard or best")),
        }
    }
}

/// Packs one block after the other. `None` if blocks are not compressed.
pub struct Packer(Option<Compressor>);

impl Packer {
    /// A packer of this strength.
    pub fn new(compression: Compression) -> io::Result<Packer> {
        Ok(Packer(compression.strength().map(Compressor::new).transpose()?))
    }

    /// A block for [`Contents::pack`](crate::container::Contents::pack): the length of `raw`, and its packed form.
    pub fn block(&mut self, raw: &[u8]) -> io::Result<Vec<u8>> {
        let mut block = (raw.len() as u32).to_le_bytes().to_vec();
        self.pack(raw, &mut block)?;
        Ok(block)
    }

    /// Appends the packed form of `raw` to `packed`. If compression does not make `raw` shorter, the packed
    /// form is `raw` itself.
    fn pack(&mut self, raw: &[u8], packed: &mut Vec<u8>) -> io::Result<()> {
        let Packer(Some(compressor)) = self else {
            packed.extend_from_slice(raw);
            return Ok(());
        };
        let shorter = compressor.compress(raw)?;
        packed.extend_from_slice(if shorter.len() < raw.len() { &shorter } else { raw });
        Ok(())
    }
}

/// The inverse of [`Packer::block`], if its length is at most `most`.
pub fn unpack_block(block: &[u8], most: usize) -> io::Result<Vec<u8>> {
    let wrong = || io::Error::from(io::ErrorKind::InvalidData);
    let (len, packed) = block.split_first_chunk().ok_or_else(wrong)?;
    let len = u32::from_le_bytes(*len) as usize;
    if len > most || packed.len() > len {
        return Err(wrong());
    }
    unpack(packed, len)
}

/// The inverse of [`Packer::pack`]: exactly `len` bytes, or an error.
pub(crate) fn unpack(packed: &[u8], len: usize) -> io::Result<Vec<u8>> {
    if packed.len() == len {
        return Ok(packed.to_vec());
    }
    let raw = decompress(packed, len)?;
    if raw.len() == len { Ok(raw) } else { Err(io::ErrorKind::InvalidData.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_is_unpacked() {
        let noise: Vec<u8> =
            (0..1000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let blocks: [&[u8]; 5] = [b"", b"a", &[7; 100_000], &noise, &noise[..3]];
        let fast = [Compression::None, Compression::Fastest, Compression::Fast];
        for compression in fast.into_iter().chain([Compression::Standard, Compression::Best]) {
            let mut packer = Packer::new(compression).unwrap();
            for raw in blocks {
                let mut packed = Vec::new();
                packer.pack(raw, &mut packed).unwrap();
                assert!(packed.len() <= raw.len());
                let block = packer.block(raw).unwrap();
                assert_eq!(unpack_block(&block, raw.len()).unwrap(), raw);
                assert!(raw.is_empty() || unpack_block(&block, raw.len() - 1).is_err());
                assert_eq!(unpack(&packed, raw.len()).unwrap(), raw);
                // Exactly the promised length.
                if packed.len() != raw.len() {
                    assert!(unpack(&packed, raw.len() - 1).is_err());
                    assert!(unpack(&packed, raw.len() + 1).is_err());
                }
            }
        }
    }
}
