//! The moves between rows. A solve asks for each of them several times, so they are found once. See `rows.rs`.

use std::collections::HashMap;

use crate::board::Set;
use crate::reach::Reach;

/// The moves between the rows of a game, in both directions.
pub(crate) struct RowSteps {
    /// The points of the other men of each row.
    pub(crate) fixed: Vec<Set>,
    pub(crate) forwards: Moves,
    pub(crate) backwards: Moves,
}

/// The moves of all rows in one direction.
#[derive(Default)]
pub(crate) struct Moves {
    /// The steps of the other men. The note is the number of the set of places that let the step happen.
    pub(crate) others: Steps,
    /// Where the lone man takes. The note is the point.
    pub(crate) takes: Steps,
    /// To the row with the same men and the other player to move, where the lone man goes if he takes nothing.
    pub(crate) passes: Steps,
}

/// For each row, the rows that some moves lead to.
#[derive(Default)]
pub(crate) struct Steps {
    /// Where the steps of each row begin, and where the last ones end.
    starts: Vec<u32>,
    rows: Vec<u32>,
    notes: Vec<u16>,
}

/// The end of a step: a row, and the element of the group that maps its places to those of the row where the list is.
#[derive(Clone, Copy)]
pub(crate) struct End(u32);

/// The bits of an end that hold the element.
const ELEMENT_BITS: u32 = 7;
/// The most rows.
const ROWS_MAX: u64 = 1 << (32 - ELEMENT_BITS);
/// The most steps. Rows with symmetries list some of them more than once, so this leaves room.
const STEPS_MAX: u64 = 1 << 31;

impl End {
    pub(crate) fn new(row: u64, element: usize) -> End {
        End((row as u32) << ELEMENT_BITS | element as u32)
    }

    #[inline(always)]
    pub(crate) fn row(self) -> u64 {
        u64::from(self.0 >> ELEMENT_BITS)
    }

    #[inline(always)]
    pub(crate) fn element(self) -> usize {
        (self.0 & ((1 << ELEMENT_BITS) - 1)) as usize
    }
}

impl Steps {
    /// Begins the list of the next row.
    pub(crate) fn begin(&mut self) {
        let start = u32::try_from(self.rows.len());
        self.starts.push(start.expect("games with more steps have no rows"));
    }

    pub(crate) fn add(&mut self, end: End, note: u16) {
        self.rows.push(end.0);
        self.notes.push(note);
    }

    /// The steps of a row, and their notes.
    #[inline(always)]
    pub(crate) fn of(&self, row: u64) -> impl Iterator<Item = (End, u16)> {
        let steps = self.starts[row as usize] as usize..self.starts[row as usize + 1] as usize;
        let ends = self.rows[steps.clone()].iter().map(|&end| End(end));
        ends.zip(self.notes[steps].iter().copied())
    }

    /// The same steps, listed where they end. A set of places is turned as before, from the row of the list to the other one.
    pub(crate) fn transposed(&self) -> Steps {
        let mut starts = vec![0; self.starts.len()];
        for &end in &self.rows {
            starts[End(end).row() as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let (mut rows, mut notes) = (vec![0; self.rows.len()], vec![0; self.rows.len()]);
        for row in (0..self.starts.len() as u64 - 1).rev() {
            for (end, note) in self.of(row) {
                let at = &mut starts[end.row() as usize];
                *at -= 1;
                rows[*at as usize] = End::new(row, end.element()).0;
                notes[*at as usize] = note;
            }
        }
        Steps { starts, rows, notes }
    }
}

impl Moves {
    pub(crate) fn each_list(&mut self, act: impl FnMut(&mut Steps)) {
        [&mut self.others, &mut self.takes, &mut self.passes].into_iter().for_each(act);
    }

    fn transposed(&self) -> Moves {
        Moves {
            others: self.others.transposed(),
            takes: self.takes.transposed(),
            passes: self.passes.transposed(),
        }
    }
}

impl RowSteps {
    pub(crate) fn new(fixed: Vec<Set>, forwards: Moves) -> RowSteps {
        RowSteps { fixed, backwards: forwards.transposed(), forwards }
    }

    /// Whether their numbers have room for some rows with at most so many moves each.
    pub(crate) fn have_room(rows: u64, degree_max: u64) -> bool {
        rows <= ROWS_MAX && rows * (degree_max + 1) <= STEPS_MAX
    }

    /// How many bytes they take at most, for some rows with at most so many moves each.
    pub(crate) fn bytes_max(rows: u64, degree_max: u64) -> u64 {
        let step = size_of::<u32>() + size_of::<u16>();
        let row = size_of::<Set>() + 2 * 3 * size_of::<u32>();
        rows * (row as u64 + 2 * (degree_max + 1) * step as u64)
    }
}

/// Numbers of the sets of places that let steps happen.
#[derive(Default)]
pub(crate) struct Masks {
    pub(crate) all: Vec<Set>,
    /// For each player, each of his tables, each point and each move from it: the number of the set, if no man is missing.
    of_ways: [Vec<Vec<Vec<u16>>>; 2],
    known: HashMap<Set, u16>,
}

impl Masks {
    /// The numbers for the moves of the tables of both players. `None` if there are more than 2^16 sets.
    pub(crate) fn new(tables: [Vec<&Reach>; 2], points: u32) -> Option<Masks> {
        let mut masks = Masks::default();
        // A man who is missing may be missing on any point.
        (0..points).try_for_each(|point| masks.number(1 << point).map(|_| ()))?;
        for (player, tables) in tables.into_iter().enumerate() {
            for table in tables {
                let mut of_point = |point| {
                    let ways = table.ways(point).iter();
                    ways.map(|&(_, _, free, _)| masks.number(!free)).collect()
                };
                let of_table: Option<Vec<Vec<u16>>> = (0..points).map(&mut of_point).collect();
                masks.of_ways[player].push(of_table?);
            }
        }
        Some(masks)
    }

    fn number(&mut self, set: Set) -> Option<u16> {
        let next = u16::try_from(self.all.len()).ok()?;
        Some(*self.known.entry(set).or_insert_with(|| {
            self.all.push(set);
            next
        }))
    }

    /// The number of the places that let a move of a player happen.
    #[inline(always)]
    pub(crate) fn of(&self, player: usize, way: Way, places: Set) -> u16 {
        let number = self.of_ways[player][way.table][way.from as usize][way.at];
        match self.all[usize::from(number)] == places {
            true => number,
            false => places.trailing_zeros() as u16,
        }
    }
}

/// A move of a table: its point, and its index among those from there.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    pub(crate) table: usize,
    pub(crate) from: u32,
    pub(crate) at: usize,
}
