//! The game of one region. Moves that take or place a stone are its exits.

use std::ops::{ControlFlow, Range};

use retrograde::adapters::Symmetric;
use retrograde::{Game, Probe, Status, Value};
use retrograde_boards::{Recent, squares};
use retrograde_regions::SolvedRegion;

use crate::board::{Board, Men};
use crate::classes::Seconds;
use crate::index::{Block, Index, Numberings};
use crate::region::Region;

/// Morris with fixed numbers of stones. A state is a position and all its mirror images; see [`Index`].
///
/// If all stones are placed, quiet moves stay in the region. In the placing phase, each move places a stone,
/// so all moves are exits.
pub struct Mill<'a> {
    index: Index,
    board: &'static Board,
    /// Data for looking at the moves of many positions at once, in the placing phase.
    placing: Option<Seconds>,
    /// For each block of the index, where its moves lead.
    ways: Vec<Ways>,
    /// The regions that exits lead to, in the order of [`Region::needs`].
    solved: Vec<(Index, SolvedRegion<'a>)>,
}

/// The targets of a block's moves: a block of the region itself or of a solved one.
pub(crate) struct Ways {
    pub(crate) quiet: Option<Target>,
    pub(crate) taking: Option<Target>,
    /// Whether taking a stone wins.
    pub(crate) wins: bool,
}

/// A cache of first sets in the target block of taking moves, if it saves time. Neighbouring states lead to
/// the same few sets.
pub(crate) type Lately<'m> = Option<Recent<'m, 2>>;

#[derive(Clone, Copy)]
pub(crate) struct Target {
    /// The index of the solved region. `None` stands for this region.
    pub(crate) solved: Option<usize>,
    pub(crate) block: usize,
}

impl<'a> Mill<'a> {
    /// The game of a region, from the solutions of the regions that it [needs](Region::needs), in that order.
    ///
    /// # Panics
    ///
    /// If these are not the solutions of the regions that it needs.
    pub fn new(men: Men, region: Region, solved: Vec<SolvedRegion<'a>>) -> Mill<'a> {
        Mill::shared(men, region, solved, &Numberings::default())
    }

    pub(crate) fn shared(
        men: Men,
        region: Region,
        solved: Vec<SolvedRegion<'a>>,
        numberings: &Numberings,
    ) -> Mill<'a> {
        let needs = region.needs(men);
        assert_eq!(solved.len(), needs.len(), "{region} needs the solutions of {needs:?}");
        let index = |region| Index::shared(men, region, numberings);
        let solved: Vec<_> = needs.iter().map(|&need| index(need)).zip(solved).collect();
        for (index, solution) in &solved {
            let region = index.region();
            assert_eq!(index.states(), solution.states(), "this is not a solution of {region}");
        }
        let index = index(region);
        let target = |to: Region, own: u32| {
            let place = solved.iter().position(|(solved, _)| solved.region() == to);
            let reached = place.map_or(&index, |place| &solved[place].0);
            let block = reached.blocks.iter().position(|block| block.own == own);
            Some(Target { solved: place, block: block? })
        };
        let ways = |from: &Block| {
            let ways = region.ways(men, from.own, from.other);
            let quiet = target(ways.quiet, from.other);
            // Moves never lead to regions that are not needed.
            let taking = ways.taking.and_then(|to| target(to, from.other - 1));
            Ways { quiet, taking, wins: ways.wins }
        };
        let ways = index.blocks.iter().map(ways).collect();
        let placing = region.placed().map(|_| Seconds::new(&index.blocks[0]));
        Mill { board: men.board(), placing, ways, index, solved }
    }

