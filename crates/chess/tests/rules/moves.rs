//! Legal moves against `cozy-chess`, on half a million random positions.

use cozy_chess::util::{display_san_move, display_uci_move};
use cozy_chess::{Board, BoardBuilder};
use retrograde_chess::{Color, Illegal, Material, Piece, Position, Role, Square};
use retrograde_testkit::{Rng, cases, seed};

use super::throw;

fn other_piece(role: Role) -> cozy_chess::Piece {
    match role {
        Role::King => cozy_chess::Piece::King,
        Role::Queen => cozy_chess::Piece::Queen,
        Role::Rook => cozy_chess::Piece::Rook,
        Role::Bishop => cozy_chess::Piece::Bishop,
        Role::Knight => cozy_chess::Piece::Knight,
        Role::Pawn => cozy_chess::Piece::Pawn,
    }
}

fn other_color(color: Color) -> cozy_chess::Color {
    match color {
        Color::White => cozy_chess::Color::White,
        Color::Black => cozy_chess::Color::Black,
    }
}

/// The same board in the other program, if that accepts it.
fn other_board(placed: &[(Piece, Square)], turn: Color, passed: Option<Square>) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    for &(piece, square) in placed {
        builder.board[usize::from(square.number())] =
            Some((other_piece(piece.role), other_color(piece.color)));
    }
    builder.side_to_move = other_color(turn);
    builder.en_passant = passed.map(|square| cozy_chess::Square::index(square.number().into()));
    builder.build().ok()
}

/// Every move as three small numbers.
fn bare(position: &Position) -> Vec<[u8; 3]> {
    let become_number = |role| 1 + other_piece(role) as u8;
    let mut moves: Vec<_> = position
        .moves()
        .iter()
        .map(|m| [m.from.number(), m.to.number(), m.promotion.map_or(0, become_number)])
        .collect();
    moves.sort_unstable();
    moves
}

fn other_bare(board: &Board) -> Vec<[u8; 3]> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(
            of_piece.into_iter().map(|m| {
                [m.from as u8, m.to as u8, m.promotion.map_or(0, |piece| 1 + piece as u8)]
            }),
        );
        false
    });
    moves.sort_unstable();
    moves
}

/// Compares every move: its name in UCI, its name in SAN, and the board after it.
fn named(position: &Position) -> Vec<[String; 3]> {
    let names = |played: &retrograde_chess::Move| {
        let after = position.play(played).to_string();
        [played.to_string(), position.san(played), board_and_turn(&after)]
    };
    let mut moves: Vec<_> = position.moves().iter().map(names).collect();
    moves.sort();
    moves
}

fn other_named(board: &Board) -> Vec<[String; 3]> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        for played in of_piece {
            let mut after = board.clone();
            after.play(played);
            moves.push([
                display_uci_move(board, played).to_string(),
                display_san_move(board, played).to_string(),
                board_and_turn(&after.to_string()),
            ]);
        }
        false
    });
    moves.sort();
    moves
}

/// The first two fields. The other program keeps an en passant square even if no pawn can capture there.
fn board_and_turn(fen: &str) -> String {
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// Half of the pawns and their neighbours stand where en passant captures happen.
fn crowd(rng: &mut Rng, placed: &mut [(Piece, Square)]) -> Option<Square> {
    let pawn = |color| Piece { color, role: Role::Pawn };
    let (pushed, captor) = rng.pick(&[(Color::White, Color::Black), (Color::Black, Color::White)]);
    let rank = [3, 4][pushed as usize];
    let file = rng.below(8) as u8;
    let beside = if file == 0 || (file < 7 && rng.chance(50)) { file + 1 } else { file - 1 };
    let pushed_slot = placed.iter().position(|&(piece, _)| piece == pawn(pushed))?;
    let captor_slot = placed.iter().position(|&(piece, _)| piece == pawn(captor))?;
    placed[pushed_slot].1 = Square::at(file, rank);
    placed[captor_slot].1 = Square::at(beside, rank);
    Some(Square::at(file, [2, 5][pushed as usize]))
}

#[test]
fn moves_are_those_of_another_generator() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let materials: Vec<_> = (3..=6).map(Material::all).collect();
    let (mut compared, mut refused, mut in_passing) = (0, 0, 0);
    let positions = cases(5_000_000) as u32;
    while compared < positions {
        let of_size = &materials[rng.below(4) as usize];
        let material = of_size[rng.below(of_size.len() as u64) as usize];
        let mut placed = throw(&mut rng, material.slots());
        let passed = if rng.chance(50) { crowd(&mut rng, &mut placed) } else { None };
        let turn = match passed {
            Some(square) if square.rank() == 2 => Color::Black,
            Some(_) => Color::White,
            None => rng.pick(&[Color::White, Color::Black]),
        };
        let ours = Position::new(&placed, turn, passed);
        if let Err(Illegal::Shared(_)) = ours {
            continue;
        }
        let theirs = other_board(&placed, turn, passed);
        match (ours, theirs) {
            (Ok(position), Some(board)) => {
                compared += 1;
                assert_eq!(bare(&position), other_bare(&board), "{position}");
                if compared % 50 == 0 {
                    in_passing += u32::from(position.moves().iter().any(|m| m.en_passant));
                    assert_eq!(named(&position), other_named(&board), "{position}");
                }
            }
            // The other program refuses three checks at once. No game leads to them, but all counts include them.
            (Ok(position), None) => assert!(position.in_check(), "{position}"),
            // It accepts kings that touch. It also accepts a check that existed before the double step and that the
            // pawn now blocks.
            (Err(Illegal::KingsTouch), Some(_)) => refused += 1,
            (Err(Illegal::EnPassant(..)), Some(_)) => refused += 1,
            (Err(illegal), Some(board)) => panic!("{illegal}: {board}"),
            (Err(_), None) => refused += 1,
        }
    }
    assert!(refused > positions / 100, "some positions are illegal");
    assert!(in_passing > positions / 50_000, "some pawns are captured in passing");
}
