//! The L-game, by Edward de Bono: two players with an L of four squares each, and two neutral stones, on four by four
//! squares.
//!
//! A player picks up the own L and lays it elsewhere, also turned or mirrored. Then the player may move one
//! neutral stone to any free square. A player who cannot lay the L elsewhere loses.
//!
//! The states are the 2,296 positions up to symmetry, as the player to move sees them. They are so few that
//! the game is solved as a [`Graph`].

use retrograde::Value;
use retrograde::adapters::Edges;
use retrograde_boards::{Group, Orbits, squares};
use retrograde_positions::{Board, End, Move, Positions};

use crate::square::{self, read_player, read_rows, write_rows};
use crate::{Facts, Graph, Setup, SetupError, Spec, Visitor};

pub(crate) static SPEC: Spec = Spec {
    name: "l-game",
    summary: "an L each on four by four squares, and two neutral stones: a player who cannot lay the L elsewhere loses",
    rules: "Each player has an L of four squares, and there are two neutral stones. A player lays the own L elsewhere, turned or \
            mirrored. Then the player may move one neutral stone to any free square. A player who cannot lay the L elsewhere loses.",
    example: "",
    ..Spec::EMPTY
};

pub(crate) fn build<V: Visitor>(_: &Setup, visitor: V) -> Result<V::Output, SetupError> {
    let game = LGame::new();
    let moves = |(from, &state): (u64, &u64)| {
        let mut moves = Vec::new();
        game.each_move(game.orbits.position(state), |to| moves.push((from, game.state(to))));
        moves
    };
    let moves: Vec<(u64, u64)> = (0..).zip(&game.all).flat_map(moves).collect();
    let edges = Edges::new(game.all.len() as u64, moves);
    Ok(visitor.visit(Graph::of(Facts::of(SPEC.name), edges, game)))
}

const SIDE: u32 = 4;
const ALL: u64 = 0xffff;
/// The L of the player to move, the L of the opponent, and the neutral stones, at the start.
const START: [u64; 3] = [0x0446, 0x6220, 0x8001];
/// The players.
const PLAYERS: [&str; 2] = ["x", "o"];
/// The letters of the L of each player, and of the neutral stones.
const SIGNS: [char; 3] = ['x', 'o', 'n'];

/// The L of the player to move, the L of the opponent, and the neutral stones, as sets of squares.
type Position = [u64; 3];

/// A position as players see it: the L of the first player, that of the second, and the neutral stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Laid {
    sets: [u64; 3],
    player: usize,
}

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

    fn each_move(&self, [mine, theirs, neutral]: Position, mut visit: impl FnMut(Position)) {
        let fits = |&&place: &&u64| place != mine && place & (theirs | neutral) == 0;
        for &place in self.places.iter().filter(fits) {
            visit([theirs, place, neutral]);
            let free = ALL & !(place | theirs | neutral);
            for from in squares(neutral) {
                squares(free).for_each(|to| visit([theirs, place, neutral ^ 1 << from | 1 << to]));
            }
        }
    }

    /// The position with the L of each player and the neutral stones on these squares.
    fn laid(&self, sets: [u64; 3], player: usize) -> Option<Laid> {
        let [first, second, neutral] = sets;
        let laid = [first, second].iter().all(|place| self.places.contains(place));
        (laid && neutral.count_ones() == 2).then_some(Laid { sets, player })
    }

    /// The state of a position. All mirror images of a position have the same state.
    fn state(&self, position: Position) -> u64 {
        let state = self.all.binary_search(&self.orbits.state(position));
        state.expect("the numbering has every position") as u64
    }
}

impl Positions for LGame {
    type Position = Laid;
    type Region = ();
    type Index = ();

    fn players(&self) -> &'static [&'static str] {
        &PLAYERS
    }

    fn start(&self) -> Option<Laid> {
        Some(Laid::of(START, 0))
    }

    fn read(&self, text: &str) -> Result<Laid, String> {
        let (player, rows) = read_player(text, &PLAYERS);
        let laid = read_rows(rows, SIDE, SIGNS).and_then(|sets| self.laid(sets, player));
        laid.ok_or_else(|| {
            format!(
                "{text:?} is no position: write the player to move and the rows, like {:?}, with x and o for the L of each \
                 player, and n for the neutral stones",
                self.write(&Laid::of(START, 0))
            )
        })
    }

    /// The player to move, and the board row by row.
    fn write(&self, position: &Laid) -> String {
        format!("{} {}", PLAYERS[position.player], write_rows(SIDE, SIGNS, position.sets))
    }

    fn player(&self, position: &Laid) -> usize {
        position.player
    }

    /// A move names the squares of the L, and the way of the neutral stone: `b4c4c3c2 a1-d4`. It points at these squares. If
    /// no stone moves, it points at the last square of the L twice, because a longer move may begin with the same squares.
    fn moves(&self, position: &Laid, visit: &mut dyn FnMut(Move<Laid>)) -> Option<End> {
        let (before, mut stuck) = (position.seen(), true);
        self.each_move(before, |[theirs, mine, neutral]| {
            let names = |set| squares(set).map(|at| square::name(SIDE, at)).collect::<String>();
            let (gone, put) = (before[2] & !neutral, neutral & !before[2]);
            let stone = if put == 0 { "" } else { &format!(" {}-{}", names(gone), names(put)) };
            let mut points: Vec<usize> = squares(mine).map(|square| square as usize).collect();
            match put {
                0 => points.extend(points.last().copied()),
                _ => points.extend([gone, put].map(|set| set.trailing_zeros() as usize)),
            }
            let next = Laid::of([theirs, mine, neutral], 1 - position.player);
            visit(Move::new(names(mine) + stone, points, next));
            stuck = false;
        });
        stuck.then_some(End { why: "no other place for the L", ..End::STUCK })
    }

    fn board(&self, position: &Laid) -> Option<Board> {
        let mut board = Board::chequered(SIDE, |_, _| false);
        let kinds = [("L", Some(0)), ("L", Some(1)), ("neutral", None)];
        for (((kind, player), sign), set) in kinds.into_iter().zip(SIGNS).zip(position.sets) {
            board.put((kind, sign), player, squares(set).map(|square| square as usize));
        }
        Some(board)
    }

    fn with_board(&self, board: &Board, player: usize) -> Option<Laid> {
        self.laid(board.sets(|man| man.player.or(Some(2)))?, player)
    }

    fn region(&self, _: &Laid) -> Result<(), Value> {
        Ok(())
    }

    fn index(&self, _: &()) {}

    fn number(&self, _: &(), position: &Laid) -> u64 {
        self.state(position.seen())
    }

    /// The first player is to move.
    fn position(&self, _: &(), state: u64) -> Option<Laid> {
        let orbit = self.all.get(state as usize)?;
        Some(Laid::of(self.orbits.position(*orbit), 0))
    }
}

impl Laid {
    /// The position that a player to move sees so.
    fn of([mine, theirs, neutral]: Position, player: usize) -> Laid {
        let sets = if player == 0 { [mine, theirs, neutral] } else { [theirs, mine, neutral] };
        Laid { sets, player }
    }

    /// As the player to move sees it.
    fn seen(&self) -> Position {
        let [first, second, neutral] = self.sets;
        if self.player == 0 { [first, second, neutral] } else { [second, first, neutral] }
    }
}
