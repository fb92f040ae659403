//! The server solves small games right, and refuses large ones.

use serde_json::{Value as Json, json};

use crate::{FOLDER, SERVER, Server, games};

fn solve(game: &str, asking: Json) -> (u16, Json) {
    let answer = SERVER.post(&format!("/solve/{game}"), &asking);
    (answer.status, answer.said())
}

#[test]
fn a_board_solved_on_request_is_worth_what_its_table_says() {
    let (_, setup) = games().swap_remove(0);
    let about = retrograde_catalog::about(&setup);
    let board = about.board.expect("a board");
    let game = retrograde_catalog::game(&setup).expect("a game");
    let floor: Vec<String> = (0..7)
        .flat_map(|row| (0..6).map(move |column| format!("{row},{column}")))
        .filter(|cell| game.read(&format!("police {cell} 5,4")).is_ok())
        .collect();
    let states: Vec<String> = ["police", "thief"]
        .iter()
        .flat_map(|side| floor.iter().map(move |cell| format!("{side} {cell} 5,4")))
        .collect();
    let (status, said) = solve("pursuit", json!({ "board": board, "states": states, "plies": 99 }));
    assert_eq!(status, 200, "{said}");
    let table = SERVER.post("/tables/board/probe", &json!({ "states": states })).json();
    assert_eq!(said["answers"], table["answers"]);
    assert_eq!(said["answer"], SERVER.json("/tables/board/probe?state=police%203,0%205,4"));
    assert_eq!(said["line"], SERVER.json("/tables/board/line"));
    assert_eq!((&said["longest"], &said["longest_win"]), (&json!(24), &json!(23)));
    assert_eq!(said["start"], "police 3,0 5,4");
    // The server counted invalid numbers in `states`, and only wins in `longest`. The program counted otherwise.
    let stats = SERVER.json("/tables/board/stats");
    assert_eq!((&stats["longest"], &stats["longest_win"]), (&json!(24), &json!(23)));
    assert_eq!(said["sides"]["police"]["win"], 968);
}

/// How many games a server has solved.
fn solves(server: &Server) -> u64 {
    let metrics = server.get("/metrics");
    let text = String::from_utf8_lossy(&metrics.body).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix("retrograde_solves_total "));
    line.expect("a counter").parse().expect("a number")
}

/// The server solved a game again for each question about it: at every click on the page.
#[test]
fn a_game_is_solved_once_for_many_questions() {
    let server = Server::start(&FOLDER, "");
    let ask = |heaps: &[u32], state: &str| {
        let asking = json!({
            "parameters": { "heaps": heaps, "take": "any" }, "state": state, "plies": 9, "view": true,
        });
        let answer = server.post("/solve/take", &asking);
        assert_eq!(answer.status, 200, "{asking}");
        answer.json()
    };
    let first = ask(&[3, 5], "3,5");
    assert_eq!(solves(&server), 1);
    assert_eq!(ask(&[3, 5], "3,5"), first);
    assert_eq!(ask(&[3, 5], "1,5")["answer"]["state"], "1,5");
    assert_eq!(solves(&server), 1);
    assert_eq!(ask(&[3, 6], "3,5")["sides"]["player"]["win"], 24);
    assert_eq!(solves(&server), 2);
}

#[test]
fn every_game_is_solved() {
    let edges = "a b\nb a\nb c\nc d\n";
    for (game, asking, value) in [
        ("graph", json!({ "board": edges }), "draw"),
        ("chase", json!({ "board": "a b\nb c\npolice a\nthief c\n" }), "win"),
        ("take", json!({ "parameters": { "heaps": [3, 5], "take": "any" } }), "win"),
        ("corner", json!({ "parameters": { "piece": "queen", "rows": 4, "columns": 6 } }), "loss"),
        ("take", json!({ "parameters": { "heaps": [1], "take": "1", "misere": true } }), "loss"),
    ] {
        let mut asking = asking;
        asking["all"] = json!(true);
        let (status, said) = solve(game, asking);
        assert_eq!((status, &said["answer"]["value"]), (200, &json!(value)), "{game}: {said}");
        let answers = said["answers"].as_array().expect("answers");
        assert!(answers.contains(&said["answer"]), "{game}: {said}");
        let counted: u64 = said["sides"]
            .as_object()
            .expect("sides")
            .values()
            .flat_map(|of| {
                ["win", "loss", "draw"].map(|value| of[value].as_u64().expect("a count"))
            })
            .sum();
        assert_eq!(answers.len() as u64, counted, "{game}");
    }
}

