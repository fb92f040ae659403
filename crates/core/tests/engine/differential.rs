//! The engine against the naive solver: two thousand random games a test, half of them the same in every run and
//! half never seen before. `RETROGRADE_SEED` repeats a run.

use crate::ways::{WAYS, count, values};
use retrograde::adapters::{BackwardMoves, Explicit, Folded, Numbered, Quotient, Rules, Symmetric};
use retrograde::{Game, Predecessors, Status, Value};
use retrograde_testkit::{Plain, Spread, cases, judged, naive, random, seed, symmetric};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

const GAMES: u64 = 20_000;

/// Runs `test` with a seed for each of a tenth of `count` games, or of all in a deep check. If it fails, the message has the seed.
fn for_seeds(count: u64, test: impl Fn(u64)) {
    let (fresh, half) = (seed(), cases(count) / 2);
    for seed in (0..half).chain(fresh..fresh + half) {
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(seed)));
        if let Err(panic) = outcome {
            eprintln!("the game of seed {seed} failed; RETROGRADE_SEED={fresh} repeats this run");
            std::panic::resume_unwind(panic);
        }
    }
    judged(half, "games");
}

/// Solves a game in every way, and compares each solution with the right values.
fn agree(game: &impl Predecessors, right: &[Option<Value>]) {
    for way in WAYS {
        let solution = way.solve(game);
        let told: Vec<_> = right.iter().map(|&value| way.tells(value)).collect();
        assert_eq!(values(&solution), told, "{way:?}");
        for (state, value) in (0..).zip(&told) {
            assert_eq!(solution.outcome(state), value.map(Value::outcome), "{way:?}");
        }
        assert_eq!(solution.has_distances(), way.distances);
    }
}

#[test]
fn the_engine_agrees_with_the_naive_solver() {
    for_seeds(GAMES, |seed| {
        let game = random::small(seed);
        agree(&game, &naive::solve(&game));
    });
}

#[test]
fn the_bit_parallel_engine_agrees_with_the_naive_solver() {
    for_seeds(GAMES, |seed| {
        let game = random::small(seed);
        let right = naive::solve(&game);
        for way in WAYS {
            let solution = way.solve_words(&game);
            let told: Vec<_> = right.iter().map(|&value| way.tells(value)).collect();
            assert_eq!(values(&solution), told, "{way:?}");
        }
    });
}

/// The states lie so far apart that even these games reach many parts, and threads have updates for each other.
#[test]
fn games_spread_over_parts_agree_with_the_naive_solver() {
    for_seeds(GAMES, |seed| {
        let game = Spread { game: random::small(seed), step: 331 };
        let right = naive::solve(&game.game);
        for way in WAYS.into_iter().filter(|way| way.least && way.threads > 1) {
            let told: Vec<_> = right.iter().map(|&value| way.tells(value)).collect();
            for solution in [way.solve(&game), way.solve_words(&game)] {
                let state = |state: usize| solution.value(state as u64 * game.step);
                let found: Vec<_> = (0..right.len()).map(state).collect();
                assert_eq!(found, told, "{way:?}");
            }
        }
    });
}

#[test]
fn explicit_graphs_agree_with_the_naive_solver() {
    for_seeds(GAMES, |seed| {
        let game = random::small(seed);
        agree(&Explicit::from_game(&game), &naive::solve(&game));
    });
}

#[test]
fn a_stuck_player_has_the_value_of_a_terminal_state() {
    for_seeds(GAMES, |seed| {
        let game = random::small(seed);
        for value in [Value::Win(0), Value::Draw, Value::Loss(0), Value::Win(7)] {
            let mut turned = game.clone();
            for state in stuck(&game) {
                turned.statuses[state] = Status::Terminal(value);
            }
            agree(&Plain { stuck: Some(value), ..game.clone() }, &naive::solve(&turned));
        }
    });
}

/// The open states without moves and without exits.
fn stuck(game: &Plain) -> impl Iterator<Item = usize> {
    (0..game.statuses.len()).filter(|&state| {
        game.statuses[state] == Status::Open
            && game.moves[state].is_empty()
            && game.exits[state].is_empty()
    })
}

#[test]
fn histograms_and_counts_agree_with_the_naive_solver() {
    for_seeds(GAMES / 4, |seed| {
        let game = random::small(seed);
        let right = naive::solve(&game);
        let mut levels: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        for value in right.iter().flatten() {
            match value {
                Value::Win(distance) => levels.entry(*distance).or_default().0 += 1,
                Value::Loss(distance) => levels.entry(*distance).or_default().1 += 1,
                Value::Draw => {}
            }
        }
        for way in WAYS {
            let solution = way.solve(&game);
            let told: BTreeMap<u32, (u64, u64)> = solution
                .histogram()
                .levels()
                .map(|level| (level.distance, (level.wins, level.losses)))
                .collect();
            assert_eq!(told, levels, "{way:?}");
            let states = right.len() as u64;
            for (from, to) in [(0, states), (states / 3, states), (0, states / 2), (states, states)]
            {
                let counted = count(&right[from as usize..to as usize]);
                assert_eq!(solution.count(from..to), counted, "{way:?} {from}..{to}");
            }
        }
    });
}

