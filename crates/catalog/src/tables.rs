//! The tables of a family as an [`Oracle`].

use std::ops::Range;

use retrograde::checks::{Verified, Verifier};
use retrograde::{Counts, Level, Value};
use retrograde_positions::Board;
use retrograde_regions::{Built, Family, FamilyTexts, Opened, Style, Tablebase};
use retrograde_table::Table;
use serde_json::{Map, Value as Json, json};

use crate::answer::Worth;
use crate::any_game::Engine;
use crate::oracle::{Asked, Oracle, OracleError, Played, State, States};

impl<F> Oracle for Tablebase<F>
where
    F: Built + Send + Sync,
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
        self.regions().iter().map(<F as Family>::Region::to_string).collect()
    }

    fn region(&self, name: &str) -> Result<Box<dyn States + '_>, OracleError> {
        let opened = self.opened(&named(self, name)?)?;
        Ok(Box::new(Region::<F> { family: self.family(), opened }))
    }

    fn table(&self, region: &str) -> Result<Option<&Table>, OracleError> {
        Ok(Some(self.opened(&named(self, region)?)?.table()))
    }

    fn region_of(&self, state: &State) -> Option<String> {
        let region = self.family().region(state.of());
        region.ok().map(|region| region.to_string())
    }

    fn start(&self) -> Option<State> {
        self.family().start().map(State::new)
    }

    fn parse(&self, text: &str) -> Result<State, OracleError> {
        Ok(State::new(self.read(text)?))
    }

    fn text(&self, state: &State) -> String {
        self.family().write(state.of())
    }

    fn player(&self, state: &State) -> usize {
        self.family().player(state.of())
    }

    fn value(&self, state: &State) -> Result<Option<Value>, OracleError> {
        Ok(Some(self.value(state.of())?))
    }

    fn ask(&self, state: &State) -> Result<Asked, OracleError> {
        let mut moves = Vec::new();
        let over = self.family().moves(state.of(), &mut |played| {
            let after = played.next.clone();
            moves.push((played, after));
        });
        if let Some(end) = over {
            return Ok(Asked { value: end.value, moves: Vec::new(), over });
        }
        let answer = self.probe_moves(state.of(), moves)?;
        let moves = answer.moves.into_iter();
        let moves = moves.map(|one| Played { step: one.played.map(State::new), value: one.value });
        Ok(Asked { value: answer.value, moves: moves.collect(), over })
    }

    fn object(&self, state: &State) -> Result<Json, OracleError> {
        if let Some(object) = F::object(self, state.of()) {
            return Ok(object?);
        }
        let asked = Oracle::ask(self, state)?;
        let worth = |value| json!(Worth::new(Some(value), self.has_distances()));
        let choice = |played: &Played| {
            let mut object = Map::new();
            object.insert("to".into(), Oracle::text(self, &played.step.next).into());
            for (name, notation) in F::STYLE.entries {
                object.insert((*name).into(), notation.of(&played.step).into());
            }
            object.extend(worth(played.value).as_object().cloned().unwrap_or_default());
            Json::Object(object)
        };
        let mut object = Map::new();
        object.insert("state".into(), Oracle::text(self, state).into());
        object.extend(worth(asked.value).as_object().cloned().unwrap_or_default());
        object.insert("moves".into(), asked.moves.iter().map(choice).collect());
        Ok(Json::Object(object))
    }

    fn board(&self, state: &State) -> Option<Board> {
        self.family().board(state.of())
    }

    fn with_board(&self, board: &Board, player: usize) -> Option<State> {
        self.family().with_board(board, player).map(State::new)
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
struct Region<'a, F: FamilyTexts> {
    family: &'a F,
    opened: &'a Opened<F::Index>,
}

impl<F: FamilyTexts> States for Region<'_, F> {
    fn states(&self) -> u64 {
        self.opened.table().states()
    }

    fn fill(&self, first: u64, values: &mut [Option<Value>]) -> Result<(), OracleError> {
        Ok(self.opened.table().fill(first, values)?)
    }

    /// The table does not mark invalid states, so the numbering tells which they are.
    fn text(&self, state: u64, _: Option<Value>) -> Option<String> {
        let position = self.family.position(self.opened.index(), state)?;
        Some(self.family.write(&position))
    }

    fn passed(&self, states: Range<u64>, visit: &mut dyn FnMut(u64, u64)) {
        self.family.passed_run(self.opened.index(), states, visit);
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

fn named<F: FamilyTexts>(
    tables: &Tablebase<F>,
    name: &str,
) -> Result<<F as Family>::Region, OracleError> {
    tables.family().region_named(name).map_err(OracleError::State)
}
