//! Sixty-four positions at a time. A *row* is all positions in which one man, who is alone of his kind, stands anywhere, and the others
//! stand still. On a small board, a word has several rows.
//!
//! All follows from the tables of moves. A move of another man leads from a row to a row. It is possible for all places of the lone
//! man but those that must be free, or for the one place that must not. The moves of the lone man stay in the row, unless he takes.
//!
//! A solve asks for the same moves between rows at many levels, so they are listed once (`row_steps.rs`). What the rules say of a row
//! alone is found by sets, too (`row_ends.rs`).
//!
//! A row has the number of its other men, up to symmetry. So the numbers are not those of the text. If a symmetry maps these men to
//! themselves, several places of the lone man are the same position, and the least is valid.

use std::ops::{ControlFlow, Deref, Range};

use retrograde::adapters::{BackwardMoves, Numbered, Rules};
use retrograde::bit_parallel::{BitParallel, Singles, WordKeys, WordStatus};
use retrograde::{Game, Predecessors, Solution, Value, forward};
use retrograde_boards::{Position, squares};

use crate::board::Set;
use crate::game::Described;
use crate::row_numbers::{Finding, RowNumbers, each_of, set_of};
use crate::row_steps::{End, Moves, RowSteps, Steps, Way};
use crate::rulebook::Rulebook;
use crate::tables::MoveTable;

/// A game in rows, for the solver.
pub struct GameInRows<'g, const N: usize>(Numbered<Rows<'g, N>>);

/// The rows of a game.
pub(crate) struct Rows<'g, const N: usize> {
    pub(crate) game: &'g Described<N>,
    numbers: &'g RowNumbers,
}

impl<const N: usize> Deref for Rows<'_, N> {
    type Target = RowNumbers;

    fn deref(&self) -> &RowNumbers {
        self.numbers
    }
}

/// A row: its other men, and their points.
pub(crate) struct Row<const N: usize> {
    pub(crate) others: Position<N>,
    pub(crate) fixed: Set,
}

impl<const N: usize> Row<N> {
    #[inline(always)]
    pub(crate) fn new(book: &Rulebook, others: Position<N>) -> Row<N> {
        let fixed = book.union(others.sets(), 0) | book.union(others.sets(), 1);
        Row { others, fixed }
    }
}

impl<'g, const N: usize> GameInRows<'g, N> {
    pub(crate) fn new(game: &'g Described<N>, numbers: &'g RowNumbers) -> Self {
        GameInRows(Numbered(Rows { game, numbers }))
    }

    /// How many bytes a solve takes at most besides those of the solver: the moves between rows, and the values by the numbers of the
    /// text.
    pub fn bytes_beside(&self) -> u64 {
        let Rows { game, numbers } = &self.0.0;
        let moves = RowSteps::bytes_max(numbers.cells.states(), game.book.degree_max.into());
        moves + Solution::bytes_renumbered(game.cells.states())
    }

    /// The values of a solution of the rows, by the numbers of the text.
    pub(crate) fn by_text(&self, solution: &Solution) -> Solution {
        let rows = &self.0.0;
        let cells = &rows.game.cells;
        let row_len = 1 << rows.shift;
        solution.renumbered(cells.states(), |states, numbers| {
            for (first, numbers) in states.step_by(row_len).zip(numbers.chunks_mut(row_len)) {
                let Some(row) = rows.row(first >> rows.shift) else { continue };
                let mut places = squares(rows.places(&row)).peekable();
                let Some(&any) = places.peek() else { continue };
                let mut sets = *row.others.sets();
                sets[rows.lone] = 1 << any;
                let any = cells.with_sets(sets);
                for at in places {
                    sets[rows.lone] = 1 << at;
                    numbers[at as usize] = Some(cells.number(&any.with_same_counts(sets)).0);
                }
            }
        })
    }
}

