//! A damaged table gives the true values, or errors that name the file and the part; never anything else.

use std::fs::{self, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::process::Command;
use std::sync::Arc;

use crate::common::kinds::{knowing, read, write_chase, write_kind};
use crate::common::twin::{self, Twin};
use crate::common::{Given, Scratch, Told, values};
use retrograde::Value;
use retrograde_table::container::{self, Contents, Kind, Packer};
use retrograde_table::{
    About, Compression, GridHeader, Header, Options, Section, Table, TableError, Writer,
};
use retrograde_testkit::{Rng, cases};

/// The part of the file that a byte belongs to.
fn part_of(twin: &Twin, at: usize) -> Section {
    if at < twin.ends.0 {
        Section::Header
    } else if at < twin.ends.1 {
        Section::Text
    } else if let Some(page) = twin.pages.iter().position(|page| page.contains(&at)) {
        Section::Index { page: page as u64 }
    } else {
        let block = twin.blocks.partition_point(|(range, _)| range.end <= at);
        Section::Block { block: block as u64 }
    }
}

/// Asserts that a file with one changed byte gives an error where the change matters, and true values
/// elsewhere. Probes `states`.
fn assert_changed(
    open: impl FnOnce() -> Result<Table, TableError>,
    twin: &Twin,
    at: usize,
    states: impl IntoIterator<Item = u64>,
) {
    let part = part_of(twin, at);
    let table = match open() {
        Ok(table) => table,
        Err(error) => {
            assert!(matches!(part, Section::Header | Section::Text), "byte {at}: {error}");
            assert!(error.to_string().contains("changed.table"), "{error}");
            return;
        }
    };
    assert!(!matches!(part, Section::Header | Section::Text), "byte {at}");
    let names_part = |error: TableError| {
        let text = error.to_string();
        assert!(text.contains("changed.table") && text.contains(&part.to_string()), "{text}");
        matches!(error, TableError::Damaged { part: found, .. } if found == part)
    };
    for state in states {
        let block = twin.block_of(state);
        let hit = match part {
            Section::Block { block: hit } => hit == block,
            Section::Index { page } => page == block / 256,
            Section::Header | Section::Text => false,
        };
        match table.probe(state) {
            Ok(value) => {
                assert!(!hit, "byte {at} state {state}");
                assert_eq!(Some(value), twin.values[state as usize], "byte {at} state {state}");
            }
            Err(error) => assert!(hit && names_part(error), "byte {at} state {state}"),
        }
    }
}

/// Writes a byte at its place.
fn put(file: &mut fs::File, at: u64, byte: u8) {
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(&[byte]).unwrap();
}

#[test]
fn every_change_of_a_byte_is_found() {
    let folder = Scratch::new();
    for (compression, forget_exits) in
        [(Compression::None, false), (Compression::Standard, false), (Compression::Standard, true)]
    {
        let path = folder.join("small.table");
        let told = write_kind(&path, 4, compression, forget_exits);
        let bytes = fs::read(&path).unwrap();
        let twin = read(&bytes, &told);
        for at in 0..bytes.len() {
            for change in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff, bytes[at]] {
                if change == 0 {
                    continue;
                }
                let mut changed = bytes.clone();
                changed[at] ^= change;
                let open = || {
                    let table = Options::new().from_bytes("changed.table", changed.clone());
                    knowing(table, &told)
                };
                if let Ok(table) = open() {
                    assert!(table.check().is_err(), "byte {at}");
                }
                assert_changed(open, &twin, at, (0..twin.values.len() as u64).step_by(5));
            }
        }
    }
}

