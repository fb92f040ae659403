//! A small game from any bytes: every way to solve it gives the naive solver's answer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retrograde_testkit::bytes;

fuzz_target!(|data: &[u8]| {
    let game = bytes::game(data);
    retrograde_fuzz::check_solutions(&game);
    retrograde_fuzz::check_words(&game);
});
