//! Tests every numbering exhaustively on small boards: each position has a number, and each number below the
//! count has a position.

use std::collections::{BTreeMap, BTreeSet};

use retrograde_boards::{Group, Orbits, Patterns, Stones, Subsets, binomial, squares};

#[test]
fn subsets_are_ranked_in_the_order_of_their_numbers() {
    for n in 0..=14 {
        for k in 0..=n {
            let subsets = Subsets::new(n, k);
            let all: Vec<u64> = (0..1 << n).filter(|set: &u64| set.count_ones() == k).collect();
            assert_eq!(subsets.count(), all.len() as u64);
            assert!(subsets.iter().eq(all.iter().copied()), "{k} of {n}");
            for (rank, set) in (0..).zip(all) {
                assert_eq!((subsets.rank(set), subsets.unrank(rank)), (rank, set), "{k} of {n}");
            }
        }
    }
}

#[test]
fn subsets_of_64_squares_have_numbers_too() {
    for k in [0, 1, 2, 31, 32, 63, 64] {
        let subsets = Subsets::new(64, k);
        for rank in [0, 1, subsets.count() / 3, subsets.count() - 1] {
            let rank = rank.min(subsets.count() - 1);
            let set = subsets.unrank(rank);
            assert_eq!((set.count_ones(), subsets.rank(set)), (k, rank), "{k} of 64");
        }
        let last = subsets.unrank(subsets.count() - 1);
        assert_eq!(last, if k == 0 { 0 } else { u64::MAX << (64 - k) });
    }
    assert_eq!(Subsets::new(64, 63).iter().count(), 64);
    assert_eq!(binomial(64, 32), 1_832_624_140_942_590_534);
}

/// All ways to give each square to one of the sets or to none.
fn boards<const SETS: usize>(squares: u32) -> impl Iterator<Item = [u64; SETS]> {
    let base = SETS as u64 + 1;
    (0..base.pow(squares)).map(move |board| {
        let mut sets = [0; SETS];
        for square in 0..squares {
            if let Some(kind) = (board / base.pow(square) % base).checked_sub(1) {
                sets[kind as usize] |= 1 << square;
            }
        }
        sets
    })
}

fn groups() -> Vec<(&'static str, Group, usize)> {
    vec![
        ("trivial", Group::trivial(7), 1),
        ("square 1", Group::square(1), 1),
        ("square 2", Group::square(2), 8),
        ("square 3", Group::square(3), 8),
        (
            "mirrors",
            Group::generated(8, &[vec![3, 2, 1, 0, 7, 6, 5, 4], vec![4, 5, 6, 7, 0, 1, 2, 3]]),
            4,
        ),
        ("cycle", Group::generated(9, &[vec![1, 2, 3, 4, 5, 6, 7, 0, 8]]), 8),
    ]
}

#[test]
fn groups_are_groups() {
    let large = ("square 8", Group::square(8), 8);
    for (name, group, order) in groups().into_iter().chain([large]) {
        assert_eq!(group.order(), order, "{name}");
        let element = |of: usize| -> Vec<u32> {
            (0..group.squares()).map(|square| group.square_of(of, square)).collect()
        };
        let all: BTreeSet<Vec<u32>> = (0..order).map(element).collect();
        assert_eq!(all.len(), order, "{name}: the elements differ");
        assert!(element(0).into_iter().eq(0..group.squares()), "{name}: the first is identity");
        for a in 0..order {
            for b in 0..order {
                let product: Vec<u32> =
                    element(a).into_iter().map(|at| group.square_of(b, at)).collect();
                assert!(all.contains(&product), "{name}: a product is missing");
                assert_eq!(element(group.product(a, b)), product, "{name}");
            }
            let back = group.inverse(a);
            assert!(
                (0..group.squares()).all(|at| group.square_of(back, group.square_of(a, at)) == at)
            );
            let set = 0x5_a5c3_96e1_u64 & (u64::MAX >> (64 - group.squares()));
            let image = squares(set).fold(0, |all, at| all | 1 << group.square_of(a, at));
            assert_eq!(group.image(a, set), image, "{name}");
        }
    }
}

