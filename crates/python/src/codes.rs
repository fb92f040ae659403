//! Values as numbers, one for each state, as arrays hold them. `retrograde.Value` names them.

use rayon::prelude::*;
use retrograde::{Status, Value};

pub(crate) const INVALID: i8 = -2;
pub(crate) const LOSS: i8 = -1;
pub(crate) const DRAW: i8 = 0;
pub(crate) const WIN: i8 = 1;
pub(crate) const OPEN: i8 = 2;
/// The distance of a state without one.
pub(crate) const NONE: i64 = -1;

/// Values and distances, side by side.
pub(crate) struct Columns {
    pub(crate) values: Vec<i8>,
    pub(crate) distances: Vec<i64>,
}

/// The value and the distance of a state.
pub(crate) fn code(value: Option<Value>, distances: bool) -> (i8, i64) {
    let code = match value {
        None => INVALID,
        Some(Value::Loss(_)) => LOSS,
        Some(Value::Draw) => DRAW,
        Some(Value::Win(_)) => WIN,
    };
    let distance = value.and_then(Value::distance).filter(|_| distances);
    (code, distance.map_or(NONE, i64::from))
}

/// The status of a state in an array; `None` if the numbers make no sense.
pub(crate) fn status(code: i8, distance: i64) -> Option<Status> {
    let plies = if distance == NONE { Some(0) } else { u32::try_from(distance).ok() }?;
    match code {
        INVALID => Some(Status::Invalid),
        LOSS => Some(Status::Terminal(Value::Loss(plies))),
        DRAW => Some(Status::Terminal(Value::Draw)),
        WIN => Some(Status::Terminal(Value::Win(plies))),
        OPEN => Some(Status::Open),
        _ => None,
    }
}

/// How many states a thread takes at a time.
const RUN: usize = 1 << 13;

impl Columns {
    /// The columns of `len` states. All threads fill them, run by run. `fill` gets the first state of a run, and
    /// the space for its values.
    pub(crate) fn fill<E: Send>(
        len: usize,
        distances: bool,
        fill: impl Fn(usize, &mut [Option<Value>]) -> Result<(), E> + Sync,
    ) -> Result<Columns, E> {
        let mut columns = Columns { values: vec![INVALID; len], distances: vec![NONE; len] };
        let values = columns.values.par_chunks_mut(RUN);
        let runs = values.zip(columns.distances.par_chunks_mut(RUN)).enumerate();
        runs.try_for_each_init(Vec::new, |found, (run, (values, plies))| {
            found.clear();
            found.resize(values.len(), None);
            fill(run * RUN, found)?;
            for (found, (value, plies)) in found.iter().zip(values.iter_mut().zip(plies)) {
                (*value, *plies) = code(*found, distances);
            }
            Ok(())
        })?;
        Ok(columns)
    }
}
