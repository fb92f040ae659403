//! The description of a game or a family. Arguments, help and lists of all programs come from it.

use crate::arguments::{Arguments, Parameter};

/// A game or a family by name: its description, and the arguments that it needs.
#[derive(Debug)]
pub struct Spec {
    /// The name in one lower-case word: `pursuit`.
    pub name: &'static str,
    /// What the game is, in a few words: `police and thief on a grid`.
    pub summary: &'static str,
    /// The rules, in a few sentences, or the text that has them.
    pub rules: &'static str,
    /// The text of the game, if it is one.
    pub text: Option<&'static str>,
    /// The file that the game needs, if any.
    pub file: Option<FileSpec>,
    /// How a region is written, if the game is a family.
    pub regions: Option<&'static str>,
    /// The parameters.
    pub parameters: &'static [Parameter],
    /// Arguments for a first try, as they follow the name: `--heaps 3,5,7 --take any`.
    pub example: &'static str,
}

/// The file of a game.
#[derive(Debug)]
pub struct FileSpec {
    /// The contents of the file, as one word: `board`.
    pub holds: &'static str,
    /// Whether the beginning of a text looks like such a file.
    pub recognizes: fn(&str) -> bool,
    /// About how many bytes of memory reading a text takes, if that is far more than its length.
    pub reading_bytes: fn(&str) -> u64,
    /// Files to begin with: their names and their contents.
    pub examples: &'static [(&'static str, &'static str)],
    /// A page of the book that has tables of what may stand in the file. Empty if there is none.
    pub reference: &'static str,
}

impl Spec {
    /// Nothing, for the fields that a description leaves out.
    pub const EMPTY: Spec = Spec {
        name: "",
        summary: "",
        rules: "",
        text: None,
        file: None,
        regions: None,
        parameters: &[],
        example: "",
    };

    /// A game from a text that begins with a comment of one line.
    pub const fn of_text(name: &'static str, text: &'static str) -> Spec {
        let summary = first_comment(text);
        Spec { name, summary, rules: text, text: Some(text), ..Spec::EMPTY }
    }

    /// Whether it has a parameter of that name.
    pub fn has(&self, name: &str) -> bool {
        self.parameters.iter().any(|known| known.name == name)
    }

    /// A parameter that it does not have, but for which an argument is given.
    pub fn misplaced(&self, given: &Arguments) -> Option<&'static Parameter> {
        given.iter().map(|(parameter, _)| parameter).find(|given| !self.parameters.contains(given))
    }

    /// All parameters of these games or families, each once.
    pub fn parameters_of(
        specs: impl IntoIterator<Item = &'static Spec>,
    ) -> Vec<&'static Parameter> {
        let mut all: Vec<&'static Parameter> = Vec::new();
        for parameter in specs.into_iter().flat_map(|spec| spec.parameters) {
            if all.iter().all(|known| known.name != parameter.name) {
                all.push(parameter);
            }
        }
        all
    }

    /// The command that solves the game for a first try, or builds some regions. For regions, the name of a folder must be
    /// added.
    pub fn command(&self) -> String {
        let command = if self.regions.is_some() { "build" } else { "solve" };
        let line = format!("retrograde {command} {} {}", self.name, self.example);
        line.trim_end().to_owned()
    }
}

/// Games are equal by name.
impl PartialEq for Spec {
    fn eq(&self, other: &Spec) -> bool {
        self.name == other.name
    }
}

impl Eq for Spec {}

/// The first line of a text, without the sign of a comment and the last full stop.
const fn first_comment(text: &str) -> &str {
    let mut end = 0;
    while text.as_bytes()[end] != b'\n' {
        end += 1;
    }
    if text.as_bytes()[end - 1] == b'.' {
        end -= 1;
    }
    text.split_at(end).0.split_at("# ".len()).1
}

impl FileSpec {
    /// A file that takes little more memory to read than it has bytes.
    pub const fn small(holds: &'static str, recognizes: fn(&str) -> bool) -> FileSpec {
        FileSpec { holds, recognizes, reading_bytes: |_| 0, examples: &[], reference: "" }
    }

    /// The same with files to begin with.
    pub const fn examples(self, examples: &'static [(&'static str, &'static str)]) -> FileSpec {
        FileSpec { examples, ..self }
    }

    /// What may stand in the file: the rows of the tables of its [reference](FileSpec::reference), each with its meaning.
    pub fn statements(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        self.reference.lines().filter_map(|line| {
            let (statement, meaning) = line.strip_prefix("| `")?.split_once("` | ")?;
            Some((statement, meaning.strip_suffix(" |")?))
        })
    }
}
