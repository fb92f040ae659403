//! Boards that any stones may fill, up to symmetry, in two parts.
//!
//! The squares form two parts. Every symmetry must map each part to itself. The rim of a board is an example
//! of a first part. A lookup table has all ways to fill the first part. For each it gives the class, which is
//! the least image, and the group element that maps it to the class. Another table gives the effect of an
//! element on the second part. So a few lookups give the number of any board.
//!
//! As in [`Orbits`](crate::Orbits), a class with more symmetries has gaps.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::{Add, Range};

use crate::subsets::below;
use crate::{Group, squares};

/// Numbers all ways to give each square a stone of one of `KINDS` kinds, or none, up to the symmetries of the
/// board. A board is the set of squares of each kind.
///
/// ```
/// use retrograde_boards::{Group, Patterns};
///
/// // Noughts and crosses, in any number: 3^9 boards, and 2,862 that are no mirror images of each other.
/// let rim = 0b111_101_111;
/// let boards: Patterns<2> = Patterns::new(Group::square(3), rim);
/// let numbers = (0..boards.states()).filter(|&state| boards.stabilizer(state) > 0);
/// assert_eq!(numbers.count(), 2_862);
///
/// let corner = boards.state([0b1, 0b10]);
/// assert_eq!(boards.state([0b100, 0b10]), corner);
/// assert_eq!(boards.stabilizer(boards.state([0b10000, 0])), 8);
/// ```
#[derive(Clone, Debug)]
pub struct Patterns<const KINDS: usize> {
    /// For each byte of a set, the number that it adds to the code of the first part and, in the high bits,
    /// to the code of the second part. A square adds `KINDS + 1` to the power of its index in its part.
    codes: Vec<[u64; 256]>,
    /// For each code of the first part: its class, whether the class has several symmetries, and the element
    /// that maps the code to the class.
    entries: Vec<u32>,
    /// For each class: its code, and whether it has several symmetries.
    classes: Vec<u32>,
    /// The sets of the lower and upper half of such a code.
    halves: [Vec<[u64; KINDS]>; 2],
    lower: u32,
    /// The classes with several symmetries, in ascending order, and where their fixers begin. A fixer is an
    /// element that maps the class to itself.
    fixed: Vec<(u32, u32)>,
    fixers: Vec<u8>,
    /// For each element and each code of the second part, the image of the code.
    images: Vec<u32>,
    /// For each code of the second part, its sets.
    seconds: Vec<[u64; KINDS]>,
}

/// The stones on some squares of a board. Codes of stones on different squares add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code(u64);

/// The bits of an entry that hold the element.
const ELEMENT_BITS: u32 = 7;
/// Set in an entry if the class has fixers, and in the code of the class.
const FIXED: u32 = 1 << ELEMENT_BITS;
const FIXED_CODE: u32 = 1 << 31;
const CLASS_SHIFT: u32 = ELEMENT_BITS + 1;
/// The entry of a code that has not been visited. No class has this number.
const UNSEEN: u32 = u32::MAX;

impl<const KINDS: usize> Patterns<KINDS> {
    /// Boards with these symmetries. `first` is the first part. If it has more squares, there are fewer gaps,
    /// but larger tables: four bytes for each way to fill the first part.
    ///
    /// # Panics
    ///
    /// If a symmetry maps squares of one part into the other, if there are more than 2^26 ways to fill a
    /// part, or if the first part has more than 2^24 classes.
    pub fn new(group: Group, first: u64) -> Patterns<KINDS> {
        assert!(KINDS > 0, "a board needs stones");
        let all = below(group.squares());
        let apart = (0..group.order()).all(|element| group.image(element, first) == first);
        assert!(apart && first & !all == 0, "symmetries lead out of the first part");
        let parts = [first, all & !first];
        let ways = parts.map(|part| {
            let ways = (KINDS as u64 + 1).checked_pow(part.count_ones());
            ways.filter(|&ways| ways <= 1 << 26).expect("more than 2^26 ways to fill a part")
        });
        // The squares of the lower half are the low digits of the code.
        let (base, count) = (KINDS as u64 + 1, first.count_ones());
        let lower_part = squares(first).take(count as usize / 2).fold(0, |set, at| set | 1 << at);
        let lower = base.pow(count / 2);
        let halves = [
            (0..lower).map(|code| sets(lower_part, code)).collect(),
            (0..ways[0] / lower).map(|code| sets(first & !lower_part, code)).collect(),
        ];
        let mut patterns = Patterns {
            codes: codes(parts, base, group.squares()),
            entries: vec![UNSEEN; ways[0] as usize],
            classes: Vec::new(),
            halves,
            lower: lower as u32,
            fixed: Vec::new(),
            fixers: Vec::new(),
            images: Vec::new(),
            seconds: (0..ways[1]).map(|code| sets(parts[1], code)).collect(),
        };
        for code in 0..ways[0] {
            if patterns.entries[code as usize] == UNSEEN {
                patterns.add(&group, code, sets(first, code));
            }
        }
        for element in 0..group.order() {
            let image = |sets: &[u64; KINDS]| {
                patterns.code_of(moved(&group, element, sets)).parts()[1] as u32
            };
            patterns.images.extend(patterns.seconds.iter().map(image).collect::<Vec<_>>());
        }
        patterns
    }

