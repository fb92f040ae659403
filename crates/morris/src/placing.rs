//! What the moves of the placing phase are worth, for all positions with the same black stones at a time.
//!
//! There black's stones are the first set of every region, so black's move to a point leads from all positions of a class, which
//! differ in white's stones, into one run of numbers of a solved region; and a move of white's into one such run for each stone that it
//! takes, if it takes one. The values of the run are brought into an order of the white stones where they stand here, each once; then a
//! move is a look into a list that fits the nearest cache.

use std::convert::Infallible;
use std::ops::Range;

use retrograde::{Probe, Value};
use retrograde_boards::{Ranks, Subsets, squares};

use crate::game::{Mill, Target};
use crate::index::Block;
use crate::key::{Key, LOST, VOID, after_move, is_far, key, value};

/// White's stones after a move, wherever black's are, and their ranks.
pub(crate) struct Placing {
    ranks: Ranks,
    /// After one that takes none, among the points that are free of black stones then.
    quiet: Vec<u32>,
    /// After one that does, among the same points.
    taking: Vec<u32>,
}

impl Placing {
    /// For positions of a block of the placing phase.
    pub(crate) fn new(block: &Block) -> Placing {
        let points = block.board.points();
        // There may be one more, where a black stone was taken.
        let free = points - if block.own_first { block.own } else { block.other };
        let ranks = Ranks::new(points.min(free + 1)).expect("no board of morris is large");
        let sets = |among: u32, size: u32| {
            let size = Some(size).filter(|&size| size <= among);
            let sets = size.map(|size| Subsets::new(among, size));
            sets.iter().flat_map(Subsets::iter).map(|set| set as u32).collect()
        };
        let (quiet, taking) = if block.own_first {
            let white = block.other;
            (
                sets(free - 1, white),
                white.checked_sub(1).map_or(Vec::new(), |less| sets(free - 1, less)),
            )
        } else {
            let after = sets(free, block.own + 1);
            (after.clone(), after)
        };
        Placing { ranks, quiet, taking }
    }
}

/// An open position of a class.
#[derive(Clone, Copy)]
struct Open {
    /// Its place among the numbers asked for.
    at: u32,
    /// White's stones, among the points that are free of black ones.
    white: u32,
    /// Of those the ones that black may take; or among the free points where white closes a mill.
    marked: u32,
}

/// The key of no move at all. It is that of a game won already, to which no move leads.
const NONE: Key = Key::MAX;

impl<P: Probe<Error = Infallible>> Mill<P> {
    /// The best that the moves of each position of a run are worth, by the number; `None` where there is no position. Those of
    /// few numbers are not looked at so: it does not pay.
    pub(crate) fn place_all(
        &self,
        placing: &Placing,
        run: Range<u64>,
        mut visit: impl FnMut(u64, Option<Option<Value>>),
    ) {
        const PAYS_FROM: u64 = 16;
        let block = &self.index().blocks[0];
        for (black, numbers) in block.orbits.firsts(run) {
            let class = block.orbits.placed(black).numbers();
            let pays = (numbers.end - numbers.start) * PAYS_FROM >= class.end - class.start;
            match pays.then(|| self.place_class(placing, black, numbers.clone())).flatten() {
                Some(best) => numbers.zip(best).for_each(|(number, best)| match best {
                    VOID => visit(number, None),
                    NONE => visit(number, Some(None)),
                    least => visit(number, Some(value(after_move(least)))),
                }),
                None => block.orbits.each(numbers, |number, sets, stabilizer| {
                    let judged = self.judge(0, sets, stabilizer, &mut self.lately(0));
                    visit(number, judged.map(|(_, best)| best));
                }),
            }
        }
    }

