//! Tests every numbering exhaustively on small boards: each position has a number, and each number below the
//! count has a position.

use std::collections::{BTreeMap, BTreeSet};

use retrograde_boards::{
    Compress, Digits, Disjoint, Group, Orbits, Patterns, Stones, Subsets, Tiers, Turns, binomial,
    squares,
};

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

#[test]
fn what_is_pressed_is_spread_again() {
    let mut mask = 0x9e37_79b9_7f4a_7c15u64;
    for round in 0..2000u32 {
        mask = mask.rotate_left(7).wrapping_mul(0xd134_2543_de82_ef95) ^ u64::from(round);
        let mask = if round % 3 == 0 { mask & mask >> 7 } else { mask };
        let compress = Compress::new(mask);
        let set = mask.rotate_left(round % 64);
        let naive = (0..).zip(squares(mask)).filter(|(_, square)| set >> square & 1 != 0);
        let naive = naive.fold(0u64, |all, (place, _)| all | 1 << place);
        assert_eq!(compress.press(set), naive, "mask {mask:#x}, set {set:#x}");
        assert_eq!(compress.spread(naive), set & mask, "mask {mask:#x}, set {set:#x}");
    }
    assert_eq!(Compress::new(u64::MAX).press(0x1234), 0x1234);
    assert_eq!(Compress::new(0).press(u64::MAX), 0);
}

/// All ways to give each square to one of the sets or to none.
fn boards<const SETS: usize>(squares: u32) -> impl Iterator<Item = [u64; SETS]> {
    let boards = Digits::new(squares, SETS as u32 + 1);
    (0..boards.count()).map(move |board| {
        let mut sets = [0; SETS];
        for (square, digit) in boards.digits(board).enumerate().filter(|(_, digit)| *digit > 0) {
            sets[usize::from(digit) - 1] |= 1 << square;
        }
        sets
    })
}

#[test]
fn disjoint_sets_have_each_number_once() {
    use Stones::{Any, AtMost, Exactly};
    for stones in [
        [Exactly(0), Exactly(0), Exactly(0)],
        [Exactly(1), Exactly(2), Exactly(3)],
        [Exactly(3), Exactly(0), Exactly(2)],
        [Exactly(0), Exactly(6), Exactly(1)],
        [AtMost(2), AtMost(3), AtMost(1)],
        [AtMost(9), Exactly(2), AtMost(0)],
        [AtMost(2), Exactly(6), AtMost(2)],
        [Exactly(2), AtMost(2), Any],
        [Any, AtMost(1), Exactly(1)],
        [Any, Any, Any],
    ] {
        let disjoint = Disjoint::new(7, stones);
        let mut seen = BTreeSet::new();
        for sets in boards(7).filter(|sets| fits(sets, &stones)) {
            let rank = disjoint.rank(sets);
            assert_eq!(disjoint.unrank(rank), sets, "{stones:?}");
            assert!(seen.insert(rank), "{stones:?}: two have the number {rank}");
        }
        assert!(seen.into_iter().eq(0..disjoint.count()), "{stones:?}");
    }
    assert_eq!(Disjoint::new(24, [9, 9]).count(), 1_307_504 * 5005);
}

/// The rank of the first set is the highest digit, as it was before there were tables.
#[test]
fn disjoint_sets_of_given_sizes_are_digits_of_their_number() {
    for squares in [7, 16, 24, 25, 33, 64] {
        let (first, second) = (Subsets::new(squares, 3), Subsets::new(squares - 3, 2));
        let disjoint = Disjoint::new(squares, [3, 2]);
        assert_eq!(disjoint.count(), first.count() * second.count());
        for rank in (0..disjoint.count()).step_by(disjoint.count() as usize / 500 + 1) {
            let set = first.unrank(rank / second.count());
            let free = Compress::new(!set);
            let sets = [set, free.spread(second.unrank(rank % second.count()))];
            assert_eq!((disjoint.unrank(rank), disjoint.rank(sets)), (sets, rank), "{squares}");
        }
    }
}

/// Boards of more than 24 squares have no tables of ranks; boards of more than 32 have no lists of sets.
#[test]
fn sets_on_large_boards_come_back() {
    use Stones::{Any, AtMost, Exactly};
    for (squares, stones) in [
        (25, [AtMost(4), AtMost(4), Exactly(1)]),
        (32, [AtMost(8), Exactly(2), Any]),
        (40, [Exactly(2), Any, AtMost(1)]),
        (64, [AtMost(3), AtMost(4), AtMost(5)]),
    ] {
        let disjoint = Disjoint::new(squares, stones);
        let step = disjoint.count() / 3_001;
        for rank in (0..3_000).map(|at| at * step + at).chain([disjoint.count() - 1]) {
            let sets = disjoint.unrank(rank);
            assert!(fits(&sets, &stones), "{sets:?} are not {stones:?}");
            assert_eq!(
                sets.iter().map(|set| set.count_ones()).sum::<u32>(),
                (sets[0] | sets[1] | sets[2]).count_ones()
            );
            assert_eq!(disjoint.rank(sets), rank, "{stones:?} on {squares}");
        }
    }
}

