//! The ways of a text: what each move changes, and what must hold of the men that stand still. They say where men can
//! ever stand, how numbers of men change, and which permutations of the points are symmetries. No move is played by them.

use std::collections::{BTreeMap, BTreeSet};

use crate::interpreter::{Interpreter, Move, Test, Travel, points};

/// The hand, or beyond the edge of the board.
pub(super) const OFF: usize = 64;

/// What a move changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change {
    pub(super) class: usize,
    pub(super) from: usize,
    /// The class of the man after the move.
    pub(super) becomes: usize,
    pub(super) to: usize,
    /// The points of the men that it takes.
    pub(super) taken: u64,
}

/// What must hold of the men that stand still: sets of points.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Needs {
    pub(super) free: u64,
    /// A man of either player stands on each.
    pub(super) full: u64,
    /// A man of the other player stands on each, or on one of some.
    pub(super) theirs: u64,
    pub(super) near: u64,
    /// No jump is left: not both has the other player a man on the first point, and is the second free.
    pub(super) stops: BTreeSet<(u64, u64)>,
    pub(super) placed: bool,
    pub(super) otherwise: bool,
}

/// For each change, what it needs: one of several.
pub(super) type Ways = BTreeMap<Change, BTreeSet<Needs>>;

/// The most ways that statements make.
const MADE_MAX: u32 = 1 << 20;

/// All ways of a text, and the zone of each class: where it can ever stand. `None` if there are too many.
pub(super) fn ways(game: &Interpreter) -> Option<(Ways, Vec<u64>)> {
    let (mut ways, mut made) = (Ways::new(), 0);
    for rule in &game.moves {
        for &class in &rule.classes {
            of_rule(game, (rule, class), &mut |from, to, taken, needs: &Needs| {
                let [at, end] = [from, to].map(|point| (point != OFF).then_some(point));
                for becomes in game.becomes(rule, class, (at, end), taken) {
                    made += 1;
                    ways.entry(Change { class, from, becomes, to, taken })
                        .or_default()
                        .insert(needs.clone());
                }
                (made <= MADE_MAX).then_some(())
            })?;
        }
    }
    let all = game.board.all();
    let zone = |class: usize| {
        // A man becomes another one where it must, so it stands there only if it starts or comes there.
        let must = game.must_become(class);
        let comes = ways.keys().filter(|change| change.becomes == class && change.to != OFF);
        comes.fold(all & !must | game.classes[class].start, |set, change| set | 1 << change.to)
    };
    let zones: Vec<u64> = (0..game.classes.len()).map(zone).collect();
    ways.retain(|change, _| change.from == OFF || zones[change.class] >> change.from & 1 != 0);
    Some((ways, zones))
}

/// What hears of a way: from, to, the points of the taken men, and what must hold. `None` stops.
type Visit<'v> = dyn FnMut(usize, usize, u64, &Needs) -> Option<()> + 'v;

/// Visits the ways of a statement for a class.
fn of_rule(game: &Interpreter, (rule, class): (&Move, usize), visit: &mut Visit) -> Option<()> {
    let needs = Needs { placed: rule.placed, otherwise: rule.otherwise, ..Needs::default() };
    if rule.travel == Travel::Drop {
        for to in points(rule.zone) {
            let full = rule.upon.as_ref().map_or(0, |upon| upon[to]);
            visit(OFF, to, 0, &Needs { free: 1 << to, full, ..needs.clone() })?;
        }
        return Some(());
    }
    for from in 0..game.board.len() {
        let near = rule.beside.as_ref().map_or(0, |beside| beside[from]);
        if rule.beside.is_some() && near == 0 {
            continue;
        }
        let needs = Needs { near, ..needs.clone() };
        if rule.again {
            chain(game, (rule, class), (from, from), &needs, visit)?;
            continue;
        }
        if rule.travel == Travel::Leave && rule.edge >> from & 1 != 0 {
            visit(from, OFF, 0, &needs)?;
        }
        for ray in &rule.rays[from] {
            let mut free = 0;
            for (at, &to) in ray.iter().enumerate() {
                let here = 1 << to;
                let quiet = Needs { free: free | here, ..needs.clone() };
                match rule.travel {
                    Travel::Step | Travel::Slide if at == 0 || rule.travel == Travel::Slide => {
                        if rule.quiet {
                            visit(from, to, 0, &quiet)?;
                        }
                        if rule.takes {
                            visit(from, to, here, &Needs { free, theirs: here, ..needs.clone() })?;
                        }
                    }
                    Travel::Run => {
                        let full = ray.get(at + 1).map_or(0, |next| 1 << next);
                        visit(from, to, 0, &Needs { full, ..quiet })?;
                    }
                    Travel::Jump if at == 1 => {
                        let over = 1 << ray[0];
                        let taken = if rule.takes { over } else { 0 };
                        visit(
                            from,
                            to,
                            taken,
                            &Needs { free: here, theirs: over, ..needs.clone() },
                        )?;
                    }
                    _ => {}
                }
                free |= here;
            }
        }
    }
    Some(())
}

/// Visits the jumps of a man that stands on a point, after those that `needs` knows. It began elsewhere, where it
/// leaves a free point.
fn chain(
    game: &Interpreter,
    (rule, class): (&Move, usize),
    (from, at): (usize, usize),
    needs: &Needs,
    visit: &mut Visit,
) -> Option<()> {
    let (begin, taken) = (1 << from, needs.theirs);
    let stops = taken != 0 && game.becomes(rule, class, (Some(at), Some(at)), taken) != [class];
    // A chain takes no more men than there are.
    let more = taken.count_ones() < most_taken(game, game.classes[class].player);
    let jumps = rule.rays[at].iter().filter(|ray| ray.len() > 1 && !stops && more);
    let jumps = jumps.map(|ray| (1 << ray[0], 1 << ray[1], ray[1]));
    let jumps: Vec<(u64, u64, usize)> = jumps
        .filter(|(over, to, _)| (taken | begin) & over == 0 && (taken | over) & to == 0)
        .collect();
    if taken != 0 {
        let stops = jumps.iter().map(|(over, to, _)| (*over, to & !begin)).collect();
        visit(from, at, taken, &Needs { stops, ..needs.clone() })?;
    }
    for (over, to, at) in jumps {
        let free = needs.free | to & !begin;
        let needs = Needs { free, theirs: taken | over, ..needs.clone() };
        chain(game, (rule, class), (from, at), &needs, visit)?;
    }
    Some(())
}

/// The most men that a player can ever take: those of the other, or of both if taken men change hands.
fn most_taken(game: &Interpreter, player: usize) -> u32 {
    let theirs =
        game.classes.iter().filter(|class| game.taken == Some(true) || class.player != player);
    theirs.map(|class| u32::from(class.count)).sum()
}

/// Whether a class is one whose loss ends the game.
pub(super) fn is_vital(game: &Interpreter, class: usize) -> bool {
    game.wins.iter().any(|win| win.test == Test::Take { class })
}

/// Whether a move can complete a line of a mill, and a man elsewhere can be taken.
pub(super) fn completes_mill(game: &Interpreter, change: &Change) -> bool {
    let point = |at: usize| if at == OFF { 0 } else { 1 << at };
    let [from, to] = [change.from, change.to].map(point);
    let completes = |line: &&u64| *line & to != 0 && *line & from == 0;
    let elsewhere = |line: &u64| game.board.all() & !(line | from) != 0;
    change.taken == 0 && game.mills.iter().filter(completes).any(elsewhere)
}
