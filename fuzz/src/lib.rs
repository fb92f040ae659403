//! What every fuzz target asks of a game, however it was come by.
#![forbid(unsafe_code)]

use retrograde::{ByWords, Explicit, Game, Retrograde, Solution, Solver, Status, Value, Words, audit, line, verify};
use retrograde_games::Show;
use retrograde_testkit::{broken, naive};

/// Whether a game is small enough to be solved over and over: the naive solver is slow.
pub fn is_small(game: &impl Game) -> bool {
    let open = |&state: &u64| game.status(state, |_| {}) == Status::Open;
    let degrees = || (0..game.states()).filter(open).map(|state| u64::from(game.degree(state)));
    game.states() <= 4_000 && degrees().sum::<u64>() <= 1_000
}

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
pub fn check_shown(game: &(impl Show + Retrograde)) {
    if let Some(start) = game.start() {
        assert!(start < game.states(), "the start {start} is no state");
    }
    if !is_small(game) {
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

/// The same in sets of states: the word methods say what the scalar ones say, and come to the same answer.
pub fn check_words(game: &impl Words) {
    if let Err(wrong) = audit(ByWords(game)) {
        panic!("{wrong}");
    }
    let right = naive::solve(game);
    for distances in [true, false] {
        let solver = Solver::new().threads(1).distances(distances);
        compare(&solver.solve(ByWords(game)).expect("nothing stops this solve"), &right);
    }
}

fn agree(game: &impl Retrograde, right: &[Option<Value>]) {
    for distances in [true, false] {
        let solver = Solver::new().threads(1).distances(distances);
        let solution = solver.solve(game).expect("nothing stops this solve");
        compare(&solution, right);
        verify(game, &solution).expect("a right solution verifies");
    }
}

fn compare(solution: &Solution, right: &[Option<Value>]) {
    let distances = solution.has_distances();
    for (state, &value) in (0..).zip(right) {
        let told = if distances { value } else { value.map(broken::without_distance) };
        assert_eq!(solution.value(state), told, "state {state}, distances {distances}");
    }
}
