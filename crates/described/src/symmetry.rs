//! The permutations of the points that keep all moves and all ends, and one that also swaps the players.

use std::collections::{BTreeMap, HashSet};

use crate::atoms::{Atom, Atoms, Condition, Never, OFF};
use crate::board::Set;
use crate::text::{End, Test, Text};

/// The most symmetries that are used.
const SYMMETRIES_MAX: usize = 128;
/// How many comparisons a search makes.
const COST_MAX: usize = 1 << 26;

/// The symmetries of a text.
#[derive(Clone, Debug)]
pub(crate) struct Symmetries {
    /// For each, the image of each point. The identity is one of them.
    pub(crate) all: Vec<Vec<u8>>,
    /// There are too many, or the search took too long. So only the identity is used.
    pub(crate) unused: bool,
    /// A permutation with which the players change roles, and for each class the one that it becomes.
    pub(crate) exchange: Option<(Vec<u8>, Vec<u8>)>,
}

impl Symmetries {
    /// Searches for them. If there are too many, or the search takes too long, only the identity is used.
    pub(crate) fn new(text: &Text, atoms: &Atoms) -> Symmetries {
        let identity: Vec<u8> = (0..text.board.len()).collect();
        let same: Vec<u8> = (0..text.classes.len() as u8).collect();
        let all = Search::new(text, atoms, same).all(SYMMETRIES_MAX + 1);
        let all = all.filter(|all| all.len() <= SYMMETRIES_MAX);
        let (unused, all) = (all.is_none(), all.unwrap_or(vec![identity]));
        let partners = partners(text);
        let exchange = partners.and_then(|partners| {
            let first = Search::new(text, atoms, partners.clone()).all(1)?;
            Some((first.into_iter().next()?, partners))
        });
        Symmetries { all, unused, exchange }
    }
}

/// For each class, the same kind of the other player, if both players have the same men.
fn partners(text: &Text) -> Option<Vec<u8>> {
    let partner = |class: &crate::text::Class| {
        let same = |other: &crate::text::Class| {
            other.player != class.player
                && (&other.kind, other.count, other.in_hand)
                    == (&class.kind, class.count, class.in_hand)
        };
        text.classes.iter().position(same).map(|at| at as u8)
    };
    text.classes.iter().map(partner).collect()
}

/// How a pair of points is linked: how often by each form of atom.
type Links = BTreeMap<(u8, u8, u8, bool, bool), u32>;

struct Search<'t> {
    text: &'t Text,
    atoms: &'t Atoms,
    /// What each class becomes.
    classes: Vec<u8>,
    known: HashSet<Atom>,
    ends: HashSet<&'t End>,
    /// The number of the links of each pair of points, as they are and after the classes have changed.
    links: [Vec<u32>; 2],
    /// The order in which points get their images. Neighbours follow each other, so that wrong images show soon.
    order: Vec<usize>,
    cost: usize,
}

