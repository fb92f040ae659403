//! `threads(1)` is kept: all work runs on the calling thread.

use crate::log::Blocks;
use retrograde::bit_parallel::{
    BitParallel, ByWords, Keys, Settled, Share, Singles, WordExchange, WordKeys, WordStatus,
};
use retrograde::internal::Thresholds;
use retrograde::on_this_thread;
use retrograde::parts::Sums;
use retrograde::{
    Game, Predecessors, Prefetch, Probe, Snapshot, SolveError, Solver, Status, Value, audit, verify,
};
use retrograde_testkit::Plain;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Deref, Range};
use std::sync::Mutex;
use std::thread::{self, ThreadId};

/// A game that records the threads that call each of its methods.
struct Watched<G, const CHECKS_WINS: bool> {
    game: G,
    calls: Mutex<BTreeMap<&'static str, Vec<ThreadId>>>,
}

impl<const CHECKS_WINS: bool> Watched<Plain, CHECKS_WINS> {
    /// Each state has moves to near states. Some are won or lost by the rules; with `events`, some at a distance, and
    /// some have exits.
    fn new(states: u64, events: bool) -> Self {
        let mut statuses = vec![Status::Open; states as usize];
        for state in (0..states as usize).step_by(37) {
            let won = state % 2 == 0;
            statuses[state] = Status::Terminal(if won { Value::Win(0) } else { Value::Loss(0) });
        }
        if events {
            statuses[5] = Status::Terminal(Value::Win(3));
        }
        let mut game = Plain::new(statuses);
        for from in (0..states).filter(|&from| from % 37 != 0 && !(events && from == 5)) {
            for to in [from.saturating_sub(9), from + 1, from + 50 + from % 7] {
                game.connect(from, to.min(states - 1));
            }
            if events && from % 1_000 == 9 {
                game.exits[from as usize].push(Value::Loss(2));
            }
        }
        Watched::of(game)
    }
}

impl<G, const CHECKS_WINS: bool> Watched<G, CHECKS_WINS> {
    fn of(game: G) -> Self {
        Watched { game, calls: Mutex::default() }
    }

    fn note(&self, method: &'static str) {
        let mut calls = self.calls.lock().expect("no thread panics");
        let (calls, this) = (calls.entry(method).or_default(), thread::current().id());
        if !calls.contains(&this) {
            calls.push(this);
        }
    }

    /// Calls some work that must call the named methods, and all on this thread.
    fn watch<R>(&self, what: &str, methods: &[&str], work: impl FnOnce() -> R) -> R {
        self.calls.lock().expect("no thread panics").clear();
        let result = work();
        let calls = self.calls.lock().expect("no thread panics");
        for method in methods {
            assert!(calls.contains_key(method), "{what} does not call {method}: {calls:?}");
        }
        for (method, threads) in &*calls {
            assert_eq!(**threads, [thread::current().id()], "{what} calls {method} elsewhere");
        }
        result
    }
}

impl<G: Game, const CHECKS_WINS: bool> Game for Watched<G, CHECKS_WINS> {
    fn states(&self) -> u64 {
        self.note("states");
        self.game.states()
    }
    fn status(&self, state: u64) -> Status {
        self.note("status");
        self.game.status(state)
    }
    fn successors(&self, state: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        self.note("successors");
        self.game.successors(state, visit)
    }
    fn exits(&self, state: u64, visit: impl FnMut(Value)) {
        self.note("exits");
        self.game.exits(state, visit);
    }
    fn degree(&self, state: u64) -> u32 {
        self.note("degree");
        self.game.degree(state)
    }
    fn classify(&self, states: Range<u64>, visit: impl FnMut(u64, Status, u32, &[Value])) {
        self.note("classify");
        self.game.classify(states, visit);
    }
    fn invalid_states(&self, word: u64) -> u64 {
        self.note("invalid_states");
        self.game.invalid_states(word)
    }
    fn degree_max(&self) -> Option<u32> {
        self.note("degree_max");
        self.game.degree_max()
    }
    fn keeps_turn(&self, _: u64, _: u64) -> bool {
        self.note("keeps_turn");
        false
    }
}

impl<G: Predecessors, const CHECKS_WINS: bool> Predecessors for Watched<G, CHECKS_WINS> {
    fn prefetch(&self) -> Prefetch {
        self.note("prefetch");
        self.game.prefetch()
    }
    fn predecessors(&self, state: u64, visit: impl FnMut(u64)) {
        self.note("predecessors");
        self.game.predecessors(state, visit);
    }
    fn predecessors_of_each(&self, first: u64, set: u64, visit: impl FnMut(u64, u64)) {
        self.note("predecessors_of_each");
        self.game.predecessors_of_each(first, set, visit);
    }
}

