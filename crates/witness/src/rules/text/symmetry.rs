//! The symmetries of a text: permutations of the points that keep all ways, ends and zones, and one with which the players
//! change roles. The proof takes none of them for granted.

use std::collections::{BTreeMap, BTreeSet};

use super::ways::{Change, Needs, OFF, Ways};
use crate::interpreter::{Interpreter, Test, Win, points};

/// The image of each point.
pub(super) type Permutation = Vec<usize>;

/// If there are more symmetries, none is used.
const SYMMETRIES_MAX: usize = 128;
/// The most that a search costs. The numbering says what costs how much.
const COST_MAX: u64 = 1 << 26;

/// The image of a set of points.
pub(super) fn image(permutation: &[usize], set: u64) -> u64 {
    points(set).fold(0, |all, point| all | 1 << permutation[point])
}

/// The changes between two points: class, class after the change, whether it takes nothing, how many needs it has, and
/// whether it goes from the second point to the first.
type Link = (usize, usize, bool, usize, bool);
type Links = BTreeMap<(usize, usize), Vec<Link>>;

/// The rules of a text, as symmetries see them.
pub(super) struct Form<'t> {
    pub(super) game: &'t Interpreter,
    pub(super) ways: &'t Ways,
    pub(super) zones: &'t [u64],
}

impl Form<'_> {
    /// All symmetries, the identity first. Only that if there are too many.
    pub(super) fn symmetries(&self) -> Vec<Permutation> {
        let same: Vec<usize> = (0..self.game.classes.len()).collect();
        let all = self.search(&same, SYMMETRIES_MAX + 1);
        let few = all.filter(|all| all.len() <= SYMMETRIES_MAX);
        let mut all = few.unwrap_or_else(|| vec![(0..self.game.board.len()).collect()]);
        all.sort_unstable();
        all
    }

    /// The first permutation with which the players change roles, and what each class becomes.
    pub(super) fn exchange(&self) -> Option<(Permutation, Vec<usize>)> {
        let classes = &self.game.classes;
        let partner = |class: &crate::interpreter::Class| {
            classes.iter().position(|other| {
                other.player != class.player
                    && (&other.kind, other.count, other.in_hand)
                        == (&class.kind, class.count, class.in_hand)
            })
        };
        let partners = classes.iter().map(partner).collect::<Option<Vec<usize>>>()?;
        let first = self.search(&partners, 1)?.pop()?;
        Some((first, partners))
    }

    /// The permutations that keep everything, if each class becomes another one: at most so many.
    fn search(&self, classes: &[usize], most: usize) -> Option<Vec<Permutation>> {
        let points = self.game.board.len();
        // How points are linked, before and after classes change: the changes between them.
        let link = |classes: &dyn Fn(usize) -> usize| {
            let mut links = Links::new();
            for (change, needs) in self.ways {
                let Change { class, from, becomes, to, taken } = *change;
                let place = |at: usize, other: usize| if at == OFF { other } else { at };
                let (from, to) = (place(from, to), place(to, from));
                for (pair, back) in [((from, to), false), ((to, from), true)] {
                    let form = (classes(class), classes(becomes), taken == 0, needs.len(), back);
                    links.entry(pair).or_default().push(form);
                }
            }
            links.values_mut().for_each(|forms| forms.sort_unstable());
            links
        };
        let (before, after) = (link(&|class| class), link(&|class| classes[class]));
        // Point 0 first, then always the first of those with most links to earlier points.
        let mut order = vec![0];
        while order.len() < points {
            let links = |at: &usize| {
                let linked = order.iter().filter(|earlier| before.contains_key(&(**earlier, *at)));
                linked.count()
            };
            let rest = (0..points).filter(|at| !order.contains(at));
            let best = rest.max_by_key(|at| (links(at), std::cmp::Reverse(*at)))?;
            order.push(best);
        }
        let ends: BTreeSet<&Win> = self.game.wins.iter().collect();
        let whole = (self.ways.len() + ends.len()) as u64;
        let links = [before, after];
        let mut search = Search { form: self, classes, links, order, whole, cost: 0 };
        let (mut images, mut found) = (Vec::new(), Vec::new());
        search.extend(&mut images, &mut found, most)?;
        Some(found)
    }

    /// Whether a permutation of the points keeps everything, if each class becomes another one.
    fn is_kept(&self, images: &[usize], classes: &[usize]) -> bool {
        let point = |at: usize| if at == OFF { OFF } else { images[at] };
        let set = |set: u64| image(images, set);
        let way = |(change, needs): (&Change, &BTreeSet<Needs>)| {
            let change = Change {
                class: classes[change.class],
                from: point(change.from),
                becomes: classes[change.becomes],
                to: point(change.to),
                taken: set(change.taken),
            };
            let needs = needs.iter().map(|needs| Needs {
                free: set(needs.free),
                full: set(needs.full),
                theirs: set(needs.theirs),
                near: set(needs.near),
                stops: needs.stops.iter().map(|&(over, to)| (set(over), set(to))).collect(),
                ..*needs
            });
            self.ways.get(&change) == Some(&needs.collect())
        };
        let ends: BTreeSet<&Win> = self.game.wins.iter().collect();
        let changed = classes.first().is_some_and(|class| *class != 0);
        let end = |win: &Win| {
            let player = if changed { 1 - win.player } else { win.player };
            let test = match win.test {
                Test::Stand { own, other } => Test::Stand { own: set(own), other: set(other) },
                Test::Reach { class, zone, safe } => {
                    Test::Reach { class: classes[class], zone: set(zone), safe }
                }
                Test::Take { class } => Test::Take { class: classes[class] },
                Test::Out => Test::Out,
                Test::Below { men } => Test::Below { men },
            };
            ends.contains(&Win { player, test })
        };
        let class = |class: usize| {
            let hand = self.game.taken_as[class].map(|class| classes[class]);
            set(self.zones[class]) == self.zones[classes[class]]
                && hand == self.game.taken_as[classes[class]]
                && self.game.classes[class].royal == self.game.classes[classes[class]].royal
        };
        let mill = |line: &u64| self.game.mills.contains(&set(*line));
        // Ends are few, and tell more than moves to any point.
        self.game.wins.iter().all(end)
            && self.game.mills.iter().all(mill)
            && (0..classes.len()).all(class)
            && self.ways.iter().all(way)
    }
}

