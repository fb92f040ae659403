//! Checks whether the methods for words agree with the methods for single states.

use std::cell::RefCell;

use super::audit::{AuditError, Auditable, Audited, audit_exits};
use super::auditor::Auditor;
use crate::memory::bits::Ones;
use crate::rules::{BitParallel, ByWords, Key, Status, Value, WordKeys, WordStatus};

impl<G: WordKeys> Auditable for ByWords<'_, G> {
    fn audit(self, auditor: &mut Auditor<'_>) -> Result<Audited, AuditError> {
        let ByWords(game) = self;
        auditor.in_words(game.states(), |word| audit_word(game, word))
    }
}

/// Returns how many moves the open states of the word have.
fn audit_word(game: &impl WordKeys, word: u64) -> Result<u64, AuditError> {
    let mut random = Random(word);
    let asked = &Asked { game, words: RefCell::default() };
    let states = asked.word(word);
    audit_classes(game, word, &states)?;
    audit_least(asked, word, states.open, random.next())?;
    let singles = (0..64).map(|bit| 1 << bit);
    let mixed: Vec<u64> = (0..4).map(|_| random.next()).collect();
    for set in singles.chain([!0]).chain(mixed) {
        audit_predecessors(asked, word, set & !states.invalid)?;
        if set & states.open != 0 {
            audit_moves(asked, word, set & states.open, random.next())?;
        }
    }
    Ok(Ones(states.open).map(|bit| u64::from(game.degree(word * 64 + bit))).sum())
}

/// A game, with a cache of its answers about words, because moves lead to the same few words again and again.
struct Asked<'g, G> {
    game: &'g G,
    words: RefCell<Vec<(u64, States)>>,
}

impl<G: BitParallel> Asked<'_, G> {
    fn word(&self, word: u64) -> States {
        let mut words = self.words.borrow_mut();
        *entry(&mut words, word, || States::of(self.game, word))
    }
}

/// The entry of a key in a short list. Adds it if it is missing.
fn entry<K: PartialEq, T>(known: &mut Vec<(K, T)>, key: K, make: impl FnOnce() -> T) -> &mut T {
    let at = known.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
        known.push((key, make()));
        known.len() - 1
    });
    &mut known[at].1
}

/// The states of a word, according to the methods for single states.
#[derive(Clone, Copy)]
struct States {
    invalid: u64,
    open: u64,
}

impl States {
    fn of(game: &impl BitParallel, word: u64) -> States {
        if word >= game.states().div_ceil(64) {
            return States { invalid: !0, open: 0 };
        }
        let mut states = States { invalid: 0, open: 0 };
        for bit in 0..64 {
            let state = word * 64 + bit;
            if state >= game.states() {
                states.invalid |= 1 << bit;
                continue;
            }
            match game.status(state) {
                Status::Invalid => states.invalid |= 1 << bit,
                Status::Open => states.open |= 1 << bit,
                Status::Terminal(_) => {}
            }
        }
        states
    }
}

fn audit_classes(game: &impl BitParallel, word: u64, states: &States) -> Result<(), AuditError> {
    let mut expected = WordStatus { invalid: states.invalid, won: 0, lost: 0, special: 0 };
    let (mut specials, mut exits) = (Vec::new(), Vec::new());
    for bit in Ones(!states.invalid) {
        let state = word * 64 + bit;
        let told = exits.len();
        audit_exits(game, state)?;
        let status = game.status(state);
        if status == Status::Open {
            game.exits(state, |value| exits.push((state, value)));
        }
        match status {
            Status::Terminal(Value::Win(0)) => expected.won |= 1 << bit,
            Status::Terminal(Value::Loss(0)) => expected.lost |= 1 << bit,
            Status::Terminal(value) => {
                expected.special |= 1 << bit;
                specials.push((state, value));
            }
            Status::Open if exits.len() == told && game.degree(state) == 0 => {
                expected.lost |= 1 << bit;
            }
            _ => {}
        }
    }
    let mut found = None;
    let (mut found_specials, mut found_exits) = (Vec::new(), Vec::new());
    game.classify_words(word..word + 1, |_, status, singles| {
        let states =
            |&(states, value): &(u64, Value)| Ones(states).map(move |bit| (word * 64 + bit, value));
        found_specials.extend(singles.terminals.iter().flat_map(states));
        found_exits.extend(singles.exits.iter().flat_map(states));
        found = Some(status);
    });
    for told in [&mut specials, &mut exits, &mut found_specials, &mut found_exits] {
        told.sort_unstable();
        told.dedup();
    }
    let wrong = match found {
        None => !0,
        Some(found) => {
            (found.invalid ^ expected.invalid)
                | (found.won ^ expected.won)
                | (found.lost ^ expected.lost)
                | (found.special ^ expected.special)
        }
    };
    if wrong != 0 {
        return disagree("classify_words", word, !0, wrong);
    }
    let differs = |a: &[(u64, _)], b: &[(u64, _)]| {
        (0..64).find(|bit| {
            let of = |told: &[(u64, Value)]| {
                told.iter().filter(|(state, _)| *state == word * 64 + bit).copied().collect()
            };
            let (a, b): (Vec<_>, Vec<_>) = (of(a), of(b));
            a != b
        })
    };
    match differs(&specials, &found_specials).or(differs(&exits, &found_exits)) {
        Some(bit) => disagree("classify_words", word, !0, 1 << bit),
        None => Ok(()),
    }
}

