//! Lists the cells of a numbering, and chooses the zones and the head of each.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use super::head::Head;
use super::lone::LONE_MAX;
use super::{ABSENT, Cell, Cells, Item, Kind};
use crate::stones::Table;
use crate::subsets::below;
use crate::{Group, binomial};

/// A longer table of heads would not fit the cache of a processor beside the rest. A head of one kind may be longer.
const HEADS_MAX: u64 = 1 << 12;

impl Cells {
    /// Numbers the positions of the `wanted` cells, on a board with these symmetries. `wanted` gets the number of men of each kind on
    /// the board, and the values of counters. Cells with fewer men come first.
    ///
    /// If the squares of two kinds overlap, but neither contains the other, one of them gets the numbers of the whole board in cells
    /// with both. Some of its numbers are gaps.
    ///
    /// # Panics
    ///
    /// If there are more than 2^24 combinations of counts, 2^63 numbers or more, or 2^26 placements of the first kind. Also if a kind
    /// has squares outside the board, or if a symmetry maps the squares of a kind to other squares.
    pub fn new(group: Group, kinds: &[Kind], wanted: impl Fn(&[u32]) -> bool) -> Cells {
        let squares = group.squares();
        let board = below(squares);
        for (at, kind) in kinds.iter().enumerate() {
            assert!(kind.squares & !board == 0, "kind {at} has squares outside the board");
            let fixed = (0..group.order()).all(|by| group.image(by, kind.squares) == kind.squares);
            assert!(fixed, "a symmetry maps the squares of kind {at} to other squares");
        }
        let most = |kind: &Kind| match kind.squares {
            0 => kind.most,
            squares => kind.most.min(squares.count_ones()),
        };
        let kinds: Vec<Kind> =
            kinds.iter().map(|kind| Kind { most: most(kind), ..*kind }).collect();
        // The first kind is the highest digit of a key.
        let mut weights = vec![0; kinds.len()];
        let mut keys = 1u64;
        for (weight, kind) in weights.iter_mut().zip(&kinds).rev() {
            *weight = keys as u32;
            keys *= u64::from(kind.most) + 1;
            assert!(keys <= 1 << 24, "more than 2^24 combinations of counts");
        }
        let men = kinds.iter().filter(|kind| kind.squares != 0).map(|kind| kind.most);
        let largest = men.max().unwrap_or(0);
        let numbered = (0..).zip(&kinds).zip(&weights);
        let counters = numbered.filter(|((_, kind), _)| kind.squares == 0);
        let counters = counters.map(|((at, _), &weight)| (at, weight)).collect();
        let mut cells = Cells {
            group,
            board,
            bytes: squares.div_ceil(8).max(1),
            weights,
            counters,
            places: vec![ABSENT; keys as usize],
            cells: Vec::new(),
            items: Vec::new(),
            heads: Vec::new(),
            tables: Vec::new(),
            directory: Vec::new(),
            run: 0,
            ones: (squares <= 16).then(ones),
            table: Table::new(squares, 2..=largest),
            states: 0,
            kinds,
        };
        cells.fill(keys as u32, wanted);
        cells.list();
        cells
    }

    fn fill(&mut self, keys: u32, wanted: impl Fn(&[u32]) -> bool) {
        let mut counts = vec![0; self.kinds.len()];
        let mut listed = Vec::new();
        for key in 0..keys {
            for ((count, kind), weight) in counts.iter_mut().zip(&self.kinds).zip(&self.weights) {
                *count = key / weight % (kind.most + 1);
            }
            let men = self.kinds.iter().zip(&counts).filter(|(kind, _)| kind.squares != 0);
            let men: u32 = men.map(|(_, count)| count).sum();
            if men <= self.group.squares() && wanted(&counts) {
                listed.push((men, key, counts.clone()));
            }
        }
        listed.sort_by_key(|&(men, key, _)| (men, key));
        let mut heads = BTreeMap::new();
        for (men, key, counts) in listed {
            if let Some(places) = self.places_of(&counts) {
                self.add(key, self.group.squares() - men, &places, &mut heads);
            }
        }
    }

    /// The kinds on the board in ascending order of their squares, and where each of them is ranked. `None` if they do not fit.
    fn places_of(&self, counts: &[u32]) -> Option<Vec<Place>> {
        let mut men: Vec<(usize, u32)> = counts.iter().copied().enumerate().collect();
        men.retain(|&(kind, size)| size > 0 && self.kinds[kind].squares != 0);
        men.sort_by_key(|&(kind, _)| self.kinds[kind].squares.count_ones());
        let mut places: Vec<Place> = Vec::new();
        for (kind, size) in men {
            let squares = self.kinds[kind].squares;
            let nested = |place: &Place| place.zone & !squares == 0 || place.zone & squares == 0;
            let zone = if places.iter().all(nested) { squares } else { self.board };
            let inside = places.iter().filter(|place| place.zone & zone != 0);
            let taken: u32 = inside.map(|place| place.size).sum();
            let open = zone.count_ones().checked_sub(taken).filter(|&open| open >= size)?;
            places.push(Place { kind, size, zone, open });
        }
        Some(places)
    }