    /// Adds a filling of the first part and all its images, unless they were added before. The least image
    /// always comes first.
    fn add(&mut self, group: &Group, code: u64, sets: [u64; KINDS]) {
        let images = |element| self.code_of(moved(group, element, &sets)).parts()[0];
        let images: Vec<usize> = (0..group.order()).map(images).collect();
        let fixing = (0..group.order()).filter(|&element| images[element] == code as usize);
        let fixing: Vec<u8> = fixing.map(|element| element as u8).collect();
        let fixed = if fixing.len() > 1 { FIXED } else { 0 };
        let class = self.classes.len() as u32;
        assert!(class < UNSEEN >> CLASS_SHIFT, "too many classes of the first part");
        for (element, &image) in images.iter().enumerate() {
            if self.entries[image] == UNSEEN {
                self.entries[image] = class << CLASS_SHIFT | fixed | group.inverse(element) as u32;
            }
        }
        if fixed == 0 {
            self.classes.push(code as u32);
        } else {
            self.classes.push(code as u32 | FIXED_CODE);
            self.fixed.push((class, self.fixers.len() as u32));
            self.fixers.extend(fixing);
        }
    }

    /// How many numbers there are, including gaps.
    pub fn states(&self) -> u64 {
        self.classes.len() as u64 * self.seconds.len() as u64
    }

    /// The number of a board and of all its images.
    #[inline]
    pub fn state(&self, sets: [u64; KINDS]) -> u64 {
        self.state_and_stabilizer(sets).0
    }

    /// The number of a board, and how many elements of the group map it to itself.
    #[inline]
    pub fn state_and_stabilizer(&self, sets: [u64; KINDS]) -> (u64, u32) {
        self.number(self.code_of(sets))
    }

    /// The number that a set of stones of one kind adds to the code of a board. Use it for many boards that
    /// differ little.
    ///
    /// ```
    /// # use retrograde_boards::{Group, Patterns};
    /// # let boards: Patterns<2> = Patterns::new(Group::square(3), 0b111_101_111);
    /// let code = boards.code(0, 0b100) + boards.code(1, 0b011);
    /// assert_eq!(boards.number(code), boards.state_and_stabilizer([0b100, 0b011]));
    /// ```
    #[inline]
    pub fn code(&self, kind: usize, set: u64) -> Code {
        let code = match &self.codes[..] {
            // Small boards need no loop.
            [low, high] => low[set as usize & 255] + high[(set >> 8) as usize & 255],
            codes => {
                let of =
                    |(byte, codes): (u32, &[u64; 256])| codes[(set >> (8 * byte)) as usize & 255];
                (0..).zip(codes).map(of).sum()
            }
        };
        Code((kind as u64 + 1) * code)
    }

    /// The number of the board with this code, and how many elements of the group map the board to itself.
    #[inline]
    pub fn number(&self, Code(code): Code) -> (u64, u32) {
        let entry = self.entries[code as u32 as usize];
        let (class, element) = (entry >> CLASS_SHIFT, entry & (FIXED - 1));
        let second = self.image(element as usize, (code >> 32) as u32);
        if entry & FIXED == 0 {
            (self.state_of(class, second), 1)
        } else {
            self.least(class, second)
        }
    }

    /// The board of a number. For a gap, it is an image of the board of another number.
    #[inline]
    pub fn position(&self, state: u64) -> [u64; KINDS] {
        let (class, second) = self.class_and_second(state);
        self.sets(class, second)
    }

    /// How many elements of the group map the board of a number to itself; 0 for a gap.
    #[inline]
    pub fn stabilizer(&self, state: u64) -> u32 {
        let (class, second) = self.class_and_second(state);
        self.count(class, second)
    }

    /// Visits each number of a range, with its board and stabilizer. This is faster than to ask for each.
    #[inline]
    pub fn each(&self, numbers: Range<u64>, mut visit: impl FnMut(u64, [u64; KINDS], u32)) {
        if numbers.is_empty() {
            return;
        }
        let (mut class, mut second) = self.class_and_second(numbers.start);
        for state in numbers {
            visit(state, self.sets(class, second), self.count(class, second));
            second += 1;
            if second as usize == self.seconds.len() {
                (class, second) = (class + 1, 0);
            }
        }
    }

