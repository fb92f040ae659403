//! Forged tables: any bytes change, and then every checksum is corrected.

use std::sync::{Arc, LazyLock};

use retrograde::checks::Verifier;
use retrograde::play::line;
use retrograde::{Solution, Solver, Value};
use retrograde_catalog::{CompiledGame, Engine, Known, Values, by_side, from_about};
use retrograde_table::{
    About, Compression, InvalidStates, Options, Rows, SideCounts, Table, TableError, Writer,
};
use serde_json::json;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Larger games are not solved here.
const STATES_MAX: u64 = 3_000;

/// Honest tables of small games, with uncompressed blocks.
static HONEST: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let games = [
        ("take", json!({ "heaps": [3, 4], "take": "any", "misere": true }), None),
        ("graph", json!({}), Some("a b\nb a\nb c\nc d\nd a\ne b\n= f win\nc f\n")),
        ("pursuit", json!({ "police": 1 }), Some("P.E\n.*.\n..T\n")),
        ("chase", json!({ "police": 2 }), Some("a b\nb c\nc d\nd a\n")),
        ("corner", json!({ "piece": "king", "rows": 4, "columns": 5 }), None),
    ];
    games
        .into_iter()
        .flat_map(|(game, parameters, board)| {
            let board = board.map(str::to_owned);
            let about = About { game: game.into(), parameters, board, ..About::default() };
            [false, true].map(|half| in_rows(&about, half && game == "pursuit"))
        })
        .chain(with_grids())
        .collect()
});

/// Tables of several grids, with the states of all sides or of one. The rows mean nothing to the game.
fn with_grids() -> impl Iterator<Item = Vec<u8>> {
    let parameters = json!({ "heaps": [3, 4], "take": "any", "misere": false });
    let about = About { game: "take".into(), parameters, ..About::default() };
    let rows = |(states, columns, sides)| Rows { states, columns, sides };
    let kept = [
        (vec![(12, 2, 3), (2, 2, 1), (6, 1, 2)], None),
        (vec![(12, 2, 3), (2, 2, 1), (6, 1, 2)], Some(0)),
        (vec![(8, 1, 4), (12, 3, 2)], Some(1)),
    ];
    kept.into_iter().map(move |(grids, side)| {
        written(&about, &|writer| {
            let writer = writer.grids(grids.iter().copied().map(rows));
            match side {
                Some(side) => writer.half(side),
                None => writer,
            }
        })
    })
}

/// The bytes of a game's table, in the rows of its numbering.
fn in_rows(about: &About, half: bool) -> Vec<u8> {
    let setup = from_about(about, "honest").expect("a game");
    let game = retrograde_catalog::game(&setup).expect("a game");
    written(about, &|mut writer| {
        if let Some(columns) = game.facts().turns.row_len() {
            writer = writer.rows(columns, game.sides().len() as u64);
        }
        if half { writer.half(0) } else { writer }
    })
}

/// The bytes of a game's table, for which `shape` chooses the rows.
fn written(about: &About, shape: &dyn for<'w> Fn(Writer<'w>) -> Writer<'w>) -> Vec<u8> {
    let setup = from_about(about, "honest").expect("a game");
    let game = retrograde_catalog::game(&setup).expect("a game");
    let solution = solve(&*game, true);
    let mut about = retrograde_catalog::about(&setup);
    let counts = game.sides().iter().zip(by_side(&*game, &solution));
    about.counts = counts.map(|(side, counts)| SideCounts::new(side, counts)).collect();
    let writer = Writer::new(about)
        .compression(Compression::None)
        .invalid_states(InvalidStates::Forgotten)
        .histogram(solution.histogram());
    let path = std::env::temp_dir().join(format!("retrograde-fuzz-{}.table", std::process::id()));
    shape(writer).write(&path, &solution).expect("there is room");
    let bytes = std::fs::read(&path).expect("it was just written");
    std::fs::remove_file(&path).expect("it is there");
    bytes
}

fn solve(game: &dyn CompiledGame, distances: bool) -> Solution {
    let solver = Solver::new().threads(1).distances(distances);
    game.solve(Engine::Scalar, solver).expect("nothing stops this solve")
}

/// A table with some changes. Each takes four bytes: which bytes, how, and by what. The checksums are right.
pub fn changed(bytes: &[u8]) -> Vec<u8> {
    let (&which, edits) = bytes.split_first().unwrap_or((&0, &[]));
    let mut table = HONEST[usize::from(which) % HONEST.len()].clone();
    edit(&mut table, edits);
    mend(&mut table);
    table
}

/// Changes bytes here and there.
pub fn edit(bytes: &mut Vec<u8>, edits: &[u8]) {
    for &[low, high, how, by] in edits.as_chunks::<4>().0 {
        let at = usize::from(u16::from_le_bytes([low, high])) % bytes.len().max(1);
        match how % 4 {
            0 => bytes[at] = by,
            1 => bytes[at] ^= by,
            2 => bytes.insert(at, by),
            _ => drop(bytes.remove(at)),
        }
        if bytes.is_empty() {
            break;
        }
    }
}

