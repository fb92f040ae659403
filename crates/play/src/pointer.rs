//! Choosing a move with the arrow keys: a pointer that goes from cell to cell, among the cells of moves.

use retrograde_catalog::Played;

use crate::field::{Grid, Look, Node, Paint};

/// A pointer on the board. A move is a path of cells: most often one cell; in chess two, the origin and the target.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pointer {
    /// The cells of the path that the player has chosen.
    settled: Vec<usize>,
    /// The current cell.
    pub(crate) cell: usize,
}

/// The result of choosing a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pointed {
    /// No move leads there.
    Nothing,
    /// The path needs more cells.
    On,
    /// These moves have this path; most often it is one move.
    Moves(Vec<usize>),
}

impl Pointer {
    /// A new pointer, on a man of the side to move if possible. `None` if the board does not allow pointing at moves.
    pub(crate) fn new(node: &Node, side: usize) -> Option<Pointer> {
        let Look::Grid(grid) = &node.look else { return None };
        if node.moves.is_empty() || node.moves.iter().any(|choice| choice.path.is_empty()) {
            return None;
        }
        let side = node.side.map_or(0, |_| side);
        let pointer = Pointer::default();
        let targets = pointer.targets(node);
        let mine = |tile: Paint| matches!(tile, Paint::Man(of, _) if of == side);
        let own = (0..grid.cells.len()).filter(|&cell| mine(grid.cells[cell].paint));
        let cell = own.clone().find(|cell| targets.contains(cell)).or(own.clone().next());
        Some(Pointer { cell: cell.unwrap_or(targets[0]), ..pointer })
    }

    /// The cells that the pointer may go to.
    pub(crate) fn targets(&self, node: &Node) -> Vec<usize> {
        let next = |choice: &Played| choice.path.get(self.settled.len()).copied();
        let mut targets: Vec<usize> =
            self.moves(node).filter_map(|(_, choice)| next(choice)).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// The moves whose path begins with the chosen cells.
    fn moves<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = (usize, &'a Played)> {
        node.moves.iter().enumerate().filter(|(_, choice)| choice.path.starts_with(&self.settled))
    }

    /// Goes to the nearest cell in a direction. A cell straight ahead is nearer than one to the side.
    pub(crate) fn step(&mut self, node: &Node, grid: &Grid, down: i32, right: i32) {
        let place = |cell: usize| ((cell / grid.columns) as i32, (cell % grid.columns) as i32);
        let (row, column) = place(self.cell);
        let far = |cell: &usize| {
            let (r, c) = place(*cell);
            let ahead = (r - row) * down + (c - column) * right;
            let aside = (r - row) * right + (c - column) * down;
            (ahead > 0).then_some((ahead + 2 * aside.abs(), *cell))
        };
        if let Some((_, cell)) = self.targets(node).iter().filter_map(far).min() {
            self.cell = cell;
        }
    }

    /// Chooses the current cell.
    pub(crate) fn settle(&mut self, node: &Node) -> Pointed {
        if !self.targets(node).contains(&self.cell) {
            return Pointed::Nothing;
        }
        self.settled.push(self.cell);
        let found: Vec<usize> = self.moves(node).map(|(number, _)| number).collect();
        if found.iter().all(|&number| node.moves[number].path.len() == self.settled.len()) {
            self.settled.pop();
            return Pointed::Moves(found);
        }
        Pointed::On
    }

    /// Takes the last cell of the path back, if there is one.
    pub(crate) fn unsettle(&mut self) -> bool {
        match self.settled.pop() {
            Some(cell) => {
                self.cell = cell;
                true
            }
            None => false,
        }
    }
}
