//! `audit` and `verify` find what is wrong, name the first state of it, and find nothing where nothing is.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::ways::Way;
use retrograde::{
    AuditError, Auditor, ByWords, Explicit, Game, Retrograde, Status, Value, Verified, Verifier,
    VerifyError, WordKeys, Words, audit, verify,
};
use retrograde_testkit::broken::{
    MISTAKES, Values, WrongForMany, corruptions, misprint, moves, without_distance,
};
use retrograde_testkit::long::Chain;
use retrograde_testkit::{Plain, naive, random, seed};

#[test]
fn audit_passes_every_game_that_keeps_its_contract() {
    let fresh = seed();
    for seed in (0..1_000).chain(fresh..fresh + 1_000) {
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
    for seed in (0..1_000).chain(fresh..fresh + 1_000) {
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
            // States in their order, each with its moves both ways: a wrong one shows where it is told.
            let count =
                |list: &[u64], wanted| list.iter().filter(|&&each| each == wanted).count() as u64;
            let told = |from: u64, to: u64| {
                let forwards = count(&game.moves[from as usize], to);
                (forwards, count(&game.unmoves[to as usize], from))
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
    assert!(found.iter().all(|&count| count > 500), "too few misprints: {found:?}");
}

#[test]
fn audit_sees_moves_out_of_the_game_and_into_holes() {
    let mut game = Plain::open(3);
    game.connect(0, 1);
    game.moves[1].push(7);
    assert_eq!(audit(&game), Err(AuditError::Outside { state: 1, visited: 7 }));
    game.moves[1].clear();
    game.unmoves[2].push(3);
    assert_eq!(audit(&game), Err(AuditError::Outside { state: 2, visited: 3 }));
    game.unmoves[2].clear();
    game.connect(1, 2);
    game.statuses[2] = Status::Void;
    assert_eq!(audit(&game), Err(AuditError::IntoVoid { from: 1, to: 2 }));
}

/// An audit accepted exits worth a win or a loss in 0, and then the solve panicked.
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
    for seed in 0..300 {
        let game = random::game(seed, 1..200);
        for wrong in 0..game.states() {
            let broken = |method| WrongForMany { game: game.clone(), method, wrong };
            let survey = Err(AuditError::Survey { state: wrong });
            assert_eq!(audit(&broken("survey")).map(drop), survey, "seed {seed}");
            assert_eq!(audit(&broken("voids")).map(drop), survey, "seed {seed}");
            found[0] += 1;
            let mut unmoves = game.unmoves[wrong as usize].clone();
            unmoves.sort_unstable();
            let each = match unmoves[..] {
                _ if game.statuses[wrong as usize] == Status::Void => Ok(()),
                [] => Ok(()),
                [from, ..] => {
                    let alone = unmoves.iter().filter(|&&each| each == from).count() as u64;
                    found[1] += 1;
                    Err(AuditError::Each { state: wrong, from, alone, together: 0 })
                }
            };
            assert_eq!(audit(&broken("predecessors_of_each")).map(drop), each, "seed {seed}");
        }
    }
    assert!(found.iter().all(|&count| count > 1_000), "too few mistakes: {found:?}");
}

#[test]
fn an_auditor_looks_where_it_is_told_and_no_further() {
    let mut game = random::game(5, 9_999..10_000);
    misprint(&mut game, MISTAKES[0], 1);
    let everywhere = audit(&game).map(drop);
    let wrong = everywhere.expect_err("an un-move is wrong").state().expect("it shows");
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
        let mut auditor = Auditor::new().sample(sample).progress(|done, of| {
            told.push((done, of));
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
    let stopped = Auditor::new().progress(|_, _| ControlFlow::Break(())).audit(&looked);
    assert_eq!(stopped, Err(AuditError::Cancelled));
}

/// A sample finds at once what is wrong everywhere.
#[test]
fn a_sample_finds_an_unmove_that_is_always_forgotten() {
    let mut game = random::game(7, 9_999..10_000);
    for unmoves in &mut game.unmoves {
        unmoves.pop();
    }
    let found = Auditor::new().sample(64).audit(&game).expect_err("un-moves are missing");
    assert!(matches!(found, AuditError::Moves { .. }), "{found}");
}

#[test]
fn audit_names_the_first_of_many_on_a_large_game() {
    let mut game = random::game(11, 90_000..90_001);
    let wrong = misprint(&mut game, MISTAKES[0], 1)[0];
    // A mistake far behind must not be told in its place, whichever thread finds it first.
    let last = *game.states_where(|status| status == Status::Open).last().expect("a large game");
    game.unmoves[last as usize].extend([last, last]);
    for _ in 0..5 {
        let found = crate::ways::pool(4).install(|| audit(&game)).expect_err("two mistakes");
        assert!(
            matches!(found, AuditError::Moves { from, to, .. } if (from, to) == wrong),
            "{found}"
        );
    }
}

#[test]
fn audit_words_passes_right_words_and_names_the_first_wrong_state() {
    let mut found = 0;
    for seed in 0..300 {
        let game = random::game(seed, 1..200);
        assert_eq!(audit(ByWords(&game)), audit(&game), "seed {seed}");
        let open = game.states_where(|status| status == Status::Open);
        for &wrong in open.iter().step_by(open.len() / 8 + 1) {
            let moves = game.moves[wrong as usize].len();
            let methods =
                ["survey_words", "predecessors_of_set", "all_moves_into", "least_of_moves"];
            for method in methods.into_iter().chain(WrongForMany::IN_MANY_WAYS) {
                if method == "predecessors_of_set" && moves == 0 {
                    continue;
                }
                let broken = WrongForMany { game: game.clone(), method, wrong };
                let told = audit(ByWords(&broken)).expect_err("one word method errs");
                let AuditError::Words { method: named, state, .. } = told else {
                    panic!("seed {seed}: {told}")
                };
                // Who tells nothing of a word tells nothing of its first state.
                let first = if method.ends_with("nothing") { wrong / 64 * 64 } else { wrong };
                assert!(method.starts_with(named) && state == first, "seed {seed}: {told}");
                assert!(told.to_string().contains(&first.to_string()), "{told}");
                found += 1;
            }
        }
    }
    assert!(found > 5_000, "only {found} mistakes were tried");
}

#[test]
fn verify_passes_every_right_solution() {
    let fresh = seed();
    for seed in (0..1_000).chain(fresh..fresh + 1_000) {
        let game = random::small(seed);
        for way in [Way::new(1), Way::no_distances(1)] {
            let verified = verify(&game, &way.solve(&game));
            let verified = verified.unwrap_or_else(|broken| panic!("seed {seed}: {broken}"));
            let exits: usize = game.exits.iter().map(Vec::len).sum();
            assert_eq!(verified.moves, Some(moves(&game) + exits as u64), "seed {seed}");
            assert_eq!(verified.states, game.states(), "seed {seed}");
            let in_words = Verifier::new().verify(ByWords(&game), &way.solve(&game));
            assert_eq!(in_words, Ok(Verified { moves: None, ..verified }), "seed {seed}");
        }
    }
}

#[test]
fn verify_misses_no_wrong_value() {
    for seed in 0..500 {
        let game = random::small(seed);
        let mut solution = Values { values: naive::solve(&game), distances: true };
        for state in 0..solution.values.len() {
            let right = solution.values[state];
            for wrong in corruptions(right) {
                solution.values[state] = wrong;
                let told = verify(&game, &solution);
                let Err(VerifyError::Value { state: named, .. }) = told else {
                    panic!("seed {seed}: state {state}, {right:?} told as {wrong:?}");
                };
                let in_words = Verifier::new().verify(ByWords(&game), &solution);
                assert_eq!(in_words, Err(told.expect_err("as seen")), "seed {seed}");
                let near =
                    named == state as u64 || game.moves[named as usize].contains(&(state as u64));
                assert!(near, "seed {seed}: state {state} is wrong and {named} is named");
            }
            solution.values[state] = right;
        }
        assert!(verify(&game, &solution).is_ok(), "seed {seed}");
    }
}

/// Not one value is wrong but all: in words that is seen as well.
#[test]
fn verify_is_not_taken_in_by_answers_that_are_wrong_throughout() {
    for seed in 0..50 {
        let game = random::game(seed, 1..300);
        let right = naive::solve(&game);
        for all in [None, Some(Value::Draw), Some(Value::Win(1)), Some(Value::Loss(0))] {
            let solution = Values { values: vec![all; right.len()], distances: true };
            let told = verify(&game, &solution).map(drop);
            assert_eq!(told.is_ok(), solution.values == right, "seed {seed}: {all:?}");
            let in_words = Verifier::new().verify(ByWords(&game), &solution).map(drop);
            assert_eq!(in_words, told, "seed {seed}: {all:?}");
        }
    }
}

/// A window much smaller than the game, whose moves lead anywhere: what lies beyond is looked up.
#[test]
fn verify_sees_as_much_through_a_narrow_window() {
    let game = random::game(12, 200_000..200_001);
    let right = crate::ways::values(&Way::new(2).solve(&game));
    let mut solution = Values { values: right.clone(), distances: true };
    let told = verify(&game, &solution).expect("a right answer");
    let mut shown = Vec::new();
    let narrow = Verifier::new().memory_max(1).progress(|states| {
        shown.push(states);
        ControlFlow::Continue(())
    });
    assert_eq!(narrow.verify(&game, &solution), Ok(told));
    let mut called = 0;
    let stopped = Verifier::new().progress(|_| {
        called += 1;
        ControlFlow::Break(())
    });
    assert_eq!(stopped.verify(&game, &solution), Err(VerifyError::Cancelled));
    assert_eq!(called, 1);
    let in_words = Verifier::new().memory_max(1).verify(ByWords(&game), &solution);
    assert_eq!(in_words, Ok(Verified { moves: None, ..told }));
    assert!(shown.is_sorted() && shown.last() == Some(&200_000), "{shown:?}");
    let mut rng = retrograde_testkit::Rng::new(3);
    for _ in 0..60 {
        let state = rng.below(right.len() as u64) as usize;
        for wrong in corruptions(right[state]) {
            solution.values[state] = wrong;
            let wide = verify(&game, &solution).expect_err("a wrong value");
            let narrow = Verifier::new().memory_max(1).verify(&game, &solution);
            assert_eq!(narrow, Err(wide), "{:?} told as {wrong:?}", right[state]);
            let in_words = Verifier::new().memory_max(1).verify(ByWords(&game), &solution);
            assert_eq!(in_words, Err(wide), "{:?} told as {wrong:?}", right[state]);
        }
        solution.values[state] = right[state];
    }
}

#[test]
fn verify_without_distances_sees_every_wrong_outcome_that_contradicts_a_neighbour() {
    // 0 is stuck, 1 moves there, 2 moves to 1, 3 chooses between 2 and itself.
    let mut game = Plain::open(4);
    for (from, to) in [(1, 0), (2, 1), (3, 2), (3, 3)] {
        game.connect(from, to);
    }
    let right: Vec<_> =
        naive::solve(&game).into_iter().map(|value| value.map(without_distance)).collect();
    let mut solution = Values { values: right.clone(), distances: false };
    assert!(verify(&game, &solution).is_ok());
    for (state, &value) in right.iter().enumerate() {
        for wrong in [None, Some(Value::Win(0)), Some(Value::Draw), Some(Value::Loss(0))] {
            if wrong != value {
                solution.values[state] = wrong;
                let told = verify(&game, &solution);
                assert!(told.is_err(), "state {state} told as {wrong:?}");
                assert_eq!(Verifier::new().verify(ByWords(&game), &solution), told);
            }
        }
        solution.values[state] = value;
    }
}

/// Words hold a value in two bytes: distances that are too long for those are judged one by one.
#[test]
fn verify_in_words_sees_as_much_of_long_distances() {
    let game = Chain { states: 40_000 };
    let solution = Way::new(1).solve(&game);
    let verified = verify(&game, &solution).expect("a right answer");
    let in_words = Verifier::new().verify(ByWords(&game), &solution);
    assert_eq!(in_words, Ok(Verified { moves: None, ..verified }));
    let right = crate::ways::values(&solution);
    let mut solution = Values { values: right.clone(), distances: true };
    for state in [0, 1, 31_998, 31_999, 32_000, 32_001, 32_002, 39_998, 39_999] {
        for wrong in corruptions(right[state]) {
            solution.values[state] = wrong;
            let told = verify(&game, &solution).expect_err("a wrong value");
            let in_words = Verifier::new().verify(ByWords(&game), &solution);
            assert_eq!(in_words, Err(told), "state {state} told as {wrong:?}");
        }
        solution.values[state] = right[state];
    }
    // Finals and exits far away, with the answer right and wrong.
    for far in [31_999, 32_000, 32_001, 40_000] {
        for value in [Value::Win(far), Value::Loss(far)] {
            let mut game = Plain::open(3);
            game.statuses[0] = Status::Final(value);
            game.connect(1, 0);
            game.exits[2] = vec![value, Value::Loss(5)];
            let right = naive::solve(&game);
            let mut solution = Values { values: right.clone(), distances: true };
            assert!(Verifier::new().verify(ByWords(&game), &solution).is_ok(), "{value:?}");
            for (state, right) in right.into_iter().enumerate() {
                for wrong in corruptions(right).into_iter().chain([Some(Value::Loss(5))]) {
                    solution.values[state] = wrong;
                    let in_words = Verifier::new().verify(ByWords(&game), &solution);
                    assert!(wrong == right || in_words.is_err(), "{value:?}, {state}: {wrong:?}");
                }
                solution.values[state] = right;
            }
        }
    }
}

/// A move that leads out of the game, a little beyond the last state or far away.
struct Leaky(u64);

impl Game for Leaky {
    fn states(&self) -> u64 {
        3
    }

    fn status(&self, _state: u64, _exit: impl FnMut(Value)) -> Status {
        Status::Open
    }

    fn successors(&self, state: u64, mut visit: impl FnMut(u64)) {
        if state == 1 {
            visit(0);
            visit(self.0);
        }
    }
}

#[test]
fn verify_names_the_state_that_a_move_leaves_the_game_from() {
    let values = vec![Some(Value::Loss(0)), Some(Value::Win(1)), Some(Value::Loss(0))];
    let answer = Values { values, distances: true };
    assert!(verify(&Leaky(2), &answer).is_ok());
    for visited in [3, 63, 64, 1 << 20, u64::MAX] {
        let told = verify(&Leaky(visited), &answer);
        let told = told.expect_err("a move leads out of the game");
        assert_eq!(told, VerifyError::Outside { state: 1, visited });
        assert_eq!(told.state(), Some(1));
    }
}

#[test]
fn verify_compares_the_numbers_of_states() {
    let game = Plain::open(3);
    let solution = Values { values: vec![Some(Value::Loss(0)); 2], distances: true };
    let wrong = Err(VerifyError::States { found: 2, expected: 3 });
    assert_eq!(verify(&game, &solution), wrong);
}

/// Taking one, two or three of some stones, and how often it was asked what a state is.
struct Asked(u64, AtomicU64);

impl Game for Asked {
    fn states(&self) -> u64 {
        self.0
    }

    fn status(&self, _: u64, _: impl FnMut(Value)) -> Status {
        self.1.fetch_add(1, Ordering::Relaxed);
        Status::Open
    }

    fn successors(&self, state: u64, visit: impl FnMut(u64)) {
        (1..=state.min(3)).map(|taken| state - taken).for_each(visit);
    }
}

impl Retrograde for Asked {
    fn predecessors(&self, state: u64, visit: impl FnMut(u64)) {
        (state + 1..=state + 3).filter(|&from| from < self.0).for_each(visit);
    }
}

impl Words for Asked {}

impl WordKeys for Asked {}

/// An audit tries 69 sets of each word, whose moves all lead to the same few words.
#[test]
fn an_audit_by_words_asks_about_a_word_once_for_all_its_sets() {
    let game = Asked(6_400, AtomicU64::new(0));
    audit(ByWords(&game)).unwrap();
    let asked = game.1.into_inner() / game.0;
    assert!(asked < 8, "each state was asked about {asked} times");
}
