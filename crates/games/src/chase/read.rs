//! Reads the graph of a chase from text.
//!
//! ```text
//! a b          an edge between a and b; labels are any words
//! b c          # the rest of a line is a comment
//! ! c          an exit
//! police a     where a policeman starts, one line for each
//! thief b      where the thief starts
//! ```

use super::adjacency::Adjacency;
use super::names::Names;
use super::{Chase, Ground};
use crate::ReadError;
use crate::labels::Labels;
use crate::words::lines_of_words;

impl Chase {
    /// Reads a graph for a game with `police` police. Repeated edges count once. A loop adds no edge, but it
    /// can name a vertex that has no other edge.
    ///
    /// ```
    /// use retrograde::Game;
    /// let path = retrograde_games::Chase::parse("a b\nb c\npolice a\nthief c\n", 1).unwrap();
    /// assert_eq!(path.states(), 2 * 3 * 3);
    /// ```
    pub fn parse(text: &str, police: u32) -> Result<Chase, ReadError> {
        let mut file = File::default();
        for (number, words) in lines_of_words(text) {
            match *words.as_slice() {
                ["!", exit] => {
                    let exit = file.labels.number(exit);
                    file.exits.push(exit);
                }
                ["police", start] => file.police.push((number, start)),
                ["thief", start] => {
                    if let Some((other, _)) = file.thief.replace((number, start)) {
                        let what = format!(
                            "a second thief, after the one in line {other}: leave one line `thief`"
                        );
                        return Err(ReadError::at(number, what));
                    }
                }
                [a, b] => file.edges.push((file.labels.number(a), file.labels.number(b))),
                _ => {
                    let what = "not an edge: write `a b`, or `! a` for an exit, or `police a` or `thief a` for a start";
                    return Err(ReadError::at(number, what));
                }
            }
        }
        if file.labels.count() == 0 {
            return Err(ReadError::whole("the graph is empty: write its edges, one a line: `a b`"));
        }
        file.chase(police)
    }
}

/// The contents of a file.
#[derive(Default)]
struct File<'a> {
    labels: Labels,
    edges: Vec<(u32, u32)>,
    exits: Vec<u32>,
    /// The labels and their lines.
    police: Vec<(u64, &'a str)>,
    /// The label and its line.
    thief: Option<(u64, &'a str)>,
}

impl File<'_> {
    fn chase(self, police: u32) -> Result<Chase, ReadError> {
        let vertex = |(number, label): (u64, &str)| {
            let what = || {
                format!("no edge or exit names {label:?}: correct the label, or give it an edge")
            };
            self.labels.known(label).ok_or_else(|| ReadError::at(number, what()))
        };
        let police_start =
            self.police.iter().copied().map(vertex).collect::<Result<Vec<u32>, ReadError>>()?;
        let thief_start = self.thief.map(vertex).transpose()?;
        let steps = Adjacency::from_edges(self.labels.count(), &self.edges);
        let mut exits = vec![false; self.labels.count() as usize];
        self.exits.iter().for_each(|&exit| exits[exit as usize] = true);
        let ground = Ground {
            police_steps: steps.clone(),
            thief_steps: steps,
            exits,
            names: Names::Labels(self.labels),
        };
        let mut chase = Chase::new(ground, police)?;
        chase.start_at(police_start, thief_start)?;
        Ok(chase)
    }
}