/// A numbering up to symmetry.
trait Numbering<const SETS: usize> {
    fn states(&self) -> u64;
    fn state_and_stabilizer(&self, sets: [u64; SETS]) -> (u64, u32);
    fn position(&self, state: u64) -> [u64; SETS];
    fn stabilizer(&self, state: u64) -> u32;
    fn each(&self, visit: &mut dyn FnMut(u64, [u64; SETS], u32));
}

macro_rules! numbering {
    ($name:ident) => {
        impl<const SETS: usize> Numbering<SETS> for $name<SETS> {
            fn states(&self) -> u64 {
                self.states()
            }
            fn state_and_stabilizer(&self, sets: [u64; SETS]) -> (u64, u32) {
                assert_eq!(self.state(sets), self.state_and_stabilizer(sets).0);
                self.state_and_stabilizer(sets)
            }
            fn position(&self, state: u64) -> [u64; SETS] {
                self.position(state)
            }
            fn stabilizer(&self, state: u64) -> u32 {
                self.stabilizer(state)
            }
            fn each(&self, visit: &mut dyn FnMut(u64, [u64; SETS], u32)) {
                let half = self.states() / 2;
                self.each(0..half, &mut *visit);
                self.each(half..self.states(), visit);
            }
        }
    };
}

numbering!(Orbits);
numbering!(Patterns);

/// Whether the sets have allowed sizes.
fn fits(sets: &[u64], stones: &[Stones]) -> bool {
    sets.iter().zip(stones).all(|(set, stones)| match stones {
        Stones::Exactly(size) => set.count_ones() == *size,
        Stones::AtMost(size) => set.count_ones() <= *size,
        Stones::Any => true,
    })
}

/// All positions on a board by brute force, and their orbits.
fn judge<const SETS: usize>(
    name: &str,
    group: &Group,
    stones: [Stones; SETS],
    orbits: &impl Numbering<SETS>,
) {
    let mut numbers: BTreeMap<u64, [u64; SETS]> = BTreeMap::new();
    for sets in boards::<SETS>(group.squares()) {
        if !fits(&sets, &stones) {
            continue;
        }
        let images: Vec<[u64; SETS]> =
            (0..group.order()).map(|element| sets.map(|set| group.image(element, set))).collect();
        let state_of = |sets| orbits.state_and_stabilizer(sets).0;
        let state = state_of(sets);
        assert!(state < orbits.states(), "{name}");
        assert!(
            images.iter().all(|&image| state_of(image) == state),
            "{name}: one number an orbit"
        );
        assert!(images.contains(&orbits.position(state)), "{name}: the position of {state}");
        let fixed = images.iter().filter(|&&image| image == sets).count();
        assert_eq!(orbits.stabilizer(state) as usize, fixed, "{name}: the stabilizer of {state}");
        assert_eq!(orbits.state_and_stabilizer(sets), (state, fixed as u32), "{name}");
        let least = *images.iter().min().expect("identity");
        assert_eq!(*numbers.entry(state).or_insert(least), least, "{name}: two orbits at {state}");
    }
    let mut next = 0;
    orbits.each(&mut |state, sets, stabilizer| {
        assert_eq!(state, next, "{name}");
        next += 1;
        assert_eq!(stabilizer > 0, numbers.contains_key(&state), "{name}: {state}");
        assert_eq!(stabilizer, orbits.stabilizer(state), "{name}: {state}");
        assert_eq!(sets, orbits.position(state), "{name}: {state}");
        assert_eq!(orbits.state_and_stabilizer(sets).0 == state, stabilizer > 0, "{name}");
    });
    assert_eq!(next, orbits.states(), "{name}");
}

fn judge_orbits<const SETS: usize>(name: &str, group: &Group, stones: [Stones; SETS]) {
    let orbits = Orbits::new(group.clone(), stones);
    judge(name, group, stones, &orbits);
    for state in 0..orbits.states() {
        assert_eq!(orbits.is_position(state), orbits.stabilizer(state) > 0, "{name}: {state}");
    }
}

