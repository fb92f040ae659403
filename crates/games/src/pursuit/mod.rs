//! Police and thief on a grid, with one policeman.
//!
//! The police move to eight neighbours, the thief to four, and either may stay. The police move first. They win if
//! they meet the thief. A thief on an exit without police wins.
//!
//! A *place* is the number of a cell. The two players number the cells in different orders. A state is
//! `(outside * 2 + side) * width + inside`, where `inside` is the place of the *inside player*, and `outside` is the
//! place of the *outside player*. A *row* has all places of the inside player, in the order of [`Tiles`], for one
//! place of the outside player and one side to move.
//!
//! The inside player is the policeman. On a *bare* board, without walls and exits, it is the thief. The bit-parallel
//! engine is faster if more states of a word settle at one level. On a bare 100x100 board, about 55 states settle
//! together if the thief is the inside player, and 8 if the policeman is. On a board with exits: 7 and 8.

mod lists;
mod named;
mod show;
mod tiles;
mod words;

use std::ops::{ControlFlow, Deref, Range};

use retrograde::bit_parallel::{BitParallel, Key, Keys, Singles, WordKeys, WordStatus};
use retrograde::{Game, Predecessors, Status, Value};

use crate::ReadError;
use crate::board::{Board, Cell, Steps};
use crate::placement::Placement;
use lists::Lists;
pub(crate) use named::{SPEC, build};
use tiles::Tiles;
use words::{Shifts, ones};

/// One policeman and one thief on a board.
#[derive(Clone, Debug)]
pub struct Pursuit {
    board: Board,
    tiles: Tiles,
    /// The inside player: 0 for the police, 1 for the thief.
    inside: u64,
    /// How many places a row has, including those off the board.
    width: u64,
    /// `2^64 / width`, rounded up. It turns a division into a multiplication.
    width_inverse: u64,
    /// For each place of the inside player, the places one step away.
    inner: Lists<u32>,
    /// The same steps for sets of places.
    shifts: Shifts,
    /// For each place of the outside player, the first states of the rows one step away, with the police to move.
    outer: Lists<u64>,
    /// `inner`, but each list has the same length. Shorter lists are filled up with an invalid place.
    inner_fixed: Vec<u32>,
    /// `outer`, but with the first words of the rows, and each list has the same length. Shorter lists repeat their
    /// last row. The last place has no cell: its list has only its own row, which is invalid.
    outer_words: Vec<u64>,
    /// For each place of the outside player, its cell. The last place has no cell, and its rows are invalid.
    outer_cells: Vec<u32>,
    /// For each place of the outside player, the place of the inside player that is the same cell.
    outer_places: Vec<u32>,
    /// For each cell, its place for the outside player.
    outer_of_cell: Vec<u32>,
    /// The places of the inside player that are no walls, as sets of 64 places.
    floor: Vec<u64>,
    /// The places of the inside player that are exits, as sets of 64 places.
    exits: Vec<u64>,
}

const POLICE: u64 = 0;
const THIEF: u64 = 1;
const NOWHERE: u32 = u32::MAX;
/// How many rows of the board a strip has. Strips order the places of the outside player: see [`Pursuit::with_inside`].
const STRIP: u32 = 8;
/// The most steps of the police (as a king in chess) and of the thief (as a rook, but one cell), including staying.
const KING_STEPS: usize = 9;
const ROOK_STEPS: usize = 5;

impl Pursuit {
    /// The pursuit on a board.
    pub fn new(board: Board) -> Result<Pursuit, ReadError> {
        // The head of this file says why a bare board has another inside player.
        let bare = board.cells().iter().all(|&cell| cell == Cell::Floor);
        Pursuit::with_inside(board, if bare { THIEF } else { POLICE }, STRIP)
    }

