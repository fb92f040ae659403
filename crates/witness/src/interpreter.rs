//! Reads the text of a game (`docs/texts.md`) and plays it, slowly: the judge of the compiler.
//!
//! It follows the reference page word by word. It only goes forwards, keeps a position as a list of men, and looks at each
//! statement anew for each move. It shares no code with the crate `retrograde-described`. It trusts that the text is right.

mod ends;
mod moves;

use std::collections::{BTreeMap, BTreeSet};

use retrograde::Value;

/// A player, 0 or 1, and a kind of men.
type Man = (usize, String);

/// A position: who is to move, the men on points, and the numbers of men in hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Placement {
    side: usize,
    men: BTreeMap<usize, Man>,
    hand: BTreeMap<Man, usize>,
}

/// A game that is played from its text.
#[derive(Debug)]
pub struct Interpreter {
    /// The words of each statement.
    statements: Vec<Vec<String>>,
    players: [String; 2],
    /// The name of each point, its column, and its row from the top.
    points: Vec<(String, i32, i32)>,
    /// All men that the text names, first those of the first player.
    men: Vec<Man>,
}

/// A move: whether it needs that there is no other, the point of the man that it takes, and the position after it.
struct Played {
    otherwise: bool,
    taken: Option<usize>,
    next: Placement,
}

