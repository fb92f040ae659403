//! Compares the games, solved by the engine, with a second copy of their rules.

use crate::naive::{Ground, Values};
use crate::registered::{REACHED, reached};
use retrograde::{Game, Predecessors, solve};
use retrograde_games::{Board, Chase, Pursuit, Quixo};
use retrograde_positions::AnyStates;
use retrograde_testkit::{Rng, seed};

/// Every state of the engine, by its text.
fn solved(game: &(impl AnyStates + Predecessors)) -> Values {
    let solution = solve(game);
    let value = |state| solution.value(state).map(|value| (game.text(state).unwrap(), value));
    (0..game.states()).filter_map(value).collect()
}

#[test]
fn boards_with_any_number_of_police() {
    let seed = seed();
    let mut rng = Rng::new(seed);
    for police in [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4] {
        let cells = [0, 30, 16, 9, 5][police];
        let rows = rng.within(1..7);
        let columns = (cells / rows).max(1);
        let exits = rng.below(3) as u32;
        let Ok(board) =
            Board::random(rows as u32, columns as u32, rng.below(40) as u32, exits, 0, rng.bits())
        else {
            continue;
        };
        let text = board.picture(&[], None);
        let judged = Ground::board(&text).solve(police);
        let chase = Chase::on_board(&board, police as u32).unwrap();
        assert_eq!(solved(&chase), judged, "{police} police, seed {seed}:\n{text}");
        if police == 1 {
            let pursuit = Pursuit::new(board).unwrap();
            assert_eq!(solved(&pursuit), judged, "pursuit, seed {seed}:\n{text}");
        }
    }
}

#[test]
fn graphs_with_any_number_of_police() {
    let seed = seed();
    let mut rng = Rng::new(seed);
    // Seven and more police use separate code for their moves. It was slow on boards with little space.
    for police in [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 7, 7, 8, 9] {
        let vertices = [0, 12, 8, 5, 4, 4, 3, 3, 2, 2][police];
        let label = |number: u64| format!("v{number}");
        let edges: Vec<_> = (0..vertices)
            .map(|vertex| (label(vertex), label(vertex)))
            .chain(
                (0..rng.below(2 * vertices))
                    .map(|_| (label(rng.below(vertices)), label(rng.below(vertices)))),
            )
            .collect();
        let exits: Vec<String> = (0..rng.below(2)).map(|_| label(rng.below(vertices))).collect();
        let lines = edges.iter().map(|(a, b)| format!("{a} {b}\n"));
        let text: String = lines.chain(exits.iter().map(|exit| format!("! {exit}\n"))).collect();

        let ground = Ground::graph(&edges, &exits);
        let judged = ground.solve(police);
        let chase = Chase::parse(&text, police as u32).unwrap();
        assert_eq!(solved(&chase), judged, "{police} police, seed {seed}:\n{text}");
        let cop_win = chase.cop_win(&solve(&chase)).unwrap().is_some();
        assert_eq!(
            cop_win,
            ground.cop_win(police, &judged),
            "{police} police, seed {seed}:\n{text}"
        );
    }
}

#[test]
fn small_games() {
    for name in REACHED {
        let game = reached(name);
        let solution = solve(&game);
        let values: Vec<_> = (0..game.states()).map(|state| solution.value(state)).collect();
        assert!(values == retrograde_testkit::naive::solve(&game), "{name}");
    }
}

#[test]
fn quixo() {
    let game = Quixo::new(3).unwrap();
    let solution = solve(&game);
    let values: Vec<_> = (0..game.states()).map(|state| solution.value(state)).collect();
    assert!(values == retrograde_testkit::naive::solve(&game));
}
