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

use crate::{GameSpec, Graph, SetupError, Show, Visitor};

/// The rules of a game for two on at most 26 squares. A square holds one man. Squares are the letters of
/// [`board`](Rules::board), `a` being square 0, and a set of squares has a bit for each.
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

    /// The board drawn, with a lower-case letter for each square; in reading order they are the alphabet.
    fn board(&self) -> &'static str;

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

/// Builds a small game.
fn played_out<V: Visitor>(rules: &'static dyn Rules, visitor: V) -> Result<V::Output, SetupError> {
    Ok(visitor.visit(Graph::small(rules)))
}

/// All positions of a small game that play reaches.
#[derive(Clone, Debug)]
pub(crate) struct Positions {
    rules: &'static dyn Rules,
    start: Position,
    /// The positions, in the order of their states.
    all: Vec<Position>,
}

impl Positions {
    /// Tries all play. Returns the graph as well.
    pub(crate) fn explore(rules: &'static dyn Rules) -> (Positions, Edges) {
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
        let positions = Positions { rules, start, all };
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

    fn position(&self, state: u64) -> Position {
        self.all[state as usize]
    }

    /// How many states have the first player to move. They come first.
    fn firsts(&self) -> u64 {
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

/// The squares of each row of the board. Skips rows without squares.
fn rows(rules: &dyn Rules) -> impl Iterator<Item = Vec<u32>> {
    let row = |line: &str| line.bytes().filter_map(square_of).collect();
    rules.board().lines().map(row).filter(|row: &Vec<u32>| !row.is_empty())
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

impl Show for Positions {
    fn name(&self) -> &'static str {
        self.rules.name()
    }

    fn sides(&self) -> &'static [&'static str] {
        self.rules.sides()
    }

    fn side_to_move(&self, state: u64) -> usize {
        self.position(state).side
    }

    fn side_run(&self, state: u64) -> u64 {
        let end = if state < self.firsts() { self.firsts() } else { self.all.len() as u64 };
        end - state
    }

    fn start(&self) -> Option<u64> {
        self.state(self.start)
    }

    /// The player to move, and the board row by row: `x xo./.../...`.
    fn text(&self, state: u64) -> String {
        let position = self.position(state);
        let row =
            |row: Vec<u32>| row.into_iter().map(|square| self.sign(position, square)).collect();
        let rows: Vec<String> = rows(self.rules).map(row).collect();
        format!("{} {}", self.rules.sides()[position.side], rows.join("/"))
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        match read(self.rules, text) {
            None => {
                let start = self.rules.start();
                Err(format!("{text:?} is not a position of this game: write it like {start:?}"))
            }
            Some(position) => self
                .state(position)
                .ok_or_else(|| format!("play from the start never reaches {text:?}")),
        }
    }

    fn picture(&self, state: u64) -> Option<String> {
        let position = self.position(state);
        let sign = |letter: char| match u8::try_from(letter).ok().and_then(square_of) {
            Some(square) => self.sign(position, square),
            None => letter,
        };
        Some(self.rules.board().chars().map(sign).collect())
    }

    fn hand(&self, state: u64) -> Vec<(char, u32)> {
        let hand = self.rules.hand(self.position(state));
        if hand == [0; 2] { vec![] } else { self.rules.letters().into_iter().zip(hand).collect() }
    }

    /// The text of a move: `e` for a man put down, `a-e` for a man moved, `a-off` for a man that leaves the
    /// board.
    fn step(&self, from: u64, to: u64) -> String {
        let (before, after) = (self.position(from), self.position(to));
        let (before, after) = (before.own(), after.men[before.side]);
        let name = |set: u32| char::from(b'a' + set.trailing_zeros() as u8);
        match (before & !after, after & !before) {
            (0, put) => name(put).to_string(),
            (gone, 0) => format!("{}-off", name(gone)),
            (gone, put) => format!("{}-{}", name(gone), name(put)),
        }
    }

    fn passed(&self, state: u64) -> Option<u64> {
        let position = self.position(state);
        self.state(Position { side: 1 - position.side, ..position })
    }
}

/// The squares of a set.
pub(crate) fn squares(set: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS).filter(move |square| set >> square & 1 != 0)
}

/// The squares next to a square along some lines. Each line is given by the letters of its squares.
pub(crate) fn neighbours(lines: &[&str], square: u32) -> u32 {
    let ends = lines.iter().flat_map(|line| line.as_bytes().windows(2));
    ends.fold(0, |set, pair| match (square_of(pair[0]), square_of(pair[1])) {
        (Some(a), Some(b)) if a == square => set | 1 << b,
        (Some(a), Some(b)) if b == square => set | 1 << a,
        _ => set,
    })
}
