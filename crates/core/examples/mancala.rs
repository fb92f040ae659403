//! A game of the mancala family, in which some moves keep the turn.
//!
//! Two rows of pits form a ring. A move empties a pit of the player's own row and sows its stones one by one into the pits that
//! follow. If the last stone falls into the player's own row, the same player moves again. A player whose row is empty
//! cannot move and loses. Play may go round for ever, so there are draws.
//!
//! ```text
//! cargo run -p retrograde --example mancala
//! ```

use std::ops::ControlFlow;

use retrograde::adapters::{Explicit, Numbered, Rules};
use retrograde::play::{Line, line};
use retrograde::{Outcome, Value, audit, solve, verify};

/// Pits in a row.
const ROW: usize = 3;

/// The game with so many stones.
pub(crate) struct Mancala {
    pub(crate) stones: u8,
}

/// The stones in the pits, and whose turn it is: side 0 has the first row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Position {
    side: usize,
    pits: [u8; 2 * ROW],
}

impl Mancala {
    /// The stones spread evenly, the rest in the first pit.
    pub(crate) fn start(&self) -> Position {
        let mut pits = [self.stones / (2 * ROW as u8); 2 * ROW];
        pits[0] += self.stones % (2 * ROW as u8);
        Position { side: 0, pits }
    }

    fn radix(&self) -> u64 {
        u64::from(self.stones) + 1
    }
}

impl Rules for Mancala {
    type Position = Position;

    fn states(&self) -> u64 {
        2 * self.radix().pow(2 * ROW as u32)
    }

    /// The side, then a digit for each pit. Most numbers have too many stones or too few, and are no position.
    fn position(&self, state: u64) -> Option<Position> {
        let (mut rest, mut pits) = (state / 2, [0; 2 * ROW]);
        for pit in &mut pits {
            *pit = (rest % self.radix()) as u8;
            rest /= self.radix();
        }
        let stones = pits.iter().map(|&pit| u32::from(pit)).sum::<u32>();
        let side = (state % 2) as usize;
        (stones == u32::from(self.stones)).then_some(Position { side, pits })
    }

    fn state(&self, Position { side, pits }: &Position) -> u64 {
        let digits = pits.iter().rev();
        2 * digits.fold(0, |state, &pit| state * self.radix() + u64::from(pit)) + *side as u64
    }

    fn terminal(&self, _: &Position) -> Option<Value> {
        None
    }

    fn moves(
        &self,
        &Position { side, pits }: &Position,
        mut visit: impl FnMut(&Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let own = side * ROW..(side + 1) * ROW;
        for from in own.clone().filter(|&pit| pits[pit] > 0) {
            let mut after = pits;
            let stones = std::mem::take(&mut after[from]);
            let mut pit = from;
            for _ in 0..stones {
                pit = (pit + 1) % pits.len();
                after[pit] += 1;
            }
            let side = if own.contains(&pit) { side } else { 1 - side };
            visit(&Position { side, pits: after })?;
        }
        ControlFlow::Continue(())
    }

    /// The numbers of two states tell: the side to move is the same.
    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        from % 2 == to % 2
    }
}

/// The game as a graph: its backward moves need not be written.
pub(crate) fn game(stones: u8) -> Explicit<Numbered<Mancala>> {
    Explicit::from_game(Numbered(Mancala { stones }))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Mancala { stones: 9 };
    let start = rules.state(&rules.start());
    let game = game(rules.stones);
    audit(&game)?;
    let solution = solve(&game);
    verify(&game, &solution)?;
    println!("{:?}", solution.counts());
    let value = solution.value(start).ok_or("the start is a position")?;
    println!("the start is a {value}");
    if value.outcome() != Outcome::Draw {
        let Line { states, .. } = line(&game, &solution, start)?;
        for position in states.into_iter().filter_map(|state| rules.position(state)) {
            println!("side {} to move: {:?}", position.side, position.pits);
        }
    }
    Ok(())
}
