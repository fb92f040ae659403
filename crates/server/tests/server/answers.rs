//! The server's answers agree with the libraries, and openapi.json lists its routes.

use std::collections::BTreeSet;
use std::fs;
use std::net::ToSocketAddrs;
use std::path::Path;

use retrograde::{Probe, Solver};
use retrograde_catalog::{Engine, GameOracle, Known, Oracle, Worth, about, game};
use retrograde_chess::{Position, Tablebase};
use retrograde_server::{Limits, Options, ROUTES};
use retrograde_table::{About, Writer};
use retrograde_testkit::{Rng, needs, seed};
use serde_json::{Value as Json, json};

use crate::{FOLDER, SERVER, Server, escaped, games};

fn positions(tables: &Tablebase, count: usize) -> Vec<Position> {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let material = rng.pick(&tables.regions());
        let index = tables.opened(&material).unwrap().index();
        positions.extend(index.position(rng.below(index.states())));
    }
    positions
}

#[test]
fn chess_is_answered_as_the_library_answers() {
    let tables = Tablebase::open(&*FOLDER).unwrap();
    let positions = positions(&tables, 50);
    let expected = |position: &Position| json!(tables.report(position).unwrap());
    for position in &positions {
        let fen = position.to_string();
        let answer = SERVER.json(&format!("/standard?fen={}", escaped(&fen)));
        assert_eq!(answer, expected(position), "{fen}");
        assert_eq!(SERVER.json(&format!("/standard?fen={}", fen.replace(' ', "_"))), answer);
        let line = SERVER.json(&format!("/standard/mainline?fen={}", fen.replace(' ', "_")));
        assert_eq!(line, json!(tables.mainline(position).unwrap()), "{fen}");
    }
    let fens: Vec<String> = positions.iter().map(Position::to_string).collect();
    let answers = SERVER.post("/standard", &json!({ "fens": fens })).json();
    let expected: Vec<Json> = positions.iter().map(expected).collect();
    assert_eq!(answers["answers"], json!(expected));
}

/// Messages of the framework reached the client: `Failed to deserialize query string: missing field `fen``.
#[test]
fn no_answer_repeats_the_framework() {
    let body = |text: &str| {
        SERVER.request("POST", "/standard", "content-type: application/json\r\n", text.as_bytes())
    };
    let answers = [
        SERVER.get("/standard"),
        SERVER.get("/standard?fen=%ff"),
        SERVER.get("/standard/mainline?fn=x"),
        SERVER.get("/tables/board/probe"),
        SERVER.get("/tables/board/probe?state=x&view=perhaps"),
        SERVER.get("/tables/board/line?plies=many"),
        SERVER.get("/tables/%ff"),
        body("{"),
        body("[]"),
        body("{\"fens\": [1]}"),
        body("{\"fins\": []}"),
        SERVER.request("POST", "/standard", "", b"{}"),
    ];
    for answer in answers {
        assert!((400..500).contains(&answer.status), "{answer:?}");
        let said = answer.said()["error"].as_str().expect("what is wrong").to_owned();
        let of_framework = ["deserialize", "query string", "Failed", "request body", "Invalid"];
        assert!(!of_framework.iter().any(|word| said.contains(word)), "{said}");
    }
}

