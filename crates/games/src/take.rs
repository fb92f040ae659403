//! Nim and similar games. Players take from one heap as many as the rules allow, in turn. The player who
//! takes last wins, because a player who cannot move loses. In misère play it is the other way round.
//!
//! The number of a state has the heaps as digits, each in the base of its largest size plus one. So a take is
//! a subtraction. A solve also gives the values of all smaller positions.

use std::ops::ControlFlow;

use crate::misere::MISERE;
use crate::square::edge_numbers;
use crate::{
    Facts, Kind, MOVES_MAX, Parameter, ReadError, Setup, SetupError, Solvable, Spec, Visitor,
};
use retrograde::{Game, Predecessors, Status, Value, counted};
use retrograde_positions::{Board, End, Move, Positions};

pub(crate) static SPEC: Spec = Spec {
    name: "take",
    summary: "Nim, and other games in which players take from heaps",
    rules: "A player takes from one heap as many as the rules allow: one of the given numbers, or any. The player who takes last wins; \
            with `misere` that player loses.",
    parameters: &[
        Parameter {
            name: "heaps",
            kind: Kind::Numbers,
            default: None,
            help: "the sizes of the heaps, such as 3,5,7",
        },
        Parameter {
            name: "take",
            kind: Kind::NumbersOr("any"),
            default: None,
            help: "how many a player may take at once, such as 1,2,3, or `any`",
        },
        MISERE,
    ],
    example: "--heaps 3,5,7 --take any",
    ..Spec::EMPTY
};

pub(crate) fn build<V: Visitor>(setup: &Setup, visitor: V) -> Result<V::Output, SetupError> {
    let heaps = setup.numbers("heaps");
    let takes = match setup.numbers_or_word("take") {
        Some(takes) => Takes::Set(takes.to_vec()),
        None => Takes::Any,
    };
    let take = setup.made(Take::new(heaps, takes))?;
    Ok(visitor.visit(take.misere(setup.is_set(MISERE.name))))
}

/// How many a player may take from a heap at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Any number, from one up: the game of Nim.
    Any,
    /// One of these.
    Set(Vec<u32>),
}

/// The game on some heaps, and on all positions that follow from them.
#[derive(Clone, Debug)]
pub struct Take {
    heaps: Vec<Heap>,
    /// The allowed takes in ascending order, each once; `None` for any.
    takes: Option<Vec<u32>>,
    /// Whether the player who cannot move wins.
    misere: bool,
    states: u64,
    degree_max: u32,
}

#[derive(Clone, Debug)]
struct Heap {
    size: u32,
    /// What one piece of this heap adds to the number of a state.
    weight: u64,
}

impl Take {
    /// The game that begins with heaps of these sizes.
    pub fn new(heaps: &[u32], takes: Takes) -> Result<Take, ReadError> {
        if heaps.is_empty() {
            return Err(ReadError::whole("no heaps: give at least one size, such as 15 or 3,5,7"));
        }
        let takes = match takes {
            Takes::Any => None,
            Takes::Set(mut set) => {
                set.sort_unstable();
                set.dedup();
                match set.first() {
                    None => {
                        return Err(ReadError::whole(
                            "no takes: allow at least one, such as 1,2,3, or any",
                        ));
                    }
                    Some(0) => {
                        return Err(ReadError::whole("a take of 0 is no move: leave it out"));
                    }
                    Some(_) => Some(set),
                }
            }
        };
        let mut game = Take { heaps: Vec::new(), takes, misere: false, states: 1, degree_max: 0 };
        let mut degree = 0;
        for &size in heaps.iter().rev() {
            game.heaps.push(Heap { size, weight: game.states });
            degree += u64::from(game.takes_from(size));
            game.states = game.states.checked_mul(u64::from(size) + 1).ok_or_else(|| {
                ReadError::whole(
                    "these heaps have more than 2^64 positions: give fewer or smaller heaps",
                )
            })?;
        }
        game.heaps.reverse();
        match u32::try_from(degree).ok().filter(|degree| *degree <= MOVES_MAX) {
            Some(degree) => game.degree_max = degree,
            None => {
                let what = "these heaps allow over 4 billion moves at once: give smaller ones";
                return Err(ReadError::whole(what));
            }
        }
        Ok(game)
    }

    /// The same game. With `misere`, the player who takes last loses.
    pub fn misere(mut self, misere: bool) -> Take {
        self.misere = misere;
        self
    }

    /// How large each heap is in `state`.
    fn sizes(&self, state: u64) -> impl Iterator<Item = (&Heap, u32)> {
        let mut rest = state;
        self.heaps.iter().map(move |heap| {
            let size = (rest / heap.weight) as u32;
            rest %= heap.weight;
            (heap, size)
        })
    }

    /// How many moves a heap of this size allows.
    fn takes_from(&self, size: u32) -> u32 {
        match &self.takes {
            None => size,
            Some(set) => set.partition_point(|&take| take <= size) as u32,
        }
    }

