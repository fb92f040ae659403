//! Random graphs without locality, the worst case for a cache. Nothing is stored: the hash of a vertex gives
//! its moves. So every program builds the same graph.

use std::ops::ControlFlow;

use crate::textbook::{Answer, Graph, Verdict};
use retrograde::{Game, Status};

/// How many moves a vertex has, if it has any.
pub const DEGREE: u64 = 8;

/// A random graph. A vertex has eight moves, but one in eight has none and is lost. With this share, three
/// quarters of the vertices are decided, over a dozen levels or more; the others are drawn.
#[derive(Clone, Copy, Debug)]
pub struct RandomGraph {
    /// How many vertices.
    pub vertices: u64,
    /// The seed of the graph.
    pub seed: u64,
}

impl RandomGraph {
    /// The vertex that a move leads to.
    fn to(&self, from: u64, index: u64) -> u64 {
        ((u128::from(hash(self.seed, from * DEGREE + index)) * u128::from(self.vertices)) >> 64)
            as u64
    }

    fn is_stuck(&self, vertex: u64) -> bool {
        hash(!self.seed, vertex).is_multiple_of(8)
    }

    /// Solves the graph by the textbook.
    pub fn solve_by_textbook(&self) -> Answer {
        let mut graph = Graph::new(self.vertices as usize);
        for from in 0..self.vertices {
            if self.is_stuck(from) {
                graph.decide(from as u32, Verdict::Loss);
            } else {
                for index in 0..DEGREE {
                    graph.add_move(from as u32, self.to(from, index) as u32);
                }
            }
        }
        Answer::count(graph.solve())
    }
}

impl Game for RandomGraph {
    fn states(&self) -> u64 {
        self.vertices
    }

    fn status(&self, _state: u64) -> Status {
        Status::Open
    }

    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.is_stuck(state) {
            return ControlFlow::Continue(());
        }
        (0..DEGREE).try_for_each(|index| visit(self.to(state, index)))
    }

    fn degree_max(&self) -> Option<u32> {
        Some(DEGREE as u32)
    }
}

/// Mixes the bits of two numbers (the finalizer of splitmix64).
fn hash(seed: u64, number: u64) -> u64 {
    let mut bits = number.wrapping_add(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
