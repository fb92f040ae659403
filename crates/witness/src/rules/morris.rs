//! Three, six and nine men's morris: the boards as lists of lines, the moves, and the regions of a solve.
//!
//! A region has fixed numbers of stones on the board and in hand. A move that places or takes a stone leads to
//! another region, and so to another table.

mod board;
mod numbers;

use std::ops::Range;

use serde_json::Value as Json;

use crate::proof::{LOST, Place, Rules, Side};

use self::board::{Board, points};
use self::numbers::{Block, Part};

/// How many stones were placed in all, and how many the side to move and the other have on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    men: u32,
    placed: u32,
    own: u32,
    other: u32,
}

impl Region {
    /// The region of a header, if the header describes one.
    pub(crate) fn of(header: &Json) -> Option<Region> {
        let about = &header["parameters"];
        let men = about["men"].as_u64().filter(|men| [3, 6, 9].contains(men))? as u32;
        let name = about["region"].as_str()?;
        let numbers = name.strip_prefix('p').unwrap_or(name).split('-');
        let numbers = numbers.map(|number| number.parse().ok()).collect::<Option<Vec<u32>>>()?;
        let region = match numbers[..] {
            [own, other] => Region { men, placed: 2 * men, own, other },
            [placed, own, other] if placed < 2 * men => Region { men, placed, own, other },
            _ => return None,
        };
        let hand = region.hand();
        let known = region.own <= men - hand[0]
            && region.other <= men - hand[1]
            && region.own + hand[0] >= 3
            && region.other + hand[1] >= 3;
        let sides = about["sides"].as_array()?.iter().map(|side| [&side["own"], &side["other"]]);
        let told = sides.eq(region.blocks().iter().map(|block| [block.own, block.other]));
        (known && told && region.name() == name).then_some(region)
    }

    /// Whether it is of the same game as another.
    pub(crate) fn is_beside(&self, other: &Region) -> bool {
        self.men == other.men
    }

    /// As its table is called. If all stones are placed, the side with more stones comes first.
    pub(crate) fn name(&self) -> String {
        let Region { placed, own, other, .. } = *self;
        match self.places() {
            true => format!("p{placed}-{own}-{other}"),
            false => format!("{}-{}", own.max(other), own.min(other)),
        }
    }

    /// Whether stones are in hand.
    fn places(&self) -> bool {
        self.placed < 2 * self.men
    }

    /// How many stones the side to move and the other have in hand. White places first.
    fn hand(&self) -> [u32; 2] {
        [self.placed / 2, self.placed.div_ceil(2)].map(|placed| self.men - placed)
    }

    /// How many stones the side to move and the other have lost.
    fn lost(&self) -> [u32; 2] {
        let [own, other] = self.hand();
        [self.men - own - self.own, self.men - other - self.other]
    }

    /// The parts of the region: one for each side that can be the one to move.
    fn blocks(&self) -> Vec<Region> {
        let Region { own, other, .. } = *self;
        match self.places() || own == other {
            true => vec![*self],
            false => vec![
                Region { own: own.max(other), other: own.min(other), ..*self },
                Region { own: own.min(other), other: own.max(other), ..*self },
            ],
        }
    }

    /// The part after a move that takes `taken` stones. `None` if the other side then has fewer than three.
    fn after(&self, taken: u32) -> Option<Region> {
        let placed = u32::min(self.placed + 1, 2 * self.men);
        let own = self.own + (placed - self.placed);
        let other = self.other.checked_sub(taken)?;
        let after = Region { placed, own: other, other: own, ..*self };
        (other + after.hand()[0] >= 3).then_some(after)
    }

    /// The names of the other regions that moves lead to, each once.
    pub(crate) fn needs(&self) -> Vec<String> {
        let board = Board::new(self.men);
        let blocks = self.blocks();
        let ways = blocks.iter().flat_map(|block| [0, 1].map(|taken| block.after(taken)));
        // Some numbers of stones never occur, because no stones have the mills that the captures need.
        let reached = ways.flatten().filter(|region| !blocks.contains(region));
        let mut names: Vec<_> =
            reached.filter(|region| Part::occurs(&board, region)).map(|r| r.name()).collect();
        names.sort();
        names.dedup();
        names
    }
}

/// The stones of the side to move and of the other, as sets of points.
pub(crate) struct Position {
    own: u32,
    other: u32,
    placed: u32,
}

/// The rules, and the numbers of positions of some regions: first the one to prove, then those that it leads
/// to.
pub(crate) struct Morris {
    board: Board,
    /// The parts of all regions, the first region's first.
    blocks: Vec<Block>,
    /// For each run of the first region, its block and its class there.
    runs: Vec<(usize, usize)>,
}