#[test]
fn games_and_tables_are_looked_at() {
    let listed = SERVER.json("/games");
    let names = listed["games"].as_array().expect("games").iter().map(|game| &game["name"]);
    let expected = retrograde_games::GAMES.iter().map(|game| json!(game.name)).collect::<Vec<_>>();
    assert_eq!(names.cloned().collect::<Vec<_>>(), expected);
    let families = listed["families"].as_array().expect("families").iter();
    let all = listed["games"].as_array().expect("games").iter().chain(families);
    for game in all {
        assert!(game["rules"].as_str().is_some_and(|rules| rules.ends_with(['.', '\n'])), "{game}");
    }
    let stats = SERVER.json("/tables/board/stats");
    let longest = SERVER.json("/tables/board/longest");
    let states = longest["states"].as_array().expect("states");
    assert!(!states.is_empty());
    assert_eq!(states[0]["distance"], stats["longest_win"]);
    for state in states {
        let text = state["state"].as_str().expect("a text");
        let path = format!("/tables/board/probe?state={}", escaped(text));
        let (plain, view) = (SERVER.json(&path), SERVER.json(&format!("{path}&view=true")));
        assert_eq!((&plain["value"], &plain["distance"]), (&state["value"], &state["distance"]));
        assert_eq!(plain["state"], view["state"]);
        let board = &view["board"];
        assert_eq!(
            (board["points"].as_array().unwrap().len(), board["men"][0]["kind"].as_str()),
            (42, Some("police"))
        );
        let sides = [&view["side"], &view["opponent"]];
        assert!(
            [["police", "thief"], ["thief", "police"]]
                .contains(&sides.map(|side| side.as_str().unwrap()))
        );
        let moves = |answer: &Json| {
            let moves = answer["moves"].as_array().expect("moves").iter();
            moves.map(|one| (one["to"].clone(), one["distance"].clone())).collect::<Vec<_>>()
        };
        assert_eq!(moves(&plain), moves(&view));
    }
    for _ in 0..20 {
        let random = SERVER.json("/tables/board/random");
        let text = escaped(random["state"].as_str().expect("a text"));
        let plain = SERVER.json(&format!("/tables/board/probe?state={text}"));
        assert_eq!((&plain["value"], &plain["distance"]), (&random["value"], &random["distance"]));
    }
}

#[test]
fn what_is_no_position_or_has_no_table_is_told_so() {
    for (fen, status) in [
        ("", 400),
        ("8/8/8/8/8/8/8/8 w - -", 400),
        // The server ignores castling rights and en passant squares that the board rules out, as lichess does. No table
        // has positions with real castling rights.
        ("8/8/8/8/8/2k5/8/KR6 w K -", 200),
        ("8/8/8/8/8/2k5/8/R3K3 w Q - 0 1", 404),
        ("r3k3/8/8/8/8/2K5/8/8 b q -", 404),
        ("8/8/8/8/8/2k5/8/KR6 w - e3", 200),
        ("8/8/8/8/8/2k5/8/KR6 w x -", 400),
        ("8/8/8/8/8/3k4/8/KRR5 w - -", 404),
        ("kqrbnr2/8/8/8/8/8/8/KQRBNR2 w - -", 404),
        ("8/8/8/8/8/2k5/8/K7 w - -", 200),
    ] {
        let answer = SERVER.get(&format!("/standard?fen={}", escaped(fen)));
        assert_eq!(answer.status, status, "{fen}: {answer:?}");
        assert_eq!(answer.said()["error"].is_string(), status != 200, "{fen}");
    }
    assert_eq!(SERVER.get("/standard").status, 400);
    let fens = json!({ "fens": ["8/8/8/8/8/2k5/8/K7 w - -", "nonsense"] });
    let answers = SERVER.post("/standard", &fens).json();
    assert_eq!(answers["answers"][0]["category"], "draw");
    assert_eq!(answers["answers"][1]["fen"], "nonsense");
    assert!(answers["answers"][1]["error"].as_str().is_some_and(|text| text.contains("FEN")));
}

