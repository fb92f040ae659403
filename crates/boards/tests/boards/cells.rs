//! `Cells` against lists of all positions of small boards.

use std::collections::{BTreeMap, BTreeSet};

use retrograde_boards::{Cells, Group, Kind, Position, squares};

/// How many kinds a position of these tests may have.
const KINDS: usize = 5;
type Sets = [u64; KINDS];

/// All positions of the wanted cells: every way to put men on the board, with every value of the counters.
fn positions(board: u32, kinds: &[Men], wanted: &dyn Fn(&[u32]) -> bool) -> BTreeSet<Sets> {
    let mut all = vec![[0; KINDS]];
    for (at, kind) in kinds.iter().enumerate() {
        let choices: Vec<u64> = match kind.squares {
            0 => (0..=u64::from(kind.most)).collect(),
            zone => (0..1 << board)
                .filter(|set: &u64| set & !zone == 0 && set.count_ones() <= kind.most)
                .collect(),
        };
        let extend = |sets: Sets| {
            let taken =
                (0..at).filter(|&at| kinds[at].squares != 0).fold(0, |all, at| all | sets[at]);
            let fits = move |set: &u64| kind.squares == 0 || set & taken == 0;
            choices.clone().into_iter().filter(fits).map(move |set| {
                let mut sets = sets;
                sets[at] = set;
                sets
            })
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    let counts = |sets: &Sets| -> Vec<u32> {
        let count = |(kind, &set): (&Men, &u64)| match kind.squares {
            0 => set as u32,
            _ => set.count_ones(),
        };
        kinds.iter().zip(sets).map(count).collect()
    };
    all.into_iter().filter(|sets| wanted(&counts(sets))).collect()
}

/// The arguments of a [`Kind`].
#[derive(Clone, Copy, Debug)]
struct Men {
    squares: u64,
    most: u32,
}

fn on(squares: u64, most: u32) -> Men {
    Men { squares, most }
}

fn counter(most: u32) -> Men {
    Men { squares: 0, most }
}

fn cells_of(group: &Group, men: &[Men], wanted: &dyn Fn(&[u32]) -> bool) -> Cells {
    let kind = |men: &Men| match men.squares {
        0 => Kind::counter(men.most),
        squares => Kind::on(squares, men.most),
    };
    let kinds: Vec<Kind> = men.iter().map(kind).collect();
    Cells::new(group.clone(), &kinds, wanted)
}

/// Compares a numbering with the list of all positions, and returns how many gaps it has.
fn judge(group: &Group, men: &[Men], wanted: &dyn Fn(&[u32]) -> bool) -> u64 {
    let cells = cells_of(group, men, wanted);
    let mut numbers: BTreeMap<u64, Sets> = BTreeMap::new();
    for sets in positions(group.squares(), men, wanted) {
        let image = |element| {
            let mut image = sets;
            let on_board = image.iter_mut().zip(men).filter(|(_, men)| men.squares != 0);
            on_board.for_each(|(set, _)| *set = group.image(element, *set));
            image
        };
        let images: Vec<Sets> = (0..group.order()).map(image).collect();
        let fixed = images.iter().filter(|&&image| image == sets).count() as u32;
        let position = cells.with_sets(sets);
        let (number, stabilizer) = cells.number(&position);
        assert!(number < cells.states(), "{men:?} {sets:?}");
        assert_eq!((stabilizer, cells.stabilizer(&position)), (fixed, fixed), "{men:?} {sets:?}");
        for &image in &images {
            assert_eq!(cells.number(&cells.with_sets(image)), (number, fixed), "{men:?} {image:?}");
        }
        let oriented = cells.oriented(position);
        assert!(images.contains(oriented.sets()), "{men:?} {sets:?}");
        let own: Position<KINDS> = cells.position(number).expect("a position has this number");
        assert!(images.contains(own.sets()), "{men:?}: {number} is {own:?}");
        assert_eq!(own, cells.with_sets(*own.sets()));
        let least = images.into_iter().min().expect("identity");
        assert_eq!(
            *numbers.entry(number).or_insert(least),
            least,
            "{men:?}: two orbits at {number}"
        );
    }
    for cut in [0, cells.states() / 3, cells.states()] {
        let mut next = 0;
        let mut visit = |number: u64, found: Option<(&Position<KINDS>, u32)>| {
            let alone = cells.position(number);
            let alone = alone.map(|position| (position, cells.stabilizer(&position)));
            assert_eq!(number, next, "{men:?}");
            assert_eq!(found.map(|(position, by)| (*position, by)), alone, "{men:?}: {number}");
            assert_eq!(found.is_some(), numbers.contains_key(&number), "{men:?}: {number}");
            next += 1;
        };
        cells.each(0..cut, &mut visit);
        cells.each(cut..cells.states(), &mut visit);
        assert_eq!(next, cells.states());
    }
    cells.states() - numbers.len() as u64
}

#[test]
fn without_symmetries_each_position_has_a_number_and_there_are_no_gaps() {
    for board in [1, 4, 6] {
        let (all, group) = ((1 << board) - 1, Group::trivial(board));
        let any = |_: &[u32]| true;
        assert_eq!(judge(&group, &[], &any), 0);
        assert_eq!(judge(&group, &[counter(3), counter(2)], &any), 0);
        assert_eq!(judge(&group, &[on(all, 9)], &any), 0);
        assert_eq!(judge(&group, &[on(all, 1), on(all, 2), counter(1), on(all, 3)], &any), 0);
        assert_eq!(judge(&group, &[on(all, 1), on(all, 1), on(all, 1), on(all, 1)], &any), 0);
        let exactly = |counts: &[u32]| counts == [1, 2, 3];
        assert_eq!(judge(&group, &[on(all, 2), on(all, 2), on(all, 4)], &exactly), 0);
        let some = |counts: &[u32]| counts[0] + counts[1] == 1 && counts[2] + counts[3] == 2;
        assert_eq!(judge(&group, &[on(all, 1), on(all, 1), on(all, 2), counter(2)], &some), 0);
    }
}

#[test]
fn zones_leave_no_gaps_if_each_contains_or_avoids_the_others() {
    let group = Group::trivial(6);
    let any = |_: &[u32]| true;
    assert_eq!(judge(&group, &[on(0x3f, 2), on(0b11, 2), on(0b1111, 2)], &any), 0);
    assert_eq!(judge(&group, &[on(0b11, 1), on(0b11_0000, 2), on(0x3f, 1)], &any), 0);
    assert_eq!(judge(&group, &[on(0b1, 1), on(0b11, 1), on(0b11, 1)], &any), 0);
    // The first four and the last four squares overlap.
    let both = |counts: &[u32]| counts == [1, 1];
    assert_eq!(judge(&group, &[on(0b1111, 1), on(0b11_1100, 1)], &both), 4 * 5 - (4 * 4 - 2));
    judge(&group, &[on(0b1111, 2), on(0b11_1100, 2), on(0b1_1110, 1)], &any);
}

#[test]
fn images_share_a_number_with_their_stabilizer() {
    let cycle = Group::generated(9, &[vec![1, 2, 3, 4, 5, 6, 7, 0, 8]]);
    let mirror = Group::generated(6, &[vec![2, 1, 0, 5, 4, 3]]);
    let halves = Group::generated(6, &[vec![5, 4, 3, 2, 1, 0]]);
    let any = |_: &[u32]| true;
    for group in [Group::square(2), Group::square(3), cycle, mirror.clone(), halves.clone()] {
        let all = (1 << group.squares()) - 1;
        judge(&group, &[], &any);
        judge(&group, &[on(all, 3)], &any);
        judge(&group, &[on(all, 1), on(all, 1), counter(1)], &any);
        judge(&group, &[on(all, 2), counter(1), on(all, 2)], &any);
        judge(&group, &[on(all, 1), on(all, 1), on(all, 1), on(all, 2)], &|counts| counts[3] != 1);
        // Men who are each alone of their kind.
        judge(&group, &[on(all, 1), on(all, 1), on(all, 1), on(all, 1)], &|counts| counts[2] == 1);
    }
    // No man stands on the axis, so the first man decides between the two images.
    assert_eq!(judge(&halves, &[on(0x3f, 1), on(0x3f, 1)], &|counts| counts[0] == 1), 0);
    // A head of all men has no gaps.
    assert_eq!(judge(&mirror, &[on(0x3f, 1), on(0x3f, 1)], &any), 0);
    judge(&mirror, &[on(0b11_1000, 1), on(0x3f, 1), on(0x3f, 2), counter(2)], &any);
    judge(&mirror, &[on(0b11_1010, 1), on(0b1_0111, 2), on(0b10_010, 1)], &any);
}

#[test]
fn cells_with_fewer_men_come_first() {
    let cells = cells_of(&Group::square(3), &[on(0x1ff, 2), counter(1), on(0x1ff, 1)], &|_| true);
    let men = |number| {
        let position: Option<Position<3>> = cells.position(number);
        position.map(|position| (position.sets()[0] | position.sets()[2]).count_ones())
    };
    let all: Vec<u32> = (0..cells.states()).filter_map(men).collect();
    assert!(all.is_sorted() && all.len() > 100);
}

#[test]
fn men_come_and_go() {
    let cells = cells_of(&Group::square(3), &[on(0x1ff, 2), on(0x1ff, 1), counter(2)], &|_| true);
    let position = cells.with_sets([0b11, 0b100, 1]);
    assert_eq!(position.moved(0, 0b1001), cells.with_sets([0b1010, 0b100, 1]));
    assert_eq!(cells.without(position, 1, 0b100), cells.with_sets([0b11, 0, 1]));
    let taken = cells.with(cells.without(position, 0, 0b10), 2, 1);
    assert_eq!(taken, cells.with_sets([0b1, 0b100, 2]));
    assert_eq!(cells.with(cells.without(taken, 2, 1), 0, 0b10), position);
}

#[test]
fn large_boards_come_back() {
    for (side, kinds) in [
        (5, [Kind::on(0x1ff_ffff, 4), Kind::on(0x1ff_ffff, 4), Kind::on(0x1ff_ffff, 1)]),
        (6, [Kind::on(0xf_ffff_ffff, 2), Kind::on(0xf_ffff_ffff, 3), Kind::counter(3)]),
        (8, [Kind::on(u64::MAX, 1), Kind::on(u64::MAX, 3), Kind::on(u64::MAX, 5)]),
    ] {
        for group in [Group::square(side), Group::trivial(side * side)] {
            let cells = Cells::new(group, &kinds, |_| true);
            let step = cells.states() / 2_003 + 1;
            let mut found = 0;
            for number in (0..cells.states()).step_by(step as usize).chain([cells.states() - 1]) {
                let Some(position) = cells.position::<3>(number) else { continue };
                assert_eq!(cells.number(&position).0, number, "{side}");
                assert_eq!(cells.with_sets(*position.sets()), position);
                let men = position
                    .sets()
                    .iter()
                    .zip(&kinds)
                    .filter(|(_, kind)| **kind != Kind::counter(3));
                let (all, sum) =
                    men.fold((0, 0), |(all, sum), (set, _)| (all | set, sum + set.count_ones()));
                assert_eq!(squares(all).count() as u32, sum, "{side}: the sets are disjoint");
                found += 1;
            }
            assert!(found > 1_500, "{side}: {found}");
        }
    }
}

/// Tic-Tac-Chec has four pieces a side on sixteen squares or in hand.
#[test]
fn the_positions_of_tic_tac_chec_are_as_many_as_published() {
    let kinds = [Kind::on(0xffff, 1); 8];
    assert_eq!(Cells::new(Group::trivial(16), &kinds, |_| true).states(), 1_174_226_049);
    let columns = (0..16).map(|square| square / 4 * 4 + 3 - square % 4).collect();
    let mirrored = Cells::new(Group::generated(16, &[columns]), &kinds, |_| true);
    assert_eq!(mirrored.states(), 1_174_226_049_u64.div_ceil(2));
}

/// A table of numbers took the first tier for an excluded one, so two positions had the same number.
#[test]
#[should_panic(expected = "has no number")]
fn excluded_cells_are_refused() {
    let cells = cells_of(&Group::trivial(4), &[on(0xf, 1), on(0xf, 1)], &|counts| counts[0] == 1);
    cells.number(&cells.with_sets([0, 0b1]));
}

#[test]
#[should_panic(expected = "has no number")]
fn a_third_man_of_two_is_refused() {
    let cells = cells_of(&Group::trivial(4), &[on(0xf, 1), on(0xf, 2)], &|_| true);
    let two = cells.with_sets([0, 0b11]);
    cells.number(&cells.with(two, 1, 0b100));
}

#[test]
#[should_panic(expected = "has no number")]
fn two_men_on_one_square_are_refused() {
    let cells = cells_of(&Group::trivial(4), &[on(0xf, 1), on(0xf, 2)], &|_| true);
    cells.number(&cells.with_sets([0b1, 0b11]));
}

#[test]
#[should_panic(expected = "has no number")]
fn two_lone_men_on_one_square_are_refused() {
    let cells = cells_of(&Group::square(2), &[on(0xf, 1), on(0xf, 1)], &|_| true);
    cells.number(&cells.with_sets([0b10, 0b10]));
}

#[test]
#[should_panic(expected = "2 men of a kind that has 1")]
fn too_many_men_are_refused() {
    let cells = cells_of(&Group::trivial(4), &[on(0xf, 1)], &|_| true);
    cells.with_sets([0b11]);
}

#[test]
#[should_panic(expected = "to other squares")]
fn zones_that_a_symmetry_moves_are_refused() {
    Cells::new(Group::square(2), &[Kind::on(0b11, 1)], |_| true);
}

#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "other numbers of men"))]
fn sets_of_other_counts_make_no_position_of_the_same_cell() {
    let cells = Cells::new(Group::trivial(4), &[Kind::on(0xf, 2)], |_| true);
    let _ = cells.with_sets([0b11]).with_same_counts([0b111]);
}
