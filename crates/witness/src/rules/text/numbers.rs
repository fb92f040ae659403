//! The numbers of positions, by the section *How positions are numbered* of docs/texts.md.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::cells::{Cell, reachable};
use super::symmetry::{Form, Permutation, image};
use super::ways::{Ways, ways};
use crate::interpreter::{CLASSES_MAX, Interpreter, Placement, Test, points};

/// The most placements of a class, if symmetric positions share a number.
const PLACEMENTS_MAX: u64 = 1 << 22;
/// The most placements of a head of several classes.
const HEADS_MAX: u64 = 1 << 12;
/// The most numbers.
const STATES_MAX: u64 = 1 << 40;

/// The counts of a cell by slots.
type Counts = Vec<u32>;

pub(crate) struct Numbers {
    /// The class of each slot of men, and of each slot of a hand.
    order: Vec<usize>,
    hands: Vec<usize>,
    rests: Vec<Rest>,
    board: u64,
    symmetries: Vec<Permutation>,
    exchange: Option<(Permutation, Vec<usize>)>,
    /// For each player, classes and points: a man that stands there ends the game if its player is to move.
    ended: [Vec<(usize, u64)>; 2],
    /// Which counts are those of valid positions.
    valid: HashMap<Counts, bool>,
    /// The cells with numbers, in their order, and the place of each.
    cells: Vec<Numbered>,
    places: HashMap<Counts, usize>,
    states: u64,
    binomials: Vec<[u64; 65]>,
}

/// A hand without a slot.
struct Rest {
    class: usize,
    /// The classes whose men can become each other, and how many these are in all.
    family: Vec<usize>,
    total: u32,
}

/// A cell with numbers.
struct Numbered {
    first: u64,
    counts: Counts,
    kinds: Vec<Kind>,
    /// How many of the kinds are its head.
    head: usize,
    classes: Arc<Head>,
    /// How many numbers each class of heads has.
    tail: u64,
}

/// The men of a class in a cell.
#[derive(Clone, Copy)]
struct Kind {
    class: usize,
    size: u32,
    /// Where they are ranked, and where they can stand.
    ranked: u64,
    zone: u64,
    /// In how many ways they can stand.
    ways: u64,
}

/// Heads that are images of each other are a class. Its *least* is the head with the least rank.
struct Head {
    /// For each rank, its class, and the symmetries that map it to the least of the class: a bit for each.
    places: Vec<(u32, u128)>,
    leasts: Vec<u64>,
}

impl Numbers {
    pub(crate) fn new(game: &Interpreter) -> Result<Numbers, String> {
        let many = || "its text makes too many combinations of men".to_owned();
        let (ways, zones) = ways(game).ok_or_else(many)?;
        let all = reachable(game, &ways).ok_or_else(many)?;
        let form = Form { game, ways: &ways, zones: &zones };
        let exchange = form.exchange();
        let count = game.classes.len();
        let partner = |class: usize| exchange.as_ref().map_or(class, |(_, to)| to[class]);
        let most = |of: &dyn Fn(&Cell, usize) -> u32, class: usize| {
            let counts = all.iter().map(|cell| of(cell, class).max(of(cell, partner(class))));
            counts.max().unwrap_or(0)
        };
        let on_board = (0..count).map(|class| most(&|cell, class| cell.board[class], class));
        let on_board: Vec<u32> = on_board.collect();
        let in_hand = |class| most(&|cell, class| cell.hand[class], class);
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&class| (on_board[class], class));
        let (hands, rests) = hands(game, &ways, &all, &|class| in_hand(class) > 0, &partner);

