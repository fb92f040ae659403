//! How much memory a table from a stranger takes. All its checksums are right.

use std::ops::ControlFlow;
use std::path::Path;

use crate::common::Scratch;
use retrograde_table::container::{self, Contents, Kind, Packer};
use retrograde_table::{
    Compression, Exits, GridHeader, Header, InvalidStates, Options, Table, TableError,
};
use retrograde_testkit::peak::peak_of;

const BLOCK: u64 = 1 << 16;
const MIB: u64 = 1 << 20;

/// Writes a table of this number of blocks in a row, each with `states` states. `block` gives the bytes of each block.
/// There is no histogram.
fn forge(path: &Path, blocks: u64, states: u64, block: &(dyn Fn(u64) -> Vec<u8> + Sync)) {
    let grid = GridHeader {
        states: blocks * states,
        columns: blocks * states,
        sides: 1,
        half: None,
        block_rows: 1,
        block_columns: states,
    };
    let header = Header {
        about: Default::default(),
        states: grid.states,
        distances: true,
        unit: "plies".into(),
        longest: None,
        invalid_states: InvalidStates::Kept,
        exits: Exits::Kept,
        compression: "forged".into(),
        grids: vec![grid],
    };
    let contents = Contents {
        kind: Kind::TABLE,
        header: &serde_json::to_string(&header).unwrap(),
        text: &mut ["[]".to_string()].into_iter(),
        blocks,
        batch: 64,
        pack: &|numbers| {
            let mut packer = Packer::new(Compression::Standard).unwrap();
            Ok(numbers.map(|number| packer.block(&block(number)).unwrap()).collect())
        },
        replace: true,
    };
    container::write(path, contents, |_| ControlFlow::Continue(())).unwrap();
}

/// A block of states that are all drawn.
fn drawn(_: u64) -> Vec<u8> {
    vec![1, 1]
}

/// A block whose states all have different values, which no other block has.
fn different(number: u64) -> Vec<u8> {
    let varint = |mut number: u64| {
        let mut bytes = Vec::new();
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    };
    let mut block = [varint(BLOCK), varint(2 + number * BLOCK)].concat();
    block.extend(vec![0; BLOCK as usize - 1]);
    block.extend((0..BLOCK).map(|code| code as u8));
    block.extend((0..BLOCK).map(|code| (code >> 8) as u8));
    block
}

/// By how much the peak of a process grows when it opens a forged table with a cache, and does something with it.
fn peak_with(
    test: &str,
    (blocks, states): (u64, u64),
    block: &(dyn Fn(u64) -> Vec<u8> + Sync),
    cache: u64,
    act: impl FnOnce(&Table),
) -> Option<u64> {
    let scratch = Scratch::new();
    let path = scratch.join("forged.table");
    forge(&path, blocks, states, block);
    let peak = peak_of(&format!("memory::{test}"), || {
        act(&Options::new().cache_bytes(cache).open(&path).unwrap());
        []
    });
    peak.map(|([], peak)| peak)
}

fn assert_refused(table: &Table, limit: u64) {
    let refused = table.load(limit).map(drop).unwrap_err();
    assert!(refused.to_string().contains(&format!("{limit} are allowed; allow more")), "{refused}");
    assert!(matches!(refused, TableError::Memory { needed, .. } if needed > limit), "{refused}");
}

/// A loaded table took a byte for each state that its header names, three thousand times the file.
#[test]
fn many_states_are_loaded_within_a_limit() {
    let test = "many_states_are_loaded_within_a_limit";
    let peak = peak_with(test, (1 << 12, BLOCK), &drawn, MIB, |table| {
        assert!(table.states() > 3_000 * table.bytes());
        assert_refused(table, 64 * MIB);
    });
    assert!(peak.is_none_or(|peak| peak < 4 * MIB), "{peak:?}");
}

/// A loaded table took fifty bytes for each different value, also if its histogram names none.
#[test]
fn many_values_are_loaded_within_a_limit() {
    let test = "many_values_are_loaded_within_a_limit";
    let peak = peak_with(test, (16, BLOCK), &different, MIB, |table| {
        assert!(table.load_bytes().unwrap() < 2 * MIB);
        assert_refused(table, 4 * MIB);
    });
    // Threads unpack some blocks at a time.
    assert!(peak.is_none_or(|peak| peak < 24 * MIB), "{peak:?}");
}

/// The bound of the cache counted a byte a state. A block of one state takes hundreds.
#[test]
fn blocks_of_one_state_keep_the_bound_of_the_cache() {
    let test = "blocks_of_one_state_keep_the_bound_of_the_cache";
    let (blocks, cache) = (1 << 17, 4 * MIB);
    let peak = peak_with(test, (blocks, 1), &drawn, cache, |table| {
        (0..blocks).for_each(|state| _ = table.probe(state).unwrap());
    });
    assert!(peak.is_none_or(|peak| peak < cache + cache / 2), "{peak:?}");
}

/// The same of a block whose states all have different values: it takes thirteen bytes a state.
#[test]
fn blocks_of_many_values_keep_the_bound_of_the_cache() {
    let test = "blocks_of_many_values_keep_the_bound_of_the_cache";
    let (blocks, cache) = (64, 8 * MIB);
    let peak = peak_with(test, (blocks, BLOCK), &different, cache, |table| {
        (0..blocks).for_each(|block| _ = table.probe(block * BLOCK).unwrap());
    });
    // One more block is on its way.
    assert!(peak.is_none_or(|peak| peak < cache + cache / 2), "{peak:?}");
}
