//! Values as bytes, as few a value as the longest distance of a run needs.

use retrograde::Value;

fn code(value: Option<Value>) -> u64 {
    // A tag and a number, and no branches: which it is, is a coin toss.
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

/// Writes values: first how many bytes each has.
pub(crate) fn write(values: &[Option<Value>], bytes: &mut Vec<u8>) {
    let most = values.iter().map(|&value| code(value)).max().unwrap_or(0);
    let width = match most {
        0..0x100 => 1,
        0x100..0x1_0000 => 2,
        _ => 8,
    };
    bytes.push(width);
    match width {
        1 => bytes.extend(values.iter().map(|&value| code(value) as u8)),
        2 => bytes.extend(values.iter().flat_map(|&value| (code(value) as u16).to_le_bytes())),
        _ => bytes.extend(values.iter().flat_map(|&value| code(value).to_le_bytes())),
    }
}

/// Values as they were written.
pub(crate) struct Values<'a> {
    bytes: &'a [u8],
    width: usize,
}

impl<'a> Values<'a> {
    /// Reads the width.
    pub(crate) fn new(bytes: &'a [u8]) -> Option<Values<'a>> {
        let (&width, bytes) = bytes.split_first()?;
        let width = usize::from(width);
        [1, 2, 8].contains(&width).then_some(Values { bytes, width })
    }

    /// Passes over so many.
    pub(crate) fn skip(&mut self, values: usize) -> Option<()> {
        (_, self.bytes) = self.bytes.split_at_checked(self.width * values)?;
        Some(())
    }

    /// The next values, as many as there is room for.
    pub(crate) fn fill(&mut self, values: &mut [Option<Value>]) -> Option<()> {
        let (bytes, rest) = self.bytes.split_at_checked(self.width * values.len())?;
        self.bytes = rest;
        let places = values.iter_mut();
        match self.width {
            1 => places.zip(bytes).for_each(|(place, &code)| *place = value(code.into())),
            2 => places.zip(bytes.as_chunks().0).for_each(|(place, &code)| {
                *place = value(u16::from_le_bytes(code).into());
            }),
            _ => places.zip(bytes.as_chunks().0).for_each(|(place, &code)| {
                *place = value(u64::from_le_bytes(code));
            }),
        }
        Some(())
    }
}
