//! Compares the two directions of a game by sums of hashed moves, in time linear in the number of moves.
//!
//! Let `a` and `b` hash states, independently of each other. The sum of `a(from) b(to)` over all moves is the
//! same in both directions. If some moves are missing or repeated, the sum is almost surely different. All
//! moves of one state share a factor, so each move takes one hash and one addition.
//!
//! A backward move counts only if it comes from an open state. So a first pass records the status of each
//! state in two bits.

use std::ops::ControlFlow;

use super::audit_error::{AuditError, Audited};
use super::auditor::Auditor;
use crate::in_order;
use crate::memory::Ones;
use crate::rules::{Game, Predecessors, Status};

/// Makes all comparisons of [`audit`](crate::audit()). Returns `None` if something is wrong. Then the caller
/// searches for it.
pub(super) fn compare_sums(
    game: &impl Predecessors,
    auditor: &mut Auditor<'_>,
) -> Result<Option<Audited>, AuditError> {
    let (states, words) = (game.states(), game.states().div_ceil(64));
    let mut kinds = Vec::new();
    let noted = in_order::try_map(
        words,
        in_order::AT_ONCE,
        |word| {
            let kinds = Kinds::of(game, word);
            if game.invalid_states(word) == kinds.invalid { Ok(kinds) } else { Err(None) }
        },
        |kind| {
            kinds.push(kind);
            // Recording the status of states is about a fifth of the work.
            auditor.tell(states.min(kinds.len() as u64 * 64) / 5, states).map_err(Some)
        },
    );
    let (mut sum, mut moves, mut done) = (0u64, 0, 0);
    let compared = noted.and_then(|()| {
        in_order::try_map(
            words,
            in_order::AT_ONCE,
            |word| walk(game, &kinds, word).ok_or(None),
            |walked: Walked| {
                (sum, moves) = (sum.wrapping_add(walked.sum), moves + walked.moves);
                done = states.min(done + 64);
                auditor.tell((states + 4 * done) / 5, states).map_err(Some)
            },
        )
    });
    match compared {
        Ok(()) if sum == 0 => Ok(Some(Audited { states, moves })),
        Ok(()) | Err(None) => Ok(None),
        Err(Some(error)) => Err(error),
    }
}

/// The states of a word by status.
#[derive(Clone, Copy)]
pub(super) struct Kinds {
    pub(super) open: u64,
    /// Invalid, or beyond the last state.
    pub(super) invalid: u64,
}

impl Kinds {
    /// What the method for single states says of a word.
    pub(super) fn of(game: &impl Game, word: u64) -> Kinds {
        let mut kinds = Kinds { open: 0, invalid: !0 };
        let first = word.saturating_mul(64);
        for state in first..game.states().min(first.saturating_add(64)) {
            let status = game.status(state);
            kinds.open |= u64::from(status == Status::Open) << (state % 64);
            kinds.invalid ^= u64::from(status != Status::Invalid) << (state % 64);
        }
        kinds
    }
}

/// Whether the classification of a word visits each state once and agrees with the methods for single states.
/// `degrees` are the degrees of the open states.
fn classified(game: &impl Game, word: u64, kinds: Kinds, degrees: &[u64; 64]) -> bool {
    let states = word * 64..game.states().min(word * 64 + 64);
    let (mut told, mut right) = (0u64, true);
    let (mut alone, mut together) = (Vec::new(), Vec::new());
    game.classify(states.clone(), |state, status, degree, exits| {
        let bit = 1 << (state % 64);
        if !states.contains(&state) || told & bit != 0 {
            right = false;
            return;
        }
        told |= bit;
        right &= match status {
            Status::Open => kinds.open & bit != 0,
            Status::Invalid => kinds.invalid & bit != 0,
            Status::Terminal(_) => game.status(state) == status,
        };
        right &= u64::from(degree) == degrees[state as usize % 64];
        together.extend(exits.iter().map(|&value| (state, value)));
    });
    for state in Ones(kinds.open).map(|bit| word * 64 + bit) {
        game.exits(state, |value| alone.push((state, value)));
    }
    for exits in [&mut alone, &mut together] {
        exits.sort_unstable();
    }
    let counted = alone.iter().all(|(_, value)| value.distance() != Some(0));
    let all = u64::from(told.count_ones()) == states.end - states.start;
    right && all && counted && alone == together
}

/// The result of walking the moves of a word.
struct Walked {
    /// The sum of the forward moves, minus the sum of the backward moves.
    sum: u64,
    /// How many forward moves there are.
    moves: u64,
}

