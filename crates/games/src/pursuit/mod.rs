//! Police and thief on a grid, one policeman.
//!
//! The police move to the eight neighbours, the thief to four, either may stay; the police move
//! first. Where they meet the police have won; a thief on an exit without police has won.
//!
//! A state is `(thief * 2 + mover) * width + police`: all places of the policeman for one thief and one
//! mover lie together, in the order of [`Strips`], so that a level's states, which lie in blobs on the
//! board, lie in the same few words, and so that a part of the game is a set of the thief's places.
//! The thief's places are floor only.

mod strips;
mod words;

use std::ops::Range;

use retrograde::{Game, Retrograde, Status, Value, WordStatus, Words};

use crate::board::{Board, Cell, Steps};
use crate::placement::{MOVERS, Placement};
use crate::{ReadError, Show};
use strips::Strips;
use words::PoliceSteps;

/// One policeman and one thief on a board.
#[derive(Clone, Debug)]
pub struct Pursuit {
    board: Board,
    strips: Strips,
    /// How many places the policeman has, with padding up to whole words.
    width: u64,
    /// `2^64 / width`, rounded up: to divide by multiplying.
    width_inverse: u64,
    police: Lists,
    /// The policeman's steps in sets.
    steps: PoliceSteps,
    /// Where the policeman can stand, in words of places.
    floor: Vec<u64>,
    /// For each place of the thief the rows of those one step away, with the police to move.
    thief: Lists,
    /// The same in words: where those rows begin.
    thief_words: Lists,
    /// For each place of the thief its cell.
    thief_cells: Vec<u32>,
    /// For each place of the thief the place of a policeman in the same cell.
    thief_places: Vec<u32>,
    /// For each place of the thief whether it is an exit.
    exits: Vec<bool>,
    /// For each cell the thief's place there.
    thief_of_cell: Vec<u32>,
}

const POLICE: u64 = 0;
const THIEF: u64 = 1;
const NOWHERE: u32 = u32::MAX;

impl Pursuit {
    /// The pursuit on a board.
    pub fn new(board: Board) -> Result<Pursuit, ReadError> {
        if board.police().len() > 1 {
            let count = board.police().len();
            return Err(ReadError::whole(format!(
                "the board has {count} police where one plays: say so with --police {count}"
            )));
        }
        let strips = Strips::new(board.rows(), board.columns());
        let width = strips.places().next_multiple_of(64);
        let mut thief_cells: Vec<u32> = board.floor().collect();
        thief_cells.sort_by_key(|&cell| strips.place(cell));
        let states = u128::from(width) * 2 * thief_cells.len() as u128;
        if states * u128::from(width) > u128::from(u64::MAX) {
            return Err(ReadError::whole(format!(
                "the board has {states} states, more than any memory holds: use a smaller one"
            )));
        }
        let mut thief_of_cell = vec![NOWHERE; board.cells().len()];
        for (place, &cell) in (0..).zip(&thief_cells) {
            thief_of_cell[cell as usize] = place;
        }
        let mut police_cells = vec![NOWHERE; width as usize];
        for cell in board.floor() {
            police_cells[strips.place(cell) as usize] = cell;
        }
        let police = Lists::new(&board, Steps::King, &police_cells, |cell| strips.place(cell));
        let thief =
            Lists::new(&board, Steps::Rook, &thief_cells, |cell| thief_of_cell[cell as usize] * 2);
        let mut thief_words = thief.clone();
        thief_words.places.iter_mut().for_each(|row| *row *= (width / 64) as u32);
        let is_exit = |&cell: &u32| board.cells()[cell as usize] == Cell::Exit;
        let mut floor = vec![0; width as usize / 64];
        for cell in board.floor() {
            let place = strips.place(cell);
            floor[place as usize / 64] |= 1 << (place % 64);
        }
        Ok(Pursuit {
            steps: PoliceSteps::new(&board, &strips, width / 64),
            floor,
            width,
            width_inverse: u64::MAX / width + 1,
            police,
            thief,
            thief_words,
            thief_places: thief_cells.iter().map(|&cell| strips.place(cell)).collect(),
            exits: thief_cells.iter().map(is_exit).collect(),
            thief_cells,
            thief_of_cell,
            strips,
            board,
        })
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    #[inline(always)]
    fn split(&self, state: u64) -> (u64, u64) {
        let row = ((u128::from(state) * u128::from(self.width_inverse)) >> 64) as u64;
        (row, state - row * self.width)
    }

    fn index(&self, mover: u64, police: u32, thief: u32) -> u64 {
        (u64::from(thief) * 2 + mover) * self.width + u64::from(police)
    }

    fn placement(&self, state: u64) -> Placement {
        let (row, place) = self.split(state);
        let police = self.strips.cell(place as u32).expect("the state is not void");
        let thief = self.thief_cells[row as usize / 2];
        Placement { mover: row as usize % 2, police: vec![police], thief }
    }

    /// Walks the steps of whoever's list it is: forwards and backwards they are the same.
    #[inline(always)]
    fn step(&self, row: u64, place: u64, moved: u64, mut visit: impl FnMut(u64)) {
        if moved == POLICE {
            let to = (row ^ 1) * self.width;
            self.police.of(place).iter().for_each(|&place| visit(to + u64::from(place)));
        } else {
            let mover = (row & 1) ^ 1;
            let to = mover * self.width + place;
            self.thief.of(row / 2).iter().for_each(|&row| visit(u64::from(row) * self.width + to));
        }
    }
}

impl Game for Pursuit {
    fn states(&self) -> u64 {
        self.thief_cells.len() as u64 * 2 * self.width
    }

