//! The L-game of Edward de Bono. Each side has an L of four squares, and two neutral stones of one square
//! stand between them on 4x4 squares. You must lay your L elsewhere, and may then move a neutral stone. A
//! player who cannot move loses.
//!
//! Positions are numbered up to symmetry. Backward moves up to symmetry are hard: each must be counted
//! correctly where a position is its own mirror image. `Explicit` stores the backward moves instead.

use retrograde::adapters::{Explicit, Numbered, Rules};
use retrograde::{Flow, Value, solve, verify};
use retrograde_boards::{Group, Orbits, squares};

struct LGame {
    /// The numbering of positions: the L of the side to move, that of the other side, the neutral stones.
    orbits: Orbits<3>,
    /// All 48 ways to lay an L.
    places: Vec<u64>,
}

impl LGame {
    fn new() -> LGame {
        let group = Group::square(4);
        let shifts = [0, 1, 4, 5, 8, 9].map(|shift| 0b0001_0111 << shift);
        let images = |element| shifts.map(|place| group.image(element, place));
        let places: Vec<u64> = (0..group.order()).flat_map(images).collect();
        let orbits = Orbits::among(group, [4, 4, 2], |first| places.contains(&first));
        LGame { orbits, places }
    }
}

impl Rules for LGame {
    type Position = [u64; 3];
    fn states(&self) -> u64 {
        self.orbits.states()
    }
    fn position(&self, state: u64) -> Option<[u64; 3]> {
        // Some numbers are gaps. In others the four squares of the second L form no L.
        let position = self.orbits.position(state);
        let is_position = self.orbits.is_position(state) && self.places.contains(&position[1]);
        is_position.then_some(position)
    }
    fn state(&self, position: &[u64; 3]) -> u64 {
        self.orbits.state(*position)
    }
    fn moves(&self, sets: &[u64; 3], mut visit: impl FnMut(&[u64; 3]) -> Flow) -> Flow {
        let [mine, theirs, neutral] = *sets;
        let fits = |&&place: &&u64| place != mine && place & (theirs | neutral) == 0;
        for &place in self.places.iter().filter(fits) {
            visit(&[theirs, place, neutral])?;
            let free = !(place | theirs | neutral) & 0xffff;
            for from in squares(neutral) {
                let stone = |to: u32| neutral ^ 1 << from | 1 << to;
                squares(free).try_for_each(|to| visit(&[theirs, place, stone(to)]))?;
            }
        }
        Flow::Continue(())
    }
}

pub(crate) fn main() {
    let game = Explicit::from_game(Numbered(LGame::new()));
    let solution = solve(&game);
    verify(&game, &solution).expect("each value follows from the moves");
    // The two Ls around the centre, and the neutral stones in opposite corners.
    let start = game.game().0.state(&[0x0446, 0x6220, 0x8001]);
    assert_eq!(solution.value(start), Some(Value::Draw));
    let counts = solution.counts();
    assert_eq!([counts.win, counts.loss, counts.draw], [1_006, 29, 1_261]);
}
