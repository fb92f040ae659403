//! A solve takes as much memory as it says. Each case runs in a process of its own, which asks the system for its peak.
#![cfg(target_os = "linux")]

use crate::threads::Alone;
use retrograde::bit_parallel::{
    BitParallel, ByWords, LOG_BLOCK_BYTES, LogStore, Share, Singles, WordStatus,
};
use retrograde::{Game, Outcome, Predecessors, SolveError, Solver, Status, Value};
use retrograde_testkit::peak::peak_of;
use std::fs::File;
use std::io;
use std::ops::{ControlFlow, Range};
use std::os::unix::fs::FileExt;

/// Each word has a lost state, a won one, eight that win in 1, and eight that lose in 1: one of each in each byte of a set,
/// so that lists are as long as they can be. Their moves lead to `hops` words, so far apart that each of `hops` processes
/// has one of them.
#[derive(Clone, Copy)]
struct Hops<const CHECKS_WINS: bool> {
    words: u64,
    hops: u64,
}

impl<const CHECKS_WINS: bool> Hops<CHECKS_WINS> {
    /// The states that win in 1 by a move to the word so many hops away.
    fn winners(self, hop: u64) -> u64 {
        (0..8).filter(|byte| byte % self.hops == hop).fold(0, |set, byte| set | 4 << (8 * byte))
    }

    fn stride(self) -> u64 {
        self.words / self.hops
    }
}

impl<const CHECKS_WINS: bool> Game for Hops<CHECKS_WINS> {
    fn states(&self) -> u64 {
        self.words * 64
    }
    fn status(&self, state: u64) -> Status {
        match state % 64 {
            0 => Status::Terminal(Value::Loss(0)),
            1 => Status::Terminal(Value::Win(0)),
            bit if matches!(bit % 8, 2 | 3) => Status::Open,
            _ => Status::Invalid,
        }
    }
    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (word, bit) = (state / 64, state % 64);
        let (hop, to) = (bit / 8 % self.hops, bit % 8 - 2);
        visit((word + hop * self.stride()) % self.words * 64 + to)
    }
}

impl<const CHECKS_WINS: bool> Predecessors for Hops<CHECKS_WINS> {
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        self.predecessors_of_set(state / 64, 1 << (state % 64), |word, set, _| {
            (0..64).filter(|bit| set >> bit & 1 != 0).for_each(|bit| visit(word * 64 + bit));
        });
    }
}

impl<const CHECKS_WINS: bool> BitParallel for Hops<CHECKS_WINS> {
    const CHECKS_WINS: bool = CHECKS_WINS;

