//! Mu Torere, of the Maori: four men each on a star of eight points and a centre. One point is free.
//!
//! A man moves along the circle to the free point, or from the centre to the free point. A man beside an
//! opponent's man may move to the free centre. A player who cannot move loses.

use super::{Position, Rules, SQUARE, neighbours, played_out, squares};
use crate::{GameSpec, Setup, SetupError, Visitor};

pub(crate) static SPEC: GameSpec = GameSpec::small(
    "mu-torere",
    "four men each around a centre, entered from beside an opponent only: a player who cannot move loses",
    "The board is a circle of eight points around a centre. Each player has four men, so one point is free. A man moves to it \
     along the circle, or from the centre. A man may move into the centre if he stands beside a man of the opponent. A player \
     who cannot move loses.",
);

pub(crate) fn build<V: Visitor>(_: &Setup, visitor: V) -> Result<V::Output, SetupError> {
    played_out(&MuTorere, visitor)
}

#[derive(Debug)]
pub(crate) struct MuTorere;

const CIRCLE: &[&str] = &["abcfihgda"];
const CENTRE: u32 = 4;

impl Rules for MuTorere {
    fn name(&self) -> &'static str {
        SPEC.name
    }

    fn points(&self) -> &'static [(u8, u8)] {
        SQUARE
    }

    fn lines(&self) -> &'static [&'static str] {
        &["abcfihgda", "aei", "beh", "ceg", "def"]
    }

    fn start(&self) -> &'static str {
        "x xxx/o.x/ooo"
    }

    fn moves(&self, position: Position, visit: &mut dyn FnMut(Position)) {
        let own = position.own();
        let free = position.free() & 0x1ff;
        for man in squares(own) {
            let around = neighbours(CIRCLE, man);
            let to = match man {
                CENTRE => free,
                _ if around & position.other() != 0 => free & (around | 1 << CENTRE),
                _ => free & around,
            };
            squares(to).for_each(|to| visit(position.after(own ^ 1 << man ^ 1 << to)));
        }
    }
}
