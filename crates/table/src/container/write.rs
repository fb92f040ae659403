//! Writes a container. While it writes one batch of blocks, the caller packs the next. So at most two batches are in
//! memory.

use std::ops::{ControlFlow, Range};
use std::path::Path;

use retrograde::internal::checksum::Sum;
use retrograde_files::{Durable, TempFile};

use super::{CHECKSUM_BYTES, Kind, PAGE_BLOCKS, START_BYTES, VERSION, checksum, index_bytes};
use crate::error::WriteError;

/// The contents of a container.
pub struct Contents<'a> {
    /// The kind of file.
    pub kind: Kind,
    /// The header. By convention it is JSON of a few thousand bytes, because every open reads it.
    pub header: &'a str,
    /// A text in pieces. It may be long, because a reader reads it only on request.
    pub text: &'a mut dyn Iterator<Item = String>,
    /// How many blocks there are.
    pub blocks: u64,
    /// How many blocks to pack between two writes.
    pub batch: usize,
    /// Packs these blocks, each as [`Packer::block`](super::Packer::block) does.
    pub pack: &'a (dyn Fn(Range<u64>) -> Result<Vec<Vec<u8>>, WriteError> + Sync),
    /// Whether it may replace an existing file; see [`FileError::Taken`](retrograde_files::FileError::Taken).
    pub replace: bool,
}

/// Writes a container at `path`, as a whole or not at all. Returns its length in bytes, and whether it survives a power cut. Calls `progress` with
/// the number of blocks written. `progress` may cancel.
pub fn write(
    path: &Path,
    contents: Contents<'_>,
    mut progress: impl FnMut(u64) -> ControlFlow<()> + Send,
) -> Result<(u64, Durable), WriteError> {
    let Contents { kind, header, text, blocks, batch, pack, replace } = contents;
    if u32::try_from(header.len()).is_err() {
        return Err(WriteError::Layout("the header is longer than four gigabytes".into()));
    }
    let mut temp_file = TempFile::create(path)?;
    temp_file.write(&[0; START_BYTES as usize])?;
    temp_file.write(header.as_bytes())?;
    let text_bytes = write_text(&mut temp_file, text)?;

    let batches = (0..blocks).step_by(batch).map(|first| first..blocks.min(first + batch as u64));
    let mut index = Index::new(temp_file.written());
    let mut ready = Vec::new();
    for range in batches.map(Some).chain([None]) {
        let (written, packed) = rayon::join(
            || index.write_blocks(&mut temp_file, &ready, blocks, &mut progress),
            || range.map_or(Ok(Vec::new()), pack),
        );
        written?;
        ready = packed?;
    }

    let index_at = temp_file.written();
    temp_file.write(&index.finish())?;
    assert_eq!(Some(temp_file.written() - index_at), index_bytes(blocks));
    temp_file.rewrite_start(&start(kind, header, text_bytes, blocks, index_at))?;
    let bytes = temp_file.written();
    let durable = if replace { temp_file.publish() } else { temp_file.publish_new() }?;
    Ok((bytes, durable))
}

/// The fixed part at the start. Its checksum covers it and the header.
fn start(kind: Kind, header: &str, text_bytes: u64, blocks: u64, index_at: u64) -> Vec<u8> {
    let mut start = kind.0.to_vec();
    start.extend(VERSION.to_le_bytes());
    start.extend((header.len() as u32).to_le_bytes());
    start.extend(text_bytes.to_le_bytes());
    start.extend(blocks.to_le_bytes());
    start.extend(index_at.to_le_bytes());
    let mut sum = Sum::new();
    sum.update(&start);
    sum.update(header.as_bytes());
    start.extend(sum.value().to_le_bytes());
    start
}

/// Writes the text and its checksum. Returns the length of the text.
fn write_text(
    temp_file: &mut TempFile,
    text: &mut dyn Iterator<Item = String>,
) -> Result<u64, WriteError> {
    const PIECE: usize = 1 << 16;
    let from = temp_file.written();
    let mut sum = Sum::new();
    let mut piece = Vec::new();
    for part in text {
        piece.extend_from_slice(part.as_bytes());
        if piece.len() >= PIECE {
            sum.update(&piece);
            temp_file.write(&piece)?;
            piece.clear();
        }
    }
    sum.update(&piece);
    temp_file.write(&piece)?;
    let bytes = temp_file.written() - from;
    temp_file.write(&sum.value().to_le_bytes())?;
    Ok(bytes)
}

/// The index of the blocks written so far.
struct Index {
    /// The pages that are complete.
    bytes: Vec<u8>,
    /// The current page: where its first block begins, and the end of each block relative to that.
    page: Vec<u8>,
    page_base: u64,
    page_blocks: u64,
    pages: u64,
    blocks: u64,
    blocks_bytes: u64,
}

impl Index {
    fn new(at: u64) -> Index {
        Index {
            bytes: Vec::new(),
            page: at.to_le_bytes().to_vec(),
            page_base: at,
            page_blocks: 0,
            pages: 0,
            blocks: 0,
            blocks_bytes: 0,
        }
    }

    /// Writes the blocks of a batch with their checksums, and records their places.
    fn write_blocks(
        &mut self,
        temp_file: &mut TempFile,
        batch: &[Vec<u8>],
        blocks: u64,
        progress: &mut impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), WriteError> {
        if batch.is_empty() {
            return Ok(());
        }
        let len: usize = batch.iter().map(|block| block.len() + CHECKSUM_BYTES as usize).sum();
        let mut bytes = Vec::with_capacity(len);
        for (number, block) in (self.blocks..).zip(batch) {
            bytes.extend_from_slice(block);
            bytes.extend(checksum(block, number).to_le_bytes());
        }
        self.blocks += batch.len() as u64;
        self.blocks_bytes += bytes.len() as u64;
        // If the disk is full, assume that the remaining blocks are as large as the written ones.
        let each = self.blocks_bytes.div_ceil(self.blocks);
        let ahead = bytes.len() as u64
            + each.saturating_mul(blocks - self.blocks)
            + index_bytes(blocks).unwrap_or(u64::MAX);
        let mut at = temp_file.written();
        temp_file.write_of(&bytes, ahead)?;
        for block in batch {
            at += block.len() as u64 + CHECKSUM_BYTES;
            self.note_block(at)?;
        }
        match progress(self.blocks) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(WriteError::Cancelled),
        }
    }

    fn note_block(&mut self, end: u64) -> Result<(), WriteError> {
        let end_in_page = u32::try_from(end - self.page_base)
            .map_err(|_| WriteError::Layout("the blocks are too large for the index".into()))?;
        self.page.extend(end_in_page.to_le_bytes());
        self.page_blocks += 1;
        if self.page_blocks == PAGE_BLOCKS {
            self.turn_page();
            self.page_base = end;
            self.page = end.to_le_bytes().to_vec();
        }
        Ok(())
    }

    fn turn_page(&mut self) {
        if self.page_blocks > 0 {
            let sum = checksum(&self.page, self.pages);
            self.bytes.append(&mut self.page);
            self.bytes.extend(sum.to_le_bytes());
            self.pages += 1;
            self.page_blocks = 0;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.turn_page();
        self.bytes
    }
}
