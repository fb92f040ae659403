//! Finds the symmetries of a graph by trying images square by square.
//!
//! Squares first get classes that no symmetry mixes: by marks, then again and again by the classes of their neighbours.
//! An image must have the class of its square, and the same steps from and to the images of all squares before it.

use alloc::vec;
use alloc::vec::Vec;

use super::ELEMENTS_MAX;
use crate::squares;

/// The permutations of squares that map steps to steps and each mark to itself, in ascending order. If there are more than
/// [`ELEMENTS_MAX`], it stops one beyond them.
pub(super) fn automorphisms(neighbours: &[u64], marks: &[u64]) -> Vec<Vec<u8>> {
    let count = neighbours.len();
    assert!(count <= 64, "{count} squares: a set holds at most 64");
    let inside = |&set: &u64| squares(set).all(|square| (square as usize) < count);
    assert!(neighbours.iter().chain(marks).all(inside), "a set with squares beyond {count}");
    let mut before = vec![0; count];
    for (from, &to) in neighbours.iter().enumerate() {
        squares(to).for_each(|to| before[to as usize] |= 1 << from);
    }
    let graph = Graph { after: neighbours, before, classes: Vec::new() };
    let graph = Graph { classes: graph.classes(marks), ..graph };
    let mut found = Vec::new();
    graph.extend(&graph.order(), &mut vec![0; count], 0, 0, &mut found);
    found.sort_unstable();
    found
}

struct Graph<'a> {
    /// For each square, the squares that a step leads to.
    after: &'a [u64],
    /// For each square, the squares that a step comes from.
    before: Vec<u64>,
    /// The class of each square.
    classes: Vec<usize>,
}

impl Graph<'_> {
    /// Classes of squares. A symmetry maps each square to a square of its class.
    fn classes(&self, marks: &[u64]) -> Vec<usize> {
        let marked = |square| marks.iter().map(|mark| (mark >> square & 1) as usize).collect();
        let mut classes = numbered((0..self.after.len()).map(marked).collect());
        loop {
            let near = |set: u64| {
                let mut near: Vec<usize> = squares(set).map(|at| classes[at as usize]).collect();
                near.sort_unstable();
                near
            };
            let key = |at: usize| {
                [vec![classes[at]], near(self.after[at]), vec![usize::MAX], near(self.before[at])]
                    .concat()
            };
            let finer = numbered((0..classes.len()).map(key).collect());
            if finer.iter().max() == classes.iter().max() {
                return classes;
            }
            classes = finer;
        }
    }

    /// The squares in an order in which each has steps from or to an earlier one, if it can.
    fn order(&self) -> Vec<usize> {
        let (mut order, mut near) = (Vec::new(), 0u64);
        let mut rest: Vec<usize> = (0..self.after.len()).collect();
        while !rest.is_empty() {
            let next = rest.iter().position(|at| near >> at & 1 == 1).unwrap_or(0);
            let next = rest.remove(next);
            near |= self.after[next] | self.before[next];
            order.push(next);
        }
        order
    }

    /// Tries all images of the squares from `order[done]` on. `taken` are the images of the squares before. Recursion: one
    /// call for each square.
    fn extend(
        &self,
        order: &[usize],
        images: &mut Vec<u8>,
        done: usize,
        taken: u64,
        found: &mut Vec<Vec<u8>>,
    ) {
        if found.len() > ELEMENTS_MAX {
            return;
        }
        let Some(&square) = order.get(done) else { return found.push(images.clone()) };
        for image in (0..order.len()).filter(|image| taken >> image & 1 == 0) {
            let fits = |&earlier: &usize| {
                let earlier_image = images[earlier];
                self.after[square] >> earlier & 1 == self.after[image] >> earlier_image & 1
                    && self.before[square] >> earlier & 1 == self.before[image] >> earlier_image & 1
            };
            let loops = |at: usize| self.after[at] >> at & 1;
            if self.classes[square] == self.classes[image]
                && loops(square) == loops(image)
                && order[..done].iter().all(fits)
            {
                images[square] = image as u8;
                self.extend(order, images, done + 1, taken | 1 << image, found);
            }
        }
    }
}

/// Numbers for keys: the same for equal ones.
fn numbered(keys: Vec<Vec<usize>>) -> Vec<usize> {
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    sorted.dedup();
    keys.iter().map(|key| sorted.partition_point(|other| other < key)).collect()
}
