//! Arrows over a board: lines, heads and badges, placed so that none of them hides a man.

use retrograde_positions::Board;

use crate::men::radius_of;
use crate::svg::{Anchor, INK, Svg, fill};

/// A path over a board, from its first point to its last. With one point, only the label stands there.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// The points, in order. A point may occur several times.
    pub points: Vec<usize>,
    /// The side that goes there. The first side has a solid line, the second a broken one.
    pub side: usize,
    /// The text at its end.
    pub label: String,
}

/// A point of the sheet.
type Spot = (f64, f64);

/// How large the badge of an arrow is.
pub(crate) const BADGE: f64 = 8.5;

/// An arrow as it is drawn.
struct Path {
    /// The line, up to the head.
    line: Vec<Spot>,
    /// The three corners of the head, its tip first.
    head: [Spot; 3],
}

/// Where the points of a board lie on the sheet.
#[derive(Clone, Copy)]
pub(crate) struct Spots<'a> {
    pub(crate) board: &'a Board,
    pub(crate) arrows: &'a [Arrow],
    pub(crate) side: f64,
    /// The upper left corner of the square around the first point.
    pub(crate) origin: Spot,
}

impl Spots<'_> {
    /// The upper left corner of the square around a point.
    pub(crate) fn corner(&self, point: usize) -> Spot {
        let point = &self.board.points[point];
        (
            self.origin.0 + f64::from(point.x) * self.side,
            self.origin.1 + f64::from(point.y) * self.side,
        )
    }

    pub(crate) fn centre(&self, point: usize) -> Spot {
        let (x, y) = self.corner(point);
        (x + self.side / 2.0, y + self.side / 2.0)
    }

    /// The middle of each man, and how far he reaches.
    fn reach(&self) -> Vec<(Spot, f64)> {
        let men = self.board.men.iter();
        men.map(|man| (self.centre(man.point), radius_of(man.kind, self.side))).collect()
    }

    /// How far the middle of a point is from the nearest arrow.
    pub(crate) fn far_from_arrows(&self, point: usize) -> f64 {
        let (x, y) = self.centre(point);
        let far = |from: Spot, to: Spot| {
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let along = ((x - from.0) * dx + (y - from.1) * dy) / (dx * dx + dy * dy).max(1e-9);
            let along = along.clamp(0.0, 1.0);
            (from.0 + dx * along - x).hypot(from.1 + dy * along - y)
        };
        let of_arrow = |arrow: &Arrow| {
            let spots: Vec<Spot> = arrow.points.iter().map(|&point| self.centre(point)).collect();
            let ends = spots.first().map(|&first| far(first, first));
            let lines = spots.windows(2).map(|two| far(two[0], two[1]));
            ends.into_iter().chain(lines).fold(f64::INFINITY, f64::min)
        };
        self.arrows.iter().map(of_arrow).fold(f64::INFINITY, f64::min)
    }

    /// The lines, those of each side a little beside the middle, on a light ground of their own.
    pub(crate) fn draw_lines(&self, svg: &mut Svg) {
        for arrow in self.arrows {
            let Some(path) = self.path(arrow) else { continue };
            let step = |(place, (x, y)): (usize, &Spot)| {
                format!("{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' })
            };
            let steps: String = path.line.iter().enumerate().map(step).collect();
            let width = (self.side / 14.0).clamp(1.6, 3.0);
            let dashes = match arrow.side {
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
        for path in self.arrows.iter().filter_map(|arrow| self.path(arrow)) {
            let [tip, left, right] = path.head.map(|(x, y)| format!("{x:.1} {y:.1}"));
            let look = "fill=\"#000000\" stroke=\"#ffffff\" stroke-width=\"1\"";
            svg.path(&format!("M{tip}L{left}L{right}Z"), look);
        }
    }

    /// What stands beside each arrow.
    pub(crate) fn draw_badges(&self, svg: &mut Svg) {
        let look = "fill=\"#ffffff\" stroke=\"#000000\" stroke-width=\"1.2\"";
        for (arrow, at) in self.badges() {
            svg.circle(at, BADGE, look);
            svg.text((at.0, at.1 + 4.0), 11.0, Anchor::Middle, &arrow.label, &fill(INK));
        }
    }

    /// Where an arrow goes and ends. It keeps a little to the right of its direction, so that a path there and back is two
    /// lines. A man on its last point is pointed at, not pierced.
    fn path(&self, arrow: &Arrow) -> Option<Path> {
        let aside = self.side * if arrow.side == 0 { -0.11 } else { 0.11 };
        let right = self.side * 0.07;
        let mut stops: Vec<Spot> = arrow.points.iter().map(|&point| self.centre(point)).collect();
        stops.dedup();
        let mut line: Vec<Spot> = Vec::new();
        for two in stops.windows(2) {
            let [(x, y), (to_x, to_y)] = [two[0], two[1]];
            let length = (to_x - x).hypot(to_y - y);
            let (dx, dy) = ((to_x - x) / length, (to_y - y) / length);
            let shift = |(x, y): Spot| (x + aside - dy * right, y + aside + dx * right);
            line.extend([shift((x, y)), shift((to_x, to_y))]);
        }
        let [.., before, end] = line[..] else { return None };
        let length = (end.0 - before.0).hypot(end.1 - before.1);
        let (dx, dy) = ((end.0 - before.0) / length, (end.1 - before.1) / length);
        let back = |by: f64| (end.0 - dx * by, end.1 - dy * by);
        let head = (self.side * 0.45).clamp(7.0, 14.0);
        let last = *stops.last()?;
        // Back to where the arrow enters the circle around the man; never so far that the head has no room.
        let rim = |(centre, radius): (Spot, f64)| {
            let (x, y) = (end.0 - centre.0, end.1 - centre.1);
            let along = x * dx + y * dy;
            along + (along * along - x * x - y * y + radius * radius).max(0.0).sqrt()
        };
        let man = self.reach().into_iter().find(|(centre, _)| *centre == last).map_or(0.0, rim);
        let short = man.clamp(0.0, (length - head).max(0.0));
        let (tip, base) = (back(short), back(short + head));
        let (px, py) = (-dy * head * 0.42, dx * head * 0.42);
        *line.last_mut()? = back(short + head * 0.8);
        let head = [tip, (base.0 + px, base.1 + py), (base.0 - px, base.1 - py)];
        Some(Path { line, head })
    }

    /// Where the badges stand: on their arrows, beside short ones, or at a corner of the last square or the first; over no man and
    /// no other badge.
    fn badges(&self) -> Vec<(&Arrow, Spot)> {
        let (mut placed, men): (Vec<(&Arrow, Spot)>, _) = (Vec::new(), self.reach());
        for arrow in self.arrows.iter().filter(|arrow| !arrow.label.is_empty()) {
            if let [only] = arrow.points[..] {
                placed.push((arrow, self.centre(only)));
                continue;
            }
            let [from, .., to] = arrow.points[..] else { continue };
            let aside = self.side * if arrow.side == 0 { -0.11 } else { 0.11 };
            let (first, last) = (self.centre(from), self.centre(to));
            let along = [0.5, 0.4, 0.6, 0.3, 0.7].map(|part| {
                let (x, y) = (last.0 - first.0, last.1 - first.1);
                (first.0 + x * part + aside, first.1 + y * part + aside)
            });
            // On a short arrow, a badge would hide all but the head.
            let length = (last.0 - first.0).hypot(last.1 - first.1);
            let away = (BADGE + 8.0) / length.max(1.0);
            let beside = [along[0], along[2]].into_iter().flat_map(|(x, y)| {
                let (dx, dy) = ((last.0 - first.0) * away, (last.1 - first.1) * away);
                // Upwards for the first side, downwards for the second, so that two parallel arrows have a badge each.
                let up = if (dx > 0.0) == (arrow.side == 0) { 1.0 } else { -1.0 };
                [(x + dy * up, y - dx * up), (x - dy * up, y + dx * up)]
            });
            let beside = beside.filter(|_| length < 1.6 * self.side);
            let corners = [last, first].into_iter().flat_map(|(x, y)| {
                let half = self.side / 2.0;
                [(1.0, -1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                    .map(|(right, down)| (x + right * half, y + down * half))
            });
            let mut spots = beside.chain(along).chain(corners);
            let far = |a: Spot, b: Spot| (a.0 - b.0).hypot(a.1 - b.1);
            let free = |&at: &Spot| {
                men.iter().all(|&(centre, radius)| far(at, centre) >= radius + BADGE)
                    && placed.iter().all(|(_, other)| far(at, *other) >= 2.0 * BADGE + 1.0)
            };
            let at = spots.find(free).unwrap_or(along[0]);
            placed.push((arrow, at));
        }
        placed
    }
}

#[cfg(test)]
mod tests {
    use retrograde_positions::Board;

    use super::*;

    /// A board of eight by eight, with kings on some squares.
    fn board(men: &[usize]) -> Board {
        let mut board = Board::chequered(8, |row, column| (row + column) % 2 == 1);
        board.put(("king", 'K'), Some(0), men.iter().copied());
        board
    }

    /// A badge used to lie on the piece that its arrow leads past or away from, and men hid arrowheads.
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
            let arrow =
                |side: usize, points: Vec<usize>| Arrow { points, side, label: "1".to_owned() };
            let arrows = vec![arrow(0, vec![men[0], below(64)]), arrow(1, vec![men[1], below(64)])];
            let board = board(&men);
            let spots = Spots { board: &board, arrows: &arrows, side: 56.0, origin: (40.0, 50.0) };
            let far = |a: Spot, b: Spot| (a.0 - b.0).hypot(a.1 - b.1);
            let badges = spots.badges();
            for (number, (_, at)) in badges.iter().enumerate() {
                for (centre, radius) in spots.reach() {
                    assert!(far(*at, centre) >= radius + BADGE, "{men:?}");
                }
                assert!(badges[..number].iter().all(|(_, other)| far(*at, *other) >= 2.0 * BADGE));
            }
            for arrow in &arrows {
                let (Some(path), Some(&to)) = (spots.path(arrow), arrow.points.last()) else {
                    continue;
                };
                let man = spots.reach().into_iter().find(|(centre, _)| *centre == spots.centre(to));
                let Some((centre, radius)) = man else { continue };
                assert!(far(path.head[0], centre) >= radius - 0.01, "{men:?}");
            }
        }
    }

    /// A path there and back used to be one line, and two broken lines over each other looked like the solid line of the
    /// other player.
    #[test]
    fn a_path_there_and_back_is_two_lines() {
        let board = board(&[]);
        let spots = Spots { board: &board, arrows: &[], side: 56.0, origin: (0.0, 0.0) };
        let arrow = Arrow { points: vec![0, 1, 2, 1, 0], side: 1, label: String::new() };
        let Path { line, .. } = spots.path(&arrow).unwrap();
        let heights: Vec<f64> = line.iter().map(|(_, y)| *y).collect();
        let (there, back) = heights.split_at(4);
        let apart = |a: &[f64], b: &[f64]| a.iter().all(|a| b.iter().all(|b| (a - b).abs() > 6.0));
        assert!(apart(there, back), "{line:?}");
    }
}
