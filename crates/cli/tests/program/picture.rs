//! `retrograde picture` and `retrograde info --full`: the pictures, the counts, and wrong arguments.

use retrograde::Outcome;
use retrograde_games::Pursuit;
use retrograde_positions::AnyStates;
use retrograde_testkit::naive;
use serde_json::Value as Json;

use crate::chess::TABLES;
use crate::{program, ran, results, run, write_file};

fn json(arguments: &str) -> Json {
    serde_json::from_str(&results(run(&format!("{arguments} --json")))).expect("an object")
}

/// No mark lies outside its picture, on the smallest board, on a large one, and in other pictures.
#[test]
fn nothing_is_cut_off() {
    write_file(
        "picture-row.txt",
        "P.........................................................T.E\n",
    );
    for (rows, columns) in [(5, 5), (12, 101), (101, 12)] {
        let board = format!("board --rows {rows} --columns {columns} --seed 1 --walls 40");
        write_file(&format!("picture-{rows}.txt"), results(run(&board)));
    }
    for arguments in [
        "pursuit picture-row.txt",
        "pursuit picture-5.txt",
        "pursuit picture-12.txt",
        "pursuit picture-101.txt",
        "pursuit picture-5.txt --as histogram",
        "corner --piece king --rows 1 --columns 90",
        "corner --piece queen --rows 90 --columns 1",
        "take --heaps 2,3 --take any",
        "take --heaps 300 --take 1 --as histogram --logarithmic",
        &format!("{}/KQvKR.table", *TABLES),
        &format!("{}/KPvK.table --of P", *TABLES),
        &format!("{}/KPvK.table --as histogram", *TABLES),
    ] {
        let svg = results(run(&format!("picture {arguments}")));
        let number = |text: &str, name: &str| -> Option<f64> {
            let (_, rest) = text.split_once(&format!(" {name}=\""))?;
            rest.split('"').next()?.parse().ok()
        };
        let (width, height) = (number(&svg, "width").unwrap(), number(&svg, "height").unwrap());
        for mark in svg.lines().skip(1) {
            let (x, y) = (
                number(mark, "x").or(number(mark, "cx")),
                number(mark, "y").or(number(mark, "cy")),
            );
            let (Some(x), Some(y)) = (x, y) else { continue };
            let (wide, tall) =
                (number(mark, "width").unwrap_or(0.0), number(mark, "height").unwrap_or(0.0));
            let words = mark
                .split_once('>')
                .map_or(0, |(_, rest)| rest.trim_end_matches("</text>").chars().count());
            let size = number(mark, "font-size").unwrap_or(0.0);
            let long = if mark.starts_with("<text") { words as f64 * size * 0.6 } else { 0.0 };
            let (left, right) = match (mark.contains("\"middle\""), mark.contains("\"end\"")) {
                (true, _) => (x - long / 2.0, x + long / 2.0),
                (_, true) => (x - long, x),
                _ => (x, x + wide + long),
            };
            assert!(left >= -1.0 && right <= width + 1.0, "{arguments}: {mark}");
            assert!(y >= 0.0 && y + tall <= height + 0.5, "{arguments}: {mark}");
        }
    }
}

#[test]
fn what_cannot_be_drawn_says_what_can() {
    write_file("picture-no-start.txt", "...\n..E\n");
    for (arguments, status, holds) in [
        ("picture take --heaps 30,30 --take any --as map", 2, "--as histogram"),
        ("picture take --heaps 30,30 --take any --as graph", 3, "too many"),
        ("picture pursuit picture-no-start.txt --as map", 2, "--from STATE"),
        ("picture pursuit picture-row-2.txt --of queen", 2, "police, thief"),
        ("picture chess-tables/KQvKR.table --of n", 2, "there are K on"),
        ("picture chess-tables --as histogram", 3, "name one"),
    ] {
        let _ = *TABLES;
        write_file("picture-row-2.txt", "P..T");
        let ran = run(arguments);
        assert_eq!((ran.status, ran.out.as_str()), (status, ""), "{arguments}: {}", ran.err);
        assert!(ran.err.contains(holds), "{arguments}: {}", ran.err);
    }
}

