//! The bytes of a block before compression: the values that occur in it, then a code for each state.
//!
//! Few values occur in a block, so a state usually takes one byte. It takes two bytes if the block has more
//! than 256 values, and none if all states have the same value. We tried other ways, for tiles of boards, and
//! rejected them. Separate values and distances are 5 to 10% larger. Differences between rows are larger. A
//! bit for invalid states beside the codes is smaller on some boards and larger on others. A prediction from
//! three neighbours is 15% smaller, but a reader must decode it state by state (not timed).

use retrograde::{Code, Value};

use crate::varint::{read_varint, write_varint};

/// The longest distance that a table can hold. So a sum with a few plies still fits in 32 bits. No known game
/// has longer distances.
pub(crate) const DISTANCE_MAX: u32 = 4_000_000_000;

/// The values of the states of a block, ready for lookups.
#[derive(Debug)]
pub(crate) struct Block {
    bytes: Vec<u8>,
    /// Where the codes begin in `bytes`.
    codes_at: usize,
    states: usize,
    values: Box<[Option<Value>]>,
    /// The code of each of `values`.
    value_codes: Box<[Code]>,
}

/// The most bytes that a block of `states` states can take.
pub(crate) fn bytes_max(states: usize) -> usize {
    // A length takes at most five bytes, and so does a value, because their numbers have 34 bits.
    5 * (states + 1) + 2 * states
}

/// The states of a block whose values a reader can find without the block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forgotten<'a> {
    /// Whether invalid states may have any value.
    pub(crate) invalid: bool,
    /// Which states may have any value that is no better than their own. Empty if there are none.
    pub(crate) free: &'a [bool],
}

/// Encodes values as bytes. Keep it, to reuse its buffers.
#[derive(Debug, Default)]
pub(crate) struct Encoder {
    /// The number of each state's value, if some value is too long for the short form.
    numbers: Vec<u64>,
    /// The numbers that occur, in ascending order.
    palette: Vec<u64>,
    /// For each state, the index of its number in the palette.
    codes: Vec<u16>,
    /// The same for each number, if all are short.
    code_of: Vec<u16>,
}

impl Encoder {
    /// Appends the bytes of a block, unless some distance is too long. If a state may have another value, it
    /// gets the value of the state before it, which takes little space.
    ///
    /// This function handles every state of a table, in three loops. The first marks the numbers that occur,
    /// in a plain array of bytes. The second looks up a code for each state. The third writes the codes.
    pub(crate) fn encode_codes(
        &mut self,
        values: &mut [Code],
        forgotten: Forgotten<'_>,
        bytes: &mut Vec<u8>,
    ) -> bool {
        forget(values, forgotten);
        let Some(greatest) = values.iter().copied().max().filter(|code| !code.is_far()) else {
            return values.is_empty();
        };
        self.code_of.clear();
        self.code_of.resize(usize::from(greatest.bits()) + 1, 0);
        for value in &*values {
            self.code_of[usize::from(value.bits())] = 1;
        }
        self.palette.clear();
        for (number, code) in (0..).zip(&mut self.code_of) {
            if *code != 0 {
                *code = self.palette.len() as u16;
                self.palette.push(number);
            }
        }
        self.write_palette(bytes);
        let codes = values.iter().map(|value| self.code_of[usize::from(value.bits())]);
        write_codes(bytes, self.palette.len(), codes);
        true
    }

    /// Appends the bytes of any block.
    pub(crate) fn encode(
        &mut self,
        values: &[Option<Value>],
        forgotten: Forgotten<'_>,
        bytes: &mut Vec<u8>,
    ) {
        self.numbers.clear();
        self.numbers.extend(values.iter().map(|value| Code::number(*value)));
        forget(&mut self.numbers, forgotten);
        self.palette.clear();
        self.codes.clear();
        self.code_by_search();
        self.write_palette(bytes);
        write_codes(bytes, self.palette.len(), self.codes.iter().copied());
    }

    fn write_palette(&self, bytes: &mut Vec<u8>) {
        write_varint(bytes, self.palette.len() as u64);
        let mut least = 0;
        for number in &self.palette {
            write_varint(bytes, number - least);
            least = number + 1;
        }
    }