#[test]
#[should_panic(expected = "do not fit on 7 squares")]
fn sets_that_find_no_room_are_refused() {
    Disjoint::new(7, [5, 3]);
}

/// The panic said "len is 0 but the index is 4294967295".
#[test]
#[should_panic(expected = "the tier with [1, 1] stones on the board is excluded")]
fn an_excluded_tier_is_named() {
    Tiers::among(4, [1, 1], |sizes| sizes != [1, 1]).rank([0b01, 0b10]);
}

#[test]
fn tiers_have_each_number_once_and_those_of_few_stones_first() {
    let never_both = |[up, down, _]: [u32; 3]| up + down <= 1;
    for (most, wanted) in [([1, 1, 2], false), ([2, 3, 9], false), ([1, 1, 2], true)] {
        let wanted = |sizes| !wanted || never_both(sizes);
        let tiers = Tiers::among(6, most, wanted);
        let mut seen = BTreeMap::new();
        for sets in boards(6) {
            let sizes = sets.map(u64::count_ones);
            if sizes.iter().zip(&most).all(|(size, most)| size <= most) && wanted(sizes) {
                let rank = tiers.rank(sets);
                assert_eq!(tiers.unrank(rank), sets);
                assert!(tiers.tier(sizes).is_some_and(|tier| tier.contains(&rank)), "{sizes:?}");
                assert!(seen.insert(rank, sizes.iter().sum::<u32>()).is_none(), "{rank} twice");
            }
        }
        assert!(seen.keys().copied().eq(0..tiers.count()));
        assert!(seen.values().is_sorted(), "fewer stones come first");
        let ranges = tiers.iter().map(|(_, numbers)| numbers);
        assert!(ranges.flatten().eq(0..tiers.count()));
    }
    // Tic-Tac-Chec: four pieces a side on sixteen squares or in hand.
    assert_eq!(Tiers::new(16, [1; 8]).count(), 1_174_226_049);
    assert_eq!(Tiers::halves(16, [1; 8], |_| true).count(), 1_174_226_049_u64.div_ceil(2));
}

#[test]
fn halves_number_the_positions_whose_first_stone_is_in_the_lower_half() {
    for wanted in [|_| true, |n: [u32; 3]| n[0] + n[1] < 2, |n: [u32; 3]| n == [0, 0, 1]] {
        let tiers = Tiers::halves(6, [1, 1, 1], wanted);
        let mut seen = BTreeSet::new();
        for sets in boards(6) {
            let sizes = sets.map(u64::count_ones);
            let lower = sets.iter().find(|&&set| set != 0).is_none_or(|&set| set < 1 << 3);
            if sizes.iter().all(|&size| size <= 1) && wanted(sizes) && lower {
                let rank = tiers.rank(sets);
                assert_eq!(tiers.unrank(rank), sets);
                assert!(seen.insert(rank), "{rank} twice");
            }
        }
        assert!(seen.into_iter().eq(0..tiers.count()));
    }
}

#[test]
fn digits_and_turns_come_back() {
    let digits = Digits::new(5, 3);
    for rank in 0..digits.count() {
        let board: Vec<u8> = digits.digits(rank).collect();
        assert_eq!(digits.rank(board.iter().copied()), rank);
        for square in 0..5 {
            assert_eq!(digits.digit(rank, square), board[square as usize]);
            let mut other = board.clone();
            other[square as usize] = 2;
            assert_eq!(digits.set(rank, square, 2), digits.rank(other));
        }
    }
    let turns = Turns::new(10, 3);
    let states: BTreeSet<u64> = (0..10)
        .flat_map(|position| (0..3).map(move |player| turns.join(position, player)))
        .collect();
    assert!(states.into_iter().eq(0..turns.count()));
    assert!((0..30).all(|state| {
        let (position, player) = turns.split(state);
        turns.join(position, player) == state
    }));
}

fn groups() -> Vec<(&'static str, Group, usize)> {
    vec![
        ("trivial", Group::trivial(7), 1),
        ("square 1", Group::square(1), 1),
        ("square 2", Group::square(2), 8),
        ("square 3", Group::square(3), 8),
        ("rectangle", Group::rectangle(2, 4), 4),
        ("hexagon 2", Group::hexagon(2), 12),
        ("cycle", Group::generated(9, &[vec![1, 2, 3, 4, 5, 6, 7, 0, 8]]), 8),
    ]
}

#[test]
fn groups_are_groups() {
    let large = [("square 8", Group::square(8), 8), ("hexagon 5", Group::hexagon(5), 12)];
    for (name, group, order) in groups().into_iter().chain(large) {
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

/// A corner of the hexagon has two neighbours on the rim, and its images are the six corners.
#[test]
fn the_hexagon_takes_corners_to_corners() {
    let hexagon = Group::hexagon(3);
    assert_eq!(hexagon.squares(), 19);
    let images: BTreeSet<u32> = (0..12).map(|element| hexagon.square_of(element, 0)).collect();
    assert!(images.into_iter().eq([0, 2, 7, 11, 16, 18]));
    assert!((0..12).all(|element| hexagon.square_of(element, 9) == 9));
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
