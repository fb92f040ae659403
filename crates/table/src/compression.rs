//! The strength of compression, and the compressor contexts.
//!
//! A context costs more to set up than a block costs to compress. So contexts are kept: a thread packs with a
//! [`Packer`] that it keeps, and unpacks with one context of its own.

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
    /// For temporary tables.
    Fast,
    /// The default.
    #[default]
    Standard,
    /// A twentieth smaller or more, at four to twenty times the work.
    Best,
}

impl Compression {
    /// The zstd level for a block of so many bytes, if zstd is used. Zstd spends more time on a byte of a
    /// small block at the same level. So `Standard` chooses the level such that large and small blocks take
    /// about equally long. (Four-piece endgames: level 14 makes blocks of 64 KiB 13% smaller than level 9. It
    /// takes the time that level 9 takes for blocks of 16 KiB.)
    fn level(self, bytes: usize) -> Option<i32> {
        const SMALL: usize = 20 << 10;
        match self {
            Compression::None => None,
            Compression::Fast => Some(3),
            Compression::Standard if bytes <= SMALL => Some(9),
            Compression::Standard => Some(14),
            Compression::Best => Some(19),
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compression::None => "none",
            Compression::Fast => "zstd-3",
            Compression::Standard => "zstd-14",
            Compression::Best => "zstd-19",
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
        let Some(level) = compression.level(0) else {
            return Ok(Packer { compression, compressor: None });
        };
        let mut compressor = Compressor::new(level)?;
        // The length and a checksum are stored outside the block.
        compressor.set_parameter(CParameter::ContentSizeFlag(false))?;
        compressor.set_parameter(CParameter::ChecksumFlag(false))?;
        Ok(Packer { compression, compressor: Some(compressor) })
    }

    /// Appends the packed form of `raw` to `packed`. That is `raw` itself if compression does not make it
    /// shorter.
    pub(crate) fn pack(&mut self, raw: &[u8], packed: &mut Vec<u8>) -> io::Result<()> {
        if let Some(compressor) = &mut self.compressor
            && let Some(level) = self.compression.level(raw.len())
        {
            compressor.set_parameter(CParameter::CompressionLevel(level))?;
            let mut shorter = Vec::with_capacity(compress_bound(raw.len()));
            compressor.compress_to_buffer(raw, &mut shorter)?;
            if shorter.len() < raw.len() {
                packed.extend_from_slice(&shorter);
                return Ok(());
            }
        }
        packed.extend_from_slice(raw);
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
