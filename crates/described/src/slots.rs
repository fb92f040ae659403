//! Where a position keeps what: a slot for each class, for each hand that does not follow from the rest, and for the side to move.

use std::collections::HashMap;

use retrograde_boards::{Cells, Group, Kind, Position, Recount, binomial};

use crate::TextError;
use crate::board::Set;
use crate::cells::{Cell, start};
use crate::page::Page;
use crate::text::{Test, Text};
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
    /// The hands in use, in the order of their classes.
    pub(crate) hands: Vec<Hand>,
    /// The slots of the men of each player, and his hands.
    pub(crate) men: [Vec<usize>; 2],
    pub(crate) hands_of: [Vec<usize>; 2],
    /// The slot of the side to move.
    pub(crate) side: usize,
    /// For each slot, the most men, and where they can stand.
    pub(crate) most: Vec<u64>,
    pub(crate) zones: Vec<Set>,
    /// For each slot of men, the hand that they come to when they are taken.
    pub(crate) taken_to: Vec<Option<usize>>,
    /// Where men end the game at once if their player is to move: slots and points. No such position has a number.
    pub(crate) ended: [Vec<(usize, Set)>; 2],
    /// The counts of each cell, by slots, and whether its positions have numbers.
    cells: HashMap<Vec<u32>, bool>,
}

/// A hand that can hold men of a class.
#[derive(Clone, Debug)]
pub(crate) struct Hand {
    pub(crate) class: usize,
    /// Where the number of its men stands, unless it follows from the others.
    pub(crate) slot: Option<usize>,
    most: u64,
    /// If it follows: how many men there are in all, and the slots of the others, on the board and in hand.
    total: u64,
    on_board: Vec<usize>,
    in_hand: Vec<usize>,
}

impl Hand {
    /// How many men it holds.
    #[inline(always)]
    pub(crate) fn count<const N: usize>(&self, sets: &[u64; N]) -> u64 {
        let Some(slot) = self.slot else {
            let men = self.on_board.iter().fold(0, |all, &slot| all | sets[slot]);
            let in_hand: u64 = self.in_hand.iter().map(|&slot| sets[slot]).sum();
            return self.total.saturating_sub(u64::from(men.count_ones()) + in_hand);
        };
        sets[slot]
    }

    /// Whether it can hold another man.
    #[inline(always)]
    pub(crate) fn has_room<const N: usize>(&self, sets: &[u64; N]) -> bool {
        self.count(sets) < self.most
    }

    /// Puts a man into it. A hand that follows from the rest has him already.
    #[inline(always)]
    pub(crate) fn put<const N: usize>(&self, cells: &Cells, position: &mut Position<N>) {
        if let Some(slot) = self.slot {
            cells.put(position, slot, 1);
        }
    }

    /// Takes a man out of it.
    #[inline(always)]
    pub(crate) fn lift<const N: usize>(&self, cells: &Cells, position: &mut Position<N>) {
        if let Some(slot) = self.slot {
            cells.lift(position, slot, 1);
        }
    }
}

