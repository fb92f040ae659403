//! How long it takes to turn a position into its number, and back: the men of Dobutsu shogi, mirror images merged.
//!
//! `cargo run --release -p retrograde-boards --example rank_speed` prints nanoseconds of a position, for positions that are
//! spread over all numbers, and for the neighbours that a solver meets.
use std::hint::black_box;
use std::time::Instant;

use retrograde_boards::{Cells, Group, Kind, Position};

fn cells() -> Cells {
    let board = 0xfff;
    let side = [Kind::on(board, 2); 2];
    let lions = [Kind::on(board & !0xe00, 1), Kind::on(board, 1)];
    let kinds = [&lions[..], &side, &side, &side, &side, &[Kind::counter(2); 3]].concat();
    let exist = |n: &[u32]| {
        n[..2] == [1, 1]
            && n[2..6].iter().sum::<u32>() + n[10] <= 2
            && n[6] + n[7] + n[11] <= 2
            && n[8] + n[9] + n[12] <= 2
    };
    let mirror = (0..12).map(|square| square / 3 * 3 + 2 - square % 3).collect();
    Cells::new(Group::generated(12, &[mirror]), &kinds, exist)
}

/// The least time of several rounds, in nanoseconds for each item.
fn nanoseconds<T>(items: &[T], work: impl Fn(&T) -> u64) -> f64 {
    let round = || {
        let begun = Instant::now();
        black_box(items.iter().map(&work).fold(0, u64::wrapping_add));
        begun.elapsed().as_secs_f64()
    };
    (0..30).map(|_| round()).fold(f64::INFINITY, f64::min) * 1e9 / items.len() as f64
}

fn main() {
    let cells = cells();
    let states = cells.states();
    // An odd step visits the numbers in no order.
    let spread = (0..50_000).map(|at: u64| at.wrapping_mul(0x9e37_79b9_7f4a_7c15) % states);
    let near = (0..50_000).map(|at| states / 2 + at);
    let lists: [(&str, Vec<u64>); 2] = [("spread", spread.collect()), ("near", near.collect())];
    for (name, numbers) in lists {
        let found = numbers.iter().filter_map(|&number| Some((number, cells.position(number)?)));
        let found: Vec<(u64, Position<13>)> = found.collect();
        assert!(found.iter().all(|(number, position)| cells.number(position).0 == *number));
        let rank = nanoseconds(&found, |(_, position)| cells.number(position).0);
        let unrank = nanoseconds(&found, |(number, _)| {
            cells.position::<13>(*number).map_or(0, |position| position.sets()[0])
        });
        println!("{name}: {rank:.1} ns to a number, {unrank:.1} ns back");
    }
}
