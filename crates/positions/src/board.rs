//! A board as data. The code that draws it decides how it looks.

use serde::{Serialize, Serializer};

/// A board with the men on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Board {
    /// The points where men can stand, in rows from the top left. Neighbours are 1 apart.
    pub points: Vec<Point>,
    /// The lines between points, by their numbers. A board without lines has a square around each point.
    pub lines: Vec<(usize, usize)>,
    /// The names of the rows from the top, and of the columns from the left, if the board has them at its edge.
    pub edge: Option<(Vec<String>, Vec<String>)>,
    /// The men on the board, always in the same order. Several may stand on one point.
    pub men: Vec<Man>,
    /// The men that are not on the board yet. Empty in a game where all begin on it.
    pub hands: Vec<Hand>,
    /// The player whose men are light.
    pub light: usize,
}

/// The most points of a board. A larger one has no drawing that people can read, so a game gives none.
pub const POINTS_MAX: u64 = 1 << 20;

/// A place for men.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    /// How far it is to the right.
    #[serde(serialize_with = "few_digits")]
    #[cfg_attr(feature = "schema", schemars(with = "f32"))]
    pub x: f32,
    /// How far it is down.
    #[serde(serialize_with = "few_digits")]
    #[cfg_attr(feature = "schema", schemars(with = "f32"))]
    pub y: f32,
    /// What it is.
    pub ground: Ground,
    /// Its name: `a3`.
    pub name: String,
}

/// At most four digits after the point. An `f32` that becomes an `f64` on its way into JSON has ten more.
fn few_digits<S: Serializer>(place: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((f64::from(*place) * 1e4).round() / 1e4)
}

/// What a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Ground {
    /// Men can stand here.
    Floor,
    /// Men can stand here. The square is the darker one of a chequered board.
    Dark,
    /// Men can stand here, and one of them can leave the board.
    Exit,
    /// No man can stand here.
    Wall,
}

/// A man on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Man {
    /// What he is: `king`, `stone`.
    pub kind: &'static str,
    /// His sign where there is only a letter for him.
    pub sign: char,
    /// The player that he belongs to; none if he belongs to both.
    pub player: Option<usize>,
    /// The point that he stands on.
    pub point: usize,
}

/// Men that a player still has to put on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hand {
    /// What they are.
    pub kind: &'static str,
    /// Their sign.
    pub sign: char,
    /// The player.
    pub player: usize,
    /// How many there are.
    pub count: u32,
}

impl Board {
    /// A board of squares, without men. Its points go row by row.
    pub fn squares(rows: u32, columns: u32, point: impl Fn(u32, u32) -> (Ground, String)) -> Board {
        let at = |number: u32| {
            let (row, column) = (number / columns, number % columns);
            let (ground, name) = point(row, column);
            Point { x: column as f32, y: row as f32, ground, name }
        };
        Board { points: (0..rows * columns).map(at).collect(), light: 1, ..Board::default() }
    }

    /// A board of squares with names as in chess: a letter for the column, and a number for the row.
    pub fn chequered(side: u32, dark: impl Fn(u32, u32) -> bool) -> Board {
        let letter = |column: u32| char::from(b'a' + column as u8).to_string();
        let mut board = Board::squares(side, side, |row, column| {
            let ground = if dark(row, column) { Ground::Dark } else { Ground::Floor };
            (ground, format!("{}{}", letter(column), side - row))
        });
        let rows = (1..=side).rev().map(|row| row.to_string()).collect();
        board.edge = Some((rows, (0..side).map(letter).collect()));
        board
    }

    /// A board of points, without men.
    pub fn points(points: impl IntoIterator<Item = (String, f32, f32)>) -> Board {
        let point = |(name, x, y)| Point { x, y, ground: Ground::Floor, name };
        Board { points: points.into_iter().map(point).collect(), light: 1, ..Board::default() }
    }

    /// Points around a circle, for places that have no order in the plane.
    pub fn circle(names: impl IntoIterator<Item = String>) -> Board {
        let names: Vec<String> = names.into_iter().collect();
        let count = names.len();
        // Neighbours on the circle are more than 1 apart.
        let radius =
            if count < 2 { 0.0 } else { 0.6 / (std::f32::consts::PI / count as f32).sin() };
        let place = |(number, name): (usize, String)| {
            let (sine, cosine) = (number as f32 / count as f32 * std::f32::consts::TAU).sin_cos();
            (name, radius * (1.0 + sine), radius * (1.0 - cosine))
        };
        Board::points(names.into_iter().enumerate().map(place))
    }

    /// The same board with lines between these points.
    #[must_use]
    pub fn lined(mut self, lines: impl IntoIterator<Item = (usize, usize)>) -> Board {
        let lines = lines.into_iter().filter(|(a, b)| a != b);
        self.lines = lines.map(|(a, b)| (a.min(b), a.max(b))).collect();
        self.lines.sort_unstable();
        self.lines.dedup();
        self
    }

    /// Puts men of one kind on points.
    pub fn put(
        &mut self,
        (kind, sign): (&'static str, char),
        player: Option<usize>,
        points: impl IntoIterator<Item = usize>,
    ) {
        self.men.extend(points.into_iter().map(|point| Man { kind, sign, player, point }));
    }

    /// The points of the men of each class, as sets. `None` if two men share a point, or if a man has no class.
    ///
    /// # Panics
    ///
    /// If the board has more than 64 points.
    pub fn sets<const CLASSES: usize>(
        &self,
        class: impl Fn(&Man) -> Option<usize>,
    ) -> Option<[u64; CLASSES]> {
        let (mut sets, mut all) = ([0; CLASSES], 0u64);
        for man in &self.men {
            let bit = 1 << man.point;
            if all & bit != 0 {
                return None;
            }
            all |= bit;
            sets[class(man)?] |= bit;
        }
        Some(sets)
    }

    /// Whether a man is light. The men of no player are neither light nor dark.
    pub fn is_light(&self, player: Option<usize>) -> bool {
        player == Some(self.light)
    }

    /// The men on a point.
    pub fn men_on(&self, point: usize) -> impl Iterator<Item = &Man> {
        self.men.iter().filter(move |man| man.point == point)
    }
}
