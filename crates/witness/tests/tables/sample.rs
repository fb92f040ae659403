//! A look at some positions of a table, in place of a proof.

use std::path::Path;

use retrograde_morris::Men;
use retrograde_witness::{Options, Proved, Refusal, tables, witness};

use crate::common::{Scratch, Solved, witnessed};

/// A look at about so many positions.
pub(crate) fn sampled(path: &Path, positions: u64) -> Result<Proved, Refusal> {
    witness(path, &Options { threads: 2, sample: Some(positions), ..Options::default() })
}

/// A sample finds the values that tables leave out one by one. The proof finds them all beforehand.
#[test]
fn a_sample_of_all_positions_sees_what_the_proof_sees() {
    let folder = Scratch::new();
    let endgame = folder.endgames(&["KPvK"]).join("KPvK.table");
    let morris = tables(&folder.morris(Men::Three)).unwrap();
    for path in morris.into_iter().chain([endgame]) {
        let proved = witnessed(&path).unwrap();
        assert_eq!(sampled(&path, u64::MAX), Ok(proved), "{}", path.display());
    }
}

#[test]
fn a_sample_has_about_as_many_positions_as_it_should() {
    let folder = Scratch::new();
    let path = folder.endgames(&["KRvK"]).join("KRvK.table");
    let whole = witnessed(&path).unwrap().positions;
    let Proved { positions, share, .. } = sampled(&path, 2000).unwrap();
    // A run has 4,096 numbers, so 64 of them have many times as many as are wanted. Most stand for positions.
    assert!((500..2500).contains(&positions), "{positions} of {whole}");
    assert!((0.02..0.04).contains(&share), "{share}");
    let small = folder.join("small.table");
    let solved = Solved::pursuit("E..\n.*.\n", 1);
    solved.writer().write(&small, &solved.solution).unwrap();
    assert_eq!(sampled(&small, 1000), witnessed(&small), "all of a small table");
}
