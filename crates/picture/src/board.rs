//! A board of cells: values and distances, the men, and the path of best play.

use retrograde::Value;

use crate::legend::{Legend, fill};
use crate::men::{Figure, draw_figure};
use crate::svg::{Anchor, INK, Svg, width_of, wrapped};
use crate::tint::sign;
use crate::ways::Spots;

/// A picture of a board.
#[derive(Clone, Debug)]
pub struct Board {
    /// The title, one line.
    pub title: String,
    /// Further lines below it.
    pub notes: Vec<String>,
    /// How many cells a row has.
    pub columns: usize,
    /// The cells, row by row.
    pub cells: Vec<Cell>,
    /// The men on the cells.
    pub men: Vec<Man>,
    /// Their paths.
    pub ways: Vec<Way>,
    /// The names of rows and columns, from the top left. By default, numbers from 0.
    pub names: Option<(Vec<String>, Vec<String>)>,
    /// The meaning of the colours, if the board has values.
    pub legend: Option<Legend>,
}

/// A cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// No man can stand here.
    pub wall: bool,
    /// No man can stand here either: nothing is drawn but a line that passes, `-` or `|`.
    pub line: Option<char>,
    /// Somebody gets away here.
    pub exit: bool,
    /// The value, if the picture shows values.
    pub value: Option<Value>,
    /// The darker of two colours, on a board without values.
    pub dark: bool,
}

/// A man on a board.
#[derive(Clone, Copy, Debug)]
pub struct Man {
    /// The cell he stands on.
    pub cell: usize,
    /// How to draw him.
    pub figure: Figure,
}

/// A path over a board, from its first cell to its last.
#[derive(Clone, Debug)]
pub struct Way {
    /// The cells, in order. A cell may occur several times.
    pub cells: Vec<usize>,
    /// The side that goes there. The first side has a solid line, the second a broken one.
    pub side: usize,
    /// The text at its end.
    pub label: String,
}

/// Cells of this size and more have space for a number.
const NUMBERED: f64 = 28.0;
const MARGIN: f64 = 16.0;
const TITLE: f64 = 16.0;
const NOTE: f64 = 12.0;

impl Board {
    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let (rows, columns) = (self.rows(), self.columns);
        // About the width of a page, with cells that are still visible.
        let side = (700.0 / rows.max(columns) as f64).clamp(7.0, 56.0).floor();
        let (left, top_names) = (MARGIN + 26.0, 18.0);
        let legend_width = self.legend.as_ref().map_or(0.0, |legend| legend.size().0);
        let inner = (columns as f64 * side).max(legend_width).max(400.0);
        let width = left + inner + MARGIN;
        let title = wrapped(&self.title, TITLE, width - 2.0 * MARGIN);
        let notes: Vec<String> =
            self.notes.iter().flat_map(|note| wrapped(note, NOTE, width - 2.0 * MARGIN)).collect();
        let top = MARGIN + title.len() as f64 * 22.0 + top_names;
        let bottom = top + rows as f64 * side + 16.0;
        let legend_height = self.legend.as_ref().map_or(0.0, |legend| legend.size().1 + 8.0);
        let marks = self.marks();
        let marks_height = if marks.is_empty() { 0.0 } else { 24.0 };
        let height = bottom + legend_height + marks_height + notes.len() as f64 * 17.0 + MARGIN;
        let mut svg = Svg::new(width, height);
        for (line, words) in title.iter().enumerate() {
            let at = (MARGIN, MARGIN + 14.0 + line as f64 * 22.0);
            svg.text(
                at,
                TITLE,
                Anchor::Start,
                words,
                &format!("{} font-weight=\"bold\"", fill(INK)),
            );
        }
        let sheet = Sheet {
            board: self,
            side,
            left,
            top,
            spots: Spots { board: self, side, origin: (left, top) },
        };
        sheet.cells(&mut svg);
        sheet.names(&mut svg);
        sheet.spots.draw_ways(&mut svg);
        sheet.corners(&mut svg);
        sheet.men(&mut svg);
        sheet.spots.draw_heads(&mut svg);
        sheet.spots.draw_badges(&mut svg);
        let mut below = bottom;
        if let Some(legend) = &self.legend {
            legend.draw(&mut svg, (left, below), side >= NUMBERED);
            below += legend_height;
        }
        draw_marks(&mut svg, &marks, (left, below), width);
        below += marks_height;
        for (line, words) in notes.iter().enumerate() {
            let at = (MARGIN, below + 12.0 + line as f64 * 17.0);
            svg.text(at, NOTE, Anchor::Start, words, &fill(INK));
        }
        svg.finish()
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.cells.len() / self.columns
    }

    /// What the legend explains besides the values.
    fn marks(&self) -> Vec<(Mark, String)> {
        let mut marks = Vec::new();
        if self.cells.iter().any(|cell| cell.wall) {
            marks.push((Mark::Wall, "wall".to_owned()));
        }
        if self.cells.iter().any(|cell| cell.exit) {
            marks.push((Mark::Exit, "exit".to_owned()));
        }
        marks
    }
}

