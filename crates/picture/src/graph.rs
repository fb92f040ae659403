//! A small graph in columns. Decided vertices stand at the right. Every other vertex stands as many columns
//! to the left as it is plies away. Draws have their own columns at the far left. Best play goes from left to
//! right, one column a move.

use std::collections::BTreeMap;

use retrograde::Value;

use crate::legend::Legend;
use crate::svg::{Anchor, INK, Svg, fill, short, width_of, wrapped};
use crate::tint::words;

/// A picture of a graph.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The title, one line.
    pub title: String,
    /// Further lines below it.
    pub notes: Vec<String>,
    /// The vertices.
    pub nodes: Vec<Node>,
    /// The moves, from vertex to vertex, and whether each is a best one.
    pub edges: Vec<(usize, usize, bool)>,
    /// The start of play.
    pub start: Option<usize>,
    /// The meaning of the colours.
    pub legend: Legend,
}

/// A vertex.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Its value for the player to move.
    pub value: Value,
}

/// The most vertices that a reader can tell apart on a page.
pub const NODES_MAX: usize = 80;

const MARGIN: f64 = 20.0;
const NODE_HEIGHT: f64 = 38.0;
const ROW: f64 = 64.0;
/// How many drawn vertices a column has.
const DRAWN: usize = 6;

impl Graph {
    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let columns = self.columns();
        let label = |node: &Node| width_of(&node.name, 12.0).max(width_of("+123", 12.0)) + 16.0;
        let node_width = self.nodes.iter().map(label).fold(48.0, f64::max).min(150.0);
        let step = node_width + 64.0;
        let tallest = columns.iter().map(Vec::len).max().unwrap_or(1);
        let legend = self.legend.size();
        let width = (columns.len() as f64 * step - 64.0 + 2.0 * MARGIN + 30.0)
            .max(legend.0 + 2.0 * MARGIN)
            .max(360.0);
        let title = wrapped(&self.title, 16.0, width - 2.0 * MARGIN);
        let notes: Vec<String> =
            self.notes.iter().flat_map(|note| wrapped(note, 12.0, width - 2.0 * MARGIN)).collect();
        let top = MARGIN + title.len() as f64 * 22.0 + 34.0;
        let bottom = top + tallest as f64 * ROW + 6.0;
        let height = bottom + legend.1 + 8.0 + notes.len() as f64 * 17.0 + MARGIN;
        let mut svg = Svg::new(width, height);
        let bold = format!("{} font-weight=\"bold\"", fill(INK));
        svg.texts((MARGIN, MARGIN + 14.0), 16.0, 22.0, &title, &bold);
        let mut places = vec![(0.0, 0.0); self.nodes.len()];
        for (column, nodes) in columns.iter().enumerate() {
            let x = MARGIN + 15.0 + column as f64 * step + node_width / 2.0;
            let above = (tallest - nodes.len()) as f64 * ROW / 2.0;
            // Every other column is a little lower, so that moves over several columns pass between vertices.
            let aside = if column % 2 == 1 && nodes.len() < tallest { ROW / 4.0 } else { 0.0 };
            for (row, &node) in nodes.iter().enumerate() {
                places[node] = (x, top + above + aside + row as f64 * ROW + NODE_HEIGHT / 2.0);
            }
        }
        for best in [false, true] {
            for &(from, to, _) in self.edges.iter().filter(|edge| edge.2 == best) {
                draw_edge(&mut svg, places[from], places[to], node_width, best);
            }
        }
        for (number, node) in self.nodes.iter().enumerate() {
            self.draw_node(&mut svg, node, places[number], node_width, self.start == Some(number));
        }
        self.legend.draw(&mut svg, (MARGIN, bottom), true);
        svg.texts((MARGIN, bottom + legend.1 + 16.0), 12.0, 17.0, &notes, &fill(INK));
        svg.finish()
    }

    /// The vertices by column, from the left. In each column, a vertex stands near its successors.
    fn columns(&self) -> Vec<Vec<usize>> {
        let mut decided: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        let mut drawn = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            match node.value.distance() {
                Some(distance) => decided.entry(distance).or_default().push(number),
                None => drawn.push(number),
            }
        }
        let mut row_of = vec![0.0; self.nodes.len()];
        let mut columns: Vec<Vec<usize>> = Vec::new();
        // From right to left: a vertex gets the height of its successors.
        for (_, mut nodes) in decided {
            let height = |number: usize, row_of: &[f64]| {
                let to: Vec<f64> = self
                    .edges
                    .iter()
                    .filter(|edge| edge.0 == number && edge.2)
                    .map(|edge| row_of[edge.1])
                    .collect();
                if to.is_empty() { 0.0 } else { to.iter().sum::<f64>() / to.len() as f64 }
            };
            nodes.sort_by(|&a, &b| height(a, &row_of).total_cmp(&height(b, &row_of)));
            let middle = (nodes.len() as f64 - 1.0) / 2.0;
            for (row, &node) in nodes.iter().enumerate() {
                row_of[node] = row as f64 - middle;
            }
            columns.push(nodes);
        }
        columns.extend(drawn.chunks(DRAWN).rev().map(<[usize]>::to_vec));
        columns.reverse();
        columns
    }

    fn draw_node(&self, svg: &mut Svg, node: &Node, (x, y): (f64, f64), width: f64, start: bool) {
        let tint = self.legend.scale().tint(node.value);
        let at = (x - width / 2.0, y - NODE_HEIGHT / 2.0);
        let edge = if start {
            "stroke=\"#000000\" stroke-width=\"3.5\""
        } else {
            "stroke=\"#1b1b1b\" stroke-width=\"1\""
        };
        svg.rect(at, (width, NODE_HEIGHT), &format!("rx=\"7\" {} {edge}", fill(&tint.hex())));
        let most = ((width - 8.0) / 7.2) as usize;
        let name: String = match node.name.chars().count() > most {
            true => node.name.chars().take(most - 1).chain(['…']).collect(),
            false => node.name.clone(),
        };
        svg.text(
            (x, y - 3.0),
            12.0,
            Anchor::Middle,
            &name,
            &format!("{} font-weight=\"bold\"", fill(tint.ink())),
        );
        let value = words(node.value, self.legend.longest.is_some());
        svg.text((x, y + 13.0), 12.0, Anchor::Middle, &value, &fill(tint.ink()));
    }
}

