//! The ways of a text: what each move changes, and what must hold of the men that stand still. They say where men can
//! ever stand, how numbers of men change, and which permutations of the points are symmetries. No move is played by them.

use std::collections::{BTreeMap, BTreeSet};

use crate::interpreter::{Interpreter, Move, Test, Travel};

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
    /// The point of the man that it takes.
    pub(super) taken: usize,
}

/// What must hold of the men that stand still: sets of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Needs {
    pub(super) free: u64,
    /// A man of either player stands on each.
    pub(super) full: u64,
    /// A man of the other player stands on each, or on one of some.
    pub(super) theirs: u64,
    pub(super) near: u64,
    pub(super) placed: bool,
    pub(super) otherwise: bool,
}

/// For each change, what it needs: one of several.
pub(super) type Ways = BTreeMap<Change, BTreeSet<Needs>>;

/// All ways of a text, and the zone of each class: where it can ever stand. `None` if there are too many.
pub(super) fn ways(game: &Interpreter) -> Option<(Ways, Vec<u64>)> {
    let (mut ways, mut made) = (Ways::new(), 0);
    for rule in &game.moves {
        for &class in &rule.classes {
            of_rule(game, rule, |from, to, taken, needs| {
                let stays = [class];
                let becomes = match to {
                    OFF => &stays[..],
                    to => &game.becomes[class][to][usize::from(from == OFF)],
                };
                for &becomes in becomes {
                    made += 1;
                    ways.entry(Change { class, from, becomes, to, taken })
                        .or_default()
                        .insert(needs);
                }
            });
            if made > 1 << 20 {
                return None;
            }
        }
    }
    let all = game.board.all();
    let zone = |class: usize| {
        // A man becomes another one where it must, so it stands there only if it starts or comes there.
        let must = |&point: &usize| !game.becomes[class][point][0].contains(&class);
        let must = (0..game.board.len()).filter(must).fold(0, |set, point| set | 1 << point);
        let comes = ways.keys().filter(|change| change.becomes == class && change.to != OFF);
        comes.fold(all & !must | game.classes[class].start, |set, change| set | 1 << change.to)
    };
    let zones: Vec<u64> = (0..game.classes.len()).map(zone).collect();
    ways.retain(|change, _| change.from == OFF || zones[change.class] >> change.from & 1 != 0);
    Some((ways, zones))
}

/// Visits the ways of a statement: from, to, the point of the taken man, and what must hold.
fn of_rule(game: &Interpreter, rule: &Move, mut visit: impl FnMut(usize, usize, usize, Needs)) {
    let needs = Needs { placed: rule.placed, otherwise: rule.otherwise, ..Needs::default() };
    for to in
        (0..game.board.len()).filter(|to| rule.travel == Travel::Drop && rule.zone >> to & 1 != 0)
    {
        let full = rule.upon.as_ref().map_or(0, |upon| upon[to]);
        visit(OFF, to, OFF, Needs { free: 1 << to, full, ..needs });
    }
    if rule.travel == Travel::Drop {
        return;
    }
    for from in 0..game.board.len() {
        let near = rule.beside.as_ref().map_or(0, |beside| beside[from]);
        if rule.beside.is_some() && near == 0 {
            continue;
        }
        let needs = Needs { near, ..needs };
        if rule.travel == Travel::Leave && rule.edge >> from & 1 != 0 {
            visit(from, OFF, OFF, needs);
        }
        for ray in &rule.rays[from] {
            let mut free = 0;
            for (at, &to) in ray.iter().enumerate() {
                let here = 1 << to;
                match rule.travel {
                    Travel::Step | Travel::Slide if at == 0 || rule.travel == Travel::Slide => {
                        if rule.quiet {
                            visit(from, to, OFF, Needs { free: free | here, ..needs });
                        }
                        if rule.takes {
                            visit(from, to, to, Needs { free, theirs: here, ..needs });
                        }
                    }
                    Travel::Run => {
                        let full = ray.get(at + 1).map_or(0, |next| 1 << next);
                        visit(from, to, OFF, Needs { free: free | here, full, ..needs });
                    }
                    Travel::Jump if at == 1 => {
                        let taken = if rule.takes { ray[0] } else { OFF };
                        visit(from, to, taken, Needs { free: here, theirs: 1 << ray[0], ..needs });
                    }
                    _ => {}
                }
                free |= here;
            }
        }
    }
}

/// Whether a class is one whose loss ends the game.
pub(super) fn is_vital(game: &Interpreter, class: usize) -> bool {
    game.wins.iter().any(|win| win.test == Test::Take { class })
}
