//! The games that were solved last. The page sends its board again with every click.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use retrograde::Solution;
use retrograde_catalog::{CompiledGame, GameOracle, Known, OracleError, States};
use retrograde_table::SideCounts;

use crate::samples::Sample;

/// A game and its solution.
pub(crate) struct RecentGame {
    pub(crate) solved: Arc<GameOracle>,
    /// How many states each side wins, loses and draws.
    pub(crate) counts: Vec<SideCounts>,
    /// The states with the longest wins, once a question has asked for them: finding them looks at all states.
    pub(crate) longest: OnceLock<Vec<Sample>>,
}

/// Some solved games, the last used one at the end.
pub(crate) struct Recent {
    bytes_max: u64,
    games: Mutex<VecDeque<(String, Arc<RecentGame>)>>,
}

impl RecentGame {
    pub(crate) fn new(
        game: Arc<dyn CompiledGame>,
        solution: Solution,
    ) -> Result<RecentGame, OracleError> {
        let solved = Arc::new(GameOracle::new(game, Known::Solution(Arc::new(solution)))?);
        let counts = (&*solved).counts()?.into_iter();
        let counts = counts.map(|(side, counts)| SideCounts::new(&side, counts)).collect();
        Ok(RecentGame { solved, counts, longest: OnceLock::new() })
    }

    fn bytes(&self) -> u64 {
        self.solved.known().bytes()
    }
}

impl Recent {
    /// A cache that keeps solutions of about so many bytes.
    pub(crate) fn new(bytes_max: u64) -> Recent {
        Recent { bytes_max, games: Mutex::default() }
    }

    /// The game with this description, if it was solved lately.
    pub(crate) fn find(&self, key: &str) -> Option<Arc<RecentGame>> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let place = games.iter().position(|(each, _)| each == key)?;
        let found = games.remove(place)?;
        let solved = Arc::clone(&found.1);
        games.push_back(found);
        Some(solved)
    }

    /// Keeps a game. Removes those that were not used for the longest time, if all of them take too much memory.
    pub(crate) fn keep(&self, key: String, solved: &Arc<RecentGame>) {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.retain(|(each, _)| *each != key);
        games.push_back((key, Arc::clone(solved)));
        let bytes = |games: &VecDeque<(String, Arc<RecentGame>)>| -> u64 {
            games.iter().map(|(key, solved)| key.len() as u64 + solved.bytes()).sum()
        };
        while bytes(&games) > self.bytes_max {
            games.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use retrograde::Solver;
    use retrograde_catalog::Engine;
    use retrograde_games::Setup;

    use super::*;

    fn solved(heap: &str) -> Arc<RecentGame> {
        let setup = Setup::parse("take", &[("heaps", heap), ("take", "any")], None).unwrap();
        let game = retrograde_catalog::game(&setup).unwrap();
        let solution = game.solve(Engine::Scalar, Solver::new().threads(1)).unwrap();
        Arc::new(RecentGame::new(game, solution).unwrap())
    }

    #[test]
    fn the_game_that_was_not_used_for_the_longest_time_goes_first() {
        let games = ["100", "101", "102"].map(solved);
        let room = games.iter().map(|solved| solved.bytes() + 1).sum::<u64>() - 1;
        let recent = Recent::new(room);
        recent.keep("a".into(), &games[0]);
        recent.keep("b".into(), &games[1]);
        let found = recent.find("a").expect("it is kept");
        assert!(Arc::ptr_eq(&found, &games[0]));
        recent.keep("c".into(), &games[2]);
        assert_eq!(["a", "b", "c"].map(|key| recent.find(key).is_some()), [true, false, true]);
        // A game that is kept again counts once.
        recent.keep("c".into(), &games[2]);
        assert!(recent.find("a").is_some());
        // A game that alone takes too much is not kept.
        let none = Recent::new(0);
        none.keep("a".into(), &games[0]);
        assert!(none.find("a").is_none());
    }
}
