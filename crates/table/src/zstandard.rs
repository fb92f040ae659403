//! The format zstd: by the C library, or in a browser by a decoder in Rust, which packs nothing.

use std::io;

pub(crate) use platform::{Compressor, decompress};

#[cfg(not(target_family = "wasm"))]
mod platform {
    use std::cell::RefCell;

    use zstd::bulk::Decompressor;
    use zstd::zstd_safe::{CParameter, compress_bound};

    use super::io;
    use crate::Compression;

    /// [`Compression::Standard`] looks for matches of so many bytes, not of four. It then finds longer ones, in less time.
    const STANDARD_MIN_MATCH: u32 = 5;

    /// A match of this length is taken without looking for a better one, in [`Compression::Best`]. Blocks of tables have
    /// long matches: with the 256 bytes of level 15, KRBvKR is 5% larger. Level 18 gives the size of level 15 with 999
    /// bytes, and takes four times as long.
    const BEST_TARGET_LENGTH: u32 = 999;

    /// A context to pack.
    pub(crate) struct Compressor(zstd::bulk::Compressor<'static>);

    impl Compressor {
        pub(crate) fn new(compression: Compression, level: i32) -> io::Result<Compressor> {
            let mut compressor = zstd::bulk::Compressor::new(level)?;
            // The length and a checksum are stored outside the block.
            compressor.set_parameter(CParameter::ContentSizeFlag(false))?;
            compressor.set_parameter(CParameter::ChecksumFlag(false))?;
            match compression {
                Compression::Standard => {
                    compressor.set_parameter(CParameter::MinMatch(STANDARD_MIN_MATCH))?;
                }
                Compression::Best => {
                    compressor.set_parameter(CParameter::TargetLength(BEST_TARGET_LENGTH))?;
                }
                _ => {}
            }
            Ok(Compressor(compressor))
        }

        pub(crate) fn compress(&mut self, raw: &[u8]) -> io::Result<Vec<u8>> {
            let mut packed = Vec::with_capacity(compress_bound(raw.len()));
            self.0.compress_to_buffer(raw, &mut packed)?;
            Ok(packed)
        }
    }

    /// At most `most` bytes.
    pub(crate) fn decompress(packed: &[u8], most: usize) -> io::Result<Vec<u8>> {
        thread_local! {
            static CONTEXT: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
        }
        let mut raw = Vec::with_capacity(most);
        CONTEXT.with_borrow_mut(|context| {
            let context = match context {
                Some(context) => context,
                None => context.insert(Decompressor::new()?),
            };
            context.decompress_to_buffer(packed, &mut raw)
        })?;
        Ok(raw)
    }
}

#[cfg(target_family = "wasm")]
mod platform {
    use ruzstd::decoding::FrameDecoder;

    use super::io;
    use crate::Compression;

    /// Nothing is packed here.
    pub(crate) enum Compressor {}

    impl Compressor {
        pub(crate) fn new(_: Compression, _: i32) -> io::Result<Compressor> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(crate) fn compress(&mut self, _: &[u8]) -> io::Result<Vec<u8>> {
            match *self {}
        }
    }

    /// At most `most` bytes.
    pub(crate) fn decompress(packed: &[u8], most: usize) -> io::Result<Vec<u8>> {
        let mut raw = vec![0; most];
        let read = FrameDecoder::new().decode_all(packed, &mut raw);
        raw.truncate(read.map_err(io::Error::other)?);
        Ok(raw)
    }
}
