//! Every value of these tables is right, but a number of the header or the histogram is wrong. The witness
//! refuses them, and so does `verify`. The witness used to accept exchanged counts of the two sides, and both
//! accepted an empty histogram.

use std::fs;
use std::path::Path;

use retrograde::Histogram;
use retrograde::checks::Verifier;
use retrograde_catalog::{Engine, Known};
use retrograde_table::{About, InvalidStates, Table, Writer};
use retrograde_witness::Refusal;
use xxhash_rust::xxh3::xxh3_64;

use crate::common::{Scratch, Solved, witnessed};

/// A lie about a table.
type Lie = fn(&mut About);

fn assert_refused(path: &Path, solved: Option<&Solved>, what: &str) {
    match witnessed(path) {
        Err(Refusal::Wrong(said))
            if said.contains("its header") || said.contains("its histogram") => {}
        answer => panic!("{what}: {answer:?}"),
    }
    if let Some(Solved { game, .. }) = solved {
        // Some tables cannot even be opened.
        let Ok(table) = Table::open(path) else { return };
        let known = Known::Table(table.into());
        let verified = game.verify(Engine::BitParallel, Verifier::new(), &known);
        assert!(verified.is_err(), "{what}: verify finds nothing");
    }
}

#[test]
fn a_header_that_lies_is_refused() {
    let folder = Scratch::new();
    let path = folder.join("lie.table");
    let lies: [(&str, Lie); 8] = [
        ("exchanged counts", |about| about.counts.swap(0, 1)),
        ("exchanged names", |about| {
            let [first, second] = &mut about.counts[..] else { unreachable!() };
            std::mem::swap(&mut first.side, &mut second.side);
        }),
        ("one side alone", |about| drop(about.counts.pop())),
        ("one side twice", |about| about.counts[1] = about.counts[0].clone()),
        ("a third side", |about| about.counts.push(Default::default())),
        ("a win more", |about| about.counts[0].win += 1),
        ("other invalid states", |about| about.counts[1].invalid ^= 1),
        ("invalid states of another", |about| {
            about.counts[0].invalid += 1;
            about.counts[1].invalid = about.counts[1].invalid.saturating_sub(1);
        }),
    ];
    for police in [1, 2] {
        let solved = Solved::pursuit("E..*..\n.*....\n...E**\n", police);
        let writer = |about| {
            let writer = Writer::new(about)
                .invalid_states(InvalidStates::Forgotten)
                .rows(solved.game.facts().turns.row_len().unwrap(), 2);
            writer.histogram(solved.solution.histogram())
        };
        writer(solved.about.clone()).write(&path, &solved.solution).unwrap();
        witnessed(&path).expect("the truth is proved");
        for (what, lie) in &lies {
            let mut about = solved.about.clone();
            lie(&mut about);
            writer(about).write(&path, &solved.solution).unwrap();
            assert_refused(&path, Some(&solved), what);
        }
        let other = Solved::pursuit("E.\n..\n", 1);
        for (what, histogram) in [
            ("an empty histogram", &Histogram::default()),
            ("another histogram", other.solution.histogram()),
        ] {
            let writer = writer(solved.about.clone()).histogram(histogram);
            writer.write(&path, &solved.solution).unwrap();
            assert_refused(&path, Some(&solved), what);
        }
        solved.writer().write(&path, &solved.solution).unwrap();
        assert!(change(&path, &["\"longest\": "]));
        assert_refused(&path, Some(&solved), "another longest distance");
    }
}

/// Changes the first digit after some words of the header, and corrects the checksum. Returns whether there
/// is one.
fn change(path: &Path, words: &[&str]) -> bool {
    let mut bytes = fs::read(path).unwrap();
    let header = 56 + u32::from_le_bytes(bytes[20..24].try_into().unwrap()) as usize;
    let mut at = 56;
    for word in words {
        let found =
            bytes[at..header].windows(word.len()).position(|found| found == word.as_bytes());
        at += found.expect("the header has it") + word.len();
    }
    if bytes[at] == b'"' {
        at += 1;
    }
    let digit = bytes[at];
    if !digit.is_ascii_digit() {
        return false;
    }
    bytes[at] = if digit == b'9' { b'8' } else { digit + 1 };
    let sum = xxh3_64(&[&bytes[..48], &bytes[56..header]].concat());
    bytes[48..56].copy_from_slice(&sum.to_le_bytes());
    fs::write(path, bytes).unwrap();
    true
}

#[test]
fn an_endgame_that_lies_of_its_placements_is_refused() {
    let folder = Scratch::new();
    // Without pawns and with them. If two kings are on a diagonal, a position stands for fewer placements.
    let endgames = folder.endgames(&["KPvK"]);
    let mut changed = 0;
    for name in ["KQvK", "KPvK"] {
        let path = endgames.join(format!("{name}.table"));
        let honest = fs::read(&path).unwrap();
        witnessed(&path).expect("the truth is proved");
        for side in ["white", "black"] {
            for key in ["win", "draw", "loss", "longest", "fen"] {
                if change(&path, &[&format!("\"{side}\": {{"), &format!("\"{key}\": ")]) {
                    assert_refused(&path, None, &format!("{name}: {key} of {side}"));
                    changed += 1;
                    fs::write(&path, &honest).unwrap();
                }
            }
        }
    }
    assert!(changed > 10);
}
