//! The ways that men go over a board: lines, arrowheads and badges, placed so that none of them hides a man.

use crate::board::{Board, Way};
use crate::legend::fill;
use crate::men::radius_of;
use crate::svg::{Anchor, INK, Svg};

/// A point of the sheet.
type Point = (f64, f64);

/// How large the badge of a way is.
const BADGE: f64 = 8.5;

/// A way as it is drawn.
struct Arrow {
    /// The line, up to the head.
    line: Vec<Point>,
    /// The three corners of the head, its tip first.
    head: [Point; 3],
}

/// Where the cells of a board lie on the sheet.
#[derive(Clone, Copy)]
pub(crate) struct Spots<'a> {
    pub(crate) board: &'a Board,
    pub(crate) side: f64,
    /// The upper left corner of the first cell.
    pub(crate) origin: Point,
}

impl Spots<'_> {
    pub(crate) fn corner(&self, cell: usize) -> Point {
        let (row, column) = (cell / self.board.columns, cell % self.board.columns);
        (self.origin.0 + column as f64 * self.side, self.origin.1 + row as f64 * self.side)
    }

    pub(crate) fn centre(&self, cell: usize) -> Point {
        let (x, y) = self.corner(cell);
        (x + self.side / 2.0, y + self.side / 2.0)
    }

    /// Each man's middle, and how far he reaches from there.
    fn men(&self) -> impl Iterator<Item = (Point, f64)> {
        let men = self.board.men.iter();
        men.map(|man| (self.centre(man.cell), radius_of(man.figure, self.side)))
    }

    /// The ways, each a little beside the middle so that two do not hide each other, on a light ground of their own.
    pub(crate) fn draw_ways(&self, svg: &mut Svg) {
        for way in &self.board.ways {
            let Some(arrow) = self.arrow(way) else { continue };
            let step = |(place, (x, y)): (usize, &Point)| {
                format!("{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' })
            };
            let steps: String = arrow.line.iter().enumerate().map(step).collect();
            let width = (self.side / 14.0).clamp(1.6, 3.0);
            let dashes = match way.side {
                0 => String::new(),
                _ => format!(" stroke-dasharray=\"{:.1} {:.1}\"", 3.0 * width, 1.6 * width),
            };
            let line = |colour: &str, width: f64, dashes: &str| {
                format!(
                    "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width:.1}\" stroke-linejoin=\"round\"{dashes}"
                )
            };
            svg.path(&steps, &line("#ffffff", width + 2.4, ""));
            svg.path(&steps, &line("#000000", width, &dashes));
        }
    }

    /// The heads, above the men: no tip is hidden.
    pub(crate) fn draw_heads(&self, svg: &mut Svg) {
        for arrow in self.board.ways.iter().filter_map(|way| self.arrow(way)) {
            let [tip, left, right] = arrow.head.map(|(x, y)| format!("{x:.1} {y:.1}"));
            let look = "fill=\"#000000\" stroke=\"#ffffff\" stroke-width=\"1\"";
            svg.path(&format!("M{tip}L{left}L{right}Z"), look);
        }
    }

    /// What stands beside each way.
    pub(crate) fn draw_badges(&self, svg: &mut Svg) {
        let look = "fill=\"#ffffff\" stroke=\"#000000\" stroke-width=\"1.2\"";
        for (way, at) in self.badges() {
            svg.circle(at, BADGE, look);
            svg.text((at.0, at.1 + 4.0), 11.0, Anchor::Middle, &way.label, &fill(INK));
        }
    }

    /// Where a way goes and ends. A man on its last cell is pointed at, not pierced.
    fn arrow(&self, way: &Way) -> Option<Arrow> {
        let aside = self.side * if way.side == 0 { -0.12 } else { 0.12 };
        let mut line: Vec<Point> = Vec::new();
        for &cell in &way.cells {
            let (x, y) = self.centre(cell);
            let point = (x + aside, y + aside);
            if line.last() != Some(&point) {
                line.push(point);
            }
        }
        let [.., before, end] = line[..] else { return None };
        let length = (end.0 - before.0).hypot(end.1 - before.1);
        let (dx, dy) = ((end.0 - before.0) / length, (end.1 - before.1) / length);
        let back = |by: f64| (end.0 - dx * by, end.1 - dy * by);
        let head = (self.side * 0.45).clamp(7.0, 14.0);
        let last = way.cells.last().map(|&cell| self.centre(cell))?;
        // Back to where the way enters the circle around the man; never so far that the head has no room.
        let rim = |(centre, radius): (Point, f64)| {
            let (x, y) = (end.0 - centre.0, end.1 - centre.1);
            let along = x * dx + y * dy;
            along + (along * along - x * x - y * y + radius * radius).max(0.0).sqrt()
        };
        let man = self.men().find(|(centre, _)| *centre == last).map_or(0.0, rim);
        let short = man.clamp(0.0, (length - head).max(0.0));
        let (tip, base) = (back(short), back(short + head));
        let (px, py) = (-dy * head * 0.42, dx * head * 0.42);
        *line.last_mut()? = back(short + head * 0.8);
        let head = [tip, (base.0 + px, base.1 + py), (base.0 - px, base.1 - py)];
        Some(Arrow { line, head })
    }

    /// Where the badges stand: on their ways, or at a corner of the last cell or the first; over no man and no other badge.
    fn badges(&self) -> Vec<(&Way, Point)> {
        let mut placed: Vec<(&Way, Point)> = Vec::new();
        for way in self.board.ways.iter().filter(|way| !way.label.is_empty()) {
            let [from, .., to] = way.cells[..] else { continue };
            let aside = self.side * if way.side == 0 { -0.12 } else { 0.12 };
            let (first, last) = (self.centre(from), self.centre(to));
            let along = [0.5, 0.4, 0.6, 0.3, 0.7].map(|part| {
                let (x, y) = (last.0 - first.0, last.1 - first.1);
                (first.0 + x * part + aside, first.1 + y * part + aside)
            });
            let corners = [last, first].into_iter().flat_map(|(x, y)| {
                let half = self.side / 2.0;
                [(1.0, -1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                    .map(|(right, down)| (x + right * half, y + down * half))
            });
            let mut spots = along.into_iter().chain(corners);
            let far = |a: Point, b: Point| (a.0 - b.0).hypot(a.1 - b.1);
            let free = |&at: &Point| {
                self.men().all(|(centre, radius)| far(at, centre) >= radius + BADGE)
                    && placed.iter().all(|(_, other)| far(at, *other) >= 2.0 * BADGE + 1.0)
            };
            let at = spots.find(free).unwrap_or(along[0]);
            placed.push((way, at));
        }
        placed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Man};
    use crate::men::Figure;

    /// A badge used to lie on the piece that its way leads past or away from, and men hid arrowheads.
    #[test]
    fn badges_and_heads_hide_no_man() {
        let mut seed = 1u64;
        let mut below = |most: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % most
        };
        for _ in 0..2000 {
            let mut men: Vec<usize> = (0..6).map(|_| below(64)).collect();
            men.sort_unstable();
            men.dedup();
            let figure = Figure::Piece { role: 'K', white: true };
            let way = |side: usize, cells: Vec<usize>| Way { cells, side, label: "1".to_owned() };
            let ways = vec![way(0, vec![men[0], below(64)]), way(1, vec![men[1], below(64)])];
            let board = Board {
                title: String::new(),
                notes: vec![],
                columns: 8,
                cells: vec![Cell::default(); 64],
                men: men.iter().map(|&cell| Man { cell, figure }).collect(),
                ways,
                names: None,
                legend: None,
            };
            let spots = Spots { board: &board, side: 56.0, origin: (40.0, 50.0) };
            let far = |a: Point, b: Point| (a.0 - b.0).hypot(a.1 - b.1);
            let badges = spots.badges();
            for (number, (_, at)) in badges.iter().enumerate() {
                for (centre, radius) in spots.men() {
                    assert!(far(*at, centre) >= radius + BADGE, "{men:?}");
                }
                assert!(badges[..number].iter().all(|(_, other)| far(*at, *other) >= 2.0 * BADGE));
            }
            for way in &board.ways {
                let (Some(arrow), Some(&to)) = (spots.arrow(way), way.cells.last()) else {
                    continue;
                };
                let man = spots.men().find(|(centre, _)| *centre == spots.centre(to));
                let Some((centre, radius)) = man else { continue };
                assert!(far(arrow.head[0], centre) >= radius - 0.01, "{men:?}");
            }
        }
    }
}