#[test]
fn quotients_agree_with_the_naive_solver() {
    for_seeds(GAMES, |seed| {
        let symmetric = symmetric::game(seed);
        let right = naive::solve(&symmetric.game);
        let canonical: Vec<u64> =
            (0..right.len() as u64).map(|state| symmetric.canonical(state)).collect();
        let quotient = Quotient::new(&symmetric.game, |state: u64| canonical[state as usize]);
        let kept: Vec<Option<Value>> = (0..)
            .zip(&right)
            .map(|(state, &value)| value.filter(|_| canonical[state as usize] == state))
            .collect();
        agree(&quotient, &kept);
        agree(&Explicit::from_game(&quotient), &kept);
        if let Err(wrong) = retrograde::audit(&quotient) {
            panic!("{wrong}");
        }
        for (state, &value) in (0..).zip(&right) {
            let image = quotient.canonical(state);
            assert_eq!(kept[image as usize], value, "state {state} and its image {image}");
        }
    });
}

/// The orbits of a symmetric game, one state each.
struct Orbits {
    whole: symmetric::Symmetric,
    /// The least state of each orbit, in order.
    least: Vec<u64>,
}

impl Orbits {
    fn new(whole: symmetric::Symmetric) -> Self {
        let states = 0..whole.game.states();
        let least = states.filter(|&state| whole.canonical(state) == state).collect();
        Orbits { whole, least }
    }

    fn orbit_of(&self, state: u64) -> u64 {
        let found = self.least.binary_search(&self.whole.canonical(state));
        found.expect("every orbit has a least state") as u64
    }
}

impl Game for Orbits {
    fn states(&self) -> u64 {
        self.least.len() as u64
    }

    fn status(&self, orbit: u64) -> Status {
        self.whole.game.status(self.least[orbit as usize])
    }

    fn exits(&self, orbit: u64, visit: impl FnMut(Value)) {
        self.whole.game.exits(self.least[orbit as usize], visit);
    }

    fn successors(
        &self,
        orbit: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.whole.game.successors(self.least[orbit as usize], |to| visit(self.orbit_of(to)))
    }

    fn stuck(&self) -> Value {
        self.whole.game.stuck()
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        self.whole.game.keeps_turn(self.least[from as usize], self.least[to as usize])
    }
}

impl Symmetric for Orbits {
    fn stabilizer(&self, orbit: u64) -> u32 {
        let least = self.least[orbit as usize];
        if self.status(orbit) == Status::Invalid {
            return 0;
        }
        self.whole.maps.iter().filter(|map| map[least as usize] == least).count() as u32
    }

    fn moves_into(&self, orbit: u64, mut visit: impl FnMut(u64, u32)) {
        self.whole.game.predecessors(self.least[orbit as usize], |from| {
            let from = self.orbit_of(from);
            visit(from, Symmetric::stabilizer(self, from));
        });
    }
}

#[test]
fn orbits_folded_with_their_stabilizers_agree_with_the_naive_solver() {
    for_seeds(GAMES, |seed| {
        let symmetric = symmetric::game(seed);
        let right = naive::solve(&symmetric.game);
        let order = symmetric.maps.len();
        let folded = Folded(Orbits::new(symmetric));
        let kept: Vec<Option<Value>> =
            folded.0.least.iter().map(|&state| right[state as usize]).collect();
        if let Err(wrong) = retrograde::audit(&folded) {
            panic!("{wrong}");
        }
        agree(&folded, &kept);
        let counted = folded.count_positions(order, &retrograde::solve(&folded));
        let (counted, whole) = (counted.expect("it is in memory"), count(&right));
        let outcomes = [counted.win, counted.loss, counted.draw];
        assert_eq!(outcomes, [whole.win, whole.loss, whole.draw]);
    });
}

/// The same orbits as rules. A position is any state of the whole game.
impl Rules for Orbits {
    type Position = u64;

    fn states(&self) -> u64 {
        Game::states(self)
    }

    fn position(&self, orbit: u64) -> Option<u64> {
        (self.status(orbit) != Status::Invalid).then(|| self.least[orbit as usize])
    }

    fn state(&self, &position: &u64) -> u64 {
        self.orbit_of(position)
    }

    fn stabilizer(&self, &position: &u64) -> u32 {
        Symmetric::stabilizer(self, self.orbit_of(position))
    }

    fn terminal(&self, &position: &u64) -> Option<Value> {
        match self.whole.game.status(position) {
            Status::Terminal(value) => Some(value),
            _ => None,
        }
    }

    fn moves(
        &self,
        &position: &u64,
        mut visit: impl FnMut(&u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.whole.game.successors(position, |to| visit(&to))
    }

    fn exits(&self, &position: &u64, visit: impl FnMut(Value)) {
        self.whole.game.exits(position, visit);
    }

    fn stuck(&self) -> Value {
        self.whole.game.stuck()
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        Game::keeps_turn(self, from, to)
    }
}

impl BackwardMoves for Orbits {
    fn backward_moves(&self, &position: &u64, mut visit: impl FnMut(&u64)) {
        self.whole.game.predecessors(position, |from| {
            if self.whole.game.status(from) != Status::Invalid {
                visit(&from);
            }
        });
    }
}

#[test]
fn rules_whose_positions_share_numbers_agree_with_the_naive_solver() {
    for_seeds(GAMES, |seed| {
        let symmetric = symmetric::game(seed);
        let right = naive::solve(&symmetric.game);
        let order = symmetric.maps.len();
        let numbered = Numbered(Orbits::new(symmetric));
        let kept: Vec<Option<Value>> =
            numbered.0.least.iter().map(|&state| right[state as usize]).collect();
        if let Err(wrong) = retrograde::audit(&numbered) {
            panic!("{wrong}");
        }
        agree(&numbered, &kept);
        let counted = numbered.count_positions(order, &retrograde::solve(&numbered));
        let (counted, whole) = (counted.expect("it is in memory"), count(&right));
        let outcomes = [counted.win, counted.loss, counted.draw];
        assert_eq!(outcomes, [whole.win, whole.loss, whole.draw]);
    });
}
