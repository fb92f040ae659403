//! Pictures as text for a terminal: boards and bars, with optional colour.

use retrograde::{Level, Value, grouped};
use retrograde_positions::{Board, Point};

use crate::drawing::Drawing;
use crate::graph::Graph;
use crate::histogram::bins;
use crate::tiles::{Paint, Tile, Tiles};
use crate::tint::{sign, words};

/// The least width of a terminal.
const WIDTH: usize = 78;

impl Drawing {
    /// The board as lines of text. If there is space, each square shows its distance. With `colour`, colours
    /// show it too.
    pub fn text(&self, colour: bool) -> String {
        let mut text = format!("{}\n\n", self.title);
        let wide = match Tiles::of(&self.board) {
            None => {
                let men = self.board.men.iter();
                let men =
                    men.map(|man| format!("{} {}", man.sign, self.board.points[man.point].name));
                text.push_str(&format!("{}\n", men.collect::<Vec<_>>().join(", ")));
                let (points, values) = (self.board.points.iter(), &self.values);
                let wide =
                    points.clone().map(|point| point.name.chars().count()).max().unwrap_or(0);
                for (point, value) in points.zip(values) {
                    let Some(value) = value else { continue };
                    let known = self.legend.as_ref().is_some_and(|legend| legend.longest.is_some());
                    let words = self.tinted(&words(*value, known), *value, false, colour);
                    text.push_str(&format!("{:<wide$}  {words}\n", point.name));
                }
                3
            }
            Some(tiles) if tiles.squares => self.squares(&tiles, colour, &mut text),
            Some(tiles) => {
                let show = |tile: &Tile| match tile.point.and_then(|point| self.value(point)) {
                    Some(value) if !matches!(tile.paint, Paint::Man(_)) => {
                        self.tinted(&sign(value).to_string(), value, false, colour)
                    }
                    _ => tile.sign.to_string(),
                };
                text.push_str(&tiles.text(show));
                text.push('\n');
                1
            }
        };
        text.push('\n');
        if let Some(legend) = &self.legend {
            let kinds = [('+', &*legend.win), ('−', &*legend.loss), ('=', "draw")];
            let found = kinds.iter().zip(legend.found).filter(|(_, found)| *found);
            let found: Vec<String> =
                found.map(|((sign, words), _)| format!("{sign} {words}")).collect();
            let unit =
                if legend.longest.is_some() && wide > 2 { "; numbers are plies" } else { "" };
            text.push_str(&format!("{}{unit}\n", found.join("   ")));
        }
        if let Some(names) = self.point_names() {
            text.push_str(&format!("points: {names}\n"));
        }
        for hand in self.board.hands.iter().filter(|hand| hand.count > 0) {
            text.push_str(&format!("in hand: {} {}\n", hand.sign, hand.count));
        }
        for note in &self.notes {
            text.push_str(&format!("{note}\n"));
        }
        text
    }

    /// The names of the points, row by row, if the board has no names at its edge: `a b c / d e f`.
    fn point_names(&self) -> Option<String> {
        let Board { points, edge: None, .. } = &self.board else { return None };
        Tiles::of(&self.board)?;
        let names =
            |row: &[Point]| row.iter().map(|point| &*point.name).collect::<Vec<_>>().join(" ");
        Some(points.chunk_by(|a, b| a.y == b.y).map(names).collect::<Vec<_>>().join(" / "))
    }

