//! A board from any text. The reader refuses it with an error, or its text is the same after reading. The
//! games on it are sound, and the two implementations for one policeman agree.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retrograde::{Game, Status};
use retrograde_games::{Board, Chase, Pursuit};
use retrograde_positions::AnyStates;

fuzz_target!(|text: &str| {
    let Ok(board) = Board::parse(text) else { return };
    let drawn = board.picture(board.police(), board.thief());
    assert_eq!(Board::parse(&drawn).as_ref(), Ok(&board), "drawn as {drawn:?}");
    let [_, one, two] = [0, 1, 2].map(|police| Chase::on_board(&board, police));
    let pursuit = Pursuit::new(board);
    if let Ok(pursuit) = &pursuit {
        retrograde_fuzz::check_shown(pursuit);
        if retrograde_fuzz::is_small(pursuit) {
            retrograde_fuzz::check_words(pursuit);
        }
    }
    for chase in [&one, &two].into_iter().flatten() {
        retrograde_fuzz::check_shown(chase);
    }
    if let (Ok(pursuit), Ok(chase)) = (pursuit, one)
        && retrograde_fuzz::is_small(&pursuit)
    {
        compare(&pursuit, &chase);
    }
});

/// Solves both games and compares the values of states with the same name.
fn compare(pursuit: &Pursuit, chase: &Chase) {
    let (solution, other) = (retrograde::solve(pursuit), retrograde::solve(chase));
    for state in 0..pursuit.states() {
        if pursuit.status(state) != Status::Invalid {
            let text = pursuit.text(state).expect("a state");
            let twin = chase.state(&text).expect("a chase knows the same names");
            assert_eq!(solution.value(state), other.value(twin), "{text}");
        }
    }
    assert_eq!(solution.counts().win, other.counts().win);
    assert_eq!(solution.counts().loss, other.counts().loss);
    assert_eq!(solution.counts().draw, other.counts().draw);
}
