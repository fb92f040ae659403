//! Checks whether the methods for words agree with the methods for single states.

use std::cell::RefCell;
use std::collections::HashSet;

use super::audit::{Auditable, audit_exits};
use super::audit_error::{AuditError, Audited};
use super::auditor::Auditor;
use super::singly::Singly;
use super::sums::Kinds;
use crate::memory::Ones;
use crate::random::SplitMix64;
use crate::rules::{BitParallel, ByWords, Key, Value, WordKeys, WordStatus};

impl<G: WordKeys> Auditable for ByWords<'_, G> {
    fn audit(self, auditor: &mut Auditor<'_>) -> Result<Audited, AuditError> {
        let ByWords(game) = self;
        auditor.in_words(game.states(), |word| audit_word(game, word))
    }
}

/// Returns how many moves the open states of the word have.
fn audit_word(game: &impl WordKeys, word: u64) -> Result<u64, AuditError> {
    let mut random = SplitMix64(word);
    let cache = &WordCache { game, words: RefCell::default() };
    let states = cache.word(word);
    audit_classes(game, word, &states)?;
    audit_least(cache, word, states.open, random.next())?;
    let singles = (0..64).map(|bit| 1 << bit);
    let mixed: Vec<u64> = (0..4).map(|_| random.next()).collect();
    for set in singles.chain([!0]).chain(mixed) {
        audit_predecessors(cache, word, set & !states.invalid)?;
        if set & states.open != 0 {
            audit_moves(cache, word, set & states.open, random.next())?;
        }
    }
    audit_run(cache, word, &mut random)?;
    Ok(Ones(states.open).map(|bit| u64::from(game.degree(word * 64 + bit))).sum())
}

/// A game, with a cache of its answers about words, because moves lead to the same few words again and again.
struct WordCache<'g, G> {
    game: &'g G,
    words: RefCell<Vec<(u64, Kinds)>>,
}

