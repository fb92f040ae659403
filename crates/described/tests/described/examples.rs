//! The games in `examples/games`, and what is known of them.

use retrograde::Counts;
use retrograde_described::{Numbers, Page};
use retrograde_testkit::deep;

use crate::judged::{Play, Solve, Summary, judge};

/// The text of an example.
pub(crate) fn text(name: &str) -> String {
    let path = format!("{}/../../examples/games/{name}.game", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

const fn counts([win, loss, draw]: [u64; 3]) -> Counts {
    Counts { win, loss, draw, invalid: 0 }
}

/// A game, its valid positions that are won, lost and drawn, the value of the start, and the longest win.
type Known = (&'static str, [u64; 3], &'static str, u32);

/// The positions that play reaches. The counts are those of the games written in Rust, in `retrograde-games`.
const REACHED: [(&str, [u64; 3]); 6] = [
    ("achi", [2_997, 1_185, 1_208]),
    ("dodgem", [1_123, 840, 0]),
    ("hare-and-hounds", [1_118, 849, 543]),
    ("mu-torere", [208, 128, 844]),
    ("pong-hau-ki", [8, 4, 44]),
    ("tsoro-yematatu", [435, 240, 131]),
];

const SMALL: [Known; 8] = [
    ("achi", [7_829, 2_153, 3_108], "win in 9", 9),
    ("dodgem", [1_606, 1_148, 0], "win in 19", 21),
    ("hare-and-hounds", [1_238, 857, 545], "win in 23", 27),
    ("mu-torere", [240, 128, 892], "draw", 5),
    ("pong-hau-ki", [8, 4, 48], "draw", 1),
    ("tapatan", [7_829, 2_153, 3_108], "win in 9", 9),
    ("three-mens-morris", [4_688, 1_316, 7_086], "draw", 5),
    ("tsoro-yematatu", [1_564, 585, 463], "win in 11", 11),
];

/// Compares games with what is known of them. The error has all that differ.
fn compare(games: &[Known], summary: impl Fn(&str) -> Result<Summary, String>) {
    let mut wrong = Vec::new();
    for &(name, valid, start, longest) in games {
        let summary = summary(&text(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let reached = REACHED.iter().find(|(known, _)| *known == name);
        let reached = reached.map_or(summary.reached, |(_, reached)| counts(*reached));
        if (summary.counts, &*summary.start, summary.longest, summary.reached)
            != (counts(valid), start, Some(longest), reached)
        {
            wrong.push(format!("{name}: {summary:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// All states of a small game agree with the interpreter, in both numberings.
#[test]
fn small_games() {
    compare(&SMALL, |text| judge(text, 1));
}

const LARGE: [Known; 3] = [
    ("dao", [351_264, 63_388, 1_387_148], "draw", 11),
    ("fox-and-hounds", [1_051_601, 962_159, 0], "win in 43", 43),
    ("tic-tac-chec-3", [479_853, 172_344, 13_924], "win in 15", 39),
];

/// A larger game is solved folded. A deep check also audits it, and solves it in both numberings.
#[test]
fn larger_games() {
    compare(&LARGE, |text| {
        if deep() {
            return judge(text, 20_000);
        }
        let page = Page::read(text).map_err(|error| error.to_string())?;
        page.visit(Numbers::Folded, Solve).map_err(|error| error.to_string())
    });
}

/// Dobutsu shogi with lions and chicks alone.
#[test]
fn dobutsu_with_few_men() {
    let whole = text("dobutsu-without-elephants").replace("drop giraffe,chick", "drop chick");
    let few: Vec<&str> = whole.lines().filter(|line| !line.contains("giraffe")).collect();
    let summary = judge(&few.join("\n"), 500).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(summary.start, "win in 15");
}

/// The hand-written program of `retrograde-boards` counts 1,117,613 wins, 310,287 losses and 20,074 draws, seen by the player to move.
#[test]
fn dobutsu_with_one_giraffe() {
    let whole = text("dobutsu-without-elephants");
    let one = "men sente giraffe 1\nmen gote giraffe 0";
    let few = whole.replace("men both giraffe 1", one).replace("start gote giraffe a4\n", "");
    let page = Page::read(&few).unwrap_or_else(|error| panic!("{error}"));
    let summary = page.visit(Numbers::Folded, Solve).expect("it has been read");
    assert_eq!(summary.counts, counts([1_117_613, 310_287, 20_074].map(|count| 2 * count)));
}

/// Random play of a game that is too large to solve in a test.
#[test]
fn random_play_agrees_with_the_interpreter() {
    for name in ["dobutsu", "dobutsu-without-elephants", "dao", "fox-and-hounds", "tic-tac-chec-3"]
    {
        let text = text(name);
        let page = Page::read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let played = page.visit(Numbers::Plain, Play(&text)).expect("it has been read");
        played.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
