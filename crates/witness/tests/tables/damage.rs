//! A damaged table gives an error or the same verdict. Whatever it claims, the witness does not panic and
//! takes no memory for it.

use std::fs;

use retrograde_table::{About, Writer};
use retrograde_witness::{Refusal, witness};

use serde_json::json;

use crate::common::{Scratch, Solved, witnessed};
use crate::texts;

/// Whatever a header claims, the witness does not wait, panic or allocate for it.
#[test]
fn headers_that_make_no_sense_are_refused() {
    let folder = Scratch::new();
    let path = folder.join("forged.table");
    let solved = Solved::pursuit("E.\n..\n", 1);
    let most = u64::MAX;
    for (game, parameters, board) in [
        ("pursuit", json!({ "police": 1 }), Some("what\n")),
        ("pursuit", json!({ "police": 1 }), Some(".\n")),
        ("pursuit", json!({ "police": most }), Some("..\n")),
        ("chase", json!({ "police": most }), Some("a a\n")),
        ("chase", json!({ "police": 200 }), Some("a b\nb c\nc d\n")),
        ("chase", json!({}), None),
        ("take", json!({ "heaps": [most], "take": "any" }), None),
        ("take", json!({ "heaps": [most - 1], "take": "any" }), None),
        ("take", json!({ "heaps": [3], "take": "some" }), None),
        ("corner", json!({ "piece": "queen", "rows": 1u64 << 62, "columns": 3 }), None),
        ("corner", json!({ "piece": "pawn", "rows": 3, "columns": 3 }), None),
        ("graph", json!({}), Some("a\n")),
        ("chess", json!({ "material": "KvK" }), None),
        ("chess", json!({ "material": "KQQQQQvK" }), None),
        ("text", json!({ "numbering": 1 }), Some("game go\nboard grid 19 19\n")),
        ("text", json!({ "numbering": 1 }), None),
        ("text", json!({ "numbering": 2 }), Some(texts::text("achi"))),
        ("text", json!({ "numbering": 1 }), Some(texts::text("achi"))),
        ("go", json!({}), None),
    ] {
        let about = About {
            game: game.into(),
            parameters,
            board: board.map(str::to_owned),
            ..About::default()
        };
        Writer::new(about).rows(64, 2).write(&path, &solved.solution).unwrap();
        let refusal = witnessed(&path).unwrap_err();
        assert!(refusal.to_string().contains("forged.table"), "{game}: {refusal}");
    }
}

/// Every byte, changed three ways.
#[test]
fn every_change_of_a_byte_is_refused() {
    let folder = Scratch::new();
    let path = folder.join("small.table");
    let solved = Solved::pursuit("E.\n..\n", 1);
    solved.writer().write(&path, &solved.solution).unwrap();
    let honest = fs::read(&path).unwrap();
    witnessed(&path).unwrap();
    for at in 0..honest.len() {
        for change in [0x01, 0x80, 0xff] {
            let mut changed = honest.clone();
            changed[at] ^= change;
            fs::write(&path, changed).unwrap();
            let refusal = witness(&path, &Default::default()).unwrap_err();
            assert!(matches!(refusal, Refusal::Unreadable(_)), "byte {at} by {change}: {refusal}");
        }
    }
    for len in 0..honest.len() {
        fs::write(&path, &honest[..len]).unwrap();
        assert!(witness(&path, &Default::default()).is_err(), "cut to {len}");
    }
}
