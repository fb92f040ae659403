//! Moves as tables: where a man of one class goes from each point, if other men stand here or there.
//!
//! Only men that stand still decide these moves, and they are the same before and after. So the table of backward moves is the
//! transposed relation.

use std::ops::ControlFlow;

use crate::board::{Set, bit};

/// A move: from, to, the points that must be free, and those that must not. If it takes, its end is neither.
pub(crate) type Way = (u8, u8, Set, Set);

/// The moves of a class.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    points: Vec<Start>,
    lookups: Vec<Lookup>,
    sets: Vec<Set>,
    /// The moves from each point.
    ways: Vec<Vec<Way>>,
}

/// The moves from one point: those that need only a free end, and the lookups of the others.
#[derive(Clone, Copy, Debug)]
struct Start {
    simple: Set,
    first: u32,
    end: u32,
}

/// A table of the ends, by the men on a few points. A multiplication maps all sets of men to different indices, unless the ends are
/// equal.
#[derive(Clone, Copy, Debug)]
struct Lookup {
    mask: Set,
    factor: u64,
    shift: u32,
    offset: u32,
}

/// The most points of a lookup. More points take fewer lookups, but more memory and time to find the factor.
const MASK_MAX: u32 = 9;
/// The most moves of a class that are not simple. A table of more would take too long to make.
const MOVES_MAX: usize = 2048;
/// How many factors are tried before the table of a lookup doubles.
const TRIES: u32 = 300;

impl Reach {
    /// Whether these moves can have a table.
    pub(crate) fn fits(moves: &[Way], takes: bool) -> bool {
        moves.len() - moves.iter().filter(|quiet| is_simple(quiet, takes)).count() <= MOVES_MAX
            && moves
                .iter()
                .all(|(_, _, free, full)| (free | full).count_ones() + u32::from(takes) <= MASK_MAX)
    }

    /// Where each move begins and ends, for the table of backward moves. The point where it begins must be free.
    pub(crate) fn backwards(moves: &[Way]) -> Vec<Way> {
        let back = |&(from, to, free, full): &Way| (to, from, free & !bit(to) | bit(from), full);
        moves.iter().map(back).collect()
    }

    /// The same for a table from the points where moves take to the points where such men stand.
    pub(crate) fn attacks(moves: &[Way]) -> Vec<Way> {
        moves.iter().map(|&(from, to, free, full)| (to, from, free, full)).collect()
    }

    /// `onto`: the points at the end may have men.
    pub(crate) fn new(points: u8, moves: &[Way], onto: bool) -> Reach {
        let mut reach = Reach::default();
        for at in 0..points {
            let first = reach.lookups.len() as u32;
            let here: Vec<Way> = moves.iter().filter(|(from, ..)| *from == at).copied().collect();
            let (simple, other): (Vec<Way>, Vec<Way>) =
                here.iter().copied().partition(|quiet| is_simple(quiet, onto));
            reach.ways.push(here);
            let simple = simple.iter().fold(0, |set, (_, to, ..)| set | bit(*to));
            let (mut cluster, mut mask) = (Vec::new(), 0);
            for quiet in other {
                let more = mask | quiet.2 | quiet.3;
                if more.count_ones() > MASK_MAX {
                    reach.add(mask, &std::mem::take(&mut cluster));
                    mask = 0;
                }
                mask |= quiet.2 | quiet.3;
                cluster.push(quiet);
            }
            if !cluster.is_empty() {
                reach.add(mask, &cluster);
            }
            reach.points.push(Start { simple, first, end: reach.lookups.len() as u32 });
        }
        reach
    }

