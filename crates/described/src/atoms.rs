//! Atoms: all moves of a text, each of one class of men between two points, with the conditions under which it is possible.

use std::collections::BTreeMap;

use crate::TextError;
use crate::board::{Board, Set, bit, union};
use crate::text::{MoveRule, Promotion, Taken, Takes, Test, Text, Travel};
use crate::words::Place;

/// No point: the hand before a drop, or beyond the edge of the board after a move that leaves it.
pub(crate) const OFF: u8 = 64;

/// The most atoms of a text, and the most conditions that statements make, equal ones included.
const ATOMS_MAX: usize = 1 << 16;
const CONDITIONS_MAX: usize = 1 << 18;

/// What a move changes. No two moves of a position change the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Change {
    /// The class of the man before the move. In a drop, the class whose hand he comes from.
    pub(crate) class: u8,
    pub(crate) from: u8,
    /// The class of the man after the move, and his point.
    pub(crate) becomes: u8,
    pub(crate) to: u8,
    /// The points of the men that are taken.
    pub(crate) takes: Set,
}

/// A condition on the men that do not move.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Condition {
    /// Points without a man.
    pub(crate) free: Set,
    /// Points with a man of either player.
    pub(crate) full: Set,
    /// Points with men of the player who moves, and with men of the other player.
    pub(crate) own: Set,
    pub(crate) other: Set,
    /// The men stand in none of these ways.
    pub(crate) never: Vec<Never>,
    /// A man of the other player stands on one of these points, if there are any.
    pub(crate) beside: Set,
    /// The player who moves has no man in hand.
    pub(crate) placed: bool,
    /// The player has no move without this mark.
    pub(crate) otherwise: bool,
    /// The other player has no man on the board, or has men in mills alone.
    pub(crate) bare: bool,
    pub(crate) milled: bool,
}

/// Own men, men of the other player, and free points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Never {
    pub(crate) own: Set,
    pub(crate) other: Set,
    pub(crate) free: Set,
}

/// A change, and the conditions of which one must hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Atom {
    pub(crate) change: Change,
    pub(crate) conditions: Vec<Condition>,
}

/// What becomes of a man of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fate {
    /// Where it can ever stand.
    pub(crate) zone: Set,
    /// The class whose hand it comes to when it is taken, if any.
    pub(crate) taken_as: Option<u8>,
}

/// All moves of a text.
#[derive(Clone, Debug)]
pub(crate) struct Atoms {
    /// In the order of their changes.
    pub(crate) all: Vec<Atom>,
    /// For each class.
    pub(crate) fates: Vec<Fate>,
}

impl Atoms {
    pub(crate) fn new(text: &Text) -> Result<Atoms, TextError> {
        let whole = Place { line: 1, column: 1 };
        let mut found: BTreeMap<Change, Vec<Condition>> = BTreeMap::new();
        let mut made = 0;
        for rule in &text.moves {
            for &class in &rule.classes {
                let mut add = |change, condition: Condition| {
                    made += 1;
                    let conditions = found.entry(change).or_default();
                    if !conditions.contains(&condition) {
                        conditions.push(condition);
                    }
                    found.len() <= ATOMS_MAX && made <= CONDITIONS_MAX
                };
                let mut fits = chains(text, rule, class as u8, &mut |change, condition| {
                    let mut all = promoted(text, change).into_iter();
                    all.all(|change| add(change, condition.clone()))
                });
                for (change, condition) in of_rule(&text.board, rule, class as u8) {
                    for change in promoted(text, change) {
                        fits = fits && milled(text, change, condition.clone(), &mut add);
                    }
                }
                if !fits {
                    return whole
                        .error(format!("the text has more than {ATOMS_MAX} possible moves, or {CONDITIONS_MAX} conditions of moves"));
                }
            }
        }
        let fates = fates(text, &found)?;
        // A man never stands where it cannot stand, so it never leaves there.
        let stands = |change: &Change| {
            change.from == OFF || fates[usize::from(change.class)].zone & bit(change.from) != 0
        };
        let all = found.into_iter().filter(|(change, _)| stands(change)).map(
            |(change, mut conditions)| {
                conditions.sort_unstable();
                Atom { change, conditions }
            },
        );
        Ok(Atoms { all: all.collect(), fates })
    }
}

/// What the moves of one statement change, without promotions and mills.
pub(crate) fn changes_of(text: &Text, rule: &MoveRule) -> Vec<Change> {
    let mut found = Vec::new();
    for class in rule.classes.iter().map(|&class| class as u8) {
        chains(text, rule, class, &mut |change, _| {
            found.push(change);
            found.len() < CONDITIONS_MAX
        });
        found.extend(of_rule(&text.board, rule, class).into_iter().map(|(change, _)| change));
    }
    found
}

