//! Which moves of a text have tables. They are most moves of most games.
//!
//! A table has the moves of one class that end on a free point, or those that take a man where they end. Only men that stand still
//! decide them, and these are the same before and after. See [`Reach`].

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::atoms::{Atom, Condition, OFF};
use crate::board::{Set, bit};
use crate::page::Page;
use crate::reach::{Reach, Way};
use crate::slots::Slots;

/// The moves of the men of a slot that make them men of a slot, the same one or another.
pub(crate) struct MoveTable {
    pub(crate) before: usize,
    pub(crate) after: usize,
    /// Whether they take a man of the other player where they end. Otherwise they end on a free point.
    pub(crate) takes: bool,
    /// They are possible only if the player has no man in hand.
    pub(crate) placed: bool,
    pub(crate) forwards: Arc<Reach>,
    pub(crate) backwards: Arc<Reach>,
    /// For moves that take: from where men take on a point, if the points between are free.
    pub(crate) attacks: Arc<Reach>,
}

/// The drops of men of a hand that become men of a slot.
pub(crate) struct DropTable {
    pub(crate) hand: usize,
    pub(crate) after: usize,
    pub(crate) zone: Set,
}

/// The tables of a player.
#[derive(Default)]
pub(crate) struct Tables {
    pub(crate) moves: Vec<MoveTable>,
    pub(crate) drops: Vec<DropTable>,
    /// For each slot and point, from where men take there, whatever men stand between. `attacks` has all others.
    pub(crate) threats: Vec<Vec<Set>>,
    /// Whether some man takes, and whether some takes only if men between let him.
    pub(crate) takes: bool,
    pub(crate) far: bool,
    /// Whether some man takes only if a man stands on a third point.
    pub(crate) takes_by_full: bool,
}

/// The tables that are made. The way back along a line is a way, too, so many are needed twice.
#[derive(Default)]
struct Made(HashMap<(Vec<Way>, bool), Arc<Reach>>);

impl Made {
    fn table(&mut self, points: u8, mut moves: Vec<Way>, onto: bool) -> Arc<Reach> {
        moves.sort_unstable();
        let table = self.0.entry((moves, onto));
        Arc::clone(
            table.or_insert_with_key(|(moves, onto)| Arc::new(Reach::new(points, moves, *onto))),
        )
    }
}

/// The tables of each player, and the atoms that are in them.
pub(crate) fn tables<'p>(page: &'p Page, slots: &Slots) -> ([Tables; 2], HashSet<&'p Atom>) {
    let text = &page.text;
    let points = text.board.len();
    let none = || Tables {
        threats: vec![vec![0; usize::from(points)]; slots.classes()],
        ..Tables::default()
    };
    let (mut tables, mut tabled) = ([none(), none()], HashSet::new());
    let mut made = Made::default();
    let class_of = |atom: &Atom| usize::from(atom.change.class);
    let mut pairs: Vec<(u8, u8)> =
        page.atoms.all.iter().map(|atom| (atom.change.class, atom.change.becomes)).collect();
    pairs.dedup();
    pairs.sort_unstable();
    pairs.dedup();
    for (class, becomes) in pairs {
        let of_pair = page
            .atoms
            .all
            .iter()
            .filter(|atom| (atom.change.class, atom.change.becomes) == (class, becomes))
            .filter(|atom| atom.change.to != OFF);
        let of_pair: Vec<&Atom> = of_pair.collect();
        let Some(player) = of_pair.first().map(|atom| text.classes[class_of(atom)].player) else {
            continue;
        };
        let (before, after) =
            (slots.of_class[usize::from(class)], slots.of_class[usize::from(becomes)]);
        for (takes, placed) in [(false, false), (false, true), (true, false)] {
            let fits = |atom: &&&Atom| {
                let Atom { change, conditions } = **atom;
                let end = if takes { bit(change.to) } else { 0 };
                change.from != OFF
                    && change.takes == end
                    && conditions.iter().all(|condition| is_plain(condition, end, placed))
            };
            let atoms: Vec<&Atom> = of_pair.iter().filter(fits).copied().collect();
            let mut moves: Vec<Way> = Vec::new();
            for Atom { change, conditions } in &atoms {
                let quiet = |condition: &Condition| {
                    (change.from, change.to, condition.free, condition.full)
                };
                moves.extend(conditions.iter().map(quiet));
            }
            if moves.is_empty() || !Reach::fits(&moves, takes) {
                continue;
            }
            let backwards = made.table(points, Reach::backwards(&moves), false);
            let attacks = if takes { Reach::attacks(&moves) } else { Vec::new() };
            let attacks = made.table(points, attacks, true);
            let tables = &mut tables[player];
            for (point, threat) in (0..points).zip(&mut tables.threats[before]) {
                *threat |= attacks.simple(point);
            }
            tables.takes |= takes;
            tables.far |= attacks.has_lookups();
            tables.takes_by_full |= takes && moves.iter().any(|(.., full)| *full != 0);
            let forwards = made.table(points, moves, takes);
            tables.moves.push(MoveTable {
                before,
                after,
                takes,
                placed,
                forwards,
                backwards,
                attacks,
            });
            tabled.extend(atoms);
        }
        let is_drop = |atom: &&Atom| {
            let plain = |condition: &Condition| is_plain(condition, 0, false);
            (atom.change.from, atom.change.takes) == (OFF, 0)
                && atom.conditions.iter().all(plain)
                && atom
                    .conditions
                    .iter()
                    .all(|condition| (condition.free, condition.full) == (bit(atom.change.to), 0))
        };
        let drops: Vec<&Atom> = of_pair.into_iter().filter(is_drop).collect();
        if let (Some(hand), false) = (slots.hand_of(class.into()), drops.is_empty()) {
            let zone = drops.iter().fold(0, |all, atom| all | bit(atom.change.to));
            tables[player].drops.push(DropTable { hand, after, zone });
            tabled.extend(drops);
        }
    }
    (tables, tabled)
}

/// Whether a condition asks only for points that are free or not, and for the man that is taken at the end.
fn is_plain(condition: &Condition, end: Set, placed: bool) -> bool {
    let Condition { free, full, .. } = *condition;
    *condition == Condition { free, full, other: end, placed, ..Condition::default() }
}