#[test]
fn what_is_too_large_or_makes_no_sense_is_refused() {
    let rows = |rows: usize, columns: usize| vec![".".repeat(columns); rows].join("\n");
    let huge = u32::MAX;
    for (game, asking) in [
        ("pursuit", json!({ "board": rows(130, 130) })),
        ("pursuit", json!({ "board": rows(100, 100) })),
        ("pursuit", json!({ "board": rows(30, 30), "parameters": { "police": 3 } })),
        ("pursuit", json!({ "board": rows(3, 3), "parameters": { "police": 1_000_000 } })),
        ("pursuit", json!({ "board": "" })),
        ("pursuit", json!({ "board": "P.x" })),
        ("pursuit", json!({})),
        ("take", json!({ "parameters": { "heaps": [huge, huge], "take": "any" } })),
        ("take", json!({ "parameters": { "heaps": [1_000_000], "take": "any" } })),
        ("take", json!({ "parameters": { "heaps": [3], "take": "any", "rows": 2 } })),
        ("take", json!({ "parameters": { "heaps": [3], "take": "no" } })),
        ("corner", json!({ "parameters": { "piece": "queen", "rows": huge, "columns": huge } })),
        ("corner", json!({ "parameters": { "piece": "queen", "rows": 5000, "columns": 5000 } })),
        ("graph", json!({ "board": "a b", "nonsense": 1 })),
    ] {
        let (status, said) = solve(game, asking);
        assert_eq!(status, 422, "{game}: {said}");
        assert!(said["error"].as_str().is_some_and(|text| !text.is_empty()));
    }
    let many = json!({ "parameters": { "heaps": [99, 99], "take": "any" }, "all": true });
    assert_eq!(solve("take", many).0, 413);
    assert_eq!(solve("chess", json!({})).0, 404);
    let state = json!({ "board": "P.T", "state": "police 9,9 9,9" });
    assert_eq!(solve("pursuit", state).0, 400);
}

/// Moves of games whose states are positions up to symmetry had no names, and the page showed two moves where the terminal
/// listed twenty. Now every move has a name and its points, and the board after it is not turned.
#[test]
fn moves_of_a_game_up_to_symmetry_are_those_that_players_see() {
    let body = json!({ "parameters": { "size": 3 }, "view": true, "plies": 9 });
    let said = SERVER.post("/solve/quixo", &body).json();
    let moves = said["answer"]["moves"].as_array().expect("moves");
    // From a corner of nine blank cubes there are two slides, from the middle of an edge three.
    assert_eq!(moves.len(), 4 * 2 + 4 * 3);
    let names: std::collections::HashSet<&str> =
        moves.iter().map(|one| one["move"].as_str().unwrap()).collect();
    assert_eq!(names.len(), moves.len());
    assert!(moves.iter().all(|one| one["points"].as_array().unwrap().len() == 2));
    let line = said["line"]["states"].as_array().expect("states");
    let after: Vec<&str> = line.iter().map(|stop| stop["state"].as_str().unwrap()).collect();
    assert_eq!(after[0], "x .../.../...");
    assert!(after[1].starts_with("o ") && after[1].matches('x').count() == 1, "{after:?}");
    assert_eq!(after[2][2..].matches('o').count(), 1, "{after:?}");
    assert_eq!(moves[0]["move"], line[1]["move"]);
}

#[test]
fn a_text_is_looked_up_and_solved() {
    let text = include_str!("../../../../examples/games/achi.game");
    let (status, said) = solve("text", json!({ "board": text }));
    assert_eq!((status, &said["answer"]["distance"]), (200, &json!(9)), "{said}");
    let (status, said) = solve("text", json!({ "board": "game one\nbord grid 3 3\n" }));
    assert_eq!(status, 422, "{said}");
    assert!(said["error"].as_str().is_some_and(|error| error.contains("line 2")), "{said}");
    let start = SERVER.json("/tables/achi")["start"].as_str().expect("a start").replace(' ', "%20");
    let view = SERVER.json(&format!("/tables/achi/probe?view=true&state={start}"));
    assert_eq!((&view["value"], &view["distance"]), (&json!("win"), &json!(9)));
    assert_eq!(view["moves"][0]["move"], "M*e");
    assert_eq!(view["board"]["hands"].as_array().map(Vec::len), Some(2));
}
