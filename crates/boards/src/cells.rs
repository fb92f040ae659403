//! Numbers positions cell by cell. A cell is the number of men of each kind on the board, and the values of some counters.
//!
//! All positions of a cell have consecutive numbers. Its kinds are ranked one after another, each among the squares that earlier kinds
//! leave free. Kinds with few squares come first.
//!
//! With symmetries, the first kinds of a cell are its *head* (`head.rs`). A table gives the class of each head, and the element of the
//! group that maps the head to the representative of its class. The same element maps the other kinds. Most classes have no symmetry of
//! their own. For the others, several ranks are the same position: the least rank is its number, and the others are gaps.

mod build;
mod head;
mod lone;
mod position;
mod recount;
mod walk;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use crate::Group;
use crate::press::{press, press_small, unpress, unpress_small};
use crate::stones::Table;
use head::{ELEMENT, FIXED, Head};

pub use position::{Kind, Position};
pub use recount::Recount;

/// Numbers positions with men of several kinds, on the board or not, up to the symmetries of the board.
///
/// ```
/// use retrograde_boards::{Cells, Group, Kind};
///
/// // A king each on nine squares, and a rook that is on the board or captured.
/// let kinds = [Kind::on(0x1ff, 1), Kind::on(0x1ff, 1), Kind::on(0x1ff, 1)];
/// let kings = |counts: &[u32]| counts[..2] == [1, 1];
/// let cells = Cells::new(Group::trivial(9), &kinds, kings);
/// assert_eq!(cells.states(), 9 * 8 + 9 * 8 * 7);
///
/// let position = cells.with_sets([1 << 0, 1 << 8, 1 << 4]);
/// let (state, _) = cells.number(&position);
/// assert_eq!(cells.position(state), Some(position));
///
/// // Turned and mirrored, most positions have eight images.
/// let cells = Cells::new(Group::square(3), &kinds, kings);
/// let positions = (0..cells.states()).filter_map(|state| cells.position::<3>(state));
/// assert_eq!(positions.count(), 78);
/// ```
#[derive(Clone, Debug)]
pub struct Cells {
    group: Group,
    kinds: Vec<Kind>,
    /// All squares of the board, and how many bytes they take.
    board: u64,
    bytes: u32,
    /// For each kind, the weight of one man in the key of a cell.
    weights: Vec<u32>,
    /// The counters, and the weight of each.
    counters: Vec<(u8, u32)>,
    /// For each key, its cell. [`ABSENT`] if there is no such cell.
    places: Vec<u32>,
    cells: Vec<Cell>,
    /// The kinds on the board in each cell.
    items: Vec<Item>,
    heads: Vec<Head>,
    /// Tables of the placements of some cells.
    tables: Vec<Box<[u32]>>,
    /// For each run of `1 << run` numbers, the cell of its first number. The last entry is the last cell.
    directory: Vec<u32>,
    run: u32,
    /// How many squares each set has, for boards of up to sixteen squares. Not every processor has an instruction for this.
    ones: Option<Box<[u8; 1 << 16]>>,
    /// The ranks of sets of three squares or more.
    table: Table,
    states: u64,
}

/// The positions with the same number of men of each kind.
#[derive(Clone, Debug)]
struct Cell {
    /// The number of its first position.
    first: u64,
    /// How many numbers each class of heads has.
    tail: u64,
    key: u32,
    head: u32,
    /// Its table, if it has one.
    table: u32,
    /// Its items begin and end here. Those of the head come first.
    items: [u32; 3],
    /// How many squares are free.
    free: u32,
    /// Whether a kind has a wider zone than its squares, so that some numbers are gaps.
    widened: bool,
    /// Whether its men are few, each alone of its kind, and ranked on the whole board.
    lone: bool,
}

/// The men of one kind in a cell.
#[derive(Clone, Copy, Debug)]
struct Item {
    /// In how many ways the later kinds can be placed.
    after: u64,
    /// The squares among which the set is ranked, if they are free.
    zone: u64,
    kind: u8,
    size: u8,
}

