//! `audit` finds a mistake and names its first state. It finds nothing in a game without mistakes.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use retrograde::adapters::Explicit;
use retrograde::bit_parallel::{BitParallel, ByWords, WordKeys};
use retrograde::checks::{AuditError, Auditor, audit_forwards};
use retrograde::{Game, Predecessors, Status, Value, audit, forward};
use retrograde_testkit::broken::{MISTAKES, WrongForMany, misprint, moves};
use retrograde_testkit::{Plain, cases, random, seed};

#[test]
fn audit_passes_every_game_that_keeps_its_contract() {
    let fresh = seed();
    for seed in (0..cases(5_000)).chain(fresh..fresh + cases(5_000)) {
        let game = random::small(seed);
        let audited = audit(&game).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
        assert_eq!((audited.states, audited.moves), (game.states(), moves(&game)), "seed {seed}");
        let explicit = Explicit::from_game(&game);
        assert_eq!(audit(&explicit), Ok(audited), "seed {seed}");
    }
}

#[test]
fn audit_names_the_first_state_of_every_misprint() {
    let fresh = seed();
    let mut found = [0; MISTAKES.len()];
    for seed in (0..cases(5_000)).chain(fresh..fresh + cases(5_000)) {
        for (kind, mistake) in MISTAKES.into_iter().enumerate() {
            let mut game = random::small(seed);
            game.degree_max = None;
            let wrong = misprint(&mut game, mistake, seed);
            if wrong.is_empty() {
                assert!(audit(&game).is_ok(), "seed {seed}");
                continue;
            }
            let Err(disagreement) = audit(&game) else {
                panic!("seed {seed}: {mistake:?} of {wrong:?} goes unnoticed");
            };
            let AuditError::Moves { from, to, forwards, backwards } = disagreement else {
                panic!("seed {seed}: {mistake:?} of {wrong:?} is told as {disagreement}");
            };
            assert!(
                wrong.contains(&(from, to)),
                "seed {seed}: {disagreement} but wrong is {wrong:?}"
            );
            // The states in order, with their moves in both directions. So a wrong move shows where the audit reports
            // it.
            let count =
                |list: &[u64], wanted| list.iter().filter(|&&each| each == wanted).count() as u64;
            let told = |from: u64, to: u64| {
                let forwards = count(&game.moves[from as usize], to);
                (forwards, count(&game.backward_moves[to as usize], from))
            };
            let first = |from, to| match told(from, to) {
                (0, _) => to,
                (_, 0) => from,
                _ => from.min(to),
            };
            let earliest = wrong.iter().map(|&(from, to)| first(from, to)).min();
            assert_eq!(Some(first(from, to)), earliest, "seed {seed}: {disagreement}, {wrong:?}");
            assert_eq!(told(from, to), (forwards, backwards), "seed {seed}");
            let text = disagreement.to_string();
            assert!(text.contains(&from.to_string()) && text.contains(&to.to_string()), "{text}");
            found[kind] += 1;
        }
    }
    assert!(found.iter().all(|&count| count > 250), "too few misprints: {found:?}");
}

#[test]
fn audit_sees_moves_out_of_the_game_and_into_holes() {
    let mut game = Plain::open(3);
    game.connect(0, 1);
    game.moves[1].push(7);
    assert_eq!(audit(&game), Err(AuditError::Outside { state: 1, visited: 7 }));
    game.moves[1].clear();
    game.backward_moves[2].push(3);
    assert_eq!(audit(&game), Err(AuditError::Outside { state: 2, visited: 3 }));
    game.backward_moves[2].clear();
    game.connect(1, 2);
    game.statuses[2] = Status::Invalid;
    assert_eq!(audit(&game), Err(AuditError::IntoInvalid { from: 1, to: 2 }));
}

/// An audit accepted exits with a win or a loss in 0, and then the solve panicked.
#[test]
fn audit_names_an_exit_that_does_not_count_its_move() {
    for value in [Value::Win(0), Value::Loss(0)] {
        let mut game = Plain::open(70);
        game.connect(1, 2);
        game.exits[66] = vec![Value::Win(3), value, Value::Draw];
        let wrong = Err(AuditError::Exit { state: 66, value });
        assert_eq!((audit(&game), audit(ByWords(&game))), (wrong, wrong));
        game.exits[66].remove(1);
        assert!(audit(&game).is_ok() && audit(ByWords(&game)).is_ok());
    }
}

#[test]
fn audit_sees_a_bound_on_the_degree_that_does_not_hold() {
    let mut game = Plain::open(3);
    for to in [0, 1, 1] {
        game.connect(2, to);
    }
    game.degree_max = Some(2);
    let wrong = AuditError::DegreeMax { state: 2, degree: 3, degree_max: 2 };
    assert_eq!(audit(&game), Err(wrong));
    game.degree_max = Some(3);
    assert!(audit(&game).is_ok());
}

