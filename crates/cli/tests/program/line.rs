//! `retrograde line`: best play to the end.

use crate::{results, run, run_on};

#[test]
fn a_win_is_played_to_the_end() {
    let out = results(run("line take --heaps 6 --take 1,2,3"));
    let expected = "\
WIN in 3 plies for the player to move, from 6

   0  6  (win in 3)  4
      oooooo

   1  4  (loss in 2)  3
      oooo..

   2  3  (win in 1)  0
      ooo...

   3  0  (loss in 0)
      ......

no move is left: a loss for the player to move
";
    assert_eq!(out, expected);
}

#[test]
fn who_cannot_move_wins_in_misere_play() {
    let out = results(run("line take --heaps 2 --take 1 --misere"));
    assert!(out.ends_with("no move is left: a win for the player to move\n"), "{out}");
}

#[test]
fn a_chase_is_drawn_on_the_board() {
    let out = results(run_on("line pursuit -", "P.T\n***\n"));
    let expected = "\
WIN in 3 plies for police, from police 0,0 0,2

   0  police 0,0 0,2  (win in 3)  0,1
      P.T
      ***

   1  thief 0,1 0,2  (loss in 2)  0,2
      .PT
      ***
";
    assert!(out.starts_with(expected), "{out}");
    assert!(out.ends_with("by the rules: a loss for thief\n"), "{out}");
}

#[test]
fn a_draw_shows_its_cycle() {
    // The two cannot reach each other.
    let out = results(run_on("line pursuit -", "P*T\n"));
    assert!(out.starts_with("DRAW for police, from police 0,0 0,2\n"), "{out}");
    assert!(out.ends_with("from here play returns to ply 0 and repeats: a draw\n"), "{out}");
    let out = results(run_on("line graph - --from b", "a b\nb c\nc b\n"));
    assert!(out.ends_with("from here play returns to ply 0 and repeats: a draw\n"), "{out}");
}

#[test]
fn play_begins_where_one_says() {
    let out = results(run("line take --heaps 6 --take 1,2,3 --from 4"));
    assert!(out.starts_with("LOSS in 2 plies for the player to move, from 4\n"), "{out}");
}

#[test]
fn without_a_start_one_must_say() {
    let ran = run_on("line pursuit -", "P..\n..E\n");
    assert_eq!((ran.status, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("--from STATE"), "{}", ran.err);
}