#[test]
fn orbits_are_numbered_once_with_their_stabilizers() {
    use Stones::{Any, AtMost, Exactly};
    for (name, group, _) in groups() {
        judge_orbits(name, &group, [AtMost(1)]);
        judge_orbits(name, &group, [Any]);
        judge_orbits(name, &group, [Exactly(1)]);
        judge_orbits(name, &group, [Any, Any]);
        if group.squares() > 4 {
            judge_orbits(name, &group, [Exactly(3), Exactly(2)]);
            judge_orbits(name, &group, [Exactly(0), Exactly(2)]);
        }
        if (4..9).contains(&group.squares()) {
            judge_orbits(name, &group, [Exactly(1), Any, Exactly(2)]);
            judge_orbits(name, &group, [Any, Exactly(1), Any]);
            judge_orbits(name, &group, [Any, Any, Any]);
            judge_orbits(name, &group, [AtMost(2), Exactly(1), AtMost(1)]);
            judge_orbits(name, &group, [Exactly(1), AtMost(2), Any]);
        }
    }
}

/// First sets of any size were refused on more than 24 squares.
#[test]
fn orbits_take_first_sets_of_any_size_on_25_squares() {
    let orbits = Orbits::new(Group::square(5), [Stones::Any]);
    let positions = (0..orbits.states()).filter(|&state| orbits.is_position(state)).count();
    // Burnside: a turn has 7 cycles, half a turn 13, each of the four reflections 15.
    assert_eq!(positions as u64, ((1 << 25) + 2 * (1 << 7) + (1 << 13) + 4 * (1 << 15)) / 8);
    let orbits = Orbits::new(Group::square(6), [Stones::AtMost(3), Stones::Exactly(1)]);
    for state in (0..orbits.states()).filter(|&state| orbits.is_position(state)).step_by(101) {
        assert_eq!(orbits.state(orbits.position(state)), state);
    }
}

#[test]
fn patterns_are_numbered_once_with_their_stabilizers() {
    for (name, group, _) in groups() {
        let all = (0..group.squares()).fold(0, |set, square| set | 1 << square);
        let images = (0..group.order()).map(|element| group.square_of(element, 0));
        let corners = images.fold(0, |set, square| set | 1 << square);
        for first in [0, corners, all & !corners, all] {
            judge(name, &group, [Stones::Any; 2], &Patterns::new(group.clone(), first));
            if group.squares() < 8 {
                let three: Patterns<3> = Patterns::new(group.clone(), first);
                judge(name, &group, [Stones::Any; 3], &three);
            }
        }
    }
}

#[test]
fn of_first_sets_that_are_not_wanted_there_are_no_numbers() {
    let stones = [Stones::Exactly(3), Stones::Exactly(2)];
    let row = |set: u64| [0b111, 0b111_000, 0b111_000_000].contains(&set);
    let column = |set: u64| [0b1001001, 0b10010010, 0b100100100].contains(&set);
    let lined = |set| row(set) || column(set);
    let (all, some) = (
        Orbits::new(Group::square(3), stones),
        Orbits::among(Group::square(3), stones, |set| !lined(set)),
    );
    let positions = |orbits: &Orbits<2>| {
        let numbers = (0..orbits.states()).filter(|&state| orbits.is_position(state));
        numbers.map(|state| orbits.position(state)).collect::<Vec<_>>()
    };
    let wanted: Vec<_> = positions(&all).into_iter().filter(|sets| !lined(sets[0])).collect();
    assert_eq!(positions(&some), wanted);
    for sets in wanted {
        let placed = some.placed(sets[0]);
        let moved = squares(sets[1]).fold(0, |set, square| set | 1 << placed.square(square));
        assert_eq!(placed.image(sets[1]), moved);
        assert_eq!(placed.number([0, moved]), some.state_and_stabilizer(sets));
    }
}

