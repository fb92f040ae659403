//! A chase on a graph from any text. The reader refuses it with an error, or it is a sound game.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retrograde_games::Chase;

fuzz_target!(|text: &str| {
    for police in 0..4 {
        if let Ok(chase) = Chase::parse(text, police) {
            retrograde_fuzz::check_shown(&chase);
        }
    }
});