/// Follows the moves of a word in both directions. Returns `None` if a move leads to no state, if a degree is
/// wrong, or if the predecessors of a set differ from the predecessors of its states.
fn walk(game: &impl Predecessors, kinds: &[Kinds], word: u64) -> Option<Walked> {
    let first = word * 64;
    let Kinds { open, invalid } = kinds[word as usize];
    let bound = game.degree_max().map_or(u64::MAX, u64::from);
    let kind = |state: u64| kinds.get((state / 64) as usize);
    let (mut sum, mut right) = (0u64, true);
    let mut degrees = [0; 64];
    for state in Ones(open).map(|bit| first + bit) {
        let (degree, mut ends) = (&mut degrees[(state - first) as usize], 0u64);
        game.each_successor(state, |to| {
            *degree += 1;
            ends = ends.wrapping_add(hash_to(to));
            right &= kind(to).is_some_and(|kinds| kinds.invalid >> (to % 64) & 1 == 0);
        });
        right &= *degree <= bound && *degree == u64::from(game.degree(state));
        sum = sum.wrapping_add(hash_from(state).wrapping_mul(ends));
    }
    // One walk in each word ends early.
    if let Some(bit) = Ones(open.rotate_right(word as u32 % 64)).next() {
        let state = first + (bit + word) % 64;
        let moves = degrees[(state - first) as usize];
        let at = 1 + word % (moves + 1);
        right &= stops(at, moves, |visit| game.successors(state, |_| visit()));
    }
    right &= classified(game, word, kinds[word as usize], &degrees);
    // Predecessors that are not open count only for comparing single states with sets.
    let mut alone = 0u64;
    for state in Ones(!invalid).map(|bit| first + bit) {
        let (mut all, mut counted) = (0u64, 0u64);
        game.predecessors(state, |from| {
            let hash = hash_from(from);
            all = all.wrapping_add(hash);
            let open = kind(from).map_or(0, |kinds| kinds.open >> (from % 64) & 1);
            counted = counted.wrapping_add(hash & open.wrapping_neg());
            right &= from < game.states();
        });
        sum = sum.wrapping_sub(hash_to(state).wrapping_mul(counted));
        alone = alone.wrapping_add(hash_to(state).wrapping_mul(all));
    }
    // The even states, then the odd ones: two sets of many states that are not full.
    let mut together = 0u64;
    for set in [!invalid & 0x5555_5555_5555_5555, !invalid & 0xaaaa_aaaa_aaaa_aaaa] {
        game.predecessors_of_each(first, set, |state, from| {
            let pair = hash_to(state).wrapping_mul(hash_from(from));
            together = together.wrapping_add(pair);
        });
    }
    (right && alone == together).then(|| Walked { sum, moves: degrees.iter().sum() })
}

/// Whether a walk of this number of moves ends at the visit `at`, if that one breaks, and says so.
#[inline]
pub(super) fn stops(
    at: u64,
    moves: u64,
    walk: impl FnOnce(&mut dyn FnMut() -> ControlFlow<()>) -> ControlFlow<()>,
) -> bool {
    let mut visits = 0;
    let flow = walk(&mut || {
        visits += 1;
        if visits == at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    visits == at.min(moves) && flow.is_break() == (1..=moves).contains(&at)
}

/// The hash of a state as the origin of moves.
#[inline(always)]
fn hash_from(state: u64) -> u64 {
    hash(state, 0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9)
}

/// The hash of a state as the target of moves.
#[inline(always)]
fn hash_to(state: u64) -> u64 {
    hash(state, 0x94d0_49bb_1331_11eb, 0xd6e8_feb8_6659_fd93)
}

/// It is odd, so that a product of two is never 0.
#[inline(always)]
fn hash(state: u64, key: u64, factor: u64) -> u64 {
    fold(state ^ key, factor) | 1
}

/// The two halves of a product, combined (as in wyhash).
#[inline(always)]
pub(super) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::explicit::Explicit;

    /// The search would hide an error here, so this test calls the comparison directly.
    #[test]
    fn a_game_that_keeps_its_contract_needs_no_search() {
        let moves = (0..1_000u64).flat_map(|from| [(from, from * 7 % 1_000), (from, from / 2)]);
        let game = Explicit::from_edges(1_000, moves);
        let audited = compare_sums(&game, &mut Auditor::new());
        assert_eq!(audited, Ok(Some(Audited { states: 1_000, moves: 2_000 })));
    }
}
