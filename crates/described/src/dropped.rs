//! A test that no condition of an atom is idle: without it, the interpreter of the witness disagrees.

use std::collections::BTreeSet;

use retrograde::Game;
use retrograde_positions::Positions;
use retrograde_testkit::Rng;
use retrograde_witness::interpreter::Interpreter;

use crate::atoms::Condition;
use crate::board::{Set, bit};
use crate::{DescribedGame, Numbers, Page, PageVisitor};

/// A text with all kinds of conditions.
const TEXT: &str = "
game conditions
board grid 3 3
men both man 2 hand
men both king 1
start first king a1
start second king c3
drop man any
move man step n placed
move man jump e takes
move man jump w placed
move king slide n takes
move king run e
move man step nw sw beside e w else
";

/// Some positions, as texts, with the positions after their moves.
type Known = Vec<(String, BTreeSet<String>)>;

/// The text of a position, always with the hands.
fn whole(text: String) -> String {
    if text.split(' ').count() == 2 { text + " -" } else { text }
}

/// Asks the interpreter about random positions.
struct Ask;

impl PageVisitor for Ask {
    type Output = Known;

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> Known {
        let interpreter = Interpreter::new(TEXT).unwrap();
        let mut rng = Rng::new(1);
        let positions = (0..10_000).filter_map(|_| game.position(&(), rng.below(game.states())));
        let ask = |position| {
            let text = whole(game.write(&position));
            let next = interpreter.next(&interpreter.read(&text).unwrap());
            (text, next.iter().map(|next| interpreter.write(next)).collect())
        };
        positions.map(ask).collect()
    }
}

/// Whether a game has the moves of all known positions.
struct Agree<'k>(&'k Known);

impl PageVisitor for Agree<'_> {
    type Output = bool;

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> bool {
        self.0.iter().all(|(text, known)| {
            let position = game.read(text).expect("it is a position");
            let mut next = BTreeSet::new();
            game.moves(&position, &mut |played| {
                next.insert(whole(game.write(&played.next)));
            });
            next == *known
        })
    }
}

#[test]
fn a_condition_that_is_dropped_is_noticed() {
    let page = Page::read(TEXT).unwrap();
    let known = page.clone().visit(Numbers::Plain, Ask).unwrap();
    let agrees = |page: &Page| page.clone().visit(Numbers::Plain, Agree(&known)).unwrap();
    assert!(agrees(&page));
    // A man never ends on another one that he does not take: such an atom would break every game.
    let drops: [fn(&mut Condition, Set); 6] = [
        |condition, end| condition.free &= end,
        |condition, _| condition.full = 0,
        |condition, end| condition.other &= end,
        |condition, _| condition.beside = 0,
        |condition, _| condition.placed = false,
        |condition, _| condition.otherwise = false,
    ];
    let mut dropped = [0; 6];
    for atom in 0..page.atoms.all.len() {
        let change = page.atoms.all[atom].change;
        for at in 0..page.atoms.all[atom].conditions.len() {
            for (kind, drop) in drops.iter().enumerate() {
                let mut other = page.clone();
                let conditions = &mut other.atoms.all[atom].conditions;
                drop(&mut conditions[at], bit(change.to));
                if *conditions == page.atoms.all[atom].conditions {
                    continue;
                }
                dropped[kind] += 1;
                assert!(!agrees(&other), "condition {kind} of {change:?}");
            }
        }
    }
    assert!(dropped.iter().all(|count| *count > 0), "{dropped:?}");
}