struct Search<'f> {
    form: &'f Form<'f>,
    classes: &'f [usize],
    /// The links before and after classes change.
    links: [Links; 2],
    order: Vec<usize>,
    /// What a permutation of all points costs.
    whole: u64,
    cost: u64,
}

impl Search<'_> {
    /// Tries all images of the next point, in ascending order. `None` if the search takes too long.
    fn extend(
        &mut self,
        images: &mut Vec<usize>,
        found: &mut Vec<Permutation>,
        most: usize,
    ) -> Option<()> {
        let at = images.len();
        if at == self.order.len() {
            let mut all = vec![0; at];
            self.order.iter().zip(&*images).for_each(|(&point, &image)| all[point] = image);
            self.cost += self.whole;
            if self.form.is_kept(&all, self.classes) {
                found.push(all);
            }
            return Some(());
        }
        for image in 0..self.order.len() {
            if found.len() == most {
                break;
            }
            self.cost += at as u64 + 1;
            if self.cost > COST_MAX {
                return None;
            }
            if self.fits(images, image) {
                images.push(image);
                self.extend(images, found, most)?;
                images.pop();
            }
        }
        Some(())
    }

    /// Whether the next point can have an image, as far as its links to the points before say.
    fn fits(&self, images: &[usize], image: usize) -> bool {
        let [before, after] = &self.links;
        let at = self.order[images.len()];
        let alike = |pair, of_images| after.get(&pair) == before.get(&of_images);
        !images.contains(&image)
            && alike((at, at), (image, image))
            && self.order.iter().zip(images).all(|(&point, &known)| {
                alike((at, point), (image, known)) && alike((point, at), (known, image))
            })
    }
}
