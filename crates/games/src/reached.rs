//! The positions of a game that play reaches from its start.
//!
//! Version 0.2 of the program numbered its small games in this way. Their tables are still read, by the texts of the same games.

use std::collections::HashSet;
use std::sync::Arc;

use retrograde::Value;
use retrograde::adapters::Edges;
use retrograde_positions::{AnyPosition, AnyPositions, Board, End, Move, Point, Positions};

use crate::{Facts, Graph, Turns};

/// A game of version 0.2, and the text that has its rules now.
pub(crate) struct FormerGame {
    /// Its name.
    pub(crate) name: &'static str,
    /// The text.
    pub(crate) text: &'static str,
    /// Its points in their order, if that is not the order of the board.
    pub(crate) order: Option<&'static str>,
    /// Its players, if the text calls them otherwise.
    pub(crate) players: Option<&'static [&'static str]>,
    /// If both players move alike: with so many men on the board, a state did not say who is to move.
    pub(crate) men_alike: Option<u32>,
}

/// The positions of a game that play reaches, in the order of the player to move, then of the men of each player. A player's men
/// are a set of points.
pub(crate) struct ReachedPositions {
    game: Arc<dyn AnyPositions>,
    players: &'static [&'static str],
    start: AnyPosition,
    /// For each point of the board, its place in the order.
    places: Vec<u32>,
    men_alike: Option<u32>,
    /// The positions, in the order of their states.
    all: Vec<(Key, AnyPosition)>,
}

/// The player to move, and the places of each player's men.
type Key = (usize, [u64; 2]);

impl ReachedPositions {
    /// Tries all play from the start of a game.
    pub(crate) fn explore(game: Arc<dyn AnyPositions>, former: &FormerGame) -> Graph {
        let start = game.start().expect("a text has a start");
        let places = places(&game.board(&start).expect("a text has a board"), former.order);
        let players = former.players.unwrap_or(game.players());
        let men_alike = former.men_alike;
        let mut reached = ReachedPositions {
            game: Arc::clone(&game),
            players,
            start,
            places,
            men_alike,
            all: Vec::new(),
        };
        let mut found = HashSet::from([reached.start.clone()]);
        let mut rest = vec![reached.start.clone()];
        let (mut moves, mut ends) = (Vec::new(), Vec::new());
        while let Some(from) = rest.pop() {
            let key = reached.key(&from);
            let end = reached.game.moves(&from, &mut |played| {
                moves.push((key, reached.key(&played.next)));
                if found.insert(played.next.clone()) {
                    rest.push(played.next);
                }
            });
            ends.extend(end.map(|end| (key, end.value)));
            reached.all.push((key, from));
        }
        // Of two positions that share a state, the first player is to move in the first.
        let player = |(_, position): &(Key, AnyPosition)| game.player(position);
        reached.all.sort_unstable_by_key(|one| (one.0, player(one)));
        reached.all.dedup_by_key(|(key, _)| *key);
        moves.sort_unstable();
        moves.dedup();
        let state = |key: Key| reached.state(key).expect("all that play reaches is numbered");
        let edges = moves.into_iter().map(|(from, to)| (state(from), state(to)));
        let edges = Edges::new(reached.all.len() as u64, edges);
        let edges = edges.with_terminals(ends.into_iter().map(|(at, value)| (state(at), value)));
        let firsts = reached.all.partition_point(|((player, _), _)| *player == 0) as u64;
        let facts = Facts { turns: Turns::First(firsts), ..Facts::of(former.text) };
        Graph::of(facts, edges, reached)
    }

    fn key(&self, position: &AnyPosition) -> Key {
        let mut sets = [0u64; 2];
        for man in self.game.board(position).expect("a text has a board").men {
            if let Some(player) = man.player {
                sets[player] |= 1 << self.places[man.point];
            }
        }
        let men: u32 = sets.iter().map(|set| set.count_ones()).sum();
        match self.game.player(position) {
            1 if Some(men) == self.men_alike => (0, [sets[1], sets[0]]),
            player => (player, sets),
        }
    }

    fn state(&self, key: Key) -> Option<u64> {
        let place = self.all.binary_search_by_key(&key, |(key, _)| *key);
        place.ok().map(|state| state as u64)
    }
}

/// The place of each point in the order.
fn places(board: &Board, order: Option<&str>) -> Vec<u32> {
    let place = |(at, point): (usize, &Point)| match order {
        Some(order) => order.find(&*point.name).expect("the order names all points"),
        None => at,
    };
    board.points.iter().enumerate().map(|point| place(point) as u32).collect()
}

impl Positions for ReachedPositions {
    type Position = AnyPosition;
    type Region = ();
    type Index = ();

    fn players(&self) -> &'static [&'static str] {
        self.players
    }

    fn start(&self) -> Option<AnyPosition> {
        Some(self.start.clone())
    }

    fn read(&self, text: &str) -> Result<AnyPosition, String> {
        let other = text.trim().split_once(char::is_whitespace).and_then(|(name, rest)| {
            let player = self.players.iter().position(|player| *player == name)?;
            Some(format!("{} {rest}", self.game.players()[player]))
        });
        let position = self.game.read(other.as_deref().unwrap_or(text))?;
        match self.state(self.key(&position)) {
            Some(_) => Ok(position),
            None => Err(format!("play from the start never reaches {text:?}")),
        }
    }

    fn write(&self, position: &AnyPosition) -> String {
        let text = self.game.write(position);
        let (_, rest) = text.split_once(' ').expect("a text begins with the player");
        format!("{} {rest}", self.players[self.game.player(position)])
    }

    fn player(&self, position: &AnyPosition) -> usize {
        self.game.player(position)
    }

    fn moves(
        &self,
        position: &AnyPosition,
        visit: &mut dyn FnMut(Move<AnyPosition>),
    ) -> Option<End> {
        self.game.moves(position, visit)
    }

    fn board(&self, position: &AnyPosition) -> Option<Board> {
        self.game.board(position)
    }

    fn with_board(&self, board: &Board, player: usize) -> Option<AnyPosition> {
        let position = self.game.with_board(board, player)?;
        self.state(self.key(&position)).map(|_| position)
    }

    fn region(&self, _: &AnyPosition) -> Result<(), Value> {
        Ok(())
    }

    fn index(&self, _: &()) {}

    fn number(&self, _: &(), position: &AnyPosition) -> u64 {
        self.state(self.key(position)).expect("play reaches every position that `read` accepts")
    }

    fn position(&self, _: &(), state: u64) -> Option<AnyPosition> {
        self.all.get(state as usize).map(|(_, position)| position.clone())
    }
}
