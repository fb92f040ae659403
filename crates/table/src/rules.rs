//! A table together with the rules of its game. The rules give the values that the table leaves out.
//!
//! A table may leave out three things. It may not mark invalid states. It may keep the states of only one
//! side: then all moves of the other side lead to kept states, and the best move gives the value. It may
//! leave out values that exits give: then the value of a kept state is the better of its value in the table
//! and its best exit.

use std::ops::ControlFlow;

use retrograde::{Code, Game, Probe, Status, Value};

use crate::error::TableError;
use crate::exits::{as_kept, raised};
use crate::in_memory::InMemoryTable;
use crate::table::Table;

/// A table that may keep only some of the states. It is on disk or in memory.
pub trait Partial: Probe<Error = TableError> {
    /// The table.
    fn table(&self) -> &Table;

    /// The value that the table holds for a state that it keeps. If an exit gives the value, it may be a
    /// worse one.
    fn bound(&self, state: u64) -> Result<Option<Value>, TableError>;
}

impl Partial for Table {
    fn table(&self) -> &Table {
        self
    }

    fn bound(&self, state: u64) -> Result<Option<Value>, TableError> {
        self.bound(state)
    }
}

impl Partial for InMemoryTable<'_> {
    fn table(&self) -> &Table {
        self.table()
    }

    fn bound(&self, state: u64) -> Result<Option<Value>, TableError> {
        self.bound(state)
    }
}

/// A table and the rules of its game. Together they give the value of every state.
pub struct WithRules<'a, G, T = Table> {
    game: G,
    table: &'a T,
    /// Whether to answer terminal states from the table, if it keeps them.
    terminals_stored: bool,
}

