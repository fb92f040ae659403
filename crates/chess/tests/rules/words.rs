//! Compares the word methods of a region with its scalar methods, and solves in both ways.

use std::cell::RefCell;
use std::collections::HashMap;

use retrograde::bit_parallel::{BitParallel, ByWords, Key, Keys, WordKeys, WordStatus};
use retrograde::{Code, Game, Predecessors, Solution, Solver, Status, Value};
use retrograde_chess::{Color, Endgame, Material, Piece, Role, SolvedRegion, Square};
use retrograde_testkit::{Rng, cases, seed};

use super::regions::endgame;

#[test]
fn words_say_what_their_states_do_where_one_looks() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    for pieces in 3..=6 {
        let materials = Material::all(pieces);
        for _ in 0..cases(100) {
            let material = materials[rng.below(materials.len() as u64) as usize];
            audit_some(&endgame(material), &mut rng, 2);
        }
    }
}

/// A material with pawns of both sides uses most rules.
#[test]
fn words_with_pawns_of_both_sides_do_too() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    for material in ["KPvKP", "KQPvKP", "KPPvKP", "KPPPvKP", "KPPvKPP", "KNPvKPP"] {
        audit_some(&endgame(material.parse().unwrap()), &mut rng, cases(40));
    }
}

/// In these materials every man but the kings has an equal. A move changes which of them is the last.
#[test]
fn words_whose_man_has_equals_do_too() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    for material in ["KRRvK", "KPPvK", "KNNNvK", "KPPPvK", "KQQQQvK", "KRRvKBB", "KPPvKPP"] {
        audit_some(&endgame(material.parse().unwrap()), &mut rng, cases(300));
    }
}

/// Runs of 64 words: for materials with two men without equals, and for a few others.
#[test]
fn runs_of_words_do_too() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let few = ["KRRvK", "KPvKP", "KNNvKNN"];
    let many = ["KQvKR", "KBNvK", "KRBvKR", "KQRvKQ", "KNvKPP", "KQPvKR", "KRNvKNN", "KRBNvKP"];
    for (materials, runs) in [(&few[..], 20), (&many[..], 200)] {
        for material in materials {
            let game = endgame(material.parse().unwrap());
            for _ in 0..cases(runs) {
                audit_run(&game, rng.below(game.index().placements() / 64) & !63, &mut rng);
            }
        }
    }
}

/// If the man of the word is a pawn, a double step beside that pawn leads to another state than a double step beside no
/// pawn.
#[test]
fn words_with_a_double_step_do_too() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    for material in ["KPvKP", "KQPvKP", "KPPvKP"] {
        let game = endgame(material.parse().unwrap());
        let words = game.index().placements() / 64;
        for _ in 0..cases(160) {
            let word = loop {
                let word = rng.below(words);
                if steps_twice(&game, word) {
                    break word;
                }
            };
            audit_word(&game, word, &mut rng);
        }
    }
}

/// Whether the word has a state in which a pawn of the player to move has two empty squares ahead and a pawn of the
/// other side could capture it en passant.
fn steps_twice(game: &Endgame<'static>, word: u64) -> bool {
    (word * 64..word * 64 + 64).filter_map(|state| game.index().position(state)).any(|position| {
        let turn = position.turn();
        let (second, ahead) = if turn == Color::White { (1, 8) } else { (6, -8) };
        position.placed().any(|(piece, at)| {
            let to = |steps: i8| Square::new((at.number() as i8 + steps * ahead) as u8);
            let beside = |other: Square| {
                other.rank() == to(2).rank() && other.file().abs_diff(at.file()) == 1
            };
            piece == (Piece { color: turn, role: Role::Pawn })
                && at.rank() == second
                && (1..=2).all(|steps| position.piece_at(to(steps)).is_none())
                && position.placed().any(|(piece, other)| {
                    piece == Piece { color: !turn, role: Role::Pawn } && beside(other)
                })
        })
    })
}

/// Checks some words of a game; the last ones have en passant captures, if the game has any.
fn audit_some(game: &Endgame<'static>, rng: &mut Rng, words: u64) {
    let of_all = game.states().div_ceil(64);
    let placements = game.index().placements() / 64;
    for number in 0..words {
        let passing = placements < of_all && number % 8 == 0;
        let word = if passing { rng.within(placements..of_all) } else { rng.below(placements) };
        audit_word(game, word, rng);
    }
}

