//! The numbering: every position has a state, symmetric ones share it, and counts are of placements.

use std::collections::BTreeSet;

use retrograde_chess::{Color, Index, Material, Piece, Position, Role, Square};
use retrograde_testkit::{Rng, seed};

use super::position;

/// The position moved by a symmetry of the board.
fn moved(position: &Position, symmetry: u8) -> Position {
    let square = |at: Square| {
        let (mut file, mut rank) = (at.file(), at.rank());
        if symmetry & 1 != 0 {
            file = 7 - file;
        }
        if symmetry & 2 != 0 {
            rank = 7 - rank;
        }
        if symmetry & 4 != 0 { Square::at(rank, file) } else { Square::at(file, rank) }
    };
    let placed: Vec<_> = position.placed().map(|(piece, at)| (piece, square(at))).collect();
    Position::new(&placed, position.turn(), position.en_passant().map(square)).unwrap()
}

fn symmetries(material: Material) -> u8 {
    if material.pawns() > 0 { 2 } else { 8 }
}

fn balanced(material: Material, role: Role) -> bool {
    material.count(Color::White, role) == material.count(Color::Black, role)
}

#[test]
fn a_position_s_state_is_that_of_one_of_its_images() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    for material in (3..=6).flat_map(Material::all) {
        let index = Index::new(material);
        for _ in 0..20 {
            let position = position(&mut rng, material);
            let state = index.state(&position);
            let found = index.position(state).expect("a legal position is not invalid");
            let images: Vec<_> =
                (0..symmetries(material)).map(|symmetry| moved(&position, symmetry)).collect();
            assert!(images.contains(&found), "{material} {state}: {position} became {found}");
            assert_eq!(index.state(&found), state, "{material}: {found}");
            if material.slots().skip(2).any(|piece| !balanced(material, piece.role)) {
                assert_eq!(index.state(&position.flipped()), state, "{material}: {position}");
            }
            // There are two states at most: if both kings stand on a diagonal, the reflection has a state of its own.
            let states: BTreeSet<_> = images.iter().map(|image| index.state(image)).collect();
            assert!(states.len() <= 2, "{material}: {position} is {states:?}");
            assert!(states.iter().all(|&state| images.contains(&index.position(state).unwrap())));
        }
    }
}

#[test]
fn every_state_that_is_not_invalid_is_the_state_of_its_position() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    for material in (3..=6).flat_map(Material::all) {
        let index = Index::new(material);
        let states = match material.pieces() {
            3 => (0..index.states()).collect::<Vec<_>>(),
            _ => (0..2000)
                .map(|_| rng.below(index.states()))
                .chain((0..200).map(|back| index.states() - 1 - back))
                .collect(),
        };
        for state in states {
            if let Some(position) = index.position(state) {
                assert_eq!(index.state(&position), state, "{material}: {position}");
                let passing = state >= index.placements();
                assert_eq!(position.en_passant().is_some(), passing, "{material}: {position}");
            }
        }
    }
}

/// Every way to put the pieces of a material on the board such that the position is legal with each side to move. Equal
/// pieces have no order.
fn raw_placements(material: Material) -> [u64; 2] {
    let pieces: Vec<Piece> = material.slots().collect();
    let mut counts = [0; 2];
    let mut placed: Vec<(Piece, Square)> = Vec::new();
    place(&pieces, &mut placed, &mut counts);
    counts
}

fn place(pieces: &[Piece], placed: &mut Vec<(Piece, Square)>, counts: &mut [u64; 2]) {
    let Some(&piece) = pieces.get(placed.len()) else {
        for turn in [Color::White, Color::Black] {
            counts[turn as usize] += u64::from(Position::new(placed, turn, None).is_ok());
        }
        return;
    };
    // Equal pieces stand in ascending order, so each set of squares occurs once.
    let like = placed.last().filter(|(last, _)| *last == piece).map(|(_, square)| square.number());
    for number in like.map_or(0, |last| last + 1)..64 {
        let square = Square::new(number);
        if placed.iter().all(|&(_, other)| other != square)
            && !(piece.role == Role::Pawn && matches!(square.rank(), 0 | 7))
        {
            placed.push((piece, square));
            place(pieces, placed, counts);
            placed.pop();
        }
    }
}

#[test]
fn blocks_count_every_placement_once() {
    for material in Material::all(3) {
        let index = Index::new(material);
        let mut counts = [0; 2];
        let mut next = 0;
        for block in index.blocks() {
            assert_eq!(block.states.start, next);
            next = block.states.end;
            let legal = block.states.clone().filter(|&state| index.position(state).is_some());
            counts[block.turn as usize] += legal.count() as u64 * u64::from(block.multiplicity);
        }
        assert_eq!(next, index.placements());
        assert_eq!(counts, raw_placements(material), "{material}");
    }
}

#[test]
fn sizes_are_those_of_the_formula() {
    for (material, states) in [
        ("KQvK", 462 * 2 * 64),
        ("KPvK", 1806 * 2 * 64),
        ("KQvKR", 462 * 2 * 64 * 64),
        ("KQQvK", 462 * 2 * 64 * 64),
        ("KQQvKR", 462 * 2 * 2016 * 64),
        ("KRBvKR", 462 * 2 * 64 * 64 * 64),
        ("KQPvKP", 1806 * 2 * (48 * 48 * 64 + 14 * 64)),
        ("KPPvKP", 1806 * 2 * (1128 * 64 + 14 * 64)),
        ("KPPPvK", 1806 * 2 * 1128 * 64),
        ("KPPvKPP", 1806 * 2 * (48 * 1128 * 64 + 14 * 64 * 64)),
        ("KQQQQvK", 462 * 2 * 41664 * 64),
    ] {
        assert_eq!(Index::new(material.parse().unwrap()).states(), states, "{material}");
    }
}
