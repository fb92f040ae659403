//! A small random number generator (splitmix64, after Steele, Lea and Flood 2014). The same seed gives the
//! same numbers on every machine and in every version; libraries do not promise that.

use std::io::Write;
use std::ops::Range;

/// Random numbers from a seed.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The generator for this seed.
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// A number in the range.
    pub fn within(&mut self, range: Range<u64>) -> u64 {
        range.start + self.below(range.end - range.start)
    }

    /// True `percent` times in a hundred.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of the choices.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// Whether tests do all they can: `RETROGRADE_TESTS` is `all`, as in `scripts/check --deep`.
pub fn deep() -> bool {
    std::env::var("RETROGRADE_TESTS").is_ok_and(|text| text == "all")
}

/// How many random cases to try: a tenth of `count`, or all of them in a deep check.
pub fn cases(count: u64) -> u64 {
    if deep() { count } else { count.div_ceil(10) }
}

/// Notes how much a random test has judged, without what it judges in each run: a line in the file `RETROGRADE_JUDGED`, if it is set.
/// `scripts/long` adds these numbers up.
pub fn judged(count: u64, what: &str) {
    let Some(path) = std::env::var_os("RETROGRADE_JUDGED") else { return };
    let file = std::fs::File::options().append(true).create(true).open(&path);
    // One write, so that lines of other tests do not mix with this one.
    let written = file.and_then(|mut file| file.write_all(format!("{count}\t{what}\n").as_bytes()));
    written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// A seed for this run: `RETROGRADE_SEED` if it is set, to repeat a failure, otherwise the time. A test that
/// uses it prints it on failure.
pub fn seed() -> u64 {
    match std::env::var("RETROGRADE_SEED") {
        Ok(text) => text.parse().expect("RETROGRADE_SEED is a number"),
        Err(_) => {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            Rng::new(now.map_or(1, |elapsed| elapsed.as_nanos() as u64)).bits() >> 16
        }
    }
}
