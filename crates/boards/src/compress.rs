//! Presses the squares of a mask together, and spreads them out again.
//!
//! A square of the mask becomes its index among the mask's squares. Bits move in steps of 1, 2, 4, .. The
//! mask alone decides which bits move in which step, so this is computed once (Warren, Hacker's Delight,
//! 7-4). Then a set takes four operations a step. Small boards skip the steps that move nothing.

/// A mask, prepared for pressing sets together.
///
/// ```
/// let free = retrograde_boards::Compress::new(0b1101_0110);
/// assert_eq!(free.press(0b1000_0010), 0b1_0001);
/// assert_eq!(free.spread(0b1_0001), 0b1000_0010);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compress {
    mask: u64,
    /// How many steps move any bit.
    steps: u32,
    /// The bits that move by `1 << step`, at their places before that step.
    moves: [u64; 6],
}

impl Compress {
    /// Prepares a mask.
    pub fn new(mask: u64) -> Compress {
        let (mut moves, mut steps) = ([0; 6], 0);
        // A bit is set if an odd number of squares below it is missing. In the next step, it is an odd number
        // of pairs, and so on.
        let (mut rest, mut missing) = (mask, !mask << 1);
        for (step, moved) in moves.iter_mut().enumerate() {
            let mut odd = missing;
            for shift in [1, 2, 4, 8, 16, 32] {
                odd ^= odd << shift;
            }
            *moved = odd & rest;
            rest = rest ^ *moved | *moved >> (1 << step);
            missing &= !odd;
            if *moved != 0 {
                steps = step as u32 + 1;
            }
        }
        Compress { mask, steps, moves }
    }

    /// The mask.
    #[inline]
    pub fn mask(&self) -> u64 {
        self.mask
    }

    /// The squares of a set that lie in the mask, pressed together.
    #[inline]
    pub fn press(&self, set: u64) -> u64 {
        let mut set = set & self.mask;
        for step in 0..self.steps {
            let moved = set & self.moves[step as usize];
            set = set ^ moved | moved >> (1 << step);
        }
        set
    }

    /// The inverse of [`press`](Compress::press).
    #[inline]
    pub fn spread(&self, set: u64) -> u64 {
        let mut set = set;
        for step in (0..self.steps).rev() {
            let moves = self.moves[step as usize];
            let moved = set << (1 << step) & moves;
            set = set & !(moves >> (1 << step)) | moved;
        }
        set & self.mask
    }
}
