//! The names in texts, for the traits whose games have constant names. Each name is kept once, as long as the program runs: people see
//! few games. A server compiles texts of strangers, so the store has a limit, and a text that would exceed it is refused.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::TextError;
use crate::text::Text;
use crate::words::Place;

/// About how many bytes the names of all texts may take.
const BYTES_MAX: usize = 1 << 20;
/// About how many bytes an entry takes besides its letters.
const ENTRY_BYTES: usize = 48;

static KEPT: Mutex<Names> =
    Mutex::new(Names { names: BTreeSet::new(), pairs: BTreeSet::new(), bytes: 0 });

struct Names {
    names: BTreeSet<&'static str>,
    pairs: BTreeSet<&'static [&'static str]>,
    bytes: usize,
}

fn kept() -> MutexGuard<'static, Names> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Names {
    fn name(&mut self, name: &str) -> &'static str {
        if let Some(known) = self.names.get(name) {
            return known;
        }
        self.bytes += name.len() + ENTRY_BYTES;
        let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
        self.names.insert(name);
        name
    }

    fn pair(&mut self, wanted: [&'static str; 2]) -> &'static [&'static str] {
        if let Some(known) = self.pairs.get(wanted.as_slice()) {
            return known;
        }
        self.bytes += size_of_val(&wanted) + ENTRY_BYTES;
        let pair: &'static [&'static str] = Box::leak(Box::new(wanted));
        self.pairs.insert(pair);
        pair
    }

    /// Keeps the names of a text, if they fit. Known names take nothing.
    fn keep(&mut self, text: &Text, bytes_max: usize) -> Result<(), TextError> {
        let players = text.players.each_ref().map(String::as_str);
        let kinds = text.classes.iter().map(|class| &*class.kind);
        let mut all: BTreeSet<&str> =
            players.into_iter().chain(kinds).chain([&*text.name]).collect();
        all.retain(|name| !self.names.contains(name));
        let mut new: usize = all.iter().map(|name| name.len() + ENTRY_BYTES).sum();
        if !self.pairs.contains(players.as_slice()) {
            new += size_of_val(&players) + ENTRY_BYTES;
        }
        if new > 0 && self.bytes + new > bytes_max {
            let problem = format!(
                "the names of all texts so far take {} bytes of {bytes_max}, and this text has new ones: start the program again, or use names of earlier texts",
                self.bytes
            );
            return Place { line: 1, column: 1 }.error(problem);
        }
        for name in all {
            self.name(name);
        }
        let players = players.map(|name| self.name(name));
        self.pair(players);
        Ok(())
    }
}

/// Keeps the names of a text. An error if all names together would take too much memory.
pub(crate) fn keep(text: &Text) -> Result<(), TextError> {
    kept().keep(text, BYTES_MAX)
}

/// A name that was kept.
pub(crate) fn name(name: &str) -> &'static str {
    kept().name(name)
}

/// Two names that were kept together.
pub(crate) fn pair(first: &'static str, second: &'static str) -> &'static [&'static str] {
    kept().pair([first, second])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read;

    #[test]
    fn texts_are_refused_once_their_names_take_too_much() {
        const MOST: usize = 1000;
        let empty = || Names { names: BTreeSet::new(), pairs: BTreeSet::new(), bytes: 0 };
        let mut names = empty();
        let text = |name: &str| {
            let text = format!(
                "game {name}\nboard grid 3 1\nmen both man 1\nstart first man a1\nstart second man c1\nmove man step all\n"
            );
            read(&text).expect("a text")
        };
        let alphabet = || ('a'..='z').map(|letter| letter.to_string());
        let refused = alphabet()
            .find_map(|name| names.keep(&text(&name), MOST).err().map(|error| (name, error)));
        let (name, error) = refused.expect("26 names do not fit");
        assert!(error.problem.contains("start the program again"), "{error}");
        assert!(names.bytes <= MOST && MOST < names.bytes + 2 * ENTRY_BYTES, "{}", names.bytes);
        // What is known fits always, and takes nothing more.
        let before = names.bytes;
        for known in alphabet().take_while(|known| *known != name) {
            names.keep(&text(&known), MOST).expect("it is known");
        }
        assert_eq!(names.bytes, before);
        // The limit itself fits, and no byte less does.
        let mut one = empty();
        one.keep(&text("a"), MOST).expect("one text fits");
        empty().keep(&text("a"), one.bytes).expect("it fits exactly");
        assert!(empty().keep(&text("a"), one.bytes - 1).is_err());
    }
}
