//! Files of packed blocks. The checksum of a block depends on the file and on the number of the block, so
//! bytes of another file or place are as wrong as changed ones.
//!
//! ```text
//! block: a frame of `retrograde::internal::checksum` with: plain length u32, packed bytes
//! end:   a block of no bytes
//! ```

use std::io::{self, Read, Write};

use retrograde::internal::checksum::{FRAME_HEAD_BYTES, read_frame, write_frame};
use retrograde_files::{Cursor, File};
use retrograde_table::Compression;
use retrograde_table::container::{self, unpack_block};

/// How many unpacked bytes a block has.
const BLOCK: usize = 1 << 18;
/// The bytes of the plain length.
const HEAD: usize = 4;

/// The buffers of one thread for packing and unpacking. Cells are so repetitive that stronger compression gains little.
pub(crate) struct Packer {
    packer: container::Packer,
    plain: Vec<u8>,
}

impl Packer {
    pub(crate) fn new() -> io::Result<Packer> {
        let packer = container::Packer::new(Compression::Fastest)?;
        Ok(Packer { packer, plain: Vec::with_capacity(BLOCK) })
    }
}

/// The seed of the checksum of a block.
fn seed_of(seed: u64, block: u64) -> u64 {
    seed ^ block.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Writes blocks.
pub(crate) struct PackedWriter<'a> {
    packer: &'a mut Packer,
    file: Cursor<&'a File>,
    seed: u64,
    block: u64,
    bytes: u64,
}

impl<'a> PackedWriter<'a> {
    /// Begins a file.
    pub(crate) fn new(
        packer: &'a mut Packer,
        file: Cursor<&'a File>,
        seed: u64,
    ) -> PackedWriter<'a> {
        packer.plain.clear();
        PackedWriter { packer, file, seed, block: 0, bytes: 0 }
    }

    /// Ends the file; returns its length.
    pub(crate) fn end(mut self) -> io::Result<u64> {
        if !self.packer.plain.is_empty() {
            self.write_block()?;
        }
        self.write_block()?;
        Ok(self.bytes)
    }

    fn write_block(&mut self) -> io::Result<()> {
        let Packer { packer, plain } = &mut *self.packer;
        let packed = packer.block(plain)?;
        write_frame(&mut self.file, seed_of(self.seed, self.block), &packed)?;
        self.bytes += (FRAME_HEAD_BYTES + packed.len()) as u64;
        self.block += 1;
        plain.clear();
        Ok(())
    }
}

impl Write for PackedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = BLOCK - self.packer.plain.len();
        let taken = room.min(bytes.len());
        self.packer.plain.extend_from_slice(&bytes[..taken]);
        if self.packer.plain.len() == BLOCK {
            self.write_block()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads the output of a [`PackedWriter`]. Changed bytes are an error of the kind `InvalidData`.
pub(crate) struct PackedReader<'a> {
    packer: &'a mut Packer,
    file: Cursor<&'a File>,
    seed: u64,
    block: u64,
    /// How much of the block was read.
    taken: usize,
    pub(crate) bytes: u64,
}

impl<'a> PackedReader<'a> {
    pub(crate) fn new(
        packer: &'a mut Packer,
        file: Cursor<&'a File>,
        seed: u64,
    ) -> PackedReader<'a> {
        packer.plain.clear();
        PackedReader { packer, file, seed, block: 0, taken: 0, bytes: 0 }
    }

    /// Checks that the file ends here.
    pub(crate) fn end(mut self) -> io::Result<u64> {
        if self.taken < self.packer.plain.len() {
            return Err(wrong("it is longer than it should be"));
        }
        self.read_block()?;
        match self.packer.plain.is_empty() && self.file.read(&mut [0])? == 0 {
            true => Ok(self.bytes),
            false => Err(wrong("it is longer than it should be")),
        }
    }

    fn read_block(&mut self) -> io::Result<()> {
        let number = self.block;
        let seed = seed_of(self.seed, self.block);
        let mut packed = Vec::new();
        let frame = read_frame(&mut self.file, seed, (HEAD + BLOCK) as u32, &mut packed);
        frame.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => wrong_block(number),
            _ => error,
        })?;
        self.bytes += (FRAME_HEAD_BYTES + packed.len()) as u64;
        self.packer.plain = unpack_block(&packed, BLOCK).map_err(|_| wrong_block(number))?;
        self.taken = 0;
        self.block += 1;
        Ok(())
    }
}

fn wrong_block(number: u64) -> io::Error {
    wrong(&format!("the checksum of its block {number} is wrong"))
}

impl Read for PackedReader<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.packer.plain.len() {
            self.read_block()?;
        }
        let left = &self.packer.plain[self.taken..];
        let taken = left.len().min(bytes.len());
        bytes[..taken].copy_from_slice(&left[..taken]);
        self.taken += taken;
        Ok(taken)
    }
}

/// An error about the contents of a file.
pub(crate) fn wrong(problem: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem.to_owned())
}