impl<G: BitParallel, const CHECKS_WINS: bool> BitParallel for Watched<G, CHECKS_WINS> {
    const CHECKS_WINS: bool = CHECKS_WINS;

    fn classify_words(&self, words: Range<u64>, visit: impl FnMut(u64, WordStatus, Singles<'_>)) {
        self.note("classify_words");
        self.game.classify_words(words, visit);
    }
    fn predecessors_of_set(&self, word: u64, set: u64, visit: impl FnMut(u64, u64, bool)) {
        self.note("predecessors_of_set");
        self.game.predecessors_of_set(word, set, visit);
    }
    fn words_before(&self, first: u64, words: u64, sets: &[u64; 64], visit: impl FnMut(u64, u64)) {
        self.note("words_before");
        self.game.words_before(first, words, sets, visit);
    }
    fn predecessors_of_run(
        &self,
        first: u64,
        words: u64,
        sets: &[u64; 64],
        visit: impl FnMut(u64, u64, bool),
    ) {
        self.note("predecessors_of_run");
        self.game.predecessors_of_run(first, words, sets, visit);
    }
    fn all_moves_into(&self, word: u64, set: u64, target: impl Fn(u64, bool) -> u64) -> u64 {
        self.note("all_moves_into");
        self.game.all_moves_into(word, set, target)
    }
    fn all_moves_into_run(
        &self,
        first: u64,
        words: u64,
        sets: &mut [u64; 64],
        target: impl Fn(u64, bool) -> u64,
    ) {
        self.note("all_moves_into_run");
        self.game.all_moves_into_run(first, words, sets, target);
    }
}

impl<G: WordKeys, const CHECKS_WINS: bool> WordKeys for Watched<G, CHECKS_WINS> {
    fn least_of_moves<K: Deref<Target = Keys>>(
        &self,
        word: u64,
        set: u64,
        keys: impl Fn(u64) -> K,
    ) -> Keys {
        self.note("least_of_moves");
        self.game.least_of_moves(word, set, keys)
    }
}

/// From each number a move leads to its half. So the seed of the bit-parallel engine has several parts.
struct Halves;

impl Game for Halves {
    fn states(&self) -> u64 {
        4_000_000
    }
    fn status(&self, _: u64) -> Status {
        Status::Open
    }
    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if state > 0 { visit(state / 2) } else { ControlFlow::Continue(()) }
    }
}

impl Predecessors for Halves {
    fn predecessors(&self, state: u64, visit: impl FnMut(u64)) {
        (2 * state..2 * state + 2).filter(|&from| from > 0 && from < 4_000_000).for_each(visit);
    }
}

impl BitParallel for Halves {}

/// The exchange of a process that is alone.
pub(crate) struct Alone;

impl WordExchange for Alone {
    fn subscribe(&mut self, _: &[Range<u64>]) -> Result<Vec<Range<u64>>, SolveError> {
        Ok(Vec::new())
    }
    fn exchange(
        &mut self,
        _: &[Settled],
        own: Sums,
        _: &mut dyn FnMut(Vec<Settled>) -> Result<(), SolveError>,
    ) -> Result<Sums, SolveError> {
        Ok(own)
    }
}

/// With thresholds that would use several threads wherever there are several.
fn one() -> Solver<'static> {
    Solver::new().threads(1).thresholds(Thresholds::least())
}

/// A snapshot of the end of the second level.
fn stopped<R>(solve: impl FnOnce(Solver<'_>) -> Result<R, SolveError>) -> Vec<u8> {
    let mut kept = Vec::new();
    let solved = solve(one().at_level_end(|snapshot: &Snapshot<'_>| {
        kept.clear();
        snapshot.write(&mut kept).expect("there is room");
        if snapshot.level() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }));
    assert!(matches!(solved, Err(SolveError::Cancelled)));
    kept
}

const STATES: u64 = 100_000;

