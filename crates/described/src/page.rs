//! A text, compiled: its atoms, symmetries and cells.

use std::sync::Arc;

use crate::TextError;
use crate::atoms::{Atoms, OFF};
use crate::board::bit;
use crate::cells::reachable;
use crate::game::DescribedGame;
use crate::names;
use crate::read::read;
use crate::rulebook::Rulebook;
use crate::slots::{SLOTS_MAX, Slots};
use crate::steps::{Men, Step};
use crate::symmetry::Symmetries;
use crate::text::{Class, Text};
use crate::words::Place;

/// The text of a game, read and compiled.
#[derive(Clone, Debug)]
pub struct Page {
    pub(crate) text: Text,
    pub(crate) atoms: Atoms,
    pub(crate) symmetries: Symmetries,
}

/// The version of the rule that numbers the positions of a text. A table keeps it, so that no table is read in another way.
pub const NUMBERING: u32 = 1;

/// How positions are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Each position has a number of its own.
    Plain,
    /// Positions that are equal up to symmetry share a number, also if the players change roles.
    Folded,
}

/// Code that works on a game of any number of slots. See [`Page::visit`].
pub trait PageVisitor {
    /// The result of the work.
    type Output;

    /// Works on the game.
    fn visit<const N: usize>(self, game: DescribedGame<N>) -> Self::Output;
}

impl Page {
    /// Reads a text and compiles it. This takes bounded time and memory, whatever the text is.
    pub fn read(text: &str) -> Result<Page, TextError> {
        let text = read(text)?;
        names::keep(&text)?;
        let atoms = Atoms::new(&text)?;
        let symmetries = Symmetries::new(&text, &atoms);
        let page = Page { text, atoms, symmetries };
        let slots = page.slots()?;
        if slots.is_over_at_start(&page) {
            let problem = "the game is over before the first move: a man whose loss ends it is missing, or one stands where it wins";
            return Place { line: 1, column: 1 }.error(problem);
        }
        if page.can_take_royal_at_start() {
            let problem = "the first player could take a royal man at once";
            return Place { line: 1, column: 1 }.error(problem);
        }
        Ok(page)
    }

    fn can_take_royal_at_start(&self) -> bool {
        let classes = &self.text.classes;
        let starts = |wanted: &dyn Fn(&Class) -> bool| {
            let starts = classes.iter().filter(|class| wanted(class)).map(|class| class.start);
            starts.fold(0, |all, start| all | start)
        };
        let royal = starts(&|class| class.royal && class.player == 1);
        let has_hand =
            classes.iter().any(|class| class.player == 0 && class.in_hand && class.count > 0);
        let [own, other] = [0, 1].map(|player| starts(&|class| class.player == player));
        let men = Men::new([own, other], !has_hand, &self.text.mills);
        self.atoms.all.iter().any(|atom| {
            let class = &classes[usize::from(atom.change.class)];
            let stands = match atom.change.from {
                OFF => class.in_hand && class.count > 0,
                from => class.start & bit(from) != 0,
            };
            let step = || Step::new(atom, [0, 0], None);
            class.player == 0
                && stands
                && atom.change.takes & royal != 0
                && (step().is_possible(men, false) || step().is_possible(men, true))
        })
    }

    pub(crate) fn slots(&self) -> Result<Slots, TextError> {
        Slots::new(self, &reachable(&self.text, &self.atoms)?)
    }

    /// The name of the game.
    pub fn name(&self) -> &str {
        &self.text.name
    }

    /// Whether symmetries are not used, because there are too many or their search takes too long.
    pub fn leaves_symmetries(&self) -> bool {
        self.symmetries.unused
    }

    /// How many symmetries the board has, with its moves and ends.
    pub fn symmetries(&self) -> usize {
        self.symmetries.all.len()
    }

    /// Whether the players can change roles.
    pub fn is_even(&self) -> bool {
        self.symmetries.exchange.is_some()
    }

    /// Numbers the positions, and passes the game on.
    pub fn visit<V: PageVisitor>(
        self,
        numbers: Numbers,
        visitor: V,
    ) -> Result<V::Output, TextError> {
        let slots = self.slots()?;
        let cells = slots.cells(&self, numbers == Numbers::Folded);
        let page = Arc::new(self);
        let used = slots.side + 1;
        let book = Rulebook::new(&page, slots);
        Ok(match used {
            0..=14 => visitor.visit(DescribedGame::<14>::new(page, book, cells, numbers)),
            _ => visitor.visit(DescribedGame::<SLOTS_MAX>::new(page, book, cells, numbers)),
        })
    }
}
