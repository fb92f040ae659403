//! Checks a solution, 64 states at a time.
//!
//! The laws and the window are the same as in [`verify`](crate::verify()). A value is a key of two bytes, so eight keys
//! fit a register. The best move of a state leads to the state with the least key. If the sign changes and a ply is
//! added, this key becomes the key of the state. If a key of a word is not right, the states of the word are checked
//! again, one by one.

use std::ops::{Deref, Range};

use super::key::WON;
use super::verify::{Verifiable, Verified, Verifier, VerifyError, verify_state};
use super::window::{self, KeyWindow};
use crate::memory::Ones;
use crate::rules::{ByWords, Code, Key, Keys, Probe, Singles, Value, WordKeys, WordStatus};

impl<G: WordKeys> Verifiable for ByWords<'_, G> {
    fn verify<P: Probe>(
        self,
        mut verifier: Verifier<'_>,
        probe: &P,
    ) -> Result<Verified, VerifyError<P::Error>> {
        let ByWords(game) = self;
        let probe: &dyn Probe<Error = P::Error> = probe;
        let far = |word, keys: &mut Keys| window::fill(probe, word * 64, keys);
        let distances = probe.has_distances();
        let verify_run = |window: &KeyWindow, run| {
            let mut broken = None;
            let judge = &mut |word| {
                if broken.is_none() {
                    let mut states = word * 64..game.states().min(word * 64 + 64);
                    broken = states.find_map(|state| verify_state(game, probe, state).err());
                }
            };
            WordChecks { game, distances, window, far: &far }.verify_run(run, judge);
            broken.map_or(Ok(()), Err)
        };
        verifier.by_window(game.states(), probe, &verify_run, &mut |()| {})?;
        Ok(Verified { states: game.states(), moves: None })
    }
}

/// Checks words by a window on the values around them. It does not know what can go wrong with a lookup, so it is
/// compiled once for a game.
struct WordChecks<'a, G> {
    game: &'a G,
    distances: bool,
    window: &'a KeyWindow,
    /// Looks up the keys of a word outside the window.
    far: &'a (dyn Fn(u64, &mut Keys) + Sync),
}

impl<G: WordKeys> WordChecks<'_, G> {
    /// Calls `judge` with each word whose values may not follow.
    fn verify_run(&self, states: Range<u64>, judge: &mut dyn FnMut(u64)) {
        let words = states.start / 64..states.end.div_ceil(64);
        self.game.classify_words(words, |word, status, singles| {
            if !self.follows(word, status, singles) {
                judge(word);
            }
        });
    }

    /// Whether all values of a word follow from the rules and from the values one move later.
    #[inline(always)]
    fn follows(&self, word: u64, status: WordStatus, singles: Singles<'_>) -> bool {
        let found = self.keys(word);
        let expected =
            expected(self.game, (word, status, singles), self.distances, |word| self.keys(word));
        expected.is_some_and(|expected| {
            let pairs = found.iter().zip(&expected);
            pairs.fold(0, |differ, (found, expected)| differ | (found.0 ^ expected)) == 0
        })
    }

    /// The keys of a word. Outside the window, it looks the values up. Words beyond the last are invalid.
    #[inline(always)]
    fn keys(&self, word: u64) -> KeysPlace<'_> {
        match self.window.word(word) {
            Some(keys) => KeysPlace::Near(keys),
            None => KeysPlace::Far(self.far(word)),
        }
    }

    #[cold]
    #[inline(never)]
    fn far(&self, word: u64) -> Keys {
        let mut keys = [Key::INVALID; 64];
        if word < self.game.states().div_ceil(64) {
            (self.far)(word, &mut keys);
        }
        keys
    }
}

/// The keys of a word. A `Cow` does the same, but its `deref` may be compiled in another unit, as a call.
enum KeysPlace<'a> {
    Near(&'a Keys),
    Far(Keys),
}

impl Deref for KeysPlace<'_> {
    type Target = Keys;

    #[inline(always)]
    fn deref(&self) -> &Keys {
        match self {
            KeysPlace::Near(keys) => keys,
            KeysPlace::Far(keys) => keys,
        }
    }
}

/// The keys of the states of a word, from its status and from the keys of the words that its moves lead to. `None` if
/// some distance has no key.
#[inline(always)]
fn expected<G: WordKeys, K: Deref<Target = Keys>>(
    game: &G,
    (word, status, singles): (u64, WordStatus, Singles<'_>),
    distances: bool,
    keys: impl Fn(u64) -> K,
) -> Option<[i16; 64]> {
    let WordStatus { invalid, won, lost, special } = status;
    let open = !(invalid | won | lost | special);
    const INVALID: i16 = Key::INVALID.0;
    let mut expected = [INVALID; 64];
    let key = |&(states, value): &(u64, Value)| (states, Key::of(Some(value)));
    let (terminals, exits) = (singles.terminals.iter().map(key), singles.exits.iter().map(key));
    if terminals.clone().chain(exits.clone()).any(|(_, key)| key == Key::UNKNOWN) {
        return None;
    }
    if open != 0 {
        let least = game.least_of_moves(word, open, keys);
        let opens = lanes(open);
        let mut unknown = false;
        for ((key, least), open) in expected.iter_mut().zip(least).zip(opens) {
            let Key(least) = least;
            // Adds a ply, which brings the key of a win or a loss nearer to the key of a draw.
            let after = -least.max(-INVALID) + i16::from(least > 0) - i16::from(least < 0);
            *key = if open { after } else { INVALID };
            unknown |= open & (least == Key::UNKNOWN.0);
        }
        if unknown {
            return None;
        }
    }
    for (set, key) in [(won, WON), (lost, -WON)] {
        Ones(set).for_each(|bit| expected[bit as usize] = key);
    }
    for (states, key) in terminals {
        Ones(states).for_each(|bit| expected[bit as usize] = key.0);
    }
    for (states, Key(key)) in exits {
        for bit in Ones(states) {
            let expected = &mut expected[bit as usize];
            *expected = key.max(*expected);
        }
    }
    if !distances {
        // In a solution without distances, all distances are 0.
        for key in &mut expected {
            *key = if *key == INVALID { INVALID } else { key.signum() * WON };
        }
    }
    Some(expected)
}

/// Computes the values of the states of some words from the values one move later. `keys(word)` gives the keys of a
/// word, and this function uses only the keys of states that moves lead to. Use it for values that a table leaves out
/// because the values of the other player determine them. Returns `None` if a distance is above 32,000. Then go state
/// by state.
pub fn recover_words<G: WordKeys, K: Deref<Target = Keys>>(
    game: &G,
    words: Range<u64>,
    distances: bool,
    keys: impl Fn(u64) -> K,
    mut put: impl FnMut(u64, &[Code; 64]),
) -> Option<()> {
    let mut far = false;
    game.classify_words(words, |word, status, singles| {
        match expected(game, (word, status, singles), distances, &keys) {
            Some(keys) => put(word, &keys.map(|key| Code::from(Key(key)))),
            None => far = true,
        }
    });
    (!far).then_some(())
}

/// Whether each state of a word is in a set.
#[inline(always)]
fn lanes(set: u64) -> [bool; 64] {
    let mut lanes = [false; 64];
    for (lanes, byte) in lanes.as_chunks_mut::<8>().0.iter_mut().zip(set.to_le_bytes()) {
        for (bit, lane) in lanes.iter_mut().enumerate() {
            *lane = byte & 1 << bit != 0;
        }
    }
    lanes
}