#[test]
fn every_truncation_is_found() {
    let folder = Scratch::new();
    let path = folder.join("small.table");
    for forget_exits in [false, true] {
        write_kind(&path, 4, Compression::Standard, forget_exits);
        let bytes = fs::read(&path).unwrap();
        for len in 0..bytes.len() {
            let error = Options::new().from_bytes("cut.table", bytes[..len].to_vec()).unwrap_err();
            assert!(matches!(error, TableError::Length { .. }), "{len}: {error}");
            assert!(error.to_string().contains("cut.table: the file is cut short"), "{error}");
        }
        for more in [1, 8, 1000] {
            let longer = [&bytes[..], &vec![0; more]].concat();
            let error = Options::new().from_bytes("long.table", longer).unwrap_err();
            assert!(error.to_string().contains("too long"), "{error}");
        }
    }
}

/// Changes 40,000 bytes, half of them in each of two threads, or ten times as many in a deep check.
#[test]
fn random_changes_of_a_large_table_are_found() {
    let changes = cases(100_000);
    let folder = Scratch::new();
    std::thread::scope(|scope| {
        for seed in [1, 2] {
            let folder = folder.join(&format!("{seed}"));
            scope.spawn(move || {
                fs::create_dir(&folder).unwrap();
                let path = folder.join("changed.table");
                let told = write_kind(&path, 36, Compression::Fast, seed == 2);
                let twin = read(&fs::read(&path).unwrap(), &told);
                assert!(twin.blocks.len() > 20);
                let mut file = OpenOptions::new().read(true).write(true).open(&path).unwrap();
                let len = file.metadata().unwrap().len();
                let mut rng = Rng::new(seed);
                for _ in 0..changes {
                    // Half of the changes are in the blocks, half around them.
                    let blocks = twin.ends.1 as u64..twin.pages[0].start as u64;
                    let around = blocks.start + (len - blocks.end);
                    let at = if rng.chance(50) {
                        rng.within(blocks)
                    } else {
                        let at = rng.below(around);
                        if at < blocks.start { at } else { at - blocks.start + blocks.end }
                    };
                    let mut byte = [0];
                    file.seek(SeekFrom::Start(at)).unwrap();
                    file.read_exact(&mut byte).unwrap();
                    let changed = byte[0] ^ rng.within(1..256) as u8;
                    put(&mut file, at, changed);
                    let held = match part_of(&twin, at as usize) {
                        Section::Block { block } => &twin.blocks[block as usize].1[..],
                        _ => &twin.blocks[0].1,
                    };
                    let states = [rng.pick(held), rng.below(twin.values.len() as u64)];
                    let open = || knowing(Options::new().cache_bytes(0).open(&path), &told);
                    assert_changed(open, &twin, at as usize, states);
                    put(&mut file, at, byte[0]);
                }
                Table::open(&path).unwrap().check().unwrap();
            });
        }
    });
}

#[test]
fn a_file_cut_short_while_it_is_open_gives_errors() {
    let folder = Scratch::new();
    let path = folder.join("cut.table");
    let mut rng = Rng::new(4);
    for kind in [false, true] {
        let told = write_kind(&path, 24, Compression::Fast, kind);
        let truth = values(&knowing(Table::open(&path), &told).unwrap());
        let len = fs::metadata(&path).unwrap().len();
        for _ in 0..cases(100) {
            fs::copy(&path, folder.join("copy")).unwrap();
            let table = Options::new().cache_bytes(0).open(folder.join("copy"));
            let table = knowing(table, &told).unwrap();
            let short = OpenOptions::new().write(true).open(folder.join("copy")).unwrap();
            short.set_len(rng.below(len)).unwrap();
            for _ in 0..20 {
                let state = rng.below(table.states());
                match table.probe(state) {
                    Ok(value) => assert_eq!(value, truth[state as usize]),
                    Err(error) => assert!(matches!(error, TableError::Length { .. }), "{error}"),
                }
            }
            assert!(table.check().is_err());
        }
    }
}

