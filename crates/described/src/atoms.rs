//! Atoms: all moves of a text, each of one class of men between two points, with the conditions under which it is possible.

use std::collections::BTreeMap;

use crate::TextError;
use crate::board::{Board, Set, bit, union};
use crate::text::{MoveRule, Taken, Takes, Test, Text, Travel};
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
    /// The point of the man that is taken, or [`OFF`].
    pub(crate) takes: u8,
}

/// A condition on the men that do not move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Condition {
    /// Points without a man.
    pub(crate) free: Set,
    /// Points with a man of either player.
    pub(crate) full: Set,
    /// Points with men of the other player.
    pub(crate) other: Set,
    /// A man of the other player stands on one of these points, if there are any.
    pub(crate) beside: Set,
    /// The player who moves has no man in hand.
    pub(crate) placed: bool,
    /// The player has no move without this mark.
    pub(crate) otherwise: bool,
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
                for (change, condition) in of_rule(&text.board, rule, class as u8) {
                    for change in promoted(text, change) {
                        made += 1;
                        let conditions = found.entry(change).or_default();
                        if !conditions.contains(&condition) {
                            conditions.push(condition);
                        }
                    }
                }
                if found.len() > ATOMS_MAX || made > CONDITIONS_MAX {
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

/// The changes and conditions of one statement for one class.
fn of_rule(board: &Board, rule: &MoveRule, class: u8) -> Vec<(Change, Condition)> {
    let mut found = Vec::new();
    if rule.travel == Travel::Drop {
        let points = (0..board.len()).filter(|&to| rule.onto & bit(to) != 0);
        found.extend(points.map(|to| {
            let change = Change { class, from: OFF, becomes: class, to, takes: OFF };
            (change, condition(rule, bit(to)))
        }));
        return found;
    }
    for from in 0..board.len() {
        let beside = rule
            .beside
            .as_ref()
            .map(|directions| board.rays(directions, from).fold(0, |set, ray| set | bit(ray[0])));
        if beside == Some(0) {
            continue;
        }
        let mut add = |to: u8, takes: u8, condition: Condition| {
            let change = Change { class, from, becomes: class, to, takes };
            found.push((change, Condition { beside: beside.unwrap_or(0), ..condition }));
        };
        let leaves = |&at: &usize| board.directions[at].rays[usize::from(from)].is_empty();
        if rule.travel == Travel::Leave && rule.directions.iter().any(leaves) {
            add(OFF, OFF, condition(rule, 0));
        }
        for ray in board.rays(&rule.directions, from) {
            // The man moves along the ray and ends on its last point.
            let mut ends = |ray: &[u8]| {
                let Some((&to, between)) = ray.split_last() else { return };
                let between = union(between);
                if rule.takes != Takes::Only {
                    add(to, OFF, condition(rule, between | bit(to)));
                }
                if rule.takes != Takes::Never {
                    add(to, to, Condition { other: bit(to), ..condition(rule, between) });
                }
            };
            match rule.travel {
                Travel::Step => ends(&ray[..1]),
                Travel::Slide => (1..=ray.len()).for_each(|end| ends(&ray[..end])),
                Travel::Run => {
                    for end in 1..=ray.len() {
                        let full = ray.get(end).map_or(0, |&next| bit(next));
                        let condition = condition(rule, union(&ray[..end]));
                        add(ray[end - 1], OFF, Condition { full, ..condition });
                    }
                }
                Travel::Jump => {
                    let [over, to, ..] = ray[..] else { continue };
                    let takes = if rule.takes == Takes::Never { OFF } else { over };
                    add(to, takes, Condition { other: bit(over), ..condition(rule, bit(to)) });
                }
                Travel::Leave | Travel::Drop => {}
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
    Condition { free, full: 0, other: 0, beside: 0, placed: rule.placed, otherwise: rule.otherwise }
}

/// The change, with the man as another kind if he is promoted.
fn promoted(text: &Text, change: Change) -> Vec<Change> {
    let mut all = vec![change];
    for rule in &text.promotions {
        let moves = change.from != OFF || rule.dropped;
        if rule.class == usize::from(change.class)
            && change.to != OFF
            && moves
            && rule.zone & bit(change.to) != 0
        {
            all.retain(|other| other.becomes != change.class);
            all.push(Change { becomes: rule.into as u8, ..change });
        }
    }
    all
}

/// Where each class can stand, and what becomes of taken men.
fn fates(text: &Text, found: &BTreeMap<Change, Vec<Condition>>) -> Result<Vec<Fate>, TextError> {
    let whole = Place { line: 1, column: 1 };
    let class_of = |player: usize, kind: &str| {
        text.classes.iter().position(|class| class.player == player && class.kind == kind)
    };
    let mut fates = Vec::new();
    for (at, class) in text.classes.iter().enumerate() {
        let must = text.promotions.iter().filter(|rule| rule.class == at);
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
