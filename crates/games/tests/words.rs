//! Pursuit 64 states at a time against pursuit a state at a time: every value and distance of random boards of any
//! shape.

use retrograde::Solver;
use retrograde_games::{Board, Pursuit};

/// How many boards: `RETROGRADE_BOARDS=1000` tries harder.
fn boards() -> u64 {
    std::env::var("RETROGRADE_BOARDS").ok().and_then(|count| count.parse().ok()).unwrap_or(60)
}

#[test]
fn both_engines_say_the_same_of_random_boards() {
    let mut tried = 0;
    for seed in 0..boards() {
        let random = |most: u64, salt: u64| {
            let mixed = (seed * 31 + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            ((mixed >> 33) % most) as u32
        };
        let (rows, columns) = (1 + random(30, 1), 1 + random(30, 2));
        let (walls, exits) = (random(41, 3), random(6, 4));
        // A small board may have no room for so many walls and exits.
        let Ok(board) = Board::random(rows, columns, walls, exits, 0, seed) else { continue };
        let game = Pursuit::new(board).expect("nobody stands on the board");
        let scalar = Solver::new().solve(&game).expect("no limit");
        let words = Solver::new().solve_words(&game).expect("no limit");
        let bare = Solver::new().distances(false).solve_words(&game).expect("no limit");
        let name = format!("{rows}x{columns}, {walls}% walls, {exits} exits, seed {seed}");
        assert!(scalar.histogram().levels().eq(words.histogram().levels()), "{name}");
        for state in 0..scalar.states() {
            assert_eq!(words.value(state), scalar.value(state), "{name}, state {state}");
            assert_eq!(bare.outcome(state), scalar.outcome(state), "{name}, state {state}");
        }
        tried += 1;
    }
    assert!(tried * 10 > boards() * 9, "only {tried} boards could be made");
}