    #[inline]
    fn state_of(&self, class: u32, second: u32) -> u64 {
        u64::from(class) * self.seconds.len() as u64 + u64::from(second)
    }

    #[inline]
    fn class_and_second(&self, state: u64) -> (u32, u32) {
        let seconds = self.seconds.len() as u64;
        ((state / seconds) as u32, (state % seconds) as u32)
    }

    /// The number and the stabilizer, if the class has several symmetries.
    #[inline(never)]
    fn least(&self, class: u32, second: u32) -> (u64, u32) {
        let images = self.fixers(class).iter().map(|&fixer| self.image(usize::from(fixer), second));
        let (least, count) = least_of(images);
        (self.state_of(class, least), count)
    }

    #[inline]
    fn count(&self, class: u32, second: u32) -> u32 {
        let alone = self.classes[class as usize] & FIXED_CODE == 0;
        if alone { 1 } else { self.count_fixed(class, second) }
    }

    /// The stabilizer of a number, if the class has several symmetries.
    #[inline(never)]
    fn count_fixed(&self, class: u32, second: u32) -> u32 {
        let images = self.fixers(class).iter().map(|&fixer| self.image(usize::from(fixer), second));
        let (least, count) = least_of(images);
        if least == second { count } else { 0 }
    }

    /// The elements that map a class to itself, if there are several.
    fn fixers(&self, class: u32) -> &[u8] {
        let at = self.fixed.partition_point(|&(each, _)| each < class);
        let end = self.fixed.get(at + 1).map_or(self.fixers.len(), |&(_, from)| from as usize);
        &self.fixers[self.fixed[at].1 as usize..end]
    }

    #[inline]
    fn image(&self, element: usize, second: u32) -> u32 {
        self.images[element * self.seconds.len() + second as usize]
    }

    #[inline]
    fn sets(&self, class: u32, second: u32) -> [u64; KINDS] {
        let code = self.classes[class as usize] & !FIXED_CODE;
        let [lower, upper] = &self.halves;
        let lower = &lower[(code % self.lower) as usize];
        let (upper, second) =
            (&upper[(code / self.lower) as usize], &self.seconds[second as usize]);
        // Iterators of `zip` stay calls if they land in another unit of the compiler.
        let mut sets = [0; KINDS];
        for kind in 0..KINDS {
            sets[kind] = lower[kind] | upper[kind] | second[kind];
        }
        sets
    }

    #[inline]
    fn code_of(&self, sets: [u64; KINDS]) -> Code {
        Code((0..).zip(sets).map(|(kind, set)| self.code(kind, set).0).sum())
    }
}

impl Code {
    fn parts(self) -> [usize; 2] {
        [self.0 as u32 as usize, (self.0 >> 32) as usize]
    }
}

impl Add for Code {
    type Output = Code;

    #[inline]
    fn add(self, Code(other): Code) -> Code {
        Code(self.0 + other)
    }
}

/// The least image of a code under the fixers of its class, and how often it occurs. This is the number of
/// fixers that map the board to itself.
fn least_of(images: impl Iterator<Item = u32>) -> (u32, u32) {
    images.fold((u32::MAX, 0), |(least, count), image| match image.cmp(&least) {
        Ordering::Less => (image, 1),
        Ordering::Equal => (least, count + 1),
        Ordering::Greater => (least, count),
    })
}

/// For each byte of a set, the number that it adds to the code.
fn codes(parts: [u64; 2], base: u64, board: u32) -> Vec<[u64; 256]> {
    let mut worth = [0; 64];
    for (part, shift) in parts.into_iter().zip([0, 32]) {
        for (place, square) in (0..).zip(squares(part)) {
            worth[square as usize] = base.pow(place) << shift;
        }
    }
    let bytes = (0..board.div_ceil(8)).map(|byte| {
        let of = |set: usize| squares(set as u64).map(|at| worth[(8 * byte + at) as usize]).sum();
        core::array::from_fn(of)
    });
    bytes.collect()
}

/// The sets of a filling of a part.
fn sets<const KINDS: usize>(part: u64, code: u64) -> [u64; KINDS] {
    let base = KINDS as u64 + 1;
    let mut sets = [0; KINDS];
    let mut left = code;
    for square in squares(part) {
        if let Some(kind) = (left % base).checked_sub(1) {
            sets[kind as usize] |= 1 << square;
        }
        left /= base;
    }
    sets
}

fn moved<const KINDS: usize>(group: &Group, element: usize, sets: &[u64; KINDS]) -> [u64; KINDS] {
    sets.map(|set| group.image(element, set))
}
