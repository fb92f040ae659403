//! An audit of rules compares positions instead of numbers. It must find what an audit of numbers finds, and
//! name the same state.

use std::ops::ControlFlow;

use retrograde::adapters::{BackwardMoves, Numbered, Rules};
use retrograde::checks::AuditError;
use retrograde::{Game, Predecessors, Status, Value, audit};
use retrograde_testkit::broken::{MISTAKES, misprint, moves};
use retrograde_testkit::{Plain, cases, random, seed};

/// The rules of a stored game. A position is a state, seen from one of two sides.
struct Listed {
    game: Plain,
    /// Whether backward moves give the other one of two images.
    mirrors: bool,
    /// Two positions whose numbers are swapped.
    swapped: [u64; 2],
}

impl Listed {
    fn new(game: &Plain) -> Numbered<Listed> {
        Numbered(Listed { game: game.clone(), mirrors: false, swapped: [0, 0] })
    }
}

impl Rules for Listed {
    type Position = (u64, bool);

    fn states(&self) -> u64 {
        self.game.states()
    }

    fn position(&self, state: u64) -> Option<(u64, bool)> {
        (self.game.statuses[state as usize] != Status::Invalid).then_some((state, false))
    }

    fn state(&self, &(state, _): &(u64, bool)) -> u64 {
        let [a, b] = self.swapped;
        if state == a {
            b
        } else if state == b {
            a
        } else {
            state
        }
    }

    fn terminal(&self, &(state, _): &(u64, bool)) -> Option<Value> {
        match self.game.statuses.get(state as usize) {
            Some(Status::Terminal(value)) => Some(*value),
            _ => None,
        }
    }

    fn moves(
        &self,
        &(state, _): &(u64, bool),
        mut visit: impl FnMut(&(u64, bool)) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.game.successors(state, |to| visit(&(to, false)))
    }

    fn exits(&self, &(state, _): &(u64, bool), visit: impl FnMut(Value)) {
        self.game.exits(state, visit);
    }

    fn degree_max(&self) -> Option<u32> {
        self.game.degree_max
    }
}

impl BackwardMoves for Listed {
    fn backward_moves(&self, &(state, _): &(u64, bool), mut visit: impl FnMut(&(u64, bool))) {
        self.game.predecessors(state, |from| {
            // An invalid number has no position.
            if self.game.statuses.get(from as usize) != Some(&Status::Invalid) {
                visit(&(from, self.mirrors));
            }
        });
    }
}

/// Whether the comparison of positions alone finds no mistake.
fn passes_at_once(game: &Numbered<Listed>) -> bool {
    game.audit_all(&mut |_, _| ControlFlow::Continue(())).is_some()
}

#[test]
fn right_rules_pass_without_a_search() {
    let fresh = seed();
    for seed in (0..cases(2_500)).chain(fresh..fresh + cases(2_500)) {
        let mut game = random::small(seed);
        let rules = Listed::new(&game);
        assert!(passes_at_once(&rules), "seed {seed}");
        let audited = audit(&rules).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
        assert_eq!((audited.states, audited.moves), (game.states(), moves(&game)), "seed {seed}");
        // Backward moves from terminal states do not count.
        let ends = game.states_where(|status| status != Status::Invalid);
        let terminal = game.states_where(|status| matches!(status, Status::Terminal(_)));
        for (&from, &to) in terminal.iter().zip(ends.iter().rev()) {
            game.backward_moves[to as usize].push(from);
        }
        assert!(passes_at_once(&Listed::new(&game)), "seed {seed}");
    }
}

/// Mistakes that an embedder may make in rules, besides those of [`MISTAKES`].
const MORE_MISTAKES: [fn(&mut Plain, u64, u64); 13] = [
    |game, from, to| drop_move(game, from, to),
    |game, from, _| game.moves[from as usize].clear(),
    |game, _, to| game.backward_moves[to as usize].clear(),
    |game, from, to| game.moves[from as usize].extend([to, to]),
    |game, from, to| {
        game.moves[from as usize].push(to);
        drop_move(game, from, to);
        game.backward_moves[to as usize].push(from);
    },
    |game, from, _| game.moves[from as usize].push(game.statuses.len() as u64),
    |game, _, to| game.backward_moves[to as usize].push(game.statuses.len() as u64 + 7),
    |game, from, to| game.connect(to, from),
    |game, from, _| game.exits[from as usize].push(Value::Win(0)),
    |game, from, _| game.exits[from as usize].push(Value::Loss(0)),
    |game, from, _| game.degree_max = Some(game.moves[from as usize].len() as u32 - 1),
    |game, _, to| game.statuses[to as usize] = Status::Invalid,
    |game, from, _| game.statuses[from as usize] = Status::Terminal(Value::Draw),
];

fn drop_move(game: &mut Plain, from: u64, to: u64) {
    let moves = &mut game.moves[from as usize];
    moves.remove(moves.iter().position(|&each| each == to).expect("it has this move"));
}

#[test]
fn an_audit_of_rules_names_the_state_that_an_audit_of_numbers_names() {
    let mut found = [0; MISTAKES.len() + MORE_MISTAKES.len()];
    for seed in 0..400 {
        let right = random::small(seed);
        let open = right.states_where(|status| status == Status::Open);
        let mut broken = Vec::new();
        for mistake in MISTAKES {
            let mut game = right.clone();
            game.degree_max = None;
            misprint(&mut game, mistake, seed);
            broken.push(game);
        }
        let with_moves = open.iter().find(|&&state| !right.moves[state as usize].is_empty());
        if let Some(&from) = with_moves {
            let to = right.moves[from as usize][0];
            for mistake in MORE_MISTAKES {
                let mut game = right.clone();
                game.degree_max = None;
                mistake(&mut game, from, to);
                broken.push(game);
            }
        }
        for (kind, game) in broken.iter().enumerate() {
            let (rules, numbers) = (Listed::new(game), audit(game));
            assert_eq!(audit(&rules), numbers, "seed {seed}, mistake {kind}");
            // The comparison of positions misses no mistake, and reports none in a correct game.
            assert_eq!(passes_at_once(&rules), numbers.is_ok(), "seed {seed}, mistake {kind}");
            found[kind] += usize::from(numbers.is_err());
        }
    }
    assert!(found.iter().filter(|&&count| count > 50).count() >= 16, "too few: {found:?}");
}

/// If the numbering confuses two positions, equal positions prove nothing.
#[test]
fn a_numbering_that_confuses_positions_is_found() {
    let mut game = Plain::open(100);
    game.connect(3, 70);
    game.connect(4, 71);
    let mut rules = Listed::new(&game);
    rules.0.swapped = [3, 5];
    assert!(!passes_at_once(&rules));
    let wrong = AuditError::Moves { from: 3, to: 70, forwards: 1, backwards: 0 };
    assert_eq!(audit(&rules), Err(wrong));
}

/// If positions that share a number differ, the audit compares numbers.
#[test]
fn mirror_images_may_share_a_number() {
    let game = random::game(3, 900..1_000);
    let mut rules = Listed::new(&game);
    rules.0.mirrors = true;
    assert!(!passes_at_once(&rules));
    assert_eq!(audit(&rules), audit(&game));
}
