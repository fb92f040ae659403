//! Sixty-four positions at a time. A *row* is all positions in which one man, who is alone of his kind, stands anywhere, and the others
//! stand still. On a small board, a word has several rows.
//!
//! All follows from the tables of moves. A move of another man leads from a row to a row. It is possible for all places of the lone
//! man but those that must be free, or for the one place that must not. The moves of the lone man stay in the row, unless he takes.
//!
//! A row has the number of its other men, up to symmetry. So the numbers are not those of the text. If a symmetry maps these men to
//! themselves, several places of the lone man are the same position, and the least is valid.

use std::ops::{ControlFlow, Deref, Range};

use retrograde::adapters::{BackwardMoves, Numbered, Rules};
use retrograde::bit_parallel::{BitParallel, Singles, WordKeys, WordStatus};
use retrograde::{Game, Predecessors, Prefetch, Solution, Value, forward};
use retrograde_boards::{Position, squares};

use crate::board::Set;
use crate::game::Described;
use crate::row_numbers::{RowNumbers, each_of, set_of};
use crate::tables::MoveTable;

/// A game in rows, for the solver.
pub struct GameInRows<'g, const N: usize>(Numbered<Rows<'g, N>>);

/// The rows of a game.
struct Rows<'g, const N: usize> {
    game: &'g Described<N>,
    numbers: &'g RowNumbers,
}

impl<const N: usize> Deref for Rows<'_, N> {
    type Target = RowNumbers;

    fn deref(&self) -> &RowNumbers {
        self.numbers
    }
}

/// A row: its other men, and their points.
struct Row<const N: usize> {
    others: Position<N>,
    fixed: Set,
}

impl<'g, const N: usize> GameInRows<'g, N> {
    pub(crate) fn new(game: &'g Described<N>, numbers: &'g RowNumbers) -> Self {
        GameInRows(Numbered(Rows { game, numbers }))
    }

    /// The values of a solution of the rows, by the numbers of the text.
    pub(crate) fn by_text(&self, solution: &Solution) -> Solution {
        let rows = &self.0.0;
        let cells = &rows.game.cells;
        solution.renumbered(cells.states(), |states, numbers| {
            let mut known: Option<(u64, Row<N>, Set)> = None;
            for (state, number) in states.zip(numbers) {
                let row = state >> rows.shift;
                if known.as_ref().is_none_or(|(known, ..)| *known != row) {
                    known = rows.row(row).map(|found| {
                        let places = rows.places(&found);
                        (row, found, places)
                    });
                }
                let Some((_, found, places)) = &known else { continue };
                let at = 1 << (state & ((1 << rows.shift) - 1));
                if places & at != 0 {
                    let mut sets = *found.others.sets();
                    sets[rows.lone] = at;
                    *number = Some(cells.number(&cells.with_sets(sets)).0);
                }
            }
        })
    }
}

