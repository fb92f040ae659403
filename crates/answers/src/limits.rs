//! What one question may cost.

use crate::problem::{Problem, ProblemKind};

/// The limits of a question. All of them are finite, so the memory and the length of an answer are bounded.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How many states one question may ask for.
    pub batch: usize,
    /// How many plies of best play one question may ask for.
    pub line_plies: usize,
    /// How many bytes the board or the text of a game may have.
    pub board_bytes: usize,
    /// How many moves a game to be solved may have: its states, times the most moves of one.
    pub solve_moves: u64,
    /// How much memory a solve may take.
    pub solve_bytes: u64,
    /// About how much memory the games may take that were solved last.
    pub solved_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            batch: 4096,
            line_plies: 1000,
            board_bytes: 16 << 10,
            // Quixo on 4x4 squares has 240 million. It takes a second.
            solve_moves: 1 << 28,
            solve_bytes: 256 << 20,
            solved_bytes: 64 << 20,
        }
    }
}

impl Limits {
    /// Refuses to answer for more states than one question may ask for.
    pub fn check_batch(&self, states: usize) -> Result<(), Problem> {
        if states <= self.batch {
            return Ok(());
        }
        let most = self.batch;
        let text = format!("{states} states at once are too many: ask for {most} at most");
        Err(Problem::new(ProblemKind::TooMany, text))
    }
}

/// Whether there is time left for an answer; the problem if there is none.
pub type Check<'a> = &'a (dyn Fn() -> Result<(), Problem> + Sync);