impl<const N: usize> Rows<'_, N> {
    fn row(&self, row: u64) -> Option<Row<N>> {
        self.cells.position(row).map(|others| Row::new(&self.game.book, others))
    }

    /// Where the lone man may stand in a row. Of several places that are the same position, only the least.
    fn places(&self, row: &Row<N>) -> Set {
        let mut places = self.zone & !row.fixed;
        let (_, elements) = self.cells.number_and_elements(&row.others);
        for element in each_of(elements & !1) {
            let is_least = |&at: &u32| self.cells.group().square_of(element, at) >= at;
            places = set_of(squares(places).filter(is_least));
        }
        places
    }

    /// Visits the rows of a word, each with the number of its first bit.
    #[inline(always)]
    fn each_row(&self, word: u64, mut visit: impl FnMut(u32, u64)) {
        let first = word << (6 - self.shift);
        for at in 0..64 >> self.shift {
            let row = first + u64::from(at);
            if row < self.cells.states() {
                visit(at << self.shift, row);
            }
        }
    }

    /// The word and the first bit of a row.
    #[inline(always)]
    fn place(&self, row: u64) -> (u64, u32) {
        let number = row << self.shift;
        (number / 64, (number % 64) as u32)
    }

    /// The moves between rows.
    #[inline(always)]
    fn steps(&self) -> &RowSteps {
        self.numbers.steps.get_or_init(|| self.find_steps())
    }

    #[inline(never)]
    fn find_steps(&self) -> RowSteps {
        let (book, masks) = (&self.game.book, &self.numbers.masks);
        let (mut fixed, mut moves) = (Vec::new(), Moves::default());
        self.cells.each::<N>(0..self.cells.states(), |_, found| {
            moves.each_list(Steps::begin);
            let row = found.map(|(others, _)| Row::new(book, *others));
            fixed.push(row.as_ref().map_or(0, |row| row.fixed));
            let Some(row) = row else { return };
            let side = book.side(&row.others);
            let add = |steps: &mut Steps, others: &Position<N>, note| {
                if !self.cells.contains(others) {
                    return;
                }
                let (row, elements) = self.cells.number_and_elements(others);
                for element in each_of(elements) {
                    steps.add(End::new(row, self.cells.group().inverse(element)), note);
                }
            };
            let _ = self.moves_of_others(&row, |way, others, places| {
                add(&mut moves.others, others, masks.of(side, way, places));
                ControlFlow::Continue(())
            });
            if self.player == side {
                let passed = book.passed(&self.cells, row.others);
                add(&mut moves.passes, &passed, 0);
                let takes = self.own_tables().any(|table| table.takes);
                let enemy = book.union(row.others.sets(), 1 - side);
                for at in squares(if takes { enemy } else { 0 }) {
                    let left = book.without_taken(&self.cells, passed, 1 << at);
                    add(&mut moves.takes, &left, at as u16);
                }
            }
        });
        moves.each_list(Steps::begin);
        RowSteps::new(fixed, moves)
    }

    /// The tables of the lone man.
    #[inline(always)]
    fn own_tables(&self) -> impl Iterator<Item = &MoveTable> {
        self.tables(self.player).filter(|table| table.before == self.lone)
    }

    /// Visits the moves of the other men from a row: the other men after the move, and the places of the lone man that let it
    /// happen.
    #[inline(always)]
    pub(crate) fn moves_of_others(
        &self,
        row: &Row<N>,
        mut visit: impl FnMut(Way, &Position<N>, Set) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let book = &self.game.book;
        let sets = row.others.sets();
        let side = book.side(&row.others);
        let passed = book.passed(&self.cells, row.others);
        let enemy = book.union(sets, 1 - side);
        let mut moved = passed;
        for (number, table) in self.tables(side).enumerate() {
            if table.before == self.lone {
                continue;
            }
            for from in squares(sets[table.before]) {
                let still = row.fixed ^ 1 << from;
                let way = |at| Way { table: number, from, at };
                if !table.takes && table.before == table.after {
                    table.forwards.each(from, still, |at, to, places| {
                        moved.shift(table.before, 1 << from | 1 << to);
                        let flow = visit(way(at), &moved, places);
                        moved.shift(table.before, 1 << from | 1 << to);
                        flow
                    })?;
                    continue;
                }
                let lifted = self.cells.without(passed, table.before, 1 << from);
                table.forwards.each(from, still, |at, to, places| {
                    let to = 1 << to;
                    let left = match (table.takes, enemy & to != 0) {
                        (false, _) => lifted,
                        (true, true) => book.without_taken(&self.cells, lifted, to),
                        (true, false) => return ControlFlow::Continue(()),
                    };
                    visit(way(at), &self.cells.with(left, table.after, to), places)
                })?;
            }
        }
        ControlFlow::Continue(())
    }

    pub(crate) fn tables(&self, player: usize) -> impl Iterator<Item = &MoveTable> {
        self.game.book.tables[player].moves.iter()
    }
}

