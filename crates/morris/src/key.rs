//! Values in two bytes, in the order of the player to move.

use retrograde::{Code, Probe, Value};

/// A value. An invalid state is the least.
pub(crate) type Key = u16;
pub(crate) const INVALID: Key = 0;
pub(crate) const DRAW: Key = 1 << 15;
pub(crate) const LOST: Key = 1;
const WON: Key = Key::MAX - 1;
/// No value, above all others.
pub(crate) const NONE: Key = Key::MAX;
/// No game of morris lasts as long as this, but a forged table may claim it.
pub(crate) const FAR: Key = DRAW - 3;

/// Whether it may stand for a distance that exceeds two bytes.
pub(crate) fn is_far(key: Key) -> bool {
    key == LOST + FAR || key == WON - FAR
}

pub(crate) fn key(code: Code) -> Key {
    let distance = (code.bits() / 2).wrapping_sub(1).min(FAR);
    match code {
        Code::INVALID => INVALID,
        Code::DRAW => DRAW,
        _ if code.bits().is_multiple_of(2) => LOST + distance,
        _ => WON - distance,
    }
}

/// Writes the keys of the states from `first` on, until `keys` is full.
pub(crate) fn fill_keys<P: Probe>(
    values: &P,
    first: u64,
    keys: &mut [Key],
) -> Result<(), P::Error> {
    let mut codes = [Code::INVALID; 1 << 10];
    for (first, keys) in (first..).step_by(codes.len()).zip(keys.chunks_mut(codes.len())) {
        let codes = &mut codes[..keys.len()];
        values.fill_codes(first, codes)?;
        keys.iter_mut().zip(codes).for_each(|(place, code)| *place = key(*code));
    }
    Ok(())
}

pub(crate) fn value(key: Key) -> Option<Value> {
    match key {
        INVALID => None,
        DRAW => Some(Value::Draw),
        key if key < DRAW => Some(Value::Loss(u32::from(key - LOST))),
        key => Some(Value::Win(u32::from(WON - key))),
    }
}

/// The value of a move to a state with this key.
#[inline(always)]
pub(crate) fn after_move(least: Key) -> Key {
    match least.cmp(&DRAW) {
        std::cmp::Ordering::Less => WON - (least - LOST) - 1,
        std::cmp::Ordering::Equal => DRAW,
        std::cmp::Ordering::Greater => LOST + (WON - least) + 1,
    }
}
