//! Numbers for the positions of board games, without gaps, and positions for the numbers.
//!
//! A solver needs states that are numbers in `0..states`. This crate turns a position into such a number, and back:
//!
//! ```
//! use retrograde_boards::{Group, Subsets};
//!
//! let stones = Subsets::new(16, 2); // two like stones on sixteen squares
//! assert_eq!(stones.count(), 120);
//! let number = stones.rank(0b1001); // on squares 0 and 3
//! assert_eq!(stones.unrank(number), 0b1001);
//!
//! let group = Group::square(4); // four by four squares, turned and mirrored
//! let images = (0..group.order()).map(|element| group.image(element, 0b1001));
//! assert_eq!(images.max(), Some(0b1001 << 12)); // the same corners, on the far side
//! ```
//!
//! Choose the numbering that fits your positions:
//!
//! | a position is | numbered by |
//! | --- | --- |
//! | `k` like stones on `n` squares | [`Subsets`] |
//! | men of several kinds, on the board or in hand, and the side to move; mirror images may share a number | [`Cells`] |
//! | stones of one or two kinds, with a largest number or any; mirror images share a number | [`Orbits`] |
//! | any stones on a small board; mirror images share a number | [`Patterns`] |
//!
//! # Costs
//!
//! * **Time.** To turn a position into its number, or back, takes time linear in the kinds of men on the board. On boards of up to sixteen
//!   squares, tables count squares. On more than 32 squares, a number turns into sets of three men or more by a search.
//! * **Memory.** [`Subsets`] keeps nothing. [`Cells`] keeps 64 bytes for each cell, 24 for each of its kinds, and four for each
//!   combination of counts. [`Orbits`] keeps four bytes for each first set, so let the first set have few stones. A solver takes about a
//!   byte for each number, and a gap takes as much as a position.
//! * **Symmetry.** [`Cells`] and [`Orbits`] have one number for all images of a position. If the first men are their own mirror image, a
//!   lookup tries each of their symmetries. Use symmetry if memory is short, or if a state has many moves.
//! * **Bit-parallel.** If the last digit of the number is the square of one stone, one shift or mask often computes the moves of 64
//!   neighbouring states. Then `retrograde::bit_parallel` solves 64 states at a time.
//! * **Threads.** A numbering never changes, so threads can share it. Only [`Recent`] changes, so each thread needs its own.
//! * **Determinism.** A number means the same position on every machine.
//! * **To keep a solution,** write it to a table with the crate `retrograde-table`. Put the arguments of the numbering into its header.
//!
//! The examples [Dao, the L-game, fox and hounds, and Dobutsu
//! shogi](https://github.com/retrograde-solver/retrograde/tree/main/crates/boards/examples) are whole games of 80 to 240 lines.
//!
//! Squares are numbered from 0 to 63, and a set of squares is a `u64` whose bit `s` says whether square `s` belongs to it. The crate
//! depends on nothing, and allocates only to make a numbering.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod binomial;
mod cells;
mod forward;
mod group;
mod orbits;
mod patterns;
mod press;
mod ranks;
mod recent;
mod stones;
mod subsets;

pub use binomial::binomial;
pub use cells::{Cells, Kind, Position, Recount};
pub use group::Group;
pub use orbits::{Orbits, Placed};
pub use patterns::{Code, Patterns};
pub use ranks::Ranks;
pub use recent::Recent;
pub use stones::Stones;
pub use subsets::Subsets;

/// The squares of a set, least first.
///
/// ```
/// assert!(retrograde_boards::squares(0b1010).eq([1, 3]));
/// ```
pub fn squares(set: u64) -> impl Iterator<Item = u32> {
    let mut rest = set;
    core::iter::from_fn(move || {
        let square = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        (square < 64).then_some(square)
    })
}

/// The example in the README is run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The squares of a set as sets of one square, least first.
///
/// ```
/// assert!(retrograde_boards::singles(0b1010).eq([0b10, 0b1000]));
/// ```
pub fn singles(set: u64) -> impl Iterator<Item = u64> {
    squares(set).map(|square| 1 << square)
}