    #[inline]
    fn status(&self, state: u64, _: impl FnMut(Value)) -> Status {
        let (row, place) = self.split(state);
        let (thief, mover) = (row as usize / 2, row & 1);
        if self.police.of(place).is_empty() {
            return Status::Void;
        }
        let police_won = u64::from(self.thief_places[thief]) == place;
        if !police_won && !self.exits[thief] {
            return Status::Open;
        }
        Status::Final(if police_won == (mover == POLICE) { Value::Win(0) } else { Value::Loss(0) })
    }

    #[inline]
    fn successors(&self, state: u64, visit: impl FnMut(u64)) {
        let (row, place) = self.split(state);
        self.step(row, place, row & 1, visit);
    }

    #[inline]
    fn degree(&self, state: u64) -> u32 {
        let (row, place) = self.split(state);
        let steps = if row & 1 == POLICE { self.police.of(place) } else { self.thief.of(row / 2) };
        steps.len() as u32
    }

    /// Row by row, so that a place costs a load and a comparison.
    fn survey(
        &self,
        states: Range<u64>,
        mut visit: impl FnMut(u64, Status, u32),
        _: impl FnMut(u64, Value),
    ) {
        let mut state = states.start;
        while state < states.end {
            let (row, first) = self.split(state);
            let last = self.width.min(first + (states.end - state));
            let thief = row as usize / 2;
            let caught = u64::from(self.thief_places[thief]);
            let thief_steps = (row & 1 == THIEF).then(|| self.thief.of(row / 2).len() as u32);
            for (place, &steps) in (first..last).zip(&self.police.lens[first as usize..]) {
                if steps == 0 {
                    visit(state, Status::Void, 0);
                } else if place == caught || self.exits[thief] {
                    visit(state, self.status(state, |_| {}), 0);
                } else {
                    visit(state, Status::Open, thief_steps.unwrap_or(u32::from(steps)));
                }
                state += 1;
            }
        }
    }

    fn degree_max(&self) -> Option<u32> {
        Some(self.police.len_max.max(self.thief.len_max))
    }
}

impl Retrograde for Pursuit {
    #[inline(always)]
    fn predecessors(&self, state: u64, visit: impl FnMut(u64)) {
        let (row, place) = self.split(state);
        self.step(row, place, (row & 1) ^ 1, visit);
    }
}

impl Words for Pursuit {
    fn survey_words(
        &self,
        words: Range<u64>,
        mut visit: impl FnMut(u64, WordStatus),
        _: impl FnMut(u64, Value),
        _: impl FnMut(u64, Value),
    ) {
        for word in words {
            let (row, place) = self.split(word * 64);
            let thief = row as usize / 2;
            let floor = self.floor[place as usize / 64];
            let caught = u64::from(self.thief_places[thief]);
            let caught = if caught / 64 == place / 64 { 1 << (caught % 64) } else { 0 };
            let away = if self.exits[thief] { floor & !caught } else { 0 };
            let (won, lost) = if row & 1 == POLICE { (caught, away) } else { (away, caught) };
            visit(word, WordStatus { void: !floor, won, lost, special: 0 });
        }
    }