#[test]
fn audit_names_the_state_about_which_an_answer_for_many_errs() {
    let mut found = [0; 2];
    for seed in 0..cases(300) {
        // Each state is wrong in turn, so a game of twice as many takes four times as long.
        let game = random::game(seed, 1..100);
        for wrong in 0..game.states() {
            let broken = |method| WrongForMany { game: game.clone(), method, wrong };
            let classify = Err(AuditError::Classify { state: wrong });
            assert_eq!(audit(&broken("classify")).map(drop), classify, "seed {seed}");
            assert_eq!(audit(&broken("invalid_states")).map(drop), classify, "seed {seed}");
            found[0] += 1;
            let mut backward_moves = game.backward_moves[wrong as usize].clone();
            backward_moves.sort_unstable();
            let each = match backward_moves[..] {
                _ if game.statuses[wrong as usize] == Status::Invalid => Ok(()),
                [] => Ok(()),
                [from, ..] => {
                    let alone = backward_moves.iter().filter(|&&each| each == from).count() as u64;
                    found[1] += 1;
                    Err(AuditError::Each { state: wrong, from, alone, together: 0 })
                }
            };
            assert_eq!(audit(&broken("predecessors_of_each")).map(drop), each, "seed {seed}");
        }
    }
    assert!(found.iter().all(|&count| count > 500), "too few mistakes: {found:?}");
}

/// A game without predecessors had no audit. A wrong move was found only when its predecessors were stored, and the
/// message named the target of the move instead of its origin.
#[test]
fn an_audit_forwards_names_the_origin_of_a_bad_move() {
    for seed in 0..cases(1_000) {
        let right = random::game(seed, 1..200);
        let audited = audit_forwards(&right).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
        assert_eq!((audited.states, audited.moves), (right.states(), moves(&right)));
        let open = right.states_where(|status| status == Status::Open);
        let Some(&from) = open.get(seed as usize % open.len().max(1)) else { continue };
        let broken = |to| {
            let mut game = right.clone();
            game.degree_max = None;
            game.moves[from as usize].push(to);
            audit_forwards(&game)
        };
        let visited = right.states() + seed;
        assert_eq!(broken(visited), Err(AuditError::Outside { state: from, visited }));
        for to in right.states_where(|status| status == Status::Invalid) {
            assert_eq!(broken(to), Err(AuditError::IntoInvalid { from, to }), "seed {seed}");
        }
        for method in ["classify", "invalid_states"] {
            let broken = WrongForMany { game: right.clone(), method, wrong: from };
            assert_eq!(audit_forwards(&broken), Err(AuditError::Classify { state: from }));
        }
        let mut game = right.clone();
        game.exits[from as usize] = vec![Value::Win(0)];
        let exit = AuditError::Exit { state: from, value: Value::Win(0) };
        assert_eq!(audit_forwards(&game), Err(exit));
    }
}

#[test]
#[should_panic(expected = "the move from 1 leads to 7, which is not a state of the game")]
fn storing_predecessors_names_the_origin_of_a_bad_move() {
    Explicit::from_game(Leaky(7));
}

/// An audit of all states compares sums of moves, and an audit of a part looks for each move. Both give the same
/// result.
#[test]
fn an_audit_of_all_names_what_an_audit_of_a_part_does() {
    for seed in 0..300 {
        for mistake in MISTAKES {
            let mut game = random::game(seed, 65..400);
            misprint(&mut game, mistake, seed);
            if game.states() % 64 != 1 {
                // The audit takes 64 states at a time, so it includes the last one.
                let part = Auditor::new().states(0..game.states() - 1).audit(&game);
                assert_eq!(audit(&game), part, "seed {seed}: {mistake:?}");
            }
        }
    }
}

#[test]
fn an_auditor_looks_where_it_is_told_and_no_further() {
    let mut game = random::game(5, 9_999..10_000);
    misprint(&mut game, MISTAKES[0], 1);
    let everywhere = audit(&game).map(drop);
    let wrong = everywhere.expect_err("an backward move is wrong").state().expect("it shows");
    let word = wrong / 64;
    for states in [wrong..wrong + 1, wrong..10_000, 0..wrong + 1, word * 64..word * 64 + 64] {
        let found = Auditor::new().states(states.clone()).audit(&game).map(drop);
        assert_eq!(found, everywhere, "{states:?}");
    }
    let looked = random::game(5, 9_999..10_000);
    for (states, seen) in
        [(9_000..u64::MAX, 1_039), (0..1_000, 1_024), (9_998..10_000, 15), (5..5, 0)]
    {
        let audited = Auditor::new().states(states).audit(&looked).expect("it is sound");
        assert_eq!(audited.states, seen);
    }
    for (sample, seen) in [(1, 64), (64, 64), (65, 128), (6_400, 6_400), (10_000, 9_999)] {
        let mut told = Vec::new();
        let mut auditor = Auditor::new().sample(sample).progress(|progress| {
            told.push((progress.done, progress.states));
            ControlFlow::Continue(())
        });
        let audited = auditor.audit(&looked).expect("it is sound");
        assert!(audited.states == seen || audited.states == seen - 49, "{sample}: {audited:?}");
        drop(auditor);
        assert!(told.is_sorted() && told.last() == Some(&(audited.states, seen)), "{told:?}");
    }
    assert_eq!(
        Auditor::new().sample(2_000).audit(ByWords(&looked)).map(|seen| seen.states),
        Ok(2_048)
    );
    let stopped = Auditor::new().progress(|_| ControlFlow::Break(())).audit(&looked);
    assert_eq!(stopped, Err(AuditError::Cancelled));
}

