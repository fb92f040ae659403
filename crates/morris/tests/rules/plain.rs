//! The rules a second time, on boards written out by hand, without sets, symmetry or regions. They judge the crate.

use retrograde_morris::Men;

/// The lines of each board. Men step from a point to the next one of a line; a line of three is a mill.
const THREE: &str = "a3 b3 c3, a2 b2 c2, a1 b1 c1, a3 a2 a1, b3 b2 b1, c3 c2 c1";
/// Lines of three that are mills, but not paths for men.
const DIAGONALS: &str = "a3 b2 c1, c3 b2 a1";
const SIX: &str = "a5 c5 e5, e5 e3 e1, e1 c1 a1, a1 a3 a5, b4 c4 d4, d4 d3 d2, d2 c2 b2, b2 b3 b4, \
    c5 c4, e3 d3, c1 c2, a3 b3";
const NINE: &str = "a7 d7 g7, b6 d6 f6, c5 d5 e5, a4 b4 c4, e4 f4 g4, c3 d3 e3, b2 d2 f2, a1 d1 g1, \
    a7 a4 a1, b6 b4 b2, c5 c4 c3, d7 d6 d5, d3 d2 d1, e5 e4 e3, f6 f4 f2, g7 g4 g1";

/// A board with named points.
pub(crate) struct Board {
    pub(crate) men: usize,
    pub(crate) points: Vec<String>,
    steps: Vec<(usize, usize)>,
    mills: Vec<[usize; 3]>,
}

/// A position: the stones, the side to move, and how many stones have been placed.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Raw {
    pub(crate) at: Vec<char>,
    pub(crate) turn: char,
    pub(crate) placed: usize,
}

impl Board {
    pub(crate) fn new(men: Men) -> Board {
        let (lines, more) = match men {
            Men::Three => (THREE, DIAGONALS),
            Men::Six => (SIX, ""),
            Men::Nine => (NINE, ""),
        };
        let mut points: Vec<String> = Vec::new();
        let mut read = |text: &str| -> Vec<Vec<usize>> {
            let lines = text.split(", ").filter(|line| !line.is_empty());
            let mut number = |name: &str| match points.iter().position(|point| point == name) {
                Some(at) => at,
                None => {
                    points.push(name.to_owned());
                    points.len() - 1
                }
            };
            lines.map(|line| line.split_whitespace().map(&mut number).collect()).collect()
        };
        let (lines, more) = (read(lines), read(more));
        let steps = lines.iter().flat_map(|line| line.windows(2).map(|pair| (pair[0], pair[1])));
        let mills = lines.iter().chain(&more).filter(|line| line.len() == 3);
        let mills = mills.map(|line| [line[0], line[1], line[2]]).collect();
        Board { men: men.number() as usize, steps: steps.collect(), points, mills }
    }

    pub(crate) fn start(&self) -> Raw {
        Raw { at: vec!['.'; self.points.len()], turn: 'w', placed: 0 }
    }

    /// How many stones a side still has, on the board and in hand.
    fn left(&self, raw: &Raw, side: char) -> usize {
        let placed = if side == 'w' { raw.placed.div_ceil(2) } else { raw.placed / 2 };
        self.men - placed + raw.at.iter().filter(|&&stone| stone == side).count()
    }

    fn in_mill(&self, at: &[char], point: usize) -> bool {
        let mut mills = self.mills.iter().filter(|mill| mill.contains(&point));
        mills.any(|mill| mill.iter().all(|&other| at[other] == at[point]))
    }

    /// Every position one move later; empty if the game is over.
    pub(crate) fn moves(&self, raw: &Raw) -> Vec<Raw> {
        let mut found = Vec::new();
        if self.left(raw, raw.turn) < 3 {
            return found;
        }
        let points = 0..self.points.len();
        let own = raw.at.iter().filter(|&&stone| stone == raw.turn).count();
        for to in points.clone().filter(|&to| raw.at[to] == '.') {
            let mut boards = Vec::new();
            if raw.placed < 2 * self.men {
                boards.push(raw.at.clone());
            } else {
                for from in points.clone().filter(|&from| raw.at[from] == raw.turn) {
                    let step = self.steps.contains(&(from, to)) || self.steps.contains(&(to, from));
                    if step || self.men == 9 && own == 3 {
                        let mut at = raw.at.clone();
                        at[from] = '.';
                        boards.push(at);
                    }
                }
            }
            for mut at in boards {
                at[to] = raw.turn;
                self.take(raw, at, to, &mut found);
            }
        }
        found
    }

    /// The positions after a stone has reached a point: one, or one for each stone that may be taken.
    fn take(&self, raw: &Raw, at: Vec<char>, to: usize, found: &mut Vec<Raw>) {
        let turn = if raw.turn == 'w' { 'b' } else { 'w' };
        let placed = (raw.placed + 1).min(2 * self.men);
        let theirs = || (0..at.len()).filter(|&point| at[point] == turn);
        if !self.in_mill(&at, to) || theirs().next().is_none() {
            found.push(Raw { at, turn, placed });
            return;
        }
        let all = theirs().all(|point| self.in_mill(&at, point));
        for taken in theirs().filter(|&point| all || !self.in_mill(&at, point)) {
            let mut at = at.clone();
            at[taken] = '.';
            found.push(Raw { at, turn, placed });
        }
    }

    /// A position as text, in the crate's notation. The points are in a different order.
    pub(crate) fn text(&self, raw: &Raw) -> String {
        let mut text = String::new();
        for side in [raw.turn, if raw.turn == 'w' { 'b' } else { 'w' }] {
            text += if side == 'w' { " white" } else { " black" };
            let points = self.points.iter().zip(&raw.at).filter(|(_, stone)| **stone == side);
            points.for_each(|(name, _)| text += &format!(" {name}"));
        }
        let hand = self.men - raw.placed / 2;
        if hand > 0 { format!("{text} hand {hand}") } else { text }
    }

    /// Reads the crate's notation.
    pub(crate) fn read(&self, text: &str) -> Raw {
        let mut raw = Raw { placed: 2 * self.men, ..self.start() };
        raw.turn = text.chars().next().unwrap();
        let mut side = '.';
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "white" | "black" => side = word.chars().next().unwrap(),
                "hand" => {
                    let hand: usize = words.next().unwrap().parse().unwrap();
                    raw.placed = 2 * (self.men - hand) + usize::from(raw.turn == 'b');
                }
                name => raw.at[self.points.iter().position(|point| point == name).unwrap()] = side,
            }
        }
        raw
    }
}