    /// Adds a lookup for some moves from one point.
    fn add(&mut self, mask: Set, cluster: &[Way]) {
        let ends = |men: Set| {
            let fits =
                cluster.iter().filter(|(_, _, free, full)| free & men == 0 && full & !men == 0);
            fits.fold(0, |set, (_, to, ..)| set | bit(*to))
        };
        // All sets of men on the mask, in turn.
        let mut all = vec![(0, ends(0))];
        let mut men: Set = 0;
        loop {
            men = men.wrapping_sub(mask) & mask;
            if men == 0 {
                break;
            }
            all.push((men, ends(men)));
        }
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = move || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        let offset = self.sets.len() as u32;
        // Each entry has the try that has written it, so no try has to empty the table.
        let mut table: Vec<(u32, Set)> = Vec::new();
        for tries in 1_u32.. {
            // After many tries, a larger table finds a factor sooner.
            let bits = mask.count_ones() + tries / TRIES;
            let (factor, shift) = (next() & next() & next(), 64 - bits);
            table.resize(1 << bits, (0, 0));
            let fits = all.iter().all(|&(men, ends)| {
                let entry = &mut table[(men.wrapping_mul(factor) >> shift) as usize];
                if entry.0 != tries {
                    *entry = (tries, ends);
                }
                entry.1 == ends
            });
            if fits {
                let written = |(by, ends)| if by == tries { ends } else { 0 };
                self.sets.extend(table.into_iter().map(written));
                self.lookups.push(Lookup { mask, factor, shift, offset });
                return;
            }
        }
    }

    /// The points that a man on a point reaches, whatever men stand elsewhere.
    pub(crate) fn simple(&self, point: u8) -> Set {
        self.points[usize::from(point)].simple
    }

    /// Whether it depends on men that stand elsewhere.
    pub(crate) fn has_lookups(&self) -> bool {
        !self.lookups.is_empty()
    }

    /// The points whose men decide where a man on a point goes.
    #[inline(always)]
    pub(crate) fn lines(&self, point: u32) -> Set {
        let start = &self.points[point as usize];
        let lookups = &self.lookups[start.first as usize..start.end as usize];
        lookups.iter().fold(0, |lines, lookup| lines | lookup.mask)
    }

    /// The free points that a man on a point reaches, if these are the other men.
    #[inline(always)]
    pub(crate) fn of(&self, point: u32, others: Set) -> Set {
        let start = &self.points[point as usize];
        start.simple & !others | self.looked_up(start, others)
    }

    /// The points of some that a man on a point reaches, if these are the other men.
    #[inline(always)]
    pub(crate) fn onto(&self, point: u32, others: Set, targets: Set) -> Set {
        let start = &self.points[point as usize];
        (start.simple | self.looked_up(start, others)) & targets
    }

    /// How many moves there are.
    pub(crate) fn len(&self) -> usize {
        self.ways.iter().map(Vec::len).sum()
    }

    /// The moves from a point.
    pub(crate) fn ways(&self, point: u32) -> &[Way] {
        &self.ways[point as usize]
    }

    /// The moves from a point that are possible for some place of one more man, if these are the other men: their index, the point at
    /// the end, and the places of that man.
    #[inline(always)]
    pub(crate) fn each(
        &self,
        point: u32,
        others: Set,
        mut visit: impl FnMut(usize, u32, Set) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (way, &(_, to, free, full)) in self.ways(point).iter().enumerate() {
            let missing = full & !others;
            if free & others != 0 || missing & missing.wrapping_sub(1) != 0 {
                continue;
            }
            visit(way, u32::from(to), !free & if missing == 0 { Set::MAX } else { missing })?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn looked_up(&self, start: &Start, others: Set) -> Set {
        let mut set = 0;
        for lookup in &self.lookups[start.first as usize..start.end as usize] {
            let index = (others & lookup.mask).wrapping_mul(lookup.factor) >> lookup.shift;
            set |= self.sets[lookup.offset as usize + index as usize];
        }
        set
    }
}

/// Whether a move needs nothing but its end to be free, or, if men may stand there, nothing at all.
fn is_simple(&(_, to, free, full): &Way, onto: bool) -> bool {
    free == if onto { 0 } else { bit(to) } && full == 0
}
