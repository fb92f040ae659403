//! Reads `examples/games/known.txt`: what is known of each game of that folder.

/// What is known of a game.
pub(crate) struct Known {
    pub(crate) name: String,
    pub(crate) size: Size,
    /// The valid positions that are won, lost and drawn.
    pub(crate) valid: [u64; 3],
    /// The same of the positions that play reaches from the start, if they are counted.
    pub(crate) reached: Option<[u64; 3]>,
    /// The value of the start, and the longest win.
    pub(crate) start: String,
    pub(crate) longest: u32,
    /// How long a solve takes, the mechanisms, and where the rules stand.
    pub(crate) seconds: String,
    pub(crate) by: String,
    pub(crate) rules: String,
    /// The names of the figures that others found, too.
    pub(crate) outside: Vec<String>,
    pub(crate) source: String,
}

/// How long a game takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// So short that a test compares positions with the interpreter.
    Small,
    /// So short that a test solves it.
    Medium,
    /// `cargo run --release --example known` solves it.
    Large,
}

/// The folder of the games.
pub(crate) fn folder() -> String {
    format!("{}/../../examples/games", env!("CARGO_MANIFEST_DIR"))
}

/// The text of a game.
pub(crate) fn text(name: &str) -> String {
    let path = format!("{}/{name}.game", folder());
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All games, in the order of the file.
pub(crate) fn all() -> Vec<Known> {
    let path = format!("{}/known.txt", folder());
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let games =
        text.split("\n\n").filter(|block| block.contains("\ngame ") || block.starts_with("game "));
    games.map(known).collect()
}

fn known(block: &str) -> Known {
    let find = |key: &str| {
        let rest = block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
        rest.map(|rest| rest.trim().to_owned())
    };
    let must = |key: &str| find(key).unwrap_or_else(|| panic!("no {key} in\n{block}"));
    let counts = |text: String| {
        let counts: Vec<u64> = text
            .split_whitespace()
            .map(|count| {
                count.replace(',', "").parse().unwrap_or_else(|_| panic!("{count}: a count"))
            })
            .collect();
        <[u64; 3]>::try_from(counts).unwrap_or_else(|counts| panic!("{counts:?}: three counts"))
    };
    let size = match &*must("size") {
        "small" => Size::Small,
        "medium" => Size::Medium,
        "large" => Size::Large,
        size => panic!("{size}: small, medium or large"),
    };
    Known {
        name: must("game"),
        size,
        valid: counts(must("valid")),
        reached: find("reached").map(counts),
        start: must("start"),
        longest: must("longest").parse().expect("a number of plies"),
        seconds: must("seconds"),
        by: must("by"),
        rules: must("rules"),
        outside: find("outside")
            .unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
        source: must("source"),
    }
}