fn audit_predecessors(
    asked: &Asked<'_, impl BitParallel>,
    word: u64,
    set: u64,
) -> Result<(), AuditError> {
    let game = asked.game;
    let mut reached: Vec<((u64, bool), (u64, u64))> = Vec::new();
    for bit in Ones(set) {
        let to = word * 64 + bit;
        game.predecessors(to, |from| {
            let key = (from / 64, game.keeps_turn(from, to));
            entry(&mut reached, key, <(u64, u64)>::default).0 |= 1 << (from % 64);
        });
    }
    game.predecessors_of_set(word, set, |from, mask, keeps_turn| {
        entry(&mut reached, (from, keeps_turn), <(u64, u64)>::default).1 |= mask;
    });
    let wrong = reached.iter().filter_map(|&((from, _), (scalar, words))| {
        let wrong = (scalar ^ words) & asked.word(from).open;
        (wrong != 0).then(|| from * 64 + u64::from(wrong.trailing_zeros()))
    });
    match wrong.min() {
        Some(state) => Err(AuditError::Words { method: "predecessors_of_set", word, set, state }),
        None => Ok(()),
    }
}

/// Asks which states have all their moves into a random set.
fn audit_moves(
    asked: &Asked<'_, impl BitParallel>,
    word: u64,
    states: u64,
    seed: u64,
) -> Result<(), AuditError> {
    let game = asked.game;
    // The set has 31 of 32 states, so some states have all their moves into it, and others do not.
    let target = |word: u64, keeps_turn: bool| {
        let mut random = Random(seed ^ word.wrapping_mul(2) ^ u64::from(keeps_turn));
        let few = (0..5).fold(!0, |few, _| few & random.next());
        !few | asked.word(word).invalid
    };
    let mut all = states;
    for bit in Ones(states) {
        let from = word * 64 + bit;
        game.successors(from, |to| {
            let target = target(to / 64, game.keeps_turn(from, to));
            all &= !((!target >> (to % 64) & 1) << bit);
        });
    }
    let wrong = all ^ game.all_moves_into(word, states, target);
    if wrong == 0 { Ok(()) } else { disagree("all_moves_into", word, states, wrong) }
}

/// Asks some states for the least of some random keys.
fn audit_least(
    asked: &Asked<'_, impl WordKeys>,
    word: u64,
    states: u64,
    seed: u64,
) -> Result<(), AuditError> {
    let game = asked.game;
    let key = |state: u64| {
        if asked.word(state / 64).invalid >> (state % 64) & 1 != 0 {
            return Key::INVALID;
        }
        // Keys of values lie above the key of an unknown value and below that of an invalid state.
        Key(((Random(seed ^ state).next() % 65_534) as i32 - 32_767) as i16)
    };
    let keys =
        |word: u64| {
            let states = word.checked_mul(64).filter(|&first| first < game.states());
            Box::new(states.map_or([Key::INVALID; 64], |first| {
                std::array::from_fn(|bit| key(first + bit as u64))
            }))
        };
    let found = game.least_of_moves(word, states, keys);
    let mut wrong = 0;
    for bit in Ones(states) {
        let from = word * 64 + bit;
        let mut least = Key::INVALID;
        game.successors(from, |to| {
            least = least.min(if game.keeps_turn(from, to) { key(to).turned() } else { key(to) });
        });
        wrong |= u64::from(found[bit as usize] != least) << bit;
    }
    if wrong == 0 { Ok(()) } else { disagree("least_of_moves", word, states, wrong) }
}

fn disagree(method: &'static str, word: u64, set: u64, wrong: u64) -> Result<(), AuditError> {
    let state = word * 64 + u64::from(wrong.trailing_zeros());
    Err(AuditError::Words { method, word, set, state })
}

/// Random bits by splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
}
