//! Bytes with checksums. The reader checks a block before it returns a byte of it.
//!
//! The bytes are in [frames](crate::checksum). All are full except the last, which may be empty. The seed of a frame is its
//! number. So a checksum also detects frames in the wrong place. The reader can check each frame alone, so it can seek.

use std::io::{self, Read, Seek, Write};

use super::error::SolveError;
use crate::checksum::{Damaged, FRAME_HEAD_BYTES, read_frame, write_frame};

/// The data bytes of a full block.
const FULL: usize = 1 << 16;

/// Writes bytes with checksums. Call [`finish`](ChecksummedWriter::finish) at the end.
pub struct ChecksummedWriter<W> {
    to: W,
    /// The data of the unfinished block.
    data: Vec<u8>,
    number: u64,
}

impl<W: Write> ChecksummedWriter<W> {
    /// Writes to `to`, a block at a time.
    pub fn new(to: W) -> ChecksummedWriter<W> {
        ChecksummedWriter { to, data: Vec::with_capacity(FULL), number: 0 }
    }

    /// The inner writer.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.to
    }

    /// Writes the last block.
    pub fn finish(&mut self) -> io::Result<()> {
        self.write_block()?;
        self.to.flush()
    }

    fn write_block(&mut self) -> io::Result<()> {
        write_frame(&mut self.to, self.number, &self.data)?;
        self.data.clear();
        self.number += 1;
        Ok(())
    }
}

impl<W: Write> Write for ChecksummedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = FULL - self.data.len();
        let taken = room.min(bytes.len());
        self.data.extend_from_slice(&bytes[..taken]);
        if taken == room {
            self.write_block()?;
        }
        Ok(taken)
    }

    /// Does nothing: only the last block may be short.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads the data of a [`ChecksummedWriter`], and nothing after it. Changed or missing bytes give an error of
/// the kind `InvalidData`. As a [`SolveError`](crate::SolveError) it is
/// [`Damaged`](crate::SolveError::Damaged).
pub struct ChecksummedReader<R> {
    from: R,
    /// The data of the last block read.
    data: Vec<u8>,
    /// The index of the next byte in the data.
    at: usize,
    /// The number of the next block.
    number: u64,
    /// Whether the last block read is the last one. It is not after an error.
    is_last: bool,
    /// How many bytes have been read from `from`, in all.
    taken: u64,
}

impl<R: Read> ChecksummedReader<R> {
    /// Reads from `from`, a block at a time.
    pub fn new(from: R) -> ChecksummedReader<R> {
        ChecksummedReader { from, data: Vec::new(), at: 0, number: 0, is_last: false, taken: 0 }
    }

    /// Whether all bytes have been read.
    pub fn is_at_end(&mut self) -> io::Result<bool> {
        if self.at == self.data.len() && !self.is_last {
            self.read_block()?;
        }
        Ok(self.at == self.data.len())
    }

    /// The number of the next byte, counted from the first.
    pub fn position(&self) -> u64 {
        self.number.saturating_sub(1) * FULL as u64 + self.at as u64
    }

    fn read_block(&mut self) -> io::Result<()> {
        self.at = 0;
        self.is_last = false;
        let mut data = std::mem::take(&mut self.data);
        let mut from = Counted { from: &mut self.from, taken: &mut self.taken };
        read_frame(&mut from, self.number, FULL as u32, &mut data)?;
        self.is_last = data.len() < FULL;
        self.data = data;
        self.number += 1;
        Ok(())
    }
}

/// Counts the bytes that are read.
struct Counted<'a, R> {
    from: &'a mut R,
    taken: &'a mut u64,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(bytes)?;
        *self.taken += read as u64;
        Ok(read)
    }
}

impl<R: Read + Seek> ChecksummedReader<R> {
    /// Seeks to the byte with this number, counted from the first.
    pub fn seek_to(&mut self, byte: u64) -> io::Result<()> {
        let (number, within) = (byte / FULL as u64, (byte % FULL as u64) as usize);
        // After an error, the data is empty.
        let is_here = self.number == number + 1 && (self.is_last || !self.data.is_empty());
        if !is_here {
            let block = number.saturating_mul((FRAME_HEAD_BYTES + FULL) as u64);
            self.from.seek_relative(block.wrapping_sub(self.taken) as i64)?;
            (self.number, self.taken) = (number, block);
            self.read_block()?;
        }
        self.at = within.min(self.data.len());
        Ok(())
    }
}

