//! Chess endgames as fields to play on.

use retrograde::Value;
use retrograde_chess::{Color, Position, Square, Tablebase};

use super::field::{Choice, Field, Grid, Node, Paint, Record, Tile, View};
use super::record;
use crate::source::endgames::position;
use crate::term::failure::{Failure, input};

/// Chess with the tables of a folder.
pub(crate) struct OfChess<'a> {
    /// What was asked for: `chess endgames`.
    pub(crate) title: String,
    /// The tables.
    pub(crate) tables: &'a Tablebase,
}

impl Field for OfChess<'_> {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn sides(&self) -> [String; 2] {
        ["white", "black"].map(str::to_owned)
    }

    fn alike(&self) -> bool {
        false
    }

    fn look(&self, text: &str) -> Result<Node, Failure> {
        let at = position(text)?;
        let answer = self.tables.probe(&at).map_err(input)?;
        let bare = at.material().is_none();
        let moves = answer.moves.iter().map(|choice| {
            let label = at.san(&choice.played);
            let plain = label.replace(['+', '#'], "");
            Choice {
                also: vec![
                    choice.played.to_string(),
                    plain.replace(['x', '='], ""),
                    plain.replace('x', ""),
                    plain,
                ],
                label,
                to: Some(choice.after.to_string()),
                value: choice.value,
                keeps_turn: false,
                path: vec![cell(choice.played.from), cell(choice.played.to)],
            }
        });
        // Two bare kings could go on for ever, and there is nothing to be seen.
        let moves: Vec<Choice> = if bare { vec![] } else { moves.collect() };
        if moves.first().is_some_and(|best| best.value != answer.value) {
            return Err(Failure::Input(format!(
                "{at}: the best move is not worth what the position is said to be; `retrograde verify` finds \
                 what is wrong"
            )));
        }
        let end = match (bare, answer.value) {
            (true, _) => "two bare kings",
            (_, Value::Draw) => "stalemate",
            _ => "mate",
        };
        Ok(Node {
            text: at.to_string(),
            side: Some(at.turn() as usize),
            value: answer.value,
            moves,
            end,
            view: View::Grid(grid(&at)),
        })
    }

    /// Words of PGN: without numbers, remarks, tags and results.
    fn words<'a>(&self, line: &'a str) -> Vec<&'a str> {
        let line = line.trim();
        if line.starts_with(['[', '#', '%']) {
            return vec![];
        }
        if line.starts_with(":new ") || line.starts_with("new ") {
            return vec![line];
        }
        let mut words = Vec::new();
        let mut rest = line;
        while !rest.is_empty() {
            if let Some(remark) = rest.strip_prefix('{') {
                rest = remark.split_once('}').map_or("", |(_, rest)| rest).trim_start();
                continue;
            }
            let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            rest = after.trim_start();
            // A number may stand against its move: `1.Kb2`.
            let after_number = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
            let word = match after_number.strip_prefix('.') {
                Some(after) if after_number.len() < word.len() => after.trim_start_matches('.'),
                _ => word,
            };
            if !word.is_empty() && !["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
                words.push(word);
            }
        }
        words
    }

    fn written(&self, record: &Record<'_>) -> String {
        record::pgn(record)
    }
}

/// Where a square lies on the board as it is drawn, from the top left.
fn cell(square: Square) -> usize {
    usize::from(7 - square.rank()) * 8 + usize::from(square.file())
}

fn grid(at: &Position) -> Grid {
    let square = |cell: usize| Square::at((cell % 8) as u8, (7 - cell / 8) as u8);
    let tile = |cell: usize| {
        let dark = (cell / 8 + cell % 8) % 2 == 1;
        match at.piece_at(square(cell)) {
            Some(piece) => {
                let side = usize::from(piece.color == Color::Black);
                Tile { sign: piece.letter(), paint: Paint::Man(side, dark) }
            }
            None if dark => Tile { sign: '.', paint: Paint::Dark },
            None => Tile { sign: '.', paint: Paint::Floor },
        }
    };
    let ranks = (1..=8).rev().map(|rank: u8| rank.to_string()).collect();
    let files = ('a'..='h').map(String::from).collect();
    Grid { columns: 8, cells: (0..64).map(tile).collect(), names: Some((ranks, files)) }
}