    pub(crate) fn board(&self) -> &'static Board {
        self.board
    }

    /// Whether this is the placing phase.
    pub(crate) fn places(&self) -> bool {
        self.placing.is_some()
    }

    /// The regions that exits lead to.
    pub(crate) fn solved(&self) -> &[(Index, SolvedRegion<'a>)] {
        &self.solved
    }

    /// The targets of the moves of a block.
    pub(crate) fn ways(&self, at: usize) -> &Ways {
        &self.ways[at]
    }

    /// The numbering of its states.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// How many moves of a position stay in the region, and the best value of the other moves. `None` for an
    /// invalid state.
    #[inline(never)]
    pub(crate) fn judge<'m>(
        &'m self,
        at: usize,
        sets: [u64; 2],
        stabilizer: u32,
        lately: &mut Lately<'m>,
    ) -> Option<(u32, Option<Value>)> {
        let (block, board) = (&self.index.blocks[at], self.board);
        if stabilizer == 0 || !block.has(sets) {
            return None;
        }
        let (own, other) = block.own_and_other(sets);
        let free = board.all() & !own & !other;
        let closing = board.closing(own, free);
        let takeable = if closing == 0 { 0 } else { board.takeable(other) };
        let mut best = None;
        if self.places() {
            // A side without stones cannot lose one.
            let closing = if other == 0 { 0 } else { closing };
            self.place(at, (own, other), free & !closing, &mut best);
            for to in squares(closing) {
                self.take(at, (own | 1 << to, other), takeable, lately, &mut best);
            }
            return Some((0, best));
        }
        let flies = board.flies(block.own);
        let mut degree = match flies {
            true => block.own * free.count_ones(),
            false => squares(own).map(|from| (board.neighbours(from) & free).count_ones()).sum(),
        };
        for to in squares(closing) {
            for from in squares(if flies { own } else { own & board.neighbours(to) }) {
                let others = own & !(1 << from);
                if board.closes(others, to) {
                    degree -= 1;
                    self.take(at, (others | 1 << to, other), takeable, lately, &mut best);
                }
            }
        }
        Some((degree, best))
    }

    /// The cache for the block that taking moves from a block lead to.
    fn lately(&self, at: usize) -> Lately<'_> {
        let target = self.ways[at].taking;
        target.filter(|to| to.solved.is_some()).map(|_| Recent::new(&self.reached(target).0.orbits))
    }

    /// Improves `best` by the values of placing a stone on each of some points.
    fn place(&self, at: usize, (own, other): (u64, u64), points: u64, best: &mut Option<Value>) {
        if points != 0 {
            let (reached, solution) = self.reached(self.ways[at].quiet);
            let mut numbers = Numbers::default();
            squares(points).for_each(|to| numbers.push(reached.state(other, own | 1 << to)));
            numbers.look_up(solution, best);
        }
    }

    /// Improves `best` by the values of taking each of some stones after the move.
    fn take<'m>(
        &'m self,
        at: usize,
        (own, other): (u64, u64),
        takeable: u64,
        lately: &mut Lately<'m>,
        best: &mut Option<Value>,
    ) {
        let ways = &self.ways[at];
        if ways.wins {
            *best = Some(Value::Win(1));
            return;
        }
        let (reached, solution) = self.reached(ways.taking);
        let mut numbers = Numbers::default();
        if reached.own_first {
            for taken in squares(takeable) {
                numbers.push(reached.state(other & !(1 << taken), own));
            }
        } else {
            let placed = match lately {
                Some(recent) => recent.placed(own),
                None => reached.orbits.placed(own),
            };
            let others = placed.image(other);
            for taken in squares(takeable) {
                let (number, _) = placed.number([0, others & !(1 << placed.square(taken))]);
                numbers.push(reached.first + number);
            }
        }
        numbers.look_up(solution, best);
    }

    /// The states that quiet moves lead to, from stones of the side to move and of the other side.
    pub(crate) fn after(&self, at: usize, (own, other): (u64, u64)) -> Numbers {
        let mut found = Numbers::default();
        let (board, free) = (self.board, self.board.all() & !own & !other);
        let next = self.next(at);
        let flies = board.flies(self.index.blocks[at].own);
        for from in squares(own) {
            let others = own & !(1 << from);
            for to in squares(if flies { free } else { free & board.neighbours(from) }) {
                if !board.closes(others, to) {
                    found.push(next.state(other, others | 1 << to));
                }
            }
        }
        found
    }

    /// The states from which quiet moves lead to a state, each with its stabilizer in the upper bits.
    #[inline(never)]
    fn before(&self, state: u64) -> Numbers {
        let mut found = Numbers::default();
        let (at, sets) = self.look(state);
        let (own, other) = self.index.blocks[at].own_and_other(sets);
        let (board, free) = (self.board, self.board.all() & !own & !other);
        // The other side has moved. So the side to move now was not to move then.
        let before = self.next(at);
        let flies = board.flies(before.own);
        let placed = before.orbits.placed(own);
        let others = placed.image(other);
        // A quiet move never puts a stone into a mill.
        for to in squares(other & !board.milled(other)) {
            let left = others & !(1 << placed.square(to));
            for from in squares(if flies { free } else { free & board.neighbours(to) }) {
                let (number, stabilizer) = placed.number([0, left | 1 << placed.square(from)]);
                found.push((before.first + number) | (u64::from(stabilizer) << STABILIZER));
            }
        }
        found
    }

    /// The target block of exits in a solved region, and that region's solution.
    #[inline(always)]
    pub(crate) fn reached(&self, target: Option<Target>) -> (&Block, &SolvedRegion<'a>) {
        let target = target.expect("a region has what its moves lead to");
        let (index, solution) = &self.solved[target.solved.expect("an exit leaves the region")];
        (&index.blocks[target.block], solution)
    }

    /// The block of this region that quiet moves lead to from another block, and come from.
    #[inline(always)]
    fn next(&self, at: usize) -> &Block {
        &self.index.blocks[self.index.blocks.len() - 1 - at]
    }

    fn look(&self, state: u64) -> (usize, [u64; 2]) {
        let at = self.index.block_of(state);
        let block = &self.index.blocks[at];
        (at, block.orbits.position(state - block.first))
    }
}

