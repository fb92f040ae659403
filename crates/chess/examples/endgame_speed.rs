//! How long `Tablebase::value` takes, for the side that a table keeps and for the one that is recovered:
//! `cargo run --release -p retrograde-chess --example endgame_speed -- endgames KQvKR KRBvKR`.

use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use retrograde_chess::{Material, Position, Tablebase};
use retrograde_table::Options;
use retrograde_testkit::Rng;

/// How many positions are asked for, of each side.
const POSITIONS: usize = 4_000;
/// How many of them from a folder that was just opened, each.
const COLD: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("name a folder of endgames, and materials")?;
    let folder = Path::new(&folder);
    println!(
        "microseconds for a value        kept side: cached, cold   recovered side: cached, cold, cached on two threads"
    );
    for name in arguments {
        let material: Material = name.parse()?;
        // Large enough for all that is asked for.
        let options = Options::new().cache_bytes(1 << 30);
        let tables = Tablebase::open_with(folder, options)?;
        let (kept, others) = positions(&tables, &material)?;
        let cold = |some: &[Position]| -> Result<f64, Box<dyn Error>> {
            let mut time = Duration::ZERO;
            for position in &some[..COLD.min(some.len())] {
                let tables = Tablebase::open_with(folder, options)?;
                tables.opened(&material)?;
                let begun = Instant::now();
                black_box(tables.value(position)?);
                time += begun.elapsed();
            }
            Ok(micros(time, COLD.min(some.len())))
        };
        print!(
            "{name:<10}                      {:8.2} {:8.1}",
            cached(&tables, &kept)?,
            cold(&kept)?
        );
        if others.is_empty() {
            println!("   it keeps both sides");
            continue;
        }
        let one = cached(&tables, &others)?;
        let (a, b) = others.split_at(others.len() / 2);
        let begun = Instant::now();
        thread::scope(|scope| {
            for half in [a, b] {
                scope.spawn(|| half.iter().for_each(|at| drop(black_box(tables.value(at)))));
            }
        });
        let two = micros(begun.elapsed(), others.len());
        println!("   {one:8.2} {:8.1} {two:8.2}", cold(&others)?);
    }
    Ok(())
}

/// Random positions of the side that is kept, and of the other.
fn positions(
    tables: &Tablebase,
    material: &Material,
) -> Result<(Vec<Position>, Vec<Position>), Box<dyn Error>> {
    let endings = tables.opened(material)?;
    let (index, mut rng) = (endings.index(), Rng::new(1));
    let (mut kept, mut others) = (Vec::new(), Vec::new());
    while kept.len() < POSITIONS || others.len() < POSITIONS && !endings.table().keeps_all() {
        let state = rng.below(index.states());
        let side = if endings.table().keeps(state) { &mut kept } else { &mut others };
        side.extend(index.position(state));
    }
    kept.truncate(POSITIONS);
    others.truncate(POSITIONS);
    Ok((kept, others))
}

/// The second time that they are asked for.
fn cached(tables: &Tablebase, positions: &[Position]) -> Result<f64, Box<dyn Error>> {
    let mut time = Duration::ZERO;
    for _ in 0..2 {
        let begun = Instant::now();
        for position in positions {
            black_box(tables.value(position)?);
        }
        time = begun.elapsed();
    }
    Ok(micros(time, positions.len()))
}

fn micros(time: Duration, many: usize) -> f64 {
    time.as_secs_f64() * 1e6 / many as f64
}
