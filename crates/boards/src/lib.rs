//! Numbers for the positions of board games, dense and without gaps, and back again.
//!
//! A solver wants states to be `0..states`. What a position is made of decides how it is numbered:
//!
//! | a position is | numbered by |
//! | --- | --- |
//! | `k` like stones on `n` squares | [`Subsets`] |
//! | stones of several kinds, so many of each, or at most so many | [`Disjoint`] |
//! | stones of several kinds, on the board or in hand | [`Tiers`] |
//! | a digit to a square: empty, mine, yours | [`Digits`] |
//! | any of these, and who is to move | [`Turns`] |
//! | stones of one or two kinds, mirror images being one | [`Group`] and [`Orbits`] |
//! | a small board filled in any way, mirror images being one | [`Group`] and [`Patterns`] |
//!
//! Squares are numbered from 0 to 63, and a set of squares is a `u64` whose bit `s` says whether square `s`
//! belongs to it. The crate depends on nothing, allocates only when a numbering is made, and every number it
//! gives out is the same on all machines.
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