impl Morris {
    pub(crate) fn new(regions: &[Region]) -> Morris {
        let board = Board::new(regions[0].men);
        let mut blocks = Vec::new();
        for (table, region) in regions.iter().enumerate() {
            let mut first = 0;
            for part in region.blocks() {
                let block = Block::new(&board, part, table, first);
                first = block.end();
                blocks.push(block);
            }
        }
        let home = blocks.iter().enumerate().filter(|(_, block)| block.table == 0);
        let runs = home.flat_map(|(at, block)| (0..block.classes()).map(move |class| (at, class)));
        Morris { runs: runs.collect(), blocks, board }
    }

    /// The part of its region that a position belongs to, if there is one.
    fn block(&self, position: &Position) -> Option<(usize, &Block)> {
        let part = self.part(position);
        self.blocks.iter().enumerate().find(|(_, block)| block.part == part)
    }

    fn part(&self, position: &Position) -> Region {
        let Position { own, other, placed } = *position;
        let (own, other) = (own.count_ones(), other.count_ones());
        Region { men: self.board.men, placed, own, other }
    }
}

impl Rules for Morris {
    type Position = Position;

    fn runs(&self) -> u64 {
        self.runs.len() as u64
    }

    fn run(&self, run: u64) -> Range<u64> {
        let (block, class) = self.runs[run as usize];
        self.blocks[block].numbers(class)
    }

    fn each(&self, run: u64, mut visit: impl FnMut(&Position)) {
        let (block, class) = self.runs[run as usize];
        let block = &self.blocks[block];
        block.each(&self.board, class, |own, other| {
            visit(&Position { own, other, placed: block.part.placed });
        });
    }

    fn place(&self, position: &Position) -> Place {
        let part = self.part(position);
        if part.own + part.hand()[0] < 3 {
            return Place::Known(LOST);
        }
        let number = self.block(position).and_then(|(_, block)| {
            let number = block.number(&self.board, position.own, position.other)?;
            Some(Place::Table(block.table, number))
        });
        number.unwrap_or(Place::Nowhere)
    }

    fn moves(&self, position: &Position, mut visit: impl FnMut(&Position)) {
        let Position { own, other, placed } = *position;
        let (board, part) = (&self.board, self.part(position));
        let free = board.all() & !own & !other;
        // A mill that closes takes a stone: one in no mill if there is one, else any. Two mills take one.
        let loose = other & !board.milled(other);
        let takeable = if loose == 0 { other } else { loose };
        let after = u32::min(placed + 1, 2 * board.men);
        let mut step = |left: u32, to: u32| {
            let moved = left | 1 << to;
            let taken = if board.closes(moved, to) { takeable } else { 0 };
            for point in points(taken) {
                visit(&Position { own: other & !(1 << point), other: moved, placed: after });
            }
            if taken == 0 {
                visit(&Position { own: other, other: moved, placed: after });
            }
        };
        if part.places() {
            points(free).for_each(|to| step(own, to));
            return;
        }
        let jumps = board.men == 9 && part.own == 3;
        for from in points(own) {
            let near = if jumps { free } else { free & board.beside[from as usize] };
            points(near).for_each(|to| step(own & !(1 << from), to));
        }
    }

    fn sides(&self) -> Vec<Side> {
        let home = self.blocks.iter().filter(|block| block.table == 0);
        let side = |block: &Block| Side {
            name: format!("{}-{}", block.part.own, block.part.other),
            states: Some(block.end() - block.first),
        };
        home.map(side).collect()
    }

    fn side_to_move(&self, position: &Position) -> usize {
        self.block(position).map_or(0, |(at, _)| at)
    }

    fn placements(&self, _: &Position) -> Option<u64> {
        Some(1)
    }

    fn said<'h>(&self, header: &'h Json, side: usize) -> (&'h Json, &'static str) {
        (&header["parameters"]["sides"][side], "position")
    }

    fn text(&self, position: &Position) -> String {
        let names = ["white", "black"];
        let turn = position.placed as usize % 2;
        let side = |(side, stones): (usize, u32)| {
            let stones =
                points(stones).map(|point| format!(" {}", self.board.names[point as usize]));
            names[side].to_owned() + &stones.collect::<String>()
        };
        let sides = [(turn, position.own), (1 - turn, position.other)].map(side).join(" ");
        match self.part(position).hand()[0] {
            0 => sides,
            hand => format!("{sides} hand {hand}"),
        }
    }
}
