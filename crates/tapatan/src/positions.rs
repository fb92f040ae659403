//! Tapatan for people: texts of positions, names of moves, the board.

use retrograde::Value;
use retrograde_regions::{Family, Ground, Man, Over, Positions, View};

use crate::board::{MEN, Move, POINTS, Position, has_row, name, points};
use crate::family::{Tapatan, Tier};
use crate::game::{STATES, men_of};

/// The points and the lines between them.
const LINES: [&str; 5] = ["o-o-o", "|\\|/|", "o-o-o", "|/|\\|", "o-o-o"];

impl Positions for Tapatan {
    type Position = Position;
    type Move = Move;
    type Index = Tier;

    const GAME: &'static str = "tapatan";
    const BUILD: &'static str = "retrograde build tapatan";
    const PLAYERS: [&'static str; 2] = ["x", "o"];

    fn of_manifest(name: Option<&str>) -> Option<Tapatan> {
        name.is_none_or(|name| name == Tapatan.name()).then_some(Tapatan)
    }

    fn region(&self, name: &str) -> Result<Tier, String> {
        name.parse()
    }

    fn title(&self, tier: &Tier) -> Option<String> {
        Some(match tier.placed() {
            0 => "the empty board".to_owned(),
            1 => "one man placed".to_owned(),
            placed if placed < 2 * MEN => format!("{placed} men placed"),
            _ => "all men placed".to_owned(),
        })
    }

    fn sort(&self, tiers: &mut [Tier]) {
        tiers.sort_unstable();
    }

    fn index(&self, tier: &Tier) -> Tier {
        *tier
    }

    fn start(&self) -> Option<Position> {
        Some(Position::START)
    }

    fn read(&self, text: &str) -> Result<Position, String> {
        Position::read(text)
    }

    fn place(&self, position: &Position) -> Result<Tier, Value> {
        Ok(Tier::of(position.placed()))
    }

    fn states(_: &Tier) -> u64 {
        STATES
    }

    fn state(_: &Tier, position: &Position) -> u64 {
        position.men().number()
    }

    /// If all men are placed, `x` is to move: `o` has the same states.
    fn position(tier: &Tier, state: u64) -> Option<Position> {
        let turn = tier.placed() as usize % 2;
        men_of(*tier, state).map(|men| Position::of(men, turn))
    }

    fn player(position: &Position) -> usize {
        position.turn
    }

    fn moves(&self, position: &Position) -> Vec<(Move, Position)> {
        position.moves()
    }

    /// As long as there is no row, every side has a move.
    fn over(&self, position: &Position) -> Option<Over> {
        let why = "let the other make three in a row";
        let over = Over { value: Value::Loss(0), kind: "terminal", why, end: "three in a row" };
        has_row(position.men().other).then_some(over)
    }

    fn label(&self, _: &Position, played: &Move) -> String {
        let from = played.from.map_or(String::new(), |from| name(from) + "-");
        from + &name(played.to)
    }

    fn path(&self, _: &Position, played: &Move) -> Vec<usize> {
        played.from.into_iter().chain([played.to]).map(cell).collect()
    }

    fn picture(position: &Position) -> Option<String> {
        let mut cells = LINES.concat().replace('o', ".").into_bytes();
        for (letter, men) in [b'X', b'O'].into_iter().zip(position.sides) {
            points(men).for_each(|point| cells[cell(point)] = letter);
        }
        let row = |(name, row): (&str, &[u8])| format!("{name} {}\n", String::from_utf8_lossy(row));
        let rows = ["3", " ", "2", " ", "1"].into_iter().zip(cells.chunks(5)).map(row);
        Some(rows.collect::<String>() + "  a b c")
    }

    fn view(position: &Position) -> View {
        let ground = |sign| if sign == 'o' { Ground::Floor } else { Ground::Line(sign) };
        let men = [(0, 'X'), (1, 'O')].into_iter().flat_map(|(side, letter)| {
            points(position.sides[side]).map(move |point| Man { cell: cell(point), letter, side })
        });
        let names = |names: [&str; 5]| names.map(str::to_owned).to_vec();
        View {
            columns: 5,
            cells: LINES.iter().flat_map(|line| line.chars()).map(ground).collect(),
            men: men.collect(),
            names: Some((names(["3", "", "2", "", "1"]), names(["a", "", "b", "", "c"]))),
            pieces: false,
        }
    }

    fn hand(position: &Position) -> Vec<(char, u32)> {
        let hand = ['X', 'O'].into_iter().zip(position.sides);
        let hand = hand.map(|(letter, men)| (letter, MEN - men.count_ones()));
        if hand.clone().all(|(_, men)| men == 0) { vec![] } else { hand.collect() }
    }

    fn moved(position: &Position, man: usize, to: usize) -> Option<Position> {
        let to = (0..POINTS).find(|&point| cell(point) == to)?;
        let all = [0, 1]
            .into_iter()
            .flat_map(|side| points(position.sides[side]).map(move |point| (side, point)));
        let (side, from) = all.collect::<Vec<_>>().get(man).copied()?;
        let mut moved = *position;
        moved.sides[side] &= !(1 << from);
        if (moved.sides[0] | moved.sides[1]) >> to & 1 != 0 {
            return None;
        }
        moved.sides[side] |= 1 << to;
        Position::read(&moved.to_string()).ok()
    }
}

/// The place of a point in the view. Points lie in every second row and column.
fn cell(point: u32) -> usize {
    (2 * (point / 3) * 5 + 2 * (point % 3)) as usize
}
