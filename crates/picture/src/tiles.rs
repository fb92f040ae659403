//! A board as letters, for a terminal: the one drawing of boards as text. The code that prints it decides about colours.

use retrograde_positions::{Board, Ground};

/// A board as rows of letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiles {
    /// How many letters a row has.
    pub columns: usize,
    /// The letters, row by row.
    pub tiles: Vec<Tile>,
    /// For each point of the board, its tile.
    pub places: Vec<usize>,
    /// The names of the rows and columns of letters, if the board has letters and numbers at its edge. Some are empty.
    pub names: Option<(Vec<String>, Vec<String>)>,
    /// Whether each letter is a square of the board. Otherwise letters between points are parts of lines.
    pub squares: bool,
}

/// A letter of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The letter of the man, or a sign for the point, or a part of a line.
    pub sign: char,
    /// What it is.
    pub paint: Paint,
    /// The point of the board.
    pub point: Option<usize>,
}

/// What a letter stands for, as far as colour needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// A blank, or a part of a line.
    Line,
    /// No man can stand here.
    Wall,
    /// Free.
    Floor,
    /// Free, on the darker colour of a chequered board.
    Dark,
    /// A man can leave the board here.
    Exit,
    /// A man of a player, or of no player.
    Man(Option<usize>),
}

impl Tiles {
    /// Draws a board. `None` if its points do not lie in rows and columns, as those of a circle.
    pub fn of(board: &Board) -> Option<Tiles> {
        let whole = |at: f32| at.fract() == 0.0 && (0.0..65536.0).contains(&at);
        if board.points.is_empty() || !board.points.iter().all(|at| whole(at.x) && whole(at.y)) {
            return None;
        }
        let squares = board.lines.is_empty();
        let lettered = board.edge.as_ref().filter(|(_, columns)| {
            columns.iter().all(|name| name.starts_with(|first: char| first.is_alphabetic()))
        });
        let slanting = board.lines.iter().any(|&(a, b)| {
            let [a, b] = [&board.points[a], &board.points[b]];
            a.x != b.x && a.y != b.y
        });
        // A point is as wide as it is high. Slanting lines need as many columns as rows.
        let (wide, high) = match (squares, slanting) {
            (true, _) => (1, 1),
            (false, true) => (2, 2),
            (false, false) => (4, 2),
        };
        let spot = |point: usize| {
            let at = &board.points[point];
            (at.x as usize * wide, at.y as usize * high)
        };
        let most = |of: fn((usize, usize)) -> usize| {
            (0..board.points.len()).map(|point| of(spot(point))).max().unwrap_or(0) + 1
        };
        let (columns, rows) = (most(|(x, _)| x), most(|(_, y)| y));
        let blank = Tile { sign: ' ', paint: Paint::Line, point: None };
        let mut tiles = vec![blank; columns * rows];
        for &(a, b) in &board.lines {
            let ((x, y), (to_x, to_y)) = (spot(a), spot(b));
            let (across, down) = (to_x as i64 - x as i64, to_y as i64 - y as i64);
            let steps = across.abs().max(down.abs());
            let sign = match (across, down) {
                (_, 0) => '-',
                (0, _) => '|',
                (across, down) if (across > 0) == (down > 0) => '\\',
                _ => '/',
            };
            for step in 1..steps {
                let (x, y) = (x as i64 + across * step / steps, y as i64 + down * step / steps);
                tiles[y as usize * columns + x as usize].sign = sign;
            }
        }
        let places: Vec<usize> = (0..board.points.len())
            .map(|point| {
                let (x, y) = spot(point);
                y * columns + x
            })
            .collect();
        for (point, &place) in places.iter().enumerate() {
            let (sign, paint) = match board.points[point].ground {
                Ground::Wall => ('*', Paint::Wall),
                Ground::Floor => ('.', Paint::Floor),
                Ground::Dark => ('.', Paint::Dark),
                Ground::Exit => ('E', Paint::Exit),
            };
            tiles[place] = Tile { sign, paint, point: Some(point) };
        }
        for man in &board.men {
            let tile = &mut tiles[places[man.point]];
            // If several men stand on a point, the sign is their number, or that of a caught man.
            let sign = match (tile.paint, tile.sign) {
                (Paint::Man(player), _) if player != man.player => 'X',
                (Paint::Man(_), sign @ '2'..='8') => char::from(sign as u8 + 1),
                (Paint::Man(_), '9' | '#') => '#',
                (Paint::Man(_), _) => '2',
                _ => man.sign,
            };
            (tile.sign, tile.paint) = (sign, Paint::Man(man.player));
        }
        let names = lettered.map(|(rows, columns)| (spread(rows, high), spread(columns, wide)));
        Some(Tiles { columns, tiles, places, names, squares })
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.tiles.len() / self.columns
    }

    /// The drawing as lines without a break at the end. `show` gives the text of a tile.
    pub fn text(&self, show: impl Fn(&Tile) -> String) -> String {
        // If squares have names, as on a chess board, blanks separate the signs.
        let between = if self.squares && self.names.is_some() { " " } else { "" };
        let mut lines = Vec::new();
        for (row, tiles) in self.tiles.chunks(self.columns).enumerate() {
            let name =
                self.names.as_ref().map_or(String::new(), |(rows, _)| format!("{:1} ", rows[row]));
            let signs: Vec<String> = tiles.iter().map(&show).collect();
            lines.push(format!("{name}{}", signs.join(between)).trim_end().to_owned());
        }
        if let Some((_, names)) = &self.names {
            let names: Vec<String> = names.iter().map(|name| format!("{name:1}")).collect();
            lines.push(format!("  {}", names.join(between)).trim_end().to_owned());
        }
        lines.join("\n")
    }
}

/// Names with empty ones between them.
fn spread(names: &[String], step: usize) -> Vec<String> {
    let mut all = vec![String::new(); (names.len().max(1) - 1) * step + 1];
    names.iter().enumerate().for_each(|(at, name)| all[at * step].clone_from(name));
    all
}

/// A board drawn with letters. `None` if its points do not lie in rows and columns.
pub fn lettered(board: &Board) -> Option<String> {
    Tiles::of(board).map(|tiles| tiles.text(|tile| tile.sign.to_string()))
}
