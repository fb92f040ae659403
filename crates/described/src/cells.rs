//! Cells: how many men of each class stand on the board and are in hand, and who is to move. A move leads from cell to cell.

use std::collections::{BTreeSet, HashSet};

use crate::TextError;
use crate::atoms::{Atoms, OFF};
use crate::text::{End, Test, Text, Verdict};
use crate::words::Place;

/// The most cells of a text.
const CELLS_MAX: usize = 1 << 16;

/// The most ways to go from cell to cell.
const WAYS_MAX: usize = 1 << 21;

/// The counts of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Cell {
    pub(crate) board: Vec<u8>,
    pub(crate) hand: Vec<u8>,
    /// Who is to move.
    pub(crate) side: usize,
}

impl Cell {
    /// How many men a player has, on the board and in hand.
    pub(crate) fn men(&self, text: &Text, player: usize) -> u32 {
        let own = text.classes.iter().enumerate().filter(|(_, class)| class.player == player);
        own.map(|(at, _)| u32::from(self.board[at]) + u32::from(self.hand[at])).sum()
    }

    /// Whether the numbers of men alone say that a player has won.
    pub(crate) fn has_won(&self, text: &Text, player: usize) -> bool {
        let holds = |end: &&End| {
            end.player == player
                && match end.test {
                    Test::Out => self.men(text, player) == 0,
                    Test::Below(few) => self.men(text, 1 - player) < few,
                    Test::Take(class) => self.board[class] == 0,
                    Test::Pattern { .. } | Test::Reach { .. } => false,
                }
        };
        text.ends.iter().any(|end| holds(&end))
    }
}

impl Cell {
    /// Whether a man is taken whose loss ends the game. Positions of such a cell have no numbers.
    pub(crate) fn is_over(&self, text: &Text) -> bool {
        let taken = |end: &End| matches!(end.test, Test::Take(class) if self.board[class] == 0);
        text.ends.iter().any(taken)
    }
}

/// What it means that players have won: the one who has just moved, and the one to move.
pub(crate) fn verdict(text: &Text, last: bool, next: bool) -> Option<Verdict> {
    match (last, next) {
        (false, false) => None,
        (true, false) => Some(Verdict::Loses),
        (false, true) => Some(text.held),
        (true, true) => Some(text.both),
    }
}

/// What a move does to the numbers of men.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shift {
    class: u8,
    dropped: bool,
    becomes: Option<u8>,
    /// How many men it takes.
    takes: u32,
}

/// The cell of the start.
pub(crate) fn start(text: &Text) -> Cell {
    let on_board = |board: bool| {
        let counts = text
            .classes
            .iter()
            .map(|class| if class.in_hand != board { class.count as u8 } else { 0 });
        counts.collect::<Vec<u8>>()
    };
    Cell { board: on_board(true), hand: on_board(false), side: 0 }
}

/// What the moves of each player do to the numbers of men.
pub(crate) struct Shifts([BTreeSet<Shift>; 2]);

impl Shifts {
    pub(crate) fn new(text: &Text, atoms: &Atoms) -> Shifts {
        let mut shifts = Shifts(Default::default());
        for atom in &atoms.all {
            let change = atom.change;
            shifts.0[text.classes[usize::from(change.class)].player].insert(Shift {
                class: change.class,
                dropped: change.from == OFF,
                becomes: (change.to != OFF).then_some(change.becomes),
                takes: change.takes.count_ones(),
            });
        }
        shifts
    }

    /// Visits the cells that the moves of a cell can lead to, as far as numbers of men say, some of them several times.
    pub(crate) fn each_after(
        &self,
        text: &Text,
        atoms: &Atoms,
        cell: &Cell,
        mut visit: impl FnMut(Cell),
    ) {
        let [last, next] = [1 - cell.side, cell.side].map(|player| cell.has_won(text, player));
        if verdict(text, last, next).is_some() {
            return;
        }
        for shift in &self.0[cell.side] {
            let Some(moved) = cell.after(*shift) else { continue };
            let mut after = HashSet::from([moved]);
            for _ in 0..shift.takes {
                let before = std::mem::take(&mut after);
                after.extend(before.iter().flat_map(|cell| cell.after_taking(text, atoms)));
                if after.len() > CELLS_MAX {
                    break;
                }
            }
            let mut after: Vec<Cell> = after.into_iter().collect();
            after.sort_unstable();
            after.into_iter().for_each(&mut visit);
        }
    }
}

/// All cells that moves can lead to from the start, as far as numbers of men say, in the order in which they are found.
pub(crate) fn reachable(text: &Text, atoms: &Atoms) -> Result<Vec<Cell>, TextError> {
    let shifts = Shifts::new(text, atoms);
    let start = start(text);
    let mut found = HashSet::from([start.clone()]);
    let mut cells = vec![start];
    let (mut done, mut ways) = (0, 0);
    while let Some(cell) = cells.get(done).cloned() {
        done += 1;
        shifts.each_after(text, atoms, &cell, |after| {
            ways += 1;
            if after.fits(text) && found.insert(after.clone()) {
                cells.push(after);
            }
        });
        if cells.len() > CELLS_MAX || ways > WAYS_MAX {
            let problem = format!(
                "the men make too many combinations, about {} or more: use fewer",
                cells.len()
            );
            return Place { line: 1, column: 1 }.error(problem);
        }
    }
    Ok(cells)
}

impl Cell {
    /// Whether its men on the board have room there.
    fn fits(&self, text: &Text) -> bool {
        let men: u32 = self.board.iter().map(|&count| u32::from(count)).sum();
        men <= u32::from(text.board.len())
    }

    /// The cell after a move that takes nothing, if there is such a man.
    fn after(&self, shift: Shift) -> Option<Cell> {
        let mut cell = self.clone();
        let from = if shift.dropped { &mut cell.hand } else { &mut cell.board };
        let count = &mut from[usize::from(shift.class)];
        *count = count.checked_sub(1)?;
        if let Some(becomes) = shift.becomes {
            cell.board[usize::from(becomes)] += 1;
        }
        cell.side = 1 - cell.side;
        Some(cell)
    }

    /// The cells after one man of the player to move has been taken. A royal man never is.
    fn after_taking(&self, text: &Text, atoms: &Atoms) -> Vec<Cell> {
        let classes = text.classes.iter().enumerate();
        let there = classes.filter(|(taken, class)| {
            class.player == self.side && !class.royal && self.board[*taken] > 0
        });
        let after = there.map(|(taken, _)| {
            let mut after = self.clone();
            after.board[taken] -= 1;
            if let Some(class) = atoms.fates[taken].taken_as {
                after.hand[usize::from(class)] += 1;
            }
            after
        });
        after.collect()
    }
}