    /// The least that moves lead to from positions that begin with some black stones, or void for what is no position. `None` where
    /// a distance is more than a key tells.
    fn place_class(&self, placing: &Placing, black: u64, numbers: Range<u64>) -> Option<Vec<Key>> {
        let (block, board) = (&self.index().blocks[0], self.board());
        let free = board.all() & !black;
        let pressed = Carried::new(board.points(), |point| {
            (free >> point & 1 != 0).then(|| (free & ((1 << point) - 1)).count_ones())
        });
        let mut least = vec![VOID; (numbers.end - numbers.start) as usize];
        let mut open = Vec::with_capacity(least.len());
        let first = numbers.start;
        block.orbits.each(numbers, |number, sets, stabilizer| {
            if stabilizer > 0 && block.has(sets) {
                let (at, white) = ((number - first) as u32, sets[1]);
                least[at as usize] = NONE;
                let marked = match block.own_first {
                    true => board.takeable(white),
                    false if black == 0 => 0,
                    false => board.closing(white, free & !white),
                };
                open.push(Open { at, white: pressed.of(white), marked: pressed.of(marked) });
            }
        });
        let places = if block.own_first { Mill::place_black } else { Mill::place_white };
        places(self, placing, black, &open, &mut least).then(|| {
            let void = open.iter().any(|open| least[open.at as usize] == VOID);
            assert!(!void, "no move leads to a void state");
            least
        })
    }

    /// Black's moves: to each point from all positions where it is free.
    fn place_black(&self, placing: &Placing, black: u64, open: &[Open], least: &mut [Key]) -> bool {
        let (board, ways) = (self.board(), self.ways(0));
        let free = board.all() & !black;
        let closing =
            if self.index().blocks[0].other == 0 { 0 } else { board.closing(black, free) };
        let (mut here, mut after) = (Vec::new(), Vec::new());
        for (at, to) in squares(free).enumerate() {
            here.clear();
            here.extend(open.iter().filter(|open| open.white >> at & 1 == 0));
            if here.is_empty() {
                continue;
            }
            let (black, among) = (black | 1 << to, free & !(1 << to));
            // Among the points that are left.
            let below = (1 << at) - 1;
            let left = |set: u32| set & below | set >> 1 & !below;
            if closing >> to & 1 == 0 {
                if !self.reach(placing, ways.quiet, (black, among), &placing.quiet, &mut after) {
                    return false;
                }
                for &Open { at, white, .. } in &here {
                    let key = after[placing.rank(left(white))];
                    least[at as usize] = key.min(least[at as usize]);
                }
            } else if ways.wins {
                here.iter().for_each(|open| least[open.at as usize] = LOST);
            } else {
                if !self.reach(placing, ways.taking, (black, among), &placing.taking, &mut after) {
                    return false;
                }
                for &Open { at, white, marked } in &here {
                    let (white, least) = (left(white), &mut least[at as usize]);
                    for taken in squares(left(marked).into()) {
                        *least = after[placing.rank(white & !(1 << taken))].min(*least);
                    }
                }
            }
        }
        true
    }

    /// White's moves: after one white has a stone more, and of black's those are left that it does not take.
    fn place_white(&self, placing: &Placing, black: u64, open: &[Open], least: &mut [Key]) -> bool {
        let (board, ways) = (self.board(), self.ways(0));
        let free = board.all() & !black;
        let (mut quiet, mut after) = (Vec::new(), Vec::new());
        let sets = &placing.quiet;
        if ways.quiet.is_some() && !self.reach(placing, ways.quiet, (black, free), sets, &mut quiet)
        {
            return false;
        }
        let mut taking = vec![if ways.wins { LOST } else { NONE }; placing.taking.len()];
        if !ways.wins && open.iter().any(|open| open.marked != 0) {
            for taken in squares(board.takeable(black)) {
                let black = black & !(1 << taken);
                if !self.reach(placing, ways.taking, (black, free), &placing.taking, &mut after) {
                    return false;
                }
                taking.iter_mut().zip(&after).for_each(|(least, key)| *least = *key.min(least));
            }
        }
        let all = ((1u64 << free.count_ones()) - 1) as u32;
        for &Open { at, white, marked } in open {
            let least = &mut least[at as usize];
            for to in squares((all & !white & !marked).into()) {
                *least = quiet[placing.rank(white | 1 << to)].min(*least);
            }
            for to in squares(marked.into()) {
                *least = taking[placing.rank(white | 1 << to)].min(*least);
            }
        }
        true
    }