/// A move. It goes from the right side to the left side of the next vertex; otherwise in a bow above or
/// below.
fn draw_edge(svg: &mut Svg, from: (f64, f64), to: (f64, f64), node_width: f64, best: bool) {
    let half = node_width / 2.0;
    let look = match best {
        true => "fill=\"none\" stroke=\"#000000\" stroke-width=\"2.4\"",
        false => "fill=\"none\" stroke=\"#7d7d7d\" stroke-width=\"1.1\"",
    };
    let colour = if best { "#000000" } else { "#7d7d7d" };
    let (start, end, c1, c2);
    if from == to {
        // A move to the same vertex: a loop on top.
        start = (from.0 - 10.0, from.1 - NODE_HEIGHT / 2.0);
        end = (from.0 + 10.0, from.1 - NODE_HEIGHT / 2.0);
        c1 = (start.0 - 8.0, start.1 - 26.0);
        c2 = (end.0 + 8.0, end.1 - 26.0);
    } else if to.0 > from.0 + 1.0 {
        start = (from.0 + half, from.1);
        end = (to.0 - half, to.1);
        let bend = ((end.0 - start.0) / 2.0).min(70.0);
        c1 = (start.0 + bend, start.1);
        c2 = (end.0 - bend, end.1);
    } else if to.0 > from.0 - 1.0 {
        // In the same column: on the right going down, on the left going up.
        let side = if to.1 > from.1 { 1.0 } else { -1.0 };
        start = (from.0 + side * half, from.1 + side * 6.0);
        end = (to.0 + side * half, to.1 - side * 6.0);
        let bow = side * (18.0 + (to.1 - from.1).abs() / 9.0).min(34.0);
        c1 = (start.0 + bow, start.1 + side * 6.0);
        c2 = (end.0 + bow, end.1 - side * 6.0);
    } else {
        start = (from.0 - half, from.1 + 9.0);
        end = (to.0 + half, to.1 + 9.0);
        let bend = ((start.0 - end.0) / 2.0).min(70.0);
        c1 = (start.0 - bend, start.1 + 6.0);
        c2 = (end.0 + bend, end.1 + 6.0);
    }
    let point = |(x, y): (f64, f64)| format!("{} {}", short(x), short(y));
    let length = (end.0 - c2.0).hypot(end.1 - c2.1).max(0.1);
    let (dx, dy) = ((end.0 - c2.0) / length, (end.1 - c2.1) / length);
    // The border of a vertex, thick where play begins, hides no tip.
    let end = (end.0 - dx * 2.0, end.1 - dy * 2.0);
    let neck = (end.0 - dx * 6.0, end.1 - dy * 6.0);
    svg.path(&format!("M{}C{} {} {}", point(start), point(c1), point(c2), point(neck)), look);
    let base = (end.0 - dx * 9.0, end.1 - dy * 9.0);
    let (px, py) = (-dy * 4.0, dx * 4.0);
    let head = [end, (base.0 + px, base.1 + py), (base.0 - px, base.1 - py)].map(point);
    svg.path(&format!("M{}L{}L{}Z", head[0], head[1], head[2]), &fill(colour));
}