    /// Finds palette and codes for any numbers. Neighbours usually have the same number, and then it needs no
    /// search.
    fn code_by_search(&mut self) {
        self.palette.extend_from_slice(&self.numbers);
        self.palette.dedup();
        self.palette.sort_unstable();
        self.palette.dedup();
        let (mut last, mut code) = (None, 0);
        for number in &self.numbers {
            if last != Some(number) {
                code = self.palette.partition_point(|each| each < number) as u16;
                last = Some(number);
            }
            self.codes.push(code);
        }
    }
}

impl Block {
    /// Decodes a block of `states` states. `None` if the bytes make no sense.
    pub(crate) fn decode(bytes: Vec<u8>, states: usize) -> Option<Block> {
        let mut rest = &bytes[..];
        let len = usize::try_from(read_varint(&mut rest)?).ok()?;
        if len == 0 || len > states {
            return None;
        }
        let mut values = Vec::with_capacity(len);
        let mut least = 0u64;
        for _ in 0..len {
            let number = least.checked_add(read_varint(&mut rest)?)?;
            values.push(value(number)?);
            least = number + 1;
        }
        let codes_at = bytes.len() - rest.len();
        let sound = match len {
            1 => rest.is_empty(),
            2..=256 => rest.len() == states && usize::from(greatest(rest)) < len,
            _ => {
                rest.len() == 2 * states && {
                    let (low, high) = rest.split_at(states);
                    low.iter().zip(high).all(|(low, high)| wide(*low, *high) < len)
                }
            }
        };
        let value_codes = values.iter().map(|value| Code::of(*value)).collect();
        sound.then(|| Block { bytes, codes_at, states, values: values.into(), value_codes })
    }

    /// A block of these values; `None` if a distance is too long for a table.
    pub(crate) fn of(values: &[Option<Value>]) -> Option<Block> {
        let mut bytes = Vec::new();
        let forgotten = Forgotten { invalid: false, free: &[] };
        Encoder::default().encode(values, forgotten, &mut bytes);
        Block::decode(bytes, values.len())
    }

    /// The same for values of these codes; `None` if a code is far.
    pub(crate) fn of_codes(codes: &mut [Code]) -> Option<Block> {
        let mut bytes = Vec::new();
        let forgotten = Forgotten { invalid: false, free: &[] };
        let fits = Encoder::default().encode_codes(codes, forgotten, &mut bytes);
        Block::decode(bytes, codes.len()).filter(|_| fits)
    }

    /// How much memory its codes and values take.
    pub(crate) fn bytes(&self) -> u64 {
        let values = size_of_val(&*self.values) + size_of_val(&*self.value_codes);
        (self.bytes.capacity() + values) as u64
    }

    /// The value of the state at this position.
    #[inline]
    pub(crate) fn value(&self, at: usize) -> Option<Value> {
        assert!(at < self.states);
        let codes = &self.bytes[self.codes_at..];
        self.values[match self.values.len() {
            1 => 0,
            2..=256 => usize::from(codes[at]),
            _ => wide(codes[at], codes[self.states + at]),
        }]
    }

    /// The values from this position on. Fills all of `values`.
    pub(crate) fn fill(&self, at: usize, values: &mut [Option<Value>]) {
        self.fill_from(&self.values, at, values);
    }

    /// The same, as codes.
    pub(crate) fn fill_codes(&self, at: usize, codes: &mut [Code]) {
        self.fill_from(&self.value_codes, at, codes);
    }

    /// For each state of the block, the number that `number` gives to its value.
    pub(crate) fn fill_numbers(&self, numbers: &mut [u32], number: impl Fn(Option<Value>) -> u32) {
        let made: Vec<u32> = self.values.iter().map(|value| number(*value)).collect();
        self.fill_from(&made, 0, numbers);
    }

    /// Looks up the mapped value of each state.
    fn fill_from<T: Copy>(&self, made: &[T], at: usize, values: &mut [T]) {
        let codes = &self.bytes[self.codes_at..];
        match made.len() {
            1 => values.fill(made[0]),
            2..=256 => {
                for (value, code) in values.iter_mut().zip(&codes[at..]) {
                    *value = made[usize::from(*code)];
                }
            }
            _ => {
                let (low, high) = (&codes[at..], &codes[self.states + at..]);
                for ((value, low), high) in values.iter_mut().zip(low).zip(high) {
                    *value = made[wide(*low, *high)];
                }
            }
        }
    }
}

