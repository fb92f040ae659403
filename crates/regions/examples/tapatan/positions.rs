//! Tapatan for people: its positions, its moves and its board.

use retrograde::Value;
use retrograde_positions::{Board, End, Hand, Move, Positions};
use retrograde_regions::{Arguments, Family, FamilyTexts, Spec};
use retrograde_table::About;

use super::board::{LINES, MEN, POINTS, Position, has_row, name, points};
use super::family::{Tapatan, Tier};
use super::game::men_of;

/// The players, and the signs of their men.
const PLAYERS: [&str; 2] = ["x", "o"];
const SIGNS: [char; 2] = ['X', 'O'];

impl Positions for Tapatan {
    type Position = Position;
    type Region = Tier;
    type Index = Tier;

    fn players(&self) -> &'static [&'static str] {
        &PLAYERS
    }

    fn start(&self) -> Option<Position> {
        Some(Position::START)
    }

    fn read(&self, text: &str) -> Result<Position, String> {
        Position::read(text)
    }

    fn write(&self, position: &Position) -> String {
        position.to_string()
    }

    fn player(&self, position: &Position) -> usize {
        position.turn
    }

    /// As long as there is no row, every side has a move.
    fn moves(&self, position: &Position, visit: &mut dyn FnMut(Move<Position>)) -> Option<End> {
        if has_row(position.men().other) {
            let why = "the other has three in a row";
            return Some(End { why, end: "three in a row", ..End::terminal(Value::Loss(0)) });
        }
        for (played, next) in position.moves() {
            let from = played.from.map_or(String::new(), |from| name(from) + "-");
            let points = played.from.into_iter().chain([played.to]).map(|point| point as usize);
            visit(Move::new(from + &name(played.to), points.collect(), next));
        }
        None
    }

    fn board(&self, position: &Position) -> Option<Board> {
        let point = |point| (name(point), (point % 3) as f32, (point / 3) as f32);
        let pairs = LINES.iter().flat_map(|&[one, middle, other]| [(one, middle), (middle, other)]);
        let mut board = Board::points((0..POINTS).map(point))
            .lined(pairs.map(|(a, b)| (a as usize, b as usize)));
        let names = |names: [&str; 3]| names.map(str::to_owned).to_vec();
        board.edge = Some((names(["3", "2", "1"]), names(["a", "b", "c"])));
        let placed = position.placed() == 2 * MEN;
        for (player, (sign, men)) in SIGNS.into_iter().zip(position.sides).enumerate() {
            board.put(("man", sign), Some(player), points(men).map(|point| point as usize));
            if !placed {
                let count = MEN - men.count_ones();
                board.hands.push(Hand { kind: "man", sign, player, count });
            }
        }
        Some(board)
    }

    fn with_board(&self, board: &Board, turn: usize) -> Option<Position> {
        let sides = board.sets(|man| man.player)?.map(|men| men as u16);
        Position::read(&Position { sides, turn }.to_string()).ok()
    }

    fn region(&self, position: &Position) -> Result<Tier, Value> {
        Ok(Tier::of(position.placed()))
    }

    fn index(&self, tier: &Tier) -> Tier {
        *tier
    }

    fn number(&self, _: &Tier, position: &Position) -> u64 {
        position.men().number()
    }

    /// If all men are placed, `x` is to move: `o` has the same states.
    fn position(&self, tier: &Tier, state: u64) -> Option<Position> {
        let turn = tier.placed() as usize % 2;
        men_of(*tier, state).map(|men| Position::of(men, turn))
    }
}

impl FamilyTexts for Tapatan {
    const SPEC: &'static Spec = &Spec {
        name: "tapatan",
        summary: "Tapatan, three men each in a row",
        rules: "The board has three by three points, joined along rows, columns and diagonals. Both players place three men in turn. Then a \
                player moves one man a step along a line to a free point. Three in a row win.",
        regions: Some("how many men are placed, p0 to p5, or m [default: the whole game]"),
        ..Spec::EMPTY
    };

    fn of(name: Option<&str>, _: Option<&About>) -> Option<Tapatan> {
        name.is_none_or(|name| name == Family::name(&Tapatan)).then_some(Tapatan)
    }

    fn chosen(_: &Arguments, regions: &[String]) -> Result<(Tapatan, Vec<Tier>), String> {
        let tiers: Vec<Tier> = regions.iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
        Ok((Tapatan, if tiers.is_empty() { vec![Tier::START] } else { tiers }))
    }

    fn title(&self, tier: &Tier) -> String {
        match tier.placed() {
            0 => "the empty board".to_owned(),
            1 => "one man placed".to_owned(),
            placed if placed < 2 * MEN => format!("{placed} men placed"),
            _ => "all men placed".to_owned(),
        }
    }
}