impl<'t> Search<'t> {
    fn new(text: &'t Text, atoms: &'t Atoms, classes: Vec<u8>) -> Search<'t> {
        let points = usize::from(text.board.len());
        let mut numbers: BTreeMap<Links, u32> = BTreeMap::new();
        let mut link = |classes: Option<&[u8]>| {
            let mut links = vec![Links::new(); points * points];
            for Atom { change, conditions } in &atoms.all {
                let class =
                    |class: u8| classes.map_or(class, |classes| classes[usize::from(class)]);
                let on = |at: u8, other: u8| usize::from(if at == OFF { other } else { at });
                let (from, to) = (on(change.from, change.to), on(change.to, change.from));
                let form = (class(change.class), class(change.becomes), conditions.len() as u8);
                for (pair, back) in [(from * points + to, false), (to * points + from, true)] {
                    let form = (form.0, form.1, form.2, change.takes == 0, back);
                    *links[pair].entry(form).or_default() += 1;
                }
            }
            let number = |links: Links| {
                let next = numbers.len() as u32;
                *numbers.entry(links).or_insert(next)
            };
            links.into_iter().map(number).collect::<Vec<u32>>()
        };
        let links = [link(None), link(Some(&classes))];
        let mut order = vec![0];
        let unlinked = numbers.get(&Links::new()).copied();
        while order.len() < points {
            let linked = |at: &usize| {
                let linked = |before: &&usize| Some(links[0][*before * points + at]) != unlinked;
                order.iter().filter(linked).count()
            };
            let rest = (0..points).filter(|at| !order.contains(at));
            // The first of the points with the most links.
            order.extend(rest.rev().max_by_key(linked));
        }
        let known = atoms.all.iter().cloned().collect();
        let ends = text.ends.iter().collect();
        Search { text, atoms, classes, known, ends, links, order, cost: 0 }
    }

    /// The permutations in the order of their images, at most so many. `None` if the search takes too long.
    fn all(mut self, most: usize) -> Option<Vec<Vec<u8>>> {
        let points = self.order.len();
        let mut found = Vec::new();
        // For each depth, the image that is tried next.
        let mut next = vec![0usize];
        let mut images = vec![usize::MAX; points];
        while let Some(depth) = next.len().checked_sub(1) {
            if depth == points || next[depth] == points {
                if depth == points {
                    self.cost += self.atoms.all.len() + self.ends.len();
                    if self.keeps(&images) {
                        found.push(images.iter().map(|&image| image as u8).collect());
                        if found.len() == most {
                            break;
                        }
                    }
                }
                next.pop();
                if let Some(before) = next.len().checked_sub(1) {
                    images[self.order[before]] = usize::MAX;
                }
                continue;
            }
            self.cost += depth + 1;
            if self.cost > COST_MAX {
                return None;
            }
            let image = next[depth];
            next[depth] += 1;
            if self.fits(&images, depth, image) {
                images[self.order[depth]] = image;
                next.push(0);
            }
        }
        Some(found)
    }

    /// Whether a point can have an image, as far as links to earlier points say.
    fn fits(&self, images: &[usize], depth: usize, image: usize) -> bool {
        let points = self.order.len();
        let at = self.order[depth];
        let same = |a: usize, b: usize, x: usize, y: usize| {
            self.links[1][a * points + b] == self.links[0][x * points + y]
        };
        same(at, at, image, image)
            && self.order[..depth].iter().all(|&other| {
                let known = images[other];
                known != image && same(at, other, image, known) && same(other, at, known, image)
            })
    }

    /// Whether a permutation keeps all atoms, ends and zones.
    fn keeps(&self, images: &[usize]) -> bool {
        let point = |at: u8| if at == OFF { OFF } else { images[usize::from(at)] as u8 };
        let set = |set: Set| -> Set {
            retrograde_boards::squares(set).fold(0, |all, at| all | 1 << images[at as usize])
        };
        let class = |class: u8| self.classes[usize::from(class)];
        let moved = |atom: &Atom| {
            let mut change = atom.change;
            (change.class, change.becomes) = (class(change.class), class(change.becomes));
            (change.from, change.to) = (point(change.from), point(change.to));
            change.takes = set(change.takes);
            let never = |never: &Never| Never {
                own: set(never.own),
                other: set(never.other),
                free: set(never.free),
            };
            let condition = |condition: &Condition| {
                let mut all: Vec<Never> = condition.never.iter().map(never).collect();
                all.sort_unstable();
                Condition {
                    free: set(condition.free),
                    full: set(condition.full),
                    own: set(condition.own),
                    other: set(condition.other),
                    beside: set(condition.beside),
                    never: all,
                    ..*condition
                }
            };
            let mut conditions: Vec<Condition> = atom.conditions.iter().map(condition).collect();
            conditions.sort_unstable();
            Atom { change, conditions }
        };
        let end = |end: &End| {
            let player = if self.classes[0] == 0 { end.player } else { 1 - end.player };
            let test = match end.test {
                Test::Pattern { own, other } => Test::Pattern { own: set(own), other: set(other) },
                Test::Reach { class: at, zone, safe } => {
                    Test::Reach { class: class(at as u8).into(), zone: set(zone), safe }
                }
                Test::Take(at) => Test::Take(class(at as u8).into()),
                Test::Out | Test::Below(_) => end.test.clone(),
            };
            End { player, test }
        };
        let fates = &self.atoms.fates;
        // Ends are few, and tell more than drops and moves to any point.
        self.text.ends.iter().all(|each| self.ends.contains(&end(each)))
            && self.text.mills.iter().all(|&line| self.text.mills.contains(&set(line)))
            && (0..fates.len()).all(|at| {
                let (here, there) = (fates[at], fates[usize::from(self.classes[at])]);
                let royal = |at: usize| self.text.classes[at].royal;
                set(here.zone) == there.zone
                    && here.taken_as.map(class) == there.taken_as
                    && royal(at) == royal(usize::from(self.classes[at]))
            })
            && self.atoms.all.iter().all(|atom| self.known.contains(&moved(atom)))
    }
}