    /// Adds a cell.
    fn add(&mut self, key: u32, free: u32, places: &[Place], heads: &mut Heads) {
        let (len, head) = self.head_for(places, heads);
        let (start, first) = (self.items.len() as u32, self.states);
        self.items.extend(items(&places[..len]).expect("a head has few placements"));
        let tail = items(&places[len..]).expect("2^64 numbers or more");
        let ways = tail.first().map_or(Some(1), |item| item.after.checked_mul(places[len].ways()));
        self.items.extend(tail);
        let classes = self.heads[head].classes();
        let more = ways.and_then(|ways| classes.checked_mul(ways)?.checked_add(first));
        self.states = more.filter(|states| states >> 63 == 0).expect("2^63 numbers or more");
        self.places[key as usize] = self.cells.len() as u32;
        self.cells.push(Cell {
            first,
            tail: ways.unwrap_or(u64::MAX),
            key,
            head: head as u32,
            table: ABSENT,
            items: [start, start + len as u32, self.items.len() as u32],
            free,
            lone: places.len() <= LONE_MAX
                && places.iter().all(|place| place.size == 1 && place.zone == self.board),
            widened: places.iter().any(|place| place.zone != self.kinds[place.kind].squares),
        });
    }

    /// How many kinds the head of a cell has, and the head. A head gets another kind if too many classes have symmetries of their own.
    fn head_for(&mut self, places: &[Place], heads: &mut Heads) -> (usize, usize) {
        let mut len = usize::from(self.group.order() > 1 && !places.is_empty());
        loop {
            let kinds = places[..len].iter().map(|place| (place.zone, place.size)).collect();
            let next = self.heads.len();
            let at = *heads.entry(kinds).or_insert(next);
            if at == next {
                self.heads.push(self.new_head(&places[..len]));
            }
            let head = &self.heads[at];
            let more = places.get(len).map(|place| place.ways() * head.entries.len() as u64);
            let stays = head.fixed_classes() * 4 <= head.classes();
            if len == 0 || stays || more.is_none_or(|more| more > HEADS_MAX) {
                return (len, at);
            }
            len += 1;
        }
    }

    fn new_head(&self, places: &[Place]) -> Head {
        let items = items(places).expect("a head has few placements");
        let count = items.first().map_or(1, |item| item.after.saturating_mul(places[0].ways()));
        assert!(count <= 1 << 26, "more than 2^26 placements of the first kind");
        let ranked = |sets: &[u64]| {
            let mut all = vec![0; self.kinds.len()];
            items.iter().zip(sets).for_each(|(item, &set)| all[usize::from(item.kind)] = set);
            self.rank(&items, self.board, |item| all[usize::from(item.kind)]).0
        };
        let placed = |rank: u64, sets: &mut [u64]| {
            let mut all = vec![0; self.kinds.len()];
            self.unrank(&items, rank, self.board, &mut all);
            items.iter().zip(sets).for_each(|(item, set)| *set = all[usize::from(item.kind)]);
        };
        Head::new(&self.group, places.len(), count, placed, ranked)
    }

    /// Builds the directory, with about one run for each cell.
    fn list(&mut self) {
        let Some(last) = self.cells.len().checked_sub(1) else { return };
        self.run = (self.states / self.cells.len() as u64).max(1).ilog2();
        let mut cell = 0;
        for first in (0..self.states).step_by(1 << self.run) {
            while self.cells.get(cell + 1).is_some_and(|next| next.first <= first) {
                cell += 1;
            }
            self.directory.push(cell as u32);
        }
        self.directory.push(last as u32);
    }
}

/// For the squares and sizes of some kinds, their head.
type Heads = BTreeMap<Vec<(u64, u32)>, usize>;

/// The men of a kind, and the squares among which they are ranked.
struct Place {
    kind: usize,
    size: u32,
    zone: u64,
    /// How many squares of the zone the kinds before leave free.
    open: u32,
}

impl Place {
    fn ways(&self) -> u64 {
        binomial(self.open, self.size)
    }
}

/// The kinds with the number of placements of the later ones. `None` if there are 2^64 or more.
fn items(places: &[Place]) -> Option<Vec<Item>> {
    let mut after = Some(1u64);
    let mut items = Vec::new();
    for place in places.iter().rev() {
        let (kind, size) = (place.kind as u8, place.size as u8);
        items.push(Item { after: after?, zone: place.zone, kind, size });
        after = after?.checked_mul(place.ways());
    }
    items.reverse();
    after.map(|_| items)
}

/// The number of ones of each number of sixteen bits.
fn ones() -> Box<[u8; 1 << 16]> {
    let ones: Vec<u8> = (0..=u16::MAX).map(|set| set.count_ones() as u8).collect();
    ones.into_boxed_slice().try_into().expect("there are 2^16")
}
