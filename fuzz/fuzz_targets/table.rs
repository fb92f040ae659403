//! A table that lies, its checksums put right: it is refused or it answers, and what `verify` lets pass is so.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retrograde_fuzz::forge;

fuzz_target!(|data: &[u8]| forge::ask(forge::changed(data)));