/// A sample finds at once a mistake that is everywhere.
#[test]
fn a_sample_finds_a_backward_move_that_is_always_forgotten() {
    let mut game = random::game(7, 9_999..10_000);
    for backward_moves in &mut game.backward_moves {
        backward_moves.pop();
    }
    let found = Auditor::new().sample(64).audit(&game).expect_err("backward moves are missing");
    assert!(matches!(found, AuditError::Moves { .. }), "{found}");
}

#[test]
fn audit_names_the_first_of_many_on_a_large_game() {
    let mut game = random::game(11, 90_000..90_001);
    let wrong = misprint(&mut game, MISTAKES[0], 1)[0];
    // A mistake far behind must not be reported instead, no matter which thread finds it first.
    let last = *game.states_where(|status| status == Status::Open).last().expect("a large game");
    game.backward_moves[last as usize].extend([last, last]);
    for _ in 0..5 {
        let found = crate::ways::in_pool(4, || audit(&game)).expect_err("two mistakes");
        assert!(
            matches!(found, AuditError::Moves { from, to, .. } if (from, to) == wrong),
            "{found}"
        );
    }
}

#[test]
fn audit_words_passes_right_words_and_names_the_first_wrong_state() {
    let mut found = 0;
    for seed in 0..cases(1_000) {
        let game = random::game(seed, 1..200);
        assert_eq!(audit(ByWords(&game)), audit(&game), "seed {seed}");
        let open = game.states_where(|status| status == Status::Open);
        for &wrong in open.iter().step_by(open.len() / 8 + 1) {
            let moves = game.moves[wrong as usize].len();
            let methods = [
                "classify_words",
                "predecessors_of_set",
                "predecessors_of_run",
                "all_moves_into",
                "all_moves_into_run",
                "least_of_moves",
            ];
            for method in methods.into_iter().chain(WrongForMany::IN_MANY_WAYS) {
                if method.starts_with("predecessors") && moves == 0 {
                    continue;
                }
                let broken = WrongForMany { game: game.clone(), method, wrong };
                let told = audit(ByWords(&broken)).expect_err("one word method errs");
                let AuditError::Words { method: named, state, .. } = told else {
                    panic!("seed {seed}: {told}")
                };
                // A game that reports nothing for a word reports nothing for its first state.
                let first = if method.ends_with("nothing") { wrong / 64 * 64 } else { wrong };
                assert!(method.starts_with(named) && state == first, "seed {seed}: {told}");
                assert!(told.to_string().contains(&first.to_string()), "{told}");
                found += 1;
            }
        }
    }
    assert!(found > 5_000, "only {found} mistakes were tried");
}

/// The game of taking one, two or three stones. It counts how often it is asked for a status.
struct Asked(u64, AtomicU64);

impl Game for Asked {
    fn states(&self) -> u64 {
        self.0
    }

    fn status(&self, _: u64) -> Status {
        self.1.fetch_add(1, Ordering::Relaxed);
        Status::Open
    }

    fn successors(&self, state: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        (1..=state.min(3)).map(|taken| state - taken).try_for_each(visit)
    }
}

impl Predecessors for Asked {
    fn predecessors(&self, state: u64, visit: impl FnMut(u64)) {
        (state + 1..=state + 3).filter(|&from| from < self.0).for_each(visit);
    }
}

impl BitParallel for Asked {}

impl WordKeys for Asked {}

/// An audit tries 69 sets of each word, and sets of four words beside it. All their moves lead to the same few words.
#[test]
fn an_audit_by_words_asks_about_a_word_once_for_all_its_sets() {
    let game = Asked(6_400, AtomicU64::new(0));
    audit(ByWords(&game)).unwrap();
    let asked = game.1.into_inner() / game.0;
    assert!(asked < 12, "each state was asked about {asked} times");
}

/// The game of stones, whose `words_before` forgets the moves from one word. The moves of one state may keep the turn.
struct Forgets(Asked, u64, Option<u64>);

