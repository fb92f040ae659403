//! The memory limit and its error, progress, and a solve that the caller stops.

use crate::ways::{Way, in_pool, values};
use retrograde::adapters::{AnyRules, Edges};
use retrograde::bit_parallel::ByWords;
use retrograde::internal::Thresholds;
use retrograde::{
    Game, Outcome, Predecessors, Progress, Solution, SolveError, Solver, Status, Value,
};
use retrograde_testkit::long::Chain;
use retrograde_testkit::{Plain, cases, random};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[test]
fn a_limit_refuses_with_the_number_and_the_number_is_enough() {
    for seed in 0..200 {
        let game = random::game(seed, 0..3_000);
        for distances in [true, false] {
            let solver = || Solver::new().threads(1).distances(distances);
            let bytes = solver().solve(&game).expect("no limit").bytes();
            let enough = solver().memory_max(bytes).solve(&game);
            assert!(enough.is_ok(), "seed {seed}: {bytes} bytes were taken and are not enough");
            if bytes == 0 {
                continue;
            }
            match solver().memory_max(bytes - 1).solve(&game) {
                Err(SolveError::Memory { needed, limit }) => {
                    assert!(limit == bytes - 1 && needed > limit, "seed {seed}");
                    assert!(solver().memory_max(needed).solve(&game).is_ok(), "seed {seed}");
                    let text = SolveError::Memory { needed, limit }.to_string();
                    assert!(
                        text.contains(&needed.to_string()) && text.contains(&limit.to_string())
                    );
                }
                Err(other) => panic!("seed {seed}: {other}"),
                Ok(_) => panic!("seed {seed}: {bytes} bytes are taken and one less is said to do"),
            }
        }
    }
}

#[test]
fn memory_is_predicted() {
    for states in [1_000, 100_000, 2_000_000] {
        // No exits and no long distances: the estimate can be exact.
        let mut game = Plain::open(states);
        (1..states).for_each(|state| game.connect(state, state / 2));
        for (threads, distances) in [(1, true), (1, false), (2, true), (2, false)] {
            let solver = || Solver::new().threads(threads).distances(distances);
            let predicted = solver().memory_needed(&game);
            let taken = solver().solve(&game).expect("no limit").bytes();
            assert!(predicted == taken, "{states} states: {predicted} predicted, {taken} taken");
            assert!(solver().memory_max(predicted).solve(&game).is_ok());
            assert!(solver().memory_max(predicted - 1).solve(&game).is_err());
            let predicted_words = solver().memory_needed(ByWords(&game));
            let taken_words = solver().solve(ByWords(&game)).expect("no limit").bytes();
            // Each level lists what it settles. A word takes at most ten bytes, and a quarter of one in the index.
            let lists = taken_words - predicted_words;
            assert!(lists > 0 && lists <= states.div_ceil(64) * 41 / 4, "{states}: {lists}");
            let refused = solver().memory_max(predicted_words - 1).solve(ByWords(&game)).err();
            let Some(SolveError::Memory { needed, .. }) = refused else { panic!("{refused:?}") };
            // The error names the most bytes that lists may take.
            let most = predicted_words + states.div_ceil(64) * 21 + (1 << 13);
            assert!((taken_words..most).contains(&needed), "{states}: {needed}");
            if states > 1_000_000 && threads == 1 {
                // A byte and a bit a state; in words, three bits, and a byte for a distance. In addition, marks and
                // queues.
                let share = taken as f64 / states as f64;
                assert!((1.125..1.2).contains(&share), "{share} bytes a state, {distances}");
                let share = predicted_words as f64 / states as f64 - f64::from(distances);
                assert!((0.375..0.42).contains(&share), "{share} bytes a state, {distances}");
            }
        }
    }
}

/// One state of each word has an exit, and a move to itself, so it never loses. Of a losing exit, an event is pending.
#[test]
fn pending_events_count() {
    const WORDS: u64 = 10_000;
    let game = |exit| {
        let mut game = Plain::open(64 * WORDS);
        for state in (0..64 * WORDS).step_by(64) {
            game.connect(state, state);
            game.exits[state as usize].push(exit);
        }
        game
    };
    let [drawn, lost] = [Value::Draw, Value::Loss(3)].map(game);
    let solved = |solution: Result<Solution, SolveError>| solution.expect("no limit").bytes();
    let one = || Solver::new().threads(1);
    assert!(solved(one().solve(&lost)) >= solved(one().solve(&drawn)) + 3 * WORDS);
    let words = |game| solved(one().solve(ByWords(game)));
    assert!(words(&lost) >= words(&drawn) + 3 * WORDS);
}

