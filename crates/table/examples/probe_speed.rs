//! Measures the size of tables, and the speed of writing and probing.
//!
//! ```text
//! cargo run --release -p retrograde-table --example probe_speed -- [ROWS [FOLDER]]
//! ```
//!
//! Solves a pursuit on a square board (100 rows, 15% walls, 3 exits). Writes its table in several ways into
//! FOLDER, by default a new temporary folder, and probes it. The operating system caches the file, so this
//! measures the crate and not the disk.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use retrograde::{Probe, Solution, Value};
use retrograde_games::{Board, Pursuit};
use retrograde_table::{About, Compression, InvalidStates, Options, Table, Writer, Written};
use retrograde_testkit::Rng;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rows: u32 = arguments.first().map_or(Ok(100), |text| text.parse())?;
    let own = std::env::temp_dir().join(format!("probe-speed-{}", std::process::id()));
    let folder = arguments.get(1).map_or(own, PathBuf::from);
    std::fs::create_dir_all(&folder)?;

    let board = Board::random(rows, rows, 15, 3, 0, 1)?;
    let pursuit = Pursuit::new(board)?;
    let begun = Instant::now();
    let solution = retrograde::solve(&pursuit);
    println!("solve              {:8.3} s, {} states", seconds(begun), solution.states());

    let path = folder.join("pursuit.table");
    write_each_way(&path, &solution, pursuit.row_len())?;
    let table = Table::open(&path)?;
    probe_each_way(&path, &solution)?;
    read_all(&table)?;
    open_giant(&folder.join("giant.table"))?;
    if arguments.get(1).is_none() {
        std::fs::remove_dir_all(&folder)?;
    }
    Ok(())
}

fn write_each_way(path: &Path, solution: &Solution, columns: u64) -> Result<(), Box<dyn Error>> {
    let plain = || {
        let writer = Writer::new(About::default()).histogram(solution.histogram());
        writer.invalid_states(InvalidStates::Forgotten)
    };
    let rows = || plain().rows(columns, 2);
    report("none", rows().compression(Compression::None), path, solution)?;
    report("fast", rows().compression(Compression::Fast), path, solution)?;
    if solution.states() < 30_000_000 {
        report("best", rows().compression(Compression::Best), path, solution)?;
    }
    report("half", rows().half(1), path, solution)?;
    report("not in rows", plain(), path, solution)?;
    report("with invalid_states", rows().invalid_states(InvalidStates::Kept), path, solution)?;
    report("standard", rows(), path, solution)?;
    Ok(())
}

fn report(
    name: &str,
    writer: Writer<'_>,
    path: &Path,
    solution: &Solution,
) -> Result<(), Box<dyn Error>> {
    let begun = Instant::now();
    let Written { bytes, .. } = writer.write(path, solution)?;
    let bits = bytes as f64 * 8.0 / solution.states() as f64;
    println!("write {name:12} {:8.3} s, {bytes} bytes, {bits:.3} bits a state", seconds(begun));
    Ok(())
}

fn probe_each_way(path: &Path, solution: &Solution) -> Result<(), Box<dyn Error>> {
    const OPENS: u32 = 100;
    let begun = Instant::now();
    for _ in 0..OPENS {
        Options::new().open(path)?;
    }
    println!("open  {:8.1} us", seconds(begun) * 1e6 / f64::from(OPENS));

    // The smallest cache: nearly every probe unpacks a block.
    let cold = Options::new().cache_bytes(0).open(path)?;
    let all = states(2, 20_000, solution.states());
    report_threads("cold", &all, &cold, solution)?;

    let near = states(3, 2_000_000, solution.states().min(8_000_000));
    let warm = Options::new().cache_bytes(1 << 26).open(path)?;
    ask(1, &near, &warm, solution)?;
    report_threads("warm", &near, &warm, solution)?;
    let table = Table::open(path)?;
    let many = states(4, 1_000_000, solution.states());
    let begun = Instant::now();
    let values = table.probe_many(&many)?;
    println!("a million at once  {:8.3} s", seconds(begun));
    assert_answers(&many, &values, solution);

    let begun = Instant::now();
    let loaded = table.load(u64::MAX)?;
    println!("load               {:8.3} s", seconds(begun));
    let one = ask(1, &many, &loaded, solution)?;
    println!("loaded     {:8.3} us a probe", one * 1e6);
    Ok(())
}

