//! A table with any header. The reader refuses it, or its game can be built and probed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use retrograde_fuzz::forge;

fuzz_target!(|header: &str| {
    for version in [1, 2] {
        forge::ask(file(version, header));
    }
});

/// A table of this version, with some drawn states in one block, and no histogram.
fn file(version: u32, header: &str) -> Vec<u8> {
    let mut file = b"retrograde table".to_vec();
    file.extend(version.to_le_bytes());
    file.extend((header.len() as u32).to_le_bytes());
    let block_at = 56 + header.len() as u64 + 2 + 8;
    let block = [1, 1];
    let index_at = block_at + 4 + block.len() as u64 + 8;
    for number in [2, 1, index_at, 0] {
        file.extend(number.to_le_bytes());
    }
    file.extend(header.as_bytes());
    file.extend(b"[]");
    file.extend([0; 8]);
    file.extend((block.len() as u32).to_le_bytes());
    file.extend(block);
    file.extend([0; 8]);
    file.extend(block_at.to_le_bytes());
    file.extend(((index_at - block_at) as u32).to_le_bytes());
    file.extend([0; 8]);
    forge::mend(&mut file).expect("it is as the format has it");
    file
}
