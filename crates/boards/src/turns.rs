//! Positions with a side to move.
//!
//! The player is the highest digit, so all states of one player lie together. That suits counts by player,
//! tables that keep one side, and engines that treat neighbouring states together.

/// Numbers positions with the player to move.
///
/// ```
/// let turns = retrograde_boards::Turns::new(1000, 2);
/// assert_eq!(turns.count(), 2000);
/// assert_eq!(turns.join(7, 1), 1007);
/// assert_eq!(turns.split(1007), (7, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turns {
    positions: u64,
    players: u64,
}

impl Turns {
    /// Numbers a position and the player to move, for `positions` positions and `players` players.
    ///
    /// # Panics
    ///
    /// If there are more than 2^64 states.
    pub fn new(positions: u64, players: u32) -> Turns {
        let players = u64::from(players);
        assert!(positions.checked_mul(players).is_some(), "more than 2^64 states");
        Turns { positions, players }
    }

    /// How many states there are.
    pub fn count(&self) -> u64 {
        self.positions * self.players
    }

    /// The state of a position with a player to move.
    #[inline]
    pub fn join(&self, position: u64, player: u32) -> u64 {
        u64::from(player) * self.positions + position
    }

    /// The position and the player to move.
    #[inline]
    pub fn split(&self, state: u64) -> (u64, u32) {
        (state % self.positions, (state / self.positions) as u32)
    }
}
