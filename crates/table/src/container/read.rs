//! Reads a container. The reader uses data only after it has checked the checksum. It allocates no more
//! memory than the length of the file justifies.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use retrograde::internal::checksum::Sum;
use retrograde::internal::threads;

use super::{
    BLOCK_FRAME_BYTES, CHECKSUM_BYTES, Kind, PAGE_BLOCKS, PAGE_ENTRY_BYTES, PAGE_FRAME_BYTES,
    START_BYTES, VERSION, VERSION_READ_MIN, checked, index_bytes,
};
use crate::bytes::Bytes;
use crate::compression::unpack;
use crate::error::{Section, TableError};

/// An open container.
#[derive(Debug)]
pub struct Container {
    path: PathBuf,
    bytes: Bytes,
    version: u32,
    header: String,
    text_bytes: u64,
    blocks: u64,
    index_at: u64,
}

impl Container {
    /// Opens a file of this kind.
    pub fn open(path: &Path, kind: Kind) -> Result<Container, TableError> {
        let bytes = Bytes::open(path).map_err(|source| TableError::io(path, source))?;
        Container::new(path, kind, bytes)
    }

    /// Opens a file of this kind from bytes in memory. Errors call it `name`.
    pub fn from_bytes(name: &Path, kind: Kind, bytes: Vec<u8>) -> Result<Container, TableError> {
        Container::new(name, kind, Bytes::Memory(bytes))
    }

    fn new(path: &Path, kind: Kind, bytes: Bytes) -> Result<Container, TableError> {
        let short =
            |expected| TableError::Length { path: path.into(), expected, found: bytes.len() };
        let damaged = || TableError::Damaged { path: path.into(), part: Section::Header };
        let mut buffer = Vec::new();
        let mut get = |range: Range<u64>| -> Result<Vec<u8>, TableError> {
            bytes
                .get(range, &mut buffer)
                .map(<[u8]>::to_vec)
                .map_err(|source| TableError::io(path, source))
        };

        let start = get(0..bytes.len().min(START_BYTES))?;
        if !start.starts_with(&kind.0[..start.len().min(kind.0.len())]) {
            return Err(TableError::Foreign { path: path.into(), expected: kind.noun() });
        }
        let Some(start) = start.first_chunk::<{ START_BYTES as usize }>() else {
            return Err(short(START_BYTES));
        };
        let u32_at = |at| u32::from_le_bytes(std::array::from_fn(|i| start[at + i]));
        let u64_at = |at| u64::from_le_bytes(std::array::from_fn(|i| start[at + i]));
        let version = u32_at(16);
        if !(VERSION_READ_MIN..=VERSION).contains(&version) {
            return Err(TableError::Version { path: path.into(), found: version });
        }
        let header_end = START_BYTES + u64::from(u32_at(20));
        if header_end > bytes.len() {
            return Err(short(header_end));
        }
        if !bytes.may_be_text(START_BYTES..header_end).map_err(|e| TableError::io(path, e))? {
            return Err(damaged());
        }
        let header = get(START_BYTES..header_end)?;
        let mut sum = Sum::new();
        sum.update(&start[..48]);
        sum.update(&header);
        if sum.value() != u64_at(48) {
            return Err(damaged());
        }
        let header = String::from_utf8(header).map_err(|_| damaged())?;
        let (text_bytes, blocks, index_at) = (u64_at(24), u64_at(32), u64_at(40));

        let text_end = header_end
            .checked_add(text_bytes)
            .and_then(|end| end.checked_add(CHECKSUM_BYTES))
            .ok_or_else(damaged)?;
        let expected = index_bytes(blocks)
            .and_then(|index| index_at.checked_add(index))
            .filter(|_| text_end <= index_at)
            .ok_or_else(damaged)?;
        if expected != bytes.len() {
            return Err(short(expected));
        }
        Ok(Container { path: path.into(), bytes, version, header, text_bytes, blocks, index_at })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How long the file is.
    pub fn bytes(&self) -> u64 {
        self.bytes.len()
    }

    /// The version of the format that it is written in.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The header.
    pub fn header(&self) -> &str {
        &self.header
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The text.
    pub fn text(&self) -> Result<String, TableError> {
        let from = START_BYTES + self.header.len() as u64;
        let failed = |source| TableError::Io { path: self.path.clone(), source };
        if !self.bytes.may_be_text(from..from + self.text_bytes).map_err(failed)? {
            return Err(self.damaged(Section::Text));
        }
        let mut buffer = Vec::new();
        let text = self.get(from..self.blocks_at(), &mut buffer)?;
        checked(text, 0)
            .and_then(|text| String::from_utf8(text.to_vec()).ok())
            .ok_or_else(|| self.damaged(Section::Text))
    }

    /// The bytes of a block. If there are more than `raw_max` bytes, it returns an error.
    pub fn read(&self, block: u64, raw_max: usize) -> Result<Vec<u8>, TableError> {
        self.reader().read(block, raw_max)
    }

    /// A reader that keeps the current page of the index. Use it for many blocks in order.
    pub fn reader(&self) -> BlockReader<'_> {
        BlockReader { container: self, page: None, buffer: Vec::new() }
    }

    /// Checks every byte of the file, with all threads. Passes each block to `look`, which says whether it
    /// makes sense. Returns the first error in the file.
    pub fn check(
        &self,
        raw_max: usize,
        look: impl Fn(u64, Vec<u8>) -> bool + Sync,
    ) -> Result<(), TableError> {
        self.text()?;
        let check_page = |number: u64| {
            let mut reader = self.reader();
            for block in self.page_blocks(number) {
                let raw = reader.read(block, raw_max)?;
                if !look(block, raw) {
                    return Err(self.damaged(Section::Block { block }));
                }
            }
            let page = reader.page(number)?;
            Ok((number, page.base..page.end()))
        };
        // The blocks must touch each other, or some bytes would have no checksum.
        let mut at = self.blocks_at();
        threads::try_map(self.blocks.div_ceil(PAGE_BLOCKS), 16, check_page, |(number, page)| {
            if page.start != at {
                return Err(self.damaged(Section::Index { page: number }));
            }
            at = page.end;
            Ok(())
        })?;
        if at == self.index_at { Ok(()) } else { Err(self.damaged(Section::Header)) }
    }

    /// The error for a damaged part.
    pub fn damaged(&self, part: Section) -> TableError {
        TableError::Damaged { path: self.path.clone(), part }
    }

    /// Where the first block begins.
    fn blocks_at(&self) -> u64 {
        START_BYTES + self.header.len() as u64 + self.text_bytes + CHECKSUM_BYTES
    }

    /// The blocks of a page of the index.
    fn page_blocks(&self, page: u64) -> Range<u64> {
        page * PAGE_BLOCKS..self.blocks.min((page + 1) * PAGE_BLOCKS)
    }

    fn get<'a>(
        &'a self,
        range: Range<u64>,
        buffer: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], TableError> {
        let end = range.end;
        self.bytes.get(range, buffer).map_err(|source| match source.kind() {
            // The file was longer when the reader opened it.
            io::ErrorKind::UnexpectedEof => TableError::Length {
                path: self.path.clone(),
                expected: self.bytes.len(),
                found: end.min(self.bytes.len_now()),
            },
            _ => TableError::Io { path: self.path.clone(), source },
        })
    }
}