impl Game for Forgets {
    forward!(Game for forgets => forgets.0; but keeps_turn);

    fn keeps_turn(&self, from: u64, _: u64) -> bool {
        Some(from) == self.2
    }
}

impl Predecessors for Forgets {
    forward!(Predecessors for forgets => forgets.0);
}

impl BitParallel for Forgets {
    const PASSES_TURN: bool = true;

    fn words_before(&self, first: u64, words: u64, sets: &[u64; 64], visit: impl FnMut(u64, u64)) {
        let mut visit = visit;
        self.0.words_before(first, words, sets, |word, words| {
            if word != self.1 {
                visit(word, words);
            }
        });
    }
}

impl WordKeys for Forgets {}

#[test]
fn an_audit_by_words_notices_that_words_before_forgets_a_word() {
    let stones = || Asked(6_400, AtomicU64::new(0));
    // On both sides of the end of a run, and at both ends of the game.
    for forgotten in [0, 1, 31, 62, 63, 64, 65, 98, 99] {
        let found =
            audit(ByWords(&Forgets(stones(), forgotten, None))).expect_err("a word is forgotten");
        let AuditError::Words { method: "words_before", state, .. } = found else {
            panic!("{forgotten}: {found}")
        };
        assert_eq!(state / 64, forgotten);
    }
    audit(ByWords(&Forgets(stones(), 100, None))).expect("there is no such word");
    // A game that says that every move passes the turn must have no other moves.
    for keeps in (1..6_400).step_by(400) {
        let found = audit(ByWords(&Forgets(stones(), 100, Some(keeps)))).expect_err("a move keeps");
        let AuditError::Words { method: "keeps_turn", state, .. } = found else {
            panic!("{found}")
        };
        assert_eq!(state, keeps);
    }
}

/// The game of stones. From one state, a walk goes on after a visit that breaks, or does not say that it has ended.
struct Walks {
    stones: Asked,
    wrong: u64,
    goes_on: bool,
}

impl Game for Walks {
    forward!(Game for walks => walks.stones; but successors);

    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if state != self.wrong {
            return self.stones.successors(state, visit);
        }
        if self.goes_on {
            let mut flow = ControlFlow::Continue(());
            self.stones.each_successor(state, |to| flow = visit(to));
            return flow;
        }
        let _ = self.stones.successors(state, visit);
        ControlFlow::Continue(())
    }
}

impl Predecessors for Walks {
    forward!(Predecessors for walks => walks.stones);
}

#[test]
fn an_audit_notices_a_walk_that_does_not_end() {
    for (wrong, goes_on) in [(1, false), (5, false), (63, false), (2, true), (5, true)] {
        let game = Walks { stones: Asked(64, AtomicU64::new(0)), wrong, goes_on };
        let mut some = Auditor::new().sample(64).states(0..64);
        let found = some.audit_forwards(&game).expect_err("a walk is wrong");
        assert_eq!(found, AuditError::Stop { state: wrong });
        assert!(found.to_string().starts_with(&format!("state {wrong}: successors({wrong})")));
    }
    // An audit of the whole game breaks off one walk of each word, at another visit each time.
    struct Deaf(Asked);
    impl Game for Deaf {
        forward!(Game for deaf => deaf.0; but successors);
        fn successors(
            &self,
            state: u64,
            visit: impl FnMut(u64) -> ControlFlow<()>,
        ) -> ControlFlow<()> {
            let _ = self.0.successors(state, visit);
            ControlFlow::Continue(())
        }
    }
    impl Predecessors for Deaf {
        forward!(Predecessors for deaf => deaf.0);
    }
    let found =
        audit(&Deaf(Asked(640, AtomicU64::new(0)))).expect_err("no walk says that it ended");
    assert_eq!(found, AuditError::Stop { state: 1 });
}

/// Each state that a walk visits costs a lookup. The default of `all_moves_into` walked on after the first move that leads
/// elsewhere.
#[test]
fn a_recheck_ends_at_the_first_move_that_leads_elsewhere() {
    let game = Asked(640, AtomicU64::new(0));
    let asked = AtomicU64::new(0);
    let nowhere = |_, _| {
        asked.fetch_add(1, Ordering::Relaxed);
        0
    };
    assert_eq!(game.all_moves_into(3, !0, nowhere), 0);
    assert_eq!(asked.into_inner(), 64);
    assert!(!game.has_moves(0) && game.has_moves(1));
}

/// A move that leads out of the game, a little beyond the last state or far away.
pub(crate) struct Leaky(pub(crate) u64);

impl Game for Leaky {
    fn states(&self) -> u64 {
        3
    }

    fn status(&self, _state: u64) -> Status {
        Status::Open
    }

    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if state == 1 {
            visit(0)?;
            visit(self.0)?;
        }
        ControlFlow::Continue(())
    }
}