/// Compares one thread with two. They take turns; the best of five runs counts.
fn report_threads(
    name: &str,
    states: &[u64],
    table: &Table,
    solution: &Solution,
) -> Result<(), Box<dyn Error>> {
    let (mut one, mut two) = (f64::MAX, f64::MAX);
    for _ in 0..5 {
        one = one.min(ask(1, states, table, solution)?);
        two = two.min(ask(2, states, table, solution)?);
    }
    let times = one / two;
    println!("{name}  {:8.3} us a probe; two threads {times:.2} times", one * 1e6);
    Ok(())
}

fn states(seed: u64, count: u64, below: u64) -> Vec<u64> {
    let mut rng = Rng::new(seed);
    (0..count).map(|_| rng.below(below)).collect()
}

/// Seconds a probe, for all threads together. Compares the answers with the solution afterwards.
fn ask<P: Probe>(
    threads: usize,
    states: &[u64],
    table: &P,
    solution: &Solution,
) -> Result<f64, Box<dyn Error>>
where
    P::Error: Send + Error + 'static,
{
    let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
    let part = states.len().div_ceil(threads);
    let mut values = vec![Some(Value::Draw); states.len()];
    let begun = Instant::now();
    pool.install(|| {
        let parts = states.par_chunks(part).zip(values.par_chunks_mut(part));
        parts.try_for_each(|(states, values)| {
            for (state, value) in states.iter().zip(values) {
                *value = table.probe(*state)?;
            }
            Ok::<(), P::Error>(())
        })
    })?;
    let each = seconds(begun) / states.len() as f64;
    assert_answers(states, &values, solution);
    Ok(each)
}

/// If the table forgot invalid states, it may give any value for them.
fn assert_answers(states: &[u64], values: &[Option<Value>], solution: &Solution) {
    for (state, value) in states.iter().zip(values) {
        let truth = solution.value(*state);
        assert!(truth.is_none() || truth == *value, "{state}");
    }
}

fn read_all(table: &Table) -> Result<(), Box<dyn Error>> {
    let begun = Instant::now();
    let (mut states, mut wins) = (0u64, 0u64);
    table.scan(0..table.blocks(), |_, values| {
        states += values.len() as u64;
        wins += values.iter().filter(|value| matches!(value, Some(Value::Win(_)))).count() as u64;
    })?;
    let speed = states as f64 / seconds(begun) / 1e6;
    println!("scan               {speed:8.0} M states/s on one thread, {wins} wins");

    let begun = Instant::now();
    let mut values = vec![None; 1 << 16];
    for first in (0..table.states()).step_by(values.len()) {
        let len = values.len().min((table.states() - first) as usize);
        table.fill(first, &mut values[..len])?;
    }
    let speed = table.states() as f64 / seconds(begun) / 1e6;
    println!("fill, in order     {speed:8.0} M states/s on one thread");

    let begun = Instant::now();
    table.check()?;
    println!("check              {:8.3} s", seconds(begun));
    Ok(())
}

/// A billion states, with values that are cheap to compute.
struct Giant;

impl Probe for Giant {
    type Error = std::convert::Infallible;

    fn states(&self) -> u64 {
        1_000_000_000
    }

    fn has_distances(&self) -> bool {
        true
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, Self::Error> {
        Ok(Some(Value::Win((state >> 20) as u32)))
    }
}

fn open_giant(path: &Path) -> Result<(), Box<dyn Error>> {
    Writer::new(About::default()).compression(Compression::Fast).write(path, &Giant)?;
    const OPENS: u32 = 100;
    let begun = Instant::now();
    for _ in 0..OPENS {
        Options::new().open(path)?;
    }
    let each = seconds(begun) * 1e6 / f64::from(OPENS);
    println!("open  {each:8.1} us, with {} states", Giant.states());
    assert_eq!(Table::open(path)?.probe(999_999_999)?, Some(Value::Win(953)));
    Ok(())
}

fn seconds(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64()
}
