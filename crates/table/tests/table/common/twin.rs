//! The slow, obvious reader of a table, written from `FORMAT.md` alone. It reads whole files and panics at
//! the first error.

use std::ops::Range;

use retrograde::Value;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The contents of a table.
pub(crate) struct Twin {
    pub header: serde_json::Value,
    pub levels: Vec<(u32, u64, u64)>,
    /// By state. The inner `None` is an invalid state, the outer one a state that is not kept.
    pub values: Vec<Option<Option<Value>>>,
    /// The place of each block, and its states.
    pub blocks: Vec<(Range<usize>, Vec<u64>)>,
    /// The place of each page of the index.
    pub pages: Vec<Range<usize>>,
    /// Where the header ends, and where the histogram with its checksum ends.
    pub ends: (usize, usize),
}

impl Twin {
    /// The block that holds a state.
    pub(crate) fn block_of(&self, state: u64) -> u64 {
        let mine = |(_, held): &(Range<usize>, Vec<u64>)| held.binary_search(&state).is_ok();
        self.blocks.iter().position(mine).expect("all states are kept") as u64
    }
}

pub(crate) fn read(file: &[u8]) -> Twin {
    let number = |at: usize, bytes: usize| {
        file[at..at + bytes].iter().rev().fold(0u64, |sum, byte| sum << 8 | u64::from(*byte))
    };
    let check = |range: Range<usize>, seed: u64| {
        assert_eq!(xxh3_64_with_seed(&file[range.clone()], seed), number(range.end, 8));
    };
    assert_eq!(&file[..16], b"retrograde table");
    let version = number(16, 4);
    assert!((1..=2).contains(&version));
    let header_end = 56 + number(20, 4) as usize;
    let levels_end = header_end + number(24, 8) as usize;
    let start = [&file[..48], &file[56..header_end]].concat();
    assert_eq!(xxh3_64_with_seed(&start, 0), number(48, 8));
    check(header_end..levels_end, 0);
    let header: serde_json::Value = serde_json::from_slice(&file[56..header_end]).unwrap();
    let levels = serde_json::from_slice(&file[header_end..levels_end]).unwrap();

    let states = header["states"].as_u64().unwrap();
    let mut values = vec![None; states as usize];
    let mut blocks = Vec::new();
    let mut pages = Vec::new();
    let (mut index, mut at) = (number(40, 8) as usize, levels_end + 8);
    let count = number(32, 8);
    for (first, grid) in grids(&header) {
        let key = |name: &str| grid[name].as_u64();
        let (states, columns, sides) = (
            key("states").unwrap(),
            key("columns").unwrap(),
            key("sides").or(key("movers")).unwrap(),
        );
        let half = key("kept").or(key("half"));
        let (tall, wide) = (key("block_rows").unwrap(), key("block_columns").unwrap());
        let rows = states / columns / sides;
        for (band, side, strip) in (0..rows.div_ceil(tall)).flat_map(|band| {
            let sides = (0..sides).filter(move |side| half.is_none_or(|half| half == *side));
            sides.flat_map(move |side| {
                (0..columns.div_ceil(wide)).map(move |strip| (band, side, strip))
            })
        }) {
            let block = blocks.len() as u64;
            if block.is_multiple_of(256) {
                let entries = 256.min(count - block) as usize;
                assert_eq!(number(index, 8), at as u64);
                pages.push(index..index + 16 + 4 * entries);
                check(index..index + 8 + 4 * entries, block / 256);
            }
            let page = &pages[(block / 256) as usize];
            let entry = number(page.start + 8 + 4 * (block % 256) as usize, 4);
            let end = (number(page.start, 8) + entry) as usize;
            index = page.end;
            check(at..end - 8, block);
            let mut held = Vec::new();
            for row in band * tall..rows.min((band + 1) * tall) {
                for column in strip * wide..columns.min((strip + 1) * wide) {
                    held.push(first + (row * sides + side) * columns + column);
                }
            }
            let bytes = unpack(&file[at + 4..end - 8], number(at, 4) as usize);
            for (state, value) in held.iter().zip(decode(&bytes, held.len())) {
                values[*state as usize] = Some(value);
            }
            blocks.push((at..end, held));
            at = end;
        }
    }
    assert_eq!((blocks.len() as u64, at as u64), (count, number(40, 8)));
    assert_eq!(index, file.len());
    Twin { header, levels, values, blocks, pages, ends: (header_end, levels_end + 8) }
}

/// The grids of a table, each with the number of its first state. In version 1 the header has a single grid.
fn grids(header: &serde_json::Value) -> Vec<(u64, &serde_json::Value)> {
    let mut first = 0;
    let grids = header["grids"].as_array().map_or(vec![header], |grids| grids.iter().collect());
    let grid = |grid: &'_ serde_json::Value| {
        first += grid["states"].as_u64().unwrap();
        first - grid["states"].as_u64().unwrap()
    };
    let firsts: Vec<u64> = grids.iter().copied().map(grid).collect();
    firsts.into_iter().zip(grids).collect()
}

fn unpack(packed: &[u8], len: usize) -> Vec<u8> {
    if packed.len() == len {
        return packed.to_vec();
    }
    let bytes = zstd::stream::decode_all(packed).unwrap();
    assert_eq!(bytes.len(), len);
    bytes
}

fn decode(bytes: &[u8], states: usize) -> Vec<Option<Value>> {
    let mut at = 0;
    let mut varint = || {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            at += 1;
            number |= u64::from(bytes[at - 1] & 0x7f) << shift;
            if bytes[at - 1] < 0x80 {
                break;
            }
        }
        number
    };
    let mut numbers: Vec<u64> = Vec::new();
    for _ in 0..varint() {
        let least = numbers.last().map_or(0, |last| last + 1);
        numbers.push(least + varint());
    }
    let codes = &bytes[at..];
    let code = |state: usize| match numbers.len() {
        1 => 0,
        2..=256 => usize::from(codes[state]),
        _ => usize::from(codes[state]) + 256 * usize::from(codes[states + state]),
    };
    let bytes_a_state = if numbers.len() == 1 {
        0
    } else if numbers.len() <= 256 {
        1
    } else {
        2
    };
    assert_eq!(codes.len(), states * bytes_a_state);
    (0..states)
        .map(|state| match numbers[code(state)] {
            0 => None,
            1 => Some(Value::Draw),
            even if even.is_multiple_of(2) => Some(Value::Loss(((even - 2) / 2) as u32)),
            odd => Some(Value::Win(((odd - 3) / 2) as u32)),
        })
        .collect()
}
