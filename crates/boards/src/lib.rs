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
//! | stones of several kinds, with a fixed or a largest number of each | [`Disjoint`] |
//! | stones of several kinds, on the board or in hand | [`Tiers`] |
//! | a digit to a square: empty, mine, yours | [`Digits`] |
//! | any of these, and the side to move | [`Turns`] |
//! | stones of one or two kinds; mirror images share a number | [`Group`] and [`Orbits`] |
//! | any stones on a small board; mirror images share a number | [`Group`] and [`Patterns`] |
//!
//! # Costs
//!
//! * **Time.** To turn a position into its number, or back, takes time linear in the kinds of stones. On up to 24 squares, tables hold the
//!   ranks: one to four kinds take 5 to 20 nanoseconds, and eight kinds in [`Tiers`] 30 to 80. On more squares, a number turns into a
//!   position by a search, in 60 to 150. If [`Tiers`] has tens of thousands of tiers, they do not fit into the cache: then positions in
//!   random order take 100 to 250. All were measured on one core of a server of 2026.
//! * **Memory.** [`Subsets`], [`Disjoint`] and [`Tiers`] keep a few kilobytes. [`Orbits`] keeps four bytes for each first set, so let the
//!   first set have few stones. A solver takes about a byte for each number, and a gap takes as much as a position.
//! * **Symmetry.** [`Orbits`] has one number for up to eight images of a position. If the first set is its own mirror image, a lookup tries
//!   each of its symmetries. Use symmetry if memory is short, or if a state has many moves.
//! * **Bit-parallel.** If the last digit of the number is the square of one stone, one shift or mask often computes the moves of 64
//!   neighbouring states. Then `retrograde::bit_parallel` solves 64 states at a time.
//! * **Threads.** A numbering never changes, so threads can share it. Only [`Recent`] changes, so each thread needs its own.
//! * **Determinism.** A number means the same position on every machine.
//! * **To keep a solution,** write it to a table with the crate `retrograde-table`. Put the arguments of the numbering into its header.
//!
//! The examples [Dao, the L-game, and fox and
//! hounds](https://github.com/retrograde-solver/retrograde/tree/main/crates/boards/examples) are whole games of about 80 lines.
//!
//! Squares are numbered from 0 to 63, and a set of squares is a `u64` whose bit `s` says whether square `s` belongs to it. The crate
//! depends on nothing, and allocates only to make a numbering.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod binomial;
mod compress;
mod digits;
mod disjoint;
mod group;
mod orbits;
mod patterns;
mod press;
mod ranks;
mod recent;
mod stones;
mod subsets;
mod tiers;
mod turns;

pub use binomial::binomial;
pub use compress::Compress;
pub use digits::Digits;
pub use disjoint::Disjoint;
pub use group::Group;
pub use orbits::{Orbits, Placed};
pub use patterns::{Code, Patterns};
pub use ranks::Ranks;
pub use recent::Recent;
pub use stones::Stones;
pub use subsets::Subsets;
pub use tiers::Tiers;
pub use turns::Turns;

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
