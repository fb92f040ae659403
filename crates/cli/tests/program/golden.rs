//! Tables of each small game and of tapatan that version 0.2 of the program wrote: every later program opens them, and every
//! value follows from the rules.

use std::fs;
use std::path::Path;

use crate::{results, run};

#[test]
fn tables_of_earlier_programs_are_verified() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/0.2");
    let mut verified = 0;
    for folder in [golden.clone(), golden.join("tapatan")] {
        for entry in fs::read_dir(folder).expect("the golden tables are there") {
            let path = entry.expect("it can be listed").path();
            if path.extension().is_some_and(|extension| extension == "table") {
                results(run(&format!("verify --checksums {}", path.display())));
                let said = results(run(&format!("verify {}", path.display())));
                assert!(said.contains("every value follows"), "{}: {said}", path.display());
                verified += 1;
            }
        }
    }
    assert_eq!(verified, 20, "a golden table is missing");
}