impl<'a, G: Game, T: Partial> WithRules<'a, G, T> {
    /// Combines a table and its game. Returns an error if their numbers of states differ.
    pub fn new(game: G, table: &'a T) -> Result<WithRules<'a, G, T>, TableError> {
        let (rules, kept) = (game.states(), table.states());
        let ruled = WithRules { game, table, terminals_stored: false };
        if rules == kept {
            Ok(ruled)
        } else {
            Err(ruled.other_game(format!("it has {kept} states, but the rules have {rules}")))
        }
    }

    /// Answers from the table even for terminal states, which the rules alone decide.
    /// [`verify`](retrograde::verify()) uses this to find wrong values.
    #[must_use]
    pub fn as_stored(self) -> Self {
        WithRules { terminals_stored: true, ..self }
    }

    /// The table itself.
    pub(crate) fn table(&self) -> &Table {
        self.table.table()
    }

    fn other_game(&self, problem: String) -> TableError {
        TableError::Game { path: self.table().path().into(), problem }
    }

    /// Fills in the codes of the states that the table answers. All other states get the code of invalid
    /// states.
    fn fill_kept(&self, first: u64, codes: &mut [Code]) -> Result<(), TableError> {
        let table = self.table();
        if table.answers_all() {
            return self.table.fill_codes(first, codes);
        }
        let (mut state, mut rest) = (first, codes);
        while !rest.is_empty() {
            let len = rest.len().min(table.layout.row_left(state) as usize);
            let (row, after) = rest.split_at_mut(len);
            if table.answers(state) {
                self.table.fill_codes(state, row)?;
            } else {
                row.fill(Code::INVALID);
            }
            (state, rest) = (state + len as u64, after);
        }
        Ok(())
    }

    /// Fills in the codes of a table that keeps all states. It asks the rules only which states are invalid.
    fn fill_stored(&self, first: u64, codes: &mut [Code]) -> Result<(), TableError> {
        self.table.fill_codes(first, codes)?;
        let mut rest = codes;
        for word in first / 64.. {
            if rest.is_empty() {
                break;
            }
            let before = first.saturating_sub(word * 64);
            let (run, after) = rest.split_at_mut(rest.len().min(64 - before as usize));
            let invalid_states = self.game.invalid_states(word) >> before;
            for (bit, code) in run.iter_mut().enumerate() {
                *code = if invalid_states >> bit & 1 != 0 { Code::INVALID } else { *code };
            }
            rest = after;
        }
        Ok(())
    }

    /// Whether to answer a terminal state from the table.
    fn stores_terminal(&self, state: u64) -> bool {
        self.terminals_stored && self.table().answers(state)
    }

    /// The value of an open state, given the value of its best exit.
    fn open(&self, state: u64, exit: Option<Value>) -> Result<Value, TableError> {
        if !self.table().answers(state) && !self.table().keeps(state) {
            return self.best(state, exit);
        }
        self.kept(state, || exit)?
            .ok_or_else(|| self.other_game(format!("state {state} is invalid in it")))
    }

    /// The value of a state that the table answers or keeps, given its best exit.
    fn kept(
        &self,
        state: u64,
        exit: impl FnOnce() -> Option<Value>,
    ) -> Result<Option<Value>, TableError> {
        if self.table().answers(state) || !self.table().forgets_exits() {
            return self.table.probe(state);
        }
        Ok(raised(self.table.bound(state)?, exit(), self.has_distances()))
    }

    fn best_exit(&self, state: u64) -> Option<Value> {
        let mut exit = None;
        self.game.exits(state, |value| prefer(&mut exit, value));
        exit
    }

    /// The value of the best move of a state, given the best value of its exits.
    fn best(&self, state: u64, mut best: Option<Value>) -> Result<Value, TableError> {
        let mut failed = None;
        // No move is better than one that wins at once. Without distances, no move is better than one that wins.
        let distances = self.has_distances();
        let is_best = |value| matches!(value, Value::Win(plies) if plies <= 1 || !distances);
        let _ = self.game.successors(state, |to| {
            let keeps_turn = self.game.keeps_turn(state, to);
            match self.known(to) {
                Ok(value) => prefer(&mut best, value.after_move(keeps_turn)),
                Err(error) => failed = Some(error),
            }
            match failed.is_some() || best.is_some_and(is_best) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        match failed {
            Some(error) => Err(error),
            None => Ok(self.as_kept(best.unwrap_or(self.game.stuck()))),
        }
    }

    /// The value of a state that a move leads to.
    fn known(&self, state: u64) -> Result<Value, TableError> {
        match self.game.status(state) {
            Status::Terminal(value) => Ok(value),
            // Returns an error if neither the rules nor the table give the value. Then the same side has
            // moved twice.
            _ => self.kept(state, || self.best_exit(state))?.ok_or_else(|| {
                self.other_game(format!("a move leads to state {state}, which is invalid in it"))
            }),
        }
    }

    /// The value as a table without distances gives it.
    fn as_kept(&self, value: Value) -> Value {
        as_kept(value, self.has_distances())
    }
}

fn prefer(best: &mut Option<Value>, value: Value) {
    if best.is_none_or(|best| value > best) {
        *best = Some(value);
    }
}

impl<G: Game, T: Partial> Probe for WithRules<'_, G, T> {
    type Error = TableError;

    fn states(&self) -> u64 {
        self.table.states()
    }

    fn has_distances(&self) -> bool {
        self.table.has_distances()
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        if state >= self.states() {
            // This state does not exist. The table returns the error.
            return self.table.probe(state);
        }
        match self.game.status(state) {
            Status::Invalid => Ok(None),
            Status::Terminal(_) if self.stores_terminal(state) => self.table.probe(state),
            Status::Terminal(value) => Ok(Some(self.as_kept(value))),
            Status::Open => self.open(state, self.best_exit(state)).map(Some),
        }
    }

    fn fill_codes(&self, first: u64, codes: &mut [Code]) -> Result<(), TableError> {
        if self.terminals_stored && self.table().answers_all() {
            return self.fill_stored(first, codes);
        }
        self.fill_kept(first, codes)?;
        let states = first..first + codes.len() as u64;
        let mut failed = None;
        self.game.classify(states, |state, status, _, exits| {
            let code = &mut codes[(state - first) as usize];
            match status {
                Status::Invalid => *code = Code::INVALID,
                Status::Terminal(_) if self.stores_terminal(state) => {}
                Status::Terminal(said) => *code = Code::of(Some(self.as_kept(said))),
                Status::Open if *code != Code::INVALID => {}
                Status::Open => {
                    let mut exit = None;
                    exits.iter().for_each(|&value| prefer(&mut exit, value));
                    match self.open(state, exit) {
                        Ok(found) => *code = Code::of(Some(found)),
                        Err(error) => failed = failed.take().or(Some(error)),
                    }
                }
            }
        });
        failed.map_or(Ok(()), Err)
    }
}