impl<R: Read> Read for ChecksummedReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if bytes.is_empty() || self.is_at_end()? {
            return Ok(0);
        }
        let taken = bytes.len().min(self.data.len() - self.at);
        bytes[..taken].copy_from_slice(&self.data[self.at..self.at + taken]);
        self.at += taken;
        Ok(taken)
    }
}

impl From<io::Error> for SolveError {
    fn from(error: io::Error) -> SolveError {
        match error.get_ref() {
            Some(inner) if inner.is::<Damaged>() => SolveError::Damaged,
            _ => SolveError::Outside(Box::new(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn written(len: usize) -> (Vec<u8>, Vec<u8>) {
        let bytes: Vec<u8> = (0..len).map(|at| (at * 31 + at / 251) as u8).collect();
        let mut to = ChecksummedWriter::new(Vec::new());
        for piece in bytes.chunks(1000) {
            to.write_all(piece).unwrap();
        }
        to.finish().unwrap();
        (bytes, to.to)
    }

    #[test]
    fn bytes_come_back_and_end_where_they_ended() {
        for len in [0, 1, FULL - 1, FULL, FULL + 1, 3 * FULL] {
            let (bytes, mut written) = written(len);
            written.push(77);
            let mut from = ChecksummedReader::new(&written[..]);
            let mut read = vec![0; len];
            from.read_exact(&mut read).unwrap();
            assert!(read == bytes && from.is_at_end().unwrap(), "{len}");
            assert_eq!(from.read(&mut [0]).unwrap(), 0, "{len}");
            written.pop();
            for missing in [1, 8, FRAME_HEAD_BYTES, FRAME_HEAD_BYTES + 1] {
                written.truncate(written.len().saturating_sub(missing));
                let read = ChecksummedReader::new(&written[..]).read_to_end(&mut Vec::new());
                assert_eq!(read.unwrap_err().kind(), io::ErrorKind::InvalidData, "{len}");
            }
        }
    }

    /// After an error in any block but the first, the reader said that the bytes end there. A caller that went on took
    /// a part for the whole.
    #[test]
    fn a_damaged_block_is_not_the_end() {
        let damage = io::ErrorKind::InvalidData;
        for (block, at) in [
            (1, FRAME_HEAD_BYTES + FULL + FRAME_HEAD_BYTES + 5),
            (2, 2 * (FRAME_HEAD_BYTES + FULL)),
            (0, 3),
        ] {
            let (_, mut written) = written(3 * FULL + 77);
            written[at] ^= 1;
            let mut from = ChecksummedReader::new(Cursor::new(&written));
            let mut whole = vec![0; block * FULL];
            from.read_exact(&mut whole).unwrap();
            for _ in 0..3 {
                assert_eq!(from.read(&mut [0]).unwrap_err().kind(), damage, "block {block}");
                assert_eq!(from.is_at_end().unwrap_err().kind(), damage, "block {block}");
            }
            // A jump to another block finds it.
            for other in (0..4).filter(|other| *other != block) {
                from.seek_to((other * FULL + 9) as u64).unwrap();
                let mut byte = [0];
                from.read_exact(&mut byte).unwrap();
                let at = other * FULL + 9;
                assert_eq!(byte[0], (at * 31 + at / 251) as u8, "block {other} after {block}");
                assert_eq!(from.seek_to((block * FULL) as u64).unwrap_err().kind(), damage);
            }
        }
    }

    #[test]
    fn a_jump_comes_to_the_byte_that_was_written_there() {
        let (bytes, written) = written(3 * FULL + 77);
        // Ignores the bytes before its own.
        let mut file = Cursor::new([&[9; 5][..], &written].concat());
        file.set_position(5);
        let mut from = ChecksummedReader::new(file);
        for at in [7, 7, FULL, 3 * FULL + 70, 3, FULL - 3, 3 * FULL + 76, 2 * FULL + 5, 0] {
            from.seek_to(at as u64).unwrap();
            assert_eq!(from.position(), at as u64);
            let mut read = vec![0; 9.min(bytes.len() - at)];
            from.read_exact(&mut read).unwrap();
            assert_eq!(read, bytes[at..at + read.len()], "{at}");
        }
    }
}