#[derive(Clone, Copy)]
enum Mark {
    Wall,
    Exit,
}

fn draw_marks(svg: &mut Svg, marks: &[(Mark, String)], (left, top): (f64, f64), width: f64) {
    let mut x = left;
    for (mark, words) in marks {
        if x + 30.0 + width_of(words, NOTE) > width {
            break;
        }
        match mark {
            Mark::Wall => svg.rect((x, top), (18.0, 15.0), &fill(WALL)),
            Mark::Exit => {
                svg.rect((x + 1.5, top + 1.5), (15.0, 12.0), EXIT);
            }
        }
        svg.text((x + 26.0, top + 12.0), NOTE, Anchor::Start, words, &fill(INK));
        x += 40.0 + width_of(words, NOTE);
    }
}

const WALL: &str = "#2b2b2b";
const EXIT: &str = "fill=\"none\" stroke=\"#000000\" stroke-width=\"3\"";

/// A board and its position on the sheet.
struct Sheet<'a> {
    board: &'a Board,
    side: f64,
    left: f64,
    top: f64,
    spots: Spots<'a>,
}

impl Sheet<'_> {
    fn cells(&self, svg: &mut Svg) {
        let scale = self.board.legend.as_ref().map(Legend::scale);
        let numbered = self.side >= NUMBERED;
        // Hatching: light strokes on dark cells and dark strokes on light ones. A stroke goes from corner to
        // corner, so that neighbours form lines.
        let mut strokes = [String::new(), String::new()];
        let mut dots = Vec::new();
        let gap = if self.side >= 10.0 { 0.5 } else { 0.0 };
        for (number, cell) in self.board.cells.iter().enumerate() {
            let (x, y) = self.spots.corner(number);
            if let Some(line) = cell.line {
                let (middle_x, middle_y) = self.spots.centre(number);
                let (at, size) = match line {
                    '-' => ((x, middle_y - 1.0), (self.side, 2.0)),
                    '|' => ((middle_x - 1.0, y), (2.0, self.side)),
                    _ => continue,
                };
                svg.rect(at, size, &fill(INK));
                continue;
            }
            let colour = match (cell, cell.value.zip(scale)) {
                (Cell { wall: true, .. }, _) => WALL.to_owned(),
                (_, Some((value, scale))) => scale.tint(value).hex(),
                (Cell { dark: true, .. }, _) => "#c9c2b4".to_owned(),
                _ => "#f6f3ec".to_owned(),
            };
            svg.rect((x, y), (self.side - gap, self.side - gap), &fill(&colour));
            let Some((value, scale)) = cell.value.zip(scale) else { continue };
            let tint = scale.tint(value);
            if numbered {
                if !self.is_crossed(number) {
                    let words = self.words(value);
                    let size =
                        (self.side / 2.8).min(self.side * 1.5 / words.chars().count() as f64);
                    let (x, y) = self.spots.centre(number);
                    let look = fill(tint.ink());
                    svg.text((x, y + size * 0.36), size, Anchor::Middle, &words, &look);
                }
                continue;
            }
            match value {
                Value::Win(_) => {}
                Value::Loss(_) => {
                    let (x, y) = (x.round(), y.round());
                    let steps = &mut strokes[usize::from(tint.ink() == INK)];
                    steps.push_str(&format!("M{x} {}l{} -{}", y + self.side, self.side, self.side));
                }
                Value::Draw => dots.push(self.spots.centre(number)),
            }
        }
        for (steps, ink) in strokes.iter().zip(["#ffffff", INK]) {
            let width = if self.side < 10.0 { "0.8" } else { "1" };
            svg.path(steps, &format!("stroke=\"{ink}\" stroke-width=\"{width}\" stroke-opacity=\"0.75\" fill=\"none\""));
        }
        for centre in dots {
            svg.circle(centre, (self.side / 8.0).max(1.0), &fill(INK));
        }
        for (number, _) in self.board.cells.iter().enumerate().filter(|(_, cell)| cell.exit) {
            let (x, y) = self.spots.corner(number);
            let inset = if self.side < 12.0 { 0.0 } else { 1.5 };
            svg.rect(
                (x + inset, y + inset),
                (self.side - 2.0 * inset, self.side - 2.0 * inset),
                EXIT,
            );
        }
    }

    /// Whether a path or a man covers the middle of a cell.
    fn is_crossed(&self, cell: usize) -> bool {
        self.board.ways.iter().any(|way| way.cells.contains(&cell))
            || self.board.men.iter().any(|man| man.cell == cell)
    }

    /// A value in a cell: `+12`.
    fn words(&self, value: Value) -> String {
        let distances = self.board.legend.as_ref().is_some_and(|legend| legend.longest.is_some());
        match value.distance().filter(|_| distances) {
            Some(distance) => format!("{}{distance}", sign(value)),
            None => sign(value).to_string(),
        }
    }

    /// The values of crossed cells, small in a corner, above the ways that cross them.
    fn corners(&self, svg: &mut Svg) {
        let Some(scale) = self.board.legend.as_ref().map(Legend::scale) else { return };
        if self.side < NUMBERED {
            return;
        }
        for (number, cell) in self.board.cells.iter().enumerate() {
            let Some(value) = cell.value.filter(|_| self.is_crossed(number)) else { continue };
            let (tint, words) = (scale.tint(value), self.words(value));
            let size = (self.side / 4.2).max(8.5);
            let (x, y) = self.spots.corner(number);
            let room = (width_of(&words, size) + 2.0, size + 1.0);
            svg.rect((x + 1.5, y + 1.5), room, &fill(&tint.hex()));
            svg.text((x + 2.5, y + size), size, Anchor::Start, &words, &fill(tint.ink()));
        }
    }

    fn names(&self, svg: &mut Svg) {
        let every = |count: usize| match (self.side * count as f64, self.side) {
            (_, side) if side >= 16.0 => 1,
            _ => 10,
        };
        let look = fill("#555555");
        for row in 0..self.board.rows() {
            if row % every(self.board.rows()) == 0 {
                let (_, y) = self.spots.centre(row * self.board.columns);
                let name =
                    self.board.names.as_ref().map_or(row.to_string(), |names| names.0[row].clone());
                svg.text((self.left - 6.0, y + 4.0), 11.0, Anchor::End, &name, &look);
            }
        }
        for column in 0..self.board.columns {
            if column % every(self.board.columns) == 0 {
                let (x, _) = self.spots.centre(column);
                let name = self
                    .board
                    .names
                    .as_ref()
                    .map_or(column.to_string(), |names| names.1[column].clone());
                svg.text((x, self.top - 6.0), 11.0, Anchor::Middle, &name, &look);
            }
        }
    }

    fn men(&self, svg: &mut Svg) {
        for man in &self.board.men {
            draw_figure(svg, man.figure, self.spots.centre(man.cell), self.side);
        }
    }
}