/// The pool has several threads, and the solve shall not use them. The bit-parallel engine seeded its words there.
#[test]
fn one_thread_is_the_calling_thread() {
    let game = &Watched::<_, false>::new(STATES, true);
    let scalar = ["classify", "degree_max", "predecessors_of_each"];
    game.watch("a solve", &scalar, || one().solve(game)).expect("no limit");
    let kept = game.watch("a snapshot", &scalar, || stopped(|solver| solver.solve(game)));
    let resumed = ["predecessors_of_each"];
    let resume = || one().resume(&kept[..]).solve(game);
    game.watch("a resumed solve", &resumed, resume).expect("no limit");

    let words = ["classify_words", "predecessors_of_run", "all_moves_into_run"];
    game.watch("a solve in words", &words, || one().solve(ByWords(game))).expect("no limit");
    let kept =
        game.watch("a snapshot in words", &words, || stopped(|solver| solver.solve(ByWords(game))));
    let resume = || one().resume(&kept[..]).solve(ByWords(game));
    game.watch("a resumed solve in words", &words[1..], resume).expect("no limit");
    let logged = || ByWords(game).solve_in(one(), Box::new(Blocks::new()));
    let logged = game.watch("a solve with a log", &words, logged).expect("no limit");
    let probe = || (0..STATES).step_by(999).all(|state| logged.probe(state).is_ok());
    assert!(game.watch("a log", &[], probe));
}

/// The words of a large game were seeded on all threads.
#[test]
fn one_thread_is_the_calling_thread_for_a_large_game() {
    let game = &Watched::<_, false>::of(Halves);
    game.watch("a solve in words", &["classify_words"], || {
        Solver::new().threads(1).distances(false).solve(ByWords(game)).expect("no limit")
    });
    game.watch("a solve", &["classify"], || {
        Solver::new().threads(1).distances(false).solve(game).expect("no limit")
    });
}

#[test]
fn one_thread_is_the_calling_thread_in_a_share() {
    let game = &Watched::<_, false>::new(STATES, true);
    let words = ["classify_words", "predecessors_of_run", "all_moves_into_run", "all_moves_into"];
    let share = Share::new(STATES, 0, 1, 3);
    let solve = || ByWords(game).solve_share(one(), None, (&share, &mut Alone));
    game.watch("a share", &words, solve).expect("no limit");
    let kept = stopped(|solver| ByWords(game).solve_share(solver, None, (&share, &mut Alone)));
    let resume = || ByWords(game).solve_share(one().resume(&kept[..]), None, (&share, &mut Alone));
    game.watch("a resumed share", &words[1..], resume).expect("no limit");
}

#[test]
fn one_thread_is_the_calling_thread_in_a_window() {
    let states = 220_000;
    let game = &Watched::<_, true>::new(states, false);
    let solver = || {
        let plan = ByWords(game).plan_window(&one()).expect("a window is smaller");
        one().memory_max(plan.memory_least + 4096)
    };
    let words = ["classify_words", "words_before", "all_moves_into"];
    let store = Blocks::new();
    let window = || ByWords(game).solve_in(solver(), Box::new(store.clone()));
    let solved = game.watch("a window", &words, window).expect("no limit");
    assert!(solved.bytes_moved().0 > 0, "the bits were in memory");

    let mut kept = Vec::new();
    let keeping = solver().at_level_end(|snapshot| {
        kept.clear();
        snapshot.write(&mut kept).expect("there is room");
        ControlFlow::Continue(())
    });
    ByWords(game).solve_in(keeping, Box::new(store.clone())).expect("no limit");
    let resume = || ByWords(game).solve_in(solver().resume(&kept[..]), Box::new(store.clone()));
    game.watch("a resumed window", &["words_before"], resume).expect("no limit");
}

#[test]
fn checks_can_run_on_the_calling_thread() {
    let game = &Watched::<_, false>::new(STATES, true);
    let solution = one().solve(game).expect("no limit");
    let scalar = ["classify", "successors"];
    type Check<'a> = (&'a str, &'a [&'a str], &'a dyn Fn());
    let checks: [Check<'_>; 4] = [
        ("audit", &["successors", "predecessors"], &|| {
            audit(game).expect("the game keeps its rules");
        }),
        ("an audit in words", &["predecessors_of_run", "all_moves_into_run"], &|| {
            audit(ByWords(game)).expect("the game keeps its rules");
        }),
        ("verify", &scalar, &|| {
            verify(game, &solution).expect("the solution is right");
        }),
        ("verify in words", &["classify_words", "least_of_moves"], &|| {
            verify(ByWords(game), &solution).expect("the solution is right");
        }),
    ];
    for (what, methods, check) in checks {
        game.watch(what, methods, || on_this_thread(check));
    }
}