#[test]
fn every_state_of_every_table_is_answered_as_its_solution_has_it() {
    for (name, setup) in games() {
        let game = game(&setup).unwrap();
        let solution = game.solve(Engine::Scalar, Solver::new()).unwrap();
        let solved = GameOracle::new(game.clone(), Known::Solution(solution.into())).unwrap();
        let (oracle, values) = (Oracle::new(solved.clone()), solved.values().unwrap());
        let values = &*values;
        let ask = |state| json!(oracle.answer(&game.position(state).unwrap()).unwrap());
        let states: Vec<u64> = (0..game.states())
            .filter(|&state| Probe::probe(&values, state).unwrap().is_some())
            .collect();
        for batch in states.chunks(4096) {
            let texts: Vec<String> = batch.iter().map(|&state| game.text(state).unwrap()).collect();
            for moves in [false, true] {
                let asked = json!({ "states": texts, "moves": moves });
                let said = SERVER.post(&format!("/tables/{name}/probe"), &asked).json();
                let expected = batch.iter().map(|&state| match moves {
                    true => ask(state),
                    false => {
                        let worth = Worth::new(Probe::probe(&values, state).unwrap(), true);
                        json!({ "state": game.text(state).unwrap(), "value": worth.value, "distance": worth.distance })
                    }
                });
                assert_eq!(said["answers"], json!(expected.collect::<Vec<_>>()), "{name}");
            }
        }
        let state = states[states.len() / 2];
        let path = format!("/tables/{name}/probe?state={}", escaped(&game.text(state).unwrap()));
        assert_eq!(SERVER.json(&path), ask(state));
        let solution = solved.known().solution().expect("it was just solved");
        let counts = solution.counts();
        let stats = SERVER.json(&format!("/tables/{name}/stats"));
        let wins: u64 = solution.histogram().levels().map(|level| level.wins).sum();
        let told = stats["levels"].as_array().unwrap().iter();
        assert_eq!(told.map(|level| level[1].as_u64().unwrap()).sum::<u64>(), wins);
        assert_eq!(counts.win, wins);
    }
}

#[test]
fn a_line_is_as_long_as_its_first_state_says_and_no_longer_than_asked_for() {
    let line = SERVER.json("/tables/board/line");
    let states = line["states"].as_array().unwrap();
    assert_eq!((&line["end"], states.len()), (&json!("terminal"), 14));
    let first = json!({ "state": "police 3,0 5,4", "value": "win", "distance": 13, "move": null });
    assert_eq!(states[0], first);
    assert_eq!(states[1]["move"], states[1]["state"].as_str().unwrap()["thief ".len()..][..3]);
    let short = SERVER.json("/tables/board/line?plies=3");
    assert_eq!((&short["end"], &short["states"]), (&json!("more"), &json!(states[..4])));
    let none = SERVER.json("/tables/board/line?plies=0");
    assert_eq!(none["states"], json!(states[..1]));
    // Both players move in a cycle.
    let drawn = SERVER.json("/tables/graph/line");
    assert_eq!((&drawn["end"], &drawn["states"][0]["value"]), (&json!("cycle"), &json!("draw")));
    let chess = SERVER.json("/tables/KRvK/line?state=8/8/8/8/8/2k5/1R6/K7_w_-_-");
    assert_eq!((&chess["end"], chess["states"].as_array().unwrap().len()), (&json!("stuck"), 32));
}

#[test]
fn tables_are_listed_and_say_what_they_are_of() {
    let list = SERVER.json("/tables");
    let names: Vec<&str> = list["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK", "achi", "board", "graph", "take"]);
    for name in names {
        let about = SERVER.json(&format!("/tables/{name}"));
        assert_eq!(about["name"], name);
        assert!(about["game"].is_string() && about["states"].is_u64(), "{about}");
    }
    let board = SERVER.json("/tables/board");
    assert_eq!((&board["states"], &board["numbers"]), (&json!(2592), &json!(4736)));
    assert_eq!(board["start"], "police 3,0 5,4");
    let placements = &SERVER.json("/tables/KRvK/stats")["placements"];
    assert_eq!(placements["white"]["longest"], 31);
    let other = SERVER.get("/tables/KRvK/probe?state=8/8/8/8/8/2k5/8/KQ6_w_-_-");
    assert_eq!(other.status, 404);
    assert!(other.said()["error"].as_str().unwrap().contains("/tables/KQvK"));
}

