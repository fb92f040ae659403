//! The same as `probe.c` without the C interface, to compare their speed.

use std::time::Instant;

use retrograde_table::Table;

const EACH: u64 = 2_000_000;

fn look(table: &Table, seed: u64) -> u64 {
    let (mut at, mut sum) = (seed, 0);
    for _ in 0..EACH {
        at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let value = table.probe((at >> 20) % table.states()).expect("the table can be read");
        sum += match value {
            Some(retrograde::Value::Loss(_)) => 0,
            Some(retrograde::Value::Draw) => 1,
            Some(retrograde::Value::Win(_)) => 2,
            None => 3,
        };
    }
    sum
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, threads] = &arguments[..] else { panic!("probe TABLE THREADS") };
    let table = Table::open(path).expect("a table");
    let threads: u64 = threads.parse().expect("a number of threads");
    let begun = Instant::now();
    let sum: u64 = std::thread::scope(|scope| {
        let table = &table;
        let works: Vec<_> =
            (1..=threads).map(|seed| scope.spawn(move || look(table, seed))).collect();
        works.into_iter().map(|work| work.join().expect("it does not panic")).sum()
    });
    let each = (threads * EACH) as f64 / begun.elapsed().as_secs_f64();
    println!("{each:.0} probes a second, sum {sum}");
}
