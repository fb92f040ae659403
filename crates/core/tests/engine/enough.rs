//! The limit that an error of the memory limit names is enough to solve.

use crate::log::{Blocks, Checked};
use crate::ways::{in_pool, thresholds};
use crate::window::near;
use retrograde::bit_parallel::{BitParallel, ByWords, Settled, Share, WordExchange};
use retrograde::internal::Thresholds;
use retrograde::parts::Sums;
use retrograde::{Outcome, Predecessors, SolveError, Solver, Status, Value};
use retrograde_testkit::long::Chain;
use retrograde_testkit::{Plain, cases, random, seed};
use std::ops::Range;

/// Solves with a limit of no bytes, and then with each limit that an error names. Returns how many solves were refused.
fn refusals<S>(what: &str, solve: impl Fn(u64) -> Result<S, SolveError>) -> u32 {
    let (mut limit, mut refused) = (0, 0);
    loop {
        match solve(limit) {
            Ok(_) => return refused,
            Err(SolveError::Memory { needed, limit: said }) => {
                assert!(said == limit && needed > limit, "{what}: {needed} and {said} of {limit}");
                (limit, refused) = (needed, refused + 1);
                assert!(refused < 20, "{what}: {limit} bytes are not enough");
            }
            Err(error) => panic!("{what}: {error}"),
        }
    }
}

/// Another process that wants to know all, and tells a little more of its words at each level.
struct Loud {
    own: Vec<Range<u64>>,
    ghosts: Vec<u64>,
    rounds: usize,
}

impl WordExchange for Loud {
    fn subscribe(&mut self, ghosts: &[Range<u64>]) -> Result<Vec<Range<u64>>, SolveError> {
        self.ghosts = ghosts.iter().cloned().flatten().collect();
        Ok(self.own.clone())
    }

    fn exchange(
        &mut self,
        _: &[Settled],
        own: Sums,
        take: &mut dyn FnMut(Vec<Settled>) -> Result<(), SolveError>,
    ) -> Result<Sums, SolveError> {
        self.rounds += 1;
        let states = 1 << (self.rounds % 64);
        let settle = |&word| Settled { word, states, outcome: Some(Outcome::Win) };
        take(self.ghosts.iter().take(self.rounds).map(settle).collect())?;
        Ok(own)
    }
}

/// Solves in all ways, and asserts that at most `most` solves are refused in each.
fn assert_enough<G: BitParallel + Predecessors>(game: &G, most: u32, seed: u64) {
    for (threads, distances, least) in
        [(1, true, false), (1, false, true), (3, true, true), (3, false, false)]
    {
        let solver = |limit| {
            let solver = Solver::new().threads(threads).distances(distances).memory_max(limit);
            solver.thresholds(thresholds(least))
        };
        let what = |how| format!("seed {seed}, {how}, {threads} threads, {distances}, {least}");
        let assert = |how, solve: &(dyn Fn(u64) -> Result<(), SolveError> + Sync)| {
            let refused = in_pool(threads, || refusals(&what(how), solve));
            assert!(refused <= most, "{}: refused {refused} times", what(how));
        };
        assert("scalar", &|limit| solver(limit).solve(game).map(drop));
        assert("words", &|limit| solver(limit).solve(ByWords(game)).map(drop));
        assert("logged", &|limit| {
            ByWords(game).solve_in(solver(limit), Box::new(Blocks::new())).map(drop)
        });
        let share = Share::new(game.states(), 0, 2, 2);
        let block = share.block_states() / 64;
        let words = game.states().div_ceil(64);
        let own =
            (0..words).filter(|word| (word / block).is_multiple_of(2)).map(|word| word..word + 1);
        let own: Vec<_> = own.collect();
        // The ghosts are unknown before the solve, and messages grow.
        let refused = in_pool(threads, || {
            refusals(&what("share"), |limit| {
                let mut loud = Loud { own: own.clone(), ghosts: Vec::new(), rounds: 0 };
                ByWords(game).solve_share(solver(limit), None, (&share, &mut loud)).map(drop)
            })
        });
        assert!(refused <= most + 8, "{}: refused {refused} times", what("share"));
    }
}

/// An error named the bytes of the arrays, without the lists of levels. A solve with this limit was refused again, at each
/// level whose lists were longer.
#[test]
fn a_limit_that_is_named_is_enough() {
    let fresh = seed();
    for seed in (0..cases(300)).chain(fresh..fresh + cases(100)) {
        let mut game = random::game(seed, 0..2_000);
        // At most one more refusal once the events are known. The distances may need higher digits after 255 levels.
        assert_enough(&game, 4, seed);
        // Nothing is unknown before the solve.
        game.exits.iter_mut().for_each(Vec::clear);
        game.stuck = None;
        for status in &mut game.statuses {
            *status = match *status {
                Status::Terminal(Value::Win(_)) => Status::Terminal(Value::Win(0)),
                Status::Terminal(_) => Status::Terminal(Value::Loss(0)),
                status => status,
            };
        }
        if is_short(&game) {
            assert_enough(&game, 1, seed);
        }
        let game = Checked(game);
        if is_short(&game) {
            assert_enough(&game, 1, seed);
        }
    }
}

/// Whether distances take a byte.
fn is_short(game: &impl Predecessors) -> bool {
    let longest = retrograde::solve(game).histogram().levels().last();
    longest.is_none_or(|level| level.distance < 200)
}

/// Distances are unknown before they come. A solve is refused at most twice for them: once they have 256 levels, the error
/// names what is enough for four times as many, or for one level for each open state.
#[test]
fn long_distances_are_refused_few_times() {
    for states in [200, 1_000, 5_000] {
        assert_enough(&Chain { states }, if states < 256 { 1 } else { 4 }, states);
    }
}

/// A solve with a window named the memory of its bits, and not that of its lists. If the game cannot be solved with a window,
/// the solve without one takes more.
#[test]
fn a_limit_that_a_window_names_is_enough() {
    for seed in 0..cases(10) {
        let mut game = near(seed, 150_000, 1 + seed % 5 * 700);
        let solve = |game: &Checked<Plain>, threads, limit| {
            let solver = Solver::new().threads(threads).thresholds(Thresholds::least());
            let solver = solver.distances(seed % 2 == 0).memory_max(limit);
            in_pool(threads, || ByWords(game).solve_in(solver, Box::new(Blocks::new())))
        };
        for threads in [1, 2] {
            let what = format!("seed {seed}, {threads} threads");
            assert_eq!(refusals(&what, |limit| solve(&game, threads, limit)), 1, "{what}");
        }
        // One exit, and one move that no sample shows.
        let exits = seed % 2 == 0;
        if exits {
            game.0.statuses[70_000] = Status::Open;
            game.0.exits[70_000].push(Value::Win(4));
        } else {
            for state in [64 * 301, 64 * 2_000] {
                game.0.statuses[state] = Status::Open;
            }
            game.0.connect(64 * 301, 64 * 2_000);
        }
        let what = format!("seed {seed}, exits {exits}");
        let refused = refusals(&what, |limit| solve(&game, 1, limit));
        assert!(refused <= 3, "{what}: refused {refused} times");
    }
}
