//! Compares the two directions of [`Rules`](crate::adapters::Rules) by hashes of positions.
//!
//! It takes longer to number a position than to make a move. So this adds up `a(from) b(to)` over all moves,
//! as `sums.rs` does, but `a` and `b` hash positions. It also numbers the position of each state once, to
//! check that the number is the state. Then equal positions have equal numbers, so the sums prove as much as
//! sums over numbers.
//!
//! Rules may give several positions the same number, such as mirror images. Then the sums differ, and the
//! caller compares numbers.
//!
//! Backward moves from terminal positions do not count. A filter shows that most positions are not terminal.
//! For the others, the audit asks the rules.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use super::sums::{fold, stops};
use crate::adapters::rules::BackwardMoves;
use crate::in_order;
use crate::rules::Flow;

/// Makes all comparisons of [`audit`](crate::audit()) that [`Numbered`](crate::adapters::Numbered) does not
/// settle by itself. Returns the number of moves, or `None` if something differs, or once `tell` breaks.
pub(crate) fn compare_positions<R: BackwardMoves>(
    rules: &R,
    tell: &mut dyn FnMut(u64, u64) -> Flow,
) -> Option<u64> {
    let (states, runs) = (rules.states(), rules.states().div_ceil(RUN));
    let mut terminals = Filter::new(states);
    let (mut sum, mut moves, mut done) = (0u64, 0, 0);
    let mut go_on = |done| if tell(done, states).is_break() { Err(()) } else { Ok(()) };
    let walk = |run| forwards(rules, run).ok_or(());
    let compared = in_order::try_map(runs, in_order::AT_ONCE, walk, |walked| {
        walked.terminals.into_iter().for_each(|hash| terminals.insert(hash));
        (sum, moves) = (sum.wrapping_add(walked.sum), moves + walked.moves);
        done = states.min(done + RUN);
        go_on(done / 2)
    });
    let compared = compared.and_then(|()| {
        done = 0;
        let walk = |run| Ok(backwards(rules, &terminals, run));
        in_order::try_map(runs, in_order::AT_ONCE, walk, |walked| {
            sum = sum.wrapping_sub(walked);
            done = states.min(done + RUN);
            go_on((states + done) / 2)
        })
    });
    (compared.is_ok() && sum == 0).then_some(moves)
}

/// How many states a thread takes at a time. With fewer, it takes longer to distribute them. With more,
/// reports of progress are rare.
const RUN: u64 = 512;

/// The result of the forward moves of a run.
struct Forwards {
    /// The sum of the hashes of moves.
    sum: u64,
    moves: u64,
    /// The hashes of its terminal positions.
    terminals: Vec<u64>,
}

/// Makes all moves from the states of a run. Returns `None` if a position has another number than its state or
/// several symmetries, if a state has too many moves, if `degree` or `positions` is wrong, or if an exit does
/// not count its move.
fn forwards<R: BackwardMoves>(rules: &R, run: u64) -> Option<Forwards> {
    let bound = rules.degree_max().map_or(u64::MAX, u64::from);
    let mut walked = Forwards { sum: 0, moves: 0, terminals: Vec::new() };
    let mut right = true;
    let states = run * RUN..rules.states().min((run + 1) * RUN);
    let mut together = Vec::with_capacity(RUN as usize);
    rules.positions(states.clone(), |state, position| {
        let position = position.map(|(position, by)| (hash::<FROM>(position), by));
        together.push((state, position));
    });
    let mut together = together.into_iter();
    for state in states {
        let position = rules.position(state);
        let from = position.as_ref().map(hash::<FROM>);
        right &= together.next() == Some((state, from.map(|from| (from, 1))));
        let (Some(position), Some(from)) = (position, from) else { continue };
        if rules.terminal(&position).is_some() {
            walked.terminals.push(from);
        } else {
            let (mut degree, mut ends) = (0, 0u64);
            let _ = rules.moves(&position, |to| {
                degree += 1;
                ends = ends.wrapping_add(hash::<TO>(to));
                ControlFlow::Continue(())
            });
            // One walk in 64 ends early.
            if state % 64 == run % 64 {
                let at = 1 + run % (degree + 1);
                right &= stops(at, degree, |visit| rules.moves(&position, |_| visit()));
            }
            rules.exits(&position, |value| right &= value.distance() != Some(0));
            right &= degree <= bound;
            right &= rules.degree(&position).is_none_or(|stated| degree == u64::from(stated));
            walked.sum = walked.sum.wrapping_add(from.wrapping_mul(ends));
            walked.moves += degree;
        }
        right &= rules.state_and_stabilizer(&position) == (state, 1);
    }
    (right && together.next().is_none()).then_some(walked)
}

