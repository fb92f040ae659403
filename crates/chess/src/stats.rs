//! What is worth telling of a solved region: counts of placements on the board, and the longest mates.

use retrograde::{Counts, Outcome, Solution};

use crate::index::Index;

/// The placements in which one side is to move. All symmetric ones are counted, like pieces
/// unordered; positions in which a pawn can be captured in passing are further ones and not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Placements that the side to move wins.
    pub win: u64,
    /// Placements that are drawn.
    pub draw: u64,
    /// Placements that the side to move loses.
    pub loss: u64,
    /// The states of the numbering in which this side is to move: one for all symmetric placements, and those with
    /// a capture in passing too.
    pub states: Counts,
    /// The longest win of the side to move, if it ever wins.
    pub longest_win: Option<Longest>,
    /// The longest loss of the side to move, if it ever loses.
    pub longest_loss: Option<Longest>,
}

/// A longest mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Longest {
    /// How many plies it takes.
    pub plies: u32,
    /// The first state in which it does.
    pub state: u64,
}

impl Stats {
    /// What there is to tell of a region, with white and with black to move.
    pub fn of(index: &Index, solution: &Solution) -> [Stats; 2] {
        let mut stats = [Stats::default(), Stats::default()];
        for block in index.blocks() {
            let side = &mut stats[block.turn as usize];
            let counts = solution.count(block.states.clone());
            let raw = u64::from(block.multiplicity);
            side.states += counts;
            side.win += counts.win * raw;
            side.draw += counts.draw * raw;
            side.loss += counts.loss * raw;
            keep(&mut side.longest_win, solution.longest(block.states.clone(), Outcome::Win));
            keep(&mut side.longest_loss, solution.longest(block.states, Outcome::Loss));
        }
        for (turn, states) in index.passing() {
            stats[turn as usize].states += solution.count(states);
        }
        stats
    }
}

fn keep(longest: &mut Option<Longest>, found: Option<(u64, u32)>) {
    let Some((state, plies)) = found else { return };
    if longest.is_none_or(|longest| longest.plies < plies) {
        *longest = Some(Longest { plies, state });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_counted_for_who_is_to_move() {
        for name in ["KQvK", "KPvK", "KPvKP"] {
            let index = Index::new(name.parse().unwrap());
            let blocks = index.blocks().map(|block| (block.turn, block.states));
            let mut next = 0;
            for (turn, states) in blocks.chain(index.passing()) {
                assert_eq!(states.start, next, "{name}");
                next = states.end;
                for state in [states.start, states.end - 1] {
                    assert_eq!(index.decode(state).position.turn, turn, "{name} {state}");
                }
            }
            assert_eq!(next, index.states(), "{name}");
        }
    }
}
