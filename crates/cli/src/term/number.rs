//! Numbers as people write and read them: thousands apart, sizes with their units.

use std::fmt;
use std::str::FromStr;

pub(crate) use retrograde_catalog::{counted, grouped, plies};
use retrograde_games::bytes;

/// A large number to three digits: `1234567.0` as `1.23 M`.
pub(crate) fn rounded(number: f64) -> String {
    let mut rest = number;
    let mut unit = "";
    for next in ["k", "M", "G", "T", "P"] {
        // A number that rounds to four digits belongs to the next unit.
        if rest < 999.5 {
            break;
        }
        rest /= 1000.0;
        unit = next;
    }
    let digits = three_digits(rest);
    if unit.is_empty() { digits } else { format!("{digits} {unit}") }
}

/// `, 1.55 bits a state`. Nothing for a tiny game: its memory does not depend on its states.
pub(crate) fn share(share: f64, unit: &str) -> String {
    const TINY: f64 = 1000.0;
    if share < TINY { format!(", {share:.2} {unit} a state") } else { String::new() }
}

/// A time to three digits: `0.0123` as `12.3 ms`.
pub(crate) fn time(seconds: f64) -> String {
    let (number, unit) = match seconds {
        s if s < 0.000_999_5 => (1e6 * s, "us"),
        s if s < 0.999_5 => (1e3 * s, "ms"),
        s => (s, "s"),
    };
    format!("{} {unit}", three_digits(number))
}

/// A time for a progress line: `12s`, `3m20s`, `2h05m`.
pub(crate) fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m", seconds / 3600, seconds % 3600 / 60),
    }
}

/// A number of bytes, written `8GiB`, `1.5 TB`, `512k` or `1000000`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// The size in bytes.
    pub(crate) bytes: u64,
}

const UNITS: [(&str, u64); 5] =
    [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        bytes(text).map(|bytes| Size { bytes })
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &(unit, scale) =
            UNITS.iter().find(|(_, scale)| self.bytes >= *scale).unwrap_or(&("B", 1));
        if scale == 1 {
            return write!(f, "{} {unit}", self.bytes);
        }
        write!(f, "{} {unit}", three_digits(self.bytes as f64 / scale as f64))
    }
}

fn three_digits(number: f64) -> String {
    let places = match number {
        n if n >= 99.95 || n == n.trunc() => 0,
        n if n >= 9.995 => 1,
        _ => 2,
    };
    format!("{number:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (12_345, "12,345")]
        {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn large_numbers_keep_three_digits() {
        for (number, text) in [
            (0.0, "0"),
            (12.34, "12.3"),
            (999.4, "999"),
            (999.6, "1.00 k"),
            (1_234_567.0, "1.23 M"),
            (98_765_432.0, "98.8 M"),
            (1e9, "1 G"),
        ] {
            assert_eq!(rounded(number), text);
        }
    }

    /// A graph of four states had "32775.00 bytes a state".
    #[test]
    fn a_tiny_game_has_no_bytes_a_state() {
        assert_eq!(share(1.547, "bits"), ", 1.55 bits a state");
        assert_eq!(share(32775.0, "bytes"), "");
    }

    #[test]
    fn times_keep_three_digits() {
        for (seconds, text) in
            [(0.000_027_35, "27.4 us"), (0.012_3, "12.3 ms"), (0.999_7, "1.00 s"), (754.3, "754 s")]
        {
            assert_eq!(time(seconds), text);
        }
    }

    #[test]
    fn a_clock_has_two_units() {
        for (seconds, text) in
            [(0.9, "0s"), (59.9, "59s"), (60.0, "1m00s"), (3599.0, "59m59s"), (7500.0, "2h05m")]
        {
            assert_eq!(clock(seconds), text);
        }
    }

    #[test]
    fn sizes_are_written_in_the_largest_unit() {
        for (bytes, text) in
            [(12, "12 B"), (1 << 30, "1 GiB"), (3 << 29, "1.50 GiB"), (251 << 20, "251 MiB")]
        {
            assert_eq!(Size { bytes }.to_string(), text);
        }
    }
}
