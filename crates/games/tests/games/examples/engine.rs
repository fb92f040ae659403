//! The answers of the games and the engine.

use super::{Question, Solved};
use retrograde::{Predecessors, solve};
use retrograde_games::{Board, Chase, Corner, Graph, Piece, Pursuit, Take, Takes};
use retrograde_positions::AnyStates;

pub(crate) fn answer(question: &Question) -> Solved {
    fn plain(game: &(impl AnyStates + Predecessors)) -> Solved {
        let solution = solve(game);
        let value = |state| solution.value(state).map(|value| (game.text(state).unwrap(), value));
        Solved {
            values: (0..game.states()).filter_map(value).collect(),
            start: game.start().map(|start| game.write(&start)),
            cop_win: None,
            signs: None,
        }
    }
    match question.game() {
        "graph" => plain(&Graph::parse(&question.text()).unwrap().misere(question.misere())),
        "pursuit" => {
            let board = Board::parse(&question.text()).unwrap();
            match question.police() {
                1 => plain(&Pursuit::new(board).unwrap()),
                police => plain(&Chase::on_board(&board, police).unwrap()),
            }
        }
        "chase" => {
            let chase = Chase::parse(&question.text(), question.police()).unwrap();
            let cop_win = chase.cop_win(&solve(&chase)).unwrap();
            Solved { cop_win: Some(cop_win.is_some()), ..plain(&chase) }
        }
        "take" => {
            let takes = match question.option("--take").unwrap() {
                "any" => Takes::Any,
                _ => Takes::Set(question.numbers("--take")),
            };
            let take = Take::new(&question.numbers("--heaps"), takes).unwrap();
            plain(&take.misere(question.misere()))
        }
        "corner" => {
            let piece = match question.option("--piece").unwrap() {
                "queen" => Piece::Queen,
                "rook" => Piece::Rook,
                "bishop" => Piece::Bishop,
                "king" => Piece::King,
                other => panic!("no piece is called {other}"),
            };
            let (rows, columns) =
                (question.number("--rows").unwrap(), question.number("--columns").unwrap());
            let corner = Corner::new(piece, rows, columns).unwrap();
            let signs = corner.signs(&solve(&corner)).unwrap();
            Solved { signs: Some(signs), ..plain(&corner.misere(question.misere())) }
        }
        other => panic!("no game is called {other}"),
    }
}