    fn with_inside(board: Board, inside: u64, strip: u32) -> Result<Pursuit, ReadError> {
        if board.police().len() > 1 {
            let count = board.police().len();
            return Err(ReadError::whole(format!(
                "the board has {count} police, but this game has one: set the number of police to {count}"
            )));
        }
        let tiles = Tiles::new(board.rows(), board.columns());
        let mut outer_cells: Vec<u32> = board.floor().collect();
        // The board is divided into strips. In each strip, the places of the outside player are numbered column by
        // column. So the rows of states of neighbouring places lie near each other, except at the edges of strips.
        let columns = board.columns();
        outer_cells.sort_by_key(|&cell| (cell / columns / strip, cell % columns, cell));
        // At least one place of a row is invalid. A row has an odd number of words, so that the same place in
        // neighbouring rows falls into different sets of the processor's cache.
        let invalid_inside = tiles.places() > outer_cells.len() as u64;
        let width = ((tiles.places() / 64 + u64::from(!invalid_inside)) | 1) * 64;
        outer_cells.push(NOWHERE);
        let states = u128::from(width) * 2 * outer_cells.len() as u128;
        if states * u128::from(width) > u128::from(u64::MAX) {
            return Err(ReadError::whole(format!(
                "the board has {states} states, more than any memory holds: use a smaller one"
            )));
        }
        let mut outer_of_cell = vec![NOWHERE; board.cells().len()];
        for (place, &cell) in (0..).zip(&outer_cells[..outer_cells.len() - 1]) {
            outer_of_cell[cell as usize] = place;
        }
        let mut inner_cells = vec![NOWHERE; width as usize];
        let mut floor = vec![0; width as usize / 64];
        let mut exits = floor.clone();
        for cell in board.floor() {
            let place = tiles.place(cell) as usize;
            inner_cells[place] = cell;
            floor[place / 64] |= 1 << (place % 64);
            if board.cells()[cell as usize] == Cell::Exit {
                exits[place / 64] |= 1 << (place % 64);
            }
        }
        let (inner_steps, outer_steps) =
            if inside == POLICE { (Steps::King, Steps::Rook) } else { (Steps::Rook, Steps::King) };
        let row = |cell: u32| u64::from(outer_of_cell[cell as usize]) * 2 * width;
        let outer = Lists::new(&board, outer_steps, &outer_cells, row);
        let inner = Lists::new(&board, inner_steps, &inner_cells, |cell| tiles.place(cell));
        let (inner_count, outer_count) =
            if inside == POLICE { (KING_STEPS, ROOK_STEPS) } else { (ROOK_STEPS, KING_STEPS) };
        let invalid_place = inner_cells.iter().position(|&cell| cell == NOWHERE);
        let invalid_place =
            invalid_place.expect("the width is larger than the number of places") as u32;
        let invalid_row = (outer_cells.len() as u64 - 1) * 2 * width;
        let outer_words = outer.fixed_by_last(outer_count, invalid_row);
        let outer_words = outer_words.into_iter().map(|row| row / 64).collect();
        Ok(Pursuit {
            inner_fixed: inner.fixed(inner_count, invalid_place),
            outer_words,
            inside,
            width,
            width_inverse: u64::MAX / width + 1,
            inner,
            shifts: Shifts::new(&tiles, inner_steps, (width / 64) as u32),
            outer,
            outer_places: outer_cells
                .iter()
                .map(|&cell| if cell == NOWHERE { NOWHERE } else { tiles.place(cell) })
                .collect(),
            outer_cells,
            outer_of_cell,
            floor,
            exits,
            tiles,
            board,
        })
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// How many states a row has. In the next row, the other side is to move.
    pub fn row_len(&self) -> u64 {
        self.width
    }

    #[inline(always)]
    fn split(&self, state: u64) -> (u64, u64) {
        let row = ((u128::from(state) * u128::from(self.width_inverse)) >> 64) as u64;
        (row, state - row * self.width)
    }

    fn index(&self, side: u64, police: u32, thief: u32) -> u64 {
        let (inside, outside) =
            if self.inside == POLICE { (police, thief) } else { (thief, police) };
        let outside = u64::from(self.outer_of_cell[outside as usize]);
        (outside * 2 + side) * self.width + u64::from(self.tiles.place(inside))
    }

    fn placement(&self, state: u64) -> Placement {
        let (row, place) = self.split(state);
        let inside = self.tiles.cell(place as u32).expect("the state is not invalid");
        let outside = self.outer_cells[row as usize / 2];
        let (police, thief) =
            if self.inside == POLICE { (inside, outside) } else { (outside, inside) };
        Placement { side: row as usize % 2, police: vec![police], thief }
    }

    /// The states in one word of a row in which the thief is on an exit.
    #[inline(always)]
    fn escaped(&self, row: u64, word: u64) -> u64 {
        if self.inside == THIEF {
            return self.exits[word as usize];
        }
        let place = self.outer_places[row as usize / 2];
        (self.exits[place as usize / 64] >> (place % 64) & 1).wrapping_neg()
    }

    /// What the rules say of one word of a row.
    #[inline(always)]
    fn word_status(&self, row: u64, word: u64) -> WordStatus {
        let (floor, meeting) = (self.floor[word as usize], self.outer_places[row as usize / 2]);
        if meeting == NOWHERE {
            return WordStatus { invalid: !0, won: 0, lost: 0, special: 0 };
        }
        let meeting = u64::from(meeting);
        let caught = if meeting / 64 == word { 1 << (meeting % 64) } else { 0 };
        let away = self.escaped(row, word) & floor & !caught;
        let (won, lost) = if row & 1 == POLICE { (caught, away) } else { (away, caught) };
        WordStatus { invalid: !floor, won, lost, special: 0 }
    }

    /// Visits the states one step before some states of a word. Steps go both ways, so their lists serve for both.
    #[inline(always)]
    fn unstep<const INNER: usize>(&self, first: u64, set: u64, mut visit: impl FnMut(u64, u64)) {
        let (row, place) = self.split(first);
        if row & 1 != self.inside {
            let to = (row ^ 1) * self.width;
            let places = &self.inner_fixed[place as usize * INNER..][..64 * INNER];
            let places = places.as_chunks::<INNER>().0;
            for bit in ones(set) {
                let places = places[bit as usize].iter();
                places.for_each(|&place| visit(first + bit, to + u64::from(place)));
            }
        } else {
            let to = ((row & 1) ^ 1) * self.width + place;
            let rows = self.outer.of(row / 2);
            for bit in ones(set) {
                rows.iter().for_each(|&row| visit(first + bit, row + to + bit));
            }
        }
    }

    /// Visits the words that a step of the outside player leads to, some of them more than once.
    #[inline(always)]
    fn step_outside(&self, row: u64, place: u64, visit: impl FnMut(u64)) {
        let to = (((row & 1) ^ 1) * self.width + place) / 64;
        if self.inside == POLICE {
            self.step_fixed::<ROOK_STEPS>(row / 2, to, visit);
        } else {
            self.step_fixed::<KING_STEPS>(row / 2, to, visit);
        }
    }

    /// The same with a fixed number of steps, so that the processor predicts the end of the loop.
    #[inline(always)]
    fn step_fixed<const STEPS: usize>(&self, place: u64, to: u64, mut visit: impl FnMut(u64)) {
        let words = &self.outer_words[place as usize * STEPS..][..STEPS];
        words.iter().for_each(|&word| visit(word + to));
    }
}

impl Game for Pursuit {
    fn states(&self) -> u64 {
        self.outer_cells.len() as u64 * 2 * self.width
    }