    #[inline(always)]
    fn predecessors_of(&self, word: u64, set: u64, mut visit: impl FnMut(u64, u64, bool)) {
        let (row, place) = self.split(word * 64);
        let width = self.width / 64;
        if row & 1 == POLICE {
            let to = THIEF * width + place / 64;
            for &row in self.thief_words.of(row / 2) {
                visit(u64::from(row) + to, set, false);
            }
        } else {
            let first = (row ^ 1) * width;
            self.steps.spread(place / 64, set, |word, places| {
                visit(first.wrapping_add(word), places, false);
            });
        }
    }

    #[inline(always)]
    fn all_moves_into(&self, word: u64, states: u64, target: impl Fn(u64, bool) -> u64) -> u64 {
        let (row, place) = self.split(word * 64);
        let width = self.width / 64;
        if row & 1 == POLICE {
            let first = (row ^ 1) * width;
            states & !self.steps.reach(place / 64, |word| !target(first.wrapping_add(word), false))
        } else {
            let rows = self.thief_words.of(row / 2).iter();
            rows.fold(states, |left, &row| left & target(u64::from(row) + place / 64, false))
        }
    }
}

impl Show for Pursuit {
    fn name(&self) -> &'static str {
        "pursuit"
    }

    fn movers(&self) -> &'static [&'static str] {
        &MOVERS
    }

    fn mover(&self, state: u64) -> usize {
        self.split(state).0 as usize % 2
    }

    fn states_named(&self) -> u64 {
        2 * (self.board.cells().len() as u64).pow(2)
    }

    fn start(&self) -> Option<u64> {
        let thief = self.thief_of_cell[self.board.thief()? as usize];
        Some(self.index(POLICE, self.strips.place(*self.board.police().first()?), thief))
    }

    fn text(&self, state: u64) -> String {
        self.placement(state).text(|cell| self.board.cell_text(cell))
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        let Placement { mover, police, thief } =
            Placement::parse(text, 1, |name| self.board.cell_named(name))?;
        let thief = self.thief_of_cell[thief as usize];
        Ok(self.index(mover as u64, self.strips.place(police[0]), thief))
    }

    fn picture(&self, state: u64) -> Option<String> {
        let Placement { police, thief, .. } = self.placement(state);
        Some(self.board.picture(&police, Some(thief)))
    }
}

/// For each place the places one step away, the place itself among them. Empty for a wall.
#[derive(Clone, Debug)]
struct Lists {
    offsets: Vec<u32>,
    places: Vec<u32>,
    /// The length of each list.
    lens: Vec<u8>,
    len_max: u32,
}

impl Lists {
    /// The lists of places whose cells are given; `place` numbers a cell.
    fn new(board: &Board, steps: Steps, cells: &[u32], place: impl Fn(u32) -> u32) -> Lists {
        let mut lists =
            Lists { offsets: vec![0], places: Vec::new(), lens: Vec::new(), len_max: 0 };
        for &cell in cells {
            let begin = lists.places.len();
            if cell != NOWHERE {
                lists.places.push(place(cell));
                board.neighbours(cell, steps, |cell| lists.places.push(place(cell)));
                lists.places[begin..].sort_unstable();
            }
            lists.offsets.push(lists.places.len() as u32);
            lists.lens.push((lists.places.len() - begin) as u8);
            lists.len_max = lists.len_max.max((lists.places.len() - begin) as u32);
        }
        lists
    }

    #[inline(always)]
    fn of(&self, place: u64) -> &[u32] {
        let at = place as usize;
        &self.places[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }
}
