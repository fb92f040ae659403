//! A damaged table gives an error, or the same answer; whatever it says of itself, nothing panics and no memory is taken for it.

use std::fs;

use retrograde_witness::{Refusal, witness};

use crate::common::{Scratch, Solved, witnessed};

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
