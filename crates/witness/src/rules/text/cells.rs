//! Cells: how many men of each class stand on the board and are in hand, and who is to move.

use std::collections::{BTreeSet, HashSet};

use super::ways::{OFF, Ways, is_vital};
use crate::interpreter::{Interpreter, Test};

/// The counts of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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

    /// Whether its positions have numbers. They lack no man whose loss ends the game.
    pub(super) fn is_valid(&self, game: &Interpreter) -> bool {
        (0..self.board.len()).all(|class| self.board[class] > 0 || !is_vital(game, class))
    }
}

/// All cells that moves can lead to from the start, as far as the numbers of men say. `None` if there are too many.
pub(super) fn reachable(game: &Interpreter, ways: &Ways) -> Option<Vec<Cell>> {
    // What each move does to the numbers of men.
    let changes: BTreeSet<(usize, bool, Option<usize>, bool)> = ways
        .keys()
        .map(|change| {
            let stays = (change.to != OFF).then_some(change.becomes);
            (change.class, change.from == OFF, stays, change.taken != OFF)
        })
        .collect();
    let start = game.start();
    let classes = 0..game.classes.len();
    let start = Cell {
        board: classes.clone().map(|class| start.men[class].count_ones()).collect(),
        hand: classes.clone().map(|class| start.hand[class].into()).collect(),
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
        for &(class, dropped, stays, takes) in own {
            let mut after = cell.clone();
            let from = if dropped { &mut after.hand } else { &mut after.board };
            if from[class] == 0 {
                continue;
            }
            from[class] -= 1;
            stays.into_iter().for_each(|class| after.board[class] += 1);
            after.side = 1 - cell.side;
            let theirs = |&taken: &usize| {
                takes && game.classes[taken].player != cell.side && after.board[taken] > 0
            };
            let mut all: Vec<Cell> = classes
                .clone()
                .filter(theirs)
                .map(|taken| {
                    let mut after = after.clone();
                    after.board[taken] -= 1;
                    game.taken_as[taken].into_iter().for_each(|hand| after.hand[hand] += 1);
                    after
                })
                .collect();
            if !takes {
                all.push(after);
            }
            let fits = |cell: &Cell| cell.board.iter().sum::<u32>() as usize <= game.board.len();
            all.retain(|cell| fits(cell) && known.insert(cell.clone()));
            cells.extend(all);
        }
        if cells.len() > 1 << 17 {
            return None;
        }
    }
    Some(cells)
}
