//! Presses squares together one byte at a time, with tables. It is for masks that change with every position.
//! For a board of sixteen squares, two lookups in tables of 64 KB do this for any mask.

/// For each mask of eight squares and each set: the squares of the set that lie in the mask, pressed
/// together.
static PRESSED: [[u8; 256]; 256] = pressed();
/// For each mask, the inverse.
static SPREAD: [[u8; 256]; 256] = spread();

/// How many squares each mask has. Not every processor has an instruction for this.
static ONES: [u8; 256] = ones();

/// The squares of a set that lie in a mask, pressed together. A set has `bytes` bytes.
#[inline(always)]
pub(crate) fn press(bytes: u32, mask: u64, set: u64) -> u64 {
    let mut pressed = press_small(mask, set);
    let mut at = ONES[byte_of(mask, 0)];
    for byte in 2..bytes {
        at += ONES[byte_of(mask, byte - 1)];
        pressed |= u64::from(PRESSED[byte_of(mask, byte)][byte_of(set, byte)]) << at;
    }
    pressed
}

/// The same for a board of at most sixteen squares.
#[inline(always)]
pub(crate) fn press_small(mask: u64, set: u64) -> u64 {
    let of_byte = |byte: u32| u64::from(PRESSED[byte_of(mask, byte)][byte_of(set, byte)]);
    of_byte(0) | of_byte(1) << ONES[byte_of(mask, 0)]
}

/// The inverse of [`press_small`].
#[inline(always)]
pub(crate) fn unpress_small(mask: u64, pressed: u64) -> u64 {
    let (low, high) = (byte_of(mask, 0), byte_of(mask, 1));
    let upper = SPREAD[high][byte_of(pressed >> ONES[low], 0)];
    u64::from(SPREAD[low][byte_of(pressed, 0)]) | u64::from(upper) << 8
}

/// The inverse of [`press`].
#[inline(always)]
pub(crate) fn unpress(bytes: u32, mask: u64, pressed: u64) -> u64 {
    let (mut set, mut rest) = (0, pressed);
    for byte in 0..bytes {
        let mask = byte_of(mask, byte);
        set |= u64::from(SPREAD[mask][byte_of(rest, 0)]) << (8 * byte);
        rest >>= ONES[mask];
    }
    set
}

/// How many squares a set of `bytes` bytes has.
#[inline(always)]
pub(crate) fn count(bytes: u32, set: u64) -> u64 {
    match bytes {
        0..=2 => u64::from(ONES[byte_of(set, 0)]) + u64::from(ONES[byte_of(set, 1)]),
        _ => u64::from(set.count_ones()),
    }
}

#[inline(always)]
fn byte_of(set: u64, byte: u32) -> usize {
    (set >> (8 * byte)) as usize & 255
}

const fn ones() -> [u8; 256] {
    let mut ones = [0; 256];
    let mut mask: usize = 0;
    while mask < 256 {
        ones[mask] = mask.count_ones() as u8;
        mask += 1;
    }
    ones
}

/// Makes each row from the row for the mask without its lowest square. The compiler takes a while for each step of these
/// loops, so they make two entries a step.
const fn pressed() -> [[u8; 256]; 256] {
    let mut table = [[0; 256]; 256];
    let mut mask: usize = 1;
    while mask < 256 {
        let (rest, lowest) = (table[mask & (mask - 1)], mask & mask.wrapping_neg());
        let row = &mut table[mask];
        let mut set = 0;
        while set < 256 {
            row[set] = rest[set] << 1;
            row[set | lowest] = row[set] | 1;
            // The next set without the lowest square of the mask.
            set = ((set | lowest) + 1) & !lowest;
        }
        mask += 1;
    }
    table
}

const fn spread() -> [[u8; 256]; 256] {
    let mut table = [[0; 256]; 256];
    let mut mask: usize = 1;
    while mask < 256 {
        let (rest, lowest) = (table[mask & (mask - 1)], (mask & mask.wrapping_neg()) as u8);
        let row = &mut table[mask];
        let mut set = 0;
        while set < 128 {
            row[2 * set] = rest[set];
            row[2 * set + 1] = rest[set] | lowest;
            set += 1;
        }
        mask += 1;
    }
    table
}
