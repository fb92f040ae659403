//! The game of a region has exactly the moves of its positions: forwards, backwards and into other regions.

use retrograde::{Game, Predecessors, Probe, Status, Value, audit};
use retrograde_chess::{Endgame, Index, Material, Position, SolvedRegion};
use retrograde_testkit::broken::Computed;
use retrograde_testkit::{Rng, seed};

/// A solution in which the value of each state encodes its number. So the value of an exit shows where it leads.
fn echo(index: &Index) -> Computed {
    let salt = index.material().to_string().bytes().fold(0, |sum, byte| sum * 31 + u64::from(byte));
    let value = |number: u64| Value::Win((number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 34) as u32);
    Computed { states: index.states(), first: salt, value }
}

pub(crate) fn endgame(material: Material) -> Endgame<'static> {
    let solved = material
        .needs()
        .into_iter()
        .map(|need| SolvedRegion::of(echo(&Index::new(need))))
        .collect();
    Endgame::new(material, solved)
}

/// States of a region, half of them with an en passant capture.
fn sample(rng: &mut Rng, index: &Index, count: u32) -> Vec<u64> {
    let ranges = [0..index.placements(), index.placements()..index.states()];
    let ranges = ranges.into_iter().filter(|range| !range.is_empty());
    ranges
        .flat_map(|range| (0..count).map(|_| rng.within(range.clone())).collect::<Vec<_>>())
        .collect()
}

fn visited(walk: impl FnOnce(&mut dyn FnMut(u64))) -> Vec<u64> {
    let mut states = Vec::new();
    walk(&mut |state| states.push(state));
    states.sort_unstable();
    states
}

/// The successors and the exits of a state, computed from its position.
fn by_position(game: &Endgame<'static>, position: &Position) -> (Vec<u64>, Vec<(u64, Value)>) {
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for played in position.moves() {
        let after = position.play(&played);
        if played.captured.is_none() && played.promotion.is_none() {
            inside.push(game.index().state(&after));
        } else {
            let value = match after.region() {
                None => Value::Draw,
                Some((material, state)) => {
                    echo(&Index::new(material)).probe(state).unwrap().unwrap()
                }
            };
            outside.push(value.after_move(false));
        }
    }
    inside.sort_unstable();
    let mut outside: Vec<_> = outside
        .into_iter()
        .map(|value| (u64::from(value.distance().unwrap_or(u32::MAX)), value))
        .collect();
    outside.sort_unstable_by_key(|&(key, _)| key);
    (inside, outside)
}

#[test]
fn successors_and_exits_are_the_moves_of_the_position() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    for material in (3..=5).flat_map(Material::all) {
        let game = endgame(material);
        for state in sample(&mut rng, game.index(), 100) {
            let mut exits = Vec::new();
            let status = game.status(state);
            if status == Status::Open {
                game.exits(state, |value| exits.push(value));
            }
            let Some(position) = game.index().position(state) else {
                assert_eq!(status, Status::Invalid, "{material} {state}");
                continue;
            };
            let (inside, outside) = by_position(&game, &position);
            let mut exits: Vec<_> = exits
                .into_iter()
                .map(|value| (u64::from(value.distance().unwrap_or(u32::MAX)), value))
                .collect();
            exits.sort_unstable_by_key(|&(key, _)| key);
            assert_eq!(exits, outside, "{material} {state}: {position}");
            if inside.is_empty() && outside.is_empty() {
                let value = if position.in_check() { Value::Loss(0) } else { Value::Draw };
                assert_eq!(status, Status::Terminal(value), "{position}");
                continue;
            }
            assert_eq!(status, Status::Open, "{position}");
            // A move between two indices of one position may be reported for either of them.
            let found = visited(|visit| game.each_successor(state, visit));
            assert_eq!(game.degree(state) as usize, found.len(), "{position}");
            assert_eq!(found, inside, "{material} {state}: {position}");
        }
    }
}

#[test]
fn three_pieces_pass_the_audit() {
    for material in ["KQvK", "KNvK", "KPvK"].map(|text| text.parse().unwrap()) {
        let audited =
            audit(&endgame(material)).unwrap_or_else(|error| panic!("{material}: {error}"));
        assert!(audited.moves > 0);
    }
}

/// Does the work of `audit` on some states: finds every move again from its other end, equally often.
fn audit_some(game: &Endgame<'static>, states: Vec<u64>) -> u64 {
    let count = |states: &[u64], wanted| states.iter().filter(|&&state| state == wanted).count();
    let open = |state| game.status(state) == Status::Open;
    let material = game.index().material();
    let mut moves = 0;
    for state in states {
        let status = game.status(state);
        let invalid = game.invalid_states(state / 64) >> (state % 64) & 1 != 0;
        assert_eq!(invalid, status == Status::Invalid, "{material}: {state}");
        if invalid {
            continue;
        }
        let into = visited(|visit| game.predecessors(state, visit));
        for &from in into.iter().filter(|&&from| open(from)) {
            let forwards = visited(|visit| game.each_successor(from, visit));
            assert_eq!(
                count(&forwards, state),
                count(&into, from),
                "{material}: {from} to {state}"
            );
        }
        if status != Status::Open {
            continue;
        }
        let out = visited(|visit| game.each_successor(state, visit));
        moves += out.len() as u64;
        for &to in &out {
            let backwards = visited(|visit| game.predecessors(to, visit));
            assert_eq!(count(&backwards, state), count(&out, to), "{material}: {state} to {to}");
            assert_ne!(game.status(to), Status::Invalid, "{material}: {state} to {to}");
        }
    }
    moves
}

#[test]
fn more_pieces_pass_the_audit_where_it_looks() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    for pieces in [4, 5] {
        for material in Material::all(pieces) {
            let game = endgame(material);
            let states = sample(&mut rng, game.index(), 100);
            assert!(audit_some(&game, states) > 0, "{material}");
        }
    }
}

/// Both kings stand on a diagonal in one of twenty placements, so these get a test of their own.
#[test]
fn kings_on_a_diagonal_pass_the_audit() {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    for material in ["KQvKR", "KQQvK", "KBNvK", "KRBvKR", "KNNvKQ"] {
        let game = endgame(material.parse().unwrap());
        let blocks: Vec<_> =
            game.index().blocks().filter(|block| block.multiplicity == 4).collect();
        assert_eq!(blocks.len(), 2 * 21);
        let states = blocks.iter().flat_map(|block| {
            (0..20).map(|_| rng.within(block.states.clone())).collect::<Vec<_>>()
        });
        assert!(audit_some(&game, states.collect()) > 0, "{material}");
    }
}
