//! The L-game, by Edward de Bono: two players with an L of four squares each, and two neutral stones, on four by four
//! squares.
//!
//! A player picks up the own L and lays it elsewhere, also turned or mirrored. Then the player may move one
//! neutral stone to any free square. A player who cannot lay the L elsewhere loses.
//!
//! The states are the 2,296 positions up to symmetry, as the player to move sees them. They are so few that
//! the game is solved as a [`Graph`].

use retrograde::adapters::Edges;
use retrograde_boards::{Group, Orbits, squares};

use crate::square::{self, with_edge};
use crate::{GameSpec, Graph, Setup, SetupError, Show, Visitor, Way};

pub(crate) static SPEC: GameSpec = GameSpec {
    name: "l-game",
    summary: "an L each on four by four squares, and two neutral stones: a player who cannot lay the L elsewhere loses",
    rules: "Each player has an L of four squares, and there are two neutral stones. A player lays the own L elsewhere, turned or \
            mirrored. Then the player may move one neutral stone to any free square. A player who cannot lay the L elsewhere loses.",
    file: None,
    parameters: &[],
    example: "",
};

pub(crate) fn build<V: Visitor>(_: &Setup, visitor: V) -> Result<V::Output, SetupError> {
    let game = LGame::new();
    let moves = |(from, &state): (u64, &u64)| {
        let mut moves = Vec::new();
        game.moves(game.orbits.position(state), |to| moves.push((from, game.state(to))));
        moves
    };
    let moves: Vec<(u64, u64)> = (0..).zip(&game.all).flat_map(moves).collect();
    let edges = Edges::new(game.all.len() as u64, moves);
    Ok(visitor.visit(Graph::of(edges, game)))
}

const SIDE: u32 = 4;
const ALL: u64 = 0xffff;
/// The L of the player to move, the L of the opponent, and the neutral stones, at the start.
const START: [u64; 3] = [0x0446, 0x6220, 0x8001];
/// Their letters in a text.
const SIGNS: [char; 3] = ['x', 'o', 'n'];

/// The L of the player to move, the L of the opponent, and the neutral stones, as sets of squares.
type Position = [u64; 3];

struct LGame {
    /// The positions up to symmetry. In some of them, the four squares of the opponent are not an L.
    orbits: Orbits<3>,
    /// All 48 ways to lay an L.
    places: Vec<u64>,
    /// The numbers of the positions among the orbits, in ascending order. A state is a place in this list.
    all: Vec<u64>,
}

impl LGame {
    fn new() -> LGame {
        let group = Group::square(SIDE);
        let shifts = [0, 1, 4, 5, 8, 9].map(|shift| 0b0001_0111 << shift);
        let images = |element| shifts.map(|place| group.image(element, place));
        let places: Vec<u64> = (0..group.order()).flat_map(images).collect();
        let orbits = Orbits::among(group, [4, 4, 2], |first| places.contains(&first));
        let is_position = |orbit: &u64| {
            orbits.is_position(*orbit) && places.contains(&orbits.position(*orbit)[1])
        };
        let all = (0..orbits.states()).filter(is_position).collect();
        LGame { orbits, places, all }
    }

    fn moves(&self, [mine, theirs, neutral]: Position, mut visit: impl FnMut(Position)) {
        let fits = |&&place: &&u64| place != mine && place & (theirs | neutral) == 0;
        for &place in self.places.iter().filter(fits) {
            visit([theirs, place, neutral]);
            let free = ALL & !(place | theirs | neutral);
            for from in squares(neutral) {
                squares(free).for_each(|to| visit([theirs, place, neutral ^ 1 << from | 1 << to]));
            }
        }
    }

    /// The state of a position. All mirror images of a position have the same state.
    fn state(&self, position: Position) -> u64 {
        let state = self.all.binary_search(&self.orbits.state(position));
        state.expect("the numbering has every position") as u64
    }

    fn position(&self, state: u64) -> Position {
        self.orbits.position(self.all[state as usize])
    }

    fn rows(position: Position) -> Vec<String> {
        let sign = |square: u32| {
            let sign = SIGNS.iter().zip(position).find(|(_, set)| set >> square & 1 == 1);
            sign.map_or('.', |(sign, _)| *sign)
        };
        let row = |row| (row * SIDE..(row + 1) * SIDE).map(sign).collect();
        (0..SIDE).map(row).collect()
    }

    /// The position that a text names.
    fn read(&self, text: &str) -> Option<Position> {
        let rows: Vec<&str> = text.trim().split('/').collect();
        let signs: Vec<char> = rows.concat().chars().collect();
        let is_square = rows.len() == SIDE as usize
            && rows.iter().all(|row| row.chars().count() == SIDE as usize)
            && signs.iter().all(|sign| *sign == '.' || SIGNS.contains(sign));
        let set = |wanted| {
            let squares = (0..).zip(&signs).filter(|(_, sign)| **sign == wanted);
            squares.fold(0u64, |set, (square, _): (u32, _)| set | 1 << square)
        };
        let [mine, theirs, neutral] = SIGNS.map(set);
        let is_laid = |place| self.places.contains(&place);
        let is_position =
            is_square && is_laid(mine) && is_laid(theirs) && neutral.count_ones() == 2;
        is_position.then_some([mine, theirs, neutral])
    }
}

impl Show for LGame {
    fn name(&self) -> &'static str {
        SPEC.name
    }

    fn start(&self) -> Option<u64> {
        Some(self.state(START))
    }

    fn text(&self, state: u64) -> String {
        LGame::rows(self.position(state)).join("/")
    }

    fn parse(&self, text: &str) -> Result<u64, String> {
        let position = self.read(text).ok_or_else(|| {
            format!(
                "{text:?} is no position: write the rows like {}, x for the L of the player to move, o for the other \
                 L, n for the neutral stones",
                self.text(self.state(START))
            )
        })?;
        Ok(self.state(position))
    }

    fn picture(&self, state: u64) -> Option<String> {
        Some(with_edge(&LGame::rows(self.position(state))))
    }

    /// The squares of the L, and the way of the neutral stone: `b4c4c3c2 a1-d4`.
    fn step(&self, from: u64, to: u64) -> String {
        let first = self.ways(from, to).into_iter().next();
        first.map_or_else(|| self.text(to), |way| way.name)
    }

    fn ways(&self, from: u64, to: u64) -> Vec<Way> {
        let before = self.position(from);
        let mut ways = Vec::new();
        self.moves(before, |[theirs, mine, neutral]| {
            if self.state([theirs, mine, neutral]) != to {
                return;
            }
            let names = |set| squares(set).map(|at| square::name(SIDE, at)).collect::<String>();
            let (gone, put) = (before[2] & !neutral, neutral & !before[2]);
            let stone = if put == 0 { "" } else { &format!(" {}-{}", names(gone), names(put)) };
            let name = names(mine) + stone;
            ways.push(Way { name, picture: with_edge(&LGame::rows([mine, theirs, neutral])) });
        });
        ways
    }
}
