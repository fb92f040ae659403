//! Numbers positions up to symmetry. All mirror images of a position share one number, and few numbers are
//! *gaps*, which stand for no position.
//!
//! A position is a list of sets of stones. The *class* of a first set is the least of its images. A lookup
//! table gives the class of each first set, and the element of the symmetry group that maps the set to it.
//! The same element maps the other sets. Their rank is their number among all placements on the free squares.
//! The numbers of one class are consecutive.
//!
//! For most classes, only the identity maps the class to itself. Then the rank is the number within the
//! class. If a class has more symmetries, several placements of the other sets are the same position. The
//! least of their ranks is the number, and the other ranks are gaps.
//!
//! If you count moves, you must know of these symmetries. The stabilizer of a position is the number of
//! elements that map it to itself. If two positions have different stabilizers, the number of moves from one
//! to the other differs from the number of moves back. The ratio of the two numbers is the ratio of the
//! stabilizers. See [`stabilizer`](Orbits::stabilizer).

mod placed;

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::ranks::Ranks;
use crate::stones::{Placing, Stones};
use crate::{Group, Subsets, binomial};

pub use placed::Placed;

/// Numbers `SETS` disjoint sets of squares, up to the symmetries of the board.
///
/// ```
/// use retrograde_boards::{Group, Orbits, Stones};
///
/// // Noughts and crosses, in any number: 3^9 boards, and 2,862 that are no mirror images of each other.
/// let boards = Orbits::new(Group::square(3), [Stones::Any, Stones::Any]);
/// let numbers = (0..boards.states()).filter(|&state| boards.is_position(state));
/// assert_eq!(numbers.count(), 2_862);
///
/// let corner = boards.state([0b1, 0b10]);
/// assert_eq!(boards.state([0b100, 0b10]), corner);
/// assert_eq!(boards.stabilizer(boards.state([0b10000, 0])), 8);
/// ```
#[derive(Clone, Debug)]
pub struct Orbits<const SETS: usize> {
    group: Group,
    /// How many stones the first set has.
    first: Stones,
    /// For each first set, its class, and in the lowest bits the element that maps the set to the class.
    entries: Vec<u32>,
    /// How many bits hold the element.
    element_bits: u32,
    classes: Vec<Class>,
    /// For each class, the elements that map it to itself, if there are more than the identity.
    fixers: Vec<u8>,
    /// For each run of `1 << run` numbers, the class of its first number. The last entry is the last class.
    directory: Vec<u32>,
    run: u32,
    /// The numbers of all sets except the first.
    others: Placing<SETS>,
    /// The ranks of first sets of one size, if the board is small.
    ranks: Option<Ranks>,
    /// For each size, where its first sets begin.
    starts: Vec<u64>,
    states: u64,
}

/// First sets that are images of each other.
#[derive(Clone, Debug)]
struct Class {
    /// The least of these sets.
    set: u64,
    /// The number of its first position.
    first: u64,
    /// The range of its fixers. It is empty if only the identity maps the class to itself.
    fixers: Range<u32>,
}

/// The entry of a first set that is excluded. No class has this number.
const ABSENT: u32 = u32::MAX;
/// The entry of a first set that has not been visited.
const UNSEEN: u32 = u32::MAX - 1;

impl<const SETS: usize> Orbits<SETS> {
    /// Numbers positions with these stones of each kind, on a board with these symmetries. A plain number
    /// means [`Stones::Exactly`].
    ///
    /// The lookup table takes four bytes for each first set. So put the kind with the fewest placements
    /// first.
    ///
    /// # Panics
    ///
    /// If the stones do not fit, if there are 2^32 or more first sets, or if there are more than 2^63
    /// numbers.
    pub fn new(group: Group, stones: [impl Into<Stones>; SETS]) -> Orbits<SETS> {
        Orbits::among(group, stones, |_| true)
    }

    /// Like [`new`](Orbits::new), but numbers only positions whose first set is `wanted`. `wanted` must give
    /// the same answer for all images of a set. Do not ask for the number of a position with another first
    /// set.
    ///
    /// # Panics
    ///
    /// As [`new`](Orbits::new).
    pub fn among(
        group: Group,
        stones: [impl Into<Stones>; SETS],
        wanted: impl Fn(u64) -> bool,
    ) -> Orbits<SETS> {
        assert!(SETS > 0, "a position needs stones");
        let (squares, stones) = (group.squares(), stones.map(Into::into));
        let others = Placing::new(squares, stones, 1).unwrap_or_else(|| {
            panic!("{stones:?} do not fit on {squares} squares, or need more than 2^64 numbers")
        });
        let (least, most) = stones[0].sizes(squares);
        let mut starts = vec![0; least as usize];
        let mut firsts = 0u64;
        for size in least..=most {
            starts.push(firsts);
            firsts = firsts.saturating_add(binomial(squares, size));
        }
        assert!(
            firsts < 1 << 32,
            "2^32 or more first sets: put the kind with the fewest placements first"
        );
        let element_bits = group.order().next_power_of_two().ilog2();
        let mut orbits = Orbits {
            group,
            first: stones[0],
            entries: vec![UNSEEN; firsts as usize],
            element_bits,
            classes: Vec::new(),
            fixers: Vec::new(),
            directory: Vec::new(),
            run: 0,
            others,
            ranks: Ranks::new(squares).filter(|_| stones[0] != Stones::Any),
            starts,
            states: 0,
        };
        first_sets(stones[0], squares).for_each(|set| orbits.add(set, &wanted));
        orbits.list();
        orbits
    }