#[test]
fn blocks_and_pages_in_each_others_places_are_found() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    // More than one page of the index, and blocks of equal size.
    let mut rng = Rng::new(1);
    let values = (0..260 * 65_536).map(|_| Some(Value::Win(rng.below(9) as u32)));
    let given = Given { values: values.collect(), distances: true };
    Writer::new(About::default()).compression(Compression::None).write(&path, &given).unwrap();
    let bytes = fs::read(&path).unwrap();
    let twin = twin::read(&bytes);
    let (first, second) = (twin.blocks[0].0.clone(), twin.blocks[1].0.clone());
    assert_eq!(first.len(), second.len());
    let mut swapped = bytes.clone();
    swapped[first.clone()].copy_from_slice(&bytes[second.clone()]);
    swapped[second].copy_from_slice(&bytes[first]);
    let table = Options::new().from_bytes("swapped.table", swapped).unwrap();
    let error = table.probe(0).unwrap_err();
    assert!(error.to_string().contains("swapped.table: block 0 is damaged"), "{error}");

    // A valid page at the wrong place.
    let (first, second) = (twin.pages[0].clone(), twin.pages[1].clone());
    let mut moved = bytes;
    let len = second.len().min(first.len());
    moved.copy_within(first.start..first.start + len, second.start);
    let table = Options::new().from_bytes("moved.table", moved).unwrap();
    let error = table.probe(given.values.len() as u64 - 1).unwrap_err();
    assert!(error.to_string().contains("moved.table: page 1 of the index"), "{error}");
}

#[test]
fn what_is_no_table_is_refused() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    for content in [
        &b"Retrograde table"[..],
        b"x",
        &[0; 1000],
        b"PK\x03\x04 something else entirely, long enough for a start",
    ] {
        fs::write(&path, content).unwrap();
        let error = Options::new().open(&path).unwrap_err();
        assert!(matches!(error, TableError::Foreign { .. }), "{error}");
        assert!(error.to_string().contains("is not a retrograde table"), "{error}");
    }
    fs::write(&path, "").unwrap();
    let error = Options::new().open(&path).unwrap_err();
    assert!(matches!(error, TableError::Length { found: 0, .. }), "{error}");
    assert!(matches!(Table::open(folder.join("none")), Err(TableError::Missing { .. })));
    let error = Table::open(folder.join("")).unwrap_err();
    assert!(error.to_string().contains("not a file"), "{error}");

    // Opening a pipe would wait forever.
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(matches!(Table::open(&pipe), Err(TableError::Io { .. })));

    write_chase(&path, 4, Compression::None);
    let mut bytes = fs::read(&path).unwrap();
    for version in [0, 3] {
        bytes[16] = version;
        let error = Options::new().from_bytes("new.table", bytes.clone()).unwrap_err();
        assert!(matches!(error, TableError::Version { found, .. } if found == u32::from(version)));
        assert!(error.to_string().contains(&format!("version {version}")), "{error}");
    }
}

