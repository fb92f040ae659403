//! The tables of a family as an [`Oracle`].

use std::ops::Range;

use retrograde::checks::{Verified, Verifier};
use retrograde::{Counts, Level, Value};
use retrograde_regions::{Built, Opened, Positions, Style, Tablebase, TablebaseError, View};
use retrograde_table::Table;
use serde_json::Value as Json;

use crate::any_game::Engine;
use crate::oracle::{
    Asked, Key, Line, NO_DISTANCES, Oracle, OracleError, Played, Seen, State, States, round,
};

impl<F> Oracle for Tablebase<F>
where
    F: Built<Region: Send + Sync> + Send + Sync,
{
    fn game(&self) -> &str {
        F::GAME
    }

    fn style(&self) -> &Style {
        &F::STYLE
    }

    fn players(&self) -> Vec<&'static str> {
        F::PLAYERS.into()
    }

    fn has_distances(&self) -> bool {
        self.has_distances()
    }

    fn regions(&self) -> Vec<String> {
        self.regions().iter().map(F::Region::to_string).collect()
    }

    fn region(&self, name: &str) -> Result<Box<dyn States + '_>, OracleError> {
        let opened = self.opened(&named(self, name)?)?;
        Ok(Box::new(Region::<F> { opened }))
    }

    fn table(&self, region: &str) -> Result<Option<&Table>, OracleError> {
        Ok(Some(self.opened(&named(self, region)?)?.table()))
    }

    fn region_of(&self, state: &State) -> Option<String> {
        let region = self.family().place(&position(self, state).ok()?);
        region.ok().map(|region| region.to_string())
    }

    fn start(&self) -> Option<State> {
        self.family().start().as_ref().map(key)
    }

    fn gather(&self, words: Vec<String>) -> Vec<String> {
        F::gather(words)
    }

    fn parse(&self, text: &str) -> Result<State, OracleError> {
        Ok(key(&self.read(text)?))
    }

    fn text(&self, state: &State) -> String {
        text(state).to_owned()
    }

    fn player(&self, state: &State) -> usize {
        position(self, state).map_or(0, |position| F::player(&position))
    }

    fn value(&self, state: &State) -> Result<Option<Value>, OracleError> {
        Ok(Some(self.value(&position(self, state)?)?))
    }

    fn ask(&self, state: &State) -> Result<Asked, OracleError> {
        let at = position(self, state)?;
        let answer = self.probe(&at)?;
        let moves = answer.moves.iter();
        let moves = moves.map(|one| choice(self, &at, &one.played, &one.after, one.value));
        Ok(Asked { value: answer.value, moves: moves.collect(), over: self.family().over(&at) })
    }

    fn object(&self, state: &State) -> Result<Json, OracleError> {
        Ok(F::object(self, &position(self, state)?)?)
    }

    fn line(&self, from: &State) -> Result<Line, OracleError> {
        let mut at = position(self, from)?;
        let value = self.value(&at)?;
        if value != Value::Draw && !self.has_distances() {
            return Err(OracleError::Unknown(NO_DISTANCES.to_owned()));
        }
        let (mut seen, mut states) = (Seen::default(), Vec::new());
        let line =
            |states, kind, last, back_to, why| Ok(Line { states, value, kind, last, back_to, why });
        loop {
            let (place, answer) = (states.len(), self.probe(&at)?);
            states.push(key(&at));
            let last = answer.value;
            if last == Value::Draw
                && let Some(back_to) = seen.again(&at.to_string(), place)
            {
                return line(states, "cycle", last, Some(back_to), round(back_to));
            }
            match (self.family().over(&at), answer.moves.into_iter().next()) {
                (None, Some(best)) => at = best.after,
                (over, _) => {
                    let (kind, why) = over.map_or(("stuck", ""), |over| (over.kind, over.why));
                    let player = F::PLAYERS[F::player(&at)];
                    let worth = crate::word(last);
                    let why = format!("{player} has {why}: a {worth} for {player}");
                    return line(states, kind, last, None, why);
                }
            }
        }
    }

    fn played(&self, from: &State, to: &State) -> Option<Played> {
        let from = position(self, from).ok()?;
        let moves = self.family().moves(&from);
        let (played, after) = moves.iter().find(|(_, after)| after.to_string() == text(to))?;
        Some(choice(self, &from, played, after, Value::Draw))
    }

    fn picture(&self, state: &State) -> Option<String> {
        F::picture(&position(self, state).ok()?)
    }

    fn hand(&self, state: &State) -> Vec<(char, u32)> {
        position(self, state).map_or_else(|_| vec![], |position| F::hand(&position))
    }

    fn view(&self, state: &State) -> Option<View> {
        Some(F::view(&position(self, state).ok()?))
    }

    fn moved(&self, state: &State, man: usize, cell: usize) -> Option<State> {
        F::moved(&position(self, state).ok()?, man, cell).as_ref().map(key)
    }

    fn verify(
        &self,
        region: &str,
        _: Engine,
        verifier: Verifier<'_>,
    ) -> Result<Verified, OracleError> {
        Ok(F::verify_table(self, &named(self, region)?, verifier)?)
    }

    fn check(&self, region: &str) -> Result<(), OracleError> {
        Ok(self.check(&named(self, region)?)?)
    }
}

/// A region of a family.
struct Region<'a, F: Positions> {
    opened: &'a Opened<F::Index>,
}

impl<F: Positions> States for Region<'_, F> {
    fn states(&self) -> u64 {
        F::states(self.opened.index())
    }

    fn fill(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), OracleError> {
        Ok(self.opened.table().fill(first, values)?)
    }

    /// The table does not mark invalid states, so the numbering tells which they are.
    fn text(&self, state: u64, _: Option<Value>) -> Option<String> {
        F::position(self.opened.index(), state).map(|position| position.to_string())
    }

    fn passed(&self, states: Range<u64>, _: &[Option<Value>], visit: &mut dyn FnMut(u64, u64)) {
        F::passed(self.opened.index(), states, visit);
    }

    fn counts(&self) -> Result<Vec<(String, Counts)>, OracleError> {
        Ok(counts_of(self.opened.table()))
    }

    fn levels(&self) -> Result<Vec<Level>, OracleError> {
        Ok(self.opened.table().levels()?)
    }
}

/// The counts of each side that a table's header gives.
pub(crate) fn counts_of(table: &Table) -> Vec<(String, Counts)> {
    table.header().about.counts.iter().map(|of| (of.side.clone(), of.counts())).collect()
}

fn key<P: std::fmt::Display>(position: &P) -> State {
    State(Key::Text(position.to_string()))
}

fn text(state: &State) -> &str {
    match &state.0 {
        Key::Text(text) => text,
        Key::Number(_) => "",
    }
}

fn position<F: Positions>(
    tables: &Tablebase<F>,
    state: &State,
) -> Result<F::Position, TablebaseError> {
    tables.read(text(state))
}

fn named<F: Positions>(tables: &Tablebase<F>, name: &str) -> Result<F::Region, OracleError> {
    tables.family().region(name).map_err(OracleError::State)
}

fn choice<F: Positions>(
    tables: &Tablebase<F>,
    at: &F::Position,
    played: &F::Move,
    after: &F::Position,
    value: Value,
) -> Played {
    let family = tables.family();
    Played {
        label: family.label(at, played),
        spellings: family.spellings(at, played),
        entries: family.entries(at, played),
        to: Some(key(after)),
        value,
        keeps_turn: false,
        path: family.path(at, played),
    }
}