/// The states that moves lead to, or come from. The code first finds all of them, and then looks them up. So
/// the processor waits for many memory accesses at once. The code that finds them compiles once.
pub(crate) struct Numbers {
    found: [u64; NUMBERS_MAX],
    len: usize,
}

/// Three flying men have no more free points than this.
const NUMBERS_MAX: usize = 3 * 18;

/// From this bit on, a number holds a stabilizer.
const STABILIZER: u32 = 56;

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers { found: [0; NUMBERS_MAX], len: 0 }
    }
}

impl Numbers {
    #[inline(always)]
    fn push(&mut self, number: u64) {
        self.found[self.len] = number;
        self.len += 1;
    }

    #[inline(always)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        self.found[..self.len].iter().copied()
    }

    /// Improves `best` by the values of moving to each of these states.
    #[inline(always)]
    fn look_up(&self, solution: &SolvedRegion<'_>, best: &mut Option<Value>) {
        if self.len == 0 {
            return;
        }
        let Ok(least) = solution.least_of(&self.found[..self.len]);
        let value = least.expect("no move leads to an invalid state").after_move(false);
        if best.is_none_or(|best| best < value) {
            *best = Some(value);
        }
    }
}

impl Game for Mill<'_> {
    fn states(&self) -> u64 {
        self.index.states()
    }

    fn status(&self, state: u64) -> Status {
        let (at, sets) = self.look(state);
        match self.judge(at, sets, self.stabilizer(state), &mut None) {
            Some(_) => Status::Open,
            None => Status::Invalid,
        }
    }

    fn exits(&self, state: u64, visit: impl FnMut(Value)) {
        let (at, sets) = self.look(state);
        let judged = self.judge(at, sets, self.stabilizer(state), &mut None);
        judged.and_then(|(_, best)| best).into_iter().for_each(visit);
    }

    fn successors(&self, state: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.places() {
            return ControlFlow::Continue(());
        }
        let (at, sets) = self.look(state);
        let stones = self.index.blocks[at].own_and_other(sets);
        self.after(at, stones).iter().try_for_each(visit)
    }

    fn classify(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        if let Some(placing) = &self.placing {
            self.place_all(placing, states, |state, best| match best {
                Some(best) => visit(state, Status::Open, 0, best.as_slice()),
                None => visit(state, Status::Invalid, 0, &[]),
            });
            return;
        }
        for (at, run) in self.index.blocks_of(states) {
            let (block, mut lately) = (&self.index.blocks[at], self.lately(at));
            block.orbits.each(run, |number, sets, stabilizer| {
                let state = block.first + number;
                match self.judge(at, sets, stabilizer, &mut lately) {
                    Some((degree, best)) => visit(state, Status::Open, degree, best.as_slice()),
                    None => visit(state, Status::Invalid, 0, &[]),
                }
            });
        }
    }

    fn invalid_states(&self, word: u64) -> u64 {
        let states = word * 64..self.states().min(word * 64 + 64);
        let mut invalid_states = u64::MAX;
        for (at, run) in self.index.blocks_of(states) {
            let block = &self.index.blocks[at];
            block.orbits.each(run, |number, sets, stabilizer| {
                let is_position = stabilizer > 0 && block.has(sets);
                invalid_states &= !(u64::from(is_position) << ((block.first + number) % 64));
            });
        }
        invalid_states
    }

    fn degree_max(&self) -> Option<u32> {
        if self.places() {
            return Some(0);
        }
        let board = self.board;
        let mut steps: Vec<u32> =
            (0..board.points()).map(|at| board.neighbours(at).count_ones()).collect();
        steps.sort_unstable_by(|a, b| b.cmp(a));
        let most = |block: &Block| match board.flies(block.own) {
            true => block.own * (board.points() - block.own - block.other),
            false => steps[..block.own as usize].iter().sum(),
        };
        self.index.blocks.iter().map(most).max()
    }
}

impl Symmetric for Mill<'_> {
    fn stabilizer(&self, state: u64) -> u32 {
        let block = &self.index.blocks[self.index.block_of(state)];
        block.orbits.stabilizer(state - block.first)
    }

    fn moves_into(&self, state: u64, mut visit: impl FnMut(u64, u32)) {
        if self.places() {
            return;
        }
        for found in self.before(state).iter() {
            visit(found & ((1 << STABILIZER) - 1), (found >> STABILIZER) as u32);
        }
    }
}
