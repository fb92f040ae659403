//! A check of a position, for the tests of a game.

use std::collections::HashSet;

use crate::positions::Positions;

/// Checks what a game says of a position: its text, its number, the names and points of its moves, and its board. The error
/// says what is wrong.
pub fn check_position<G: Positions>(game: &G, position: &G::Position) -> Result<(), String> {
    let text = game.write(position);
    let wrong = |what: String| Err(format!("{text:?}: {what}"));
    match game.read(&text) {
        Ok(read) if read == *position => {}
        Ok(read) => return wrong(format!("its text is read as {:?}", game.write(&read))),
        Err(error) => return wrong(format!("its text is refused: {error}")),
    }
    if game.player(position) >= game.players().len() {
        return wrong("no such player is to move".to_owned());
    }
    if let Ok(region) = game.region(position) {
        let index = game.index(&region);
        let state = game.number(&index, position);
        let again = game.position(&index, state).map(|equal| game.number(&index, &equal));
        if again != Some(state) {
            return wrong(format!("its state is {state}, whose position has the state {again:?}"));
        }
    }
    let board = game.board(position);
    let points = board.as_ref().map_or(0, |board| board.points.len());
    if let Some(board) = &board {
        let lines = board.lines.iter().all(|&(a, b)| a < points && b < points && a != b);
        let men = board.men.iter().all(|man| man.point < points);
        let players = board.men.iter().filter_map(|man| man.player);
        if !lines || !men || players.max().is_some_and(|player| player > 1) {
            return wrong("its board has a line, a man or a player out of range".to_owned());
        }
        let names: HashSet<&str> = board.points.iter().map(|point| &*point.name).collect();
        if names.len() != points {
            return wrong("two points of its board have one name".to_owned());
        }
        // A position may know more than its board shows: the pawn that has just made a double step.
        for player in 0..game.players().len() {
            let Some(same) = game.with_board(board, player) else { continue };
            if game.player(&same) != player || game.board(&same).as_ref() != Some(board) {
                let other = game.write(&same);
                return wrong(format!("its board with player {player} to move is {other:?}"));
            }
        }
    }
    let (mut names, mut problem) = (HashSet::new(), None);
    let end = game.moves(position, &mut |played| {
        let on_board = played.points.iter().chain(&played.taken).all(|point| *point < points);
        let has_man = |point: &usize| {
            board.as_ref().is_some_and(|board| board.men_on(*point).next().is_some())
        };
        if !on_board || !played.taken.iter().all(has_man) {
            problem = Some(format!("{:?} points beside the board, or takes no man", played.name));
        }
        if played.name.is_empty() || !names.insert(played.name.clone()) {
            problem = Some(format!("two moves are called {:?}", played.name));
        }
        let turns = game.players().len() < 2
            || (game.player(&played.next) == game.player(position)) == played.keeps_turn;
        if !turns {
            problem = Some(format!("after {:?} the wrong player is to move", played.name));
        }
    });
    if names.is_empty() == end.is_none() {
        problem = Some(format!("it has {} moves and the end {end:?}", names.len()));
    }
    problem.map_or(Ok(()), wrong)
}
