//! Pong Hau K'i, of China: two men each on the corners of a square and its centre. One point is free.
//!
//! A man moves along a line to the free point. The top of the square has no line. A player who cannot move loses.

use super::{Position, Rules, neighbours, played_out, squares};
use crate::{GameSpec, Setup, SetupError, Visitor};

pub(crate) static SPEC: GameSpec = GameSpec::small(
    "pong-hau-ki",
    "two men each on a square and its centre: a player who cannot move loses",
    "The board is a square with its centre. Lines join the centre to the corners, and the corners along three sides: there is no \
     line along the top. Each player has two men, so one point is free. A man moves along a line to it. A player who cannot \
     move loses.",
);

pub(crate) fn build<V: Visitor>(_: &Setup, visitor: V) -> Result<V::Output, SetupError> {
    played_out(&PongHauKi, visitor)
}

#[derive(Debug)]
struct PongHauKi;

const LINES: &[&str] = &["adeb", "ace", "bcd"];
const ALL: u32 = 0b1_1111;

impl Rules for PongHauKi {
    fn name(&self) -> &'static str {
        SPEC.name
    }

    fn points(&self) -> &'static [(u8, u8)] {
        &[(0, 0), (2, 0), (1, 1), (0, 2), (2, 2)]
    }

    fn lines(&self) -> &'static [&'static str] {
        LINES
    }

    fn start(&self) -> &'static str {
        "x xx/./oo"
    }

    fn moves(&self, position: Position, visit: &mut dyn FnMut(Position)) {
        let (own, free) = (position.own(), position.free() & ALL);
        for man in squares(own) {
            let to = neighbours(LINES, man) & free;
            squares(to).for_each(|to| visit(position.after(own ^ 1 << man ^ 1 << to)));
        }
    }
}
