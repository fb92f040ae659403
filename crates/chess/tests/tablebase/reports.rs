//! Answers in the shape of lichess's table server, judged by another move generator.

use cozy_chess::{Board, GameStatus, Move};
use retrograde_chess::{Outcome, Report, Value};
use retrograde_testkit::{Rng, seed};

use crate::asked::{position, tables};

/// Each move leads to the named position, and its value is the one that a probe of that position gives.
#[test]
fn what_is_said_of_a_move_is_said_of_the_position_it_leads_to() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let tables = tables();
    for _ in 0..200 {
        let start = position(&mut rng, &tables);
        let report = tables.report(&start).unwrap();
        let board: Board = report.fen.parse().unwrap();
        let mut legal = 0;
        board.generate_moves(|moves| {
            legal += moves.into_iter().count();
            false
        });
        assert_eq!(report.moves.len(), legal, "{start}");
        for told in &report.moves {
            let mut after = board.clone();
            after.play(told.uci.parse::<Move>().unwrap());
            let check = !after.checkers().is_empty();
            let over = after.status() != GameStatus::Ongoing && !moves_left(&after);
            assert_eq!((told.said.checkmate, told.said.stalemate), (over && check, over && !check));
            assert_eq!(told.san.ends_with(['+', '#']), check, "{start} {}", told.san);
            let Report { said, .. } = tables.report(&*after.to_string()).unwrap();
            assert_eq!(told.said, said, "{start} {}", told.uci);
        }
    }
}

#[test]
fn the_main_line_ends_in_the_mate_that_was_foretold() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let tables = tables();
    for _ in 0..100 {
        let start = position(&mut rng, &tables);
        let value = tables.value(&start).unwrap();
        let line = tables.mainline(&start).unwrap();
        let mut board: Board = start.to_string().parse().unwrap();
        for step in &line.mainline {
            board.play(step.uci.parse::<Move>().unwrap());
        }
        if value == Value::Draw {
            assert_eq!((line.mainline.len(), line.winner, line.dtm), (0, None, None));
            continue;
        }
        assert_eq!(Some(line.mainline.len() as u32), value.distance(), "{start}");
        assert!(!moves_left(&board) && !board.checkers().is_empty(), "{start}");
        let side_to_move_wins = value.outcome() == Outcome::Win;
        let white_wins = side_to_move_wins == (start.turn() == retrograde_chess::Color::White);
        assert_eq!(line.winner, Some(if white_wins { 'w' } else { 'b' }));
        assert_eq!(line.mainline.last().map_or(line.dtm, |last| last.dtm), Some(0));
    }
}

fn moves_left(board: &Board) -> bool {
    board.generate_moves(|_| true)
}