/// For each class, the least class that it exchanges men with.
fn families(page: &Page) -> Vec<usize> {
    let mut family: Vec<usize> = (0..page.text.classes.len()).collect();
    let mut links: Vec<(usize, usize)> = Vec::new();
    for atom in &page.atoms.all {
        links.push((atom.change.class.into(), atom.change.becomes.into()));
    }
    for (class, fate) in page.atoms.fates.iter().enumerate() {
        links.extend(fate.taken_as.map(|into| (class, usize::from(into))));
    }
    for _ in 0..family.len() {
        for &(a, b) in &links {
            let least = family[a].min(family[b]);
            (family[a], family[b]) = (least, least);
        }
    }
    family
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
        let mut of_class = vec![0; count];
        order.iter().enumerate().for_each(|(slot, &class)| of_class[class] = slot);
        let (hands, side) = hands(page, cells, &of_class, &in_hand);
        if side >= SLOTS_MAX {
            let problem = format!(
                "{count} kinds of men and {} kinds in hand, counted for each player: at most {} in all",
                side - count,
                SLOTS_MAX - 1
            );
            return Place { line: 1, column: 1 }.error(problem);
        }
        let hand_of = |class: usize| hands.iter().position(|hand| hand.class == class);
        let of =
            |player: usize| (0..count).filter(move |&class| text.classes[class].player == player);
        let fate = |&class: &usize| page.atoms.fates[class];
        let taken_to = |class: &usize| fate(class).taken_as.and_then(|class| hand_of(class.into()));
        let kept = hands.iter().filter(|hand| hand.slot.is_some());
        let mut slots = Slots {
            men: [0, 1].map(|player| of(player).map(|class| of_class[class]).collect()),
            hands_of: [0, 1].map(|player| of(player).filter_map(hand_of).collect()),
            most: order
                .iter()
                .map(|&class| on_board(class))
                .chain(kept.map(|hand| in_hand(hand.class)))
                .chain([1])
                .collect(),
            zones: order.iter().map(|class| fate(class).zone).collect(),
            taken_to: order.iter().map(taken_to).collect(),
            ended: [0, 1].map(|player| ended(text, &of_class, player)),
            cells: HashMap::new(),
            hands,
            of_class,
            side,
        };
        let numbered = |cell: &Cell| (slots.counts(cell), !cell.is_over(text));
        slots.cells = cells.iter().map(numbered).collect();
        slots.check(page)?;
        Ok(slots)
    }

    /// How many slots are for classes, and how many for hands.
    pub(crate) fn classes(&self) -> usize {
        self.of_class.len()
    }

    /// The hand of a class, if it can hold men.
    pub(crate) fn hand_of(&self, class: usize) -> Option<usize> {
        self.hands.iter().position(|hand| hand.class == class)
    }

    /// The counts of a cell, by slots.
    pub(crate) fn counts(&self, cell: &Cell) -> Vec<u32> {
        let mut counts = vec![0; self.side + 1];
        for (class, &slot) in self.of_class.iter().enumerate() {
            counts[slot] = cell.board[class].into();
        }
        for hand in &self.hands {
            if let Some(slot) = hand.slot {
                counts[slot] = cell.hand[hand.class].into();
            }
        }
        counts[self.side] = cell.side as u32;
        counts
    }

    /// Whether the position at the start has no number.
    pub(crate) fn is_over_at_start(&self, page: &Page) -> bool {
        let classes = &page.text.classes;
        let mut ended = self.ended[0].iter();
        let starts = |&(slot, zone): &(usize, Set)| {
            let class = self.of_class.iter().position(|&other| other == slot);
            class.is_some_and(|class| classes[class].start & zone != 0)
        };
        ended.any(starts) || start(&page.text).is_over(&page.text)
    }

    /// Whether some cell has these counts, also if the game is over there.
    pub(crate) fn has_cell(&self, counts: &[u32]) -> bool {
        self.cells.contains_key(counts)
    }

    fn is_numbered(&self, counts: &[u32]) -> bool {
        self.cells.get(counts) == Some(&true)
    }

    /// Whether the player to move has a man where this ends the game.
    #[inline(always)]
    pub(crate) fn has_ended<const N: usize>(&self, sets: &[u64; N]) -> bool {
        let ended = &self.ended[sets[self.side] as usize];
        ended.iter().any(|&(slot, zone)| sets[slot] & zone != 0)
    }

    /// Refuses a text with too many numbers.
    fn check(&self, page: &Page) -> Result<(), TextError> {
        let points = u32::from(page.text.board.len());
        let keys = self.most.iter().try_fold(1u64, |all, most| all.checked_mul(most + 1));
        let numbers = self.cells.keys().try_fold(0u64, |sum, counts| {
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
    pub(crate) fn are_exact(&self, text: &Text) -> bool {
        let nested = |a: &Set, b: &Set| a & !b == 0 || b & !a == 0 || a & b == 0;
        self.zones.iter().all(|zone| self.zones.iter().all(|other| nested(zone, other)))
            && self.ended.iter().all(Vec::is_empty)
            && !text.classes.iter().any(|class| class.royal)
    }

    /// The numbering of all positions. With `fold`, symmetric positions share a number.
    pub(crate) fn cells(&self, page: &Page, fold: bool) -> Cells {
        let points = u32::from(page.text.board.len());
        let wanted = |counts: &[u32]| {
            let other = || self.exchanged(page, counts);
            let is_second = fold && counts[self.side] == 1;
            self.is_numbered(counts)
                && !(is_second && other().is_some_and(|other| self.is_numbered(&other)))
        };
        // If only the first player is ever to move, men never stand where that ends the game.
        let mut numbered = self.cells.keys().filter(|counts| wanted(counts));
        let ended = match numbered.all(|counts| counts[self.side] == 0) {
            true => &*self.ended[0],
            false => &[],
        };
        let zone = |slot: usize, whole: Set| {
            let own = ended.iter().filter(|(other, _)| *other == slot);
            let rest = own.fold(whole, |zone, (_, end)| zone & !end);
            // Other positions have all their men, too, and the numbering must know how many there can be.
            if u64::from(rest.count_ones()) < self.most[slot] { whole } else { rest }
        };
        let kinds: Vec<Kind> = (0..=self.side)
            .map(|slot| match self.zones.get(slot) {
                Some(&whole) => Kind::on(zone(slot, whole), self.most[slot] as u32),
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
        Cells::new(group, &kinds, wanted)
    }

    /// The counts after the players have changed roles, if they can.
    pub(crate) fn exchanged(&self, page: &Page, counts: &[u32]) -> Option<Vec<u32>> {
        let (_, partners) = page.symmetries.exchange.as_ref()?;
        let mut after = vec![0; counts.len()];
        for (class, &partner) in partners.iter().enumerate() {
            after[self.of_class[usize::from(partner)]] = counts[self.of_class[class]];
        }
        let in_hand = |hand: &Hand| match hand.slot {
            Some(slot) => counts[slot],
            None => {
                let others = hand.on_board.iter().chain(&hand.in_hand).map(|&slot| counts[slot]);
                (hand.total as u32).saturating_sub(others.sum())
            }
        };
        for hand in &self.hands {
            let other = self.hand_of(partners[hand.class].into());
            if let (Some(slot), Some(other)) = (hand.slot, other) {
                after[slot] = in_hand(&self.hands[other]);
            }
        }
        after[self.side] = 1 - counts[self.side];
        Some(after)
    }

    /// How many positions the counts stand for, beside those of one symmetry: 2 if the players can change roles.
    pub(crate) fn weight(&self, page: &Page, counts: &[u32]) -> u64 {
        let other = self.exchanged(page, counts);
        1 + u64::from(other.is_some_and(|other| self.is_numbered(&other)))
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
        let mut men = [0; N];
        for (set, &partner) in men.iter_mut().zip(&exchange.partners) {
            *set = exchange.image(sets[partner]);
        }
        cells.with_recount(&exchange.counts, position, men)
    }
}

/// The points where men of a player end the game at once if the player is to move.
fn ended(text: &Text, of_class: &[usize], player: usize) -> Vec<(usize, Set)> {
    let reaches = text.ends.iter().filter(|end| end.player == player);
    let reaches = reaches.filter_map(|end| match end.test {
        Test::Reach { class, zone, safe: true } => Some((of_class[class], zone)),
        _ => None,
    });
    reaches.collect()
}

/// The hands in use, and the first slot behind theirs. The number of men in hand follows if some men only ever become each other: then
/// the last hand of these men needs no slot.
fn hands(
    page: &Page,
    cells: &[Cell],
    of_class: &[usize],
    most: &dyn Fn(usize) -> u64,
) -> (Vec<Hand>, usize) {
    let families = &families(page);
    let count = of_class.len();
    let members = |family: usize| (0..count).filter(move |&class| families[class] == family);
    let men = |cell: &Cell, family: usize| -> u64 {
        members(family).map(|at| u64::from(cell.board[at]) + u64::from(cell.hand[at])).sum()
    };
    let total = |family: usize| cells.first().map_or(0, |cell| men(cell, family));
    let is_constant = |family: usize| cells.iter().all(|cell| men(cell, family) == total(family));
    // If the players change roles, what follows for one must follow for the other.
    let partner = |class: usize| match &page.symmetries.exchange {
        Some((_, partners)) => usize::from(partners[class]),
        None => class,
    };
    let mut side = count;
    let mut hands: Vec<Hand> = Vec::new();
    for class in (0..count).filter(|&class| most(class) > 0) {
        let family = families[class];
        let is_last = members(family).filter(|&other| most(other) > 0).last() == Some(class);
        let follows = is_last && is_constant(family) && is_constant(families[partner(class)]);
        let others = hands.iter().filter(|hand| families[hand.class] == family);
        let in_hand = others.filter_map(|hand| hand.slot).collect();
        let on_board = members(family).map(|class| of_class[class]).collect();
        let slot = (!follows).then_some(side);
        side += usize::from(!follows);
        let (most, total) = (most(class), total(family));
        hands.push(Hand { class, slot, most, total, on_board, in_hand });
    }
    (hands, side)
}

/// How the players change roles.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    /// For each slot of men, the slot whose men it gets.
    partners: Vec<usize>,
    counts: Recount,
    /// The permutation of the points, unless it is the identity.
    turn: Option<(Group, usize)>,
}

impl Exchange {
    /// The exchange of a text, if it has one.
    pub(crate) fn new(page: &Page, slots: &Slots, cells: &Cells) -> Option<Exchange> {
        let (images, classes) = page.symmetries.exchange.as_ref()?;
        let mut partners = vec![0; slots.classes()];
        for (class, &partner) in classes.iter().enumerate() {
            partners[slots.of_class[class]] = slots.of_class[usize::from(partner)];
        }
        let counts = cells.recount(|counts| slots.exchanged(page, counts).unwrap_or_default());
        let points = images.len() as u32;
        let group = Group::generated(points, std::slice::from_ref(images));
        let turns = |&element: &usize| {
            (0..points).all(|at| group.square_of(element, at) == u32::from(images[at as usize]))
        };
        let element = (0..group.order()).find(turns).unwrap_or(0);
        let turn = (element != 0).then_some((group, element));
        Some(Exchange { partners, counts, turn })
    }

    #[inline(always)]
    fn image(&self, set: Set) -> Set {
        match &self.turn {
            None => set,
            Some((group, element)) => group.image(*element, set),
        }
    }
}