    /// Builds the directory, with about one run for each class.
    fn list(&mut self) {
        if self.classes.is_empty() {
            return;
        }
        self.run = (self.states / self.classes.len() as u64).max(1).ilog2();
        let mut class = 0;
        for first in (0..self.states).step_by(1 << self.run) {
            while self.classes.get(class + 1).is_some_and(|next| next.first <= first) {
                class += 1;
            }
            self.directory.push(class as u32);
        }
        self.directory.push(self.classes.len() as u32 - 1);
    }

    /// Adds a first set and all its images, unless they were added before. The least image of a set always
    /// comes first.
    fn add(&mut self, set: u64, wanted: impl Fn(u64) -> bool) {
        if self.entries[self.index(set)] != UNSEEN {
            return;
        }
        if !wanted(set) {
            for element in 0..self.group.order() {
                let image = self.index(self.group.image(element, set));
                self.entries[image] = ABSENT;
            }
            return;
        }
        let class = self.classes.len() as u32;
        assert!(class < UNSEEN >> self.element_bits, "too many classes of first sets");
        for element in 0..self.group.order() {
            let image = self.index(self.group.image(element, set));
            if self.entries[image] == UNSEEN {
                let element = self.group.inverse(element) as u32;
                self.entries[image] = class << self.element_bits | element;
            }
        }
        let start = self.fixers.len();
        self.fixers.extend(self.group.stabilizer(set).map(|element| element as u8));
        if self.fixers.len() == start + 1 {
            self.fixers.pop();
        }
        let fixers = start as u32..self.fixers.len() as u32;
        self.classes.push(Class { set, first: self.states, fixers });
        let states = self.ways(set).and_then(|ways| self.states.checked_add(ways));
        self.states = states.filter(|states| states >> 63 == 0).expect("more than 2^63 numbers");
    }

    /// How many numbers there are, including gaps.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// The symmetries.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// The number of a position and of all its images.
    #[inline]
    pub fn state(&self, sets: [u64; SETS]) -> u64 {
        self.state_and_stabilizer(sets).0
    }

    /// The number of a position, and how many elements of the group map it to itself.
    #[inline]
    pub fn state_and_stabilizer(&self, sets: [u64; SETS]) -> (u64, u32) {
        let placed = self.placed(sets[0]);
        placed.number(self.images(placed.element, sets))
    }

