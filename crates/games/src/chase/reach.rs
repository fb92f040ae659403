//! Where a whole crowd can be a move later, when each of its members takes a step or stays.
//!
//! Several choices of steps can end in the same crowd, and the game must see it once. So the crowds are
//! not made from the choices: they are built place by place, from the highest down, and with each crowd
//! begun goes the family of all sets of police that could have come to the places chosen so far. A
//! family is a word with a bit for each set, which is enough for six police; a place is out of the
//! question when it leaves the family empty, and every crowd is reached on one path only.

use super::adjacency::Adjacency;
use super::crowd::Crowds;

/// With more police than these, a family does not fit a word.
const FAMILY_MAX: usize = 6;

/// Reaches of this many places need no allocation: two or three police on a grid, more on thin graphs.
const SPOTS: usize = 32;

/// Visits each crowd that `crowd` can become in one move, itself among them, once.
pub(crate) fn reach(steps: &Adjacency, crowds: &Crowds, crowd: u64, mut visit: impl FnMut(u64)) {
    match crowds.size() as usize {
        1 => steps.around(crowd as u32).iter().for_each(|&place| visit(u64::from(place))),
        2 => {
            let rows = Rows::new(steps, crowds, crowd);
            pairs(crowds, rows.rows[0], rows.rows[1], visit);
        }
        size @ 3..=FAMILY_MAX => {
            let mut near = [Spot::default(); SPOTS];
            let mut many = Vec::new();
            let rows = Rows::new(steps, crowds, crowd);
            let spots = rows.merge(&mut near, &mut many);
            build(crowds, size as u32, spots, 1, 0, &rows, &mut visit);
        }
        _ => by_stages(steps, crowds, crowd, visit),
    }
}

/// How many crowds `reach` visits. At most the degree that a chase allows, so it fits.
pub(crate) fn reach_count(steps: &Adjacency, crowds: &Crowds, crowd: u64) -> u32 {
    match crowds.size() as usize {
        1 => steps.around(crowd as u32).len() as u32,
        2 => {
            // All pairs of places, less one of the two ways to take a pair that both can take.
            let rows = Rows::new(steps, crowds, crowd);
            let (a, b) = (rows.rows[0], rows.rows[1]);
            let both = common(a, b);
            (a.len() as u64 * b.len() as u64 - both * both.saturating_sub(1) / 2) as u32
        }
        size @ 3..=FAMILY_MAX => {
            let mut near = [Spot::default(); SPOTS];
            let mut many = Vec::new();
            let mut kinds = [0; 1 << FAMILY_MAX];
            for spot in Rows::new(steps, crowds, crowd).merge(&mut near, &mut many) {
                kinds[spot.police as usize] += 1;
            }
            count_kinds(&kinds[..1 << size], size as u64, 1) as u32
        }
        _ => {
            let mut count = 0;
            by_stages(steps, crowds, crowd, |_| count += 1);
            count
        }
    }
}

/// How many places two ascending rows share.
fn common(a: &[u32], b: &[u32]) -> u64 {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        count += u64::from(a[i] == b[j]);
        let (x, y) = (a[i], b[j]);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    count
}

/// Visits the crowds of one place from `a` and one from `b`. A pair that can be taken both ways round is
/// taken with the higher place from `b`.
fn pairs(crowds: &Crowds, a: &[u32], b: &[u32], mut visit: impl FnMut(u64)) {
    let mut rest = b;
    for &x in a {
        while rest.first().is_some_and(|&y| y < x) {
            rest = &rest[1..];
        }
        let in_both = rest.first() == Some(&x);
        for &y in b {
            if !in_both || y >= x || a.binary_search(&y).is_err() {
                visit(crowds.term(2, x.max(y)) + u64::from(x.min(y)));
            }
        }
    }
}

/// A place that some of the police can step to.
#[derive(Clone, Copy, Default)]
struct Spot {
    place: u32,
    /// Which of them, a bit each.
    police: u32,
}

/// Where each policeman can step.
struct Rows<'a> {
    rows: [&'a [u32]; FAMILY_MAX],
    size: usize,
}

