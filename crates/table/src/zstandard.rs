//! The format zstd: by the C library, or in a browser by a decoder in Rust, which packs nothing.

use std::io;

pub(crate) use platform::{Compressor, decompress};

/// How hard it looks for matches.
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "nothing is packed there"))]
#[derive(Clone, Copy)]
pub(crate) struct Strength {
    /// The level of zstd.
    pub(crate) level: i32,
    /// The length of the shortest matches, if it is not that of the level.
    pub(crate) min_match: Option<u32>,
    /// The length of a match that is taken without looking for a better one, if it is not that of the level.
    pub(crate) enough: Option<u32>,
}

#[cfg(not(target_family = "wasm"))]
mod platform {
    use std::cell::RefCell;

    use zstd::bulk::Decompressor;
    use zstd::zstd_safe::{CParameter, compress_bound};

    use super::{Strength, io};

    /// A context to pack.
    pub(crate) struct Compressor(zstd::bulk::Compressor<'static>);

    impl Compressor {
        pub(crate) fn new(strength: Strength) -> io::Result<Compressor> {
            let mut compressor = zstd::bulk::Compressor::new(strength.level)?;
            // The length and a checksum are stored outside the block.
            compressor.set_parameter(CParameter::ContentSizeFlag(false))?;
            compressor.set_parameter(CParameter::ChecksumFlag(false))?;
            if let Some(length) = strength.min_match {
                compressor.set_parameter(CParameter::MinMatch(length))?;
            }
            if let Some(length) = strength.enough {
                compressor.set_parameter(CParameter::TargetLength(length))?;
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

    use super::{Strength, io};

    /// Nothing is packed here.
    pub(crate) enum Compressor {}

    impl Compressor {
        pub(crate) fn new(_: Strength) -> io::Result<Compressor> {
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
