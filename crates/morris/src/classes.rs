//! The values of moves, for all positions with the same first set of stones together.
//!
//! A class has all positions with the same first set. They differ in the stones of the other side. A move of
//! the side of the first set leads from all of them into one run of numbers, or into another run if it takes
//! a stone. The code sorts the values of such a run once, in the order of the second set. Then each move is a
//! lookup in a list that fits the nearest cache.

use std::ops::Range;

use retrograde_boards::{Group, Placed, Ranks, Subsets, squares};

use crate::game::{Mill, Target};
use crate::index::Block;
use crate::key::{INVALID, Key, LOST, NONE, fill_keys, is_far};

/// The second sets after the moves of a block, for any first set, and their ranks.
pub(crate) struct Seconds {
    group: &'static Group,
    ranks: Ranks,
    /// After a move that takes nothing, among the points that the first set then leaves free.
    pub(crate) quiet: Vec<u32>,
    /// After a move that takes a stone, among the same points.
    pub(crate) taking: Vec<u32>,
}

/// An open position of a class.
#[derive(Clone, Copy)]
pub(crate) struct Open {
    /// Its index among the requested numbers.
    pub(crate) at: u32,
    /// The second set, among the points that are free of the first.
    pub(crate) second: u32,
    /// If the side of the first set is to move, the stones of the second set that it may take. Otherwise, the
    /// points where the second set closes a mill.
    pub(crate) marked: u32,
}

/// The least keys that moves from the requested numbers lead to.
pub(crate) struct Least {
    /// Moves that take nothing.
    pub(crate) quiet: Vec<Key>,
    /// Moves that take a stone.
    pub(crate) taking: Vec<Key>,
    /// How many moves take nothing.
    pub(crate) moves: u64,
}

/// A distance that a key cannot hold.
pub(crate) struct Far;

impl Least {
    /// For `len` numbers, without any moves.
    pub(crate) fn new(len: usize) -> Least {
        Least { quiet: vec![NONE; len], taking: vec![NONE; len], moves: 0 }
    }
}

impl Seconds {
    /// The second sets of a block.
    pub(crate) fn new(block: &Block) -> Seconds {
        let points = block.board.points();
        // If a move has taken a stone of the first set, there is one more.
        let free = points - if block.own_first { block.own } else { block.other };
        let ranks = Ranks::new(points.min(free + 1)).expect("no board of morris is large");
        let sets = |among: u32, size: u32| {
            let size = Some(size).filter(|&size| size <= among);
            let sets = size.map(|size| Subsets::new(among, size));
            sets.iter().flat_map(Subsets::iter).map(|set| set as u32).collect()
        };
        let (quiet, taking) = if block.own_first {
            let other = block.other;
            let less = other.checked_sub(1);
            (sets(free - 1, other), less.map_or(Vec::new(), |less| sets(free - 1, less)))
        } else {
            let after = sets(free, block.own + 1);
            (after.clone(), after)
        };
        Seconds { group: block.board.group(), ranks, quiet, taking }
    }

    /// Lowers the keys of some second sets to the keys of a run. All positions of the run have one first set.
    pub(crate) fn reach(
        &self,
        placed: &Placed<'_, 2>,
        (free, among): (u64, u64),
        sets: &[u32],
        keys: &[Key],
        found: &mut [Key],
    ) {
        let (group, free) = (self.group, placed.image(free));
        let mut ranks = vec![u32::MAX; sets.len()];
        for fixer in placed.fixers() {
            let goes = |point| group.square_of(fixer, placed.square(point));
            let points: Vec<u32> = squares(among).map(goes).collect();
            let pressed = Carried::new(points.len() as u32, |at| {
                Some((free & ((1 << points[at as usize]) - 1)).count_ones())
            });
            for (rank, &set) in ranks.iter_mut().zip(sets) {
                *rank = (self.rank(pressed.of(set.into())) as u32).min(*rank);
            }
        }
        for (found, rank) in found.iter_mut().zip(ranks) {
            *found = keys[rank as usize].min(*found);
        }
    }

    #[inline(always)]
    pub(crate) fn rank(&self, set: u32) -> usize {
        self.ranks.rank(set.into()) as usize
    }
}