/// The loop has no early exit, so the compiler can vectorize it.
fn greatest(codes: &[u8]) -> u8 {
    codes.iter().fold(0, |greatest, code| greatest.max(*code))
}

fn wide(low: u8, high: u8) -> usize {
    usize::from(u16::from_le_bytes([low, high]))
}

/// The value that a number stands for, if a table may hold it.
fn value(number: u64) -> Option<Option<Value>> {
    let near = |value: &Option<Value>| {
        value.and_then(Value::distance).is_none_or(|distance| distance <= DISTANCE_MAX)
    };
    Code::value_of(number).filter(near)
}

/// If a state may have another number, gives it the number of the state before. Invalid states at the
/// beginning get the first number that follows.
fn forget<N: Number>(numbers: &mut [N], Forgotten { invalid, free }: Forgotten<'_>) {
    if !invalid && free.is_empty() {
        return;
    }
    // The loops have no branches, because the processor cannot predict where such states come.
    let is_invalid = |number: N| number.get() == 0;
    let mut last = numbers.iter().copied().find(|number| !is_invalid(*number)).unwrap_or(N::DRAW);
    if free.is_empty() {
        for number in numbers {
            last = if is_invalid(*number) { last } else { *number };
            *number = last;
        }
        return;
    }
    assert_eq!(free.len(), numbers.len());
    // An invalid state is no bound, so its rank is above all values.
    let rank_of_last = |last: N| if is_invalid(last) { i64::MAX } else { last.rank() };
    let mut last_rank = rank_of_last(last);
    for (number, free) in numbers.iter_mut().zip(free) {
        let keeps = invalid & is_invalid(*number) | free & (last_rank <= number.rank());
        last_rank = if keeps { last_rank } else { rank_of_last(*number) };
        last = if keeps { last } else { *number };
        *number = last;
    }
}

/// The number of a value, in its short or its long form.
trait Number: Copy {
    const DRAW: Self;

    fn get(self) -> u64;

    /// Numbers have ranks in the order of their values.
    fn rank(self) -> i64;
}

impl Number for Code {
    const DRAW: Code = Code::DRAW;

    fn get(self) -> u64 {
        self.bits().into()
    }

    fn rank(self) -> i64 {
        Code::rank(self).into()
    }
}

impl Number for u64 {
    const DRAW: u64 = Code::DRAW.bits() as u64;

    fn get(self) -> u64 {
        self
    }

    fn rank(self) -> i64 {
        match self as i64 {
            1 => 0,
            loss if loss % 2 == 0 => loss - i64::MAX,
            win => i64::MAX - win,
        }
    }
}

