//! A forged table with right checksums. The reader refuses it or answers. If `verify` accepts it, its values
//! are true.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retrograde_fuzz::forge;

fuzz_target!(|data: &[u8]| forge::ask(forge::changed(data)));
