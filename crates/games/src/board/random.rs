//! Boards from a seed, for benchmarks and tests. The same arguments always give the same board. So records of
//! speed name a board by its arguments.

use super::{Board, Cell};
use retrograde::counted;
use retrograde::internal::SplitMix64;

use crate::ReadError;

impl Board {
    /// A board with `walls` percent walls (rounded down), `exits` exits and `police` police. If there are
    /// police, there is also a thief.
    ///
    /// The generator draws cells without replacement: first the walls, then the exits, the police, the thief.
    /// It starts with the list of cells, row by row. Draw `i` swaps cell `i` of this list with itself or a
    /// later one. The next number of splitmix64, times the number of cells left, divided by 2⁶⁴, chooses this
    /// cell.
    ///
    /// ```
    /// use retrograde_games::Board;
    /// let board = Board::random(60, 60, 15, 2, 1, 7).unwrap();
    /// assert_eq!(board.floor().count(), 3600 - 540);
    /// assert_eq!(board, Board::random(60, 60, 15, 2, 1, 7).unwrap());
    /// ```
    pub fn random(
        rows: u32,
        columns: u32,
        walls: u32,
        exits: u32,
        police: u32,
        seed: u64,
    ) -> Result<Board, ReadError> {
        let cells = match rows.checked_mul(columns) {
            None => {
                return Err(ReadError::whole(
                    "a board has fewer than 2^32 cells: ask for fewer rows or columns",
                ));
            }
            Some(0) => return Err(ReadError::whole("a board has at least one row and one column")),
            Some(cells) => cells,
        };
        if walls > 100 {
            return Err(ReadError::whole(format!("{walls} percent walls: ask for 0 to 100")));
        }
        let walls = (u64::from(cells) * u64::from(walls) / 100) as u32;
        let thieves = u32::from(police > 0);
        let placed = u64::from(exits) + u64::from(police) + u64::from(thieves);
        let floor = cells - walls;
        if placed > u64::from(floor) {
            let what = format!(
                "{}, {} and {thieves} thief do not fit on {} of floor: ask for fewer, or for a larger board",
                counted(exits, "exit"),
                counted(police, "policeman"),
                counted(floor, "cell")
            );
            return Err(ReadError::whole(what));
        }

        let mut left = Vec::new();
        let mut board = Board { columns, cells: Vec::new(), police: Vec::new(), thief: None };
        let room = left.try_reserve_exact(cells as usize);
        if room.and_then(|()| board.cells.try_reserve_exact(cells as usize)).is_err() {
            return Err(ReadError::whole(format!(
                "no memory for a board of {cells} cells: ask for a smaller one"
            )));
        }
        left.extend(0..cells);
        board.cells.resize(cells as usize, Cell::Floor);

        let mut numbers = SplitMix64(seed);
        let mut drawn = 0;
        let mut draw = || {
            let other = drawn + numbers.below(u64::from(cells) - drawn as u64) as usize;
            left.swap(drawn, other);
            drawn += 1;
            left[drawn - 1]
        };
        for _ in 0..walls {
            board.cells[draw() as usize] = Cell::Wall;
        }
        for _ in 0..exits {
            board.cells[draw() as usize] = Cell::Exit;
        }
        board.police.extend((0..police).map(|_| draw()));
        board.police.sort_unstable();
        board.thief = (thieves > 0).then(draw);
        Ok(board)
    }
}
