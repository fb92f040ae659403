//! Every value follows from the moves of another program.
//!
//! `RETROGRADE_ENDGAMES` names another folder of tables to probe, and `RETROGRADE_POSITIONS` the number of positions.

use std::env;

use cozy_chess::{
    BitBoard, Board, Color, Square, get_bishop_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};
use retrograde_chess::{Index, Position, Tablebase, Value};
use retrograde_testkit::{Rng, seed};

use crate::FOLDER;
use crate::asked::bitboards;

/// A random state of the folder's tables. One in four has an en passant capture.
fn random(indexes: &[Index], rng: &mut Rng) -> Position {
    loop {
        let passing = rng.chance(25);
        let index = &indexes[rng.below(indexes.len() as u64) as usize];
        let first = if passing { index.placements() } else { 0 };
        if first == index.states() {
            continue;
        }
        if let Some(position) = index.position(rng.within(first..index.states())) {
            return position;
        }
    }
}

/// How many men give check. No game leads to more than two, and the other program refuses them, but tables have them.
fn checkers(position: &Position) -> u32 {
    let sets = position.bitboards();
    let (color, own, other) = match sets.turn {
        retrograde_chess::Color::White => (Color::White, sets.white, sets.black),
        retrograde_chess::Color::Black => (Color::Black, sets.black, sets.white),
    };
    let king = Square::index((sets.kings & own).trailing_zeros() as usize);
    let all = BitBoard(own | other);
    let checks = get_rook_moves(king, all).0 & (sets.rooks | sets.queens)
        | get_bishop_moves(king, all).0 & (sets.bishops | sets.queens)
        | get_knight_moves(king).0 & sets.knights
        | get_pawn_attacks(king, color).0 & sets.pawns;
    (checks & other).count_ones()
}

/// The value of the best legal move, according to the table.
fn best_of_moves(tables: &Tablebase, board: &Board) -> Value {
    let mut best: Option<Value> = None;
    board.generate_moves(|moves| {
        for played in moves {
            let mut after = board.clone();
            after.play(played);
            let worth = tables.value(&bitboards(&after)).unwrap().after_move(false);
            if best.is_none_or(|best| best < worth) {
                best = Some(worth);
            }
        }
        false
    });
    let stuck = if board.checkers().is_empty() { Value::Draw } else { Value::Loss(0) };
    best.unwrap_or(stuck)
}

#[test]
fn random_positions_are_worth_one_ply_more_than_their_best_move() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let given = env::var_os("RETROGRADE_ENDGAMES");
    let folder = given.clone().map_or_else(|| FOLDER.clone(), Into::into);
    let positions = env::var("RETROGRADE_POSITIONS")
        .map_or(2_000, |count| count.parse().expect("RETROGRADE_POSITIONS is a number"));
    let tables = Tablebase::open(&folder).unwrap();
    let indexes: Vec<Index> = tables.regions().into_iter().map(Index::new).collect();
    let (mut decided, mut passing) = (0, 0);
    for _ in 0..positions {
        let position = loop {
            let position = random(&indexes, &mut rng);
            if checkers(&position) <= 2 {
                break position;
            }
        };
        let fen = position.to_string();
        let board: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error:?}"));
        let value = tables.value(&position).unwrap();
        assert_eq!(value, best_of_moves(&tables, &board), "{fen}");
        decided += u64::from(value != Value::Draw);
        passing += u64::from(board.en_passant().is_some());
    }
    println!("{positions} positions, {decided} decided, {passing} with a capture in passing");
    assert!(decided > positions / 10);
    assert!(given.is_some() || passing > positions / 100, "FOLDER has no capture in passing");
}