/// In a corridor the thief waits at the end, and the policeman comes. A cell takes two plies; if the thief begins,
/// there is one more.
#[test]
fn best_play_that_is_cut_is_said_to_be() {
    for (cells, from, plies) in
        [(61, "police 0,0 0,60", 119), (61, "thief 0,0 0,59", 120), (62, "police 0,0 0,61", 121)]
    {
        write_file("picture-corridor.txt", format!("P{}T\n", ".".repeat(cells - 2)));
        let ask = |command: &str| {
            let mut command = program(&format!("{command} pursuit picture-corridor.txt --from"));
            results(ran(command.arg(from).output().expect("the program starts")))
        };
        let (solved, svg) = (ask("solve"), ask("picture"));
        assert!(solved.contains(&format!("in {plies} plies")), "{solved}");
        assert!(svg.contains("Best play: the solid line"), "{svg}");
        assert_eq!(svg.contains("The first 120"), plies > 120, "{solved}");
    }
}

#[test]
fn letters_tell_what_colours_do() {
    let out = results(run("picture corner --piece king --rows 3 --columns 4 --text"));
    assert!(out.starts_with("corner --piece king --rows 3 --columns 4\n\n0   K"), "{out}");
    assert!(
        out.contains(
            " −0\n    0  1  2  3\n\n+ won for the player to move   − lost for the player to move; numbers are plies"
        ),
        "{out}"
    );
    // The moves of a small game name points, so the picture does, too. The values of points on a circle are a list.
    let out = results(run("picture achi --text"));
    assert!(out.contains("\npoints: a b c / d e f / g h i\n"), "{out}");
    write_file("picture-path.txt", "a b\nb c\n");
    let mut chase = program("picture chase picture-path.txt --text --from");
    let out = results(ran(chase.arg("police a c").output().expect("the program starts")));
    assert!(out.contains("P a, T c\na  +0\nb  +1\nc  +3\n"), "{out}");
    let out = results(run("picture take --heaps 2 --take 1,2 --as histogram --text"));
    assert!(out.contains("2 states won, 1 lost; the longest win takes 1 ply."), "{out}");
}

/// Compares the counts, the longest wins and the gain of moving first with the naive solver.
#[test]
fn stats_are_those_of_the_naive_solver() {
    let board = "P..*E\n.*...\n..*.T\n.....\n";
    write_file("stats.txt", board);
    let stats = json("info --full pursuit stats.txt");
    let game = Pursuit::new(retrograde_games::Board::parse(board).unwrap()).unwrap();
    let values = naive::solve(&game);
    let won = values.iter().flatten().filter(|value| value.outcome() == Outcome::Win).count();
    assert_eq!(stats["win"], won);
    let mut longest: Vec<u32> = (values.iter().flatten())
        .filter(|value| value.outcome() == Outcome::Win)
        .filter_map(|value| value.distance())
        .collect();
    longest.sort_unstable_by(|a, b| b.cmp(a));
    let named = stats["longest_wins"].as_array().unwrap();
    assert_eq!(named.len(), 10);
    for (named, distance) in named.iter().zip(longest) {
        assert_eq!(named["distance"], distance);
        let state = game.state(named["state"].as_str().unwrap()).unwrap();
        assert_eq!(values[state as usize].unwrap().distance(), Some(distance));
    }
    let [mut better, mut worse, mut same] = [0, 0, 0];
    for (state, value) in values.iter().enumerate() {
        let Some(value) =
            value.filter(|_| retrograde_positions::Positions::player(&game, &(state as u64)) == 0)
        else {
            continue;
        };
        let text = game.text(state as u64).unwrap().replace("police", "thief");
        let Some(passed) = values[game.state(&text).unwrap() as usize] else { continue };
        let worth = |outcome| match outcome {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => -1,
        };
        match worth(value.outcome()) + worth(passed.outcome()) {
            1.. => better += 1,
            0 => same += 1,
            _ => worse += 1,
        }
    }
    assert_eq!(
        stats["first"],
        serde_json::json!({ "better": better, "worse": worse, "same": same })
    );
    // A table gives the same statistics, on one thread and on several.
    results(run("solve pursuit stats.txt --out stats.table --force"));
    for threads in [1, 4] {
        let of_table = json(&format!("info --full stats.table --threads {threads}"));
        assert_eq!(of_table, stats);
    }
}

#[test]
fn stats_of_an_endgame_and_of_sides_alike() {
    let stats = json(&format!("info --full {}/KRvK.table", *TABLES));
    assert_eq!(stats["longest_wins"][0]["distance"], 31);
    let text = results(run(&format!("info --full {}/KPvK.table", *TABLES)));
    assert!(text.contains("\nfirst      moving first is better in "), "{text}");
    let text = results(run("info --full take --heaps 3,3 --take any"));
    assert!(
        text.contains("\nfirst      the player to move wins 75.0% of all states, loses 25.0%"),
        "{text}"
    );
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}
