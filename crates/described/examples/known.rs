//! Solves games of `examples/games`, and compares them with `known.txt` there. Takes the names of games, or solves all of them:
//! `cargo run --release -p retrograde-described --example known`.

use std::process::ExitCode;
use std::time::Instant;

use retrograde::{Outcome, solve};
use retrograde_described::{DescribedGame, Numbers, Page, PageVisitor};
use retrograde_positions::Positions;

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/described/known.rs"]
mod known;

/// The valid positions that are won, lost and drawn, the value of the start, and the longest win.
struct Solve;

impl PageVisitor for Solve {
    type Output = ([u64; 3], String, u32);

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> Self::Output {
        let solution = solve(&game);
        let start = game.start().expect("every text has a start");
        let value = solution.value(game.number(&(), &start)).expect("the start is valid");
        let Ok(counts) = game.count_positions(&solution);
        let longest = solution.longest(0..solution.states(), Outcome::Win);
        let longest = longest.map_or(0, |(_, plies)| plies);
        ([counts.win, counts.loss, counts.draw], value.to_string(), longest)
    }
}

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut wrong = false;
    for game in known::all() {
        if !wanted.is_empty() && !wanted.contains(&game.name) {
            continue;
        }
        let begun = Instant::now();
        let page = Page::read(&known::text(&game.name)).unwrap_or_else(|error| panic!("{error}"));
        let (valid, start, longest) = page.visit(Numbers::Folded, Solve).expect("it has been read");
        let seconds = begun.elapsed().as_secs_f64();
        let [won, lost, drawn] = valid;
        println!(
            "{}: {start}, longest {longest}, valid {won} {lost} {drawn}, {seconds:.1} s",
            game.name
        );
        if (valid, &start, longest) != (game.valid, &game.start, game.longest) {
            println!("  known is {}, longest {}, valid {:?}", game.start, game.longest, game.valid);
            wrong = true;
        }
    }
    ExitCode::from(u8::from(wrong))
}