/// The entry of a cell that is excluded.
const ABSENT: u32 = u32::MAX;

impl Cells {
    /// How many numbers there are, including gaps.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// The cells in order: how many men of each kind are on the board, the values of counters, and the numbers.
    ///
    /// ```
    /// use retrograde_boards::{Cells, Group, Kind};
    ///
    /// let cells = Cells::new(Group::trivial(4), &[Kind::on(0xf, 2)], |_| true);
    /// assert!(cells.iter().eq([(vec![0], 0..1), (vec![1], 1..5), (vec![2], 5..11)]));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (Vec<u32>, Range<u64>)> {
        let ends = self.cells.iter().skip(1).map(|cell| cell.first).chain([self.states]);
        let counts = |key: u32| {
            let kinds = self.kinds.iter().zip(&self.weights);
            kinds.map(|(kind, weight)| key / weight % (kind.most + 1)).collect()
        };
        self.cells.iter().zip(ends).map(move |(cell, end)| (counts(cell.key), cell.first..end))
    }

    /// The symmetries.
    pub fn group(&self) -> &Group {
        &self.group
    }

    /// The number of a position and of all its images, and how many elements of the group map the position to itself.
    ///
    /// # Panics
    ///
    /// If the cell of the position is excluded.
    #[inline]
    pub fn number<const KINDS: usize>(&self, position: &Position<KINDS>) -> (u64, u32) {
        let (number, _, elements) = self.placed(position);
        (number, elements.map_or(1, u128::count_ones))
    }

    /// The number of a position, and an element that maps it to the position of this number: all such elements, if there may be
    /// several.
    #[inline(always)]
    fn placed<const KINDS: usize>(&self, position: &Position<KINDS>) -> (u64, usize, Option<u128>) {
        let cell = self.cell(position.key);
        let sets = &position.sets;
        if self.group.order() == 1 {
            // There is one class.
            return (cell.first + self.rank_in_class(cell, 0, self.board, sets), 0, None);
        }
        if cell.lone {
            return self.placed_lone(cell, sets);
        }
        let (head, free, entry) = self.head_of(cell, sets);
        let first = cell.first + u64::from(entry >> head::CLASS_SHIFT) * cell.tail;
        let element = (entry & ELEMENT) as usize;
        if entry & FIXED != 0 {
            let (least, elements) = self.least(cell, head, entry, sets);
            return (first + least, element, Some(elements));
        }
        (first + self.rank_in_class(cell, element, free, sets), element, None)
    }

    /// The number of a position, and which elements of the group map it to the position of this number: a bit for each.
    ///
    /// ```
    /// use retrograde_boards::{Cells, Group, Kind};
    ///
    /// let cells = Cells::new(Group::square(3), &[Kind::on(0x1ff, 1)], |_| true);
    /// let (number, elements) = cells.number_and_elements(&cells.with_sets([1 << 8]));
    /// let position = cells.position::<1>(number).expect("no gap");
    /// let maps = |element: usize| cells.group().image(element, 1 << 8) == position.sets()[0];
    /// assert!((0..8).all(|element| maps(element) == (elements >> element & 1 != 0)));
    /// ```
    #[inline]
    pub fn number_and_elements<const KINDS: usize>(
        &self,
        position: &Position<KINDS>,
    ) -> (u64, u128) {
        let (number, element, elements) = self.placed(position);
        (number, elements.unwrap_or(1 << element))
    }

    /// The numbering of the same positions without the men of a kind, of whom each cell has as many.
    ///
    /// ```
    /// use retrograde_boards::{Cells, Group, Kind};
    ///
    /// let men = [Kind::on(0x1ff, 1), Kind::on(0x1ff, 2)];
    /// let cells = Cells::new(Group::trivial(9), &men, |counts| counts[0] == 1);
    /// assert_eq!(cells.without_kind(0).states(), 1 + 9 + 36);
    /// ```
    pub fn without_kind(&self, kind: usize) -> Cells {
        let mut all: Vec<Vec<u32>> = self.iter().map(|(counts, _)| counts).collect();
        all.iter_mut().for_each(|counts| counts[kind] = 0);
        all.sort_unstable();
        let mut kinds = self.kinds.clone();
        kinds[kind] = Kind::counter(0);
        let is_one = |counts: &[u32]| all.binary_search_by(|other| (**other).cmp(counts)).is_ok();
        let mut others = Cells::new(self.group.clone(), &kinds, is_one);
        others.tabulate();
        others
    }

    /// Where the men of a kind may stand.
    pub fn squares_of(&self, kind: usize) -> u64 {
        self.kinds[kind].squares
    }

    /// Whether the cell of a position is numbered. No kind of the position may have more men, or a higher value, than it can have.
    ///
    /// ```
    /// use retrograde_boards::{Cells, Group, Kind};
    ///
    /// let cells = Cells::new(Group::trivial(4), &[Kind::on(0xf, 2)], |counts| counts != [1]);
    /// assert!(cells.contains(&cells.with_sets([0b11])));
    /// assert!(!cells.contains(&cells.with_sets([0b10])));
    /// ```
    #[inline]
    pub fn contains<const KINDS: usize>(&self, position: &Position<KINDS>) -> bool {
        self.places.get(position.key as usize).is_some_and(|&place| place != ABSENT)
    }

    /// How many elements of the group map a position to itself.
    #[inline]
    pub fn stabilizer<const KINDS: usize>(&self, position: &Position<KINDS>) -> u32 {
        let cell = self.cell(position.key);
        let (head, _, entry) = self.head_of(cell, &position.sets);
        match entry & FIXED {
            0 => 1,
            _ => self.least(cell, head, entry, &position.sets).1.count_ones(),
        }
    }

    /// The position of a number. `None` for a gap.
    #[inline]
    pub fn position<const KINDS: usize>(&self, number: u64) -> Option<Position<KINDS>> {
        let cell = self.cell_of(number);
        let (class, rank) = divide(number - cell.first, cell.tail);
        let mut position = self.empty(cell);
        let free = self.place_head(cell, class, &mut position.sets);
        self.unrank(self.tail(cell), rank, free, &mut position.sets);
        (self.own_stabilizer(cell, class, rank, &position.sets) > 0).then_some(position)
    }

    /// The image of a position whose first men stand as in the numbering. The numbers of its neighbours take less time to find, as long
    /// as these men stand still.
    ///
    /// ```
    /// use retrograde_boards::{Cells, Group, Kind};
    ///
    /// let cells = Cells::new(Group::square(3), &[Kind::on(0x1ff, 1), Kind::on(0x1ff, 1)], |_| true);
    /// let position = cells.with_sets([1 << 8, 1 << 7]);
    /// assert_eq!(cells.oriented(position).sets()[0], 1 << 0);
    /// assert_eq!(cells.number(&cells.oriented(position)), cells.number(&position));
    /// ```
    #[inline]
    pub fn oriented<const KINDS: usize>(&self, mut position: Position<KINDS>) -> Position<KINDS> {
        let cell = self.cell(position.key);
        let (_, _, entry) = self.head_of(cell, &position.sets);
        let element = (entry & ELEMENT) as usize;
        if element != 0 {
            for item in &self.items[cell.items[0] as usize..cell.items[2] as usize] {
                let set = &mut position.sets[usize::from(item.kind)];
                *set = self.group.image(element, *set);
            }
        }
        position
    }

    #[inline(always)]
    fn cell(&self, key: u64) -> &Cell {
        match self.places.get(key as usize).and_then(|&place| self.cells.get(place as usize)) {
            Some(cell) => cell,
            None => self.excluded(),
        }
    }

    #[cold]
    #[inline(never)]
    fn excluded(&self) -> ! {
        panic!(
            "this position has no number: its numbers of men are excluded, or a man stands outside the board or on another man"
        )
    }

    /// The head of a position, the squares that it leaves free, and its entry.
    #[inline(always)]
    fn head_of(&self, cell: &Cell, sets: &[u64]) -> (&Head, u64, u32) {
        let items = &self.items[cell.items[0] as usize..cell.items[1] as usize];
        let (index, free) = self.rank(items, self.board, |item| sets[usize::from(item.kind)]);
        let head = &self.heads[cell.head as usize];
        match head.entries.get(index as usize) {
            Some(&entry) => (head, free, entry),
            None => self.excluded(),
        }
    }

    #[inline(always)]
    fn tail(&self, cell: &Cell) -> &[Item] {
        &self.items[cell.items[1] as usize..cell.items[2] as usize]
    }

    /// The number within a class. The element maps the head to the class, and `free` are the squares that the head leaves free.
    ///
    /// A man who stands outside his squares or on another man is never taken from the free squares. Then too many are left.
    #[inline(always)]
    fn rank_in_class(&self, cell: &Cell, element: usize, free: u64, sets: &[u64]) -> u64 {
        let own = |item: &Item| sets[usize::from(item.kind)];
        let image = |set| self.group.image(element, set);
        let (rank, free) = match element {
            0 => self.rank(self.tail(cell), free, own),
            _ if self.bytes <= 2 => {
                self.rank(self.tail(cell), image(free), |item| image(own(item)))
            }
            // The image of a set takes a lookup for each byte.
            _ => self.rank(self.tail(cell), image(free), |item| match item.size {
                1 => 1 << self.group.square_of(element, own(item).trailing_zeros()),
                _ => image(own(item)),
            }),
        };
        if self.ones(free) != cell.free {
            self.excluded();
        }
        rank
    }

    /// The rank of some sets, and the squares that they leave free.
    #[inline(always)]
    fn rank(&self, items: &[Item], free: u64, set_of: impl Fn(&Item) -> u64) -> (u64, u64) {
        // Small boards have a loop of their own, so nothing inside asks how large the board is.
        match &self.ones {
            Some(ones) => {
                let ones = |set: u64| u32::from(ones[usize::from(set as u16)]);
                self.rank_by(items, free, set_of, ones, press_small)
            }
            None => {
                let press = |mask, set| press(self.bytes, mask, set);
                self.rank_by(items, free, set_of, u64::count_ones, press)
            }
        }
    }

    #[inline(always)]
    fn rank_by(
        &self,
        items: &[Item],
        free: u64,
        set_of: impl Fn(&Item) -> u64,
        ones: impl Fn(u64) -> u32,
        press: impl Fn(u64, u64) -> u64,
    ) -> (u64, u64) {
        let (mut free, mut rank) = (free, 0);
        for item in items {
            let set = set_of(item);
            let open = free & item.zone;
            let below = |bit: u64| u64::from(ones(open & bit.wrapping_sub(1)));
            rank += item.after
                * match item.size {
                    1 => below(set),
                    2 => {
                        let low = set & set.wrapping_neg();
                        let high = below(set ^ low);
                        high * high.wrapping_sub(1) / 2 + below(low)
                    }
                    _ => self.table.rank(press(open, set)),
                };
            // A set that is not on free squares takes none. Then too many are left in the end.
            free ^= set & 0u64.wrapping_sub(u64::from(set & !open == 0));
        }
        (rank, free)
    }

    /// Fills in the sets of a rank, and gives the squares that they leave free.
    #[inline(always)]
    fn unrank(&self, items: &[Item], rank: u64, free: u64, sets: &mut [u64]) -> u64 {
        let (mut free, mut rest) = (free, rank);
        for item in items {
            let (digit, below) = divide(rest, item.after);
            let set = self.set_of(item, digit, free);
            sets[usize::from(item.kind)] = set;
            (free, rest) = (free & !set, below);
        }
        free
    }

    /// The set of a kind with a rank of its own.
    #[inline(always)]
    fn set_of(&self, item: &Item, digit: u64, free: u64) -> u64 {
        let pressed = match item.size {
            1 => 1 << digit,
            size => self.table.unrank(u32::from(size), digit),
        };
        match self.ones {
            Some(_) => unpress_small(free & item.zone, pressed),
            None => unpress(self.bytes, free & item.zone, pressed),
        }
    }

    #[inline(always)]
    fn ones(&self, set: u64) -> u32 {
        match &self.ones {
            Some(ones) => u32::from(ones[usize::from(set as u16)]),
            None => set.count_ones(),
        }
    }

    /// The number within its class, and the elements that map the position to that of the number, if the class has several
    /// symmetries.
    #[inline(never)]
    fn least(&self, cell: &Cell, head: &Head, entry: u32, sets: &[u64]) -> (u64, u128) {
        let (class, element) = ((entry >> head::CLASS_SHIFT) as usize, (entry & ELEMENT) as usize);
        let taken = |set: u64, item: &Item| set & !sets[usize::from(item.kind)];
        let items = &self.items[cell.items[0] as usize..cell.items[1] as usize];
        let free = items.iter().fold(self.board, taken);
        // Each image occurs as often as the position has symmetries.
        let (mut least, mut elements) = (u64::MAX, 0);
        for &fixer in head.fixers(class) {
            let both = self.group.product(element, usize::from(fixer));
            let rank = match cell.lone {
                true => self.rank_of_lone(cell, class, both, sets),
                false => self.rank_in_class(cell, both, free, sets),
            };
            if rank < least {
                (least, elements) = (rank, 0);
            }
            elements |= u128::from(rank == least) << both;
        }
        (least, elements)
    }

    /// The stabilizer of the position of a rank; 0 for a gap.
    #[inline(always)]
    fn own_stabilizer(&self, cell: &Cell, class: u64, rank: u64, sets: &[u64]) -> u32 {
        if cell.widened && !self.is_inside(cell, sets) {
            return 0;
        }
        let head = &self.heads[cell.head as usize];
        if head.fixers(class as usize).is_empty() {
            return 1;
        }
        let entry = (class as u32) << head::CLASS_SHIFT;
        let (least, elements) = self.least(cell, head, entry, sets);
        if least == rank { elements.count_ones() } else { 0 }
    }

    /// Whether all men stand on squares of their kind.
    fn is_inside(&self, cell: &Cell, sets: &[u64]) -> bool {
        let items = &self.items[cell.items[0] as usize..cell.items[2] as usize];
        let kinds = items.iter().map(|item| usize::from(item.kind));
        kinds.fold(true, |inside, kind| inside & (sets[kind] & !self.kinds[kind].squares == 0))
    }

    #[inline(always)]
    fn place_head(&self, cell: &Cell, class: u64, sets: &mut [u64]) -> u64 {
        let items = &self.items[cell.items[0] as usize..cell.items[1] as usize];
        let own = self.heads[cell.head as usize].sets(class as usize);
        let mut free = self.board;
        for (item, &set) in items.iter().zip(own) {
            sets[usize::from(item.kind)] = set;
            free &= !set;
        }
        free
    }

    #[inline]
    fn cell_of(&self, number: u64) -> &Cell {
        let run = (number >> self.run) as usize;
        let (first, last) = (self.directory[run] as usize, self.directory[run + 1] as usize);
        let nexts = &self.cells[first + 1..=last];
        &self.cells[first + nexts.partition_point(|cell| cell.first <= number)]
    }
}

/// The quotient and the remainder. Numbers below 2^32 take a third of the time.
#[inline(always)]
fn divide(number: u64, by: u64) -> (u64, u64) {
    if (number | by) >> 32 == 0 {
        let (number, by) = (number as u32, by as u32);
        (u64::from(number / by), u64::from(number % by))
    } else {
        (number / by, number % by)
    }
}