impl<const N: usize> Rows<'_, N> {
    fn row(&self, row: u64) -> Option<Row<N>> {
        let others = self.cells.position::<N>(row)?;
        let book = &self.game.book;
        let fixed = book.union(others.sets(), 0) | book.union(others.sets(), 1);
        Some(Row { others, fixed })
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
    fn each_row(&self, word: u64, mut visit: impl FnMut(u32, Row<N>)) {
        let first = word << (6 - self.shift);
        for at in 0..64 >> self.shift {
            let row = first + u64::from(at);
            if row < self.cells.states()
                && let Some(row) = self.row(row)
            {
                visit(at << self.shift, row);
            }
        }
    }

    /// The word and the first bit of a row, and the elements that map these men to the men of the row.
    #[inline(always)]
    fn place(&self, others: &Position<N>) -> (u64, u32, u128) {
        let (row, elements) = self.cells.number_and_elements(others);
        let number = row << self.shift;
        (number / 64, (number % 64) as u32, elements)
    }

    /// Visits a row, and some places of the lone man in it.
    #[inline(always)]
    fn tell(&self, others: &Position<N>, set: Set, visit: &mut impl FnMut(u64, u64, bool)) {
        if set == 0 || !self.cells.contains(others) {
            return;
        }
        let (word, first, elements) = self.place(others);
        let group = self.cells.group();
        let image = match elements {
            1 => set,
            _ => each_of(elements).fold(0, |all, element| all | group.image(element, set)),
        };
        visit(word, image << first, false);
    }

    /// The places of the lone man for which a row is in the target. Elsewhere a position is invalid, and invalid ones are in it.
    #[inline(always)]
    fn target(&self, others: &Position<N>, target: &impl Fn(u64, bool) -> u64) -> Set {
        if !self.cells.contains(others) {
            return Set::MAX;
        }
        let (word, first, elements) = self.place(others);
        let set = target(word, false) >> first;
        let group = self.cells.group();
        let before = |element| group.image(group.inverse(element), set);
        match elements {
            1 => set,
            _ => each_of(elements).fold(Set::MAX, |all, element| all & before(element)),
        }
    }

    /// Visits the moves of the other men from a row: the other men after the move, and the places of the lone man that let it
    /// happen.
    #[inline(always)]
    fn moves_of_others(
        &self,
        row: &Row<N>,
        mut visit: impl FnMut(&Position<N>, Set) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let book = &self.game.book;
        let sets = row.others.sets();
        let side = book.side(&row.others);
        let passed = book.passed(&self.cells, row.others);
        let enemy = book.union(sets, 1 - side);
        let mut moved = passed;
        for table in self.tables(side).filter(|table| table.before != self.lone) {
            for from in squares(sets[table.before]) {
                let still = row.fixed ^ 1 << from;
                if !table.takes && table.before == table.after {
                    table.forwards.each(from, still, |to, places| {
                        moved.shift(table.before, 1 << from | 1 << to);
                        let flow = visit(&moved, places);
                        moved.shift(table.before, 1 << from | 1 << to);
                        flow
                    })?;
                    continue;
                }
                let lifted = self.cells.without(passed, table.before, 1 << from);
                table.forwards.each(from, still, |to, places| {
                    let to = 1 << to;
                    let left = match (table.takes, enemy & to != 0) {
                        (false, _) => lifted,
                        (true, true) => book.without_taken(&self.cells, lifted, to),
                        (true, false) => return ControlFlow::Continue(()),
                    };
                    visit(&self.cells.with(left, table.after, to), places)
                })?;
            }
        }
        ControlFlow::Continue(())
    }

    fn tables(&self, player: usize) -> impl Iterator<Item = &MoveTable> {
        self.game.book.tables[player].moves.iter()
    }

    /// The places from which the player to move has a move, safe or not.
    fn mobile(&self, row: &Row<N>, places: Set) -> Set {
        let book = &self.game.book;
        let side = book.side(&row.others);
        let enemy = book.union(row.others.sets(), 1 - side);
        let mut mobile = 0;
        let _ = self.moves_of_others(row, |_, places| {
            mobile |= places;
            ControlFlow::Continue(())
        });
        for table in self.tables(side) {
            if table.before == self.lone {
                let moves = |&at: &u32| match table.takes {
                    true => table.forwards.onto(at, row.fixed, enemy) != 0,
                    false => table.forwards.of(at, row.fixed) != 0,
                };
                mobile |= set_of(squares(places & !mobile).filter(moves));
            } else if table.takes && self.player != side {
                for from in squares(row.others.sets()[table.before]) {
                    mobile |= table.forwards.onto(from, row.fixed ^ 1 << from, places);
                }
            }
        }
        mobile & places
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
    fn prefetch(&self) -> Prefetch {
        self.game.prefetch()
    }

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
                rows.classify(&row, |at, said, values| {
                    let bit = 1 << (first + at);
                    status.invalid &= !bit;
                    match said {
                        Some(Value::Win(0)) => status.won |= bit,
                        Some(Value::Loss(0)) => status.lost |= bit,
                        Some(value) => {
                            status.special |= bit;
                            terminals.push((bit, value));
                        }
                        None => exits.extend(values.iter().map(|&value| (bit, value))),
                    }
                });
            });
            visit(word, status, Singles { terminals: &terminals, exits: &exits });
        }
    }

    fn predecessors_of_set(&self, word: u64, set: u64, mut visit: impl FnMut(u64, u64, bool)) {
        let rows = &self.0.0;
        rows.each_row(word, |first, row| {
            rows.before(&row, set >> first & rows.board(), &mut visit);
        });
    }

    fn all_moves_into(&self, word: u64, set: u64, target: impl Fn(u64, bool) -> u64) -> u64 {
        let rows = &self.0.0;
        let mut all = 0;
        rows.each_row(word, |first, row| {
            all |= rows.all_into(&row, set >> first & rows.board(), &target) << first;
        });
        all
    }
}

impl<const N: usize> WordKeys for GameInRows<'_, N> {}

