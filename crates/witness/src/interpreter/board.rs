//! The points of a board, and the rays that leave each of them.

use std::collections::BTreeMap;

/// The points of a ray, nearest first.
pub(crate) type Ray = Vec<usize>;

/// A board of at most 64 points.
#[derive(Debug, Default)]
pub(crate) struct Board {
    /// The name of each point, its column, and its row from the top.
    points: Vec<(String, i32, i32)>,
    rows: i32,
    pub(super) is_grid: bool,
    /// The names of the directions, and for each the rays of each point.
    directions: BTreeMap<String, Vec<Vec<Ray>>>,
    /// For each point, a ray to each other one.
    any: Vec<Vec<Ray>>,
}

/// The directions of a grid: to the right, and down.
const GRID: [(&str, i32, i32); 8] = [
    ("n", 0, -1),
    ("e", 1, 0),
    ("s", 0, 1),
    ("w", -1, 0),
    ("ne", 1, -1),
    ("se", 1, 1),
    ("sw", -1, 1),
    ("nw", -1, -1),
];

impl Board {
    /// A grid. Its points go from the bottom row up.
    pub(super) fn grid(columns: i32, rows: i32, dark: bool) -> Option<Board> {
        if !(1..=26).contains(&columns) || !(1..=64).contains(&rows) {
            return None;
        }
        let mut board = Board { rows, is_grid: true, ..Board::default() };
        for up in 0..rows {
            for column in (0..columns).filter(|column| !dark || (up + column) % 2 == 0) {
                let name = format!("{}{}", char::from(b'a' + column as u8), up + 1);
                board.points.push((name, column, rows - 1 - up));
            }
        }
        if board.points.len() > 64 {
            return None;
        }
        for (name, right, down) in GRID {
            let ray = |&(_, column, row): &(String, i32, i32)| {
                let ray: Ray =
                    (1..).map_while(|by| board.at(column + by * right, row + by * down)).collect();
                if ray.is_empty() { Vec::new() } else { vec![ray] }
            };
            let rays = board.points.iter().map(ray).collect();
            board.directions.insert(name.to_owned(), rays);
        }
        let leaps = |&(_, column, row): &(String, i32, i32)| {
            let is_leap = |at: &usize| {
                let (_, x, y) = &board.points[*at];
                let [across, along] = [x.abs_diff(column), y.abs_diff(row)];
                across.min(along) == 1 && across.max(along) == 2
            };
            (0..board.points.len()).filter(is_leap).map(|at| vec![at]).collect()
        };
        let rays: Vec<Vec<Ray>> = board.points.iter().map(leaps).collect();
        // Each leap alone goes first along the longer way: `nne` is to the north, and then to the north-east.
        for (first, x, y) in &GRID[..4] {
            for (then, right, down) in &GRID[4..] {
                let (right, down) = (x + right, y + down);
                if right.abs().max(down.abs()) < 2 {
                    continue;
                }
                let leap = |&(_, column, row): &(String, i32, i32)| {
                    let to = board.at(column + right, row + down);
                    to.map(|to| vec![to]).into_iter().collect::<Vec<Ray>>()
                };
                let rays = board.points.iter().map(leap).collect();
                board.directions.insert(format!("{first}{then}"), rays);
            }
        }
        board.directions.insert("knight".to_owned(), rays);
        Some(board)
    }

    /// Adds a row of points below the others.
    pub(super) fn add_row(&mut self, names: &[&str]) -> Option<()> {
        for (column, name) in (0..).zip(names).filter(|(_, name)| **name != ".") {
            if name.chars().count() != 1 || self.point(name).is_some() || self.points.len() == 64 {
                return None;
            }
            self.points.push(((*name).to_owned(), column, self.rows));
        }
        self.rows += 1;
        (!self.is_grid && self.directions.is_empty()).then_some(())
    }

