//! Small games between two players on a board of few squares. This module tries all play from the start and
//! makes a graph of it.
//!
//! A game says where its men start, how they move, and when it is over. It needs no numbers for positions and
//! no backward moves. Its states are the positions that play reaches, so counts agree with published ones.

pub(crate) mod achi;
pub(crate) mod dodgem;
pub(crate) mod hare;
pub(crate) mod mu_torere;
pub(crate) mod pong_hau_ki;
mod three;
pub(crate) mod tsoro;

use std::collections::HashSet;
use std::fmt::Debug;

use retrograde::Value;
use retrograde::adapters::Edges;
use retrograde_positions::{Board, End, Hand, Move, Positions};

use crate::{GameSpec, Graph, SetupError, Visitor};

/// The rules of a game for two on at most 26 squares. A square holds one man. Its name is a letter, `a` being square 0. A set
/// of squares has a bit for each.
pub(crate) trait Rules: Sync + Debug {
    /// The name of the game.
    fn name(&self) -> &'static str;

    /// The players. The first one begins.
    fn sides(&self) -> &'static [&'static str; 2] {
        &["x", "o"]
    }

    /// The letters of their men.
    fn letters(&self) -> [char; 2] {
        ['x', 'o']
    }

    /// What their men are.
    fn kinds(&self) -> [&'static str; 2] {
        ["man", "man"]
    }

    /// Where the squares lie, right and down, in reading order.
    fn points(&self) -> &'static [(u8, u8)];

    /// The lines of the board, each given by the letters of its squares. None on a board of squares.
    fn lines(&self) -> &'static [&'static str];

    /// The position that play begins in, as a text.
    fn start(&self) -> &'static str;

    /// How many men each player has yet to put down.
    fn hand(&self, position: Position) -> [u32; 2] {
        let _ = position;
        [0; 2]
    }

    /// The value for the player to move, if the game is over. `None` also if that player merely has no move,
    /// which loses.
    fn verdict(&self, position: Position) -> Option<Value> {
        let _ = position;
        None
    }

    /// The positions one move later.
    fn moves(&self, position: Position, visit: &mut dyn FnMut(Position));
}

/// The side to move, and the men of each player. The order of positions is the order of their states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Position {
    pub(crate) side: usize,
    pub(crate) men: [u32; 2],
}

impl Position {
    /// The men of the player to move.
    pub(crate) fn own(self) -> u32 {
        self.men[self.side]
    }

    /// The men of the other player.
    pub(crate) fn other(self) -> u32 {
        self.men[1 - self.side]
    }

    /// The squares without a man.
    pub(crate) fn free(self) -> u32 {
        !(self.men[0] | self.men[1])
    }

    /// The position after the player to move has moved to `men`: the other player is to move.
    pub(crate) fn after(mut self, men: u32) -> Position {
        self.men[self.side] = men;
        self.side = 1 - self.side;
        self
    }
}

impl GameSpec {
    /// A small game, which has no parameters.
    const fn small(name: &'static str, summary: &'static str, rules: &'static str) -> GameSpec {
        GameSpec { name, summary, rules, file: None, parameters: &[], example: "" }
    }
}

/// The squares of a board of three by three.
const SQUARE: &[(u8, u8)] =
    &[(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)];

/// Builds a small game.
fn played_out<V: Visitor>(rules: &'static dyn Rules, visitor: V) -> Result<V::Output, SetupError> {
    Ok(visitor.visit(Graph::small(rules)))
}

/// All positions of a small game that play reaches.
#[derive(Clone, Debug)]
pub(crate) struct Reached {
    rules: &'static dyn Rules,
    start: Position,
    /// The positions, in the order of their states.
    all: Vec<Position>,
}

impl Reached {
    /// Tries all play. Returns the graph as well.
    pub(crate) fn explore(rules: &'static dyn Rules) -> (Reached, Edges) {
        let start = read(rules, rules.start()).expect("rules begin with a position");
        let mut found = HashSet::from([start]);
        let mut all = vec![start];
        let mut moves = Vec::new();
        let mut done = 0;
        while let Some(&from) = all.get(done) {
            if rules.verdict(from).is_none() {
                rules.moves(from, &mut |to| {
                    moves.push((from, to));
                    if found.insert(to) {
                        all.push(to);
                    }
                });
            }
            done += 1;
        }
        all.sort_unstable();
        let positions = Reached { rules, start, all };
        let state = |position| positions.state(position).unwrap_or_default();
        let edges = moves.into_iter().map(|(from, to)| (state(from), state(to)));
        let terminals = (0..).zip(&positions.all);
        let terminals = terminals.filter_map(|(state, &at)| Some((state, rules.verdict(at)?)));
        let edges = Edges::new(positions.all.len() as u64, edges).with_terminals(terminals);
        (positions, edges)
    }

    /// The state of a position that play reaches.
    fn state(&self, position: Position) -> Option<u64> {
        self.all.binary_search(&position).ok().map(|state| state as u64)
    }

    /// How many states have the first player to move. They come first.
    pub(crate) fn firsts(&self) -> u64 {
        self.all.partition_point(|position| position.side == 0) as u64
    }

    /// What stands on a square.
    fn sign(&self, position: Position, square: u32) -> char {
        let [first, second] = self.rules.letters();
        match position.men.map(|men| men >> square & 1) {
            [1, _] => first,
            [_, 1] => second,
            _ => '.',
        }
    }
}

/// The squares of each row of the board.
fn rows(rules: &dyn Rules) -> impl Iterator<Item = Vec<u32>> {
    let points = rules.points();
    let squares: Vec<u32> = (0..points.len() as u32).collect();
    let rows = squares.chunk_by(|&a, &b| points[a as usize].1 == points[b as usize].1);
    rows.map(<[u32]>::to_vec).collect::<Vec<_>>().into_iter()
}

