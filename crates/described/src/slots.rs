//! Where a position keeps what: a slot for each class, for each hand in use, and for the side to move.

use std::collections::HashSet;

use retrograde_boards::{Cells, Group, Kind, Position, binomial};

use crate::TextError;
use crate::board::Set;
use crate::cells::Cell;
use crate::page::Page;
use crate::words::Place;

/// The most slots of a text.
pub(crate) const SLOTS_MAX: usize = 20;
/// The most combinations of numbers of men, and the most numbers.
const KEYS_MAX: u64 = 1 << 22;
const NUMBERS_MAX: u64 = 1 << 40;
/// The most placements of one class in a numbering with symmetries, which keeps a table of those of the first class.
const PLACEMENTS_MAX: u64 = 1 << 22;

/// The slots of a text. The classes come first, those with the fewest men first, then the hands, and the side to move last.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    /// The slot of each class.
    pub(crate) of_class: Vec<usize>,
    /// The slot of the hand of each class, if some man can be in it.
    hand_of: Vec<Option<usize>>,
    /// The slots of the men of each player, and of his hands.
    pub(crate) men: [Vec<usize>; 2],
    pub(crate) hands: [Vec<usize>; 2],
    /// The slot of the side to move.
    pub(crate) side: usize,
    /// For each slot, the most men, and where they can stand.
    pub(crate) most: Vec<u64>,
    pub(crate) zones: Vec<Set>,
    /// For each slot of men, the slot of the hand that they come to when they are taken.
    pub(crate) taken_to: Vec<Option<usize>>,
    /// The counts of each cell, by slots.
    cells: HashSet<Vec<u32>>,
}