/// Corrects every checksum that the file's own lengths lead to.
pub fn mend(file: &mut [u8]) -> Option<()> {
    let number = |file: &[u8], at: usize, len: usize| -> Option<usize> {
        let mut bytes = [0; 8];
        bytes[..len].copy_from_slice(file.get(at..at.checked_add(len)?)?);
        usize::try_from(u64::from_le_bytes(bytes)).ok()
    };
    let text_at = 56usize.checked_add(number(file, 20, 4)?)?;
    let text_end = text_at.checked_add(number(file, 24, 8)?)?;
    let (blocks, index_at) = (number(file, 32, 8)?, number(file, 40, 8)?);
    let start = [file.get(..48)?, file.get(56..text_at)?].concat();
    file[48..56].copy_from_slice(&xxh3_64(&start).to_le_bytes());
    let sum = xxh3_64(file.get(text_at..text_end)?);
    file.get_mut(text_end..text_end.checked_add(8)?)?.copy_from_slice(&sum.to_le_bytes());
    let mut page_at = index_at;
    for page in 0..blocks.div_ceil(256) {
        let known = (blocks - page * 256).min(256);
        let first = number(file, page_at, 8)?;
        let mut begin = first;
        for place in 0..known {
            let end = first.checked_add(number(file, page_at + 8 + 4 * place, 4)?)?;
            let sums_at = end.checked_sub(8)?;
            let sum = xxh3_64_with_seed(file.get(begin..sums_at)?, (page * 256 + place) as u64);
            file.get_mut(sums_at..end)?.copy_from_slice(&sum.to_le_bytes());
            begin = end;
        }
        let page_end = page_at + 8 + 4 * known;
        let sum = xxh3_64_with_seed(file.get(page_at..page_end)?, page as u64);
        file.get_mut(page_end..page_end + 8)?.copy_from_slice(&sum.to_le_bytes());
        page_at = page_end + 8;
    }
    Some(())
}

/// The reader refuses a table or answers. If `verify` finds nothing wrong, the answers are true.
pub fn ask(bytes: Vec<u8>) {
    let Ok(table) = Options::new().from_bytes("forged", bytes) else { return };
    let levels = table.levels().expect("it was looked at when the table was opened");
    assert!(levels.is_sorted_by(|a, b| a.distance < b.distance));
    assert!(levels.iter().map(|level| level.wins + level.losses).sum::<u64>() <= table.states());
    for state in (0..table.states()).take(STATES_MAX as usize) {
        let _ = table.probe(state);
    }
    let _ = table.probe(u64::MAX);
    assert_loaded(&table);
    let Some(game) = game(&table) else { return };
    let known = Known::Table(table.into());
    let Ok(values) = game.values(&known) else { return };
    for state in 0..game.states() {
        if let Ok(Some(_)) = values.probe(state) {
            let _ = line(&game.rules(), &&*values, state);
        }
    }
    let mut all = vec![None; game.states() as usize];
    let _ = values.fill(0, &mut all);
    if game.verify(Engine::Scalar, Verifier::new(), &known).is_ok() {
        compare(&*game, &*values);
        compare_header(&*game, known.table().expect("it is the table"));
    }
}

/// In memory, a table gives the same answers, or it is refused.
fn assert_loaded(table: &Table) {
    const BYTES: u64 = 1 << 20;
    let loaded = match table.load(BYTES) {
        Ok(loaded) => loaded,
        Err(TableError::Memory { needed, .. }) => return assert!(needed > BYTES),
        Err(_) => return,
    };
    assert!(loaded.bytes() <= BYTES);
    for state in (0..table.states()).take(STATES_MAX as usize) {
        match (table.probe(state), loaded.probe(state)) {
            (Ok(found), Ok(loaded)) => assert_eq!(found, loaded, "state {state}"),
            (found, loaded) => assert!(found.is_err() && loaded.is_err(), "state {state}"),
        }
    }
}

/// The game of a table, if it is small.
fn game(table: &Table) -> Option<Arc<dyn CompiledGame>> {
    let setup = from_about(&table.header().about, "forged").ok()?;
    retrograde_catalog::game(&setup).ok().filter(|game| game.states() <= STATES_MAX)
}

/// Every number that `info` prints.
fn compare_header(game: &dyn CompiledGame, table: &Table) {
    let solution = solve(game, table.has_distances());
    let counts = game.sides().iter().zip(by_side(game, &solution));
    let counts: Vec<_> = counts.map(|(side, counts)| SideCounts::new(side, counts)).collect();
    let said = &table.header().about.counts;
    assert!(said.is_empty() || *said == counts, "verified, and wrong: the counts");
    if table.has_distances() {
        let levels = table.levels().expect("it can be read");
        assert!(solution.histogram().levels().eq(levels), "verified, and wrong: the histogram");
    }
}

fn compare(game: &dyn CompiledGame, values: &dyn Values) {
    let distances = values.has_distances();
    let solution = solve(game, distances);
    let told = |value: Option<Value>| match distances {
        true => value.map(|value| (value.outcome(), value.distance())),
        false => value.map(|value| (value.outcome(), None::<u32>)),
    };
    for state in 0..game.states() {
        let found = values.probe(state).expect("what was verified can be read");
        assert_eq!(told(found), told(solution.value(state)), "verified, and wrong: state {state}");
    }
}