    /// Looks a first set up once. Use the result to number many positions with this first set. These numbers
    /// are near each other.
    ///
    /// ```
    /// use retrograde_boards::{Group, Orbits, Stones};
    ///
    /// let pairs = Orbits::new(Group::square(3), [Stones::Exactly(1), Stones::Exactly(1)]);
    /// let corner = pairs.placed(1 << 8);
    /// let centre = corner.image(1 << 4);
    /// assert_eq!(corner.number([0, centre]), pairs.state_and_stabilizer([1 << 8, 1 << 4]));
    /// ```
    #[inline]
    pub fn placed(&self, first: u64) -> Placed<'_, SETS> {
        let entry = self.entries[self.index(first)];
        debug_assert!(entry != ABSENT, "the first set {first:#b} has no numbers");
        let class = &self.classes[(entry >> self.element_bits) as usize];
        Placed { orbits: self, class, element: (entry & ((1 << self.element_bits) - 1)) as usize }
    }

    /// The number of a position, and its stabilizer, if the class has several symmetries. `moved` are the
    /// mapped sets.
    #[inline(never)]
    fn least(&self, class: &Class, moved: [u64; SETS]) -> (u64, u32) {
        // Each image occurs as often as the position has symmetries.
        let (mut least, mut count) = (u64::MAX, 0);
        for fixer in self.fixers(class) {
            let rank = self.rank(class, self.images(fixer, moved));
            if rank < least {
                (least, count) = (rank, 0);
            }
            count += u32::from(rank == least);
        }
        (class.first + least, count)
    }

    /// The position of a number. For a gap, it is an image of the position of another number.
    #[inline]
    pub fn position(&self, state: u64) -> [u64; SETS] {
        let class = self.class_of(state);
        self.unrank(class, state - class.first)
    }

    /// Visits each number of a range, with its position and stabilizer. This is faster than to ask for each.
    #[inline(always)]
    pub fn each(&self, numbers: Range<u64>, mut visit: impl FnMut(u64, [u64; SETS], u32)) {
        for (class, numbers) in self.runs(numbers) {
            for rank in numbers.start - class.first..numbers.end - class.first {
                let own = class.fixers.is_empty();
                let stabilizer = if own { 1 } else { self.count(class, rank) };
                visit(class.first + rank, self.unrank(class, rank), stabilizer);
            }
        }
    }

    /// The first sets of a range of numbers, and the numbers of each.
    pub fn firsts(&self, numbers: Range<u64>) -> impl Iterator<Item = (u64, Range<u64>)> {
        self.runs(numbers).map(|(class, numbers)| (class.set, numbers))
    }

    #[inline(always)]
    fn runs(&self, numbers: Range<u64>) -> impl Iterator<Item = (&Class, Range<u64>)> {
        let mut first = numbers.start;
        core::iter::from_fn(move || {
            let class = (first < numbers.end).then(|| self.class_of(first))?;
            let run = first..numbers.end.min(self.end(class));
            first = run.end;
            Some((class, run))
        })
    }

    /// The number after the last one of a class.
    fn end(&self, class: &Class) -> u64 {
        class.first + self.ways(class.set).unwrap_or_default()
    }

    /// In how many ways the other sets can be placed beside a first set.
    fn ways(&self, first: u64) -> Option<u64> {
        self.others.ways(1, self.group.squares() - first.count_ones())
    }

    /// Whether the number stands for a position and is not a gap.
    pub fn is_position(&self, state: u64) -> bool {
        self.stabilizer(state) > 0
    }

    /// How many elements of the group map the position of a number to itself; 0 for a gap.
    #[inline]
    pub fn stabilizer(&self, state: u64) -> u32 {
        let class = self.class_of(state);
        if class.fixers.is_empty() { 1 } else { self.count(class, state - class.first) }
    }

    /// The stabilizer of a rank, if the class has several symmetries.
    #[inline(never)]
    fn count(&self, class: &Class, rank: u64) -> u32 {
        let sets = self.unrank(class, rank);
        let mut count = 0;
        for fixer in self.fixers(class) {
            match self.rank(class, self.images(fixer, sets)).cmp(&rank) {
                core::cmp::Ordering::Less => return 0,
                core::cmp::Ordering::Equal => count += 1,
                core::cmp::Ordering::Greater => {}
            }
        }
        count
    }

    #[inline]
    fn class_of(&self, state: u64) -> &Class {
        debug_assert!(
            state < self.states,
            "{state} is not below {}, the number of states",
            self.states
        );
        let run = (state >> self.run) as usize;
        let (first, last) = (self.directory[run] as usize, self.directory[run + 1] as usize);
        let nexts = &self.classes[first + 1..=last];
        &self.classes[first + nexts.partition_point(|class| class.first <= state)]
    }

    #[inline]
    fn fixers(&self, class: &Class) -> impl Iterator<Item = usize> {
        let Range { start, end } = class.fixers;
        self.fixers[start as usize..end as usize].iter().map(|&element| usize::from(element))
    }

    /// The images of all sets except the first. The class already has the image of the first set.
    #[inline(always)]
    fn images(&self, element: usize, mut sets: [u64; SETS]) -> [u64; SETS] {
        for set in &mut sets[1..] {
            *set = self.group.image(element, *set);
        }
        sets
    }

    /// The index of a first set among all first sets.
    #[inline]
    fn index(&self, set: u64) -> usize {
        let rank = |set| match &self.ranks {
            Some(ranks) => ranks.rank(set),
            None => Subsets::new(self.group.squares(), set.count_ones()).rank(set),
        };
        match self.first {
            Stones::Any => set as usize,
            Stones::Exactly(_) => rank(set) as usize,
            Stones::AtMost(_) => (self.starts[set.count_ones() as usize] + rank(set)) as usize,
        }
    }

    /// The rank of the other sets in their class.
    #[inline(always)]
    fn rank(&self, class: &Class, sets: [u64; SETS]) -> u64 {
        self.others.rank(1, class.set, &sets)
    }

    /// The other sets for a rank in a class.
    #[inline(always)]
    fn unrank(&self, class: &Class, rank: u64) -> [u64; SETS] {
        let mut sets = [0; SETS];
        sets[0] = class.set;
        self.others.unrank(1, rank, &mut sets);
        sets
    }
}

/// All first sets, in the order of their indices.
fn first_sets(stones: Stones, squares: u32) -> Box<dyn Iterator<Item = u64>> {
    match stones {
        Stones::Any => Box::new(0..1 << squares),
        _ => {
            let (least, most) = stones.sizes(squares);
            Box::new((least..=most).flat_map(move |size| Subsets::new(squares, size).iter()))
        }
    }
}
