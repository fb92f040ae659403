//! A graph from any text, as a list of moves or in DOT. The reader refuses it with an error, or it is a sound
//! game.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retrograde_games::Graph;

fuzz_target!(|text: &str| {
    if let Ok(graph) = Graph::parse(text) {
        retrograde_fuzz::check_shown(&graph);
        retrograde_fuzz::check_shown(&graph.misere(true));
    }
});
