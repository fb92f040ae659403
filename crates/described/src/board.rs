//! The points of a board: their names and places, and the rays that leave each point in each direction.

use crate::TextError;
use crate::words::{Word, listed, unknown};

/// A set of points: a bit for each.
pub(crate) type Set = u64;

/// The set of one point.
pub(crate) fn bit(point: u8) -> Set {
    1 << point
}

/// A board of at most 64 points.
#[derive(Clone, Debug, Default)]
pub(crate) struct Board {
    pub(crate) points: Vec<Point>,
    pub(crate) directions: Vec<Direction>,
    /// The sides of a grid.
    pub(crate) grid: Option<(i32, i32)>,
    /// Whether only the dark squares of a grid are points.
    pub(crate) dark: bool,
    /// The direction from each point to each other one, once all points are there. It is no line of the board.
    pub(crate) any: Option<usize>,
}

/// A point. Rows and columns count from 0, and rows from the bottom.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) name: String,
    pub(crate) column: i32,
    pub(crate) row: i32,
}

/// A direction is a relation: a point may have several rays in it, or none.
#[derive(Clone, Debug)]
pub(crate) struct Direction {
    pub(crate) name: String,
    /// For each point, its rays: the points in this direction, nearest first.
    pub(crate) rays: Vec<Vec<Vec<u8>>>,
}

/// The directions of a grid: to the right, and up.
const WAYS: [(&str, i32, i32); 8] = [
    ("n", 0, 1),
    ("e", 1, 0),
    ("s", 0, -1),
    ("w", -1, 0),
    ("ne", 1, 1),
    ("se", 1, -1),
    ("sw", -1, -1),
    ("nw", -1, 1),
];

/// On a grid, the directions of the leaps of a knight, one by one, and all in one direction. Each leap is a ray of its own.
const LEAPS: [(&str, i32, i32); 8] = [
    ("nne", 1, 2),
    ("ene", 2, 1),
    ("ese", 2, -1),
    ("sse", 1, -2),
    ("ssw", -1, -2),
    ("wsw", -2, -1),
    ("wnw", -2, 1),
    ("nnw", -1, 2),
];
const KNIGHT: &str = "knight";

/// The direction from each point to each other one.
const ANY: &str = "any";

/// The most points of a board.
pub(crate) const POINTS_MAX: usize = 64;

impl Board {
    /// A grid, of at most 26 columns. `dark` leaves only the squares of the colour of `a1`.
    pub(crate) fn grid(columns: i32, rows: i32, dark: bool) -> Board {
        let mut board = Board { grid: Some((columns, rows)), dark, ..Board::default() };
        for row in 0..rows {
            for column in (0..columns).filter(|column| !dark || (column + row) % 2 == 0) {
                let name = format!("{}{}", char::from(b'a' + column as u8), row + 1);
                board.points.push(Point { name, column, row });
            }
        }
        for (name, right, up) in WAYS {
            let ray = |point: &Point| {
                let at = |by: i32| board.at(point.column + by * right, point.row + by * up);
                let ray: Vec<u8> = (1..).map_while(at).collect();
                if ray.is_empty() { Vec::new() } else { vec![ray] }
            };
            let rays = board.points.iter().map(ray).collect();
            board.directions.push(Direction { name: name.to_owned(), rays });
        }
        let leap = |point: &Point, (_, right, up): (&str, i32, i32)| {
            board.at(point.column + right, point.row + up).map(|at| vec![at])
        };
        let rays = |leaps: &[(&str, i32, i32)]| {
            let of = |point| leaps.iter().filter_map(|way| leap(point, *way)).collect();
            board.points.iter().map(of).collect()
        };
        let mut leaps: Vec<Direction> = LEAPS
            .iter()
            .map(|way| Direction { name: way.0.to_owned(), rays: rays(&[*way]) })
            .collect();
        leaps.push(Direction { name: KNIGHT.to_owned(), rays: rays(&LEAPS) });
        board.directions.extend(leaps);
        board
    }

