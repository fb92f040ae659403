//! Pursuit by name, with one policeman or with several.

use super::Pursuit;
use crate::chase::{Chase, POLICE_COUNT};
use crate::{Board, FileSpec, Setup, SetupError, Spec, Visitor};

pub(crate) static SPEC: Spec = Spec {
    name: "pursuit",
    summary: "police and thief on a grid",
    rules: "The police move first. A policeman moves to one of eight neighbouring cells, the thief to one of four; either may stay. \
            Several police all move in one turn. The police win if one of them stands on the cell of the thief, even on an exit. \
            The thief wins on an exit without police. Endless play is a draw.",
    file: Some(
        FileSpec::small("board", Board::is_like)
            .examples(&[("grid", "...E..\n.*....\n...**.\nP.....\n..*.*.\n.*..T.\n......\n")]),
    ),
    parameters: &[POLICE_COUNT],
    example: "examples/board.txt",
    ..Spec::EMPTY
};

/// One policeman has a game type of its own, which is faster.
pub(crate) fn build<V: Visitor>(setup: &Setup, visitor: V) -> Result<V::Output, SetupError> {
    match setup.number(POLICE_COUNT.name) {
        1 => Ok(visitor.visit(setup.read(|text| Pursuit::new(Board::parse(text)?))?)),
        police => {
            let chase = setup.read(|text| Chase::on_board(&Board::parse(text)?, police))?;
            Ok(visitor.visit(chase))
        }
    }
}
