//! The crowds that a crowd can become in one move, if each policeman takes a step or stays.
//!
//! Several choices of steps can lead to the same crowd, and the game must visit it once. The way to ensure
//! this depends on the number of police. One policeman needs nothing, and two need a comparison. Three to six
//! use [`Families`]. More than six use [`Hosts`], unless they stand on very many places.

use std::ops::ControlFlow;

use super::adjacency::Adjacency;
use super::crowd::Crowds;
use super::families::{FAMILY_MAX, Families};
use super::hosts::Hosts;

/// Visits each crowd that `crowd` can become in one move, including itself, once, until `visit` breaks.
pub(crate) fn reach(
    steps: &Adjacency,
    crowds: &Crowds,
    crowd: u64,
    mut visit: impl FnMut(u64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    match crowds.size() {
        1 => steps.around(crowd as u32).iter().try_for_each(|&place| visit(u64::from(place))),
        2 => {
            let [a, b] = both(steps, crowds, crowd);
            pairs(crowds, a, b, visit)
        }
        3..=FAMILY_MAX => Families::new(steps, crowds, crowd).visit(visit),
        _ => many(steps, crowds, crowd, &mut visit),
    }
}

/// How many crowds `reach` visits. At most the degree that a chase allows, so it fits.
pub(crate) fn reach_count(steps: &Adjacency, crowds: &Crowds, crowd: u64) -> u32 {
    match crowds.size() {
        1 => steps.around(crowd as u32).len() as u32,
        2 => {
            // All pairs of places, minus one for each pair with two ways to it.
            let [a, b] = both(steps, crowds, crowd);
            let shared = shared(a, b);
            (a.len() as u64 * b.len() as u64 - shared * shared.saturating_sub(1) / 2) as u32
        }
        3..=FAMILY_MAX => Families::new(steps, crowds, crowd).count() as u32,
        _ => {
            let mut count = 0;
            let _ = many(steps, crowds, crowd, &mut |_| {
                count += 1;
                ControlFlow::Continue(())
            });
            count
        }
    }
}

/// Where each of two police can step, the one in the higher place first.
fn both<'a>(steps: &'a Adjacency, crowds: &Crowds, crowd: u64) -> [&'a [u32]; 2] {
    let mut rows = [&[][..]; 2];
    let mut next = 0;
    crowds.members(crowd, |place| {
        rows[next] = steps.around(place);
        next += 1;
    });
    rows
}

/// How many places two ascending rows share.
fn shared(a: &[u32], b: &[u32]) -> u64 {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        count += u64::from(a[i] == b[j]);
        let (x, y) = (a[i], b[j]);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    count
}

/// Visits the crowds of one place from `a` and one from `b`. If there are two ways to a pair, only the way
/// with the higher place from `b` counts.
fn pairs(
    crowds: &Crowds,
    a: &[u32],
    b: &[u32],
    mut visit: impl FnMut(u64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut rest = b;
    for &x in a {
        while rest.first().is_some_and(|&y| y < x) {
            rest = &rest[1..];
        }
        let in_both = rest.first() == Some(&x);
        for &y in b {
            if !in_both || y >= x || a.binary_search(&y).is_err() {
                visit(crowds.term(2, x.max(y)) + u64::from(x.min(y)))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// What code for many police calls for each crowd.
type Visit<'f> = dyn FnMut(u64) -> ControlFlow<()> + 'f;

/// The same for many police. Only tiny graphs have so many, so speed matters less, and this function compiles
/// once for all callers.
fn many(steps: &Adjacency, crowds: &Crowds, crowd: u64, visit: &mut Visit<'_>) -> ControlFlow<()> {
    match Hosts::new(steps, crowds, crowd) {
        Some(hosts) => hosts.visit(visit),
        None => by_stages(steps, crowds, crowd, visit),
    }
}

/// The same for any number of police: the crowds of the first one, of the first two, and so on. It sorts each
/// stage to drop duplicates.
fn by_stages(
    steps: &Adjacency,
    crowds: &Crowds,
    crowd: u64,
    visit: &mut Visit<'_>,
) -> ControlFlow<()> {
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
    stage.iter().try_for_each(|places| visit(crowds.number(places)))
}

#[cfg(test)]
mod tests {
    use super::super::adjacency::Adjacency;
    use super::super::crowd::Crowds;
    use super::{ControlFlow, by_stages, reach, reach_count};
    use retrograde_testkit::{Rng, seed};

    #[test]
    fn families_hosts_and_stages_reach_the_same_crowds() {
        let seed = seed();
        let mut rng = Rng::new(seed);
        for round in 0..300 {
            let police = rng.within(1..12) as u32;
            let places = rng.within(1..if police < 7 { 9 } else { 6 }) as u32;
            let edges: Vec<_> = (0..rng.below(3 * u64::from(places)))
                .map(|_| (rng.below(places.into()) as u32, rng.below(places.into()) as u32))
                .collect();
            let steps = Adjacency::from_edges(places, &edges);
            let crowds = Crowds::new(places, police);
            let crowd = rng.below(crowds.count());
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            let add = |list: &mut Vec<u64>, to| {
                list.push(to);
                ControlFlow::Continue(())
            };
            let _ = reach(&steps, &crowds, crowd, |to| add(&mut fast, to));
            let _ = by_stages(&steps, &crowds, crowd, &mut |to| add(&mut slow, to));
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
