//! Positions of morris, for a folder of tables.

use std::cmp::Reverse;
use std::ops::Range;

use retrograde::Value;
use retrograde_boards::squares;
use retrograde_regions::{Family, Ground, Man, Over, Positions, Told, View};
use retrograde_table::About;
use serde_json::Value as Json;

use crate::board::{Board, Men};
use crate::family::{GAME, Morris};
use crate::index::Index;
use crate::picture::picture;
use crate::position::{Move, Position, Side};
use crate::region::Region;

/// An open folder of tables of morris.
pub type Tablebase = retrograde_regions::Tablebase<Morris>;
/// An open region: its numbering and its table.
pub type Opened = retrograde_regions::Opened<Index>;
/// The value of a position and of each of its moves.
pub type Answer = retrograde_regions::Answer<Position, Move>;
/// A move, its target and its value.
pub type Choice = retrograde_regions::Choice<Position, Move>;

impl Positions for Morris {
    type Position = Position;
    type Move = Move;
    type Index = Index;

    const GAME: &'static str = GAME;
    const BUILD: &'static str = "retrograde build morris --men 3";

    fn of_manifest(name: Option<&str>) -> Option<Morris> {
        Men::ALL.into_iter().map(Morris::new).find(|morris| Some(Family::name(morris)) == name)
    }

    fn of_table(about: &About) -> Option<Morris> {
        let men = about.parameters["men"].as_u64()?;
        Men::of(men.try_into().ok()?).map(Morris::new)
    }

    fn region(&self, name: &str) -> Result<Region, String> {
        Region::named(self.men(), name).map_err(|error| error.to_string())
    }

    fn title(&self, region: &Region) -> Option<String> {
        let (own, other) = region.blocks()[0];
        Some(match region.placed() {
            Some(0) => "the empty board".to_owned(),
            Some(1) => "one man placed".to_owned(),
            Some(placed) => {
                format!(
                    "{placed} men placed: {own} on the board of the side to move, {other} of the other"
                )
            }
            None => format!("all men placed: {own} against {other}"),
        })
    }

    /// First the regions with all stones placed, the smallest first, then those of the placing phase, the
    /// latest first.
    fn sort(&self, regions: &mut [Region]) {
        regions
            .sort_unstable_by_key(|region| (Reverse(region.placed().unwrap_or(u32::MAX)), *region));
    }

    fn index(&self, region: &Region) -> Index {
        self.index(*region)
    }

    fn start(&self) -> Option<Position> {
        Some(Position::start(self.men()))
    }

    fn read(&self, text: &str) -> Result<Position, String> {
        Position::read(self.men(), text).map_err(|error| error.to_string())
    }

    fn place(&self, position: &Position) -> Result<Region, Value> {
        position.region().ok_or(Value::Loss(0))
    }

    fn states(index: &Index) -> u64 {
        index.states()
    }

    fn state(index: &Index, position: &Position) -> u64 {
        index.state(position)
    }

    fn position(index: &Index, state: u64) -> Option<Position> {
        index.position(state)
    }

    fn player(position: &Position) -> usize {
        position.turn() as usize
    }

    fn moves(&self, position: &Position) -> Vec<(Move, Position)> {
        let after = |played: Move| (played, position.play(&played));
        position.moves().into_iter().map(after).collect()
    }

    fn over(&self, position: &Position) -> Option<Over> {
        let over = |kind, why| Some(Over { value: Value::Loss(0), kind, why, end: why });
        if position.is_worn() {
            return over("terminal", "fewer than three stones left");
        }
        if position.moves().is_empty() { over("stuck", "no move left") } else { None }
    }

    fn label(&self, position: &Position, played: &Move) -> String {
        position.text(played)
    }

    fn path(&self, _: &Position, played: &Move) -> Vec<usize> {
        let board = self.men().board();
        let points = [played.from, Some(played.to), played.taken].into_iter().flatten();
        points.map(|point| cell(board, point)).collect()
    }

    fn picture(position: &Position) -> Option<String> {
        Some(picture(position).trim_end_matches('\n').to_owned())
    }

    /// The points in every second row and column, with lines between them.
    fn view(position: &Position) -> View {
        let board = position.men().board();
        let side = board.side as usize;
        let columns = 2 * side - 1;
        let mut cells = vec![Ground::Line(' '); columns * columns];
        for point in 0..board.points() {
            for beside in squares(board.neighbours(point)) {
                let (from, to) = (cell(board, point), cell(board, beside));
                let (step, line) =
                    if from / columns == to / columns { (1, '-') } else { (columns, '|') };
                (from..to).step_by(step).for_each(|at| cells[at] = Ground::Line(line));
            }
        }
        (0..board.points()).for_each(|point| cells[cell(board, point)] = Ground::Floor);
        let men =
            [(Side::White, 'O'), (Side::Black, 'X')].into_iter().flat_map(|(side, letter)| {
                let man =
                    move |point| Man { cell: cell(board, point), letter, side: side as usize };
                squares(position.stones(side)).map(man)
            });
        let name =
            |at: usize, name: String| if at.is_multiple_of(2) { name } else { String::new() };
        let row = |at: usize| name(at, (side - at / 2).to_string());
        let column = |at: usize| name(at, char::from(b'a' + at as u8 / 2).to_string());
        let names = ((0..columns).map(row).collect(), (0..columns).map(column).collect());
        View { columns, cells, men: men.collect(), names: Some(names), pieces: false }
    }

    fn hand(position: &Position) -> Vec<(char, u32)> {
        let hand = [(Side::White, 'O'), (Side::Black, 'X')];
        let hand = hand.map(|(side, letter)| (letter, position.hand(side)));
        if hand.iter().all(|(_, men)| *men == 0) { vec![] } else { hand.into() }
    }

    fn moved(position: &Position, man: usize, to: usize) -> Option<Position> {
        let board = position.men().board();
        let point = (0..board.points()).find(|&point| cell(board, point) == to)?;
        position.with(man, point)
    }

    /// Visits each placement once in which either side can be to move.
    fn passed(index: &Index, states: Range<u64>, visit: &mut dyn FnMut(u64, u64)) {
        for state in states {
            let passed = index.position(state).and_then(|position| position.passed());
            if let Some(passed) = passed {
                visit(state, index.state(&passed));
            }
        }
    }

    fn told(parameters: &Json) -> Vec<Told<'_>> {
        let sides = parameters["sides"].as_array().into_iter().flatten();
        sides
            .map(|said| Told {
                side: format!("{}-{}", said["own"], said["other"]),
                said,
                such: said["position"].as_str(),
            })
            .collect()
    }

    fn told_object(parameters: &Json) -> Json {
        parameters["sides"].clone()
    }
}

/// The cell of a point in the view of a board.
fn cell(board: &Board, point: u32) -> usize {
    let (column, row) = board.cell(point);
    (2 * row * (2 * board.side - 1) + 2 * column) as usize
}