    fn classify_words(
        &self,
        words: Range<u64>,
        mut visit: impl FnMut(u64, WordStatus, Singles<'_>),
    ) {
        let open = 0x0c0c_0c0c_0c0c_0c0c;
        let status = WordStatus { invalid: !(open | 3), won: 2, lost: 1, special: 0 };
        words.for_each(|word| visit(word, status, Singles::default()));
    }
    fn predecessors_of_set(&self, word: u64, set: u64, mut visit: impl FnMut(u64, u64, bool)) {
        for hop in (0..self.hops).filter(|_| set & 3 != 0) {
            let from = (word + self.words - hop * self.stride()) % self.words;
            let winners = self.winners(hop);
            let of_lost = if set & 1 != 0 { winners } else { 0 };
            let of_won = if set & 2 != 0 { winners << 1 } else { 0 };
            visit(from, of_lost | of_won, false);
        }
    }
    fn all_moves_into(&self, word: u64, set: u64, target: impl Fn(u64, bool) -> u64) -> u64 {
        (0..self.hops).fold(0, |found, hop| {
            let (to, winners) = ((word + hop * self.stride()) % self.words, self.winners(hop));
            let to = target(to, false);
            let inside = |bit: u64, states| if to & bit != 0 { set & states } else { 0 };
            found | inside(1, winners) | inside(2, winners << 1)
        })
    }
}

/// A store that keeps nothing.
struct Forgets;

impl LogStore for Forgets {
    fn write_block(&self, _: u64, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
    fn read_block(&self, _: u64, _: &mut [u8]) -> io::Result<()> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// How many bytes a solve is said to take beforehand, how many it says it took, and the peak of its process.
struct Taken {
    needed: u64,
    said: u64,
    peak: u64,
}

/// Runs a test again in a new process. There it solves.
fn measured(test: &str, solve: impl FnOnce() -> (u64, u64)) -> Option<Taken> {
    let taken = peak_of(&format!("memory::{test}"), || solve().into());
    taken.map(|([needed, said], peak)| Taken { needed, said, peak })
}

/// The peak is what the solve says, up to a tenth: by chance, the system gives a huge page more, or a part of one less. Lists that
/// were not counted took a quarter more, and more than twice as much.
fn assert_near(Taken { needed, said, peak }: Taken) {
    let near = said - said / 10..said + said / 10;
    assert!(near.contains(&peak), "{peak} bytes at the peak, {said} said, {needed} beforehand");
    assert!(needed <= said, "{needed} bytes beforehand, {said} said");
}

fn one() -> Solver<'static> {
    Solver::new().threads(1).distances(false)
}

const WORDS: u64 = 1 << 21;

/// The lists of what settles at a level took up to 32 bytes a word, and were not counted.
#[test]
fn lists_of_a_level_count() {
    let game = Hops::<false> { words: WORDS, hops: 1 };
    let solve = || {
        let solution = one().solve(ByWords(&game)).expect("no limit");
        assert_eq!(solution.counts().draw, 0);
        (one().memory_needed(ByWords(&game)), solution.bytes())
    };
    measured("lists_of_a_level_count", solve).into_iter().for_each(assert_near);
}

#[test]
fn lists_of_a_level_count_if_checks_find_wins() {
    let game = Hops::<true> { words: WORDS, hops: 1 };
    let solve = || {
        let solution = one().solve(ByWords(&game)).expect("no limit");
        assert_eq!(solution.counts().draw, 0);
        (one().memory_needed(ByWords(&game)), solution.bytes())
    };
    measured("lists_of_a_level_count_if_checks_find_wins", solve).into_iter().for_each(assert_near);
}

/// The same with a log in a store that forgets. The tails of the logs fill with two entries a word.
#[test]
fn lists_count_beside_a_log() {
    let game = Hops::<false> { words: WORDS, hops: 1 };
    let solver = || one().distances(true);
    let solve = || {
        let solved = ByWords(&game).solve_in(solver(), Box::new(Forgets));
        let solved = solved.expect("no limit");
        (ByWords(&game).memory_needed_in(&solver()), solved.bytes())
    };
    measured("lists_count_beside_a_log", solve).into_iter().for_each(assert_near);
}

/// A level that would exceed the limit ends the solve.
#[test]
fn lists_are_refused_where_they_do_not_fit() {
    let game = Hops::<false> { words: 1 << 12, hops: 1 };
    let bytes = one().solve(ByWords(&game)).expect("no limit").bytes();
    let solve = |limit| one().memory_max(limit).solve(ByWords(&game));
    assert!(bytes > one().memory_needed(ByWords(&game)));
    assert_eq!(solve(bytes).expect("it fits").outcome(2), Some(Outcome::Win));
    let refused = solve(bytes - 1).expect_err("one byte too few");
    let SolveError::Memory { needed, .. } = refused else { panic!("{refused}") };
    // Only the last words of lists differ.
    assert!(needed >= bytes && needed - bytes < 512, "{needed} named, {bytes} taken");
}

/// Keeps blocks in a file without a name.
struct InFile(File);

impl LogStore for InFile {
    fn write_block(&self, number: u64, block: &[u8]) -> io::Result<()> {
        self.0.write_all_at(block, number * LOG_BLOCK_BYTES as u64)
    }
    fn read_block(&self, number: u64, block: &mut [u8]) -> io::Result<()> {
        self.0.read_exact_at(block, number * LOG_BLOCK_BYTES as u64)
    }
    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// A window keeps the states that a mixed level has found until near shards are checked. It did not count these lists.
#[test]
fn lists_count_in_a_window() {
    let solve = |words| {
        let game = Hops::<true> { words, hops: 1 };
        let least = ByWords(&game).plan_window(&one()).expect("moves stay in a word").memory_least;
        // Eight shards fill huge pages.
        let limit = least + (1 << 19);
        let path = std::env::temp_dir().join(format!("retrograde-window-{}", std::process::id()));
        let file = File::options().read(true).write(true).create_new(true).open(&path);
        let store = InFile(file.expect("it is new"));
        std::fs::remove_file(&path).expect("it is there");
        let solved = ByWords(&game).solve_in(one().memory_max(limit), Box::new(store));
        (limit, solved.expect("it fits").bytes())
    };
    // The pages of the program come into memory with a small solve.
    solve(WORDS / 4);
    measured("lists_count_in_a_window", || solve(WORDS)).into_iter().for_each(assert_near);
}

/// A process had marks for the words of all processes, and set bits for states of others that win.
#[test]
fn a_share_takes_memory_for_its_words_and_ghosts() {
    let game = Hops::<false> { words: WORDS, hops: 8 };
    let solve = || {
        let share = Share::new(game.states(), 3, 8, 1);
        let solved =
            ByWords(&game).solve_share(one(), None, (&share, &mut Alone)).expect("no limit");
        let ghosts = 7 * game.words / 8;
        (ByWords(&game).memory_needed_share(&one(), false, (&share, ghosts)), solved.bytes())
    };
    measured("a_share_takes_memory_for_its_words_and_ghosts", solve)
        .into_iter()
        .for_each(assert_near);
}