impl<'a> Rows<'a> {
    fn new(steps: &'a Adjacency, crowds: &Crowds, crowd: u64) -> Rows<'a> {
        let mut rows = Rows { rows: [&[]; FAMILY_MAX], size: 0 };
        crowds.members(crowd, |place| {
            rows.rows[rows.size] = steps.around(place);
            rows.size += 1;
        });
        rows
    }

    /// All their places in ascending order, each once. They lie in `near`, or else in `many`.
    fn merge<'b>(&self, near: &'b mut [Spot; SPOTS], many: &'b mut Vec<Spot>) -> &'b [Spot] {
        let mut rows = self.rows;
        let rows = &mut rows[..self.size];
        let places = rows.iter().map(|row| row.len()).sum();
        let spots = if places <= SPOTS {
            &mut near[..]
        } else {
            many.resize(places, Spot::default());
            &mut many[..]
        };
        let mut count = 0;
        while let Some(&place) = rows.iter().filter_map(|row| row.first()).min() {
            let mut police = 0;
            for (i, row) in rows.iter_mut().enumerate() {
                if row.first() == Some(&place) {
                    police |= 1 << i;
                    *row = &row[1..];
                }
            }
            spots[count] = Spot { place, police };
            count += 1;
        }
        &spots[..count]
    }

    /// Of a family of all sets one member short, who may be missing.
    fn missing(&self, family: u64) -> u32 {
        let all = (1 << self.size) - 1;
        (0..self.size).filter(|i| family >> (all ^ (1 << i)) & 1 == 1).map(|i| 1 << i).sum()
    }
}

/// For each policeman, the sets he is in: set `s` is bit `s` of a family.
const WITH: [u64; FAMILY_MAX] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// The sets of `family`, each with one more of `police`.
fn extend(family: u64, mut police: u32) -> u64 {
    let mut sets = 0;
    while police != 0 {
        let i = police.trailing_zeros();
        sets |= (family & !WITH[i as usize]) << (1 << i);
        police &= police - 1;
    }
    sets
}

/// Chooses the `left` lowest places of a crowd among `spots`; `number` is what the others add up to.
/// Calls itself once for each policeman, so six deep at most.
fn build(
    crowds: &Crowds,
    left: u32,
    spots: &[Spot],
    family: u64,
    number: u64,
    rows: &Rows,
    visit: &mut impl FnMut(u64),
) {
    if left == 1 {
        let missing = rows.missing(family);
        if missing.is_power_of_two() {
            // One policeman is left, mostly: his own places are fewer than all.
            let highest = spots.last().map_or(0, |spot| spot.place);
            let row = rows.rows[missing.trailing_zeros() as usize].iter();
            row.take_while(|&&place| place <= highest)
                .for_each(|&place| visit(number + u64::from(place)));
        } else {
            let spots = spots.iter().filter(|spot| spot.police & missing != 0);
            spots.for_each(|spot| visit(number + u64::from(spot.place)));
        }
        return;
    }
    for (i, spot) in spots.iter().enumerate() {
        let family = extend(family, spot.police);
        if family != 0 {
            let number = number + crowds.term(left, spot.place);
            build(crowds, left - 1, &spots[..=i], family, number, rows, visit);
        }
    }
}

/// In how many ways `left` places complete the crowds of `family`. The places that the same police can
/// come to are alike, so only their numbers count: `kinds` has them by the set of these police.
fn count_kinds(kinds: &[u64], left: u64, family: u64) -> u64 {
    let Some(kind) = kinds.iter().rposition(|&places| places > 0).filter(|_| left > 0) else {
        return u64::from(left == 0);
    };
    let (mut count, mut ways, mut family) = (0, 1, family);
    for chosen in 0..=left {
        if family == 0 {
            break;
        }
        count += ways * count_kinds(&kinds[..kind], left - chosen, family);
        // So many more ways to choose one place more, the same place several times if one likes.
        ways = ways * (kinds[kind] + chosen) / (chosen + 1);
        family = extend(family, kind as u32);
    }
    count
}

/// The same for any number of police: the crowds of the first one, of the first two, and so on, sorted
/// at each stage to drop what comes twice. Only tiny graphs can afford so many police.
fn by_stages(steps: &Adjacency, crowds: &Crowds, crowd: u64, mut visit: impl FnMut(u64)) {
    let mut stage: Vec<Vec<u32>> = vec![Vec::new()];
    crowds.members(crowd, |from| {
        let mut next = Vec::new();
        for begun in &stage {
            for &place in steps.around(from) {
                let mut places = begun.clone();
                places.insert(begun.partition_point(|&other| other < place), place);
                next.push(places);
            }
        }
        next.sort_unstable();
        next.dedup();
        stage = next;
    });
    stage.iter().for_each(|places| visit(crowds.number(places)));
}

#[cfg(test)]
mod tests {
    use super::super::adjacency::Adjacency;
    use super::super::crowd::Crowds;
    use super::{by_stages, reach, reach_count};
    use retrograde_testkit::{Rng, seed};

    #[test]
    fn families_and_stages_reach_the_same_crowds() {
        let seed = seed();
        let mut rng = Rng::new(seed);
        for round in 0..300 {
            let places = rng.within(1..9) as u32;
            let edges: Vec<_> = (0..rng.below(3 * u64::from(places)))
                .map(|_| (rng.below(places.into()) as u32, rng.below(places.into()) as u32))
                .collect();
            let steps = Adjacency::from_edges(places, &edges);
            let crowds = Crowds::new(places, rng.within(1..7) as u32);
            let crowd = rng.below(crowds.count());
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            reach(&steps, &crowds, crowd, |to| fast.push(to));
            by_stages(&steps, &crowds, crowd, |to| slow.push(to));
            fast.sort_unstable();
            slow.sort_unstable();
            assert_eq!(fast, slow, "round {round} of seed {seed}");
            assert_eq!(
                reach_count(&steps, &crowds, crowd) as usize,
                fast.len(),
                "round {round} of seed {seed}"
            );
        }
    }
}
