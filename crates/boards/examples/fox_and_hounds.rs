//! Fox and hounds, on the dark squares of a chess board. Four hounds begin on one edge and step diagonally
//! forward. The fox begins on the opposite edge and steps diagonally in any direction. The fox wins if it
//! reaches the edge where the hounds began. A player who cannot move loses.

use retrograde::adapters::{BackwardMoves, Numbered, Rules};
use retrograde::{Value, audit, solve};
use retrograde_boards::{Disjoint, Turns, squares};

struct Hunt {
    /// The numbering of the fox and the hounds.
    stones: Disjoint<2>,
    turns: Turns,
}

/// The side to move: 0 for the hounds, 1 for the fox.
type Player = u32;
/// The fox and the hounds.
type Position = ([u64; 2], Player);

/// The neighbours of a dark square: those in the row before it, and those in the row after it. A row has four
/// dark squares.
fn neighbours(square: u32) -> [u64; 2] {
    let (row, place) = (square / 4, square % 4);
    let pair = (0b11 << place >> (row % 2)) & 0b1111;
    [pair << (4 * row) >> 4, pair << (4 * row) << 4 & 0xffff_ffff]
}

/// Visits every step of one player: hounds go to the rows before or after, the fox to both.
fn step([fox, hounds]: [u64; 2], player: Player, side: usize, mut visit: impl FnMut([u64; 2])) {
    let free = !(fox | hounds);
    for from in squares([hounds, fox][player as usize]) {
        let [before, after] = neighbours(from);
        let reached = if player == 0 { [before, after][side] } else { before | after };
        for to in squares(reached & free) {
            let moved = 1 << from | 1 << to;
            visit(if player == 0 { [fox, hounds ^ moved] } else { [fox ^ moved, hounds] });
        }
    }
}

impl Rules for Hunt {
    type Position = Position;
    fn states(&self) -> u64 {
        self.turns.count()
    }
    fn position(&self, state: u64) -> Option<Position> {
        let (stones, player) = self.turns.split(state);
        Some((self.stones.unrank(stones), player))
    }
    fn state(&self, (stones, player): Position) -> u64 {
        self.turns.join(self.stones.rank(stones), player)
    }
    fn terminal(&self, &([fox, _], player): &Position) -> Option<Value> {
        let value = [Value::Loss(0), Value::Win(0)][player as usize];
        (fox & 0b1111 != 0).then_some(value)
    }
    fn moves(&self, &(stones, player): &Position, mut visit: impl FnMut(Position)) {
        step(stones, player, 1, |moved| visit((moved, 1 - player)));
    }
}

impl BackwardMoves for Hunt {
    fn backward_moves(&self, &(stones, player): &Position, mut visit: impl FnMut(Position)) {
        let moved_last = 1 - player;
        step(stones, moved_last, 0, |before| visit((before, moved_last)));
    }
}

pub(crate) fn main() {
    let stones = Disjoint::new(32, [1, 4]);
    let turns = Turns::new(stones.count(), 2);
    let game = Numbered(Hunt { stones, turns });
    audit(&game).expect("forward and backward moves agree");
    let solution = solve(&game);
    let start = |fox: u32| game.0.state(([1 << fox, 0b1111], 0));
    assert!((28..32).all(|fox| solution.value(start(fox)) == Some(Value::Win(43))));
}