impl<G: BitParallel> WordCache<'_, G> {
    fn word(&self, word: u64) -> Kinds {
        let mut words = self.words.borrow_mut();
        *entry(&mut words, word, || Kinds::of(self.game, word))
    }

    /// A random set of 31 of 32 states of a word, and all invalid ones. So some states have all their moves into such sets,
    /// and others do not.
    fn most_of(&self, word: u64, keeps_turn: bool, seed: u64) -> u64 {
        let mut random = SplitMix64(seed ^ word.wrapping_mul(2) ^ u64::from(keeps_turn));
        let few = (0..5).fold(!0, |few, _| few & random.next());
        !few | self.word(word).invalid
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

/// What `classify_words` says of a word: the status, and the values of special states and of exits, state by state.
type Classes = (Option<WordStatus>, [Vec<(u64, Value)>; 2]);

fn classes(game: &impl BitParallel, word: u64) -> Classes {
    let mut classes: Classes = Default::default();
    game.classify_words(word..word + 1, |_, status, singles| {
        classes.0 = Some(status);
        for (found, all) in classes.1.iter_mut().zip([singles.terminals, singles.exits]) {
            let states = |&(set, value): &(u64, Value)| Ones(set).map(move |bit| (bit, value));
            found.extend(all.iter().flat_map(states));
        }
    });
    for found in &mut classes.1 {
        found.sort_unstable();
        found.dedup();
    }
    classes
}

fn audit_classes(game: &impl BitParallel, word: u64, states: &Kinds) -> Result<(), AuditError> {
    for bit in Ones(!states.invalid) {
        audit_exits(game, word * 64 + bit)?;
    }
    let (expected, expected_values) = classes(&Singly(game), word);
    let (found, found_values) = classes(game, word);
    let wrong = expected.zip(found).map_or(!0, |(expected, found)| {
        (found.invalid ^ expected.invalid)
            | (found.won ^ expected.won)
            | (found.lost ^ expected.lost)
            | (found.special ^ expected.special)
    });
    if wrong != 0 {
        return disagree("classify_words", word, !0, wrong);
    }
    let of = |values: &[(u64, Value)], bit| -> Vec<Value> {
        values.iter().filter(|(of, _)| *of == bit).map(|&(_, value)| value).collect()
    };
    let pairs = expected_values.iter().zip(&found_values);
    let mut differs = pairs.filter_map(|(a, b)| (0..64).find(|&bit| of(a, bit) != of(b, bit)));
    match differs.next() {
        Some(bit) => disagree("classify_words", word, !0, 1 << bit),
        None => Ok(()),
    }
}

fn audit_predecessors(
    cache: &WordCache<'_, impl BitParallel>,
    word: u64,
    set: u64,
) -> Result<(), AuditError> {
    let game = cache.game;
    let mut reached = Reached::new();
    Singly(game).predecessors_of_set(word, set, |from, mask, keeps_turn| {
        entry(&mut reached, (from, keeps_turn), <(u64, u64)>::default).0 |= mask;
    });
    game.predecessors_of_set(word, set, |from, mask, keeps_turn| {
        entry(&mut reached, (from, keeps_turn), <(u64, u64)>::default).1 |= mask;
    });
    let wrong = reached.iter().filter_map(|&((from, _), (scalar, words))| {
        let wrong = (scalar ^ words) & cache.word(from).open;
        (wrong != 0).then(|| from * 64 + u64::from(wrong.trailing_zeros()))
    });
    match wrong.min() {
        Some(state) => Err(AuditError::Words { method: "predecessors_of_set", word, set, state }),
        None => Ok(()),
    }
}

/// Words, whether the moves from them keep the turn, and two sets of predecessors: those of single states, and those of all
/// states together.
type Reached = Vec<((u64, bool), (u64, u64))>;

/// Asks which states have all their moves into a random set.
fn audit_moves(
    cache: &WordCache<'_, impl BitParallel>,
    word: u64,
    states: u64,
    seed: u64,
) -> Result<(), AuditError> {
    let game = cache.game;
    let target = |word: u64, keeps_turn| cache.most_of(word, keeps_turn, seed);
    let all = Singly(game).all_moves_into(word, states, target);
    let wrong = all ^ game.all_moves_into(word, states, target);
    if wrong == 0 { Ok(()) } else { disagree("all_moves_into", word, states, wrong) }
}

/// Asks about all states of a word together with a state of each of a few other words of its run.
fn audit_run<G: BitParallel>(
    cache: &WordCache<'_, G>,
    word: u64,
    random: &mut SplitMix64,
) -> Result<(), AuditError> {
    /// How many other words there are at most.
    const OTHERS: u64 = 4;
    let first = word & !63;
    let of_run = (cache.game.states().div_ceil(64) - first).min(64);
    let mut sets = [0; 64];
    for other in word + 1..=word + OTHERS {
        sets[(other % of_run) as usize] = 1 << (random.next() % 64);
    }
    sets[(word % 64) as usize] = !0;
    let only = |kept: fn(Kinds) -> u64| {
        let mut kept_sets = sets;
        for (word, set) in (first..).zip(&mut kept_sets).filter(|(_, set)| **set != 0) {
            *set &= kept(cache.word(word));
        }
        let words = kept_sets.iter().rev().fold(0, |words, set| words << 1 | u64::from(*set != 0));
        (words, kept_sets)
    };
    audit_predecessors_of_run(cache, first, only(|states| !states.invalid))?;
    audit_moves_of_run(cache, first, only(|states| states.open), random.next())
}

fn audit_predecessors_of_run<G: BitParallel>(
    cache: &WordCache<'_, G>,
    first: u64,
    (words, sets): (u64, [u64; 64]),
) -> Result<(), AuditError> {
    let game = cache.game;
    let mut reached = Reached::new();
    Singly(game).predecessors_of_run(first, words, &sets, |from, mask, keeps_turn| {
        entry(&mut reached, (from, keeps_turn), <(u64, u64)>::default).0 |= mask;
    });
    game.predecessors_of_run(first, words, &sets, |from, mask, keeps_turn| {
        entry(&mut reached, (from, keeps_turn), <(u64, u64)>::default).1 |= mask;
    });
    let first_wrong = |wrong: &dyn Fn((u64, bool), (u64, u64)) -> u64| {
        let states = reached.iter().filter_map(|&((from, keeps_turn), masks)| {
            let wrong = wrong((from, keeps_turn), masks) & cache.word(from).open;
            (wrong != 0).then(|| from * 64 + u64::from(wrong.trailing_zeros()))
        });
        states.min()
    };
    let wrong = |method, state| Err(AuditError::Words { method, word: first, set: words, state });
    if let Some(state) = first_wrong(&|_, (alone, together)| alone ^ together) {
        return wrong("predecessors_of_run", state);
    }
    if !G::PASSES_TURN && !G::CHECKS_WINS {
        return Ok(());
    }
    let mut before = HashSet::new();
    game.words_before(first, words, &sets, |first, words| {
        before.extend(Ones(words).map(|bit| first.wrapping_add(bit)));
    });
    let keeps = |(_, keeps_turn), (alone, _)| if keeps_turn { alone } else { 0 };
    if let Some(state) = first_wrong(&keeps) {
        return wrong("keeps_turn", state);
    }
    let missing = |(from, _): (u64, _), (alone, _)| if before.contains(&from) { 0 } else { alone };
    match first_wrong(&missing) {
        Some(state) => wrong("words_before", state),
        None => Ok(()),
    }
}

fn audit_moves_of_run(
    cache: &WordCache<'_, impl BitParallel>,
    first: u64,
    (words, mut sets): (u64, [u64; 64]),
    seed: u64,
) -> Result<(), AuditError> {
    let game = cache.game;
    let target = |word: u64, keeps_turn| cache.most_of(word, keeps_turn, seed);
    let mut expected = sets;
    Singly(game).all_moves_into_run(first, words, &mut expected, target);
    game.all_moves_into_run(first, words, &mut sets, target);
    let wrong = (first..).zip(sets.iter().zip(expected)).find(|(_, (set, of))| *set != of);
    match wrong {
        None => Ok(()),
        Some((word, (set, of))) => {
            let state = word * 64 + u64::from((set ^ of).trailing_zeros());
            Err(AuditError::Words { method: "all_moves_into_run", word: first, set: words, state })
        }
    }
}

/// Asks some states for the least of some random keys.
fn audit_least(
    cache: &WordCache<'_, impl WordKeys>,
    word: u64,
    states: u64,
    seed: u64,
) -> Result<(), AuditError> {
    let game = cache.game;
    let key = |state: u64| {
        if cache.word(state / 64).invalid >> (state % 64) & 1 != 0 {
            return Key::INVALID;
        }
        // Keys of values lie above the key of an unknown value and below that of an invalid state.
        Key(((SplitMix64(seed ^ state).next() % 65_534) as i32 - 32_767) as i16)
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
        // The default would ask for the keys of a whole word at each move.
        let (from, mut least) = (word * 64 + bit, Key::INVALID);
        game.each_successor(from, |to| {
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
