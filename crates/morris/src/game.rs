//! The game of one region, with what takes a stone, or places one, as its exits.

use std::convert::Infallible;
use std::ops::Range;

use retrograde::{Game, Probe, Status, Symmetric, Value};
use retrograde_boards::squares;

use crate::board::{Board, Men};
use crate::index::{Block, Index, Numberings};
use crate::region::Region;

/// Morris with so many stones a side. A state is a position and all its mirror images; see [`Index`].
///
/// Where all stones are placed, quiet moves stay in the region. A stone that is placed never does, so that in the placing
/// phase all moves are exits.
pub struct Mill<P> {
    index: Index,
    board: &'static Board,
    /// Whether stones are still placed.
    places: bool,
    /// For each block of the index what its moves lead to.
    ways: Vec<Ways>,
    /// The regions that exits lead to, in the order of [`Region::needs`].
    solved: Vec<(Index, P)>,
}

/// Where the moves of a block lead: a block of the region itself or of a solved one.
struct Ways {
    quiet: Option<Target>,
    taking: Option<Target>,
    /// Whether who takes a stone has won.
    wins: bool,
}

#[derive(Clone, Copy)]
struct Target {
    /// The place of the solved region; `None` is this one.
    solved: Option<usize>,
    block: usize,
}

impl<P: Probe<Error = Infallible>> Mill<P> {
    /// The game of a region, given the solutions of what it [needs](Region::needs), in that order.
    ///
    /// # Panics
    ///
    /// Where they are not.
    pub fn new(men: Men, region: Region, solved: Vec<P>) -> Mill<P> {
        Mill::shared(men, region, solved, &Numberings::default())
    }

    pub(crate) fn shared(
        men: Men,
        region: Region,
        solved: Vec<P>,
        numberings: &Numberings,
    ) -> Mill<P> {
        let needs = region.needs(men);
        assert_eq!(solved.len(), needs.len(), "{region} needs the solutions of {needs:?}");
        let index = |region| Index::shared(men, region, numberings);
        let solved: Vec<_> = needs.iter().map(|&need| index(need)).zip(solved).collect();
        for (index, solution) in &solved {
            let region = index.region();
            assert_eq!(index.states(), solution.states(), "this is no solution of {region}");
        }
        let index = index(region);
        let target = |to: Region, own: u32| {
            let place = needs.iter().position(|&need| need == to);
            let reached = place.map_or(&index, |place| &solved[place].0);
            let block = reached.blocks.iter().position(|block| block.own == own);
            Some(Target { solved: place, block: block? })
        };
        let ways = |from: &Block| {
            let ways = region.ways(men, from.own, from.other);
            let quiet = target(ways.quiet, from.other);
            // What is not needed is never reached.
            let taking = ways.taking.and_then(|to| target(to, from.other - 1));
            Ways { quiet, taking, wins: ways.wins }
        };
        let ways = index.blocks.iter().map(ways).collect();
        Mill { board: men.board(), places: region.placed().is_some(), ways, index, solved }
    }

