//! A board with values and distances, men, and the arrows of best play.

use std::f64::consts::TAU;

use retrograde::Value;
use retrograde_positions::{Board, Ground};

use crate::arrows::{Arrow, BADGE, Spots};
use crate::legend::Legend;
use crate::men::{draw_man, radius_of};
use crate::svg::{Anchor, INK, Svg, fill, width_of, wrapped};
use crate::tint::words;

/// A picture of a board.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The title, one line.
    pub title: String,
    /// Further lines below it.
    pub notes: Vec<String>,
    /// The board.
    pub board: Board,
    /// For each point, the value to show. Empty on a picture without values.
    pub values: Vec<Option<Value>>,
    /// The arrows over the board.
    pub arrows: Vec<Arrow>,
    /// What the arrows mean. It stands below the notes, except in text, which has no arrows.
    pub key: Option<String>,
    /// The meaning of the colours, if the picture has values.
    pub legend: Option<Legend>,
}

/// Squares of this size and more have space for a number.
const NUMBERED: f64 = 28.0;
const MARGIN: f64 = 16.0;
const TITLE: f64 = 16.0;
const NOTE: f64 = 12.0;

impl Drawing {
    /// A board without values.
    pub fn of(board: Board) -> Drawing {
        let (title, notes) = (String::new(), Vec::new());
        Drawing { title, notes, board, values: vec![], arrows: vec![], key: None, legend: None }
    }

    /// The value of a point, if the picture shows one.
    pub(crate) fn value(&self, point: usize) -> Option<Value> {
        self.values.get(point).copied().flatten()
    }

    /// Whether each point is a square.
    pub(crate) fn has_squares(&self) -> bool {
        self.board.lines.is_empty()
    }

    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let most = |of: fn(&retrograde_positions::Point) -> f32| {
            f64::from(self.board.points.iter().map(of).fold(0.0, f32::max)) + 1.0
        };
        let (columns, rows) = (most(|point| point.x), most(|point| point.y));
        // About the width of a page, with squares that are still visible.
        let largest = if self.has_squares() { 56.0 } else { 84.0 };
        let side = (700.0 / rows.max(columns)).clamp(7.0, largest).floor();
        let (left, top_names) = (MARGIN + 26.0, 18.0);
        let legend_width = self.legend.as_ref().map_or(0.0, |legend| legend.size().0);
        let inner = (columns * side).max(legend_width).max(400.0);
        let width = left + inner + MARGIN;
        let title = wrapped(&self.title, TITLE, width - 2.0 * MARGIN);
        let notes: Vec<String> = self
            .notes
            .iter()
            .chain(&self.key)
            .flat_map(|note| wrapped(note, NOTE, width - 2.0 * MARGIN))
            .collect();
        let top = MARGIN + title.len() as f64 * 22.0 + top_names;
        let bottom = top + rows * side + 16.0;
        let legend_height = self.legend.as_ref().map_or(0.0, |legend| legend.size().1 + 8.0);
        let marks = self.marks();
        let marks_height = if marks.is_empty() { 0.0 } else { 24.0 };
        let hands_height = self.board.hands.len() as f64 * 26.0;
        let height = bottom
            + hands_height
            + legend_height
            + marks_height
            + notes.len() as f64 * 17.0
            + MARGIN;
        let mut svg = Svg::new(width, height);
        let bold = format!("{} font-weight=\"bold\"", fill(INK));
        svg.texts((MARGIN, MARGIN + 14.0), TITLE, 22.0, &title, &bold);
        let origin = (left, top);
        let spots = Spots { board: &self.board, arrows: &self.arrows, side, origin };
        let sheet = Sheet { drawing: self, side, left, top, spots };
        match self.has_squares() {
            true => sheet.squares(&mut svg),
            false => sheet.points(&mut svg),
        }
        sheet.names(&mut svg);
        spots.draw_lines(&mut svg);
        sheet.corners(&mut svg);
        for man in &self.board.men {
            draw_man(&mut svg, man, self.board.is_light(man.player), spots.centre(man.point), side);
        }
        spots.draw_heads(&mut svg);
        spots.draw_badges(&mut svg);
        let mut below = bottom;
        for hand in &self.board.hands {
            let light = self.board.is_light(Some(hand.player));
            let man = retrograde_positions::Man {
                kind: hand.kind,
                sign: hand.sign,
                player: Some(hand.player),
                point: 0,
            };
            svg.text((left, below + 12.0), NOTE, Anchor::Start, "in hand", &fill(INK));
            for number in 0..hand.count {
                let at = (left + 66.0 + f64::from(number) * 24.0, below + 8.0);
                draw_man(&mut svg, &man, light, at, 26.0);
            }
            below += 26.0;
        }
        if let Some(legend) = &self.legend {
            legend.draw(&mut svg, (left, below), side >= NUMBERED);
            below += legend_height;
        }
        draw_marks(&mut svg, &marks, (left, below), width);
        below += marks_height;
        svg.texts((MARGIN, below + 12.0), NOTE, 17.0, &notes, &fill(INK));
        svg.finish()
    }

    /// What the legend explains besides the values.
    fn marks(&self) -> Vec<(Ground, String)> {
        let grounds = [(Ground::Wall, "wall"), (Ground::Exit, "exit")];
        let found = grounds
            .into_iter()
            .filter(|(ground, _)| self.board.points.iter().any(|point| point.ground == *ground));
        found.map(|(ground, name)| (ground, name.to_owned())).collect()
    }
}