    /// Adds the direction to any point. A line of this name comes first.
    pub(crate) fn complete(&mut self) {
        if self.directions.iter().any(|direction| direction.name == ANY) {
            return;
        }
        let others = |from: u8| (0..self.len()).filter(move |&to| to != from).map(|to| vec![to]);
        let rays = (0..self.len()).map(|from| others(from).collect()).collect();
        self.any = Some(self.directions.len());
        self.directions.push(Direction { name: ANY.to_owned(), rays });
    }

    /// Adds the line of points below the others. A point that is `None` leaves its place empty.
    pub(crate) fn add_row(&mut self, names: impl Iterator<Item = Option<char>>) {
        self.points.iter_mut().for_each(|point| point.row += 1);
        for (column, name) in (0..).zip(names) {
            if let Some(name) = name {
                self.points.push(Point { name: name.to_string(), column, row: 0 });
            }
        }
    }

    /// Adds a line of points to a direction, and backwards to the opposite direction. `round`: the last point is before the first.
    pub(crate) fn add_line(&mut self, name: &str, line: &[u8], round: bool) {
        let len = line.len();
        for backwards in [false, true] {
            let name = if backwards { format!("-{name}") } else { name.to_owned() };
            let mut line = line.to_vec();
            if backwards {
                line.reverse();
            }
            let place = self.directions.iter().position(|direction| direction.name == name);
            let place = place.unwrap_or_else(|| {
                self.directions.push(Direction { name, rays: vec![Vec::new(); self.points.len()] });
                self.directions.len() - 1
            });
            for at in 0..len {
                let ray: Vec<u8> = match round {
                    true => (1..len).map(|by| line[(at + by) % len]).collect(),
                    false => line[at + 1..].to_vec(),
                };
                let rays = &mut self.directions[place].rays[usize::from(line[at])];
                if !ray.is_empty() && !rays.contains(&ray) {
                    rays.push(ray);
                }
            }
        }
    }

    fn at(&self, column: i32, row: i32) -> Option<u8> {
        let here = |point: &Point| (point.column, point.row) == (column, row);
        self.points.iter().position(here).map(|at| at as u8)
    }

    pub(crate) fn len(&self) -> u8 {
        self.points.len() as u8
    }

    pub(crate) fn all(&self) -> Set {
        Set::MAX.checked_shr(64 - u32::from(self.len())).unwrap_or(0)
    }