    #[inline]
    fn status(&self, state: u64) -> Status {
        let (row, place) = self.split(state);
        self.word_status(row, place / 64).of(place % 64)
    }

    #[inline]
    fn invalid_states(&self, word: u64) -> u64 {
        if word >= self.states() / 64 {
            return !0;
        }
        let (row, place) = self.split(word * 64);
        self.word_status(row, place / 64).invalid
    }

    #[inline]
    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (row, place) = self.split(state);
        if row & 1 == self.inside {
            let to = (row ^ 1) * self.width;
            self.inner.of(place).iter().try_for_each(|&place| visit(to + u64::from(place)))
        } else {
            let to = ((row & 1) ^ 1) * self.width + place;
            self.outer.of(row / 2).iter().try_for_each(|&row| visit(row + to))
        }
    }

    #[inline]
    fn degree(&self, state: u64) -> u32 {
        let (row, place) = self.split(state);
        if row & 1 == self.inside { self.inner.len(place) } else { self.outer.len(row / 2) }
    }

    /// Classifies the states of a word together, so most states take a few instructions.
    #[inline]
    fn classify(&self, states: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        let mut state = states.start;
        while state < states.end {
            let (row, place) = self.split(state);
            let (first, bit) = (state - place % 64, place % 64);
            let end = states.end.min(first + 64);
            let status = self.word_status(row, place / 64);
            let asked = !0 << bit & !0 >> (first + 64 - end);
            let decided = (status.invalid | status.won | status.lost) & asked;
            let outer = (row & 1 != self.inside).then(|| self.outer.len(row / 2));
            let inner = &self.inner.lens[(place - bit) as usize..][..64];
            for bit in ones(asked & !decided) {
                let degree = outer.unwrap_or_else(|| u32::from(inner[bit as usize]));
                visit(first + bit, Status::Open, degree, &[]);
            }
            for bit in ones(decided) {
                visit(first + bit, status.of(bit), 0, &[]);
            }
            state = end;
        }
    }