impl Interpreter {
    /// Reads a text.
    pub fn new(text: &str) -> Interpreter {
        let words = |line: &str| {
            let line = line.split('#').next().expect("a part before a comment");
            line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        let statements: Vec<Vec<String>> =
            text.lines().map(words).filter(|words| !words.is_empty()).collect();
        let mut game = Interpreter {
            statements,
            players: ["first".to_owned(), "second".to_owned()],
            points: Vec::new(),
            men: Vec::new(),
        };
        if let [names] = &game.all("players")[..] {
            game.players = [names[1].clone(), names[2].clone()];
        }
        let board = game.all("board")[0].clone();
        if board[1] == "grid" {
            let (columns, rows): (i32, i32) = (number(&board[2]), number(&board[3]));
            for row in (0..rows).rev() {
                for column in 0..columns {
                    if !has(&board, "dark") || (row + column) % 2 == 0 {
                        let letter = char::from(b'a' + column as u8);
                        game.points.push((format!("{letter}{}", row + 1), column, rows - 1 - row));
                    }
                }
            }
        } else {
            for (row, words) in (0..).zip(game.all("row")) {
                let points = (0..).zip(&words[1..]).filter(|(_, name)| *name != ".");
                let points = points.map(|(column, name)| (name.clone(), column, row));
                game.points.extend(points.collect::<Vec<_>>());
            }
        }
        for player in 0..2 {
            for men in game.all("men") {
                if men[1] == "both" || men[1] == game.players[player] {
                    game.men.push((player, men[2].clone()));
                }
            }
        }
        game
    }

    /// The statements that begin with a word.
    fn all(&self, word: &str) -> Vec<Vec<String>> {
        self.statements.iter().filter(|words| words[0] == word).cloned().collect()
    }

    fn point(&self, name: &str) -> usize {
        self.points.iter().position(|(other, ..)| other == name).expect("a point of the board")
    }

    fn is_grid(&self) -> bool {
        self.all("board")[0][1] == "grid"
    }

    /// The points of a zone.
    fn zone(&self, text: &str) -> BTreeSet<usize> {
        if text == "any" {
            return (0..self.points.len()).collect();
        }
        if !self.is_grid() {
            let letters = text.chars().filter(|letter| *letter != ',');
            return letters.map(|letter| self.point(&letter.to_string())).collect();
        }
        let of = |part: &str| {
            let name = |at: &usize| self.points[*at].0.clone();
            let all = 0..self.points.len();
            match part.split_once('-') {
                Some(("row", row)) => all.filter(|at| name(at)[1..] == *row).collect::<Vec<_>>(),
                Some((_, column)) => all.filter(|at| name(at)[..1] == *column).collect(),
                None => vec![self.point(part)],
            }
        };
        text.split(',').flat_map(of).collect()
    }

    /// The rays that leave a point in a direction, or in a group of directions.
    fn rays(&self, from: usize, direction: &str) -> Vec<Vec<usize>> {
        let grid = ["n", "e", "s", "w", "ne", "se", "sw", "nw"];
        let group: Vec<String> = match direction {
            "orthogonal" => grid[..4].iter().map(|name| (*name).to_owned()).collect(),
            "diagonal" => grid[4..].iter().map(|name| (*name).to_owned()).collect(),
            "all" if self.is_grid() => grid.iter().map(|name| (*name).to_owned()).collect(),
            "all" => {
                let lines = self.statements.iter().filter(|words| words[0] == "line");
                lines.flat_map(|words| [words[1].clone(), format!("-{}", words[1])]).collect()
            }
            one => vec![one.to_owned()],
        };
        let mut rays = BTreeSet::new();
        for direction in group {
            if self.is_grid() && direction == "knight" {
                let (_, column, row) = self.points[from];
                let leaps = (0..self.points.len()).filter(|at| {
                    let (_, x, y) = self.points[*at];
                    (x - column).abs().min((y - row).abs()) == 1
                        && (x - column).abs().max((y - row).abs()) == 2
                });
                rays.extend(leaps.map(|at| vec![at]));
            } else if self.is_grid() {
                let right = i32::from(direction.contains('e')) - i32::from(direction.contains('w'));
                let down = i32::from(direction.contains('s')) - i32::from(direction.contains('n'));
                let (_, mut column, mut row) = self.points[from];
                let mut ray = Vec::new();
                loop {
                    (column, row) = (column + right, row + down);
                    let here = |(_, x, y): &(String, i32, i32)| (*x, *y) == (column, row);
                    match self.points.iter().position(here) {
                        Some(point) => ray.push(point),
                        None => break,
                    }
                }
                rays.insert(ray);
                continue;
            }
            for words in &self.statements {
                let backwards = direction.strip_prefix('-');
                if words[0] != "line" || words[1] != backwards.unwrap_or(&direction) {
                    continue;
                }
                for line in &words[2..] {
                    let mut line: Vec<usize> = line
                        .chars()
                        .filter(|c| *c != ',')
                        .map(|c| self.point(&c.to_string()))
                        .collect();
                    // A line that ends where it begins goes round.
                    let round = line.first() == line.last();
                    if round {
                        line.pop();
                    }
                    if backwards.is_some() {
                        line.reverse();
                    }
                    let Some(at) = line.iter().position(|point| *point == from) else { continue };
                    let before = if round { line[..at].to_vec() } else { Vec::new() };
                    rays.insert([line[at + 1..].to_vec(), before].concat());
                }
            }
        }
        rays.retain(|ray| !ray.is_empty());
        rays.into_iter().collect()
    }

    /// The directions at the beginning of some words.
    fn directions(&self, words: &[String]) -> Vec<String> {
        let known = |word: &&String| {
            let name = word.strip_prefix('-').unwrap_or(word);
            ["all", "orthogonal", "diagonal", "knight", "n", "e", "s", "w", "ne", "se", "sw", "nw"]
                .contains(&name)
                && (self.is_grid() || name == "all")
                || self.statements.iter().any(|line| line[0] == "line" && line[1] == name)
        };
        words.iter().take_while(known).cloned().collect()
    }

    /// Whether a statement is for a player.
    fn is_for(&self, words: &[String], player: usize) -> bool {
        after(words, "for").is_none_or(|name| *name == self.players[player])
    }

    /// The positions after the moves of a position. There are none if the game is over.
    pub fn next(&self, position: &Placement) -> BTreeSet<Placement> {
        if self.verdict(position).is_some() {
            return BTreeSet::new();
        }
        let all = self.moves(position, position.side);
        let mut next = BTreeSet::new();
        for otherwise in [false, true] {
            if next.is_empty() {
                let these = all.iter().filter(|played| played.otherwise == otherwise);
                next.extend(these.map(|played| played.next.clone()));
            }
        }
        next
    }

    /// The value of a position in which the game is over, for the player to move.
    pub fn value(&self, position: &Placement) -> Option<Value> {
        self.verdict(position).or_else(|| {
            self.next(position).is_empty().then(|| match self.word("stuck", "loses") {
                "wins" => Value::Win(0),
                "draws" => Value::Draw,
                _ => Value::Loss(0),
            })
        })
    }

    /// What a statement says that stands once.
    fn word<'t>(&'t self, statement: &str, default: &'t str) -> &'t str {
        let found = self.statements.iter().find(|words| words[0] == statement);
        found.map_or(default, |words| &words[1])
    }

    /// The position that play begins with.
    pub fn start(&self) -> Placement {
        let mut start = Placement::default();
        for words in self.all("men").iter().filter(|words| has(words, "hand")) {
            for player in 0..2 {
                if words[1] == "both" || words[1] == self.players[player] {
                    start.hand.insert((player, words[2].clone()), number(&words[3]) as usize);
                }
            }
        }
        for words in self.all("start") {
            let player = usize::from(words[1] == self.players[1]);
            let men =
                self.zone(&words[3]).into_iter().map(|point| (point, (player, words[2].clone())));
            start.men.extend(men);
        }
        start.hand.retain(|_, count| *count > 0);
        start
    }

    fn sign(&self, (player, kind): &Man) -> String {
        let letter = kind.chars().next().expect("a kind has a name").to_string();
        if *player == 0 { letter.to_uppercase() } else { letter }
    }

    /// The text of a position. The men in hand are always there.
    pub fn write(&self, position: &Placement) -> String {
        let mut rows: BTreeMap<i32, String> = BTreeMap::new();
        for (point, (_, _, row)) in self.points.iter().enumerate() {
            let sign = position.men.get(&point).map_or(".".to_owned(), |man| self.sign(man));
            rows.entry(*row).or_default().push_str(&sign);
        }
        let rows: Vec<String> = rows.into_values().collect();
        let count = |man: &Man| position.hand.get(man).copied().unwrap_or(0);
        let hand: String = self.men.iter().map(|man| self.sign(man).repeat(count(man))).collect();
        let hand = if hand.is_empty() { "-" } else { &hand };
        format!("{} {} {hand}", self.players[position.side], rows.join("/"))
    }

    /// The position of a text.
    pub fn read(&self, text: &str) -> Placement {
        let words: Vec<&str> = text.split_whitespace().collect();
        let man = |sign: char| {
            let found = self.men.iter().find(|man| self.sign(man) == sign.to_string());
            found.unwrap_or_else(|| panic!("{text}: no man {sign}")).clone()
        };
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.sort_by_key(|point| (self.points[*point].2, self.points[*point].1));
        let signs = words[1].chars().filter(|sign| *sign != '/');
        let men = order.into_iter().zip(signs).filter(|(_, sign)| *sign != '.');
        let mut position = Placement {
            side: usize::from(words[0] == self.players[1]),
            men: men.map(|(point, sign)| (point, man(sign))).collect(),
            hand: BTreeMap::new(),
        };
        for sign in words.get(2).unwrap_or(&"-").chars().filter(|sign| *sign != '-') {
            *position.hand.entry(man(sign)).or_default() += 1;
        }
        position
    }
}

fn number(word: &str) -> i32 {
    word.parse().expect("a number")
}

fn has(words: &[String], word: &str) -> bool {
    words.iter().any(|each| each == word)
}

/// The word after another one.
fn after<'w>(words: &'w [String], word: &str) -> Option<&'w String> {
    words.iter().position(|each| each == word).and_then(|at| words.get(at + 1))
}
