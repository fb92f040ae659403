//! Bits that are flipped on their way: no table is wrong, no rank panics, and the error names the sender.

use std::fs;

use retrograde_catalog::{Engine, JobError};
use retrograde_cluster::{BetweenThreads, Transport};
use retrograde_testkit::{Rng, cases, seed};

use crate::jobs::{Faulty, board, folder, job, problem, ran, write_table};

#[test]
fn a_flipped_bit_is_an_error_that_names_the_rank() {
    let folder = folder("bits");
    let setup = board(13, 14);
    let (out, expected) = (folder.join("found.table"), folder.join("expected.table"));
    write_table(&setup, true, &expected);
    let mut rng = Rng::new(seed());
    let tried = cases(100);
    for run in 0..tried {
        let mut job = job(&setup, &out);
        job.engine = Some(if run % 2 == 0 { Engine::Scalar } else { Engine::BitParallel });
        let (receiver, bit) = (rng.below(3) as usize, rng.below(1 << 40));
        // The solve has about a hundred exchanges, and those of the table follow.
        let exchanges = rng.below(60) as usize;
        let damaged = |inner: BetweenThreads| {
            let hit = inner.rank() == receiver;
            let left = if hit { exchanges } else { usize::MAX };
            Faulty { inner, left, bit: hit.then_some(bit) }
        };
        let (ended, _) = ran(&job, BetweenThreads::all(3).into_iter().map(damaged).collect());
        let failed = ended.iter().any(|ended| matches!(ended, Err(JobError::Failed(_))));
        assert!(failed, "run {run}: bit {bit} of exchange {exchanges} is not noticed");
        let said = problem(ended);
        let to = format!("arrived damaged at rank {receiver}");
        assert!(said.contains("bytes from rank ") && said.contains(&to), "run {run}: {said}");
        assert!(!out.exists() || fs::read(&out).unwrap() == fs::read(&expected).unwrap());
    }
}