        let ended = [0, 1].map(|player| {
            let reach = |test: &Test| match *test {
                Test::Reach { class, zone, safe: true } => Some((class, zone)),
                _ => None,
            };
            let own = game.wins.iter().filter(|win| win.player == player);
            own.filter_map(|win| reach(&win.test)).collect::<Vec<_>>()
        });
        let binomials = binomials();
        let few = |&class: &usize| {
            let points = zones[class].count_ones() as usize;
            (0..=on_board[class] as usize)
                .all(|size| binomials[points].get(size).is_none_or(|ways| *ways <= PLACEMENTS_MAX))
        };
        let symmetries = match order.iter().all(few) {
            true => form.symmetries(),
            false => vec![(0..game.board.len()).collect()],
        };
        let mut numbers = Numbers {
            order,
            hands,
            rests,
            board: game.board.all(),
            symmetries,
            exchange,
            ended,
            valid: HashMap::new(),
            cells: Vec::new(),
            places: HashMap::new(),
            states: 0,
            binomials,
        };
        for cell in &all {
            let counts = numbers.counts(cell.side, &cell.board, &cell.hand);
            numbers.valid.insert(counts, cell.is_valid(game));
        }
        let mut counts: Vec<Counts> = numbers.valid.keys().cloned().collect();
        counts.retain(|counts| numbers.is_valid(counts) && !numbers.has_other(counts));
        let men = |counts: &Counts| counts[..count].iter().sum::<u32>();
        counts.sort_by_cached_key(|counts| (men(counts), counts.clone()));
        // If only the first player is ever to move, men never stand where that ends the game.
        let first_only = counts.iter().all(|counts| counts[counts.len() - 1] == 0);
        let zone = |class: usize| {
            let ended = numbers.ended[0].iter().filter(|(other, _)| first_only && *other == class);
            let rest = ended.fold(zones[class], |zone, (_, points)| zone & !points);
            if rest.count_ones() < on_board[class] { zones[class] } else { rest }
        };
        let zones: Vec<u64> = (0..count).map(zone).collect();
        let mut heads = BTreeMap::new();
        for counts in counts {
            numbers.add(counts, &zones, &mut heads).ok_or_else(many)?;
        }
        Ok(numbers)
    }

    /// How many numbers there are.
    pub(crate) fn states(&self) -> u64 {
        self.states
    }

    /// The counts of slots.
    fn counts(&self, side: usize, board: &[u32], hand: &[u32]) -> Counts {
        let men = self.order.iter().map(|&class| board[class]);
        men.chain(self.hands.iter().map(|&class| hand[class])).chain([side as u32]).collect()
    }

    fn is_valid(&self, counts: &Counts) -> bool {
        self.valid.get(counts) == Some(&true)
    }

    /// The men in hand of each class.
    fn in_hand(&self, counts: &Counts) -> [u32; CLASSES_MAX] {
        let (mut hand, mut board) = ([0; CLASSES_MAX], [0; CLASSES_MAX]);
        self.order.iter().zip(counts).for_each(|(&class, &count)| board[class] = count);
        let in_hand = &counts[self.order.len()..];
        self.hands.iter().zip(in_hand).for_each(|(&class, &count)| hand[class] = count);
        for Rest { class, family, total } in &self.rests {
            let others: u32 = family.iter().map(|&class| board[class] + hand[class]).sum();
            hand[*class] = total.saturating_sub(others);
        }
        hand
    }

    /// Whether a cell of the second player shares its numbers with one of the first.
    fn has_other(&self, counts: &Counts) -> bool {
        let side = counts[counts.len() - 1] as usize;
        let Some((_, partners)) = self.exchange.as_ref().filter(|_| side == 1) else {
            return false;
        };
        let (mut board, mut hand) = ([0; CLASSES_MAX], [0; CLASSES_MAX]);
        self.order.iter().zip(counts).for_each(|(&class, &count)| board[partners[class]] = count);
        let in_hand = self.in_hand(counts);
        partners.iter().zip(in_hand).for_each(|(&partner, count)| hand[partner] = count);
        self.is_valid(&self.counts(0, &board, &hand))
    }

    /// Adds a cell. `None` if there are too many numbers.
    fn add(
        &mut self,
        counts: Counts,
        zones: &[u64],
        heads: &mut BTreeMap<Vec<(u64, u32)>, Arc<Head>>,
    ) -> Option<()> {
        let mut men: Vec<(usize, u32)> =
            self.order.iter().copied().zip(counts.iter().copied()).collect();
        men.retain(|(_, size)| *size > 0);
        men.sort_by_key(|&(class, _)| zones[class].count_ones());
        let mut kinds: Vec<Kind> = Vec::new();
        for (class, size) in men {
            let zone = zones[class];
            let nested = |kind: &Kind| kind.ranked & !zone == 0 || kind.ranked & zone == 0;
            let ranked = if kinds.iter().all(nested) { zone } else { self.board };
            let inside = kinds.iter().filter(|kind| kind.ranked & ranked != 0);
            let taken: u32 = inside.map(|kind| kind.size).sum();
            // Such a cell has no position.
            let Some(open) = ranked.count_ones().checked_sub(taken) else { return Some(()) };
            if open < size {
                return Some(());
            }
            let ways = self.binomials[open as usize][size as usize];
            kinds.push(Kind { class, size, ranked, zone, ways });
        }
        let mut head = usize::from(self.symmetries.len() > 1 && !kinds.is_empty());
        let classes = loop {
            let key = kinds[..head].iter().map(|kind| (kind.ranked, kind.size)).collect();
            let known = match heads.get(&key) {
                Some(known) => Arc::clone(known),
                None => {
                    let new = Arc::new(self.head(&kinds[..head])?);
                    Arc::clone(heads.entry(key).or_insert(new))
                }
            };
            let symmetric = |least: &&u64| known.places[**least as usize].1.count_ones() > 1;
            let symmetric = known.leasts.iter().filter(symmetric).count();
            let more = kinds.get(head).map(|kind| kind.ways * known.places.len() as u64);
            let few = symmetric * 4 <= known.leasts.len();
            if head == 0 || few || more.is_none_or(|more| more > HEADS_MAX) {
                break known;
            }
            head += 1;
        };
        let ways = kinds[head..].iter().try_fold(1u64, |ways, kind| ways.checked_mul(kind.ways))?;
        let more = ways.checked_mul(classes.leasts.len() as u64)?;
        let first = self.states;
        self.states = first.checked_add(more).filter(|states| *states <= STATES_MAX)?;
        self.places.insert(counts.clone(), self.cells.len());
        self.cells.push(Numbered { first, counts, kinds, head, classes, tail: ways });
        Some(())
    }

    /// The classes of the placements of some kinds.
    fn head(&self, kinds: &[Kind]) -> Option<Head> {
        let count = kinds.iter().try_fold(1u64, |ways, kind| ways.checked_mul(kind.ways))?;
        if count > 1 << 26 {
            return None;
        }
        let mut head = Head { places: vec![(0, 0); count as usize], leasts: Vec::new() };
        for rank in 0..count {
            let men = self.unranked(kinds, rank, self.board).0;
            let images = self.symmetries.iter();
            let images: Vec<u64> = images
                .map(|turn| self.ranked(kinds, turn, &men, self.board).map(|(rank, _)| rank))
                .collect::<Option<_>>()?;
            let least = *images.iter().min()?;
            let class = match rank == least {
                true => head.leasts.len() as u32,
                false => head.places[least as usize].0,
            };
            head.leasts.extend((rank == least).then_some(rank));
            let leading = (0..images.len()).filter(|&at| images[at] == least);
            head.places[rank as usize] = (class, leading.fold(0, |set, at| set | 1 << at));
        }
        Some(head)
    }

    /// The rank of the image of some men among free points, and the points that stay free. `None` if one stands where it
    /// cannot.
    fn ranked(
        &self,
        kinds: &[Kind],
        turn: &[usize],
        men: &[u64; CLASSES_MAX],
        free: u64,
    ) -> Option<(u64, u64)> {
        let (mut free, mut rank) = (free, 0);
        for kind in kinds {
            let (set, open) = (image(turn, men[kind.class]), free & kind.ranked);
            if set & !open != 0 || set.count_ones() != kind.size {
                return None;
            }
            let below = |point: usize| (open & ((1 << point) - 1)).count_ones() as usize;
            let own = (1..).zip(points(set)).map(|(i, point)| self.binomials[below(point)][i]);
            rank = rank * kind.ways + own.sum::<u64>();
            free &= !set;
        }
        Some((rank, free))
    }

    /// The men of a rank, if only some points are free. Also the points that stay free.
    fn unranked(&self, kinds: &[Kind], rank: u64, free: u64) -> ([u64; CLASSES_MAX], u64) {
        let (mut men, mut free) = ([0; CLASSES_MAX], free);
        let mut ways: u64 = kinds.iter().map(|kind| kind.ways).product();
        let mut rest = rank;
        for kind in kinds {
            ways /= kind.ways;
            let (mut own, open) = (rest / ways, free & kind.ranked);
            rest %= ways;
            // The open points, the highest first.
            let mut below = open.count_ones() as usize;
            let mut size = kind.size as usize;
            let mut left = open;
            while size > 0 {
                below -= 1;
                let point = 63 - left.leading_zeros();
                left &= !(1 << point);
                if self.binomials[below][size] <= own {
                    own -= self.binomials[below][size];
                    men[kind.class] |= 1 << point;
                    size -= 1;
                }
            }
            free &= !men[kind.class];
        }
        (men, free)
    }

    /// The number of a position, and of all that are like it. `None` if it has none.
    pub(crate) fn number(&self, position: &Placement) -> Option<u64> {
        if self.has_ended(position) {
            return None;
        }
        let (place, position) = match self.place(position) {
            Some(place) => (place, *position),
            None => {
                let other = self.exchanged(position)?;
                (self.place(&other)?, other)
            }
        };
        let Numbered { first, kinds, head, classes, tail, .. } = &self.cells[place];
        let (head, others) = kinds.split_at(*head);
        let (rank, free) = self.ranked(head, &self.symmetries[0], &position.men, self.board)?;
        let (class, leading) = classes.places[rank as usize];
        // The least rank of the other men, of all images with the least head.
        let mut least = u64::MAX;
        for (at, turn) in self.symmetries.iter().enumerate() {
            if leading >> at & 1 != 0 {
                let free = image(turn, free);
                least = least.min(self.ranked(others, turn, &position.men, free)?.0);
            }
        }
        Some(first + u64::from(class) * tail + least)
    }

    /// The cell of a position, if it has numbers.
    fn place(&self, position: &Placement) -> Option<usize> {
        self.places.get(&self.counts_of(position)).copied()
    }

    fn counts_of(&self, position: &Placement) -> Counts {
        let board = position.men.map(u64::count_ones);
        self.counts(position.side, &board, &position.hand.map(u32::from))
    }

    /// Whether the player to move has a man where that ends the game.
    fn has_ended(&self, position: &Placement) -> bool {
        let ended = &self.ended[position.side];
        ended.iter().any(|&(class, zone)| position.men[class] & zone != 0)
    }

    /// The position after the players have changed roles, if they can.
    fn exchanged(&self, position: &Placement) -> Option<Placement> {
        let (turn, partners) = self.exchange.as_ref()?;
        let mut other = Placement { side: 1 - position.side, ..Placement::default() };
        for (class, &partner) in partners.iter().enumerate() {
            other.men[partner] = image(turn, position.men[class]);
            other.hand[partner] = position.hand[class];
        }
        Some(other)
    }

    /// The position of a number. `None` if it stands for none.
    pub(crate) fn position(&self, number: u64) -> Option<Placement> {
        let cell = self.cells.partition_point(|cell| cell.first <= number).checked_sub(1)?;
        let Numbered { first, counts, kinds, head, classes, tail } = &self.cells[cell];
        let least = *classes.leasts.get(((number - first) / tail) as usize)?;
        let (mut men, free) = self.unranked(&kinds[..*head], least, self.board);
        let (others, _) = self.unranked(&kinds[*head..], (number - first) % tail, free);
        men.iter_mut().zip(others).for_each(|(men, others)| *men |= others);
        if kinds.iter().any(|kind| men[kind.class] & !kind.zone != 0) {
            return None;
        }
        let hand = self.in_hand(counts).map(|count| count as u16);
        let position = Placement { side: counts[counts.len() - 1] as usize, men, hand };
        (self.number(&position) == Some(number)).then_some(position)
    }

    /// Visits all positions that share the number of a position.
    pub(crate) fn each_like(&self, position: &Placement, mut visit: impl FnMut(&Placement)) {
        let other = self.exchanged(position);
        let other = other.filter(|other| self.is_valid(&self.counts_of(other)));
        for position in [Some(*position), other].into_iter().flatten() {
            for turn in &self.symmetries {
                visit(&Placement { men: position.men.map(|set| image(turn, set)), ..position });
            }
        }
    }
}

