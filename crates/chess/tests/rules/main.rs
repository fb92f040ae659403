//! Chess against judges that share nothing with it: another move generator, published counts, and the
//! engine's audit.

mod counts;
mod fen;
mod index;
mod moves;
mod regions;
mod words;

use retrograde_chess::{Color, Material, Piece, Position, Role, Square};
use retrograde_testkit::Rng;

/// Pieces on random squares, legal or not.
fn throw(rng: &mut Rng, pieces: impl Iterator<Item = Piece>) -> Vec<(Piece, Square)> {
    let mut taken = 0u64;
    pieces
        .map(|piece| {
            let ranks = if piece.role == Role::Pawn { 1..7 } else { 0..8 };
            loop {
                let square = Square::at(rng.below(8) as u8, rng.within(ranks.clone()) as u8);
                if taken & square.bit() == 0 {
                    taken |= square.bit();
                    return (piece, square);
                }
            }
        })
        .collect()
}

/// A random legal position of a material, sometimes with an en passant capture.
fn position(rng: &mut Rng, material: Material) -> Position {
    loop {
        let placed = throw(rng, material.slots());
        let turn = rng.pick(&[Color::White, Color::Black]);
        let pushed = Piece {
            color: if turn == Color::White { Color::Black } else { Color::White },
            role: Role::Pawn,
        };
        let passed = placed
            .iter()
            .find(|&&(piece, square)| {
                piece == pushed && square.rank() == [3, 4][pushed.color as usize]
            })
            .filter(|_| rng.chance(80))
            .map(|&(_, square)| Square::at(square.file(), [2, 5][pushed.color as usize]));
        if let Ok(position) = Position::new(&placed, turn, passed) {
            return position;
        }
    }
}
