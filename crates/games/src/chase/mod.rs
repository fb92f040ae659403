//! Police chase a thief over the places of a graph or a board. All police move at once: each takes a step or
//! stays. Then the thief takes a step or stays.
//!
//! The police win as soon as one of them stands on the place of the thief, even on an exit, and with either
//! side to move. The thief wins on an exit without police. Police and thief may have different steps. On a
//! board, the police move like kings in chess, and the thief like a rook that goes one cell.
//!
//! A state is `(thief * 2 + side) * crowds + crowd`, with side 0 for the police. So all states with the thief
//! on one place are consecutive. Every number is a state.

mod adjacency;
mod crowd;
mod families;
mod hosts;
mod names;
mod reach;
mod read;
mod show;

use std::ops::ControlFlow;

use crate::{
    Board, Cell, FileSpec, Kind, MOVES_MAX, Parameter, ReadError, Setup, SetupError, Spec, Steps,
    Visitor,
};
use adjacency::Adjacency;
use crowd::Crowds;
use names::Names;
use reach::{reach, reach_count};
use retrograde::{Game, Outcome, Predecessors, Prefetch, Probe, Status, Value, counted};

pub(crate) static SPEC: Spec = Spec {
    name: "chase",
    summary: "police and thief on an undirected graph",
    rules: "The police move first. All police move in one turn, each along an edge or not at all; then the thief moves so. The police \
            win if one of them stands where the thief stands. The thief wins on an exit without police. Endless play is a draw.",
    file: Some(
        FileSpec::small("graph", is_like).examples(&[("ring", "a b\nb c\nc d\nd e\ne f\nf a\n")]),
    ),
    parameters: &[POLICE_COUNT],
    example: "examples/cycle.txt --police 2",
    ..Spec::EMPTY
};

pub(crate) const POLICE_COUNT: Parameter = Parameter {
    name: "police",
    kind: Kind::Number { min: 1, max: 255 },
    default: Some(1),
    help: "how many police",
};

/// Whether the beginning of a text looks like edges: each line has a few words, and it is no board.
fn is_like(text: &str) -> bool {
    !Board::is_like(text) && text.lines().any(|line| line.split_whitespace().count() > 1)
}

pub(crate) fn build<V: Visitor>(setup: &Setup, visitor: V) -> Result<V::Output, SetupError> {
    let police = setup.number(POLICE_COUNT.name);
    Ok(visitor.visit(setup.read(|text| Chase::parse(text, police))?))
}

/// A chase with a fixed number of police.
#[derive(Clone, Debug)]
pub struct Chase {
    ground: Ground,
    crowds: Crowds,
    states: u64,
    states_named: u64,
    degree_max: u32,
    start: Option<u64>,
}

/// The places of a chase. They are the numbers from 0 on.
#[derive(Clone, Debug)]
struct Ground {
    police_steps: Adjacency,
    thief_steps: Adjacency,
    /// For each place, whether it is an exit.
    exits: Vec<bool>,
    names: Names,
}

/// The parts of the number of a state.
struct Position {
    thief: u32,
    /// 0 the police, 1 the thief.
    side: u64,
    crowd: u64,
}

impl Chase {
    /// A chase on a board. If the board shows police, it must show `police` of them. If it also shows a
    /// thief, the game has a start.
    ///
    /// ```
    /// use retrograde_games::{Board, Chase};
    /// use retrograde_positions::Positions;
    /// let board = Board::parse("PP.T").unwrap();
    /// let chase = Chase::on_board(&board, 2).unwrap();
    /// assert_eq!(chase.write(&chase.start().unwrap()), "police 0,0 0,1 0,3");
    /// assert!(Chase::on_board(&board, 1).is_err());
    /// ```
    pub fn on_board(board: &Board, police: u32) -> Result<Chase, ReadError> {
        let cell_of: Vec<u32> = board.floor().collect();
        let mut place_of = vec![0; board.cells().len()];
        for (place, &cell) in (0..).zip(&cell_of) {
            place_of[cell as usize] = place;
        }
        let place_of = |cell: u32| place_of[cell as usize];
        let around = |steps: Steps| {
            Adjacency::from_rows(cell_of.len() as u32, |place, row| {
                let start = row.len();
                row.push(place);
                board.neighbours(cell_of[place as usize], steps, |cell| row.push(place_of(cell)));
                row[start..].sort_unstable();
            })
        };
        let ground = Ground {
            police_steps: around(Steps::King),
            thief_steps: around(Steps::Rook),
            exits: cell_of.iter().map(|&cell| board.cells()[cell as usize] == Cell::Exit).collect(),
            names: Names::Cells { board: board.clone(), cell_of: cell_of.clone() },
        };
        let mut chase = Chase::new(ground, police)?;
        chase.states_named = states(board.cells().len() as u32, police)?;
        let police = board.police().iter().map(|&cell| place_of(cell)).collect();
        chase.start_at(police, board.thief().map(place_of))?;
        Ok(chase)
    }

    fn new(ground: Ground, police: u32) -> Result<Chase, ReadError> {
        let places = ground.exits.len() as u32;
        let states = states(places, police)?;
        let crowds = Crowds::new(places, police);
        let steps =
            u64::from(ground.police_steps.degree_max()).saturating_pow(police).min(crowds.count());
        let steps = u32::try_from(steps).ok().filter(|steps| *steps <= MOVES_MAX);
        let Some(steps) = steps else {
            let what = format!(
                "{police} police may have over 4 billion moves at once: ask for fewer, or \
                 for fewer edges"
            );
            return Err(ReadError::whole(what));
        };
        let degree_max = steps.max(ground.thief_steps.degree_max());
        Ok(Chase { ground, crowds, states, states_named: states, degree_max, start: None })
    }