#[test]
fn long_distances_are_refused_where_only_they_do_not_fit() {
    let chain = Chain { states: 400_000 };
    let solver = || Solver::new().threads(1);
    let taken = solver().solve(&chain).expect("no limit").bytes();
    let refused = solver().memory_max(taken - 1).solve(&chain).expect_err("one byte too few");
    assert!(matches!(refused, SolveError::Memory { needed, .. } if needed == taken), "{refused}");
    assert!(
        taken > solver().memory_needed(&chain),
        "a chain this long takes more than one byte a state"
    );
    let without = solver().distances(false).solve(&chain).expect("no limit").bytes();
    assert!(without < chain.states * 14 / 10 + 200_000, "{without} bytes without distances");
    // In words: nine bits a state for distances of seventeen bits; eight of these planes exist from the beginning.
    let chain = Chain { states: 70_000 };
    let taken = solver().solve(ByWords(&chain)).expect("no limit").bytes();
    let refused = solver().memory_max(taken - 1).solve(ByWords(&chain)).err();
    let Some(SolveError::Memory { needed, .. }) = refused else { panic!("{refused:?}") };
    // Some thousand states are open, and a list may hold them.
    assert!((taken..taken + 2_000).contains(&needed), "{needed} named, {taken} taken");
    let more = taken - solver().memory_needed(ByWords(&chain));
    assert!((more * 8).abs_diff(9 * chain.states) < 9 * 64, "{more} bytes more");
}

#[test]
fn progress_is_told_in_order_and_changes_nothing() {
    let game = random::game(3, 200_000..200_001);
    let quiet = Solver::new().threads(1).solve(&game).expect("no limit");
    for threads in [1, 2] {
        let mut told: Vec<Progress> = Vec::new();
        let solution = Solver::new()
            .threads(threads)
            .progress(|progress| {
                told.push(*progress);
                ControlFlow::Continue(())
            })
            .solve(&game)
            .expect("nothing stops this solve");
        assert!(values(&solution) == values(&quiet), "progress changes the answer");
        assert!(!told.is_empty(), "nothing was told");
        // The solver seeds all states, then goes from level to level.
        for pair in told.windows(2) {
            let rises = pair[0].level < pair[1].level || pair[0].done <= pair[1].done;
            assert!(pair[0].level <= pair[1].level && rises, "{pair:?}");
        }
        let mut seeded = told.iter().filter(|progress| progress.level.is_none());
        assert_eq!(seeded.next_back().map(|progress| progress.done), Some(200_000));
        let decided = quiet.counts().win + quiet.counts().loss;
        for progress in &told {
            let most = if progress.level.is_none() { 200_000 } else { decided };
            assert!(progress.states == 200_000 && progress.done <= most, "{progress:?}");
        }
    }
}

/// A large game was silent until its first level: 28 seconds for Dobutsu shogi.
#[test]
fn a_solve_tells_how_many_states_are_seeded() {
    let chain = Chain { states: 6_000_000 };
    let told = |by_words: bool| {
        let mut seeded = Vec::new();
        let solver = Solver::new().threads(1).progress(|progress| match progress.level {
            None => {
                seeded.push(progress.done);
                ControlFlow::Continue(())
            }
            Some(_) => ControlFlow::Break(()),
        });
        let stopped = if by_words { solver.solve(ByWords(&chain)) } else { solver.solve(&chain) };
        assert!(matches!(stopped, Err(SolveError::Cancelled)));
        seeded
    };
    for by_words in [false, true] {
        let seeded = told(by_words);
        assert!(seeded.is_sorted() && seeded.last() == Some(&chain.states), "{seeded:?}");
    }
    assert!(told(false).len() >= 3);
}

