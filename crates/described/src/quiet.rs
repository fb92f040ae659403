//! Which moves of a text are quiet, and their tables.

use std::collections::HashSet;

use crate::atoms::{Atom, Condition, OFF};
use crate::page::Page;
use crate::reach::{Quiet, Reach};
use crate::slots::Slots;

/// The quiet moves of a class, as tables. See [`Reach`].
pub(crate) struct QuietMoves {
    pub(crate) slot: usize,
    /// They are possible only if the player has no man in hand.
    pub(crate) placed: bool,
    pub(crate) forwards: Reach,
    pub(crate) backwards: Reach,
}

/// The tables of the quiet moves of each player, and the atoms that are in them.
pub(crate) fn quiet_moves<'p>(
    page: &'p Page,
    slots: &Slots,
) -> ([Vec<QuietMoves>; 2], HashSet<&'p Atom>) {
    let text = &page.text;
    let points = text.board.len();
    let (mut quiet, mut tabled) = ([Vec::new(), Vec::new()], HashSet::new());
    for (class, placed) in (0..text.classes.len()).flat_map(|class| [(class, false), (class, true)])
    {
        let plain = |condition: &Condition| {
            condition.own | condition.other | condition.beside == 0
                && (condition.placed, condition.otherwise) == (placed, false)
        };
        let is_quiet = |atom: &&Atom| {
            let change = atom.change;
            usize::from(change.class) == class
                && change.class == change.becomes
                && change.takes == OFF
                && ![change.from, change.to].contains(&OFF)
                && atom.conditions.iter().all(plain)
        };
        let atoms: Vec<&Atom> = page.atoms.all.iter().filter(is_quiet).collect();
        let mut moves: Vec<Quiet> = Vec::new();
        for Atom { change, conditions } in &atoms {
            let quiet =
                |condition: &Condition| (change.from, change.to, condition.free, condition.full);
            moves.extend(conditions.iter().map(quiet));
        }
        if moves.is_empty() || !Reach::fits(&moves) {
            continue;
        }
        quiet[text.classes[class].player].push(QuietMoves {
            slot: slots.of_class[class],
            placed,
            forwards: Reach::forwards(points, &moves),
            backwards: Reach::backwards(points, &moves),
        });
        tabled.extend(atoms);
    }
    (quiet, tabled)
}
