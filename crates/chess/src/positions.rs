//! Chess for people: its positions as FENs, its moves as SAN and UCI, its board.

use std::ops::Range;

use retrograde::Value;
use retrograde_regions::{
    Family, Ground, Man, Over, Positions, Style, Tablebase, TablebaseError, Told, View,
};
use serde_json::{Value as Json, json};

use crate::family::Chess;
use crate::fen::FenError;
use crate::index::Index;
use crate::material::Material;
use crate::moves::Move;
use crate::piece::{Color, Role, Square};
use crate::position::Position;
use crate::report::report;

impl Positions for Chess {
    type Position = Position;
    type Move = Move;
    type Index = Index;

    const GAME: &'static str = "chess";
    const BUILD: &'static str = "retrograde build chess --pieces 3";
    const STYLE: Style = Style {
        position: "FEN",
        move_width: 8,
        entries: &["uci", "san"],
        columns: &["uci"],
        moves: Some("mate in"),
        pgn: true,
        lists: true,
        map: false,
        told: ("placements", "placements on the board, symmetric ones and all"),
    };

    fn of_manifest(name: Option<&str>) -> Option<Chess> {
        name.is_none_or(|name| name == Chess.name()).then_some(Chess)
    }

    fn region(&self, name: &str) -> Result<Material, String> {
        name.parse().map_err(|error: crate::MaterialError| error.to_string())
    }

    /// `king and queen against king and rook`.
    fn title(&self, material: &Material) -> Option<String> {
        let side = |color| {
            let men = Role::MEN.map(|role| (role, material.count(color, role)));
            let men = men.into_iter().filter(|(_, count)| *count > 0);
            let men = men.map(|(role, count)| match count {
                1 => role.word().to_owned(),
                _ => format!("{count} {}s", role.word()),
            });
            let all: Vec<String> = std::iter::once("king".to_owned()).chain(men).collect();
            match all.split_last() {
                Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
                _ => all.concat(),
            }
        };
        Some(format!("{} against {}", side(Color::White), side(Color::Black)))
    }

    /// In order of solving.
    fn sort(&self, materials: &mut [Material]) {
        materials.sort_unstable();
    }

    fn index(&self, material: &Material) -> Index {
        Index::new(*material)
    }

    fn read(&self, fen: &str) -> Result<Position, String> {
        fen.trim().parse().map_err(|error: FenError| error.to_string())
    }

    /// A FEN that was not quoted comes in four to six words.
    fn gather(words: Vec<String>) -> Vec<String> {
        let fields = |fen: &str| fen.split([' ', '_']).filter(|field| !field.is_empty()).count();
        let mut fens: Vec<String> = Vec::new();
        for word in words {
            match fens.last_mut() {
                Some(fen) if fen.contains('/') && !word.contains('/') && fields(fen) < 6 => {
                    fen.push(' ');
                    fen.push_str(&word);
                }
                _ => fens.push(word),
            }
        }
        fens
    }

    /// Two bare kings are drawn, and in no table.
    fn place(&self, position: &Position) -> Result<Material, Value> {
        position.material().map(|(material, _)| material).ok_or(Value::Draw)
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
        let over = |value, kind, why, end| Some(Over { value, kind, why, end });
        match (position.moves().is_empty(), position.in_check()) {
            (true, true) => over(Value::Loss(0), "checkmate", "mated", "mate"),
            (true, false) => over(Value::Draw, "stalemate", "no move is left", "stalemate"),
            (false, _) if position.material().is_none() => {
                over(Value::Draw, "bare kings", "two bare kings", "two bare kings")
            }
            (false, _) => None,
        }
    }

    fn label(&self, position: &Position, played: &Move) -> String {
        position.san(played)
    }

    fn entries(&self, position: &Position, played: &Move) -> Vec<(&'static str, String)> {
        vec![("uci", played.to_string()), ("san", position.san(played))]
    }

    /// UCI, SAN without its signs, and both squares with the letter of the piece.
    fn spellings(&self, position: &Position, played: &Move) -> Vec<String> {
        let plain = position.san(played).replace(['+', '#'], "");
        let letter =
            position.piece_at(played.from).map(|piece| piece.letter().to_ascii_uppercase());
        let letter = letter.filter(|letter| *letter != 'P').map_or(String::new(), String::from);
        let between = if played.captured.is_some() { "x" } else { "-" };
        vec![
            format!("{letter}{played}"),
            format!("{letter}{}{between}{}", played.from, &played.to_string()[2..]),
            played.to_string(),
            plain.replace(['x', '='], ""),
            plain.replace('x', ""),
            plain.replace('=', ""),
            plain,
        ]
    }

    fn path(&self, _: &Position, played: &Move) -> Vec<usize> {
        vec![cell(played.from), cell(played.to)]
    }

    fn view(position: &Position) -> View {
        let ground = |cell: usize| match (cell / 8 + cell % 8) % 2 {
            1 => Ground::Dark,
            _ => Ground::Floor,
        };
        let man = |(piece, square): (crate::Piece, Square)| Man {
            cell: cell(square),
            letter: piece.letter(),
            side: piece.color as usize,
        };
        let ranks = (1..=8).rev().map(|rank: u8| rank.to_string()).collect();
        let files = ('a'..='h').map(String::from).collect();
        View {
            columns: 8,
            cells: (0..64).map(ground).collect(),
            men: position.placed().map(man).collect(),
            names: Some((ranks, files)),
            pieces: true,
        }
    }

    fn moved(position: &Position, man: usize, to: usize) -> Option<Position> {
        let to = Square::at((to % 8) as u8, (7 - to / 8) as u8);
        let mut placed: Vec<_> = position.placed().collect();
        let (_, from) = placed[man];
        if to != from && position.piece_at(to).is_some() {
            return None;
        }
        placed[man].1 = to;
        Position::new(&placed, position.turn(), None).ok()
    }

    /// The same placement with black to move is one block further on. So this needs no position.
    fn passed(index: &Index, states: Range<u64>, visit: &mut dyn FnMut(u64, u64)) {
        let (placements, stride) = (index.placements(), index.turn_stride());
        let words = states.step_by(64).filter(|state| *state < placements);
        for state in words.filter(|state| (state / stride).is_multiple_of(2)) {
            let mut both =
                !(index.invalid_states(state / 64) | index.invalid_states((state + stride) / 64));
            while both != 0 {
                let at = state + u64::from(both.trailing_zeros());
                both &= both - 1;
                visit(at, at + stride);
            }
        }
    }

    fn told(parameters: &Json) -> Vec<Told<'_>> {
        let told = |side: &str| {
            let said = &parameters[side];
            Told { side: side.to_owned(), said, such: said["fen"].as_str() }
        };
        Self::PLAYERS.map(told).into()
    }

    fn told_object(parameters: &Json) -> Json {
        let side = |name: &str| {
            let said = &parameters[name];
            json!({
                "win": said["win"], "draw": said["draw"], "loss": said["loss"],
                "longest": said["longest"], "fen": said["fen"],
            })
        };
        json!({ "white": side("white"), "black": side("black") })
    }

    /// In the JSON format of lichess's table server.
    fn object(tables: &Tablebase<Chess>, position: &Position) -> Result<Json, TablebaseError> {
        Ok(json!(report(tables, position)?))
    }
}

/// Where a square lies on the board as it is drawn, from the top left.
fn cell(square: Square) -> usize {
    usize::from(7 - square.rank()) * 8 + usize::from(square.file())
}
