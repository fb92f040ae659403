//! A small game from any bytes, with exits, moves that keep the turn, and distant terminal states. Every way
//! to solve it agrees with the naive solver: directly, as misère, by orbits, and resumed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retrograde::adapters::Quotient;
use retrograde::bit_parallel::ByWords;
use retrograde::{Game, Status, Value};
use retrograde_fuzz::{agree, check_solutions, check_words, goes_on};
use retrograde_testkit::{Plain, bytes, naive, symmetric};

fuzz_target!(|data: &[u8]| {
    let game = bytes::game(data);
    check_solutions(&game);
    check_words(&game);
    let level = data.len() % 7;
    let right = naive::solve(&game);
    goes_on(&|solver| solver.solve(&game), level, &right);
    goes_on(&|solver| solver.solve(ByWords(&game)), level, &right);
    check_misere(game);
    if let Some(seed) = data.first_chunk() {
        check_quotient(u64::from_le_bytes(*seed));
    }
});

/// A player who cannot move wins.
fn check_misere(game: Plain) {
    let mut turned = game.clone();
    for state in game.states_where(|status| status == Status::Open) {
        let place = state as usize;
        if game.moves[place].is_empty() && game.exits[place].is_empty() {
            turned.statuses[place] = Status::Terminal(Value::Win(0));
        }
    }
    agree(&Plain { stuck: Some(Value::Win(0)), ..game }, &naive::solve(&turned));
}

/// One state of each orbit is solved, and it has the value of all states of the orbit.
fn check_quotient(seed: u64) {
    let symmetric = symmetric::game(seed);
    let right = naive::solve(&symmetric.game);
    let quotient = Quotient::new(&symmetric.game, |state: u64| symmetric.canonical(state));
    assert_eq!(quotient.states(), right.len() as u64);
    let kept: Vec<_> = (0..)
        .zip(&right)
        .map(|(state, &value)| value.filter(|_| symmetric.canonical(state) == state))
        .collect();
    agree(&quotient, &kept);
}