/// The sum of the hashes of all moves back from the states of a run. `forwards` has shown that `positions` is right.
fn backwards<R: BackwardMoves>(rules: &R, terminals: &Filter, run: u64) -> u64 {
    let mut sum = 0u64;
    rules.positions(run * RUN..rules.states().min((run + 1) * RUN), |_, position| {
        let Some((position, _)) = position else { return };
        let mut starts = 0u64;
        rules.backward_moves(position, |from| {
            let hash = hash::<FROM>(from);
            if !terminals.may_hold(hash) || rules.terminal(from).is_none() {
                starts = starts.wrapping_add(hash);
            }
        });
        sum = sum.wrapping_add(hash::<TO>(position).wrapping_mul(starts));
    });
    sum
}

/// A set of hashes, with one or two bits for each state. It may also seem to hold other hashes.
struct Filter {
    bits: Vec<u64>,
    /// A hash shifted by this is the place of its bit.
    shift: u32,
}

impl Filter {
    fn new(states: u64) -> Filter {
        let bits = states.next_power_of_two().max(64);
        Filter { bits: vec![0; (bits / 64) as usize], shift: 64 - bits.ilog2() }
    }

    fn insert(&mut self, hash: u64) {
        let place = hash >> self.shift;
        self.bits[(place / 64) as usize] |= 1 << (place % 64);
    }

    #[inline(always)]
    fn may_hold(&self, hash: u64) -> bool {
        let place = hash >> self.shift;
        self.bits[(place / 64) as usize] >> (place % 64) & 1 == 1
    }
}

/// The key of a position as the origin of moves, and as their target.
const FROM: u64 = 0x9e37_79b9_7f4a_7c15;
const TO: u64 = 0x94d0_49bb_1331_11eb;

#[inline(always)]
fn hash<const KEY: u64>(position: &impl Hash) -> u64 {
    let mut mix = Mix(KEY);
    position.hash(&mut mix);
    mix.finish()
}

/// Hashes sixteen bytes by one multiplication. Hashes need not be odd, because the product of two random
/// hashes is almost never 0.
struct Mix(u64);

impl Mix {
    #[inline(always)]
    fn add(&mut self, low: u64, high: u64) {
        self.0 = fold(self.0 ^ low, high ^ 0xd6e8_feb8_6659_fd93);
    }
}

impl Hasher for Mix {
    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        // Reads whole numbers. A copy of unknown length would be a function call.
        let (pairs, rest) = bytes.as_chunks::<16>();
        for pair in pairs {
            let pair = u128::from_le_bytes(*pair);
            self.add(pair as u64, (pair >> 64) as u64);
        }
        if !rest.is_empty() {
            let mut last = [0; 16];
            last[..rest.len()].copy_from_slice(rest);
            let last = u128::from_le_bytes(last);
            self.add(last as u64, (last >> 64) as u64);
        }
    }

    #[inline(always)]
    fn write_u8(&mut self, number: u8) {
        self.add(u64::from(number), 0);
    }

    #[inline(always)]
    fn write_u16(&mut self, number: u16) {
        self.add(u64::from(number), 0);
    }

    #[inline(always)]
    fn write_u32(&mut self, number: u32) {
        self.add(u64::from(number), 0);
    }

    #[inline(always)]
    fn write_u64(&mut self, number: u64) {
        self.add(number, 0);
    }

    #[inline(always)]
    fn write_usize(&mut self, number: usize) {
        self.add(number as u64, 0);
    }
}
