//! Choosing a move by arrows: a pointer that goes from cell to cell among those that some move leads through.

use retrograde_catalog::Played;

use crate::field::{Grid, Look, Node, Paint};

/// A pointer on the board. A move is a path of cells, most often one; in chess two, from where to where.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pointer {
    /// The cells of the path that are settled.
    settled: Vec<usize>,
    /// The cell it is on.
    pub(crate) cell: usize,
}

/// What pointing at a cell comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pointed {
    /// No move leads there.
    Nothing,
    /// The path goes on from there.
    On,
    /// These moves, most often one.
    Moves(Vec<usize>),
}

impl Pointer {
    /// A pointer where it is likeliest of use: with the one who moves. `None` where moves are not to be pointed at.
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

    /// The cells that can be pointed at.
    pub(crate) fn targets(&self, node: &Node) -> Vec<usize> {
        let next = |choice: &Played| choice.path.get(self.settled.len()).copied();
        let mut targets: Vec<usize> =
            self.moves(node).filter_map(|(_, choice)| next(choice)).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// The moves whose path begins as it has been settled.
    fn moves<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = (usize, &'a Played)> {
        node.moves.iter().enumerate().filter(|(_, choice)| choice.path.starts_with(&self.settled))
    }

    /// Goes to the nearest cell that way: straight ahead sooner than to the side.
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

    /// Settles the cell it is on.
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
