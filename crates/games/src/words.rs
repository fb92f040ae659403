//! A text as lines of words, the form of edge lists.

/// The words of one line, at most four. A valid line has fewer.
pub(crate) struct Words<'a> {
    words: [&'a str; 4],
    count: usize,
}

impl<'a> Words<'a> {
    /// The words in order, for a `match`.
    pub(crate) fn as_slice(&self) -> &[&'a str] {
        &self.words[..self.count]
    }
}

/// The words of every line that has any, with the number of the line, from 1. `#` begins a comment.
pub(crate) fn lines_of_words(text: &str) -> impl Iterator<Item = (u64, Words<'_>)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..).zip(text.lines()).filter_map(|(number, line)| {
        let line = line.split_once('#').map_or(line, |(before, _)| before);
        let mut words = Words { words: [""; 4], count: 0 };
        for (slot, word) in words.words.iter_mut().zip(line.split_whitespace()) {
            *slot = word;
            words.count += 1;
        }
        (words.count > 0).then_some((number, words))
    })
}
