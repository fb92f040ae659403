//! Pictures as text for a terminal: boards and bars, with optional colour.

use retrograde::{Level, Value};

use crate::board::{Board, Cell};
use crate::graph::Graph;
use crate::histogram::bins;
use crate::men::Figure;
use crate::plot::Plot;
use crate::tint::sign;

/// The least width of a terminal.
const WIDTH: usize = 78;

impl Board {
    /// The board as lines of text. If there is space, each cell shows its distance. With `colour`, colours
    /// show it too.
    pub fn text(&self, colour: bool) -> String {
        let legend = self.legend.as_ref();
        let numbered = legend.is_some_and(|legend| legend.longest.is_some());
        let wide = match legend.and_then(|legend| legend.longest) {
            Some(longest) if numbered => longest.to_string().len() + 2,
            _ => 2,
        };
        // If a number does not fit, the cell shows a sign. If a blank does not fit either, cells touch.
        let wide = [wide, 2, 1].into_iter().find(|wide| wide * self.columns <= WIDTH).unwrap_or(1);
        let rows = self.rows();
        let name =
            |row: usize| self.names.as_ref().map_or(row.to_string(), |names| names.0[row].clone());
        let margin = (0..rows).map(|row| name(row).chars().count()).max().unwrap_or(0);
        let mut text = format!("{}\n\n", self.title);
        for row in 0..rows {
            text.push_str(&format!("{:>margin$} ", name(row)));
            for column in 0..self.columns {
                let number = row * self.columns + column;
                text.push_str(&self.cell(number, wide, colour));
            }
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        if let Some((_, names)) = &self.names {
            let names: Vec<String> = names.iter().map(|name| format!("{name:>wide$}")).collect();
            text.push_str(&format!("{:margin$} {}\n", "", names.concat()));
        }
        text.push('\n');
        if let Some(legend) = legend {
            let kinds = [('+', &*legend.win), ('−', &*legend.loss), ('=', "draw")];
            let found = kinds.iter().zip(legend.found).filter(|(_, found)| *found);
            let found: Vec<String> =
                found.map(|((sign, words), _)| format!("{sign} {words}")).collect();
            let unit = if numbered && wide > 2 { "; numbers are plies" } else { "" };
            text.push_str(&format!("{}{unit}\n", found.join("   ")));
        }
        for note in &self.notes {
            text.push_str(&format!("{note}\n"));
        }
        text
    }

    fn cell(&self, number: usize, wide: usize, colour: bool) -> String {
        let cell = self.cells[number];
        let man = self.men.iter().find(|man| man.cell == number);
        let letter = match (man.map(|man| man.figure), cell) {
            (
                Some(Figure::Disc { letter, .. } | Figure::Piece { role: letter, white: true }),
                _,
            ) => Some(letter),
            (Some(Figure::Piece { role, .. }), _) => Some(role.to_ascii_lowercase()),
            (None, Cell { line: Some(line), .. }) => Some(line),
            (None, Cell { wall: true, .. }) => Some('*'),
            (None, Cell { value: None, exit: true, .. }) => Some('E'),
            (None, Cell { value: None, .. }) => Some('.'),
            _ => None,
        };
        let words = match (letter, cell.value) {
            (Some(letter), _) => letter.to_string(),
            (None, Some(value)) if wide > 2 => {
                let distance =
                    value.distance().map_or(String::new(), |distance| distance.to_string());
                format!("{}{distance}", sign(value))
            }
            (None, value) => value.map_or('.', sign).to_string(),
        };
        let words = format!("{words:>wide$}");
        let tint =
            self.legend.as_ref().zip(cell.value).map(|(legend, value)| legend.scale().tint(value));
        match tint {
            Some(tint) if colour => {
                let ink = if tint.ink() == "#ffffff" { 231 } else { 16 };
                let weight = if man.is_some() { ";1;4" } else { "" };
                format!("\x1b[38;5;{ink};48;5;{}{weight}m{words}\x1b[0m", tint.cube())
            }
            _ => words,
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
            let distance =
                node.value.distance().map_or(String::new(), |distance| distance.to_string());
            let value = format!("{}{distance}", sign(node.value));
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

impl Plot {
    /// The points as a table.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.title);
        for series in &self.series {
            text.push_str(&format!(
                "\n{}\n{:>12} {:>16} {:>12}\n",
                series.name, "", self.across, self.up
            ));
            for point in &series.points {
                let states = count(point.x as u64);
                text.push_str(&format!("{:>12} {states:>16} {:>12}\n", point.name, point.y));
            }
        }
        text
    }
}

/// Bars for the states that are won and lost at each distance, in lines of at most 78 letters.
pub fn bars(levels: &[Level], colour: bool) -> String {
    let bins = bins(levels, 40);
    let most = bins.iter().map(|bin| bin.wins.max(bin.losses)).max().unwrap_or(0).max(1);
    let (count, label) = (count(most).len().max(6), span(&bins).max(5));
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
        let [won, lost] = [bin.wins, bin.losses].map(self::count);
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

/// `1,234,567`.
fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
