//! `retrograde play` in lines: the answers to typed lines, and the record of the game.

use std::fs;

use crate::chess::TABLES;
use crate::{home, results, run, run_on, write_file};

#[test]
fn both_sides_by_hand() {
    let out = results(run_on("play take --heaps 2,1 --take any --side both", "1,1\n0,1\n0,0\n"));
    let expected = "\
take --heaps 2,1 --take any: first by hand, second by hand
WIN in 3 plies for first

oo
o

first to move
   1  first: 1,1  (win in 3)

o.
o

second to move
   2  second: 0,1  (loss in 2)

..
o

first to move
   3  first: 0,0  (win in 1)

..
.

win for first after 3 plies (no move is left)

# take --heaps 2,1 --take any
# from 2,1
# first: by hand
# second: by hand
1,1
0,1
0,0
# win for first after 3 plies (no move is left)
";
    assert_eq!(out, expected);
}

#[test]
fn every_move_is_listed_with_its_value_and_distance() {
    write_file("play.txt", "P.T\n***\n");
    let out = results(run_on("play pursuit play.txt", "?\nhint\n"));
    assert!(out.contains("\n  0,1  win in 3\n  0,0  win in 5\n"), "{out}");
    assert!(out.contains("\nbest: 0,1  (win in 3)\n"), "{out}");
    assert!(out.contains("\nP.T\n***\n"), "{out}");
}

#[test]
fn a_move_is_typed_as_it_is_listed_or_in_full() {
    write_file("play-typed.txt", "P.T\n***\n");
    for typed in ["0,1", "thief 0,1 0,2", "  0,1 "] {
        let out = results(run_on("play pursuit play-typed.txt", &format!("{typed}\n")));
        assert!(out.contains("   1  police: 0,1  (win in 3)"), "{typed}: {out}");
    }
}

#[test]
fn moves_are_taken_back() {
    let game = "play take --heaps 5 --take 1,2";
    let out = results(run_on(game, "4\nback\n3\nquit\n"));
    // To leave four stones is a mistake, and the program takes one. After `back`, the game is as before.
    assert!(out.contains("   1  first: 4  (loss in 4)\n   2  second: 3  (win in 3)"), "{out}");
    assert!(out.contains("   1  first: 3  (win in 3)\n"), "{out}");
    assert!(out.contains("# from 5\n# first: by hand\n# second: retrograde\n3\n"), "{out}");
    let out = results(run_on(game, "back\n"));
    assert!(out.contains("\nyou have no move to take back\n"), "{out}");
}

#[test]
fn a_draw_is_offered_where_play_repeats_itself() {
    write_file("play-ring.txt", "a b\nb a\n");
    let out = results(run_on("play graph play-ring.txt --side both", "draw\nb\na\ndraw\n"));
    assert!(out.contains("no draw is offered"), "{out}");
    assert!(out.contains("a draw is offered: this position has been before"), "{out}");
    assert!(out.contains("draw after 2 plies (agreed)"), "{out}");
    let out = results(run("play graph play-ring.txt --side none"));
    assert!(out.contains("both agree to a draw\n"), "{out}");
}

#[test]
fn what_is_no_move_is_told_and_play_goes_on() {
    let out = results(run_on("play take --heaps 15 --take 1,2", "14 \n1O\nnonsense\n"));
    assert!(out.contains("`1O` is no move here; "), "{out}");
    assert!(out.contains("`?` lists all moves"), "{out}");
}

#[test]
fn an_order_may_be_the_name_of_a_move() {
    write_file("play-names.txt", "start back\nstart quit\nback end\nquit back\n");
    let out = results(run_on("play graph play-names.txt --side both", "quit\n:back\nback\n"));
    assert!(out.contains("# from start\n# first: by hand\n# second: by hand\nback\n"), "{out}");
}