impl<const N: usize> Rows<'_, N> {
    /// Visits the valid positions of a row: the place of the lone man, the value if the rules decide it, and the values of exits.
    #[inline(always)]
    fn classify(&self, row: &Row<N>, mut visit: impl FnMut(u32, Option<Value>, &[Value])) {
        let game = self.game;
        let places = self.places(row);
        if places == 0 {
            return;
        }
        let mobile = self.mobile(row, places);
        let mut sets = *row.others.sets();
        sets[self.lone] = places & places.wrapping_neg();
        let any = game.cells.with_sets(sets);
        let mut exits = Vec::new();
        for at in squares(places) {
            sets[self.lone] = 1 << at;
            let position = any.with_same_counts(sets);
            if !game.is_valid(&position) {
                continue;
            }
            exits.clear();
            let said = game.value_by_ends(&position).or_else(|| {
                let moves = mobile >> at & 1 != 0 && game.has_move(&position);
                if moves {
                    game.exits(&position, |value| exits.push(value));
                }
                (!moves).then(|| game.value_without_moves(&position))
            });
            visit(at, said, &exits);
        }
    }

    /// Visits the positions before the moves into some positions of a row.
    #[inline(always)]
    fn before(&self, row: &Row<N>, set: Set, visit: &mut impl FnMut(u64, u64, bool)) {
        if set == 0 {
            return;
        }
        let book = &self.game.book;
        let sets = row.others.sets();
        let side = 1 - book.side(&row.others);
        let passed = book.passed(&self.cells, row.others);
        let mut moved = passed;
        // A man on `taken` has been taken, of any kind.
        let mut tell = |others: &Position<N>, taken: Set, set: Set| {
            if taken == 0 {
                return self.tell(others, set, visit);
            }
            for &slot in &book.slots.men[1 - side] {
                let stands = slot != self.lone && book.slots.zones[slot] & taken != 0;
                if stands && book.has_room(sets, slot) {
                    self.tell(&self.cells.with(*others, slot, taken), set, visit);
                }
            }
        };
        for table in self.tables(side).filter(|table| table.before != self.lone) {
            for to in squares(sets[table.after]) {
                if table.before != table.after && !book.has_room(sets, table.before) {
                    continue;
                }
                if !table.takes && table.before == table.after {
                    let _ = table.backwards.each(to, row.fixed ^ 1 << to, |from, places| {
                        moved.shift(table.before, 1 << from | 1 << to);
                        tell(&moved, 0, set & places);
                        moved.shift(table.before, 1 << from | 1 << to);
                        ControlFlow::Continue(())
                    });
                    continue;
                }
                let lifted = self.cells.without(passed, table.after, 1 << to);
                let _ = table.backwards.each(to, row.fixed ^ 1 << to, |from, places| {
                    let earlier = self.cells.with(lifted, table.before, 1 << from);
                    let taken = if table.takes { 1 << to } else { 0 };
                    tell(&earlier, taken, set & places);
                    ControlFlow::Continue(())
                });
            }
        }
        if self.player != side {
            return;
        }
        for table in self.tables(side).filter(|table| table.before == self.lone) {
            let mut all = 0;
            for to in squares(set) {
                let from = table.backwards.of(to, row.fixed);
                match table.takes {
                    true => tell(&passed, 1 << to, from),
                    false => all |= from,
                }
            }
            tell(&passed, 0, all);
        }
    }

    /// The positions of a set of a row from which all moves lead into the target.
    #[inline(always)]
    fn all_into(&self, row: &Row<N>, set: Set, target: &impl Fn(u64, bool) -> u64) -> Set {
        let mut found = set;
        // His moves decide about many positions at once.
        if set != 0 && self.player == self.game.book.side(&row.others) {
            found &= !self.lone_leaves(row, set, target);
        }
        if found != 0 {
            let _ = self.moves_of_others(row, |others, places| {
                if found & places != 0 {
                    found &= !places | self.target(others, target);
                }
                if found == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        }
        found
    }

    /// From which places of a set a move of the lone man leads out of the target.
    #[inline(always)]
    fn lone_leaves(&self, row: &Row<N>, set: Set, target: &impl Fn(u64, bool) -> u64) -> Set {
        let book = &self.game.book;
        let enemy = book.union(row.others.sets(), 1 - self.player);
        let passed = book.passed(&self.cells, row.others);
        let mut leaves = 0;
        for table in self.tables(self.player).filter(|table| table.before == self.lone) {
            let outside = if table.takes {
                let left = |at: u32| book.without_taken(&self.cells, passed, 1 << at);
                let is_outside = |&at: &u32| self.target(&left(at), target) >> at & 1 == 0;
                set_of(squares(enemy).filter(is_outside))
            } else {
                !self.target(&passed, target) & self.zone & !row.fixed
            };
            let reaches = |&at: &u32| match table.takes {
                true => table.forwards.onto(at, row.fixed, outside) != 0,
                false => table.forwards.of(at, row.fixed) & outside != 0,
            };
            if outside != 0 {
                leaves |= set_of(squares(set & !leaves).filter(reaches));
            }
        }
        leaves
    }
}
