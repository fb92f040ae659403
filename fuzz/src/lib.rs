//! What every fuzz target asks of a game, however it was come by.
#![forbid(unsafe_code)]

use retrograde::{Explicit, Retrograde, Solver, Status, Value, audit, line, verify};
use retrograde_games::Show;
use retrograde_testkit::{broken, naive};

/// Games with more states than this are read but not solved: the naive solver is slow.
const STATES_MAX: u64 = 200;

/// The rules agree with themselves, and every way to solve the game gives the naive solver's answer.
pub fn check_solutions(game: &impl Retrograde) {
    if let Err(wrong) = audit(game) {
        panic!("{wrong}");
    }
    let right = naive::solve(game);
    agree(game, &right);
    agree(&Explicit::from_game(game), &right);
}

/// Beside its solutions: every state has a text that names it, a picture that can be drawn, and a line of play.
pub fn check_shown(game: &impl Show) {
    if let Some(start) = game.start() {
        assert!(start < game.states(), "the start {start} is no state");
    }
    if game.states() > STATES_MAX {
        return;
    }
    check_solutions(game);
    let solution = retrograde::solve(game);
    for state in 0..game.states() {
        if game.status(state, |_| {}) == Status::Void {
            continue;
        }
        let text = game.text(state);
        assert_eq!(game.parse(&text), Ok(state), "the text {text:?}");
        assert!(game.mover(state) < game.movers().len(), "the mover of {text:?}");
        game.picture(state);
        let Ok(_) = line(game, &solution, state);
    }
}

fn agree(game: &impl Retrograde, right: &[Option<Value>]) {
    for distances in [true, false] {
        let solver = Solver::new().threads(1).distances(distances);
        let solution = solver.solve(game).expect("nothing stops this solve");
        for (state, &value) in right.iter().enumerate() {
            let told = if distances { value } else { value.map(broken::without_distance) };
            assert_eq!(solution.value(state as u64), told, "state {state}, distances {distances}");
        }
        verify(game, &solution).expect("a right solution verifies");
    }
}