impl<const N: usize> Rules for Rows<'_, N> {
    type Position = Position<N>;

    fn states(&self) -> u64 {
        self.numbers.states()
    }

    fn position(&self, state: u64) -> Option<Position<N>> {
        let row = self.row(state >> self.shift)?;
        let at = 1 << (state & ((1 << self.shift) - 1));
        let mut sets = *row.others.sets();
        sets[self.lone] = at;
        let position = || self.game.cells.with_sets(sets);
        (self.places(&row) & at != 0).then(position).filter(|position| self.game.is_valid(position))
    }

    fn state(&self, position: &Position<N>) -> u64 {
        self.state_and_stabilizer(position).0
    }

    fn stabilizer(&self, position: &Position<N>) -> u32 {
        self.state_and_stabilizer(position).1
    }

    fn state_and_stabilizer(&self, position: &Position<N>) -> (u64, u32) {
        let mut sets = *position.sets();
        let at = std::mem::take(&mut sets[self.lone]).trailing_zeros();
        let (row, elements) = self.cells.number_and_elements(&self.cells.with_sets(sets));
        let (mut least, mut count) = (u32::MAX, 0);
        for element in each_of(elements) {
            let image = self.cells.group().square_of(element, at);
            if image < least {
                (least, count) = (image, 0);
            }
            count += u32::from(image == least);
        }
        (row << self.shift | u64::from(least), count)
    }

    fn terminal(&self, position: &Position<N>) -> Option<Value> {
        self.game.terminal(position)
    }

    fn moves(
        &self,
        position: &Position<N>,
        visit: impl FnMut(&Position<N>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.game.moves(position, visit)
    }

    fn exits(&self, position: &Position<N>, visit: impl FnMut(Value)) {
        self.game.exits(position, visit);
    }

    fn degree(&self, position: &Position<N>) -> Option<u32> {
        self.game.degree(position)
    }

    fn stuck(&self) -> Value {
        self.game.stuck()
    }

    fn degree_max(&self) -> Option<u32> {
        self.game.degree_max()
    }
}

impl<const N: usize> BackwardMoves for Rows<'_, N> {
    fn backward_moves(&self, position: &Position<N>, visit: impl FnMut(&Position<N>)) {
        self.game.backward_moves(position, visit);
    }
}

impl<const N: usize> Game for GameInRows<'_, N> {
    forward!(Game for game => game.0);
}

impl<const N: usize> Predecessors for GameInRows<'_, N> {
    forward!(Predecessors for game => game.0);
}

impl<const N: usize> BitParallel for GameInRows<'_, N> {
    const PASSES_TURN: bool = true;

    fn classify_words(
        &self,
        words: Range<u64>,
        mut visit: impl FnMut(u64, WordStatus, Singles<'_>),
    ) {
        let rows = &self.0.0;
        let (mut terminals, mut exits) = (Vec::new(), Vec::new());
        for word in words {
            terminals.clear();
            exits.clear();
            let mut status = WordStatus { invalid: !0, won: 0, lost: 0, special: 0 };
            rows.each_row(word, |first, row| {
                let Some(row) = rows.row(row) else { return };
                let places = rows.places(&row);
                rows.classify(&row, places, |set, finding| {
                    let set = set << first;
                    status.invalid &= !set;
                    match finding {
                        Finding::Value(Value::Win(0)) => status.won |= set,
                        Finding::Value(Value::Loss(0)) => status.lost |= set,
                        Finding::Value(value) => {
                            status.special |= set;
                            terminals.push((set, value));
                        }
                        Finding::Exit(value) => exits.push((set, value)),
                        Finding::Open => {}
                    }
                });
            });
            visit(word, status, Singles { terminals: &terminals, exits: &exits });
        }
    }

    fn predecessors_of_set(&self, word: u64, set: u64, mut visit: impl FnMut(u64, u64, bool)) {
        let rows = &self.0.0;
        rows.each_row(word, |first, row| {
            rows.before(row, set >> first & rows.board(), |row, set| {
                let (word, first) = rows.place(row);
                visit(word, set << first, false);
            });
        });
    }

    fn all_moves_into(&self, word: u64, set: u64, target: impl Fn(u64, bool) -> u64) -> u64 {
        let rows = &self.0.0;
        let mut all = 0;
        rows.each_row(word, |first, row| {
            let target = |row| {
                let (word, first) = rows.place(row);
                target(word, false) >> first
            };
            all |= rows.all_into(row, set >> first & rows.board(), target) << first;
        });
        all
    }
}