    /// Visits every allowed take of at most `most`, until `visit` breaks.
    ///
    /// Plain loops, so that the compiler inlines the solver's update into them. Iterator adapters leave a
    /// call for each take, which takes twice as long.
    #[inline(always)]
    fn takes(&self, most: u32, mut visit: impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        match &self.takes {
            None => {
                for take in 1..most + 1 {
                    visit(take)?;
                }
            }
            Some(set) => {
                for &take in set {
                    if take > most {
                        break;
                    }
                    visit(take)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl Game for Take {
    fn states(&self) -> u64 {
        self.states
    }

    fn status(&self, _: u64) -> Status {
        Status::Open
    }

    #[inline]
    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (heap, size) in self.sizes(state) {
            self.takes(size, |take| visit(state - u64::from(take) * heap.weight))?;
        }
        ControlFlow::Continue(())
    }

    fn degree(&self, state: u64) -> u32 {
        self.sizes(state).map(|(_, size)| self.takes_from(size)).sum()
    }

    fn degree_max(&self) -> Option<u32> {
        Some(self.degree_max)
    }

    fn stuck(&self) -> Value {
        if self.misere { Value::Win(0) } else { Value::Loss(0) }
    }
}

impl Predecessors for Take {
    #[inline]
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        for (heap, size) in self.sizes(state) {
            let most = heap.size - size;
            let _ = self.takes(
                most,
                #[inline(always)]
                |take| {
                    visit(state + u64::from(take) * heap.weight);
                    ControlFlow::Continue(())
                },
            );
        }
    }
}

impl Positions for Take {
    crate::positions_are_states!();

    fn players(&self) -> &'static [&'static str] {
        &["player"]
    }

    fn start(&self) -> Option<u64> {
        Some(self.states - 1)
    }

    fn read(&self, text: &str) -> Result<u64, String> {
        let sizes: Vec<&str> = text.split(',').collect();
        if sizes.len() != self.heaps.len() {
            let (named, heaps) = (sizes.len(), self.heaps.len());
            return Err(format!(
                "{text:?} names {}: name all {heaps}, separated by commas",
                counted(named, "heap")
            ));
        }
        let mut state = 0;
        for (heap, text) in self.heaps.iter().zip(sizes) {
            let size = text.trim().parse::<u32>().ok().filter(|&size| size <= heap.size);
            let size = size.ok_or_else(|| {
                format!("{text:?} is not a size of this heap: write 0 to {}", heap.size)
            })?;
            state += u64::from(size) * heap.weight;
        }
        Ok(state)
    }

    fn write(&self, state: &u64) -> String {
        self.sizes(*state).map(|(_, size)| size.to_string()).collect::<Vec<_>>().join(",")
    }

    fn player(&self, _: &u64) -> usize {
        0
    }

    /// A move points at the last stone of the heap that it takes. It takes this one and all after it.
    fn moves(&self, &from: &u64, visit: &mut dyn FnMut(Move<u64>)) -> Option<End> {
        let has_board = self.stones().is_some();
        let mut first = 0;
        for (heap, size) in self.sizes(from) {
            let _ = self.takes(size, |take| {
                let to = from - u64::from(take) * heap.weight;
                let (mut points, mut taken) = (vec![], vec![]);
                if has_board {
                    points.push(first + (size - take) as usize);
                    taken.extend((size - take..size).map(|stone| first + stone as usize));
                }
                visit(Move { taken, ..Move::new(self.write(&to), points, to) });
                ControlFlow::Continue(())
            });
            first += heap.size as usize;
        }
        (self.degree(from) == 0).then(|| End { value: self.stuck(), ..End::STUCK })
    }

    /// Each heap is a row of stones.
    fn board(&self, &state: &u64) -> Option<Board> {
        self.stones()?;
        let point =
            |heap: usize, stone: u32| (format!("{heap},{stone}"), stone as f32, heap as f32);
        let heaps = self.heaps.iter().enumerate();
        let mut board = Board::points(
            heaps.flat_map(|(heap, of)| (0..of.size).map(move |stone| point(heap, stone))),
        );
        let most = self.heaps.iter().map(|heap| heap.size).max().unwrap_or(0);
        board.edge = Some(edge_numbers(self.heaps.len() as u32, most));
        let mut first = 0;
        for (heap, size) in self.sizes(state) {
            board.put(("stone", 'o'), None, (0..size as usize).map(|stone| first + stone));
            first += heap.size as usize;
        }
        Some(board)
    }

    /// The stones of a heap begin at the left, without a gap.
    fn with_board(&self, board: &Board, _: usize) -> Option<u64> {
        let (mut state, mut first, mut has_gap) = (0, 0, false);
        let has_stone = |point| board.men_on(point).next().is_some();
        for heap in &self.heaps {
            let points = first..first + heap.size as usize;
            let size = points.clone().filter(|point| has_stone(*point)).count();
            has_gap |= points.take(size).any(|point| !has_stone(point));
            state += size as u64 * heap.weight;
            first += heap.size as usize;
        }
        (!has_gap).then_some(state)
    }
}

impl Solvable for Take {
    const QUICK_MOVES: bool = true;

    fn facts(&self) -> Facts {
        Facts::of(SPEC.name)
    }
}

impl Take {
    /// How many stones there are, if a board can show them.
    fn stones(&self) -> Option<u32> {
        /// More stones than this in a heap are not counted by eye.
        const STONES_MAX: u32 = 40;
        let few = self.heaps.iter().all(|heap| heap.size <= STONES_MAX);
        few.then(|| self.heaps.iter().map(|heap| heap.size).sum())
    }
}