/// All permutations of `count` squares that keep steps and marks, by trying each.
fn symmetries(neighbours: &[u64], marks: &[u64]) -> BTreeSet<Vec<u32>> {
    let count = neighbours.len();
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = all.iter().flat_map(|begun: &Vec<u32>| {
            let rest = (0..count as u32).filter(|at| !begun.contains(at));
            rest.map(|at| [&begun[..], &[at]].concat()).collect::<Vec<_>>()
        });
        all = longer.collect();
    }
    let image =
        |element: &[u32], set| squares(set).fold(0, |all, at| all | 1 << element[at as usize]);
    let keeps = |element: &Vec<u32>| {
        let steps =
            (0..count).all(|at| image(element, neighbours[at]) == neighbours[element[at] as usize]);
        steps && marks.iter().all(|&mark| image(element, mark) == mark)
    };
    all.into_iter().filter(keeps).collect()
}

#[test]
fn automorphisms_are_those_of_all_permutations_that_keep_steps_and_marks() {
    let mut random = 1u64;
    let mut below = |bound: u64| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % bound
    };
    let (mut few, mut many) = (0, 0);
    for round in 0..600 {
        let count = below(7);
        let all = (1u64 << count) - 1;
        let mut neighbours = vec![0u64; count as usize];
        for from in 0..count {
            for to in 0..count {
                // Few or many steps, in one direction or both, and rarely from a square to itself.
                if below(5) < round % 4 && (from != to || below(4) == 0) {
                    neighbours[from as usize] |= 1 << to;
                    neighbours[to as usize] |= if round % 3 == 0 { 1 << from } else { 0 };
                }
            }
        }
        let marks: Vec<u64> = (0..below(3)).map(|_| below(all + 1)).collect();
        let right = symmetries(&neighbours, &marks);
        match Group::automorphisms(&neighbours, &marks) {
            None => {
                assert!(right.len() > 128, "{neighbours:?}, {marks:?}");
                many += 1;
            }
            Some(group) => {
                let element = |element| -> Vec<u32> {
                    (0..count as u32).map(|at| group.square_of(element, at)).collect()
                };
                let found: BTreeSet<Vec<u32>> = (0..group.order()).map(element).collect();
                assert_eq!(
                    (found.len(), &found),
                    (group.order(), &right),
                    "{neighbours:?}, {marks:?}"
                );
                few += usize::from(right.len() > 1);
            }
        }
    }
    assert!(few > 100 && many > 3, "{few} {many}");
}

#[test]
fn boards_have_the_symmetries_that_everyone_knows() {
    let grid = |rows: u64, columns: u64, diagonal: bool| -> Vec<u64> {
        let near = |a: u64, b: u64| {
            let (rows, columns) =
                ((a / columns).abs_diff(b / columns), (a % columns).abs_diff(b % columns));
            if diagonal { rows.max(columns) == 1 } else { rows + columns == 1 }
        };
        let all = 0..rows * columns;
        let step = |a| all.clone().filter(|&b| near(a, b)).fold(0, |set, b| set | 1 << b);
        all.clone().map(step).collect()
    };
    let order =
        |neighbours: &[u64]| Group::automorphisms(neighbours, &[]).map(|group| group.order());
    for (rows, columns, expected) in [(8, 8, 8), (3, 4, 4), (1, 9, 2), (2, 3, 4)] {
        assert_eq!(order(&grid(rows, columns, false)), Some(expected), "{rows}x{columns}");
    }
    // The twenty-four points of nine men's morris: turned, mirrored, and inside out.
    let point = |ring: u64, at: u64| 1u64 << (8 * ring + at % 8);
    let morris: Vec<u64> = (0..24)
        .map(|number| {
            let (ring, at) = (number / 8, number % 8);
            let around = point(ring, at + 1) | point(ring, at + 7);
            let across = [ring.checked_sub(1), Some(ring + 1).filter(|ring| *ring < 3)];
            let across = across.into_iter().flatten().filter(|_| at % 2 == 1);
            across.fold(around, |set, ring| set | point(ring, at))
        })
        .collect();
    assert_eq!(order(&morris), Some(16));
    // A square board has the group of `Group::square`.
    let (found, square) = (Group::automorphisms(&grid(4, 4, true), &[]).unwrap(), Group::square(4));
    let elements = |group: &Group| -> BTreeSet<Vec<u32>> {
        let element = |at| (0..16).map(|square| group.square_of(at, square)).collect();
        (0..group.order()).map(element).collect()
    };
    assert_eq!(elements(&found), elements(&square));
}
