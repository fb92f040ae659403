//! Reads the bytes of a file, or of memory.

use std::io;
use std::ops::Range;
use std::path::Path;

use retrograde_files::File;

/// The bytes of a file.
#[derive(Debug)]
pub(crate) enum Bytes {
    File { file: File, len: u64 },
    Memory(Vec<u8>),
}

impl Bytes {
    pub(crate) fn open(path: &Path) -> io::Result<Bytes> {
        let file = File::open(path)?;
        let len = file.len()?;
        Ok(Bytes::File { file, len })
    }

    pub(crate) fn len(&self) -> u64 {
        match self {
            Bytes::File { len, .. } => *len,
            Bytes::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// How many bytes there are now. The file may have been cut since it was opened.
    pub(crate) fn len_now(&self) -> u64 {
        match self {
            Bytes::File { file, .. } => file.len().unwrap_or(0),
            Bytes::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// Whether a range may be text. A sparse file can have a large length but few bytes on disk. Its gaps
    /// read as zeros, which no text has. This check finds such a file before the reader allocates memory for
    /// it.
    pub(crate) fn may_be_text(&self, range: Range<u64>) -> io::Result<bool> {
        const PIECE: u64 = 1 << 16;
        let mut buffer = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let piece = at..range.end.min(at + PIECE);
            at = piece.end;
            if self.get(piece, &mut buffer)?.contains(&0) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The bytes of a range. Returns a slice of memory if possible, and otherwise reads into `buffer`.
    pub(crate) fn get<'a>(
        &'a self,
        range: Range<u64>,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        if range.start > range.end || range.end > self.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let (from, to) = (range.start as usize, range.end as usize);
        match self {
            Bytes::File { file, .. } => {
                buffer.clear();
                buffer.try_reserve_exact(to - from)?;
                buffer.resize(to - from, 0);
                file.read_exact_at(buffer, range.start)?;
                Ok(buffer)
            }
            Bytes::Memory(bytes) => Ok(&bytes[from..to]),
        }
    }
}