/// Writes a code for each state. The number of values decides the width.
fn write_codes(bytes: &mut Vec<u8>, values: usize, codes: impl Iterator<Item = u16> + Clone) {
    if values > 1 {
        bytes.extend(codes.clone().map(|code| code as u8));
    }
    if values > 256 {
        bytes.extend(codes.map(|code| (code >> 8) as u8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde_testkit::Rng;

    fn encode(values: &[Option<Value>], invalid: bool) -> Vec<u8> {
        encode_with(values, Forgotten { invalid, free: &[] })
    }

    fn encode_with(values: &[Option<Value>], forgotten: Forgotten<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::default();
        encoder.encode(values, forgotten, &mut bytes);
        assert!(bytes.len() <= bytes_max(values.len()));
        let mut codes: Vec<Code> = values.iter().map(|value| Code::of(*value)).collect();
        let far = codes.iter().any(|code| code.is_far());
        let mut short = Vec::new();
        assert_eq!(encoder.encode_codes(&mut codes, forgotten, &mut short), !far);
        assert!(short == bytes || far && short.is_empty());
        bytes
    }

    fn decode(bytes: Vec<u8>, states: usize) -> Vec<Option<Value>> {
        let block = Block::decode(bytes, states).unwrap();
        let mut values = vec![None; states];
        block.fill(0, &mut values);
        assert!(values.iter().enumerate().all(|(at, value)| block.value(at) == *value));
        let middle = states / 3..states - states / 3;
        let mut some = vec![None; middle.len()];
        block.fill(middle.start, &mut some);
        assert_eq!(some, values[middle]);
        values
    }

    #[test]
    fn any_values_come_back() {
        let mut rng = Rng::new(3);
        for distances in [1, 2, 60, 120, 130, 5000, u64::from(DISTANCE_MAX) + 1] {
            for states in [1, 2, 3, 255, 257, 600, 5000] {
                let values: Vec<Option<Value>> = (0..states)
                    .map(|_| match rng.below(8) {
                        0 => None,
                        1 => Some(Value::Draw),
                        2..=4 => Some(Value::Win(rng.below(distances) as u32)),
                        _ => Some(Value::Loss(rng.below(distances) as u32)),
                    })
                    .collect();
                assert_eq!(decode(encode(&values, false), states), values);
                let forgotten = decode(encode(&values, true), states);
                for (value, forgotten) in values.iter().zip(forgotten) {
                    assert!(forgotten.is_some());
                    assert!(value.is_none() || *value == forgotten);
                }
            }
        }
    }

    #[test]
    fn free_states_take_no_better_value() {
        let mut rng = Rng::new(4);
        for distances in [2, 60, 5000, u64::from(DISTANCE_MAX) + 1] {
            let mut changed = 0;
            for round in 0..20 {
                let states = rng.within(1..400) as usize;
                let values: Vec<Option<Value>> = (0..states)
                    .map(|_| match rng.below(8) {
                        0 => None,
                        1 => Some(Value::Draw),
                        2..=4 => Some(Value::Win(rng.below(distances) as u32)),
                        _ => Some(Value::Loss(rng.below(distances) as u32)),
                    })
                    .collect();
                let free: Vec<bool> =
                    values.iter().map(|value| value.is_some() && rng.chance(60)).collect();
                let invalid = round % 2 == 0;
                let read = decode(encode_with(&values, Forgotten { invalid, free: &free }), states);
                for ((value, read), free) in values.iter().zip(read).zip(free) {
                    match value {
                        None => assert_eq!(read.is_some(), invalid),
                        Some(value) if free => assert!(read.is_some_and(|read| read <= *value)),
                        Some(_) => assert_eq!(read, *value),
                    }
                    changed += u64::from(free && read != *value);
                }
            }
            assert!(changed > 500, "{changed}");
        }
    }

    #[test]
    fn states_that_are_all_alike_take_no_bytes() {
        for value in [None, Some(Value::Draw), Some(Value::Win(DISTANCE_MAX)), Some(Value::Loss(0))]
        {
            let bytes = encode(&[value; 1000], false);
            assert!(bytes.len() <= 6);
            assert_eq!(decode(bytes, 1000), [value; 1000]);
        }
        assert_eq!(decode(encode(&[None; 9], true), 9), [Some(Value::Draw); 9]);
    }

    #[test]
    fn bytes_that_make_no_sense_are_refused() {
        let good = encode(&[Some(Value::Draw), None, Some(Value::Win(3))], false);
        assert_eq!(good, [3, 0, 0, 7, 1, 0, 2]);
        for bad in [
            &[][..],
            // No value, and more values than states.
            &[0],
            &[4, 0, 0, 0, 0, 1, 0, 2],
            // A code without a value, too few codes, too many codes.
            &[3, 0, 0, 7, 1, 0, 3],
            &[3, 0, 0, 7, 1, 0],
            &[3, 0, 0, 7, 1, 0, 2, 0],
            // A distance of more than 32 bits, and a number that does not end.
            &[1, 0x82, 0x80, 0x80, 0x80, 0x20],
            &[1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
            &[1, 0x80],
            // Codes for a single value, which needs none.
            &[1, 1, 0],
        ] {
            assert!(Block::decode(bad.to_vec(), 3).is_none(), "{bad:?}");
        }
        assert_eq!(decode(encode(&[Some(Value::Win(DISTANCE_MAX))], false), 1).len(), 1);
        for beyond in [Value::Win(DISTANCE_MAX + 1), Value::Loss(u32::MAX), Value::Win(u32::MAX)] {
            assert!(Block::decode(encode(&[Some(beyond)], false), 1).is_none(), "{beyond:?}");
        }
    }
}
