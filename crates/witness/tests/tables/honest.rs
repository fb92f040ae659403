//! The witness proves honest tables of all games, in every form, and with little memory.

use std::path::Path;

use retrograde_games::Board;
use retrograde_table::{Compression, InvalidStates};
use retrograde_witness::{Options, Refusal, tables, witness};

use crate::common::{Scratch, Solved, witnessed};

/// Proves the table of a solution in every form that it may have.
fn assert_proved(solved: &Solved, positions: u64, folder: &Scratch) {
    let path = folder.join("honest.table");
    let told = |path: &Path| witnessed(path).unwrap_or_else(|refusal| panic!("{refusal}"));
    for invalid_states in [InvalidStates::Kept, InvalidStates::Forgotten] {
        for compression in [Compression::None, Compression::Standard] {
            solved
                .writer()
                .invalid_states(invalid_states)
                .compression(compression)
                .write(&path, &solved.solution)
                .unwrap();
            let proved = told(&path);
            assert_eq!((proved.positions, proved.distances), (positions, true));
            // With less memory than the values take, units come and go, and the verdict is the same.
            if positions < 5000 {
                let options = Options { memory: 1, threads: 3, ..Options::default() };
                assert_eq!(witness(&path, &options), Ok(proved));
            }
        }
    }
    if solved.game.facts().turns.row_len().is_some() && solved.game.sides().len() == 2 {
        for side in [0, 1] {
            solved.writer().half(side).write(&path, &solved.solution).unwrap();
            assert_eq!(told(&path).positions, positions);
        }
    }
}

#[test]
fn pursuits_are_proved() {
    let folder = Scratch::new();
    // Boards with exits and walls, without any, of one cell, and of one row.
    for text in ["E..*..\n.*....\n...E**\n......\n", "...\n...\n", ".\n", "E\n", ".....E.....\n"] {
        let floor = text.chars().filter(|letter| ".E".contains(*letter)).count() as u64;
        assert_proved(&Solved::pursuit(text, 1), 2 * floor * floor, &folder);
    }
    let full = "........\n".repeat(8);
    assert_proved(&Solved::pursuit(&full, 1), 2 * 64 * 64, &folder);
    for (rows, columns, seed) in [(13, 19, 0), (7, 8, 1), (8, 7, 2)] {
        let board = Board::random(rows, columns, 20, 3, 0, seed).unwrap();
        let floor = board.floor().count() as u64;
        assert_proved(&Solved::pursuit(&board.to_string(), 1), 2 * floor * floor, &folder);
    }
}

#[test]
fn chases_are_proved() {
    let folder = Scratch::new();
    let board = "..*E.\n..*..\n.....\n";
    for police in 1..4 {
        let crowds = [13, 91, 455][police as usize - 1];
        if police > 1 {
            assert_proved(&Solved::pursuit(board, police), 2 * 13 * crowds, &folder);
        }
        let count = police.to_string();
        let cycle = "! e\na b\nb c\nc d # a comment\nd e\n\ne f\nf a\nf f\npolice a\npolice b\n";
        let cycle = if police == 2 { cycle } else { cycle.split("police").next().unwrap() };
        let solved = Solved::new("chase", &[("police", &count)], Some(cycle), true);
        assert_proved(&solved, 2 * 6 * [6, 21, 56][police as usize - 1], &folder);
    }
}

#[test]
fn heaps_corners_and_graphs_are_proved() {
    let folder = Scratch::new();
    for misere in [&[][..], &[("misere", "true")]] {
        for take in ["any", "1,3,4", "2"] {
            let arguments = [&[("heaps", "5,3,11"), ("take", take)], misere].concat();
            assert_proved(&Solved::new("take", &arguments, None, true), 6 * 4 * 12, &folder);
        }
        for piece in ["queen", "rook", "bishop", "king"] {
            let arguments = [("piece", piece), ("rows", "17"), ("columns", "9")];
            let arguments = [&arguments, misere].concat();
            assert_proved(&Solved::new("corner", &arguments, None, true), 17 * 9, &folder);
        }
        for (text, vertices) in [
            ("a b\nb c\nc a\nc d\n= e draw\nb e\n= f win\nd f\n", 6),
            ("digraph { a -> b -> c -> a; c -> \"d e\" }", 4),
        ] {
            let solved = Solved::new("graph", misere, Some(text), true);
            assert_proved(&solved, vertices, &folder);
        }
    }
}

/// The witness did not know these games.
#[test]
fn quixo_and_the_l_game_are_proved() {
    let folder = Scratch::new();
    let quixo = Solved::new("quixo", &[("size", "3")], None, true);
    assert_proved(&quixo, 2_862, &folder);
    assert_proved(&Solved::new("l-game", &[], None, true), 2_296, &folder);
}

#[test]
fn endgames_are_proved_with_those_they_lead_to() {
    let folder = Scratch::new();
    let endgames = folder.endgames(&["KPvK", "KQvK"]);
    for table in tables(&endgames).unwrap() {
        let proved = witnessed(&table).unwrap_or_else(|refusal| panic!("{refusal}"));
        assert!(proved.positions > 40_000 && proved.moves > proved.positions);
    }
    std::fs::remove_file(endgames.join("KRvK.table")).unwrap();
    let refusal = witnessed(&endgames.join("KPvK.table")).unwrap_err();
    assert!(matches!(&refusal, Refusal::Unreadable(what) if what.contains("KRvK")), "{refusal}");
    std::fs::copy(endgames.join("KQvK.table"), endgames.join("KRvK.table")).unwrap();
    let refusal = witnessed(&endgames.join("KPvK.table")).unwrap_err();
    assert!(matches!(&refusal, Refusal::Wrong(what) if what.contains("KQvK")), "{refusal}");
}

#[test]
fn without_distances_nothing_more_is_claimed() {
    let folder = Scratch::new();
    let path = folder.join("plain.table");
    let solved = Solved::new("pursuit", &[], Some("E..*..\n.*....\n...E**\n"), false);
    solved.writer().write(&path, &solved.solution).unwrap();
    let proved = witnessed(&path).unwrap();
    assert!(!proved.distances && proved.positions == 2 * 14 * 14);
}

/// Files of graphs as people and tools write them: the witness has a reader of its own.
#[test]
fn graphs_of_any_kind_are_proved() {
    let folder = Scratch::new();
    for (text, vertices) in [
        ("# a comment\n a b # one\nb  c\n\nc\ta\n= d loss\nc d\nc d\n", 4),
        ("strict digraph { a -> b -> a; a -> b }", 2),
        (
            "/* all */ digraph \"G\" {\n# line\nnode [shape=box, label=\"x -> y\"]; rankdir = LR\n\
             \"a \\\"1\\\"\" -> b:port:n [w=1] [c=2]; subgraph one { b -> c // to c\n } \
             c -> -1.5 -> \"joined\" + \" name\"\nGRAPH [label=<b<i>x</i>>] lone }",
            6,
        ),
        ("DIGRAPH { \"graph\" -> \"node\" ; \u{e9} -> \"graph\" }", 3),
    ] {
        let solved = Solved::new("graph", &[], Some(text), true);
        assert_proved(&solved, vertices, &folder);
    }
}