#[test]
fn a_solve_stops_when_asked() {
    let chain = Chain { states: 2_000_000 };
    for threads in [1, 2] {
        let mut calls = 0;
        let stopped = Solver::new()
            .threads(threads)
            .progress(|_| {
                calls += 1;
                if calls == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .solve(&chain);
        assert!(matches!(stopped, Err(SolveError::Cancelled)));
        assert_eq!(calls, 3, "asked again after it was stopped");
    }
    let stopped = Solver::new()
        .progress(|_| ControlFlow::Break(()))
        .solve(&random::game(3, 200_000..200_001));
    assert!(matches!(stopped, Err(SolveError::Cancelled)));
    for calls_max in [1, 5] {
        let mut calls = 0;
        let stop = |_: &Progress| {
            calls += 1;
            if calls == calls_max { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let stopped = Solver::new().progress(stop).solve(ByWords(&Chain { states: 400_000 }));
        assert!(matches!(stopped, Err(SolveError::Cancelled)));
        assert_eq!(calls, calls_max, "asked again after it was stopped");
    }
}

#[test]
fn zero_threads_are_those_of_the_pool() {
    let game = random::game(5, 100_000..100_001);
    let one = Solver::new().threads(1).solve(&game).expect("no limit");
    let three = in_pool(3, || Solver::new().solve(&game)).expect("no limit");
    assert!(values(&one) == values(&three));
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "run as a child, where few threads can start"]
fn solve_where_few_threads_can_start() {
    let solved = Solver::new().threads(500).solve(&random::game(5, 1_000..1_001));
    assert!(matches!(solved, Err(SolveError::Threads { threads: 500, .. })));
}

/// A solve panicked if the system refused to start its threads.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_start_are_an_error() {
    // A stack of 64 MiB for each of 500 threads does not fit. What is left after the last one that fits is enough for the
    // allocations of those that run; without memory for these, the standard library aborts.
    let this = "limits::solve_where_few_threads_can_start";
    let me = std::env::current_exe().expect("a test runs");
    let shell = format!(
        "ulimit -v 400000; exec '{}' --ignored --exact {this} --test-threads 1",
        me.display()
    );
    let mut shell_command = std::process::Command::new("sh");
    shell_command.args(["-c", &shell]);
    shell_command.env("RUST_MIN_STACK", (64 << 20).to_string()).env("MALLOC_ARENA_MAX", "1");
    let output = shell_command.output().expect("a shell");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{output:?}");
}

#[test]
fn nothing_is_solved_too() {
    let game = Plain::default();
    for threads in [0, 1, 4] {
        let solution = Solver::new().threads(threads).solve(&game).expect("no limit");
        assert_eq!(solution.states(), 0);
        assert_eq!(solution.histogram().levels().count(), 0);
    }
}

/// No move leads to this value: such an exit would settle its state before the first level.
#[test]
fn an_exit_that_no_move_leads_to_is_named() {
    for exit in [Value::Win(0), Value::Loss(0)] {
        let mut game = Plain::open(80);
        game.connect(70, 1);
        game.exits[70] = vec![exit];
        let way = Way::new(1);
        let solves: [&dyn Fn() -> Solution; 2] = [&|| way.solve(&game), &|| way.solve_words(&game)];
        for solve in solves {
            let panic = catch_unwind(AssertUnwindSafe(solve)).expect_err("it is refused");
            let said = panic.downcast_ref::<String>().expect("a text");
            assert!(said.contains("an exit of state 70 is worth"), "{said}");
        }
    }
}

#[test]
fn an_edge_that_leaves_the_graph_is_named() {
    let new = |edge| catch_unwind(|| Edges::new(3, [(0, 1), edge]));
    assert!(new((2, 2)).is_ok());
    for (from, to) in [(0, 3), (3, 0), (7, 9)] {
        let panic = new((from, to)).expect_err("it leaves the states");
        let said = panic.downcast_ref::<String>().expect("a text");
        let why = "leaves the graph: its 3 vertices have the numbers 0 to 2";
        assert_eq!(said, &format!("the edge from {from} to {to} {why}"));
    }
}

/// On 32 bits, the number of a state was truncated, and a range beyond the last state was counted in words.
#[test]
fn states_that_do_not_exist_are_named() {
    let game = Plain::open(3);
    let way = Way::new(1);
    for solution in [way.solve(&game), way.solve_words(&game)] {
        assert_eq!(solution.count(0..3).loss, 3);
        for range in [0..4, 0..60, 60..61, 0..(1 << 32) + 1] {
            let count = || _ = solution.count(range.clone());
            let longest = || _ = solution.longest(range.clone(), Outcome::Loss);
            let asks: [&dyn Fn(); 2] = [&count, &longest];
            for ask in asks {
                let panic = catch_unwind(AssertUnwindSafe(ask)).expect_err("it leaves the states");
                let said = panic.downcast_ref::<String>().expect("a text");
                assert!(said.contains("are not all among the 3 states"), "{said}");
            }
        }
        for state in [3, 1 << 32] {
            assert!(catch_unwind(AssertUnwindSafe(|| solution.value(state))).is_err());
        }
    }
}

/// State 0 is lost. Each of `width` states has a move to it, and each of `width` others has moves to all of those. So each of
/// the first two levels looks at `width * width` moves.
struct Wide {
    width: u64,
    looked: AtomicU64,
}

impl Game for Wide {
    fn states(&self) -> u64 {
        1 + 2 * self.width
    }

    fn status(&self, _: u64) -> Status {
        Status::Open
    }

    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if (1..=self.width).contains(&state) {
            return visit(0);
        }
        let all = if state == 0 { 1..1 } else { 1..self.width + 1 };
        all.inspect(|_| _ = self.looked.fetch_add(1, Relaxed)).try_for_each(visit)
    }

    fn degree(&self, state: u64) -> u32 {
        match state {
            0 => 0,
            _ if state <= self.width => 1,
            _ => self.width as u32,
        }
    }
}

impl Predecessors for Wide {
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        let from = match state {
            0 => 1..self.width + 1,
            _ if state <= self.width => self.width + 1..self.states(),
            _ => 0..0,
        };
        for from in from {
            self.looked.fetch_add(1, Relaxed);
            visit(from);
        }
    }
}

/// A level ended before the caller was asked again. With a million moves a state, a level took hours.
#[test]
fn a_caller_stops_a_solve_state_by_state_within_a_level() {
    let width = 3_000;
    for (threads, level) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        let game = Wide { width, looked: AtomicU64::new(0) };
        let looked = AtomicU64::new(u64::MAX);
        let progress = |progress: &Progress| match progress.level {
            Some(now) if now >= level => {
                looked.fetch_min(game.looked.load(Relaxed), Relaxed);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        };
        let solver = Solver::new().threads(threads).thresholds(Thresholds::least());
        let rules = AnyRules::of(&game);
        let stopped = solver.progress(progress).solve(ByWords(&rules));
        assert!(matches!(stopped, Err(SolveError::Cancelled)));
        let begun = if level == 1 { 0 } else { width * width };
        let [at, end] = [looked.load(Relaxed), game.looked.load(Relaxed)];
        // A thread asks after two words at most, and ends the word that it works on.
        assert!(begun <= at && at < begun + width * width / 4, "{threads} {level}: {at}");
        assert!(end - at <= threads as u64 * 128 * width, "{threads} {level}: {at} {end}");
    }
}

/// The program guessed that the lists of a level take no more memory than all else.
#[test]
fn the_longest_lists_of_a_level_fit_in_what_is_said_to_be_enough() {
    let mut listed = 0;
    for seed in 0..cases(1_000) {
        let mut game = random::game(seed, 0..3_000);
        game.exits.iter_mut().for_each(Vec::clear);
        game.stuck = None;
        for status in &mut game.statuses {
            *status = match *status {
                Status::Terminal(value) if value.outcome() == Outcome::Win => {
                    Status::Terminal(Value::Win(0))
                }
                Status::Terminal(_) => Status::Terminal(Value::Loss(0)),
                other => other,
            };
        }
        let rules = AnyRules::of(&game);
        for (threads, least) in [(1, true), (2, true), (1, false), (2, false)] {
            let thresholds = if least { Thresholds::least() } else { Thresholds::default() };
            let solver = || Solver::new().threads(threads).distances(false).thresholds(thresholds);
            let enough = ByWords(&rules).memory_enough_in(&solver(), false);
            let solved = solver().memory_max(enough).solve(ByWords(&rules));
            let solved = solved.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            listed += u64::from(solved.bytes() > solver().memory_needed(ByWords(&rules)));
        }
    }
    assert!(listed > 100, "only {listed} solves have lists");
}