    /// The numbering of its states.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// What the rules say of a position: how many moves stay in the region, and to `exit` what each other one is worth. `None`
    /// where it is none.
    #[inline(always)]
    fn judge(
        &self,
        at: usize,
        sets: [u64; 2],
        stabilizer: u32,
        mut exit: impl FnMut(Value),
    ) -> Option<u32> {
        let (block, board) = (&self.index.blocks[at], self.board);
        if stabilizer == 0 || !block.has(sets) {
            return None;
        }
        let (own, other) = block.own_and_other(sets);
        let free = board.all() & !own & !other;
        let mut takeable = None;
        let mut take = |own: u64| {
            self.take(
                at,
                own,
                other,
                *takeable.get_or_insert_with(|| board.takeable(other)),
                &mut exit,
            );
        };
        let closing = board.closing(own, free);
        if self.places {
            // Of nobody a stone can be taken who has none.
            let closing = if other == 0 { 0 } else { closing };
            squares(closing).for_each(|to| take(own | 1 << to));
            for to in squares(free & !closing) {
                let (reached, value) = self.target(self.ways[at].quiet);
                exit(value(reached.state(other, own | 1 << to)));
            }
            return Some(0);
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
                    take(others | 1 << to);
                }
            }
        }
        Some(degree)
    }

    /// What it is worth to take each of some stones, having moved.
    #[inline]
    fn take(&self, at: usize, own: u64, other: u64, takeable: u64, mut exit: impl FnMut(Value)) {
        let ways = &self.ways[at];
        if ways.wins {
            return exit(Value::Win(1));
        }
        let (reached, value) = self.target(ways.taking);
        if reached.own_first {
            let left = squares(takeable).map(|taken| other & !(1 << taken));
            return left.for_each(|left| exit(value(reached.state(left, own))));
        }
        let placed = reached.orbits.placed(own);
        let others = placed.image(other);
        for taken in squares(takeable) {
            let (number, _) = placed.number([0, others & !(1 << placed.square(taken))]);
            exit(value(reached.first + number));
        }
    }

    /// A block of a solved region, and what a move to a state there is worth.
    #[inline(always)]
    fn target(&self, target: Option<Target>) -> (&Block, impl Fn(u64) -> Value) {
        let target = target.expect("a region has what its moves lead to");
        let (index, solution) = &self.solved[target.solved.expect("an exit leaves the region")];
        let value = |state| {
            let Ok(value) = solution.probe(state);
            let region = index.region();
            let value = value
                .unwrap_or_else(|| panic!("{state} of {region}, which a move leads to, is void"));
            value.after_move(false)
        };
        (&index.blocks[target.block], value)
    }

    /// The block of this region that quiet moves from another lead to, and come from.
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

impl<P: Probe<Error = Infallible>> Game for Mill<P> {
    fn states(&self) -> u64 {
        self.index.states()
    }

    fn status(&self, state: u64, exit: impl FnMut(Value)) -> Status {
        let (at, sets) = self.look(state);
        match self.judge(at, sets, self.stabilizer(state), exit) {
            Some(_) => Status::Open,
            None => Status::Void,
        }
    }

    fn successors(&self, state: u64, mut visit: impl FnMut(u64)) {
        if self.places {
            return;
        }
        let (at, [other, own]) = self.look(state);
        let (board, free) = (self.board, self.board.all() & !own & !other);
        let next = self.next(at);
        let flies = board.flies(self.index.blocks[at].own);
        for from in squares(own) {
            let others = own & !(1 << from);
            for to in squares(if flies { free } else { free & board.neighbours(from) }) {
                if !board.closes(others, to) {
                    visit(next.first + next.orbits.state([others | 1 << to, other]));
                }
            }
        }
    }

    fn survey(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        let mut exits = Vec::new();
        for (at, block) in self.index.blocks.iter().enumerate() {
            let here = block.states();
            let run = states.start.max(here.start)..states.end.min(here.end);
            if run.is_empty() {
                continue;
            }
            block.orbits.each(
                run.start - here.start..run.end - here.start,
                |number, sets, stabilizer| {
                    exits.clear();
                    let degree = self.judge(at, sets, stabilizer, |value| exits.push(value));
                    let status = if degree.is_some() { Status::Open } else { Status::Void };
                    visit(here.start + number, status, degree.unwrap_or(0), &exits);
                },
            );
        }
    }

    fn degree_max(&self) -> Option<u32> {
        if self.places {
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

impl<P: Probe<Error = Infallible>> Symmetric for Mill<P> {
    fn stabilizer(&self, state: u64) -> u32 {
        let block = &self.index.blocks[self.index.block_of(state)];
        block.orbits.stabilizer(state - block.first)
    }

    #[inline(always)]
    fn moves_into(&self, state: u64, mut visit: impl FnMut(u64, u32)) {
        if self.places {
            return;
        }
        let (at, [other, own]) = self.look(state);
        let (board, free) = (self.board, self.board.all() & !own & !other);
        // The other has moved: the side to move now was the one that was not.
        let before = self.next(at);
        let flies = board.flies(before.own);
        let placed = before.orbits.placed(own);
        let others = placed.image(other);
        // Whoever stands in a mill has not come quietly.
        for to in squares(other & !board.milled(other)) {
            let left = others & !(1 << placed.square(to));
            for from in squares(if flies { free } else { free & board.neighbours(to) }) {
                let (number, stabilizer) = placed.number([0, left | 1 << placed.square(from)]);
                visit(before.first + number, stabilizer);
            }
        }
    }
}
