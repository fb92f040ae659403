//! Positions of morris for people, and for a folder of tables.

use std::cmp::Reverse;

use retrograde::Value;
use retrograde_boards::squares;
use retrograde_positions::{self as positions, Board, End, Hand, Positions};

use crate::family::Morris;
use crate::index::Index;
use crate::position::{Position, Side};
use crate::region::Region;

/// An open folder of tables of morris.
pub type Tablebase = retrograde_regions::Tablebase<Morris>;
/// An open region: its numbering and its table.
pub type OpenRegion = retrograde_regions::OpenRegion<Index>;
/// The value of a position and of each of its moves.
pub type Answer = retrograde_regions::Answer<Position, positions::Move<Position>>;
/// A move, its target and its value.
pub type Choice = retrograde_regions::Choice<Position, positions::Move<Position>>;

/// The players, and the signs of their stones.
const SIDES: [(Side, char); 2] = [(Side::White, 'O'), (Side::Black, 'X')];

impl Positions for Morris {
    type Position = Position;
    type Region = Region;
    type Index = Index;

    fn players(&self) -> &'static [&'static str] {
        &["white", "black"]
    }

    fn start(&self) -> Option<Position> {
        Some(Position::start(self.men()))
    }

    fn read(&self, text: &str) -> Result<Position, String> {
        Position::read(self.men(), text).map_err(|error| error.to_string())
    }

    fn write(&self, position: &Position) -> String {
        position.to_string()
    }

    fn player(&self, position: &Position) -> usize {
        position.turn() as usize
    }

    fn moves(
        &self,
        position: &Position,
        visit: &mut dyn FnMut(positions::Move<Position>),
    ) -> Option<End> {
        let over = |kind, why| Some(End { value: Value::Loss(0), kind, why, end: why });
        let moves = position.moves();
        if moves.is_empty() {
            return match position.is_worn() {
                true => over("terminal", "fewer than three stones left"),
                false => over("stuck", "no move left"),
            };
        }
        for played in moves {
            let points = [played.from, Some(played.to), played.taken].into_iter().flatten();
            let points = points.map(|point| point as usize).collect();
            let taken = played.taken.into_iter().map(|point| point as usize).collect();
            let (name, next) = (position.text(&played), position.play(&played));
            visit(positions::Move { taken, ..positions::Move::new(name, points, next) });
        }
        None
    }

    fn board(&self, position: &Position) -> Option<Board> {
        let of = position.men().board();
        let point = |point| {
            let (column, row) = of.cell(point);
            (of.name(point), column as f32, row as f32)
        };
        let pairs = (0..of.points())
            .flat_map(|a| squares(of.neighbours(a)).map(move |b| (a as usize, b as usize)));
        let mut board = Board::points((0..of.points()).map(point)).lined(pairs);
        let rows = (1..=of.side).rev().map(|row| row.to_string()).collect();
        let letter = |column| char::from(b'a' + column as u8).to_string();
        board.edge = Some((rows, (0..of.side).map(letter).collect()));
        board.light = Side::White as usize;
        let placing = SIDES.iter().any(|&(side, _)| position.hand(side) > 0);
        for (side, sign) in SIDES {
            let (kind, player) = ("stone", side as usize);
            let stones = squares(position.stones(side)).map(|point| point as usize);
            board.put((kind, sign), Some(player), stones);
            if placing {
                board.hands.push(Hand { kind, sign, player, count: position.hand(side) });
            }
        }
        Some(board)
    }

    fn with_board(&self, board: &Board, player: usize) -> Option<Position> {
        let stones = board.sets(|stone| stone.player)?;
        let in_hand: u32 = board.hands.iter().map(|hand| hand.count).sum();
        Position::with_stones(self.men(), stones, SIDES[player].0, in_hand)
    }

    fn region(&self, position: &Position) -> Result<Region, Value> {
        position.region().ok_or(Value::Loss(0))
    }

    fn index(&self, region: &Region) -> Index {
        Morris::index(self, *region)
    }

    fn number(&self, index: &Index, position: &Position) -> u64 {
        index.state(position)
    }

    fn position(&self, index: &Index, state: u64) -> Option<Position> {
        index.position(state)
    }

    /// Visits each placement once in which either side can be to move.
    fn passed_run(
        &self,
        index: &Index,
        states: std::ops::Range<u64>,
        visit: &mut dyn FnMut(u64, u64),
    ) {
        for state in states {
            let passed = index.position(state).and_then(|position| position.passed());
            if let Some(passed) = passed {
                visit(state, index.state(&passed));
            }
        }
    }
}

/// The order of lists. First the regions with all stones placed, the smallest first, then those of the placing phase, the
/// latest first.
impl Ord for Region {
    fn cmp(&self, other: &Region) -> std::cmp::Ordering {
        let key =
            |region: &Region| (Reverse(region.placed().unwrap_or(u32::MAX)), region.blocks()[0]);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for Region {
    fn partial_cmp(&self, other: &Region) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
