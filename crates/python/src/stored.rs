//! A game whose moves are stored in memory, with the texts that a graph has.

use std::ops::ControlFlow;

use rayon::prelude::*;
use retrograde::adapters::Explicit;
use retrograde::{Game, Predecessors, Status, Value, forward};
use retrograde_games::{Facts, Solvable, successors_or_end};
use retrograde_positions::{Board, End, Move, Positions};

use crate::codes::{self, INVALID, NONE, OPEN};
use crate::failure::Failure;

/// The moves of a run of states, as Python has them.
pub(crate) enum Moves<'a> {
    /// A row of equal length for each open state. Negative numbers are no moves.
    Rows { width: usize, to: &'a [i64] },
    /// Pairs of states, from and to, in any order.
    Pairs { from: &'a [i64], to: &'a [i64] },
    /// The same in lists whose numbers are from, to, from, to and so on.
    Edges(Vec<&'a [i64]>),
    /// The begin and end of each state's list, and all lists in one array.
    Lists { offsets: &'a [i64], to: &'a [i64] },
}

impl Moves<'_> {
    /// How many bytes Python holds for them.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Moves::Rows { to, .. } => size_of_val(*to),
            Moves::Pairs { from, to } => size_of_val(*from) + size_of_val(*to),
            Moves::Edges(edges) => edges.iter().map(|edges| size_of_val(*edges)).sum(),
            Moves::Lists { offsets, to } => size_of_val(*offsets) + size_of_val(*to),
        }
    }

    /// Visits the moves of the open states of a run, which begins with the state `first`: from where, and to where.
    fn each(
        &self,
        codes: &[i8],
        first: u64,
        mut visit: impl FnMut(u64, i64) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let is_open = |from: u64| codes[(from - first) as usize] == OPEN;
        let states = first..first + codes.len() as u64;
        let mut visit_pair = |from: i64, to: i64| {
            let state = u64::try_from(from).ok().filter(|from| states.contains(from));
            let state = state.ok_or_else(|| {
                let std::ops::Range { start, end } = states;
                Failure::Rules(format!(
                    "a move begins in state {from}: those asked for are {start} to {end}, without the last"
                ))
            })?;
            if is_open(state) { visit(state, to) } else { Ok(()) }
        };
        match self {
            Moves::Rows { width, to } => {
                let open = codes.iter().filter(|&&code| code == OPEN).count();
                if to.len() != open * width {
                    let problem =
                        format!("there is not one row of moves for each of {open} open states");
                    return Err(Failure::Rules(problem));
                }
                let mut rest = *to;
                for from in states.filter(|&from| is_open(from)) {
                    let (row, after) = rest.split_at(*width);
                    row.iter().filter(|&&to| to >= 0).try_for_each(|&to| visit(from, to))?;
                    rest = after;
                }
            }
            Moves::Pairs { from, to } => {
                if from.len() != to.len() {
                    let (from, to) = (from.len(), to.len());
                    return Err(Failure::Rules(format!(
                        "moves begin in {from} states and lead to {to}"
                    )));
                }
                from.iter().zip(*to).try_for_each(|(&from, &to)| visit_pair(from, to))?;
            }
            Moves::Edges(edges) => {
                let mut edges = edges.iter().flat_map(|edges| edges.chunks_exact(2));
                edges.try_for_each(|edge| visit_pair(edge[0], edge[1]))?;
            }
            Moves::Lists { offsets, to } => {
                if offsets.len() != codes.len() + 1 {
                    let (offsets, states) = (offsets.len(), codes.len());
                    return Err(Failure::Rules(format!(
                        "{offsets} offsets for {states} states: there is one more than states"
                    )));
                }
                for (from, ends) in states.zip(offsets.windows(2)) {
                    let list = usize::try_from(ends[0]).ok().zip(usize::try_from(ends[1]).ok());
                    let list = list.and_then(|(begin, end)| to.get(begin..end));
                    let list = list.ok_or_else(|| {
                        let (begin, end, all) = (ends[0], ends[1], to.len());
                        Failure::Rules(format!(
                            "state {from}: its moves are said to lie from {begin} to {end} of {all}"
                        ))
                    })?;
                    if is_open(from) {
                        list.iter().try_for_each(|&to| visit(from, to))?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// A game with stored moves.
#[derive(Default)]
pub(crate) struct Stored {
    /// How many states there will be.
    states: u64,
    /// The status of each state.
    codes: Vec<i8>,
    /// The distance of each state that the rules decide; empty if all are 0.
    plies: Vec<u32>,
    /// Where the moves of each state begin, and where the last ones end. While a run is filled, the end of a state's
    /// moves is where its next move goes.
    offsets: Vec<u64>,
    /// The targets of the moves of open states. The moves of other states are left out.
    targets: MoveLists,
    moves: u64,
    /// Whether the player who cannot move wins.
    misere: bool,
    /// Who is to move in each state; empty if every move passes the turn.
    players: Vec<u8>,
}

impl Stored {
    /// A game without states as yet.
    pub(crate) fn new(states: u64) -> Stored {
        Stored { states, offsets: vec![0], ..Stored::default() }
    }

    /// Takes the memory for all states, so that it never grows. Returns whether the system gives it.
    pub(crate) fn reserve(&mut self) -> bool {
        let states = self.states as usize;
        self.codes.try_reserve_exact(states).and(self.offsets.try_reserve_exact(states)).is_ok()
    }

    /// How many states there are now.
    pub(crate) fn len(&self) -> u64 {
        self.codes.len() as u64
    }

    /// How many moves there are, those of a counted run included.
    pub(crate) fn moves(&self) -> u64 {
        self.moves
    }

    /// How many bytes it takes with so many moves.
    pub(crate) fn bytes(&self, moves: u64) -> u64 {
        let players = self.players.len() as u64;
        9 * self.states + 8 + 4 * self.plies.len() as u64 + players + 4 * moves
    }

    pub(crate) fn add_states(
        &mut self,
        status: &[i8],
        distances: Option<&[i64]>,
    ) -> Result<(), Failure> {
        if distances.is_some_and(|distances| distances.len() != status.len()) {
            return Err(Failure::Rules("there is not one distance for each status".to_owned()));
        }
        for (at, &code) in status.iter().enumerate() {
            let state = self.codes.len();
            let distance = distances.map_or(NONE, |distances| distances[at]);
            let known = codes::status(code, distance).ok_or_else(|| {
                Failure::Rules(format!(
                    "state {state}: its status is {code} and its distance {distance}; a status is OPEN, WIN, \
                     LOSS, DRAW or INVALID, a distance from 0 to 2^32 - 1, or -1 where there is none"
                ))
            })?;
            if let Status::Terminal(value) = known
                && let Some(plies @ 1..) = value.distance()
            {
                self.plies.resize(self.states as usize, 0);
                self.plies[state] = plies;
            }
            self.codes.push(code);
        }
        Ok(())
    }

    /// Counts the moves of the states from `first` on. After that, [`fill`](Stored::fill) stores them.
    pub(crate) fn count(&mut self, first: u64, moves: &Moves<'_>) -> Result<(), Failure> {
        self.offsets.resize(self.codes.len() + 1, 0);
        let ends = &mut self.offsets[first as usize + 1..];
        moves.each(&self.codes[first as usize..], first, |from, _| {
            ends[(from - first) as usize] += 1;
            Ok(())
        })?;
        for count in ends {
            self.moves += std::mem::replace(count, self.moves);
        }
        Ok(())
    }

    /// Stores the moves of the states from `first` on, whose number is known.
    pub(crate) fn fill(&mut self, first: u64, moves: &Moves<'_>) -> Result<(), Failure> {
        self.targets.grow(self.moves);
        let (states, targets) = (self.states, &mut self.targets);
        let ends = &mut self.offsets[first as usize + 1..];
        moves.each(&self.codes[first as usize..], first, |from, to| {
            let end = &mut ends[(from - first) as usize];
            targets.set(*end, target(states, from, to)?);
            *end += 1;
            Ok(())
        })
    }

    /// Says who is to move in each state. A move between two states of one player keeps the turn.
    pub(crate) fn set_players(&mut self, players: &[u8]) -> Result<(), Failure> {
        if players.len() as u64 != self.states {
            let (found, states) = (players.len(), self.states);
            return Err(Failure::Rules(format!("{found} players for {states} states")));
        }
        self.players = players.to_vec();
        Ok(())
    }

    /// Lets the player who cannot move win.
    pub(crate) fn let_stuck_win(&mut self) {
        self.misere = true;
    }

    /// Refuses moves to invalid states, and missing states.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let (found, states) = (self.len(), self.states);
        if found != states {
            return Err(Failure::Rules(format!(
                "{found} states are there, and {states} should be"
            )));
        }
        let culprit = (0..self.codes.len()).into_par_iter().find_first(|&state| {
            let is_valid = |to| match self.codes[to as usize] {
                INVALID => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            };
            self.successors(state as u64, is_valid).is_break()
        });
        culprit.map_or(Ok(()), |state| {
            Err(Failure::Rules(format!("state {state}: a move leads to a state that is invalid")))
        })
    }
}

fn target(states: u64, from: u64, to: i64) -> Result<u32, Failure> {
    u64::try_from(to).ok().filter(|&to| to < states).map(|to| to as u32).ok_or_else(|| {
        Failure::Rules(format!(
            "state {from}: a move leads to {to}; states are numbered from 0 to {}",
            states - 1
        ))
    })
}

/// States in blocks, so that they are never copied to make room for more.
#[derive(Default)]
struct MoveLists(Vec<Vec<u32>>);

/// How many states a block has: four megabytes.
const BLOCK_LEN: usize = 1 << 20;

impl MoveLists {
    /// Makes room for `len` states in all.
    fn grow(&mut self, len: u64) {
        self.0.resize(len.div_ceil(BLOCK_LEN as u64) as usize, Vec::new());
        let mut rest = len;
        for block in &mut self.0 {
            let len = rest.min(BLOCK_LEN as u64);
            block.reserve_exact(len as usize - block.len());
            block.resize(len as usize, 0);
            rest -= len;
        }
    }

    fn set(&mut self, at: u64, to: u32) {
        self.0[at as usize / BLOCK_LEN][at as usize % BLOCK_LEN] = to;
    }

    fn get(&self, at: u64) -> u64 {
        u64::from(self.0[at as usize / BLOCK_LEN][at as usize % BLOCK_LEN])
    }
}

impl Game for Stored {
    fn states(&self) -> u64 {
        self.codes.len() as u64
    }

    fn status(&self, state: u64) -> Status {
        let distance = self.plies.get(state as usize).map_or(0, |&plies| i64::from(plies));
        codes::status(self.codes[state as usize], distance)
            .expect("only codes with a meaning are kept")
    }

    fn successors(&self, state: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        let [begin, end] = [state, state + 1].map(|state| self.offsets[state as usize]);
        (begin..end).map(|at| self.targets.get(at)).try_for_each(visit)
    }

    fn degree(&self, state: u64) -> u32 {
        (self.offsets[state as usize + 1] - self.offsets[state as usize]) as u32
    }

    fn stuck(&self) -> Value {
        if self.misere { Value::Win(0) } else { Value::Loss(0) }
    }

    fn keeps_turn(&self, from: u64, to: u64) -> bool {
        !self.players.is_empty() && self.players[from as usize] == self.players[to as usize]
    }
}

/// The same with its backward moves, and with numbers as texts.
pub(crate) struct Backwards(pub(crate) Explicit<Stored>);

impl Game for Backwards {
    forward!(Game for this => this.0);
}

impl Predecessors for Backwards {
    forward!(Predecessors for this => this.0);
}

impl Positions for Backwards {
    retrograde_games::positions_are_states!();

    fn players(&self) -> &'static [&'static str] {
        &["player"]
    }

    fn start(&self) -> Option<u64> {
        None
    }

    fn read(&self, text: &str) -> Result<u64, String> {
        parse(text, self.0.states())
    }

    fn write(&self, state: &u64) -> String {
        state.to_string()
    }

    fn player(&self, _: &u64) -> usize {
        0
    }

    fn moves(&self, &from: &u64, visit: &mut dyn FnMut(Move<u64>)) -> Option<End> {
        successors_or_end(self, from, |to| visit(Move::new(to.to_string(), vec![], to)))
    }

    fn board(&self, _: &u64) -> Option<Board> {
        None
    }
}

impl Solvable for Backwards {
    const QUICK_MOVES: bool = true;

    fn facts(&self) -> Facts {
        Facts::of("graph")
    }
}

/// The text of a state is its number.
pub(crate) fn parse(text: &str, states: u64) -> Result<u64, String> {
    let state = text.trim().parse().ok().filter(|&state| state < states);
    state.ok_or_else(|| format!("{text:?} is no state: give a number below {states}"))
}
