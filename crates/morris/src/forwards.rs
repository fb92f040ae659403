//! Verifies the values of a region in an order in which the targets of moves are near each other.
//!
//! The numbering of a region orders positions first by the stones of the side that is *not* to move. So all
//! positions one move before a position lie in one run, which suits a solver. But the positions one move
//! after it lie far apart, and a verification needs these. So a verification goes through positions in
//! another order: all positions with the same stones of the side to move together (`classes.rs`).

use std::ops::Range;

use retrograde::adapters::Folded;
use retrograde::checks::{Verified, Verifier, VerifyError};
use retrograde::{Game, Probe};

use crate::classes::{Far, Least, Seconds, spread};
use crate::game::Mill;
use crate::index::{Index, Numberings};
use crate::key::{DRAW, INVALID, Key, LOST, NONE, after_move, fill_keys, is_far, value};

/// Verifies the values of a region, in this order if that is faster and memory allows.
pub(crate) fn verify<P: Probe>(
    game: &Folded<Mill<'_>>,
    values: &P,
    mut verifier: Verifier<'_>,
    numberings: &Numberings,
) -> Result<Verified, VerifyError<P::Error>> {
    let states = game.states();
    let room = states * size_of::<Key>() as u64 <= verifier.memory();
    if game.0.places() || !room || values.states() != states {
        return verifier.verify(game, values);
    }
    let mut keys = vec![INVALID; states as usize];
    fill_keys(values, 0, &mut keys).map_err(VerifyError::Probe)?;
    if keys.iter().copied().any(is_far) {
        return verifier.verify(game, values);
    }
    let index = game.0.index();
    let turned = Index::turned(index.men(), index.region(), numberings);
    let seconds = turned.blocks.iter().map(Seconds::new).collect();
    let distances = values.has_distances();
    let known = Known { game: &game.0, turned, seconds, keys: &keys, distances };
    let (mut moves, mut far) = (0, false);
    let verify_run = |run: Range<u64>| {
        known.verify_invalid_states(run.clone())?;
        known.verify_run(run)
    };
    verifier.in_runs(states.max(known.turned.states()), verify_run, |counted| match counted {
        Ok(count) => moves += count,
        Err(Far) => far = true,
    })?;
    match far {
        true => verifier.verify(game, values),
        false => Ok(Verified { states, moves: Some(moves) }),
    }
}

/// The values of a region, and both of its numberings.
struct Known<'a> {
    game: &'a Mill<'a>,
    turned: Index,
    /// For each block of the turned numbering.
    seconds: Vec<Seconds>,
    keys: &'a [Key],
    distances: bool,
}

