//! Solves the text of a game, with symmetric positions folded:
//! `cargo run --release -p retrograde-described --example solve -- examples/games/dao.game`.

use std::error::Error;

use retrograde::{Outcome, Solver};
use retrograde_described::{DescribedGame, Numbers, Page, PageVisitor};
use retrograde_positions::Positions;

struct Solve;

impl PageVisitor for Solve {
    type Output = ();

    fn visit<const N: usize>(self, game: DescribedGame<N>) {
        let memory = Solver::new().memory_needed(&game);
        println!("{}", game.page().report(memory).expect("the text has been read"));
        let solution = game.solve(Solver::new()).expect("it fits in memory");
        let start = game.start().expect("every text has a start");
        let value = solution.value(game.number(&(), &start)).expect("the start is valid");
        println!("start     {}: {value}", game.write(&start));
        let Ok(counts) = game.count_positions(&solution);
        println!("positions {} won, {} lost, {} drawn", counts.win, counts.loss, counts.draw);
        if let Some((state, plies)) = solution.longest(0..solution.states(), Outcome::Win) {
            let longest = game.position(&(), state).map(|position| game.write(&position));
            println!("longest   {}: win in {plies}", longest.unwrap_or_default());
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name the file of a text: examples/games/dao.game")?;
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let page = Page::read(&text).map_err(|error| format!("{path}: {error}"))?;
    page.visit(Numbers::Folded, Solve)?;
    Ok(())
}