impl<const N: usize> WordKeys for GameInRows<'_, N> {}

impl<const N: usize> Rows<'_, N> {
    /// A set of places of a row, turned as the end of a step says.
    #[inline(always)]
    fn turned(&self, end: End, set: Set) -> Set {
        match end.element() {
            0 => set,
            element => self.cells.group().image(element, set),
        }
    }

    /// Visits the positions before the moves into some positions of a row.
    #[inline(always)]
    fn before(&self, row: u64, set: Set, mut visit: impl FnMut(u64, Set)) {
        if set == 0 {
            return;
        }
        let steps = self.steps();
        for (end, mask) in steps.backwards.others.of(row) {
            let set = self.turned(end, set) & self.masks.all[usize::from(mask)];
            if set != 0 {
                visit(end.row(), set);
            }
        }
        for (end, _) in steps.backwards.passes.of(row) {
            let (set, fixed) = (self.turned(end, set), steps.fixed[end.row() as usize]);
            let tables = self.own_tables().filter(|table| !table.takes);
            let from = tables.fold(0, |all, table| {
                squares(set).fold(all, |all, to| all | table.backwards.of(to, fixed))
            });
            visit(end.row(), from);
        }
        for (end, at) in steps.backwards.takes.of(row) {
            let (set, fixed) = (self.turned(end, set), steps.fixed[end.row() as usize]);
            if set >> at & 1 != 0 {
                let tables = self.own_tables().filter(|table| table.takes);
                let from = tables
                    .fold(0, |all, table| all | table.backwards.of(at.into(), fixed ^ 1 << at));
                visit(end.row(), from);
            }
        }
    }

    /// The positions of a set of a row from which all moves lead into the target, which holds places of each row.
    #[inline(always)]
    fn all_into(&self, row: u64, set: Set, target: impl Fn(u64) -> Set) -> Set {
        if set == 0 {
            return 0;
        }
        let (steps, mut found) = (self.steps(), set);
        // Of several elements that map a row to the same one, all ask the same.
        let outside = |end: End| !self.turned(end, target(end.row()));
        // His moves decide about many positions at once.
        let fixed = steps.fixed[row as usize];
        let passes = steps.forwards.passes.of(row);
        let free = passes.fold(0, |all, (end, _)| all | outside(end)) & self.zone & !fixed;
        let takes = steps.forwards.takes.of(row);
        let taken = takes.fold(0, |all, (end, at)| all | outside(end) & 1 << at);
        found &= !self.lone_reaches(found, fixed, free, taken);
        if found == 0 {
            return 0;
        }
        for (end, mask) in steps.forwards.others.of(row) {
            let places = self.masks.all[usize::from(mask)];
            if found & places != 0 {
                found &= !(places & outside(end));
                if found == 0 {
                    return 0;
                }
            }
        }
        found
    }

    /// From which places of a set the lone man goes to some free points, or takes on some points.
    #[inline(always)]
    pub(crate) fn lone_reaches(&self, set: Set, fixed: Set, free: Set, taken: Set) -> Set {
        let mut found = 0;
        for table in self.own_tables() {
            let targets = if table.takes { taken } else { free };
            if targets == 0 {
                continue;
            }
            let reaches = |&at: &u32| match table.takes {
                true => table.forwards.onto(at, fixed, targets) != 0,
                false => table.forwards.of(at, fixed) & targets != 0,
            };
            found |= set_of(squares(set & !found).filter(reaches));
        }
        found
    }
}