/// The position that a text names, even if play does not reach it.
fn read(rules: &dyn Rules, text: &str) -> Option<Position> {
    let (side, board) = text.trim().split_once(char::is_whitespace)?;
    let side = rules.sides().iter().position(|name| *name == side)?;
    let mut position = Position { side, men: [0; 2] };
    let mut texts = board.trim().split('/');
    for row in rows(rules) {
        let signs: Vec<char> = texts.next()?.chars().collect();
        if signs.len() != row.len() {
            return None;
        }
        for (sign, square) in signs.into_iter().zip(row) {
            match rules.letters().iter().position(|letter| *letter == sign) {
                Some(player) => position.men[player] |= 1 << square,
                None if sign == '.' => {}
                None => return None,
            }
        }
    }
    texts.next().is_none().then_some(position)
}

/// The square of a letter of the board.
fn square_of(letter: u8) -> Option<u32> {
    letter.is_ascii_lowercase().then(|| u32::from(letter - b'a'))
}

impl Positions for Reached {
    type Position = Position;
    type Region = ();
    type Index = ();

    fn players(&self) -> &'static [&'static str] {
        self.rules.sides()
    }

    fn start(&self) -> Option<Position> {
        Some(self.start)
    }

    fn read(&self, text: &str) -> Result<Position, String> {
        match read(self.rules, text) {
            None => {
                let start = self.rules.start();
                Err(format!("{text:?} is not a position of this game: write it like {start:?}"))
            }
            Some(position) if self.state(position).is_none() => {
                Err(format!("play from the start never reaches {text:?}"))
            }
            Some(position) => Ok(position),
        }
    }

    /// The player to move, and the board row by row: `x xo./.../...`.
    fn write(&self, position: &Position) -> String {
        let sign = |square| self.sign(*position, square);
        let row = |row: Vec<u32>| row.into_iter().map(sign).collect();
        let rows: Vec<String> = rows(self.rules).map(row).collect();
        format!("{} {}", self.rules.sides()[position.side], rows.join("/"))
    }

    fn player(&self, position: &Position) -> usize {
        position.side
    }

    /// The name of a move is `e` for a man put down, `a-e` for a man moved, `a-off` for a man that leaves the board.
    fn moves(&self, &from: &Position, visit: &mut dyn FnMut(Move<Position>)) -> Option<End> {
        if let Some(value) = self.rules.verdict(from) {
            return Some(End::terminal(value));
        }
        let mut stuck = true;
        self.rules.moves(from, &mut |to| {
            let (before, after) = (from.own(), to.men[from.side]);
            let at = |set: u32| set.trailing_zeros() as usize;
            let name = |set| name(at(set) as u32);
            let (name, points) = match (before & !after, after & !before) {
                (0, put) => (name(put), vec![at(put)]),
                (gone, 0) => (format!("{}-off", name(gone)), vec![at(gone); 2]),
                (gone, put) => (format!("{}-{}", name(gone), name(put)), vec![at(gone), at(put)]),
            };
            let spellings = vec![self.write(&to)];
            visit(Move { spellings, ..Move::new(name, points, to) });
            stuck = false;
        });
        stuck.then_some(End::STUCK)
    }

    fn board(&self, position: &Position) -> Option<Board> {
        let points = self.rules.points();
        let points = (0..).zip(points).map(|(square, &(x, y))| (name(square), x.into(), y.into()));
        let lines = self.rules.lines().iter().flat_map(|line| pairs(line));
        let lines = lines.map(|(a, b)| (a as usize, b as usize));
        let mut board = Board::points(points).lined(lines);
        let hands = self.rules.hand(*position);
        for (player, sign) in self.rules.letters().into_iter().enumerate() {
            let kind = self.rules.kinds()[player];
            let men = squares(position.men[player]).map(|square| square as usize);
            board.put((kind, sign), Some(player), men);
            if hands != [0; 2] {
                board.hands.push(Hand { kind, sign, player, count: hands[player] });
            }
        }
        Some(board)
    }

    fn with_board(&self, board: &Board, player: usize) -> Option<Position> {
        let men = board.sets(|man| man.player)?.map(|men| men as u32);
        let position = Position { side: player, men };
        self.state(position).map(|_| position)
    }

    fn region(&self, _: &Position) -> Result<(), Value> {
        Ok(())
    }

    fn index(&self, _: &()) {}

    fn number(&self, _: &(), position: &Position) -> u64 {
        self.state(*position).expect("play reaches every position that `read` accepts")
    }

    fn position(&self, _: &(), state: u64) -> Option<Position> {
        self.all.get(state as usize).copied()
    }
}

/// The name of a square: its letter.
fn name(square: u32) -> String {
    char::from(b'a' + square as u8).to_string()
}

/// The squares of a set.
pub(crate) fn squares(set: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS).filter(move |square| set >> square & 1 != 0)
}

/// The neighbours along a line, which is given by the letters of its squares.
fn pairs(line: &str) -> impl Iterator<Item = (u32, u32)> {
    line.as_bytes().windows(2).filter_map(|pair| Some((square_of(pair[0])?, square_of(pair[1])?)))
}

/// The squares next to a square along some lines. Each line is given by the letters of its squares.
pub(crate) fn neighbours(lines: &[&str], square: u32) -> u32 {
    lines.iter().flat_map(|line| pairs(line)).fold(0, |set, (a, b)| match square {
        _ if a == square => set | 1 << b,
        _ if b == square => set | 1 << a,
        _ => set,
    })
}
