//! The strength of compression, and the compressor contexts.
//!
//! It takes longer to set up a context than to compress a block. So each thread keeps its contexts: a
//! [`Packer`] to pack, and one context to unpack.

use std::cell::RefCell;
use std::fmt;
use std::io;
use std::str::FromStr;

use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::{CParameter, compress_bound};

/// The strength of compression. It changes the time of writing. The time of reading is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// No compression: a byte a state, or two if a block has more than 256 values.
    None,
    /// For temporary tables. The writer does not try shapes of blocks.
    Fast,
    /// The default.
    #[default]
    Standard,
    /// At least a twentieth smaller. It takes four to twenty times as long.
    Best,
}

impl Compression {
    /// The zstd levels to try for a block of `bytes` bytes, in order. If the first level makes the block
    /// [tiny](is_tiny), the writer does not try the others. So `Standard` spends its time on large blocks. (In
    /// four-piece endgames, level 15 makes blocks of 64 KiB 14% smaller than level 9, and takes seven times
    /// as long. In KRBvKR, where most blocks get tiny, it is 8% and ten times.)
    ///
    /// At the same level, zstd spends more time on a byte of a small block. So small blocks stay at level 9.
    fn levels(self, bytes: usize) -> &'static [i32] {
        const SMALL: usize = 20 << 10;
        match self {
            Compression::None => &[],
            Compression::Fast => &[3],
            Compression::Standard if bytes <= SMALL => &[9],
            Compression::Standard => &[9, 15],
            Compression::Best => &[22],
        }
    }
}

/// How long a block is after the second level, in per cent of its length after the first. Measured for endgames of
/// four pieces.
const SECOND_LEVEL: usize = 87;

/// Whether a packed block is so short that another level is not worth its time.
fn is_tiny(packed: &[u8], raw: &[u8]) -> bool {
    packed.len() <= raw.len() / 48
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compression::None => "none",
            Compression::Fast => "zstd-3",
            Compression::Standard => "zstd-15",
            Compression::Best => "zstd-22",
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

/// Packs one block after the other.
pub(crate) struct Packer {
    compression: Compression,
    /// `None` if blocks are not compressed.
    compressor: Option<Compressor<'static>>,
}

impl Packer {
    pub(crate) fn new(compression: Compression) -> io::Result<Packer> {
        let Some(level) = compression.levels(0).first() else {
            return Ok(Packer { compression, compressor: None });
        };
        let mut compressor = Compressor::new(*level)?;
        // The length and a checksum are stored outside the block.
        compressor.set_parameter(CParameter::ContentSizeFlag(false))?;
        compressor.set_parameter(CParameter::ChecksumFlag(false))?;
        Ok(Packer { compression, compressor: Some(compressor) })
    }

    /// Appends the packed form of `raw` to `packed`. If compression does not make `raw` shorter, the packed
    /// form is `raw` itself.
    pub(crate) fn pack(&mut self, raw: &[u8], packed: &mut Vec<u8>) -> io::Result<()> {
        let mut shorter = Vec::new();
        for &level in self.compression.levels(raw.len()) {
            self.compress(raw, level, &mut shorter)?;
            if is_tiny(&shorter, raw) {
                break;
            }
        }
        let use_it = self.compressor.is_some() && shorter.len() < raw.len();
        packed.extend_from_slice(if use_it { &shorter } else { raw });
        Ok(())
    }

    /// About how long the packed form of `raw` is. This tries only the first level.
    pub(crate) fn estimate(&mut self, raw: &[u8]) -> io::Result<usize> {
        let [level, others @ ..] = self.compression.levels(raw.len()) else { return Ok(raw.len()) };
        let mut shorter = Vec::new();
        self.compress(raw, *level, &mut shorter)?;
        let gains = !others.is_empty() && !is_tiny(&shorter, raw);
        let packed = if gains { shorter.len() * SECOND_LEVEL / 100 } else { shorter.len() };
        Ok(packed.min(raw.len()))
    }

    /// Replaces `packed` by the compressed form of `raw`.
    fn compress(&mut self, raw: &[u8], level: i32, packed: &mut Vec<u8>) -> io::Result<()> {
        let compressor = self.compressor.as_mut().expect("there is a level");
        compressor.set_parameter(CParameter::CompressionLevel(level))?;
        packed.clear();
        packed.reserve(compress_bound(raw.len()));
        compressor.compress_to_buffer(raw, packed)?;
        Ok(())
    }
}

/// The inverse of [`Packer::pack`]: exactly `len` bytes, or an error.
pub(crate) fn unpack(packed: &[u8], len: usize) -> io::Result<Vec<u8>> {
    thread_local! {
        static CONTEXT: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    if packed.len() == len {
        return Ok(packed.to_vec());
    }
    let mut raw = Vec::with_capacity(len);
    CONTEXT.with_borrow_mut(|context| {
        let context = match context {
            Some(context) => context,
            None => context.insert(Decompressor::new()?),
        };
        context.decompress_to_buffer(packed, &mut raw)
    })?;
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
        for compression in
            [Compression::None, Compression::Fast, Compression::Standard, Compression::Best]
        {
            let mut packer = Packer::new(compression).unwrap();
            for raw in blocks {
                let mut packed = Vec::new();
                packer.pack(raw, &mut packed).unwrap();
                assert!(packed.len() <= raw.len());
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