/// The hands that have a slot, and those that follow from the rest.
fn hands(
    game: &Interpreter,
    ways: &Ways,
    cells: &[Cell],
    is_used: &dyn Fn(usize) -> bool,
    partner: &dyn Fn(usize) -> usize,
) -> (Vec<usize>, Vec<Rest>) {
    let count = game.classes.len();
    // Classes whose men can become each other.
    let links = ways.keys().map(|change| (change.class, change.becomes));
    let taken = (0..count).filter_map(|class| Some((class, game.taken_as[class]?)));
    let links: Vec<(usize, usize)> = links.chain(taken).collect();
    let mut family: Vec<usize> = (0..count).collect();
    for &(a, b) in &links {
        let [a, b] = [family[a], family[b]];
        family.iter_mut().filter(|each| **each == a).for_each(|each| *each = b);
    }
    let (mut hands, mut rests) = (Vec::new(), Vec::new());
    for class in (0..count).filter(|&class| is_used(class)) {
        let members: Vec<usize> = (0..count).filter(|&at| family[at] == family[class]).collect();
        let men = |cell: &Cell, family_of: usize| -> u32 {
            let members = (0..count).filter(|&at| family[at] == family[family_of]);
            members.map(|class| cell.board[class] + cell.hand[class]).sum()
        };
        let total = |class: usize| cells.first().map_or(0, |cell| men(cell, class));
        let is_constant = |class: usize| cells.iter().all(|cell| men(cell, class) == total(class));
        let is_last = members.iter().rfind(|&&class| is_used(class)) == Some(&class);
        match is_last && is_constant(class) && is_constant(partner(class)) {
            true => rests.push(Rest { class, total: total(class), family: members }),
            false => hands.push(class),
        }
    }
    (hands, rests)
}

/// For each number of points, in how many ways so many men stand on them.
fn binomials() -> Vec<[u64; 65]> {
    let mut all = vec![[0; 65]; 65];
    for points in 0..=64 {
        all[points][0] = 1;
        for size in 1..=points {
            all[points][size] = all[points - 1][size - 1] + all[points - 1][size];
        }
    }
    all
}