    /// The keys of the positions of a solved region with these black stones and each of some sets of white ones among some points. Returns
    /// whether they tell all.
    fn reach(
        &self,
        placing: &Placing,
        target: Option<Target>,
        (black, among): (u64, u64),
        sets: &[u32],
        found: &mut Vec<Key>,
    ) -> bool {
        let (block, solution) = self.reached(target);
        let placed = block.orbits.placed(black);
        let numbers = placed.numbers();
        let mut keys = vec![VOID; (numbers.end - numbers.start) as usize];
        let Ok(()) = solution.fill_with(block.first + numbers.start, &mut keys, key);
        let points: Vec<u32> = squares(among).map(|point| placed.square(point)).collect();
        found.clear();
        if placed.is_symmetric() {
            let moved = Carried::new(points.len() as u32, |at| Some(points[at as usize]));
            found.extend(sets.iter().map(|&set| {
                let (number, _) = placed.number([0, moved.of(u64::from(set)).into()]);
                keys[(number - numbers.start) as usize]
            }));
        } else {
            let free = self.board().all() & !placed.image(black);
            let pressed = Carried::new(points.len() as u32, |at| {
                Some((free & ((1 << points[at as usize]) - 1)).count_ones())
            });
            found.extend(sets.iter().map(|&set| keys[placing.rank(pressed.of(set.into()))]));
        }
        !keys.into_iter().any(|key| is_far(key) || key == NONE)
    }
}

impl Placing {
    #[inline(always)]
    fn rank(&self, set: u32) -> usize {
        self.ranks.rank(set.into()) as usize
    }
}

/// Where sets of up to 24 squares come to lie, a byte at a time.
struct Carried([[u32; 256]; 3]);

impl Carried {
    /// By where each square goes, if it does not go away.
    fn new(squares: u32, to: impl Fn(u32) -> Option<u32>) -> Carried {
        let mut bytes = [[0; 256]; 3];
        for (byte, first) in bytes.iter_mut().zip((0..).step_by(8)) {
            for (bit, square) in (first..squares).take(8).enumerate() {
                let to = to(square).map_or(0, |to| 1 << to);
                // Of sets without it those with it.
                for set in 0..1 << bit {
                    byte[set | 1 << bit] = byte[set] | to;
                }
            }
        }
        Carried(bytes)
    }

    #[inline(always)]
    fn of(&self, set: u64) -> u32 {
        let byte = |at: usize| self.0[at][(set >> (8 * at)) as usize & 255];
        byte(0) | byte(1) | byte(2)
    }
}

#[cfg(test)]
mod tests {
    use retrograde::{Game, Status};
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
            // What is no position may be worth anything, and nothing.
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
                    Values { values: (0..index.states()).map(value).collect(), distances: true }
                };
                let solved = region.needs(men).iter().map(&mut solution).collect();
                let game = Mill::new(men, region, solved);
                let states = game.states();
                let first = states / 3;
                for run in [0..states, first..first + states.min(40) / 2, first..states] {
                    let mut next = run.start;
                    game.survey(run.clone(), |state, status, degree, exits| {
                        assert_eq!((state, degree), (next, 0));
                        next += 1;
                        let mut alone = None;
                        let expected = game.status(state, |exit| alone = Some(exit));
                        let found = (status, exits.first().copied());
                        assert_eq!(
                            found,
                            (expected, alone),
                            "seed {seed}: {men:?} {name}: {state}"
                        );
                        assert!(status == Status::Void || exits.len() == 1);
                    });
                    assert_eq!(next, run.end);
                }
            }
        }
    }
}
