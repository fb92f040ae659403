//! A test that no condition of an atom is idle: without it, the interpreter of the witness disagrees.

use std::cell::RefCell;
use std::collections::BTreeSet;

use retrograde::Game;
use retrograde_positions::Positions;
use retrograde_testkit::Rng;
use retrograde_witness::interpreter::Interpreter;

use crate::atoms::Condition;
use crate::board::{Set, bit};
use crate::{DescribedGame, Numbers, Page, PageVisitor};

/// Texts with all kinds of conditions.
const TEXTS: [&str; 3] = [
    "
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
",
    "
game mills
board grid 3 3
men both man 3
start first man row-1
start second man row-3
mill 2 n e
move man step se n
",
    "
game chains
board grid 3 3
men both man 2 hand
drop man row-1,b2,c3
drop man any upon s
move man step e
move man jump all takes again
",
];

/// Some positions, as texts, with the positions after their moves.
type Known = Vec<(String, BTreeSet<String>)>;

/// The text of a position, always with the hands.
fn whole(text: String) -> String {
    if text.split(' ').count() == 2 { text + " -" } else { text }
}

/// Asks the interpreter about all positions, or random ones of many.
struct Ask(&'static str);

impl PageVisitor for Ask {
    type Output = Known;

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> Known {
        let interpreter = Interpreter::new(self.0).unwrap();
        let mut rng = Rng::new(1);
        let states: Vec<u64> = match game.states() {
            few @ ..20_000 => (0..few).collect(),
            many => (0..10_000).map(|_| rng.below(many)).collect(),
        };
        let positions = states.into_iter().filter_map(|state| game.position(&(), state));
        let ask = |position| {
            let text = whole(game.write(&position));
            let next = interpreter.next(&interpreter.read(&text).unwrap());
            (text, next.iter().map(|next| interpreter.write(next)).collect())
        };
        positions.map(ask).collect()
    }
}

/// Whether a game has the moves of all known positions. The position that tells of one condition often tells of the next one, so it
/// is asked about first from then on.
struct Agree<'k>(&'k RefCell<Known>);

impl PageVisitor for Agree<'_> {
    type Output = bool;

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> bool {
        let mut known = self.0.borrow_mut();
        let differs = known.iter().position(|(text, known)| {
            // A game without hands does not write them.
            let bare = text.trim_end_matches(" -");
            let position = game.read(text).or_else(|_| game.read(bare));
            let position = position.expect("it is a position");
            let mut next = BTreeSet::new();
            game.moves(&position, &mut |played| {
                next.insert(whole(game.write(&played.next)));
            });
            next != *known
        });
        if let Some(at) = differs {
            known[..=at].rotate_right(1);
        }
        differs.is_none()
    }
}

/// Takes a condition away. The set is the point where the move ends, which must be free.
type Drop = fn(&mut Condition, Set);

// A man never ends on another one that it does not take: such an atom would break every game.
const DROPS: [Drop; 10] = [
    |condition, end| condition.free &= end,
    |condition, _| condition.full = 0,
    |condition, end| condition.other &= end,
    |condition, _| condition.beside = 0,
    |condition, _| condition.placed = false,
    |condition, _| condition.otherwise = false,
    |condition, _| condition.own = 0,
    |condition, _| condition.never.clear(),
    |condition, _| condition.bare = false,
    |condition, _| condition.milled = false,
];

#[test]
fn a_condition_that_is_dropped_is_noticed() {
    let mut dropped = [0; DROPS.len()];
    for text in TEXTS {
        let page = Page::read(text).unwrap();
        let known = RefCell::new(page.clone().visit(Numbers::Plain, Ask(text)).unwrap());
        let agrees = |page: &Page| page.clone().visit(Numbers::Plain, Agree(&known)).unwrap();
        assert!(agrees(&page));
        for atom in 0..page.atoms.all.len() {
            let change = page.atoms.all[atom].change;
            let taken = change.takes & !bit(change.to);
            for at in 0..page.atoms.all[atom].conditions.len() {
                for (kind, drop) in DROPS.iter().enumerate() {
                    let mut other = page.clone();
                    let conditions = &mut other.atoms.all[atom].conditions;
                    // A man that is taken must be there.
                    drop(&mut conditions[at], bit(change.to));
                    conditions[at].other |= taken;
                    // Another condition may say as much.
                    let implied = |other: &Condition| implies(&conditions[at], other);
                    if page.atoms.all[atom].conditions.iter().any(implied) {
                        continue;
                    }
                    dropped[kind] += 1;
                    assert!(!agrees(&other), "condition {kind} of {change:?} in {text}");
                }
            }
        }
    }
    assert!(dropped.iter().all(|count| *count > 0), "{dropped:?}");
}

/// Whether a condition holds only if another one does, as far as each part says.
fn implies(one: &Condition, other: &Condition) -> bool {
    other.free & !one.free == 0
        && other.full & !one.full == 0
        && other.own & !one.own == 0
        && other.other & !one.other == 0
        && other.never.iter().all(|never| one.never.contains(never))
        && (other.beside == 0 || other.beside == one.beside)
        && other.placed <= one.placed
        && other.otherwise == one.otherwise
        && other.bare <= one.bare
        && other.milled <= one.milled
}