/// An attacker wrote these: every checksum holds.
#[test]
fn a_hostile_header_is_an_error() {
    let folder = Scratch::new();
    let path = folder.join("hostile.table");
    write_chase(&path, 4, Compression::None);
    let good = Table::open(&path).unwrap().header_text().to_string();
    let header: Header = serde_json::from_str(&good).unwrap();
    let write = |header: &str, blocks: u64, block: &[u8]| {
        let block = Packer::new(Compression::Standard).unwrap().block(block).unwrap();
        let contents = Contents {
            kind: Kind::TABLE,
            header,
            text: &mut ["[]".to_string()].into_iter(),
            blocks,
            batch: 64,
            pack: &|numbers| Ok(numbers.map(|_| block.clone()).collect()),
            replace: true,
        };
        container::write(&path, contents, |_| std::ops::ControlFlow::Continue(())).unwrap();
        Table::open(&path)
    };
    let most = u64::MAX;
    let grid = header.grids[0].clone();
    let with =
        |grid: GridHeader| Header { states: grid.states, grids: vec![grid], ..header.clone() };
    let hostile = [
        with(GridHeader { states: most, columns: 1, sides: 1, ..grid.clone() }),
        with(GridHeader { states: most, columns: most, sides: 1, block_rows: 1, ..grid.clone() }),
        with(GridHeader { states: 0, columns: 0, ..grid.clone() }),
        with(GridHeader { states: 0, sides: 0, ..grid.clone() }),
        with(GridHeader { columns: most, sides: most, ..grid.clone() }),
        with(GridHeader { block_rows: most, ..grid.clone() }),
        with(GridHeader { block_rows: 0, ..grid.clone() }),
        with(GridHeader { block_columns: 0, ..grid.clone() }),
        with(GridHeader { block_columns: most, ..grid.clone() }),
        with(GridHeader { half: Some(most), ..grid.clone() }),
        with(GridHeader { states: header.states * 2, ..grid.clone() }),
        Header { states: header.states + 1, ..header.clone() },
        Header { grids: Vec::new(), ..header.clone() },
        Header { grids: vec![grid.clone(), grid.clone()], ..header.clone() },
        Header {
            grids: vec![GridHeader { states: 0, ..grid }; 1_000],
            states: 0,
            ..header.clone()
        },
        Header { unit: "moves".into(), ..header },
    ];
    for hostile in &hostile {
        let text = serde_json::to_string(hostile).unwrap();
        let error = write(&text, 1, &[1, 1]).unwrap_err();
        assert!(matches!(error, TableError::Header { .. }), "{error}: {text}");
        assert!(error.to_string().contains("hostile.table"), "{error}");
    }
    for text in ["", "{}", "[]", "null", "{\"states\": -1}", &"[".repeat(100_000)] {
        assert!(matches!(write(text, 1, &[1, 1]), Err(TableError::Header { .. })), "{text}");
    }

    // A valid header with blocks that make no sense: huge, empty, with codes that have no value.
    let blocks = Table::open(&{
        write_chase(&path, 4, Compression::None);
        path.clone()
    })
    .unwrap()
    .blocks();
    let all = vec![7; 1 << 20];
    for block in [&all[..], &[], &[0], &[2, 0, 0, 9], &[0xff; 30]] {
        let table = write(&good, blocks, block).unwrap();
        let error = table.probe(0).unwrap_err();
        assert!(
            matches!(error, TableError::Damaged { part: Section::Block { block: 0 }, .. }),
            "{error}"
        );
        assert!(table.check().is_err() && table.load(u64::MAX).is_err());
        assert!(table.scan(0..1, |_, _| unreachable!()).is_err());
    }
}

/// A table whose histogram does not ascend used to open. The first function that added its levels up or drew
/// them panicked.
#[test]
fn a_histogram_that_makes_no_sense_is_refused_on_open() {
    let folder = Scratch::new();
    let path = folder.join("hostile.table");
    write_chase(&path, 4, Compression::None);
    let honest = Table::open(&path).unwrap();
    let (header, states) = (honest.header_text().to_string(), honest.states());
    let block = Packer::new(Compression::None).unwrap().block(&[1, 1]).unwrap();
    let write = |text: &str| {
        let contents = Contents {
            kind: Kind::TABLE,
            header: &header,
            text: &mut [text.to_string()].into_iter(),
            blocks: honest.blocks(),
            batch: 64,
            pack: &|numbers| Ok(numbers.map(|_| block.clone()).collect()),
            replace: true,
        };
        container::write(&path, contents, |_| std::ops::ControlFlow::Continue(())).unwrap();
        Table::open(&path)
    };
    let most = u64::MAX;
    for (text, problem) in [
        ("[[5,1,1],[5,1,1]]".into(), "distance 5 comes after 5"),
        ("[[0,1,1],[7,1,1],[3,1,1]]".into(), "distance 3 comes after 7"),
        ("[[0,0,1],[1,0,0]]".into(), "0 wins and 0 losses at distance 1"),
        (format!("[[0,{most},{most}]]"), "at distance 0"),
        (format!("[[0,0,{states}],[1,1,0]]"), "1 wins and 0 losses at distance 1"),
        (format!("[[0,{most},0],[1,2,0]]"), "at distance 0"),
    ] {
        let error = write(&text).unwrap_err();
        assert!(matches!(error, TableError::Histogram { .. }), "{error}");
        let problem = [problem, "hostile.table: the histogram makes no sense"];
        assert!(problem.iter().all(|part| error.to_string().contains(part)), "{text}: {error}");
    }
    for text in ["", "{}", "[[1,2]]", "[[-1,2,3]]", "[[4294967296,1,1]]"] {
        let error = write(text).unwrap_err();
        assert!(
            matches!(error, TableError::Damaged { part: Section::Text, .. }),
            "{text}: {error}"
        );
    }
    write(&format!("[[0,0,{}],[4294967295,1,0]]", states - 1)).expect("it ascends");
}

