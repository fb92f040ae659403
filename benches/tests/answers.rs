//! The compared programs give the same answers, and the numbers in the records are right.

use retrograde::adapters::Explicit;
use retrograde::{Outcome, Value, audit, solve};
use retrograde_benches::cubes::Cubes;
use retrograde_benches::measure::answer;
use retrograde_benches::random::RandomGraph;
use retrograde_benches::textbook::Answer;
use retrograde_benches::{boards, pursuit};
use retrograde_games::{Board, Pursuit};
use retrograde_testkit::{levels, naive};

/// Boards of many shapes, with and without exits.
fn some_boards() -> impl Iterator<Item = Board> {
    let shapes = [(1, 1, 0), (1, 9, 1), (7, 6, 2), (8, 8, 0), (5, 13, 3), (12, 12, 1)];
    (0..4).flat_map(move |seed| {
        shapes.into_iter().map(move |(rows, columns, exits)| {
            Board::random(rows, columns, 15, exits, 0, seed).expect("a board of this shape")
        })
    })
}

#[test]
fn the_textbook_and_the_engine_agree_on_boards() {
    for board in some_boards() {
        let text = board.to_string();
        let by_textbook =
            pursuit::Board::read(&text).expect("the textbook reads what the house writes").solve();
        let counts = solve(&Pursuit::new(board).expect("a pursuit")).counts();
        let by_engine = Answer { win: counts.win, loss: counts.loss, draw: counts.draw };
        assert_eq!(by_textbook, by_engine, "{text}");
    }
}

/// The moves and backward moves of this game agree.
#[test]
fn cubes_slide_both_ways() {
    let game = Cubes::new(3);
    audit(&game).expect("moves and backward moves agree");
    let (right, solution) = (levels::solve(&game), solve(&game));
    assert!((0..).zip(&right).all(|(state, &value)| solution.value(state) == value));
    assert!(matches!(right[0], Some(Value::Win(_))), "{:?}", right[0]);
}

#[test]
fn the_textbook_agrees_with_the_naive_solver_on_random_graphs() {
    for vertices in [1, 2, 10, 100, 1_000] {
        for seed in 0..5 {
            let graph = RandomGraph { vertices, seed };
            let values = naive::solve(&graph);
            let count = |wanted| {
                values.iter().flatten().filter(|value| value.outcome() == wanted).count() as u64
            };
            let right = Answer {
                win: count(Outcome::Win),
                loss: count(Outcome::Loss),
                draw: count(Outcome::Draw),
            };
            assert_eq!(graph.solve_by_textbook(), right, "{graph:?}");
            let counts = solve(&Explicit::from_game(graph)).counts();
            assert_eq!((counts.win, counts.loss, counts.draw), (right.win, right.loss, right.draw));
        }
    }
}

#[test]
fn a_random_graph_has_something_of_everything() {
    let answer = RandomGraph { vertices: 100_000, seed: 1 }.solve_by_textbook();
    assert!(answer.win.min(answer.loss).min(answer.draw) > 10_000, "{answer}");
}

#[test]
fn the_moves_of_a_board_are_counted_by_formula() {
    for board in some_boards() {
        let game = Pursuit::new(board.clone()).expect("a pursuit");
        let audited = audit(&game).expect("a sound game");
        assert_eq!(boards::moves(&board), audited.moves, "{board}");
    }
}

#[test]
fn answers_are_found_in_what_programs_print() {
    let right = Answer { win: 12, loss: 0, draw: 345 };
    assert_eq!(answer(&format!("{right}\n")), Some(right));
    assert_eq!(answer(r#"{"game": "x", "win": 12, "loss": 0, "draw": 345}"#), Some(right));
    assert_eq!(answer("1 won 2 lost\n"), None);
    assert_eq!(answer(r#"{"win": 12}"#), None);
}
