//! Fox and hounds, on the dark squares of a chess board. Four hounds begin on one edge and step diagonally
//! forward. The fox begins on the opposite edge and steps diagonally in any direction. The fox wins if it
//! reaches the edge where the hounds began. A player who cannot move loses.

use retrograde::adapters::{BackwardMoves, Numbered, Rules};
use retrograde::{Flow, Value, audit, solve};
use retrograde_boards::{Cells, Group, Kind, Position, singles};

/// The numbering of the fox, the hounds and the side to move.
pub(crate) struct Hunt(Cells);

/// The fox, the hounds, and the side to move: 0 for the hounds, 1 for the fox.
type Men = Position<3>;
const FOX: usize = 0;
const HOUNDS: usize = 1;
const TURN: usize = 2;

/// The neighbours of a dark square: those in the row before it, and those in the row after it. A row has four
/// dark squares.
fn neighbours(square: u32) -> [u64; 2] {
    let (row, place) = (square / 4, square % 4);
    let pair = (0b11 << place >> (row % 2)) & 0b1111;
    [pair << (4 * row) >> 4, pair << (4 * row) << 4 & 0xffff_ffff]
}

/// The squares that a man steps to: hounds to the row before or after, the fox to both.
fn reached(from: u64, kind: usize, side: usize) -> u64 {
    let neighbours = neighbours(from.trailing_zeros());
    if kind == HOUNDS { neighbours[side] } else { neighbours[0] | neighbours[1] }
}

impl Hunt {
    /// Visits the positions after every step of the side to move, or before every step of the other side.
    fn steps(&self, position: &Men, back: bool, mut visit: impl FnMut(&Men) -> Flow) -> Flow {
        let [fox, hounds, turn] = *position.sets();
        let position = match turn {
            0 => self.0.with(*position, TURN, 1),
            _ => self.0.without(*position, TURN, 1),
        };
        let kind = if (turn == 0) != back { HOUNDS } else { FOX };
        let side = usize::from(!back);
        for from in singles([fox, hounds][kind]) {
            let mut to = singles(reached(from, kind, side) & !(fox | hounds));
            to.try_for_each(|to| visit(&position.moved(kind, from | to)))?;
        }
        Flow::Continue(())
    }
}

impl Rules for Hunt {
    type Position = Men;
    retrograde_boards::forward!(Rules for this => this.0);
    fn terminal(&self, position: &Men) -> Option<Value> {
        let [fox, _, turn] = *position.sets();
        (fox & 0b1111 != 0).then_some([Value::Loss(0), Value::Win(0)][turn as usize])
    }
    fn moves(&self, position: &Men, visit: impl FnMut(&Men) -> Flow) -> Flow {
        self.steps(position, false, visit)
    }
}

impl BackwardMoves for Hunt {
    fn backward_moves(&self, position: &Men, mut visit: impl FnMut(&Men)) {
        let _ = self.steps(position, true, |from| {
            visit(from);
            Flow::Continue(())
        });
    }
}

pub(crate) fn game() -> Numbered<Hunt> {
    let dark = 0xffff_ffff;
    let kinds = [Kind::on(dark, 1), Kind::on(dark, 4), Kind::counter(1)];
    Numbered(Hunt(Cells::new(Group::trivial(32), &kinds, |counts| counts[..2] == [1, 4])))
}

pub(crate) fn main() {
    let game = game();
    audit(&game).expect("forward and backward moves agree");
    let solution = solve(&game);
    let start = |fox: u32| game.0.state(&game.0.0.with_sets([1 << fox, 0b1111, 0]));
    assert!((28..32).all(|fox| solution.value(start(fox)) == Some(Value::Win(43))));
}