impl Slots {
    /// Chooses the slots, from the text alone. `cells` are all cells.
    pub(crate) fn new(page: &Page, cells: &[Cell]) -> Result<Slots, TextError> {
        let text = &page.text;
        let count = text.classes.len();
        let partner = |class: usize| match &page.symmetries.exchange {
            Some((_, partners)) => usize::from(partners[class]),
            None => class,
        };
        // Classes that change roles have as many men.
        let most_of = |of: &dyn Fn(&Cell, usize) -> u8, class: usize| {
            let counts = cells.iter().flat_map(|cell| [of(cell, class), of(cell, partner(class))]);
            u64::from(counts.max().unwrap_or(0))
        };
        let on_board = |class| most_of(&|cell, class| cell.board[class], class);
        let in_hand = |class| most_of(&|cell, class| cell.hand[class], class);
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&class| (on_board(class), class));
        let hands: Vec<usize> = (0..count).filter(|&class| in_hand(class) > 0).collect();
        let side = count + hands.len();
        if side >= SLOTS_MAX {
            let problem = format!(
                "{count} kinds of men and {} kinds in hand, counted for each player: at most {} in all",
                hands.len(),
                SLOTS_MAX - 1
            );
            return Place { line: 1, column: 1 }.error(problem);
        }
        let mut of_class = vec![0; count];
        order.iter().enumerate().for_each(|(slot, &class)| of_class[class] = slot);
        let hand_of =
            |class: usize| hands.iter().position(|&hand| hand == class).map(|at| count + at);
        let hand_of: Vec<Option<usize>> = (0..count).map(hand_of).collect();
        let of =
            |player: usize| (0..count).filter(move |&class| text.classes[class].player == player);
        let fate = |&class: &usize| page.atoms.fates[class];
        let taken_to =
            |class: &usize| fate(class).taken_as.and_then(|class| hand_of[usize::from(class)]);
        let mut slots = Slots {
            men: [0, 1].map(|player| of(player).map(|class| of_class[class]).collect()),
            hands: [0, 1].map(|player| of(player).filter_map(|class| hand_of[class]).collect()),
            most: order
                .iter()
                .map(|&class| on_board(class))
                .chain(hands.iter().map(|&class| in_hand(class)))
                .chain([1])
                .collect(),
            zones: order.iter().map(|class| fate(class).zone).collect(),
            taken_to: order.iter().map(taken_to).collect(),
            cells: HashSet::new(),
            of_class,
            hand_of,
            side,
        };
        slots.cells = cells.iter().map(|cell| slots.counts(cell)).collect();
        slots.check(page)?;
        Ok(slots)
    }

    /// How many slots are for classes, and how many for hands.
    pub(crate) fn classes(&self) -> usize {
        self.of_class.len()
    }

    pub(crate) fn hands(&self) -> usize {
        self.side - self.classes()
    }

    /// The slot of the hand of a class.
    pub(crate) fn hand_of(&self, class: usize) -> Option<usize> {
        self.hand_of[class]
    }

    fn counts(&self, cell: &Cell) -> Vec<u32> {
        let mut counts = vec![0; self.side + 1];
        for (class, &slot) in self.of_class.iter().enumerate() {
            counts[slot] = cell.board[class].into();
            if let Some(hand) = self.hand_of[class] {
                counts[hand] = cell.hand[class].into();
            }
        }
        counts[self.side] = cell.side as u32;
        counts
    }

    /// Refuses a text with too many numbers.
    fn check(&self, page: &Page) -> Result<(), TextError> {
        let points = u32::from(page.text.board.len());
        let keys = self.most.iter().try_fold(1u64, |all, most| all.checked_mul(most + 1));
        let numbers = self.cells.iter().try_fold(0u64, |sum, counts| {
            let (mut free, mut ways) = (points, 1u64);
            for &count in &counts[..self.classes()] {
                ways = ways.checked_mul(binomial(free, count))?;
                free -= count;
            }
            sum.checked_add(ways)
        });
        let fits = |number: Option<u64>, most: u64| number.is_some_and(|number| number <= most);
        if fits(keys, KEYS_MAX) && fits(numbers, NUMBERS_MAX) {
            return Ok(());
        }
        Place { line: 1, column: 1 }.error("the game has more than 2^40 positions, or 2^22 combinations of men: use fewer men or points")
    }

    /// Whether every number of the plain numbering stands for a position.
    pub(crate) fn are_exact(&self) -> bool {
        let nested = |a: &Set, b: &Set| a & !b == 0 || b & !a == 0 || a & b == 0;
        self.zones.iter().all(|zone| self.zones.iter().all(|other| nested(zone, other)))
    }

    /// The numbering of all positions. With `fold`, symmetric positions share a number.
    pub(crate) fn cells(&self, page: &Page, fold: bool) -> Cells {
        let points = u32::from(page.text.board.len());
        let kinds: Vec<Kind> = (0..=self.side)
            .map(|slot| match self.zones.get(slot) {
                Some(&zone) => Kind::on(zone, self.most[slot] as u32),
                None => Kind::counter(self.most[slot] as u32),
            })
            .collect();
        let few = |(&zone, &most): (&Set, &u64)| {
            (0..=most as u32).all(|count| binomial(zone.count_ones(), count) <= PLACEMENTS_MAX)
        };
        let group = match fold && self.zones.iter().zip(&self.most).all(few) {
            true => Group::generated(points, &page.symmetries.all),
            false => Group::trivial(points),
        };
        Cells::new(group, &kinds, |counts| {
            let is_second = counts[self.side] == 1;
            self.cells.contains(counts)
                && !(fold
                    && is_second
                    && self
                        .exchanged(page, counts)
                        .is_some_and(|other| self.cells.contains(&other)))
        })
    }

    /// The counts after the players have changed roles, if they can.
    fn exchanged(&self, page: &Page, counts: &[u32]) -> Option<Vec<u32>> {
        let (_, partners) = page.symmetries.exchange.as_ref()?;
        let mut after = vec![0; counts.len()];
        for (class, &partner) in partners.iter().enumerate() {
            let partner = usize::from(partner);
            after[self.of_class[partner]] = counts[self.of_class[class]];
            if let (Some(hand), Some(other)) = (self.hand_of[class], self.hand_of[partner]) {
                after[other] = counts[hand];
            }
        }
        after[self.side] = 1 - counts[self.side];
        Some(after)
    }

    /// How many positions the counts stand for, beside those of one symmetry: 2 if the players can change roles.
    pub(crate) fn weight(&self, page: &Page, counts: &[u32]) -> u64 {
        let other = self.exchanged(page, counts);
        1 + u64::from(other.is_some_and(|other| self.cells.contains(&other)))
    }

    /// A position after the players have changed roles.
    #[inline(always)]
    pub(crate) fn exchange<const N: usize>(
        &self,
        cells: &Cells,
        exchange: &Exchange,
        position: &Position<N>,
    ) -> Position<N> {
        let sets = position.sets();
        cells.with_sets(std::array::from_fn(|slot| match exchange.partners.get(slot) {
            None if slot == self.side => 1 - sets[slot],
            None => 0,
            Some(&partner) if slot < self.classes() => exchange.image(sets[partner]),
            Some(&partner) => sets[partner],
        }))
    }
}

/// How the players change roles.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    /// For each slot of men and hands, the slot whose men it gets.
    partners: Vec<usize>,
    /// The permutation of the points, unless it is the identity.
    turn: Option<(Group, usize)>,
}

impl Exchange {
    /// The exchange of a text, if it has one.
    pub(crate) fn new(page: &Page, slots: &Slots) -> Option<Exchange> {
        let (images, partners) = page.symmetries.exchange.as_ref()?;
        let mut sources = vec![0; slots.side];
        for (class, &partner) in partners.iter().enumerate() {
            let partner = usize::from(partner);
            sources[slots.of_class[class]] = slots.of_class[partner];
            if let (Some(hand), Some(other)) = (slots.hand_of[class], slots.hand_of[partner]) {
                sources[hand] = other;
            }
        }
        let points = images.len() as u32;
        let group = Group::generated(points, std::slice::from_ref(images));
        let turns = |&element: &usize| {
            (0..points).all(|at| group.square_of(element, at) == u32::from(images[at as usize]))
        };
        let element = (0..group.order()).find(turns).unwrap_or(0);
        let turn = (element != 0).then_some((group, element));
        Some(Exchange { partners: sources, turn })
    }

    #[inline(always)]
    fn image(&self, set: Set) -> Set {
        match &self.turn {
            None => set,
            Some((group, element)) => group.image(*element, set),
        }
    }
}