    /// The rays of a point in some directions.
    pub(crate) fn rays<'b>(
        &'b self,
        directions: &'b [usize],
        from: u8,
    ) -> impl Iterator<Item = &'b Vec<u8>> {
        directions.iter().flat_map(move |&at| &self.directions[at].rays[usize::from(from)])
    }

    /// All runs of `length` points in some directions.
    pub(crate) fn lines(&self, length: usize, directions: &[usize]) -> Vec<Set> {
        let mut lines = Vec::new();
        for from in 0..self.len() {
            let long = self.rays(directions, from).filter(|ray| ray.len() + 1 >= length);
            lines.extend(long.map(|ray| union(&ray[..length - 1]) | bit(from)));
        }
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// All blocks of points on a grid.
    pub(crate) fn blocks(&self, columns: i32, rows: i32) -> Vec<Set> {
        let block = |point: &Point| {
            (0..columns * rows).try_fold(0, |set, at| {
                let (column, row) = (at % columns, at / columns);
                Some(set | bit(self.at(point.column + column, point.row + row)?))
            })
        };
        self.points.iter().filter_map(block).collect()
    }

    /// The points of each row, from the top, with the empty places between them.
    pub(crate) fn rows(&self) -> Vec<Vec<Option<u8>>> {
        let last = |of: &dyn Fn(&Point) -> i32| self.points.iter().map(of).max().unwrap_or(0);
        let (columns, rows) = (last(&|point| point.column), last(&|point| point.row));
        let row = |row: i32| (0..=columns).map(|column| self.at(column, row)).collect();
        (0..=rows).rev().map(row).collect()
    }

    /// On a board of points, each point with the next points of its lines.
    pub(crate) fn next(&self) -> Vec<(String, Vec<String>)> {
        if self.grid.is_some() {
            return Vec::new();
        }
        let lines: Vec<usize> = self.direction("all").unwrap_or_default();
        let next = |(at, point): (u8, &Point)| {
            let next = self.rays(&lines, at).fold(0, |all, ray| all | bit(ray[0]));
            (point.name.clone(), self.names(next))
        };
        (0..).zip(&self.points).map(next).collect()
    }

    /// The names of the points of a set.
    pub(crate) fn names(&self, set: Set) -> Vec<String> {
        let points = (0..).zip(&self.points).filter(|(at, _)| set & bit(*at) != 0);
        points.map(|(_, point)| point.name.clone()).collect()
    }

    pub(crate) fn point(&self, name: &str) -> Option<u8> {
        self.points.iter().position(|point| point.name == name).map(|at| at as u8)
    }

    /// The points of a zone. On a grid: `any`, `row-3`, `column-a` or points, with commas between them. On other boards: `any` or
    /// the letters of points.
    pub(crate) fn zone(&self, word: Word<'_>) -> Result<Set, TextError> {
        if word.text == "any" {
            return Ok(self.all());
        }
        if self.grid.is_none() {
            return self.letters(word).map(|points| union(&points));
        }
        word.text.split(',').try_fold(0, |set, part| {
            let wanted = |wanted: &dyn Fn(&Point) -> bool| -> Set {
                let points = (0..).zip(&self.points).filter(|(_, point)| wanted(point));
                points.fold(0, |set, (at, _)| set | bit(at))
            };
            let more = if let Some(row) = part.strip_prefix("row-") {
                wanted(&|point| (point.row + 1).to_string() == row)
            } else if let Some(column) = part.strip_prefix("column-") {
                wanted(&|point| point.name.trim_end_matches(|c: char| c.is_ascii_digit()) == column)
            } else {
                wanted(&|point| point.name == part)
            };
            match more {
                0 => word.place.error(format!(
                    "`{part}` is no point, row or column of the board: write `a1`, `row-1`, `column-a` or any, with commas between"
                )),
                more => Ok(set | more),
            }
        })
    }

    /// The points of some letters, in their order.
    pub(crate) fn letters(&self, word: Word<'_>) -> Result<Vec<u8>, TextError> {
        let mut points = Vec::new();
        for letter in word.text.chars().filter(|&letter| letter != ',') {
            match self.point(&letter.to_string()) {
                Some(point) if points.contains(&point) => {
                    return word.place.error(format!("`{}` has `{letter}` twice", word.text));
                }
                Some(point) => points.push(point),
                None if self.points.is_empty() => {
                    let error = "the board has no points yet: write them with `row` first";
                    return word.place.error(error);
                }
                None => {
                    let names: Vec<&str> = self.points.iter().map(|each| &*each.name).collect();
                    return word.place.error(format!(
                        "`{}`: the board has no point `{letter}`, only {}",
                        word.text,
                        listed(&names)
                    ));
                }
            }
        }
        Ok(points)
    }

    /// The directions of a word: one, or a group of them. `None` if the word is no direction.
    pub(crate) fn direction(&self, word: &str) -> Option<Vec<usize>> {
        let named = |names: &[&str]| {
            let at = |name: &&str| self.directions.iter().position(|each| each.name == **name);
            names.iter().map(at).collect::<Option<Vec<usize>>>()
        };
        match word {
            "all" if self.grid.is_some() => Some((0..WAYS.len()).collect()),
            "all" => Some((0..self.directions.len()).filter(|&at| Some(at) != self.any).collect()),
            "orthogonal" => named(&["n", "e", "s", "w"]),
            "diagonal" => named(&["ne", "se", "sw", "nw"]),
            word => named(&[word]),
        }
    }

    /// The error for a word that is no direction, and none of the other words that could stand there.
    pub(crate) fn no_direction<T>(&self, word: Word<'_>, others: &[&str]) -> Result<T, TextError> {
        let mut known: Vec<&str> = self.directions.iter().map(|each| &*each.name).collect();
        known.extend(others);
        known.push("all");
        if self.grid.is_some() {
            known.extend(["orthogonal", "diagonal"]);
        }
        unknown(word, &known)
    }
}

/// The set of some points.
pub(crate) fn union(points: &[u8]) -> Set {
    points.iter().fold(0, |set, &point| set | bit(point))
}
