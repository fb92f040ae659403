//! The textbook program: retrograde analysis as courses teach it, for comparison.
//!
//! A vector of vectors holds the reverse graph. An array counts the moves of each vertex that are not known
//! to lose. A depth-first search with its own stack spreads the decisions. It gives win, loss and draw, and
//! no distances. It is idiomatic and honest code; it stores the whole graph, as the textbook does.

use retrograde::Value;

/// The value of a vertex for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Not decided. At the end this is a draw.
    Draw,
    /// The player to move wins.
    Win,
    /// The player to move loses.
    Loss,
}

impl From<Value> for Verdict {
    fn from(value: Value) -> Verdict {
        match value {
            Value::Win(_) => Verdict::Win,
            Value::Draw => Verdict::Draw,
            Value::Loss(_) => Verdict::Loss,
        }
    }
}

/// A graph with reversed moves.
pub struct Graph {
    reverse: Vec<Vec<u32>>,
    degree: Vec<u32>,
    verdicts: Vec<Verdict>,
}

impl Graph {
    /// A graph of so many vertices and no moves.
    pub fn new(vertices: usize) -> Self {
        Graph {
            reverse: vec![Vec::new(); vertices],
            degree: vec![0; vertices],
            verdicts: vec![Verdict::Draw; vertices],
        }
    }

    /// Adds a move.
    pub fn add_move(&mut self, from: u32, to: u32) {
        self.reverse[to as usize].push(from);
        self.degree[from as usize] += 1;
    }

    /// Decides a vertex by rule. The vertex should have no moves.
    pub fn decide(&mut self, vertex: u32, verdict: Verdict) {
        self.verdicts[vertex as usize] = verdict;
    }

    /// Decides all vertices that can be decided.
    pub fn solve(mut self) -> Vec<Verdict> {
        let mut stack: Vec<u32> = Vec::new();
        for vertex in 0..self.reverse.len() {
            if self.verdicts[vertex] != Verdict::Draw {
                stack.push(vertex as u32);
            }
        }
        while let Some(vertex) = stack.pop() {
            let lost = self.verdicts[vertex as usize] == Verdict::Loss;
            for &from in &self.reverse[vertex as usize] {
                if self.verdicts[from as usize] != Verdict::Draw {
                    continue;
                }
                if lost {
                    self.verdicts[from as usize] = Verdict::Win;
                } else {
                    self.degree[from as usize] -= 1;
                    if self.degree[from as usize] > 0 {
                        continue;
                    }
                    self.verdicts[from as usize] = Verdict::Loss;
                }
                stack.push(from);
            }
        }
        self.verdicts
    }
}

/// How many vertices win, lose and draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Vertices where the player to move wins.
    pub win: u64,
    /// Vertices where the player to move loses.
    pub loss: u64,
    /// Vertices that are drawn.
    pub draw: u64,
}

impl Answer {
    /// Counts verdicts.
    pub fn count(verdicts: impl IntoIterator<Item = Verdict>) -> Self {
        let mut answer = Answer::default();
        for verdict in verdicts {
            match verdict {
                Verdict::Win => answer.win += 1,
                Verdict::Loss => answer.loss += 1,
                Verdict::Draw => answer.draw += 1,
            }
        }
        answer
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} won, {} lost, {} drawn", self.win, self.loss, self.draw)
    }
}
