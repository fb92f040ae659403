//! The values of moves in the placing phase, for all positions with the same black stones at a time.
//!
//! In the placing phase, black's stones are the first set in every region. A move of black changes this set.
//! A move of white changes it if it takes a stone.

use std::ops::Range;

use retrograde::Value;
use retrograde_boards::squares;

use crate::classes::{Far, Least, Open, Seconds};
use crate::game::Mill;
use crate::key::{INVALID, Key, LOST, NONE, after_move, value};

impl Mill<'_> {
    /// The best value of the moves of each position in a run, or `None` for invalid states. For short runs,
    /// another way is faster.
    pub(crate) fn place_all(
        &self,
        seconds: &Seconds,
        run: Range<u64>,
        mut visit: impl FnMut(u64, Option<Option<Value>>),
    ) {
        const PAYS_FROM: u64 = 16;
        let block = &self.index().blocks[0];
        for (black, numbers) in block.orbits.firsts(run) {
            let class = block.orbits.placed(black).numbers();
            let pays = (numbers.end - numbers.start) * PAYS_FROM >= class.end - class.start;
            match pays.then(|| self.place_class(seconds, black, numbers.clone())) {
                Some(Ok(best)) => numbers.zip(best).for_each(|(number, best)| match best {
                    INVALID => visit(number, None),
                    NONE => visit(number, Some(None)),
                    least => visit(number, Some(value(after_move(least)))),
                }),
                Some(Err(Far)) | None => block.orbits.each(numbers, |number, sets, stabilizer| {
                    let judged = self.judge(0, sets, stabilizer, &mut None);
                    visit(number, judged.map(|(_, best)| best));
                }),
            }
        }
    }

    /// For all positions with the same black stones, the least keys that moves lead to. A gap gets the key of
    /// an invalid state.
    fn place_class(
        &self,
        seconds: &Seconds,
        black: u64,
        numbers: Range<u64>,
    ) -> Result<Vec<Key>, Far> {
        let len = (numbers.end - numbers.start) as usize;
        let block = &self.index().blocks[0];
        let open = self.open(block, black, numbers);
        let mut least = Least::new(len);
        if block.own_first {
            self.moves_of_first(seconds, (0, block), black, &open, &[], &mut least)?;
        } else {
            self.place_white(seconds, black, &open, &mut least)?;
        }
        let mut all = vec![INVALID; len];
        for at in open.iter().map(|open| open.at as usize) {
            all[at] = least.quiet[at].min(least.taking[at]);
            assert!(all[at] != INVALID, "no move leads to an invalid state");
        }
        Ok(all)
    }

    /// White's moves. After one, white has one more stone, and black may have lost one.
    fn place_white(
        &self,
        seconds: &Seconds,
        black: u64,
        open: &[Open],
        least: &mut Least,
    ) -> Result<(), Far> {
        let (board, ways) = (self.board(), self.ways(0));
        let free = board.all() & !black;
        let mut quiet = vec![NONE; seconds.quiet.len()];
        if ways.quiet.is_some() {
            self.run(ways.quiet, black, &[], |placed, keys| {
                seconds.reach(placed, (free, free), &seconds.quiet, keys, &mut quiet);
            })?;
        }
        let mut taking = vec![if ways.wins { LOST } else { NONE }; seconds.taking.len()];
        if !ways.wins && open.iter().any(|open| open.marked != 0) {
            for taken in squares(board.takeable(black)).map(|at| 1 << at) {
                self.run(ways.taking, black & !taken, &[], |placed, keys| {
                    let among = (free | taken, free);
                    seconds.reach(placed, among, &seconds.taking, keys, &mut taking);
                })?;
            }
        }
        let all = ((1u64 << free.count_ones()) - 1) as u32;
        for &Open { at, second, marked } in open {
            let least_of = |points: u32, known: &[Key]| {
                let keys = squares(points.into()).map(|to| known[seconds.rank(second | 1 << to)]);
                keys.min().unwrap_or(NONE)
            };
            least.quiet[at as usize] = least_of(all & !second & !marked, &quiet);
            least.taking[at as usize] = least_of(marked, &taking);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use retrograde::{Game, Status};
    use retrograde_regions::SolvedRegion;
    use retrograde_testkit::broken::Values;
    use retrograde_testkit::{Rng, seed};

    use super::*;
    use crate::board::Men;
    use crate::index::Index;
    use crate::key::FAR;
    use crate::region::Region;

    #[test]
    fn many_at_a_time_are_worth_what_each_is_worth() {
        let seed = seed();
        let mut rng = Rng::new(seed);
        for (men, name) in [
            (Men::Three, "p0-0-0"),
            (Men::Three, "p4-2-2"),
            (Men::Three, "p5-2-3"),
            (Men::Six, "p8-4-3"),
            (Men::Six, "p9-3-4"),
            (Men::Six, "p10-2-3"),
            (Men::Six, "p10-4-4"),
            (Men::Six, "p11-4-3"),
            (Men::Nine, "p4-2-2"),
            (Men::Nine, "p7-2-3"),
            (Men::Nine, "p11-2-0"),
            (Men::Nine, "p12-3-0"),
            (Men::Nine, "p17-2-3"),
        ] {
            let region = Region::named(men, name).unwrap();
            // Gaps may have any value, or none.
            let mut value = |far: bool| match rng.below(9) {
                0 => Some(Value::Draw),
                1 if far => Some(Value::Loss(rng.pick(&[u32::from(FAR) - 1, FAR.into(), 1 << 20]))),
                2 if far => Some(Value::Win(rng.pick(&[u32::from(FAR) - 1, FAR.into(), 1 << 20]))),
                at if at < 5 => Some(Value::Loss(rng.below(300) as u32)),
                _ => Some(Value::Win(1 + rng.below(300) as u32)),
            };
            for far in [false, true] {
                let mut solution = |&need: &Region| {
                    let index = Index::new(men, need);
                    let value = |state| {
                        let value = value(far && state > index.states() / 2);
                        value.filter(|_| index.position(state).is_some() || state % 2 == 0)
                    };
                    let values = (0..index.states()).map(value).collect();
                    SolvedRegion::of(Values { values, distances: true })
                };
                let solved = region.needs(men).iter().map(&mut solution).collect();
                let game = Mill::new(men, region, solved);
                let states = game.states();
                let first = states / 3;
                for run in [0..states, first..first + states.min(40) / 2, first..states] {
                    let mut next = run.start;
                    game.classify(run.clone(), |state, status, degree, exits| {
                        assert_eq!((state, degree), (next, 0));
                        next += 1;
                        let mut alone = None;
                        let expected = game.status(state);
                        if expected == Status::Open {
                            game.exits(state, |exit| alone = Some(exit));
                        }
                        let found = (status, exits.first().copied());
                        assert_eq!(
                            found,
                            (expected, alone),
                            "seed {seed}: {men:?} {name}: {state}"
                        );
                        assert!(status == Status::Invalid || exits.len() == 1);
                    });
                    assert_eq!(next, run.end);
                }
            }
        }
    }
}
