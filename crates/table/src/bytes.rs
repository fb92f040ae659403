//! Reads the bytes of a file, or of memory.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

/// The bytes of a file.
#[derive(Debug)]
pub(crate) enum Bytes {
    File { file: Reader, len: u64 },
    Memory(Vec<u8>),
}

impl Bytes {
    pub(crate) fn open(path: &Path) -> io::Result<Bytes> {
        // Check this first, because it would wait for a writer to open a pipe.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::other("this is not a file"));
        }
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Ok(Bytes::File { file: Reader::from(file), len })
    }

    pub(crate) fn len(&self) -> u64 {
        match self {
            Bytes::File { len, .. } => *len,
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

#[cfg(unix)]
pub(crate) use positioned::Reader;
#[cfg(not(unix))]
pub(crate) use seeking::Reader;

/// Reads at a position. Several threads can do this at the same time.
#[cfg(unix)]
mod positioned {
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::FileExt;

    #[derive(Debug)]
    pub(crate) struct Reader(File);

    impl From<File> for Reader {
        fn from(file: File) -> Reader {
            Reader(file)
        }
    }

    impl Reader {
        pub(crate) fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
            self.0.read_exact_at(buffer, at)
        }
    }
}

/// Seeks and reads, one thread at a time.
#[cfg(not(unix))]
mod seeking {
    use std::fs::File;
    use std::io::{self, Read, Seek, SeekFrom};
    use std::sync::{Mutex, PoisonError};

    #[derive(Debug)]
    pub(crate) struct Reader(Mutex<File>);

    impl From<File> for Reader {
        fn from(file: File) -> Reader {
            Reader(Mutex::new(file))
        }
    }

    impl Reader {
        pub(crate) fn read_exact_at(&self, buffer: &mut [u8], at: u64) -> io::Result<()> {
            let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(at))?;
            file.read_exact(buffer)
        }
    }
}
