//! Cells: how many men of each class stand on the board and are in hand, and who is to move.

use std::collections::{BTreeSet, HashSet};

use super::ways::{OFF, Ways, completes_mill, is_vital};
use crate::interpreter::{Interpreter, Test};

/// The counts of a cell.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Cell {
    pub(super) board: Vec<u32>,
    pub(super) hand: Vec<u32>,
    pub(super) side: usize,
}

impl Cell {
    /// Whether the counts alone say that a player holds an end.
    fn is_decided(&self, game: &Interpreter) -> bool {
        game.wins.iter().any(|win| match win.test {
            Test::Take { class } => self.board[class] == 0,
            Test::Out => (0..game.classes.len())
                .filter(|&class| game.classes[class].player == win.player)
                .all(|class| self.board[class] + self.hand[class] == 0),
            Test::Below { men } => {
                let theirs = (0..game.classes.len())
                    .filter(|&class| game.classes[class].player != win.player);
                theirs.map(|class| self.board[class] + self.hand[class]).sum::<u32>() < men
            }
            Test::Stand { .. } | Test::Reach { .. } => false,
        })
    }

    /// The cells after one man of the player to move has been taken. A royal man never is.
    fn after_taking(&self, game: &Interpreter) -> Vec<Cell> {
        let theirs = game.classes.iter().enumerate().filter(|(taken, class)| {
            class.player == self.side && !class.royal && self.board[*taken] > 0
        });
        let after = theirs.map(|(taken, _)| {
            let mut after = self.clone();
            after.board[taken] -= 1;
            game.taken_as[taken].into_iter().for_each(|hand| after.hand[hand] += 1);
            after
        });
        after.collect()
    }

    /// Whether its positions have numbers. They lack no man whose loss ends the game.
    pub(super) fn is_valid(&self, game: &Interpreter) -> bool {
        (0..self.board.len()).all(|class| self.board[class] > 0 || !is_vital(game, class))
    }
}

/// All cells that moves can lead to from the start, as far as the numbers of men say. `None` if there are too many.
pub(super) fn reachable(game: &Interpreter, ways: &Ways) -> Option<Vec<Cell>> {
    // What each move does to the numbers of men.
    let mut changes: BTreeSet<(usize, bool, Option<usize>, u32)> = BTreeSet::new();
    for change in ways.keys() {
        let stays = (change.to != OFF).then_some(change.becomes);
        let taken = change.taken.count_ones();
        let most = taken + u32::from(completes_mill(game, change));
        changes
            .extend((taken..=most).map(|taken| (change.class, change.from == OFF, stays, taken)));
    }
    let start = game.start();
    let classes = 0..game.classes.len();
    let start = Cell {
        board: classes.clone().map(|class| start.men[class].count_ones()).collect(),
        hand: classes.map(|class| start.hand[class].into()).collect(),
        side: 0,
    };
    let mut known = HashSet::from([start.clone()]);
    let (mut cells, mut done) = (vec![start], 0);
    while let Some(cell) = cells.get(done).cloned() {
        done += 1;
        if cell.is_decided(game) {
            continue;
        }
        let own = changes.iter().filter(|change| game.classes[change.0].player == cell.side);
        for &(class, dropped, stays, taken) in own {
            let mut after = cell.clone();
            let from = if dropped { &mut after.hand } else { &mut after.board };
            if from[class] == 0 {
                continue;
            }
            from[class] -= 1;
            stays.into_iter().for_each(|class| after.board[class] += 1);
            after.side = 1 - cell.side;
            let mut all = BTreeSet::from([after]);
            for _ in 0..taken {
                all = all.iter().flat_map(|cell| cell.after_taking(game)).collect();
            }
            let fits = |cell: &Cell| cell.board.iter().sum::<u32>() as usize <= game.board.len();
            cells.extend(all.into_iter().filter(|cell| fits(cell) && known.insert(cell.clone())));
        }
        if cells.len() > 1 << 17 {
            return None;
        }
    }
    Some(cells)
}