    /// Adds a line of points, in both directions. A line that ends where it begins goes round.
    pub(super) fn add_line(&mut self, name: &str, line: &str) -> Option<()> {
        let mut line = self.letters(line)?;
        let round = line.len() > 2 && line.first() == line.last();
        if round {
            line.pop();
        }
        for name in [name.to_owned(), format!("-{name}")] {
            let rays =
                self.directions.entry(name).or_insert_with(|| vec![Vec::new(); self.points.len()]);
            for (at, &from) in line.iter().enumerate() {
                let before = if round { &line[..at] } else { &[] };
                let ray = [&line[at + 1..], before].concat();
                if !ray.is_empty() && !rays[from].contains(&ray) {
                    rays[from].push(ray);
                }
            }
            line.reverse();
        }
        let mut sorted = line.clone();
        sorted.sort_unstable();
        sorted.dedup();
        (!self.is_grid && sorted.len() == line.len() && line.len() > 1).then_some(())
    }

    /// Makes the direction to any point, once all points are there.
    pub(super) fn complete(&mut self) {
        let others = |from: usize| (0..self.len()).filter(move |&to| to != from).map(|to| vec![to]);
        self.any = (0..self.len()).map(|from| others(from).collect()).collect();
    }

    fn at(&self, column: i32, row: i32) -> Option<usize> {
        self.points.iter().position(|(_, x, y)| (*x, *y) == (column, row))
    }

    fn point(&self, name: &str) -> Option<usize> {
        self.points.iter().position(|(other, ..)| other == name)
    }

    fn letters(&self, text: &str) -> Option<Vec<usize>> {
        let letters = text.chars().filter(|letter| *letter != ',');
        letters.map(|letter| self.point(letter.encode_utf8(&mut [0; 4]))).collect()
    }

    /// How many points it has.
    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    /// All points.
    pub(crate) fn all(&self) -> u64 {
        set(0..self.len())
    }

    /// The points of each row, from the top.
    pub(super) fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = usize>> {
        let points = move |row: i32| {
            let here = (0..self.len()).filter(move |&at| self.points[at].2 == row);
            let mut here: Vec<usize> = here.collect();
            here.sort_by_key(|&at| self.points[at].1);
            here.into_iter()
        };
        (0..self.rows).map(points).filter(|row| row.len() > 0)
    }

    /// The points of a zone.
    pub(super) fn zone(&self, text: &str) -> Option<u64> {
        if text == "any" {
            return Some(self.all());
        }
        if !self.is_grid {
            return self.letters(text).map(set);
        }
        let part = |part: &str| {
            let named = |wanted: &dyn Fn(&str) -> bool| {
                set((0..self.len()).filter(|&at| wanted(&self.points[at].0)))
            };
            match part.split_once('-') {
                Some(("row", row)) => named(&|name| name[1..] == *row),
                Some(("column", column)) => named(&|name| name[..1] == *column),
                _ => named(&|name| name == part),
            }
        };
        let parts = text.split(',').map(part);
        parts.map(|part| (part != 0).then_some(part)).try_fold(0, |all, part| Some(all | part?))
    }

    /// The directions of a word: one, or those of a group.
    pub(super) fn directions(&self, word: &str) -> Option<Vec<&Vec<Vec<Ray>>>> {
        let grid = GRID.map(|(name, ..)| name);
        if word == "any" && !self.directions.contains_key(word) {
            return Some(vec![&self.any]);
        }
        let names: Vec<&str> = match word {
            "all" if self.is_grid => grid.to_vec(),
            "all" => self.directions.keys().map(|name| &**name).collect(),
            "orthogonal" => grid[..4].to_vec(),
            "diagonal" => grid[4..].to_vec(),
            one => vec![one],
        };
        names.into_iter().map(|name| self.directions.get(name)).collect()
    }

    /// All blocks of so many columns and rows.
    pub(super) fn blocks(&self, columns: i32, rows: i32) -> Vec<u64> {
        let block = |(_, column, row): &(String, i32, i32)| {
            let places = (0..columns).flat_map(|x| (0..rows).map(move |y| (column + x, row + y)));
            places.map(|(column, row)| self.at(column, row)).collect::<Option<Vec<_>>>().map(set)
        };
        self.points.iter().filter_map(block).collect()
    }
}

/// The set of some points.
pub(crate) fn set(points: impl IntoIterator<Item = usize>) -> u64 {
    points.into_iter().fold(0, |set, point| set | 1 << point)
}