    /// Writes a board of squares. Returns how wide a square is.
    fn squares(&self, tiles: &Tiles, colour: bool, text: &mut String) -> usize {
        let longest = self.legend.as_ref().and_then(|legend| legend.longest);
        let wide = longest.map_or(2, |longest| longest.to_string().len() + 2);
        // If a number does not fit, the square shows a sign. If a blank does not fit either, squares touch.
        let wide = [wide, 2, 1].into_iter().find(|wide| wide * tiles.columns <= WIDTH).unwrap_or(1);
        let name = |row: usize| self.board.edge.as_ref().map_or("", |(rows, _)| &rows[row]);
        let margin = (0..tiles.rows()).map(|row| name(row).chars().count()).max().unwrap_or(0);
        for (row, tiles) in tiles.tiles.chunks(tiles.columns).enumerate() {
            text.push_str(&format!("{:>margin$} ", name(row)));
            tiles.iter().for_each(|tile| text.push_str(&self.square(tile, wide, colour)));
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        let names = self.board.edge.as_ref().map(|(_, columns)| columns);
        // Numbers need a blank between them.
        let fits = |names: &&Vec<String>| {
            tiles.names.is_some() || names.iter().all(|name| name.len() < wide)
        };
        if let Some(names) = names.filter(fits) {
            let names: Vec<String> = names.iter().map(|name| format!("{name:>wide$}")).collect();
            text.push_str(&format!("{:margin$} {}\n", "", names.concat()));
        }
        wide
    }

    fn square(&self, tile: &Tile, wide: usize, colour: bool) -> String {
        let value = tile.point.and_then(|point| self.value(point));
        let is_man = matches!(tile.paint, Paint::Man(_));
        let words = match value.filter(|_| !is_man) {
            None => tile.sign.to_string(),
            Some(value) => words(value, wide > 2),
        };
        let words = format!("{words:>wide$}");
        match value {
            Some(value) => self.tinted(&words, value, is_man, colour),
            None => words,
        }
    }

    /// A text in the colour of a value.
    fn tinted(&self, words: &str, value: Value, bold: bool, colour: bool) -> String {
        match &self.legend {
            Some(legend) if colour => {
                let tint = legend.scale().tint(value);
                let ink = if tint.ink() == "#ffffff" { 231 } else { 16 };
                let weight = if bold { ";1;4" } else { "" };
                format!("\x1b[38;5;{ink};48;5;{}{weight}m{words}\x1b[0m", tint.cube())
            }
            _ => words.to_owned(),
        }
    }
}

impl Graph {
    /// The graph as a list: each vertex with its value and its successors. Best moves are marked.
    pub fn text(&self) -> String {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order
            .sort_by_key(|&number| self.nodes[number].value.distance().map_or(u64::MAX, u64::from));
        let width = self.nodes.iter().map(|node| node.name.chars().count()).max().unwrap_or(0);
        let mut text = format!("{}\n\n", self.title);
        for number in order {
            let node = &self.nodes[number];
            let value = words(node.value, true);
            let moves = self.edges.iter().filter(|edge| edge.0 == number);
            let moves: Vec<String> = moves
                .map(|edge| format!("{}{}", self.nodes[edge.1].name, if edge.2 { "!" } else { "" }))
                .collect();
            let line = format!("{:width$}  {value:>5}  {}", node.name, moves.join(", "));
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text.push_str(
            "\n+ won, − lost, = drawn for the player to move; numbers are plies; ! a best move\n",
        );
        text
    }
}

/// Bars for the states that are won and lost at each distance, in lines of at most 78 letters.
pub fn bars(levels: &[Level], colour: bool) -> String {
    let bins = bins(levels, 40);
    let most = bins.iter().map(|bin| bin.wins.max(bin.losses)).max().unwrap_or(0).max(1);
    let (count, label) = (grouped(most).len().max(6), span(&bins).max(5));
    // Two bars, two counts, and blanks between them.
    let room = WIDTH.saturating_sub(label + 2 * count + 6) / 2;
    let paint = |bar: String, value: Value| match colour {
        true => {
            let tint = crate::Scale { longest: 100 }.tint(value);
            format!("\x1b[38;5;{}m{bar}\x1b[0m", tint.cube())
        }
        false => bar,
    };
    let mut text =
        format!("{:>label$}  {:>count$} {:<room$}  {:>count$}\n", "plies", "wins", "", "losses");
    for bin in &bins {
        let name = match bin.first == bin.last {
            true => bin.first.to_string(),
            false => format!("{}-{}", bin.first, bin.last),
        };
        let long = |states: u64| match states {
            0 => 0,
            states => ((states as f64 / most as f64 * room as f64).round() as usize).max(1),
        };
        let wins = paint(format!("{:<room$}", "#".repeat(long(bin.wins))), Value::Win(30));
        let losses = paint("-".repeat(long(bin.losses)), Value::Loss(40));
        let [won, lost] = [bin.wins, bin.losses].map(grouped);
        text.push_str(&format!("{name:>label$}  {won:>count$} {wins}  {lost:>count$} {losses}"));
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}

fn span(bins: &[crate::Bin]) -> usize {
    bins.last().map_or(0, |bin| match bin.first == bin.last {
        true => bin.last.to_string().len(),
        false => 2 * bin.last.to_string().len() + 1,
    })
}
