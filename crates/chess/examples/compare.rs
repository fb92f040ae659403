//! Compares two folders of endgames at random positions, and says how long each takes:
//! `cargo run --release -p retrograde-chess --example compare -- old new 1000000`.
//!
//! Each ending of the first folder has the same share of the positions, and each side to move half of them.

use std::collections::HashSet;
use std::error::Error;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use retrograde_chess::{Material, Position, Tablebase, Value};
use retrograde_testkit::Rng;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [old, new, count] = &arguments[..] else {
        return Err("name two folders, and how many positions to ask for".into());
    };
    let count: usize = count.parse()?;
    let folders = [Tablebase::open(Path::new(old))?, Tablebase::open(Path::new(new))?];
    let materials = folders[0].regions();
    let theirs: HashSet<Material> = folders[1].regions().into_iter().collect();
    let both: Vec<Material> = materials.into_iter().filter(|one| theirs.contains(one)).collect();
    let (mut asked, mut times, mut different) = (0, [Duration::ZERO; 2], 0);
    for (number, material) in both.iter().enumerate() {
        let share = count * (number + 1) / both.len() - count * number / both.len();
        let positions = positions(&folders[0], material, share, number as u64)?;
        let mut values = Vec::new();
        for (tables, time) in folders.iter().zip(&mut times) {
            let begun = Instant::now();
            values.push(ask(tables, &positions)?);
            *time += begun.elapsed();
        }
        for ((old, new), position) in values[0].iter().zip(&values[1]).zip(&positions) {
            if old != new {
                println!("{position}: {old:?} and {new:?}");
                different += 1;
            }
        }
        asked += positions.len();
    }
    let [old, new] = times.map(|time| time.as_secs_f64());
    println!(
        "{asked} positions of {} endings, on two threads: {old:.1} s and {new:.1} s",
        both.len()
    );
    println!("{different} differences");
    match different {
        0 => Ok(()),
        _ => Err("the folders differ".into()),
    }
}

/// Random positions of an ending.
fn positions(
    tables: &Tablebase,
    material: &Material,
    count: usize,
    seed: u64,
) -> Result<Vec<Position>, Box<dyn Error>> {
    let index = tables.opened(material)?.index();
    let mut rng = Rng::new(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        positions.extend(index.position(rng.below(index.states())));
    }
    Ok(positions)
}

/// The values of some positions, asked for from two threads.
fn ask(tables: &Tablebase, positions: &[Position]) -> Result<Vec<Value>, Box<dyn Error>> {
    let (first, second) = positions.split_at(positions.len() / 2);
    let values = |positions: &[Position]| {
        let values = positions.iter().map(|position| tables.value(position));
        values.collect::<Result<Vec<Value>, _>>().map_err(|error| error.to_string())
    };
    let (first, second) = thread::scope(|scope| {
        let other = scope.spawn(|| values(second));
        (values(first), other.join().expect("no lookup panics"))
    });
    Ok([first?, second?].concat())
}