fn audit_word(game: &Endgame<'static>, word: u64, rng: &mut Rng) {
    let status = audit_classes(game, word);
    let live = !status.invalid;
    let sets = [live, live & rng.bits(), live & rng.bits() & rng.bits() & rng.bits()];
    for set in sets.into_iter().filter(|&set| set != 0) {
        audit_predecessors(game, word, set);
        audit_moves(game, word, set & !(status.lost | status.special), rng);
        audit_least(game, word, set & !(status.lost | status.special), rng);
    }
}

/// Exits by state.
type Exits = Vec<(u64, Value)>;

/// The answers of the scalar methods for a word.
fn said(game: &Endgame<'static>, word: u64) -> (WordStatus, Exits) {
    let mut status = WordStatus { invalid: 0, won: 0, lost: 0, special: 0 };
    let mut exits = Vec::new();
    for bit in 0..64 {
        let state = word * 64 + bit;
        let said = match state < game.states() {
            true => game.status(state),
            false => Status::Invalid,
        };
        match said {
            Status::Invalid => status.invalid |= 1 << bit,
            Status::Terminal(Value::Loss(0)) => status.lost |= 1 << bit,
            Status::Terminal(_) => status.special |= 1 << bit,
            Status::Open => game.exits(state, |value| exits.push((state, value))),
        }
    }
    exits.sort_unstable();
    (status, exits)
}

fn audit_classes(game: &Endgame<'static>, word: u64) -> WordStatus {
    let (mut found, mut exits) = (None, Vec::new());
    game.classify_words(word..word + 1, |_, status, singles| {
        found = Some(status);
        assert!(singles.terminals.iter().all(|&(_, value)| value == Value::Draw));
        for &(states, value) in singles.exits {
            let states =
                (word * 64..word * 64 + 64).filter(|state| states >> (state % 64) & 1 != 0);
            exits.extend(states.map(|state| (state, value)));
        }
    });
    exits.sort_unstable();
    let expected = said(game, word);
    assert_eq!((found.unwrap(), exits), expected, "{} {word}", game.index().material());
    expected.0
}

fn audit_predecessors(game: &Endgame<'static>, word: u64, set: u64) {
    let mut reached = HashMap::<u64, (u64, u64)>::new();
    for bit in (0..64).filter(|bit| set >> bit & 1 != 0) {
        game.predecessors(word * 64 + bit, |from| {
            reached.entry(from / 64).or_default().0 |= 1 << (from % 64);
        });
    }
    game.predecessors_of_set(word, set, |from, mask, _| reached.entry(from).or_default().1 |= mask);
    for (from, (scalar, words)) in reached {
        let (status, _) = said(game, from);
        let wrong = (scalar ^ words) & !(status.invalid | status.lost | status.special);
        assert_eq!(wrong, 0, "{}: {from} to {word}, {set:#x}", game.index().material());
    }
}

fn audit_moves(game: &Endgame<'static>, word: u64, states: u64, rng: &mut Rng) {
    let target = most(game, rng.bits());
    let mut all = states;
    for bit in (0..64).filter(|bit| states >> bit & 1 != 0) {
        game.each_successor(word * 64 + bit, |to| {
            all &= !((!target(to / 64, false) >> (to % 64) & 1) << bit);
        });
    }
    let found = game.all_moves_into(word, states, &target);
    assert_eq!(found, all, "{} {word} {states:#x}", game.index().material());
}

