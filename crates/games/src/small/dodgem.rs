//! Dodgem, by Colin Vout: two cars each on a board of nine squares. One player's cars leave to the right, the
//! other's upwards.
//!
//! A car goes one square ahead or to either side, never back. At the far edge it may leave the board. A
//! player with both cars out wins. A player who cannot move wins as well: it is forbidden to block the
//! opponent completely.

use retrograde::Value;

use super::{Position, Rules, SQUARE, played_out, squares};
use crate::{GameSpec, Setup, SetupError, Visitor};

pub(crate) static SPEC: GameSpec = GameSpec::small(
    "dodgem",
    "two cars each, to the right and up, never back: a player with both cars out, or with no move, wins",
    "Each player has two cars. A car goes one square ahead or to either side, if that square is free, and never back. The cars \
     of `right` leave the board at the right, those of `up` at the top. A player wins with both cars out, or with no move left.",
);

pub(crate) fn build<V: Visitor>(_: &Setup, visitor: V) -> Result<V::Output, SetupError> {
    played_out(&Dodgem, visitor)
}

#[derive(Debug)]
pub(crate) struct Dodgem;

const SIDE: i32 = 3;
/// The steps of each player's cars, right and down. The step ahead comes first.
const WAYS: [[(i32, i32); 3]; 2] = [[(1, 0), (0, -1), (0, 1)], [(0, -1), (-1, 0), (1, 0)]];

impl Rules for Dodgem {
    fn name(&self) -> &'static str {
        SPEC.name
    }

    fn sides(&self) -> &'static [&'static str; 2] {
        &["right", "up"]
    }

    fn letters(&self) -> [char; 2] {
        ['>', '^']
    }

    fn kinds(&self) -> [&'static str; 2] {
        ["car", "car"]
    }

    fn points(&self) -> &'static [(u8, u8)] {
        SQUARE
    }

    fn lines(&self) -> &'static [&'static str] {
        &[]
    }

    fn start(&self) -> &'static str {
        "right >../>../.^^"
    }

    fn verdict(&self, position: Position) -> Option<Value> {
        let mut stuck = true;
        self.moves(position, &mut |_| stuck = false);
        match position {
            _ if position.other() == 0 => Some(Value::Loss(0)),
            _ => stuck.then_some(Value::Win(0)),
        }
    }

    fn moves(&self, position: Position, visit: &mut dyn FnMut(Position)) {
        let own = position.own();
        for car in squares(own) {
            let (column, row) = (car as i32 % SIDE, car as i32 / SIDE);
            for (way, (right, down)) in WAYS[position.side].into_iter().enumerate() {
                let (column, row) = (column + right, row + down);
                let inside = (0..SIDE).contains(&column) && (0..SIDE).contains(&row);
                let to = if inside { 1 << (row * SIDE + column) } else { 0 };
                if (inside || way == 0) && to & position.free() == to {
                    visit(position.after(own ^ 1 << car | to));
                }
            }
        }
    }
}
