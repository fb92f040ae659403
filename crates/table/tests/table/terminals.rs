//! The rules decide a terminal state, but a table keeps a value for it too, and a reader without the rules
//! uses that value. So `verify` must judge it as well.

use std::convert::Infallible;

use crate::common::{Scratch, chase};
use retrograde::checks::VerifyError;
use retrograde::{Game, Probe, Status, Value, verify};
use retrograde_games::Board;
use retrograde_table::{About, InvalidStates, Table, WithRules, Writer};

/// A solution with one wrong value.
struct Lie<'a>(&'a retrograde::Solution, u64);

impl Probe for Lie<'_> {
    type Error = Infallible;
    fn states(&self) -> u64 {
        self.0.states()
    }
    fn has_distances(&self) -> bool {
        true
    }
    fn probe(&self, state: u64) -> Result<Option<Value>, Infallible> {
        let value = self.0.value(state);
        Ok(if state == self.1 { Some(Value::Draw) } else { value })
    }
}

#[test]
fn a_wrong_value_of_a_terminal_state_is_found() {
    let folder = Scratch::new();
    let path = folder.join("lie.table");
    let (game, columns) = chase(&Board::parse("P.*\n.T.\n..E\n").unwrap(), 1);
    let solution = retrograde::solve(&game);
    for half in [None, Some(0), Some(1)] {
        let mut tried = 0;
        for state in 0..=game.states() {
            let lie = state < game.states() && matches!(game.status(state), Status::Terminal(_));
            if !lie && state < game.states() {
                continue;
            }
            let mut writer = Writer::new(About::default())
                .invalid_states(InvalidStates::Forgotten)
                .rows(columns, 2);
            if let Some(side) = half {
                writer = writer.half(side);
            }
            writer.write(&path, &Lie(&solution, state)).unwrap();
            let table = Table::open(&path).unwrap();
            let values = WithRules::new(&game, &table).unwrap();
            verify(&game, &values).expect("the rules decide what is terminal");
            let judged = verify(&game, &values.as_stored());
            if lie && table.keeps(state) {
                // The state itself, or a state before it that becomes wrong.
                assert!(matches!(judged, Err(VerifyError::Value { .. })), "{state}: {judged:?}");
                tried += 1;
            } else {
                judged.expect("nothing that is kept is wrong");
            }
        }
        assert!(tried > 5);
    }
}