/// Checks some words of a run together.
fn audit_run(game: &Endgame<'static>, first: u64, rng: &mut Rng) {
    let (mut live, mut open, mut words) = ([0; 64], [0; 64], 0);
    for _ in 0..8 {
        let at = rng.below(64.min(game.states().div_ceil(64) - first)) as usize;
        let (status, _) = said(game, first + at as u64);
        live[at] = rng.bits() & rng.bits() & !status.invalid;
        open[at] = rng.bits() & !(status.invalid | status.lost | status.special);
        words |= 1 << at;
    }
    let each = || (0..64).filter(|at| words >> at & 1 != 0);

    let mut reached = HashMap::<u64, (u64, u64)>::new();
    for state in each().flat_map(|at| states_of(first + at as u64, live[at])) {
        game.predecessors(state, |from| {
            reached.entry(from / 64).or_default().0 |= 1 << (from % 64);
        });
    }
    game.predecessors_of_run(first, words, &live, |from, set, _| {
        reached.entry(from).or_default().1 |= set;
    });
    let mut before = HashMap::<u64, u64>::new();
    game.words_before(first, words, &live, |first, words| {
        states_of(0, words).for_each(|at| *before.entry(first + at).or_default() += 1);
    });
    for (from, (scalar, run)) in reached {
        let (status, _) = said(game, from);
        let open = !(status.invalid | status.lost | status.special);
        let material = game.index().material();
        assert_eq!((scalar ^ run) & open, 0, "{material}: {from} to {first}, {words:#x}");
        assert!(scalar & open == 0 || before.contains_key(&from), "{material}: {from} to {first}");
    }

    let target = most(game, rng.bits());
    let mut found = open;
    game.all_moves_into_run(first, words, &mut found, &target);
    for at in each() {
        let word = first + at as u64;
        let alone = states_of(word, open[at]).fold(open[at], |all, state| {
            let mut inside = true;
            game.each_successor(state, |to| inside &= target(to / 64, false) >> (to % 64) & 1 != 0);
            if inside { all } else { all & !(1 << (state % 64)) }
        });
        assert_eq!(found[at], alone, "{} {word} {:#x}", game.index().material(), open[at]);
    }
}

/// The states of a set of a word.
fn states_of(word: u64, set: u64) -> impl Iterator<Item = u64> {
    (0..64).filter(move |bit| set >> bit & 1 != 0).map(move |bit| word * 64 + bit)
}

/// Random sets of most states of a word, so that some of the requested states have all their moves among them.
fn most(game: &Endgame<'static>, salt: u64) -> impl Fn(u64, bool) -> u64 {
    let known = RefCell::new(HashMap::<u64, u64>::new());
    move |word, _| {
        let most = || {
            let mut rng = Rng::new(salt ^ word.wrapping_mul(0x9E37_79B9));
            let few = (0..5).fold(!0, |few, _| few & rng.bits());
            !few | said(game, word).0.invalid
        };
        *known.borrow_mut().entry(word).or_insert_with(most)
    }
}

/// Asks for the least of random keys, for some states.
fn audit_least(game: &Endgame<'static>, word: u64, states: u64, rng: &mut Rng) {
    let salt = rng.bits();
    let known = RefCell::new(HashMap::<u64, Keys>::new());
    let keys = |word: u64| {
        let keys = || {
            let invalid =
                if word < game.states().div_ceil(64) { said(game, word).0.invalid } else { !0 };
            let mut rng = Rng::new(salt ^ word.wrapping_mul(0x9E37_79B9));
            std::array::from_fn(|bit| {
                let key = Key::from(Code::from_bits(1 + rng.below(60_000) as u16));
                if invalid >> bit & 1 != 0 { Key::INVALID } else { key }
            })
        };
        Box::new(*known.borrow_mut().entry(word).or_insert_with(keys))
    };
    let found = game.least_of_moves(word, states, keys);
    for bit in (0..64).filter(|bit| states >> bit & 1 != 0) {
        let mut least = Key::INVALID;
        game.each_successor(word * 64 + bit, |to| {
            least = least.min(keys(to / 64)[(to % 64) as usize]);
        });
        let state = word * 64 + bit;
        assert_eq!(found[bit as usize], least, "{} {state}", game.index().material());
    }
}

/// The solution of a material by the bit-parallel engine, and those of the materials that it needs. Each must equal
/// that of the scalar engine.
fn solve_both_ways(material: Material) -> Solution {
    let needs = material.needs().into_iter();
    let solved = needs.map(|need| SolvedRegion::of(solve_both_ways(need))).collect();
    let game = Endgame::new(material, solved);
    let words = Solver::new().solve(ByWords(&game)).unwrap();
    let scalar = Solver::new().solve(&game).unwrap();
    for state in 0..game.states() {
        assert_eq!(words.value(state), scalar.value(state), "{material} {state}");
    }
    assert!(words.histogram().levels().eq(scalar.histogram().levels()), "{material}");
    words
}

#[test]
fn words_come_to_the_values_of_the_scalar_engine() {
    solve_both_ways("KPvK".parse().unwrap());
    solve_both_ways("KRRvK".parse().unwrap());
}
