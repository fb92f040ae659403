//! Values as bytes, all with the same width: as few bytes as the longest distance needs. So whole runs are
//! written and read at once, and code that only passes them on copies bytes.

use retrograde::{Histogram, Value};

/// How many bytes a value takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    One = 1,
    Two = 2,
    Eight = 8,
}

impl Width {
    /// The width for a solve.
    pub(crate) fn of(histogram: &Histogram) -> Width {
        let longest = histogram.levels().map(|level| level.distance).max().unwrap_or(0);
        match code(Some(Value::Win(longest))) {
            0..0x100 => Width::One,
            0x100..0x1_0000 => Width::Two,
            _ => Width::Eight,
        }
    }

    /// How many bytes so many values take.
    pub(crate) fn bytes(self, values: usize) -> usize {
        values * self as usize
    }

    /// Writes values.
    pub(crate) fn write(self, values: &[Option<Value>], to: &mut Vec<u8>) {
        let codes = values.iter().map(|&value| code(value));
        match self {
            Width::One => to.extend(codes.map(|code| code as u8)),
            Width::Two => {
                let start = to.len();
                to.resize(start + self.bytes(values.len()), 0);
                let (places, _) = to[start..].as_chunks_mut::<2>();
                places.iter_mut().zip(codes).for_each(|(place, code)| {
                    *place = (code as u16).to_le_bytes();
                });
            }
            Width::Eight => to.extend(codes.flat_map(u64::to_le_bytes)),
        }
    }

    /// Passes each value to `made_of`, and stores the results in order.
    pub(crate) fn read<T>(self, bytes: &[u8], to: &mut [T], made_of: impl Fn(Option<Value>) -> T) {
        let places = to.iter_mut();
        match self {
            Width::One => {
                places.zip(bytes).for_each(|(place, &code)| *place = made_of(value(code.into())));
            }
            Width::Two => places.zip(bytes.as_chunks().0).for_each(|(place, &code)| {
                *place = made_of(value(u16::from_le_bytes(code).into()));
            }),
            Width::Eight => places.zip(bytes.as_chunks().0).for_each(|(place, &code)| {
                *place = made_of(value(u64::from_le_bytes(code)));
            }),
        }
    }
}

fn code(value: Option<Value>) -> u64 {
    // A tag and a number, without branches: the kind of a value is unpredictable.
    let (tag, distance) = match value {
        None => (0, 0),
        Some(Value::Draw) => (1, 0),
        Some(Value::Loss(distance)) => (2, distance),
        Some(Value::Win(distance)) => (3, distance),
    };
    tag + 2 * u64::from(distance)
}

fn value(code: u64) -> Option<Value> {
    match code {
        0 => None,
        1 => Some(Value::Draw),
        _ if code & 1 == 0 => Some(Value::Loss((code / 2 - 1) as u32)),
        _ => Some(Value::Win((code / 2 - 1) as u32)),
    }
}
