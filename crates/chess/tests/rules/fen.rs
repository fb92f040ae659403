//! FEN: a position is written as it was read, and each error names its mistake.

use retrograde_chess::{Material, Position};
use retrograde_testkit::{Rng, seed};

use super::position;

#[test]
fn what_is_written_is_read_as_the_same_position() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    for pieces in 3..=6 {
        for material in Material::all(pieces) {
            for _ in 0..20 {
                let position = position(&mut rng, material);
                assert_eq!(position.to_string().parse(), Ok(position), "{position}");
                assert_eq!(position.to_string().replace(' ', "_").parse(), Ok(position));
                assert_eq!(position.flipped().flipped(), position);
            }
        }
    }
}

#[test]
fn each_mistake_has_an_error_of_its_own() {
    for (fen, error) in [
        ("", "a FEN has 4 to 6 fields, not 0"),
        ("8/8/8/8/8/2k5/8/KQ6 w -", "a FEN has 4 to 6 fields, not 3"),
        ("8/8/8/8/8/2k5/8/KQ6 w - - 0 1 2", "a FEN has 4 to 6 fields, not 7"),
        ("8/8/8/8/8/2k5/KQ6 w - -", "the board of a FEN has 8 ranks with `/` between them, not 7"),
        ("8/8/8/8/8/2k4/8/KQ6 w - -", "rank 3 of the board does not have 8 squares"),
        ("8/8/8/8/8/2k6/8/KQ6 w - -", "rank 3 of the board does not have 8 squares"),
        ("8/8/8/8/8/2k5/8/KQ5PP w - -", "rank 1 of the board does not have 8 squares"),
        ("9/8/8/8/8/2k5/8/KQ6 w - -", "`9` is no piece"),
        ("8/8/8/8/8/2k5/8/KX6 w - -", "`X` is no piece"),
        ("8/8/8/8/8/2k5/8/KQ6 x - -", "the side to move is `w` or `b`, not `x`"),
        ("8/8/8/8/8/2k5/8/4K2R w K -", "castling rights `K`: tables know no castling"),
        ("8/8/8/8/8/2k5/8/4K2R w H -", "castling rights `H`: tables know no castling"),
        ("8/8/8/8/8/2k5/8/4K2R w no -", "`no` is not a field of castling rights"),
        ("8/8/8/8/8/2k5/8/KQ6 w - e9", "`e9` is not an en passant square"),
        ("8/8/8/8/8/2k5/8/KQ6 w - - x", "`x` is not a move counter"),
        ("8/8/8/8/8/8/8/KQ6 w - -", "black has 0 kings instead of one"),
        ("8/8/8/8/8/2k5/8/KK6 w - -", "white has 2 kings instead of one"),
        ("8/8/8/8/8/2k5/8/KP6 w - -", "there is a pawn on b1, where pawns cannot stand"),
        ("8/8/8/8/8/8/1k6/K6Q w - -", "the kings stand beside each other"),
        ("8/8/8/8/8/k7/8/KQ5Q w - - 0 1", ""),
        ("8/8/8/8/8/k7/8/K1Q5 w - -", "black is in check, but it is not black's move"),
        ("8/8/8/8/8/2k5/8/KQQQQQ2 b - -", "7 pieces are too many: tables have at most 6"),
        ("8/8/8/8/4P3/2k5/8/K7 b - e4", "no pawn can be captured en passant on e4"),
        ("8/8/8/8/4P3/2k5/8/K7 b - d3", "on d3: there is no pawn that could have passed it"),
        ("8/8/8/8/4P3/2k5/4N3/K7 b - e3", "on e3: the pawn's way was not free"),
        ("8/8/8/2k5/3pP3/8/1B6/K6R w - e3", "a pawn passes only the third or the sixth rank"),
        ("8/8/8/1R1k4/3pP3/8/8/K7 b - e3", "was already in check before the pawn's step"),
        ("8/8/8/3k4/3pP3/8/8/K7 b - e3 0 1", ""),
    ] {
        match fen.parse::<Position>() {
            Ok(_) => assert_eq!(error, "", "{fen} is read"),
            Err(found) => {
                let found = found.to_string();
                assert!(!error.is_empty() && found.contains(error), "{fen}: {found}");
            }
        }
    }
}

#[test]
fn a_square_passed_over_is_kept_only_where_a_pawn_can_capture() {
    let read = |fen: &str| fen.parse::<Position>().unwrap().to_string();
    assert_eq!(read("8/8/8/3k4/3pP3/8/8/K7 b - e3"), "8/8/8/3k4/3pP3/8/8/K7 b - e3 0 1");
    assert_eq!(read("8/8/8/3k4/2p1P3/8/8/K7 b - e3"), "8/8/8/3k4/2p1P3/8/8/K7 b - - 0 1");
}

#[test]
fn a_board_is_drawn_with_white_below() {
    let position: Position = "8/8/8/3k4/3pP3/8/8/K7 b - e3".parse().unwrap();
    let expected = "\
8 . . . . . . . .
7 . . . . . . . .
6 . . . . . . . .
5 . . . k . . . .
4 . . . p P . . .
3 . . . . . . . .
2 . . . . . . . .
1 K . . . . . . .
  a b c d e f g h";
    assert_eq!(position.picture(), expected);
}
