//! The text of a game from any bytes. The compiler refuses it with an error, or it is a sound game.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retrograde::{Game, audit};
use retrograde_described::{DescribedGame, Numbers, Page, PageVisitor};
use retrograde_positions::{Positions, check_position};

struct Check;

impl PageVisitor for Check {
    type Output = ();

    fn visit<const N: usize>(self, game: DescribedGame<N>) {
        if game.states() > 4_000 {
            return;
        }
        if let Err(wrong) = audit(&game) {
            panic!("{wrong}");
        }
        for position in (0..game.states()).filter_map(|state| game.position(&(), state)) {
            check_position(&game, &position).unwrap();
        }
    }
}

fuzz_target!(|text: &str| {
    if let Ok(page) = Page::read(text) {
        for numbers in [Numbers::Plain, Numbers::Folded] {
            page.clone().visit(numbers, Check).unwrap();
        }
    }
});
