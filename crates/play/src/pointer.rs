//! Choosing a move with the arrow keys: a pointer that goes from point to point, among the points of moves.

use retrograde::Value;
use retrograde_catalog::Played;
use retrograde_positions::Board;

use crate::field::{Look, Node};

/// A pointer on the board. A move is a path of points: in chess the origin and the target.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pointer {
    /// The points of the path that are chosen.
    settled: Vec<usize>,
    /// How many of them all moves share. The player need not choose these.
    shared: usize,
    /// The current point.
    pub(crate) point: usize,
}

/// The result of choosing a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pointed {
    /// No move leads there.
    Nothing,
    /// The path needs more points.
    On,
    /// These moves have this path; most often it is one move.
    Moves(Vec<usize>),
}

impl Pointer {
    /// A new pointer, on a man of the side to move if possible. `None` if the board does not allow pointing at moves.
    pub(crate) fn new(node: &Node, side: usize) -> Option<Pointer> {
        let Look::Board(board, _) = &node.look else { return None };
        let (first, rest) = node.moves.split_first()?;
        if node.moves.iter().any(|choice| choice.step.points.is_empty()) {
            return None;
        }
        let points = &first.step.points;
        let share = |count: &usize| {
            rest.iter().all(|choice| {
                choice.step.points.len() > *count
                    && choice.step.points[..*count] == points[..*count]
            })
        };
        let shared = (0..points.len()).take_while(share).last().unwrap_or(0);
        let pointer = Pointer { settled: points[..shared].to_vec(), shared, point: points[0] };
        let targets = pointer.targets(node);
        let own = board.men.iter().filter(|man| man.player.is_none_or(|player| player == side));
        let mut own = own.map(|man| man.point);
        let point = own.clone().find(|point| targets.contains(point)).or(own.next());
        Some(Pointer { point: point.unwrap_or(targets[0]), ..pointer })
    }

    /// The points that the pointer may go to.
    pub(crate) fn targets(&self, node: &Node) -> Vec<usize> {
        let next = |choice: &Played| choice.step.points.get(self.settled.len()).copied();
        let mut targets: Vec<usize> =
            self.moves(node).filter_map(|(_, choice)| next(choice)).collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// The same, each with the value of the best move that goes on there.
    pub(crate) fn valued_targets(&self, node: &Node) -> Vec<(usize, Value)> {
        let best = |&target: &usize| {
            let here = self
                .moves(node)
                .find(|(_, choice)| choice.step.points.get(self.settled.len()) == Some(&target));
            Some((target, here?.1.value))
        };
        self.targets(node).iter().filter_map(best).collect()
    }

    /// The moves whose path begins with the chosen points.
    fn moves<'a>(&'a self, node: &'a Node) -> impl Iterator<Item = (usize, &'a Played)> {
        let moves = node.moves.iter().enumerate();
        moves.filter(|(_, choice)| choice.step.points.starts_with(&self.settled))
    }

    /// Goes to the nearest point in a direction. A point straight ahead is nearer than one to the side.
    pub(crate) fn step(&mut self, node: &Node, board: &Board, down: i32, right: i32) {
        let place = |point: usize| (board.points[point].y as i32, board.points[point].x as i32);
        let (row, column) = place(self.point);
        let far = |point: &usize| {
            let (r, c) = place(*point);
            let ahead = (r - row) * down + (c - column) * right;
            let aside = (r - row) * right + (c - column) * down;
            (ahead > 0).then_some((ahead + 2 * aside.abs(), *point))
        };
        if let Some((_, point)) = self.targets(node).iter().filter_map(far).min() {
            self.point = point;
        }
    }

    /// Chooses the current point.
    pub(crate) fn settle(&mut self, node: &Node) -> Pointed {
        if !self.targets(node).contains(&self.point) {
            return Pointed::Nothing;
        }
        self.settled.push(self.point);
        let found: Vec<usize> = self.moves(node).map(|(number, _)| number).collect();
        let whole = |&number: &usize| node.moves[number].step.points.len() == self.settled.len();
        if found.iter().all(whole) {
            self.settled.pop();
            return Pointed::Moves(found);
        }
        Pointed::On
    }

    /// Takes the last point of the path back, if the player has chosen one.
    pub(crate) fn unsettle(&mut self) -> bool {
        match self.settled.len() > self.shared {
            true => {
                self.point = self.settled.pop().unwrap_or_default();
                true
            }
            false => false,
        }
    }
}