/// Reads the blocks of a container.
#[derive(Debug)]
pub struct BlockReader<'a> {
    container: &'a Container,
    /// The page read last.
    page: Option<Page>,
    /// For packed bytes.
    buffer: Vec<u8>,
}

impl BlockReader<'_> {
    /// The bytes of a block, which are never more than `raw_max`.
    ///
    /// # Panics
    ///
    /// If there is no such block.
    pub fn read(&mut self, block: u64, raw_max: usize) -> Result<Vec<u8>, TableError> {
        let container = self.container;
        assert!(block < container.blocks, "block {block} of {}", container.blocks);
        let range = self.page(block / PAGE_BLOCKS)?.range(block);
        let damaged = || container.damaged(Section::Block { block });
        if range.end - range.start > raw_max as u64 + BLOCK_FRAME_BYTES {
            return Err(damaged());
        }
        let framed = container.get(range, &mut self.buffer)?;
        let (len, packed) = checked(framed, block)
            .and_then(|content| content.split_first_chunk::<4>())
            .ok_or_else(damaged)?;
        let len = u32::from_le_bytes(*len) as usize;
        if len > raw_max || packed.len() > len {
            return Err(damaged());
        }
        unpack(packed, len).map_err(|_| damaged())
    }

    fn page(&mut self, number: u64) -> Result<&Page, TableError> {
        if self.page.as_ref().is_none_or(|page| page.number != number) {
            self.page = Some(Page::read(self.container, number)?);
        }
        Ok(self.page.as_ref().expect("it was read just now"))
    }
}

/// A page of the index.
#[derive(Debug)]
struct Page {
    number: u64,
    /// Where its first block begins.
    base: u64,
    /// Where each of its blocks ends, counted from there.
    ends: Vec<u32>,
}

impl Page {
    fn read(container: &Container, number: u64) -> Result<Page, TableError> {
        let damaged = || container.damaged(Section::Index { page: number });
        let blocks = container.page_blocks(number);
        let at = container.index_at + number * (PAGE_FRAME_BYTES + PAGE_BLOCKS * PAGE_ENTRY_BYTES);
        let len = PAGE_FRAME_BYTES + (blocks.end - blocks.start) * PAGE_ENTRY_BYTES;
        let mut buffer = Vec::new();
        let content = checked(container.get(at..at + len, &mut buffer)?, number);
        let (base, ends) =
            content.and_then(|bytes| bytes.split_first_chunk::<8>()).ok_or_else(damaged)?;
        let base = u64::from_le_bytes(*base);
        let ends: Vec<u32> =
            ends.as_chunks::<4>().0.iter().map(|end| u32::from_le_bytes(*end)).collect();
        let inside = base >= container.blocks_at()
            && ends.is_sorted()
            && ends
                .last()
                .and_then(|end| base.checked_add(u64::from(*end)))
                .is_some_and(|end| end <= container.index_at);
        if inside { Ok(Page { number, base, ends }) } else { Err(damaged()) }
    }

    /// The place of a block of this page.
    fn range(&self, block: u64) -> Range<u64> {
        let at = (block % PAGE_BLOCKS) as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        self.base + u64::from(start)..self.base + u64::from(self.ends[at])
    }

    fn end(&self) -> u64 {
        self.base + u64::from(self.ends.last().copied().unwrap_or(0))
    }
}