impl Known<'_> {
    /// Checks a run of positions in the other order. Returns the number of their moves.
    fn verify_run<E>(&self, run: Range<u64>) -> Result<Result<u64, Far>, VerifyError<E>> {
        let Known { game, turned, keys, .. } = self;
        let mut moves = 0;
        for (at, run) in turned.blocks_of(run) {
            let (block, usual) = (&turned.blocks[at], &game.index().blocks[at]);
            for (own, numbers) in block.orbits.firsts(run) {
                let mut least = Least::new((numbers.end - numbers.start) as usize);
                let open = game.open(block, own, numbers);
                let seconds = &self.seconds[at];
                let looked =
                    game.moves_of_first(seconds, (at, block), own, &open, keys, &mut least);
                if let Err(Far) = looked {
                    return Ok(Err(Far));
                }
                moves += least.moves;
                let other = spread(game.board().all() & !own);
                // The values one move later, with their positions. They lie far apart, so this probes 64 at a
                // time.
                for open in open.chunks(64) {
                    let mut follow = [(0, INVALID); 64];
                    for (follow, open) in follow.iter_mut().zip(open) {
                        let (quiet, taking) =
                            (least.quiet[open.at as usize], least.taking[open.at as usize]);
                        let other = other(open.second);
                        if quiet == INVALID {
                            // The error is that this position has no value.
                            let after = game.after(at, (own, other));
                            let invalid =
                                after.iter().find(|&state| keys[state as usize] == INVALID);
                            return Err(self.broken(invalid.expect("it was found"), DRAW));
                        }
                        let best = [quiet, taking].into_iter().filter(|&key| key != NONE);
                        let best = best.map(after_move).max().unwrap_or(LOST);
                        moves += u64::from(taking != NONE);
                        *follow = (usual.state(own, other), best);
                    }
                    let follow = &follow[..open.len()];
                    let differs =
                        |&&(state, key): &&(u64, Key)| !self.same(keys[state as usize], key);
                    if let Some(&(state, key)) = follow.iter().find(differs) {
                        return Err(self.broken(state, key));
                    }
                }
            }
        }
        Ok(Ok(moves))
    }

    /// Checks that invalid states have no value, in a run of the usual order. The two orders have different
    /// gaps.
    fn verify_invalid_states<E>(&self, run: Range<u64>) -> Result<(), VerifyError<E>> {
        let end = run.end.min(self.keys.len() as u64);
        for first in (run.start..end).step_by(64) {
            let keys = &self.keys[first as usize..end.min(first + 64) as usize];
            let invalid_states = self.game.invalid_states(first / 64);
            let wrong = (0..)
                .zip(keys)
                .find(|(at, key)| (invalid_states >> at & 1 != 0) != (**key == INVALID));
            if let Some((at, _)) = wrong {
                return Err(self.broken(first + at, INVALID));
            }
        }
        Ok(())
    }

    fn same(&self, found: Key, expected: Key) -> bool {
        let same = found == expected;
        same || !self.distances && found != INVALID && found.cmp(&DRAW) == expected.cmp(&DRAW)
    }

    fn broken<E>(&self, state: u64, expected: Key) -> VerifyError<E> {
        let found = value(self.keys[state as usize]);
        VerifyError::Value { state, found, expected: value(expected) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Men;
    use crate::key::FAR;
    use crate::region::Region;
    use retrograde::{Outcome, Value, solve};
    use retrograde_regions::SolvedRegion;
    use retrograde_testkit::broken::Values;
    use retrograde_testkit::{Rng, cases, seed};

    fn solved(men: Men, a: u32, b: u32) -> Folded<Mill<'static>> {
        let region = Region::moving(a, b);
        let needs = region.needs(men).into_iter();
        let solutions = needs.map(|need| {
            let (own, other) = need.blocks()[0];
            SolvedRegion::of(solve(&solved(men, own, other)))
        });
        Folded(Mill::new(men, region, solutions.collect()))
    }

    #[test]
    fn what_is_right_passes_and_no_wrong_value_does() {
        let seed = seed();
        let mut rng = Rng::new(seed);
        for (men, a, b, tries) in [
            (Men::Three, 3, 3, 300),
            (Men::Six, 3, 3, 300),
            (Men::Six, 4, 3, 300),
            (Men::Six, 4, 4, 300),
            (Men::Nine, 3, 3, 30),
        ] {
            let game = solved(men, a, b);
            let solution = solve(&game);
            let mut values = vec![None; solution.states() as usize];
            solution.fill(0, &mut values).unwrap();
            let numberings = Numberings::default();
            let checked = |claimed: &Values| verify(&game, claimed, Verifier::new(), &numberings);
            let mut claimed = Values { values, distances: true };
            // It checked the same moves as the verification by states.
            assert_eq!(checked(&claimed), retrograde::verify(&game, &claimed));
            for distances in [true, false] {
                claimed.distances = distances;
                for _ in 0..cases(tries) {
                    let at = rng.below(solution.states()) as usize;
                    let was = claimed.values[at];
                    // Also changes to distances that just fit two bytes.
                    let plies = match was.and_then(Value::distance) {
                        Some(distance) if rng.chance(30) => distance + (1 << 16),
                        _ if rng.chance(10) => rng.below(1 << 17) as u32,
                        _ => rng.below(20) as u32,
                    };
                    let others = [
                        None,
                        Some(Value::Draw),
                        Some(Value::Win(plies)),
                        Some(Value::Loss(plies)),
                    ];
                    let now = others[rng.below(4) as usize];
                    let outcome = |value: Option<Value>| value.map(Value::outcome);
                    if now == was || !distances && outcome(now) == outcome(was) {
                        continue;
                    }
                    claimed.values[at] = now;
                    let verified = checked(&claimed);
                    assert!(
                        matches!(verified, Err(VerifyError::Value { .. })),
                        "seed {seed}: {men:?} {a}-{b}: {at}, {was:?}, as {now:?}: {verified:?}"
                    );
                    claimed.values[at] = was;
                }
            }
            // Very long losses that could be mistaken for draws.
            let far = |value: &mut Option<Value>| {
                if let Some(Value::Loss(plies)) = value {
                    *plies += u32::from(FAR);
                }
            };
            claimed.distances = true;
            claimed.values.iter_mut().for_each(far);
            assert!(matches!(checked(&claimed), Err(VerifyError::Value { .. })));
            let won = |value: &Option<Value>| value.map(Value::outcome) == Some(Outcome::Win);
            assert!(claimed.values.iter().any(won));
        }
    }

    #[test]
    fn a_win_too_far_for_two_bytes_is_no_draw() {
        let (men, region) = (Men::Six, Region::moving(4, 3));
        let needs = region.needs(men).into_iter();
        let lost = |need| vec![Some(Value::Loss(1 << 20)); Index::new(men, need).states() as usize];
        let needs =
            needs.map(|need| SolvedRegion::of(Values { values: lost(need), distances: true }));
        let game = Folded(Mill::new(men, region, needs.collect()));
        let solution = solve(&game);
        let mut values = vec![None; solution.states() as usize];
        solution.fill(0, &mut values).unwrap();
        let mut claimed = Values { values, distances: true };
        let checked = |claimed: &Values| {
            verify(&game, claimed, Verifier::new(), &Numberings::default()).map(|_| ())
        };
        assert_eq!(checked(&claimed), Ok(()));
        let far = |value: &&mut Option<Value>| {
            value.and_then(Value::distance).is_some_and(|plies| plies > FAR.into())
        };
        let far: Vec<_> = claimed.values.iter_mut().filter(far).collect();
        assert!(far.len() > 100);
        far.into_iter().for_each(|value| *value = Some(Value::Draw));
        assert!(matches!(checked(&claimed), Err(VerifyError::Value { .. })));
    }
}
