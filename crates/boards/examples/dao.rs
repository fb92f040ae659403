//! Dao: four stones each on 4x4 squares, starting on the two diagonals. A stone slides in any direction until
//! something stops it. You win with four stones in a row, a column, a square or the four corners. You also
//! win if the other side encloses a stone of yours in a corner.
use retrograde::adapters::{BackwardMoves, Numbered, Rules};
use retrograde::{Counts, Flow, Value, audit, play::reachable, solve};
use retrograde_boards::{Cells, Group, Kind, Position, singles};

/// The numbering of positions: the stones of the side to move, and those of the other side.
pub(crate) struct Dao(Cells);
/// How far a step in each direction rotates a set, and the squares where it may begin. The opposite of
/// direction `i` is `7 - i`.
const STEPS: [u32; 8] = [59, 60, 61, 63, 1, 3, 4, 5];
const INSIDE: [u64; 8] = [0xeeee, 0xffff, 0x7777, 0xeeee, 0x7777, 0xeeee, 0xffff, 0x7777];
const WINS: [u64; 18] = [
    0xf, 0xf0, 0xf00, 0xf000, 0x1111, 0x2222, 0x4444, 0x8888, 0x33, 0x66, 0xcc, 0x330, 0x660,
    0xcc0, 0x3300, 0x6600, 0xcc00, 0x9009,
];
/// Each corner and the squares around it.
const CORNERS: [[u64; 2]; 4] = [[0x1, 0x32], [0x8, 0xc4], [0x1000, 0x2300], [0x8000, 0x4c00]];
/// The stones after a step. Stones that would leave the board disappear.
fn step(stones: u64, direction: usize) -> u64 {
    (stones & INSIDE[direction]).rotate_left(STEPS[direction]) & 0xffff
}

impl Rules for Dao {
    type Position = Position<2>;
    retrograde_boards::forward!(Rules for this => this.0);
    fn terminal(&self, position: &Position<2>) -> Option<Value> {
        let [mine, theirs] = *position.sets();
        let shut = |[corner, around]: [u64; 2]| mine & corner != 0 && theirs & around == around;
        let won = WINS.contains(&mine) || CORNERS.into_iter().any(shut);
        if WINS.contains(&theirs) { Some(Value::Loss(0)) } else { won.then_some(Value::Win(0)) }
    }
    fn moves(&self, position: &Position<2>, mut visit: impl FnMut(&Position<2>) -> Flow) -> Flow {
        let [mine, theirs] = *position.sets();
        let free = !(mine | theirs);
        for (ahead, turn) in STEPS.into_iter().enumerate() {
            let (blocked, mut sliding) = (!step(free, 7 - ahead), mine);
            for turn in [turn, 2 * turn, 3 * turn] {
                sliding = step(sliding & !blocked, ahead);
                for to in singles(sliding & blocked) {
                    let moved = mine ^ to.rotate_right(turn) ^ to;
                    visit(&position.with_same_counts([theirs, moved]))?;
                }
            }
        }
        Flow::Continue(())
    }
    fn degree_max(&self) -> Option<u32> {
        Some(4 * 8)
    }
}

impl BackwardMoves for Dao {
    fn backward_moves(&self, position: &Position<2>, mut visit: impl FnMut(&Position<2>)) {
        let [theirs, mine] = *position.sets();
        let free = !(mine | theirs);
        for (ahead, turn) in STEPS.into_iter().enumerate() {
            // A stone that stops in this direction may come from any free square behind it.
            let mut behind = mine & !step(free, 7 - ahead);
            for turn in [turn, 2 * turn, 3 * turn] {
                behind = step(behind, 7 - ahead) & free;
                for from in singles(behind) {
                    let moved = mine ^ from.rotate_left(turn) ^ from;
                    visit(&position.with_same_counts([moved, theirs]));
                }
            }
        }
    }
}

pub(crate) fn game() -> Numbered<Dao> {
    let stones = [Kind::on(0xffff, 4); 2];
    Numbered(Dao(Cells::new(Group::trivial(16), &stones, |counts| counts == [4, 4])))
}

pub(crate) fn main() {
    let game = game();
    audit(&game).expect("forward and backward moves agree");
    let (solution, start) =
        (solve(&game), game.0.0.number(&game.0.0.with_sets([0x8421, 0x1248])).0);
    assert_eq!(solution.value(start), Some(Value::Draw));
    let summary = reachable(&game, [start]).summary(&solution).expect("it is in memory");
    let counts = Counts { win: 166_860, loss: 23_628, draw: 693_566, invalid: 0 };
    assert_eq!((summary.counts, summary.longest.map(|(_, plies)| plies)), (counts, Some(11)));
}