/// The changes and conditions of one statement for one class.
fn of_rule(board: &Board, rule: &MoveRule, class: u8) -> Vec<(Change, Condition)> {
    let mut found = Vec::new();
    if rule.travel == Travel::Drop {
        let points = (0..board.len()).filter(|&to| rule.onto & bit(to) != 0);
        let other = rule.dropped_as.iter().find(|(own, _)| *own == usize::from(class));
        let becomes = other.map_or(class, |(_, other)| *other as u8);
        found.extend(points.map(|to| {
            let change = Change { class, from: OFF, becomes, to, takes: 0 };
            let full = board.rays(&rule.upon, to).fold(0, |full, ray| full | bit(ray[0]));
            (change, Condition { full, ..condition(rule, bit(to)) })
        }));
        return found;
    }
    for from in 0..board.len() {
        let beside = beside(board, rule, from);
        if beside == Some(0) {
            continue;
        }
        let mut add = |to: u8, takes: Set, condition: Condition| {
            let change = Change { class, from, becomes: class, to, takes };
            found.push((change, Condition { beside: beside.unwrap_or(0), ..condition }));
        };
        let leaves = |&at: &usize| board.directions[at].rays[usize::from(from)].is_empty();
        if rule.travel == Travel::Leave && rule.directions.iter().any(leaves) {
            add(OFF, 0, condition(rule, 0));
        }
        for ray in board.rays(&rule.directions, from) {
            // The man moves along the ray and ends on its last point.
            let mut ends = |ray: &[u8]| {
                let Some((&to, between)) = ray.split_last() else { return };
                let between = union(between);
                if rule.takes != Takes::Only {
                    add(to, 0, condition(rule, between | bit(to)));
                }
                if rule.takes != Takes::Never {
                    add(to, bit(to), Condition { other: bit(to), ..condition(rule, between) });
                }
            };
            match rule.travel {
                Travel::Step => ends(&ray[..1]),
                Travel::Slide => (1..=ray.len()).for_each(|end| ends(&ray[..end])),
                Travel::Run => {
                    for end in 1..=ray.len() {
                        let full = ray.get(end).map_or(0, |&next| bit(next));
                        let condition = condition(rule, union(&ray[..end]));
                        add(ray[end - 1], 0, Condition { full, ..condition });
                    }
                }
                Travel::Jump if !rule.again => {
                    let [over, to, ..] = ray[..] else { continue };
                    let takes = if rule.takes == Takes::Never { 0 } else { bit(over) };
                    add(to, takes, Condition { other: bit(over), ..condition(rule, bit(to)) });
                }
                // Men that jump again have chains.
                Travel::Jump | Travel::Leave | Travel::Drop => {}
            }
        }
    }
    // A ray around a ring comes back to where it began.
    found.retain(|(change, condition)| {
        let own = if change.from == OFF { 0 } else { bit(change.from) };
        change.from != change.to && (condition.full | condition.other) & own == 0
    });
    found
}

fn condition(rule: &MoveRule, free: Set) -> Condition {
    let MoveRule { placed, otherwise, .. } = *rule;
    Condition { free, placed, otherwise, ..Condition::default() }
}

/// Adds the jumps of a man that jumps on as long as it can. The men that it takes leave the board when it has ended. False once
/// `add` is.
fn chains(
    text: &Text,
    rule: &MoveRule,
    class: u8,
    add: &mut impl FnMut(Change, Condition) -> bool,
) -> bool {
    if !rule.again {
        return true;
    }
    let board = &text.board;
    let stops = text.promotions.iter().filter(|promotion| promotion.class == usize::from(class));
    let stops = stops.fold(0, |all, promotion| all | promotion.zone);
    // A player can come to have all men of both, if taken men change hands.
    let player = text.classes[usize::from(class)].player;
    let others =
        text.classes.iter().filter(|other| other.player != player || text.taken == Taken::Hand);
    let others: u32 = others.map(|other| other.count).sum();
    for from in 0..board.len() {
        let beside = beside(board, rule, from);
        if beside == Some(0) {
            continue;
        }
        // Where the man stands, what it has taken, and the points that must be free.
        let mut open: Vec<(u8, Set, Set)> = vec![(from, 0, 0)];
        while let Some((at, takes, free)) = open.pop() {
            let rays = board.rays(&rule.directions, at).filter(|ray| ray.len() > 1);
            let on = rays.map(|ray| (bit(ray[0]), bit(ray[1]), ray[1]));
            let on: Vec<(Set, Set, u8)> = on
                .filter(|(over, to, _)| (takes | bit(from)) & over == 0 && (takes | over) & to == 0)
                .filter(|_| takes == 0 || bit(at) & stops == 0)
                .filter(|_| takes.count_ones() < others)
                .collect();
            if takes != 0 {
                let change = Change { class, from, becomes: class, to: at, takes };
                let never = on.iter().map(|&(over, to, _)| Never {
                    own: 0,
                    other: over,
                    free: to & !bit(from),
                });
                let mut never: Vec<Never> = never.collect();
                never.sort_unstable();
                never.dedup();
                let beside = beside.unwrap_or(0);
                let condition = Condition { other: takes, beside, never, ..condition(rule, free) };
                if !add(change, condition) {
                    return false;
                }
            }
            open.extend(
                on.into_iter().map(|(over, to, at)| (at, takes | over, free | to & !bit(from))),
            );
            if open.len() > CONDITIONS_MAX {
                return false;
            }
        }
    }
    true
}