#[test]
fn a_game_written_out_is_a_script() {
    let game = "play take --heaps 3,5,7 --take any";
    results(run(&format!("{game} --side none --seed 5 --out play.game --force")));
    let written = fs::read_to_string(home().join("play.game")).expect("a file");
    let out = results(run(&format!("{game} --side both --script play.game")));
    let moves =
        |text: &str| text.lines().rev().take_while(|line| !line.starts_with("# second")).count();
    assert_eq!(
        out.lines().rev().take(moves(&out)).collect::<Vec<_>>(),
        written.lines().rev().take(moves(&written)).collect::<Vec<_>>()
    );
    let ran = run(&format!("{game} --side none --out play.game"));
    assert_eq!(ran.status, 3);
    assert!(ran.err.contains("--force replaces it"), "{}", ran.err);
}

#[test]
fn a_script_that_cannot_be_played_is_an_error() {
    write_file("play.script", "# a remark\n3,5,6\n3,5,7\n");
    let ran = run("play take --heaps 3,5,7 --take any --side both --script play.script");
    assert_eq!(ran.status, 3);
    assert!(ran.err.contains("play.script: line 3: `3,5,7` is no move here"), "{}", ran.err);
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let game = |options: &str| {
        results(run(&format!("play take --heaps 9,8,7 --take any --side none {options}")))
    };
    assert_eq!(game("--seed 1"), game("--seed 1"));
    assert_ne!(game("--seed 1"), game("--seed 2"));
    // A player who makes random moves loses a won game sooner or later.
    let lost = (0..20)
        .filter(|seed| game(&format!("--blunder-rate 1 --seed {seed}")).contains("win for second"));
    assert!(lost.count() > 2);
}

#[test]
fn chess_is_written_as_pgn_and_read_again() {
    let start = "8/8/8/8/8/1r6/6Q1/k1K5_b_-_-";
    let out = results(run(&format!("play {} {start} --side none --out play.pgn --force", *TABLES)));
    assert!(out.starts_with("chess-tables: white by retrograde, black by retrograde\n"), "{out}");
    let pgn = fs::read_to_string(home().join("play.pgn")).expect("a file");
    assert!(pgn.contains("[FEN \"8/8/8/8/8/1r6/6Q1/k1K5 b - - 0 1\"]\n"), "{pgn}");
    assert!(pgn.contains("\n1... R") && pgn.ends_with("# 0-1\n"), "{pgn}");
    let out = results(run(&format!("play {} {start} --side both --script play.pgn", *TABLES)));
    let movetext = |text: &str| text.split_once("\n1...").map(|(_, moves)| moves.to_owned());
    assert_eq!(movetext(&out), movetext(&pgn));
    assert!(out.contains("win for black after 37 plies (mate)"), "{out}");
}

/// The program reads a chess move in any usual notation.
#[test]
fn a_move_of_chess_is_typed_in_many_ways() {
    let start = "8/8/8/8/8/1r6/6Q1/k1K5_b_-_-";
    for typed in ["Rb1+", "Rb1", "rb1", "b3b1", "Rb1#", "Rb1!?", "B3B1", "Rb3b1", "Rb3-b1"] {
        let game = format!("play {} {start} --side both", *TABLES);
        let out = results(run_on(&game, &format!("{typed}\n")));
        assert!(out.contains("   1  black: Rb1+  (win in 37)"), "{typed}: {out}");
    }
}

#[test]
fn an_endgame_begins_with_its_longest_win() {
    let out = results(run(&format!("play {}/KQvKR.table", *TABLES)));
    assert!(out.contains("\nWIN in 69 plies for white\n"), "{out}");
    assert!(out.contains("\n8 . . . . . . . .\n"), "{out}");
    let ran = run(&format!("play {}", *TABLES));
    assert_eq!(ran.status, 3);
    assert!(ran.err.contains("name one"), "{}", ran.err);
}

#[test]
fn sides_are_called_by_their_names() {
    let ran = run("play take --heaps 3 --take any --side police");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("--side police: play first, second, both or none"), "{}", ran.err);
}