/// The server left out morris once. It must answer for positions of any family.
#[test]
fn regions_of_any_family_are_served() {
    use retrograde_morris::{Men, Morris, Region};
    let folder = crate::fresh("merels");
    let morris = Morris::new(Men::Three);
    morris.builder(&folder).build(&[Region::start(Men::Three)]).unwrap();
    let server = Server::start(&folder, "");
    let first = Region::start(Men::Three).to_string();
    let list = server.json("/tables");
    let tables = list["tables"].as_array().unwrap();
    let title = tables.iter().find(|table| table["name"] == *first).map(|table| &table["title"]);
    assert_eq!((tables.len() > 1, title), (true, Some(&json!("the empty board"))), "{list}");
    let view = server.json(&format!("/tables/{first}/probe?state=start&view=true"));
    let hand = |sign: &str, player: usize| json!({ "kind": "stone", "sign": sign, "player": player, "count": 3 });
    assert_eq!(view["board"]["hands"], json!([hand("O", 0), hand("X", 1)]));
    // The side that begins wins from the middle in nine plies, and the line says so to its end.
    let start = server.json(&format!("/tables/{first}"))["start"].as_str().unwrap().to_owned();
    let answer = server.json(&format!("/tables/{first}/probe?state={}", escaped(&start)));
    assert_eq!((&answer["value"], &answer["distance"]), (&json!("win"), &json!(9)));
    let moves = answer["moves"].as_array().unwrap();
    let worth: Vec<&str> = moves.iter().map(|one| one["value"].as_str().unwrap()).collect();
    assert_eq!(worth, [&["win"][..], &["draw"; 4], &["loss"; 4]].concat());
    let line = server.json(&format!("/tables/{first}/line"));
    assert_eq!(line["states"].as_array().unwrap().len(), 10);
    assert_eq!(line["end"], "terminal");
    let after = escaped(moves[0]["to"].as_str().unwrap());
    let elsewhere = server.get(&format!("/tables/{first}/probe?state={after}"));
    assert_eq!(elsewhere.status, 404, "{elsewhere:?}");
    assert_eq!(server.get("/standard?fen=8/8/8/8/8/2k5/8/KQ6_w_-_-").status, 404);
    let nonsense = server.get(&format!("/tables/{first}/probe?state=nonsense"));
    assert_eq!(nonsense.status, 400, "{nonsense:?}");
}

/// A new game and a new family get these routes from their lines in the registries.
#[test]
fn the_l_game_and_tapatan_are_served_with_their_boards() {
    let folder = crate::fresh("registered");
    let setup = retrograde_games::Setup::parse("l-game", &[], None).unwrap();
    crate::write(&folder.join("l-game.table"), &setup);
    let probe = "/tables/l-game/probe?state=...n/xxxo/xooo/n...&view=true";
    let probe = Server::start(&folder, "").json(probe);
    assert_eq!(probe["value"], "draw", "{probe}");
    let men: Vec<&str> = probe["board"]["men"]
        .as_array()
        .unwrap()
        .iter()
        .map(|man| man["sign"].as_str().unwrap())
        .collect();
    assert_eq!(men.concat(), "xxxxoooonn", "{probe}");
    assert_eq!(probe["board"]["points"][3]["name"], "d4");
    let folder = crate::fresh("tapatan");
    let text = include_str!("../../../../examples/games/tapatan.game").to_owned();
    let source = retrograde_games::Source { name: "tapatan.game".into(), text };
    let family = retrograde_catalog::TextFamily::of_text(&source).unwrap();
    retrograde_regions::Builder::new(&family, &folder).build(&["+3Mv+3M"]).unwrap();
    let server = Server::start(&folder, "");
    let probe = server.json("/tables/+3Mv+3M/probe?state=start&view=true");
    assert_eq!((&probe["value"], &probe["distance"]), (&json!("win"), &json!(9)), "{probe}");
    let board = &probe["board"];
    let count = |name: &str| board[name].as_array().unwrap().len();
    assert_eq!((count("points"), count("lines"), count("men")), (9, 16, 0), "{probe}");
    assert_eq!(probe["moves"][0]["points"], json!([4]));
    assert_eq!(server.json("/tables/+3Mv+3M/line")["states"].as_array().unwrap().len(), 10);
}

/// The server listed a table of a game that it does not know, and answered 500 to every question about it. It ignored a
/// folder inside the folder, and an empty folder, without a note.
#[test]
fn what_is_not_served_is_not_listed_and_said() {
    let folder = crate::fresh("left-out");
    let take = games().pop().unwrap().1;
    crate::write(&folder.join("take.table"), &take);
    let about = About { game: "morris".into(), ..about(&take) };
    let game = game(&take).unwrap();
    let solution = game.solve(Engine::Scalar, Solver::new()).unwrap();
    Writer::new(about).write(folder.join("5-5.table"), &solution).unwrap();
    fs::create_dir(folder.join("more")).unwrap();
    let open = |folder: &Path| {
        retrograde_server::Server::open(folder, Options::default(), Limits::default()).unwrap()
    };
    let left_out = open(&folder).left_out().join("\n");
    for part in ["5-5.table", "morris", "more: a folder"] {
        assert!(left_out.contains(part), "`{part}` is missing: {left_out}");
    }
    let list = Server::start(&folder, "").json("/tables");
    let names: Vec<&Json> =
        list["tables"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["take"]);
    let empty = open(&crate::fresh("left-out-empty")).left_out().join("\n");
    assert!(empty.contains("no table"), "{empty}");
}