impl Mill<'_> {
    /// The open positions of a class, given its first set and the requested numbers.
    pub(crate) fn open(&self, block: &Block, first: u64, numbers: Range<u64>) -> Vec<Open> {
        let board = self.board();
        let free = board.all() & !first;
        let pressed = Carried::new(board.points(), |point| {
            (free >> point & 1 != 0).then(|| (free & ((1 << point) - 1)).count_ones())
        });
        let mut open = Vec::with_capacity((numbers.end - numbers.start) as usize);
        let start = numbers.start;
        block.orbits.each(numbers, |number, sets, stabilizer| {
            if stabilizer > 0 && block.has(sets) {
                let second = sets[1];
                let marked = match block.own_first {
                    true => board.takeable(second),
                    // If a side has no stones, it cannot lose one.
                    false if first == 0 => 0,
                    false => board.closing(second, free & !second),
                };
                let (second, marked) = (pressed.of(second), pressed.of(marked));
                open.push(Open { at: (number - start) as u32, second, marked });
            }
        });
        open
    }

    /// Moves of the side of the first set: to each point, from all positions where it is free. Takes the keys
    /// of the region itself, for moves that stay in it.
    pub(crate) fn moves_of_first(
        &self,
        seconds: &Seconds,
        (at, block): (usize, &Block),
        first: u64,
        open: &[Open],
        known: &[Key],
        least: &mut Least,
    ) -> Result<(), Far> {
        let (board, ways) = (self.board(), self.ways(at));
        let flies = board.flies(block.own);
        let free = board.all() & !first;
        let (mut here, mut quiet, mut taking) = (Vec::new(), Vec::new(), Vec::new());
        for (place, to) in squares(free).enumerate() {
            here.clear();
            here.extend(open.iter().filter(|open| open.second >> place & 1 == 0));
            if here.is_empty() {
                continue;
            }
            quiet.clear();
            quiet.resize(seconds.quiet.len(), NONE);
            taking.clear();
            taking.resize(seconds.taking.len(), NONE);
            let (mut quiets, mut takings) = (0, 0);
            let others: Vec<u64> = match (self.places(), flies) {
                (true, _) => vec![first],
                (false, true) => squares(first).map(|from| first & !(1 << from)).collect(),
                (false, false) => {
                    let near = first & board.neighbours(to);
                    squares(near).map(|from| first & !(1 << from)).collect()
                }
            };
            for others in others {
                let after = others | 1 << to;
                let among = (board.all() & !after, free & !(1 << to));
                if block.other == 0 || !board.closes(others, to) {
                    quiets += 1;
                    self.run(ways.quiet, after, known, |placed, keys| {
                        seconds.reach(placed, among, &seconds.quiet, keys, &mut quiet);
                    })?;
                } else {
                    takings += 1;
                    if !ways.wins {
                        self.run(ways.taking, after, known, |placed, keys| {
                            seconds.reach(placed, among, &seconds.taking, keys, &mut taking);
                        })?;
                    }
                }
            }
            // Among the remaining points.
            let below = (1 << place) - 1;
            let left = |set: u32| set & below | set >> 1 & !below;
            if quiets > 0 {
                least.moves += quiets * here.len() as u64;
                for &Open { at, second, .. } in &here {
                    let key = quiet[seconds.rank(left(second))];
                    least.quiet[at as usize] = key.min(least.quiet[at as usize]);
                }
            }
            if takings > 0 && ways.wins {
                here.iter().for_each(|open| least.taking[open.at as usize] = LOST);
            } else if takings > 0 {
                for &Open { at, second, marked } in &here {
                    let (second, least) = (left(second), &mut least.taking[at as usize]);
                    for taken in squares(left(marked).into()) {
                        *least = taking[seconds.rank(second & !(1 << taken))].min(*least);
                    }
                }
            }
        }
        Ok(())
    }

    /// Passes on the keys of all positions with a first set in a target block, either of this region or of a
    /// solved one.
    pub(crate) fn run(
        &self,
        target: Option<Target>,
        first: u64,
        known: &[Key],
        reach: impl FnOnce(&Placed<'_, 2>, &[Key]),
    ) -> Result<(), Far> {
        let target = target.expect("a region has what its moves lead to");
        let solved = target.solved.map(|place| &self.solved()[place]);
        let index = solved.map_or(self.index(), |(index, _)| index);
        let block = &index.blocks[target.block];
        let placed = block.orbits.placed(first);
        let numbers = placed.numbers();
        let (start, len) = (block.first + numbers.start, (numbers.end - numbers.start) as usize);
        match solved {
            None => reach(&placed, &known[start as usize..][..len]),
            Some((_, solution)) => {
                let mut keys = vec![INVALID; len];
                let Ok(()) = fill_keys(solution, start, &mut keys);
                reach(&placed, &keys);
                if keys.into_iter().any(is_far) {
                    return Err(Far);
                }
            }
        }
        Ok(())
    }
}

/// The inverse of pressing a set together among some points.
pub(crate) fn spread(among: u64) -> impl Fn(u32) -> u64 {
    let points: Vec<u32> = squares(among).collect();
    let spread = Carried::new(points.len() as u32, |at| Some(points[at as usize]));
    move |set| spread.of(set.into()).into()
}

/// A map of sets of up to 24 squares, a byte at a time.
struct Carried([[u32; 256]; 3]);

impl Carried {
    /// From the target of each square, if it has one.
    fn new(squares: u32, to: impl Fn(u32) -> Option<u32>) -> Carried {
        let mut bytes = [[0; 256]; 3];
        for (byte, first) in bytes.iter_mut().zip((0..).step_by(8)) {
            for (bit, square) in (first..squares).take(8).enumerate() {
                let to = to(square).map_or(0, |to| 1 << to);
                // Makes the entries of sets with this square from the entries of sets without it.
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
