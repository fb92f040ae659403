//! Pictures of chess: a position with its best line, a map of one piece's squares, the distances of an endgame.

use retrograde::Value;
use retrograde_chess::{Piece, Position, Square};
use retrograde_picture::{Board, Cell, Figure, Histogram, Legend, Man, Way};

use super::game::totals;
use crate::source::endgames::{Endgames, name, position};
use crate::term::failure::{Failure, input};
use crate::term::number::plies;

/// So many moves of the best line are drawn as arrows; the rest is written below.
const ARROWS: usize = 2;

impl Endgames {
    /// A position with its best line.
    pub(super) fn draw_position(&self, fen: Option<String>, lines: bool) -> Result<Board, Failure> {
        let at = self.position_meant(fen)?;
        let value = self.tables.value(&at).map_err(input)?;
        let mut board = board(&at);
        board.notes = vec![self.verdict(&at, value), at.to_string()];
        if lines {
            let (moves, text) = self.best_play(&at)?;
            board.ways = moves
                .iter()
                .take(ARROWS)
                .enumerate()
                .map(|(number, (from, to))| Way {
                    cells: vec![cell(*from), cell(*to)],
                    side: number % 2,
                    label: (number + 1).to_string(),
                })
                .collect();
            board.notes.push(text);
        }
        Ok(board)
    }

    /// A position without one of its pieces: what each square is worth with it there.
    pub(super) fn draw_map(&self, fen: Option<String>, of: &str) -> Result<Board, Failure> {
        let at = self.position_meant(fen)?;
        let (piece, square) = piece_meant(&at, of)?;
        let mut board = board(&at);
        for (number, shown) in board.cells.iter_mut().enumerate() {
            let to = square_of(number);
            let placed: Vec<(Piece, Square)> = at
                .placed()
                .map(|(other, on)| if on == square { (piece, to) } else { (other, on) })
                .collect();
            let taken = to != square && at.piece_at(to).is_some();
            // Where it cannot stand, the square stays as it is.
            shown.value = match Position::new(&placed, at.turn(), None) {
                Ok(moved) if !taken => Some(self.tables.value(&moved).map_err(input)?),
                _ => None,
            };
            // A value is told by its colour, and that by no square of a board.
            shown.dark = false;
        }
        let [mover, other] = [at.turn(), !at.turn()].map(name);
        let values = board.cells.iter().filter_map(|cell| cell.value);
        let distances = self.tables.has_distances();
        board.legend = Some(Legend::of(
            format!("won for {mover}"),
            format!("won for {other}"),
            distances,
            values,
        ));
        board.title =
            format!("{}: {mover} to move, {} on every square", title(&at), piece.letter());
        board.notes = vec![
            format!(
                "Each square: what it is worth to {mover} to move, with {} on it and all else as drawn.",
                piece.letter()
            ),
            "Squares without a value: it cannot stand there.".to_owned(),
            at.to_string(),
        ];
        Ok(board)
    }

    /// How many states of an endgame are won and lost at each distance.
    pub(super) fn draw_histogram(&self, logarithmic: bool) -> Result<Histogram, Failure> {
        let material = self.one()?;
        let table = self.tables.opened(&material).map_err(input)?.table();
        let levels = table.levels().map_err(input)?;
        let mut notes = vec![totals(&levels)];
        notes.push(
            "One state for all placements that symmetry makes equal; plies to mate.".to_owned(),
        );
        Ok(Histogram { title: material.to_string(), notes, levels, logarithmic })
    }

    fn position_meant(&self, fen: Option<String>) -> Result<Position, Failure> {
        match fen {
            Some(fen) => position(&fen),
            None => position(&self.longest()?),
        }
    }

    fn verdict(&self, at: &Position, value: Value) -> String {
        let mover = name(at.turn());
        match (value, self.tables.distance(value)) {
            (Value::Draw, _) => "Draw.".to_owned(),
            (Value::Win(_), Some(distance)) => {
                format!("{mover} to move mates in {}.", plies(distance))
            }
            (Value::Loss(_), Some(distance)) => {
                format!("{mover} to move is mated in {}.", plies(distance))
            }
            (Value::Win(_), None) => format!("{mover} to move wins."),
            (Value::Loss(_), None) => format!("{mover} to move loses."),
        }
    }
}

/// The material, as tables are called.
fn title(at: &Position) -> String {
    at.material().map_or("two bare kings".to_owned(), |(material, _)| material.to_string())
}

/// The piece of that letter, if there is one of it, or on that square.
fn piece_meant(at: &Position, of: &str) -> Result<(Piece, Square), Failure> {
    let found: Vec<(Piece, Square)> = at
        .placed()
        .filter(|(piece, square)| square.to_string() == of || piece.letter().to_string() == of)
        .collect();
    match found[..] {
        [one] => Ok(one),
        [] => {
            let there: Vec<String> = at
                .placed()
                .map(|(piece, square)| format!("{} on {square}", piece.letter()))
                .collect();
            Err(Failure::Usage(format!("--of {of}: no such piece; there are {}", there.join(", "))))
        }
        _ => Err(Failure::Usage(format!(
            "--of {of}: there are {} of them; name the square of one",
            found.len()
        ))),
    }
}

fn board(at: &Position) -> Board {
    let cells =
        (0..64).map(|cell| Cell { dark: (cell / 8 + cell % 8) % 2 == 1, ..Cell::default() });
    let men = at.placed().map(|(piece, square)| Man {
        cell: cell(square),
        figure: Figure::Piece { role: piece.role.letter(), white: piece.color as usize == 0 },
    });
    Board {
        title: format!("{}: {} to move", title(at), name(at.turn())),
        notes: vec![],
        columns: 8,
        cells: cells.collect(),
        men: men.collect(),
        ways: vec![],
        names: Some((
            (1..=8).rev().map(|rank: u8| rank.to_string()).collect(),
            ('a'..='h').map(String::from).collect(),
        )),
        legend: None,
    }
}

/// Where a square lies on the board as it is drawn, from the top left.
fn cell(square: Square) -> usize {
    usize::from(7 - square.rank()) * 8 + usize::from(square.file())
}

fn square_of(cell: usize) -> Square {
    Square::at((cell % 8) as u8, (7 - cell / 8) as u8)
}
