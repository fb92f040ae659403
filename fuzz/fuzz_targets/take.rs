//! Heaps and takes of any sizes. The game refuses them with an error, or it is sound.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retrograde_games::{Take, Takes};

fuzz_target!(|arguments: (Vec<u32>, Option<Vec<u32>>)| {
    let (heaps, takes) = arguments;
    let takes = takes.map_or(Takes::Any, Takes::Set);
    if let Ok(take) = Take::new(&heaps, takes) {
        retrograde_fuzz::check_shown(&take);
        retrograde_fuzz::check_shown(&take.misere(true));
    }
});
