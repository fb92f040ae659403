//! The text of a game in the header of its table.

use retrograde_catalog::{about, from_about, game};
use retrograde_games::{Setup, Source};
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