    /// Sets the start, if the board shows all players.
    fn start_at(&mut self, mut police: Vec<u32>, thief: Option<u32>) -> Result<(), ReadError> {
        let (placed, asked) = (police.len(), self.crowds.size());
        if placed == 0 {
            return Ok(());
        }
        if placed != asked as usize {
            let what = format!(
                "{} placed, but the game has {asked}: place {asked}, or set the number of police to {placed}",
                counted(placed, "policeman")
            );
            return Err(ReadError::whole(what));
        }
        police.sort_unstable();
        let crowd = self.crowds.number(&police);
        self.start = thief.map(|thief| self.state(&Position { thief, side: 0, crowd }));
        Ok(())
    }

    /// How many states a row has. All states of a row have the same side to move. In the next row, the other
    /// side is to move.
    pub fn row_len(&self) -> u64 {
        self.crowds.count()
    }

    /// Whether the police always win if they choose their places first and the thief chooses second. If so,
    /// returns such places. The cop number of a graph is the least number of police for which this holds.
    ///
    /// `probe` must be the solution of this game.
    pub fn cop_win<P: Probe>(&self, probe: &P) -> Result<Option<Vec<String>>, P::Error> {
        let mut good: Vec<u64> = (0..self.crowds.count()).collect();
        for thief in 0..self.ground.exits.len() as u32 {
            let mut kept = Vec::new();
            for crowd in good {
                let value = probe.probe(self.state(&Position { thief, side: 0, crowd }))?;
                if value.map(Value::outcome) == Some(Outcome::Win) {
                    kept.push(crowd);
                }
            }
            good = kept;
        }
        Ok(good.first().map(|&crowd| {
            self.police(crowd).into_iter().map(|place| self.ground.names.name(place)).collect()
        }))
    }

    /// The places of a crowd in ascending order.
    fn police(&self, crowd: u64) -> Vec<u32> {
        let mut police = Vec::new();
        self.crowds.members(crowd, |place| police.push(place));
        police.reverse();
        police
    }

    fn state(&self, at: &Position) -> u64 {
        (u64::from(at.thief) * 2 + at.side) * self.crowds.count() + at.crowd
    }

    fn at(&self, state: u64) -> Position {
        let (row, crowd) = (state / self.crowds.count(), state % self.crowds.count());
        Position { thief: (row / 2) as u32, side: row % 2, crowd }
    }

    /// Visits the states in which `side` has made a step, and the other side is to move, until `visit` breaks. Every
    /// step can also go back, so these are both the moves and the backward moves.
    fn turn(
        &self,
        at: Position,
        side: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let other = 1 - at.side;
        if side == 0 {
            let first = self.state(&Position { side: other, crowd: 0, ..at });
            reach(&self.ground.police_steps, &self.crowds, at.crowd, |crowd| visit(first + crowd))
        } else {
            let mut steps = self.ground.thief_steps.around(at.thief).iter();
            steps.try_for_each(|&thief| {
                visit(self.state(&Position { thief, side: other, crowd: at.crowd }))
            })
        }
    }
}

/// How many states a chase with `police` police on `places` places has. The error says if this is too many.
fn states(places: u32, police: u32) -> Result<u64, ReadError> {
    if !(1..=255).contains(&police) {
        return Err(ReadError::whole(format!("{police} police: ask for 1 to 255")));
    }
    crowd::count(places, police).and_then(|crowds| crowds.checked_mul(2 * u64::from(places))).ok_or_else(|| {
        let what =
            format!("{police} police on {places} places have more than 2^64 states: ask for fewer police or places");
        ReadError::whole(what)
    })
}

impl Game for Chase {
    fn states(&self) -> u64 {
        self.states
    }

    fn status(&self, state: u64) -> Status {
        let at = self.at(state);
        let winner = if self.crowds.stands_on(at.crowd, at.thief) {
            0
        } else if self.ground.exits[at.thief as usize] {
            1
        } else {
            return Status::Open;
        };
        Status::Terminal(if winner == at.side { Value::Win(0) } else { Value::Loss(0) })
    }

    #[inline]
    fn successors(&self, state: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        let at = self.at(state);
        let side = at.side;
        self.turn(at, side, visit)
    }

    fn degree(&self, state: u64) -> u32 {
        let at = self.at(state);
        if at.side == 0 {
            reach_count(&self.ground.police_steps, &self.crowds, at.crowd)
        } else {
            self.ground.thief_steps.around(at.thief).len() as u32
        }
    }

    fn degree_max(&self) -> Option<u32> {
        Some(self.degree_max)
    }
}

impl Predecessors for Chase {
    /// It takes longer to find the backward moves of a crowd twice than to wait for memory.
    fn prefetch(&self) -> Prefetch {
        Prefetch::None
    }

    #[inline]
    fn predecessors(&self, state: u64, mut visit: impl FnMut(u64)) {
        let at = self.at(state);
        let side = 1 - at.side;
        let _ = self.turn(at, side, |from| {
            visit(from);
            ControlFlow::Continue(())
        });
    }
}