/// The points next to a point on which a man of the other player must stand, if a rule says so.
fn beside(board: &Board, rule: &MoveRule, from: u8) -> Option<Set> {
    let directions = rule.beside.as_ref()?;
    Some(board.rays(directions, from).fold(0, |set, ray| set | bit(ray[0])))
}

/// Adds a move, and what follows if it completes a line of a mill. False once `add` is.
fn milled(
    text: &Text,
    change: Change,
    condition: Condition,
    add: &mut impl FnMut(Change, Condition) -> bool,
) -> bool {
    let from = if change.from == OFF { 0 } else { bit(change.from) };
    let to = if change.to == OFF { 0 } else { bit(change.to) };
    let completed = |line: &&Set| change.takes == 0 && **line & to != 0 && **line & from == 0;
    let lines: Vec<Set> = text.mills.iter().filter(completed).map(|line| line & !to).collect();
    let never = lines.iter().map(|&own| Never { own, other: 0, free: 0 }).collect();
    if !add(change, Condition { never, ..condition }) {
        return false;
    }
    if !lines.is_empty() && !add(change, Condition { bare: true, ..condition.clone() }) {
        return false;
    }
    for &own in &lines {
        for taken in (0..text.board.len()).map(bit).filter(|taken| (from | to | own) & taken == 0) {
            // The other player has no man on the points of the move, nor on the rest of the line.
            let of = |line: &&Set| **line & taken != 0 && **line & (from | to | own) == 0;
            let of: Vec<Set> = text.mills.iter().filter(of).copied().collect();
            let never = of.iter().map(|&other| Never { own: 0, other, free: 0 }).collect();
            let other = condition.other | taken;
            let change = Change { takes: taken, ..change };
            let loose = Condition { own, other, never, ..condition };
            let milled = Condition { own, other, milled: true, ..condition.clone() };
            if !add(change, loose) || !of.is_empty() && !add(change, milled) {
                return false;
            }
        }
    }
    true
}

/// The change, with the man as another kind if he is promoted. One who is dropped as another kind is not.
fn promoted(text: &Text, change: Change) -> Vec<Change> {
    let mut all = vec![change];
    for rule in &text.promotions {
        if change.becomes == change.class && rule.promotes(&change) {
            all.retain(|other| other.becomes != change.class);
            all.push(Change { becomes: rule.into as u8, ..change });
        }
    }
    all
}

impl Promotion {
    /// Whether a man becomes another one by a change.
    pub(crate) fn promotes(&self, change: &Change) -> bool {
        let arrives = match change.from {
            OFF => self.dropped,
            _ => change.takes != 0 || !self.takes,
        };
        arrives
            && self.class == usize::from(change.class)
            && change.to != OFF
            && self.zone & bit(change.to) != 0
    }
}

/// Where each class can stand, and what becomes of taken men.
fn fates(text: &Text, found: &BTreeMap<Change, Vec<Condition>>) -> Result<Vec<Fate>, TextError> {
    let whole = Place { line: 1, column: 1 };
    let class_of = |player: usize, kind: &str| {
        text.classes.iter().position(|class| class.player == player && class.kind == kind)
    };
    let mut fates = Vec::new();
    for (at, class) in text.classes.iter().enumerate() {
        let must = text.promotions.iter().filter(|rule| rule.class == at && !rule.takes);
        let must = must.fold(0, |all, rule| all | rule.zone);
        let comes =
            found.keys().filter(|change| usize::from(change.becomes) == at && change.to != OFF);
        let comes = comes.fold(class.start, |all, change| all | bit(change.to));
        let zone = text.board.all() & !(must & !comes);
        let demotion = text.demotions.iter().find(|(kind, _)| *kind == class.kind);
        let kind = demotion.map_or(&class.kind, |(_, into)| into);
        // A man whose loss ends the game does not come back.
        let vital = text.ends.iter().any(|end| end.test == Test::Take(at));
        let player = match text.taken {
            _ if vital => None,
            Taken::Away => None,
            Taken::Hand => Some(1 - class.player),
            Taken::Back => Some(class.player),
        };
        let taken_as = match player.map(|player| class_of(player, kind)) {
            None => None,
            Some(Some(class)) => Some(class as u8),
            Some(None) => {
                return whole.error(format!(
                    "a taken `{}` would come to a hand as a `{kind}`, but that player has none: add `men {} {kind} 0`",
                    class.kind,
                    text.players[player.unwrap_or_default()]
                ));
            }
        };
        fates.push(Fate { zone, taken_as });
    }
    Ok(fates)
}
