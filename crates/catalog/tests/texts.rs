//! Games from texts: in the header of a table, and beside the crate of chess.

use std::path::Path;

use retrograde::Solver;
use retrograde_catalog::{Engine, about, from_about, game};
use retrograde_chess::{Material, Tablebase, builder};
use retrograde_games::{Setup, Source};
use retrograde_testkit::deep;
use serde_json::json;

#[test]
fn a_header_keeps_the_text_and_an_unknown_numbering_is_refused() {
    let text = include_str!("../../../examples/games/achi.game");
    let source = Source { name: "achi.game".to_owned(), text: text.to_owned() };
    let mut header = about(&Setup::parse("text", &[], Some(source)).expect("a text"));
    assert_eq!((&*header.game, header.board.as_deref()), ("text", Some(text)));
    assert_eq!(header.parameters, json!({ "numbering": 1 }));
    let made = |header: &_| from_about(header, "it").and_then(|setup| game(&setup));
    assert_eq!(made(&header).expect("the game").states(), 920);
    header.parameters = json!({ "numbering": 2 });
    let refused = made(&header).err().expect("a numbering of the future").to_string();
    assert!(refused.contains("numbering 2 is not known"), "{refused}");
    header.parameters = json!({});
    let refused = made(&header).err().expect("no numbering").to_string();
    assert!(refused.contains("numbering"), "{refused}");
}

/// The placement of men in a position of a text, as a FEN.
fn fen(text: &str) -> String {
    let (side, rows) = text.split_once(' ').expect("the player to move, and the board");
    let mut fen = String::new();
    for (at, row) in rows.split('/').enumerate() {
        if at > 0 {
            fen.push('/');
        }
        let mut free = 0;
        for sign in row.chars() {
            if sign == '.' {
                free += 1;
                continue;
            }
            if free > 0 {
                fen.push_str(&free.to_string());
            }
            free = 0;
            fen.push(sign);
        }
        if free > 0 {
            fen.push_str(&free.to_string());
        }
    }
    format!("{fen} {} - - 0 1", &side[..1])
}

/// Royal men go by sets of squares here, state by state and in rows, and by words of the crate there: all values are the same.
#[test]
fn endings_of_chess_as_texts_have_the_values_of_the_crate() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("endings-as-texts");
    let _ = std::fs::remove_dir_all(&folder);
    let endings = [
        ("KRvK", include_str!("../../../examples/games/king-and-rook.game")),
        ("KQvKR", include_str!("../../../examples/games/queen-against-rook.game")),
    ];
    // The larger one takes a minute.
    let endings = &endings[..if deep() { 2 } else { 1 }];
    let materials: Vec<Material> =
        endings.iter().map(|(name, _)| name.parse().expect("a material")).collect();
    builder(&folder).build(&materials).expect("they are built");
    let tables = Tablebase::open(&folder).expect("the tables");
    for (name, text) in endings {
        let source = Source { name: (*name).to_owned(), text: (*text).to_owned() };
        let setup = Setup::parse("text", &[], Some(source)).expect("a text");
        let game = game(&setup).expect("it is one");
        let [by_states, solution] = [Engine::Scalar, Engine::BitParallel]
            .map(|engine| game.solve(engine, Solver::new()).expect("it fits in memory"));
        assert!(game.has_words(), "{name} has a king that is alone");
        let differs = |state: &u64| by_states.value(*state) != solution.value(*state);
        assert_eq!((0..game.states()).find(differs), None, "{name}");
        let mut compared = 0;
        for state in 0..game.states() {
            let Some(value) = solution.value(state) else { continue };
            let fen = fen(&game.text(state).expect("a valid state"));
            let known = tables.value(&*fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(value, known, "{fen}");
            compared += 1;
        }
        assert!(compared > 40_000, "{name}: {compared}");
    }
    std::fs::remove_dir_all(&folder).expect("it is there");
}