fn draw_marks(svg: &mut Svg, marks: &[(Ground, String)], (left, top): (f64, f64), width: f64) {
    let mut x = left;
    for (mark, words) in marks {
        if x + 30.0 + width_of(words, NOTE) > width {
            break;
        }
        match mark {
            Ground::Wall => svg.rect((x, top), (18.0, 15.0), &fill(WALL)),
            _ => svg.rect((x + 1.5, top + 1.5), (15.0, 12.0), EXIT),
        }
        svg.text((x + 26.0, top + 12.0), NOTE, Anchor::Start, words, &fill(INK));
        x += 40.0 + width_of(words, NOTE);
    }
}

const WALL: &str = "#2b2b2b";
const EXIT: &str = "fill=\"none\" stroke=\"#000000\" stroke-width=\"3\"";

/// A board and its position on the sheet.
struct Sheet<'a> {
    drawing: &'a Drawing,
    side: f64,
    left: f64,
    top: f64,
    spots: Spots<'a>,
}

impl Sheet<'_> {
    fn squares(&self, svg: &mut Svg) {
        let scale = self.drawing.legend.as_ref().map(Legend::scale);
        let numbered = self.side >= NUMBERED;
        // Hatching: light strokes on dark squares and dark strokes on light ones. A stroke goes from corner to
        // corner, so that neighbours form lines.
        let mut strokes = [String::new(), String::new()];
        let mut dots = Vec::new();
        let gap = if self.side >= 10.0 { 0.5 } else { 0.0 };
        for (number, point) in self.drawing.board.points.iter().enumerate() {
            let (x, y) = self.spots.corner(number);
            let value = self.drawing.value(number).zip(scale);
            let colour = match (point.ground, value) {
                (Ground::Wall, _) => WALL.to_owned(),
                (_, Some((value, scale))) => scale.tint(value).hex(),
                // A colour of the board would look like a value.
                (Ground::Dark, None) if scale.is_none() => "#c9c2b4".to_owned(),
                _ => "#f6f3ec".to_owned(),
            };
            svg.rect((x, y), (self.side - gap, self.side - gap), &fill(&colour));
            let Some((value, scale)) = value else { continue };
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
        let points = self.drawing.board.points.iter().enumerate();
        for (number, _) in points.filter(|(_, point)| point.ground == Ground::Exit) {
            let (x, y) = self.spots.corner(number);
            let inset = if self.side < 12.0 { 0.0 } else { 1.5 };
            svg.rect(
                (x + inset, y + inset),
                (self.side - 2.0 * inset, self.side - 2.0 * inset),
                EXIT,
            );
        }
    }

    /// The lines of a board, and its points: small, or with a value.
    fn points(&self, svg: &mut Svg) {
        let scale = self.drawing.legend.as_ref().map(Legend::scale);
        for &(from, to) in &self.drawing.board.lines {
            let look = format!("stroke=\"{INK}\" stroke-width=\"2\"");
            svg.line(self.spots.centre(from), self.spots.centre(to), &look);
        }
        for (number, point) in self.drawing.board.points.iter().enumerate() {
            let centre = self.spots.centre(number);
            let Some((value, scale)) = self.drawing.value(number).zip(scale) else {
                let exit = point.ground == Ground::Exit;
                let radius = if exit { self.side * 0.3 } else { 4.5 };
                svg.circle(centre, radius, if exit { EXIT } else { "fill=\"#1b1b1b\"" });
                continue;
            };
            let tint = scale.tint(value);
            let look = format!("{} stroke=\"{INK}\" stroke-width=\"1\"", fill(&tint.hex()));
            svg.circle(centre, self.side * 0.3, &look);
            if !self.is_crossed(number) {
                let words = self.words(value);
                let size = (self.side * 0.26).min(self.side * 0.8 / words.chars().count() as f64);
                let at = (centre.0, centre.1 + size * 0.36);
                svg.text(at, size, Anchor::Middle, &words, &fill(tint.ink()));
            }
        }
    }

    /// Whether an arrow or a man covers the middle of a point.
    fn is_crossed(&self, point: usize) -> bool {
        let near = self.side * 0.3;
        self.spots.far_from_arrows(point) < near
            || self.drawing.board.men_on(point).next().is_some()
    }

    /// A value at a point: `+12`.
    fn words(&self, value: Value) -> String {
        let distances = self.drawing.legend.as_ref().is_some_and(|legend| legend.longest.is_some());
        words(value, distances)
    }

    /// The values of crossed points, small in a corner, above the arrows that cross them.
    fn corners(&self, svg: &mut Svg) {
        let Some(scale) = self.drawing.legend.as_ref().map(Legend::scale) else { return };
        if self.side < NUMBERED {
            return;
        }
        for number in 0..self.drawing.board.points.len() {
            let value = self.drawing.value(number).filter(|_| self.is_crossed(number));
            let Some(value) = value else { continue };
            let (tint, words) = (scale.tint(value), self.words(value));
            let size = (self.side / 4.2).clamp(8.5, 13.0);
            let room = (width_of(&words, size) + 2.0, size + 1.0);
            let (x, y) = match self.drawing.has_squares() {
                true => self.spots.corner(number),
                // At the rim of the circle.
                false => {
                    let ((x, y), rim) = (self.spots.centre(number), self.side * 0.2);
                    (x - rim - room.0, y - rim - room.1)
                }
            };
            svg.rect((x + 1.5, y + 1.5), room, &fill(&tint.hex()));
            svg.text((x + 2.5, y + size), size, Anchor::Start, &words, &fill(tint.ink()));
        }
    }

    /// Where the name of a point stands: outside of its man, in the direction that is farthest from its lines.
    fn beside(&self, point: usize, name: &str) -> (f64, f64) {
        let (x, y) = self.spots.centre(point);
        let lines = self.drawing.board.lines.iter();
        let ends = lines.filter_map(|&(a, b)| match point {
            _ if a == point => Some(b),
            _ if b == point => Some(a),
            _ => None,
        });
        let lines: Vec<f64> = ends
            .map(|end| {
                let (to_x, to_y) = self.spots.centre(end);
                (to_y - y).atan2(to_x - x)
            })
            .collect();
        let free = |angle: f64| {
            let apart = |line: &f64| {
                let turn = (line - angle).rem_euclid(TAU);
                turn.min(TAU - turn)
            };
            lines.iter().map(apart).fold(TAU, f64::min)
        };
        // Down to the right is best, then the other corners. A small value may stand at the left above.
        let eighths = [1.0, 3.0, 7.0, 5.0, 2.0, 0.0, 6.0, 4.0];
        let has_value = self.drawing.value(point).is_some() && self.is_crossed(point);
        let eighths =
            eighths.into_iter().filter(|eighth| !has_value || !(4.0..7.0).contains(eighth));
        let angles = eighths.map(|eighth| eighth * TAU / 8.0);
        let better =
            |best: f64, angle: f64| if free(angle) > free(best) + 0.01 { angle } else { best };
        let angle = angles.reduce(better).unwrap_or(0.0);
        let man = self.drawing.board.men_on(point).map(|man| radius_of(man.kind, self.side));
        let shown = if self.drawing.value(point).is_some() { self.side * 0.3 } else { 4.5 };
        let is_badge = |arrow: &Arrow| arrow.points == [point];
        let badge = if self.drawing.arrows.iter().any(is_badge) { BADGE } else { 0.0 };
        let reach = man.fold(shown.max(badge), f64::max) + 9.0;
        let wide = (width_of(name, 11.0) / 2.0 - 3.0).max(0.0);
        (x + angle.cos() * (reach + wide), y + angle.sin() * reach + 4.0)
    }

    /// The names at the edge, or beside each point.
    fn names(&self, svg: &mut Svg) {
        let look = fill("#555555");
        let Some((rows, columns)) = &self.drawing.board.edge else {
            for (number, point) in self.drawing.board.points.iter().enumerate() {
                let (x, y) = match self.drawing.has_squares() {
                    true => {
                        let (x, y) = self.spots.corner(number);
                        (x + self.side * 0.88, y + self.side * 0.9)
                    }
                    false => self.beside(number, &point.name),
                };
                // A light rim keeps it apart from lines.
                let rim = "stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\"";
                svg.text((x, y), 11.0, Anchor::Middle, &point.name, &format!("{look} {rim}"));
            }
            return;
        };
        let step = if self.side >= 16.0 { 1 } else { 10 };
        for (row, name) in rows.iter().enumerate().step_by(step) {
            let y = self.top + (row as f64 + 0.5) * self.side;
            svg.text((self.left - 6.0, y + 4.0), 11.0, Anchor::End, name, &look);
        }
        for (column, name) in columns.iter().enumerate().step_by(step) {
            let x = self.left + (column as f64 + 0.5) * self.side;
            svg.text((x, self.top - 6.0), 11.0, Anchor::Middle, name, &look);
        }
    }
}