#[test]
fn a_start_that_promises_more_than_there_is_is_refused() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    write_chase(&path, 4, Compression::None);
    let bytes = fs::read(&path).unwrap();
    let header = 56..56 + u32::from_le_bytes(bytes[20..24].try_into().unwrap()) as usize;
    for field in [20, 24, 32, 40] {
        for value in [u64::MAX, u64::MAX / 4, 1 << 40, bytes.len() as u64 + 1, 0] {
            let mut changed = bytes.clone();
            let width = if field == 20 { 4 } else { 8 };
            changed[field..field + width].copy_from_slice(&value.to_le_bytes()[..width]);
            // Corrects the checksum, if there is a header for it.
            let sum = [&changed[..48], &bytes[header.clone()]].concat();
            let sum = xxhash_rust::xxh3::xxh3_64(&sum);
            changed[48..56].copy_from_slice(&sum.to_le_bytes());
            if changed != bytes {
                let opened = Options::new().from_bytes("a", changed);
                assert!(opened.and_then(|table| table.check()).is_err(), "{field} {value}");
            }
        }
    }
}

#[test]
fn an_index_that_leads_astray_is_refused() {
    let folder = Scratch::new();
    let path = folder.join("a.table");
    for forget_exits in [false, true] {
        let told = write_kind(&path, 24, Compression::Fast, forget_exits);
        assert_led_astray(&fs::read(&path).unwrap(), &told);
    }
}

fn assert_led_astray(bytes: &[u8], told: &Option<Arc<Told>>) {
    let twin = read(bytes, told);
    let page = twin.pages[0].clone();
    assert!(twin.blocks.len() > 3, "ends to choose from");
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    // A page begins with the place of its first block, and then has the end of each block.
    let end = |block: usize| page.start + 8 + 4 * block;
    let (low, high) = (page.start, page.start + 4);
    for (at, value) in [
        (low, 0),
        (low, number(low) - 1),
        (low, number(low) + 1),
        (high, u32::MAX),
        (end(0), 0),
        (end(0), number(end(1)) + 1),
        (end(1), number(end(0)) - 1),
        (end(2), u32::MAX),
        (end(twin.blocks.len() - 1), number(end(twin.blocks.len() - 1)) + 1),
    ] {
        let mut changed = bytes.to_vec();
        changed[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let sum = xxhash_rust::xxh3::xxh3_64_with_seed(&changed[page.start..page.end - 8], 0);
        changed[page.end - 8..page.end].copy_from_slice(&sum.to_le_bytes());
        let table = knowing(Options::new().from_bytes("a", changed), told).unwrap();
        assert!(table.check().is_err(), "{at} {value}");
        for state in (0..table.states()).step_by(101) {
            if let Ok(value) = table.probe(state) {
                assert_eq!(Some(value), twin.values[state as usize], "{at} {value:?}");
            }
        }
    }
}
