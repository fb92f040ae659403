//! The names of vertices: each word of a file gets a number, in order of first appearance.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Numbers for names, while a file is read.
#[derive(Default)]
pub(crate) struct Labeller<'a> {
    numbers: HashMap<Cow<'a, str>, u32>,
    names: Vec<Cow<'a, str>>,
}

impl<'a> Labeller<'a> {
    /// The number of a name, a new one at its first appearance.
    pub(crate) fn number(&mut self, name: impl Into<Cow<'a, str>>) -> u32 {
        match self.numbers.entry(name.into()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let number = u32::try_from(self.names.len())
                    .expect("a text in memory names fewer than 2^32 vertices");
                self.names.push(new.key().clone());
                *new.insert(number)
            }
        }
    }

    /// The number of a name that has appeared.
    pub(crate) fn known(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// How many names have appeared.
    pub(crate) fn count(&self) -> u32 {
        self.names.len() as u32
    }

    /// The names alone, to be kept.
    pub(crate) fn finish(self) -> Labels {
        drop(self.numbers);
        let mut labels = Labels {
            text: String::new(),
            ends: Vec::with_capacity(self.names.len()),
            sorted: Vec::new(),
        };
        for name in &self.names {
            labels.text.push_str(name);
            labels.ends.push(labels.text.len());
        }
        let mut sorted: Vec<u32> = (0..self.names.len() as u32).collect();
        sorted.sort_unstable_by_key(|&number| &self.names[number as usize]);
        labels.sorted = sorted;
        labels
    }
}

/// The names of all vertices, for good: their letters in one string, since there may be millions.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    text: String,
    /// Where in `text` each name ends.
    ends: Vec<usize>,
    /// The numbers in the order of their names, to find a number by its name.
    sorted: Vec<u32>,
}

impl Labels {
    /// The name of a number.
    pub(crate) fn name(&self, number: u32) -> &str {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.text[start..self.ends[number]]
    }

    /// The number of a name, or that there is no such vertex.
    pub(crate) fn find(&self, name: &str) -> Result<u32, String> {
        self.sorted
            .binary_search_by_key(&name, |&number| self.name(number))
            .map(|at| self.sorted[at])
            .map_err(|_| format!("no vertex is called {name:?}: use a label of the file"))
    }
}