    fn degree_max(&self) -> Option<u32> {
        Some(self.inner.len_max.max(self.outer.len_max))
    }
}

impl Predecessors for Pursuit {
    #[inline(always)]
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        self.predecessors_of_each(
            state & !63,
            1 << (state % 64),
            #[inline(always)]
            |_, from| visit(from),
        );
    }

    #[inline(always)]
    fn predecessors_of_each(&self, first: u64, set: u64, visit: impl FnMut(u64, u64)) {
        if self.inside == POLICE {
            self.unstep::<KING_STEPS>(first, set, visit);
        } else {
            self.unstep::<ROOK_STEPS>(first, set, visit);
        }
    }
}

impl BitParallel for Pursuit {
    const CHECKS_WINS: bool = true;

    #[inline]
    fn classify_words(
        &self,
        words: Range<u64>,
        mut visit: impl FnMut(u64, WordStatus, Singles<'_>),
    ) {
        let mut word = words.start;
        while word < words.end {
            let (row, place) = self.split(word * 64);
            let row_end = words.end.min(word + (self.width - place) / 64);
            for (word, place) in (word..row_end).zip(place / 64..) {
                visit(word, self.word_status(row, place), Singles::default());
            }
            word = row_end;
        }
    }

    #[inline(always)]
    fn predecessors_of_set(&self, word: u64, set: u64, mut visit: impl FnMut(u64, u64, bool)) {
        let (row, place) = self.split(word * 64);
        if row & 1 == self.inside {
            self.step_outside(row, place, |word| visit(word, set, false));
        } else {
            let first = (row ^ 1) * self.width / 64;
            self.shifts.spread(place / 64, set, |word, places| {
                visit(first.wrapping_add(word), places, false);
            });
        }
    }

    /// Handles the words of a row together.
    #[inline(always)]
    fn words_before(
        &self,
        first: u64,
        words: u64,
        sets: &[u64; 64],
        mut visit: impl FnMut(u64, u64),
    ) {
        let (mut left, row_words) = (words, self.width / 64);
        while left != 0 {
            let (row, _) = self.split((first + u64::from(left.trailing_zeros())) * 64);
            let row_first = row * row_words;
            // The first word of the range, counted from the first word of this row. It wraps below 0 if the range
            // begins in an earlier row.
            let at = first.wrapping_sub(row_first);
            let here = match row_first + row_words - first {
                end @ 0..64 => left & ((1 << end) - 1),
                _ => left,
            };
            left &= !here;
            if row & 1 == self.inside {
                self.step_outside(row, 0, |to| visit(at.wrapping_add(to), here));
            } else {
                let to = (row ^ 1) * row_words;
                self.shifts.spread_words(at, here, sets, |word, words| {
                    visit(to.wrapping_add(word), words);
                });
            }
        }
    }

    #[inline(always)]
    fn all_moves_into(&self, word: u64, states: u64, target: impl Fn(u64, bool) -> u64) -> u64 {
        let (row, place) = self.split(word * 64);
        if row & 1 == self.inside {
            let first = (row ^ 1) * self.width / 64;
            let outside = |word| !target(first.wrapping_add(word), false);
            states & !self.shifts.reach(place / 64, outside)
        } else {
            let mut left = states;
            self.step_outside(row, place, |word| left &= target(word, false));
            left
        }
    }
}

impl WordKeys for Pursuit {
    #[inline(always)]
    fn least_of_moves<K: Deref<Target = Keys>>(
        &self,
        word: u64,
        _: u64,
        keys: impl Fn(u64) -> K,
    ) -> Keys {
        let (row, place) = self.split(word * 64);
        if row & 1 == self.inside {
            let first = (row ^ 1) * self.width / 64;
            self.shifts.least(place / 64, |word| keys(first.wrapping_add(word)))
        } else {
            let mut least = [Key::INVALID; 64];
            self.step_outside(row, place, |word| {
                let keys = keys(word);
                least.iter_mut().zip(&*keys).for_each(|(least, key)| *least = (*key).min(*least));
            });
            least
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde::{audit, bit_parallel::ByWords, solve};
    use retrograde_positions::AnyStates;

    #[test]
    fn a_board_of_walls_has_no_states_but_invalid_ones() {
        for size in [1, 8, 9] {
            let walls = format!("{}\n", "*".repeat(size)).repeat(size);
            let game = Pursuit::new(Board::parse(&walls).expect("a board")).expect("a game");
            audit(&game).expect("moves and backward moves agree");
            audit(ByWords(&game)).expect("words and states agree");
            assert_eq!(solve(&game).counts().invalid, game.states());
        }
    }

    /// The choice of the inside player does not change the game.
    #[test]
    fn the_numbering_changes_no_value() {
        for seed in 0..40 {
            let (rows, columns) = (1 + seed as u32 % 9, 1 + seed as u32 * 5 % 11);
            let Ok(board) = Board::random(rows, columns, seed as u32 % 30, 2, 0, seed) else {
                continue;
            };
            let games = [POLICE, THIEF]
                .map(|inside| Pursuit::with_inside(board.clone(), inside, STRIP).expect("a game"));
            let [a, b] = games.each_ref().map(solve);
            for game in &games {
                audit(game).expect("moves and backward moves agree");
                audit(ByWords(game)).expect("words and states agree");
            }
            for state in 0..games[0].states() {
                let Some(value) = a.value(state) else { continue };
                let same = games[1].state(&games[0].text(state).unwrap()).expect("the same state");
                assert_eq!(b.value(same), Some(value), "{}", games[0].text(state).unwrap());
            }
            for game in &games {
                let (rows, place_of) = game.in_rows();
                audit(&rows).expect("moves and backward moves agree");
                let block_len = 2 * game.row_len();
                for state in 0..game.states() {
                    let place = u64::from(place_of[(state / block_len) as usize]);
                    let same = place * block_len + state % block_len;
                    assert_eq!(game.status(state), rows.status(same));
                    assert_eq!(rows.text(same), game.text(state), "stands elsewhere");
                }
            }
        }
    }
}