/// The server accepted only numbers with a port as an address.
#[test]
fn a_port_and_a_name_are_addresses() {
    let resolves = "localhost:0".to_socket_addrs().is_ok();
    if !needs::met("the name `localhost`, which /etc/hosts lacks", resolves) {
        return;
    }
    let folder = crate::fresh("addresses");
    for address in ["0", "localhost:0"] {
        assert_eq!(Server::start_at(&folder, address, "").get("/health").status, 200, "{address}");
    }
}

/// `RETROGRADE_SCHEMAS=write cargo test -p retrograde-server --test server schemas` writes it.
#[test]
fn the_schemas_are_those_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    let document = format!("{:#}\n", retrograde_server::document());
    if std::env::var_os("RETROGRADE_SCHEMAS").is_some() {
        fs::write(&path, &document).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(
        kept == document,
        "openapi.json is out of date: run this test with RETROGRADE_SCHEMAS=write"
    );
}

#[test]
fn the_document_names_every_route_and_no_other() {
    let document = SERVER.json("/openapi.json");
    let pieces = &document["components"]["schemas"]["Parameters"]["properties"]["piece"];
    assert_eq!(pieces["enum"], json!(["queen", "rook", "bishop", "king"]));
    assert_eq!(pieces["description"], "corner: which piece walks");
    let documented: BTreeSet<(String, String)> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, methods)| {
            methods.as_object().unwrap().keys().map(|method| (path.clone(), method.clone()))
        })
        .collect();
    let routes = ROUTES
        .iter()
        .flat_map(|(path, methods)| methods.iter().map(|method| (*path, *method)))
        .map(|(path, method)| (path.to_owned(), method.to_owned()))
        .collect();
    assert_eq!(documented, routes);
    for (path, methods) in ROUTES {
        let path =
            path.replace("{name}", "board").replace("{game}", "take").replace("{file}", "app.js");
        for method in ["get", "post", "put", "delete", "patch"] {
            let answer = SERVER.request(&method.to_uppercase(), &path, "", b"");
            let allowed = answer.status != 405;
            assert_eq!(allowed, methods.contains(&method), "{method} {path}: {answer:?}");
            assert_ne!(answer.said_if_json()["error"], "there is nothing here");
        }
    }
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(document["info"]["version"], version, "openapi.json is of another version");
}

impl crate::Answer {
    fn said_if_json(&self) -> Json {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// The page of the book about the server shows a command that starts it, and an address to ask. The folder of the tests
/// has no table for that position, so the answer names the table that is missing.
#[test]
fn the_commands_of_the_book_are_served() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/server.md")).unwrap();
    let block = page.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let lines: Vec<&str> = block.lines().collect();
    let [install, serve, ask] = lines[..] else { panic!("{lines:?}") };
    let folder = install.strip_prefix("cargo install --path ").expect("how to install it");
    assert!(root.join(folder).join("src/main.rs").exists(), "{folder}");
    assert!(serve.starts_with("retrograde serve endgames "), "{serve}");
    assert!(serve.contains("http://127.0.0.1:8080/ "), "{serve}");
    assert_eq!(SERVER.get("/").status, 200);
    assert_eq!(SERVER.get("/openapi.json").status, 200);
    let address =
        ask.strip_prefix("curl 'http://127.0.0.1:8080").and_then(|ask| ask.strip_suffix('\''));
    let answer = SERVER.get(address.expect("an address"));
    assert_eq!(answer.status, 404);
    assert!(answer.said().to_string().contains("KQvKR"), "{answer:?}");
}
