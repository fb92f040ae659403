//! Containers of other data than tables, such as a snapshot of a solve.

use std::fs;
use std::ops::{ControlFlow, Range};
use std::path::Path;

use crate::common::Scratch;
use retrograde_table::container::{Container, Contents, Kind, Packer, write};
use retrograde_table::{Compression, Section, TableError, WriteError};
use retrograde_testkit::Rng;

const PLANES: Kind = Kind(*b"retrograde plane");

/// Writes bytes in blocks of so many.
fn write_plane(path: &Path, plane: &[u8], block_bytes: usize) -> Result<u64, WriteError> {
    let blocks: Vec<&[u8]> = plane.chunks(block_bytes).collect();
    let pack = |numbers: Range<u64>| {
        let mut packer = Packer::new(Compression::Fast).unwrap();
        Ok(numbers.map(|number| packer.block(blocks[number as usize]).unwrap()).collect())
    };
    let contents = Contents {
        kind: PLANES,
        header: "{\"level\": 7}",
        text: &mut (0..1000).map(|line| format!("line {line}\n")),
        blocks: blocks.len() as u64,
        batch: 7,
        pack: &pack,
        replace: true,
    };
    Ok(write(path, contents, |_| ControlFlow::Continue(()))?.0)
}

#[test]
fn planes_of_any_bytes_come_back() {
    let folder = Scratch::new();
    let path = folder.join("plane");
    let mut rng = Rng::new(1);
    for len in [0usize, 1, 999, 1000, 1001, 300_000] {
        // Some of it compresses, some does not.
        let plane: Vec<u8> =
            (0..len).map(|at| if at / 5000 % 2 == 0 { rng.bits() as u8 } else { 3 }).collect();
        let bytes = write_plane(&path, &plane, 1000).unwrap();
        assert_eq!(bytes, fs::metadata(&path).unwrap().len());
        let container = Container::open(&path, PLANES).unwrap();
        assert_eq!(container.header(), "{\"level\": 7}");
        assert!(container.text().unwrap().ends_with("line 998\nline 999\n"));
        assert_eq!(container.blocks(), len.div_ceil(1000) as u64);
        let mut reader = container.reader();
        let read = (0..container.blocks()).flat_map(|block| reader.read(block, 1000).unwrap());
        assert!(read.eq(plane.iter().copied()));
        for block in (0..container.blocks()).rev() {
            let at = block as usize * 1000;
            assert_eq!(container.read(block, 1000).unwrap(), plane[at..len.min(at + 1000)]);
        }
        container.check(1000, |_, _| true).unwrap();
    }
}

#[test]
fn what_is_too_large_or_senseless_is_damaged() {
    let folder = Scratch::new();
    let path = folder.join("plane");
    write_plane(&path, &[5; 3000], 1000).unwrap();
    let container = Container::open(&path, PLANES).unwrap();
    let damaged = |error: TableError| match error {
        TableError::Damaged { part: Section::Block { block }, .. } => block,
        other => panic!("{other}"),
    };
    assert_eq!(damaged(container.read(1, 999).unwrap_err()), 1);
    assert_eq!(damaged(container.check(1000, |block, _| block != 2).unwrap_err()), 2);
}

#[test]
fn a_file_of_one_kind_is_not_taken_for_another() {
    let folder = Scratch::new();
    let path = folder.join("plane");
    write_plane(&path, &[5; 3000], 1000).unwrap();
    let error = Container::open(&path, Kind::TABLE).unwrap_err();
    assert!(error.to_string().contains("this is not a retrograde table"), "{error}");
}
