//! The games in `examples/games`, and what is known of them.

use retrograde::Counts;
use retrograde_described::{Numbers, Page};
use retrograde_testkit::deep;

use crate::judged::{Play, Solve, Summary, judge};
pub(crate) use crate::known::text;
use crate::known::{self, Known, Size};

const fn counts([win, loss, draw]: [u64; 3]) -> Counts {
    Counts { win, loss, draw, invalid: 0 }
}

/// Compares the games of a size with what is known of them. The error has all that differ.
fn compare(size: Size, summary: impl Fn(&Known, &str) -> Result<Summary, String>) {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for game in known::all().into_iter().filter(|game| game.size == size) {
        let name = &game.name;
        let summary = summary(&game, &text(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let reached = game.reached.map_or(summary.reached, counts);
        if (summary.counts, &summary.start, summary.longest, summary.reached)
            != (counts(game.valid), &game.start, Some(game.longest), reached)
        {
            wrong.push(format!("{name}: {summary:?}"));
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared > 0);
}

/// States of a small game agree with the interpreter, in both numberings.
#[test]
fn small_games() {
    compare(Size::Small, |game, text| judge(text, 1 + game.valid.iter().sum::<u64>() / 2_000));
}

/// A larger game is solved folded. A deep check also audits it, and solves it in both numberings.
#[test]
fn larger_games() {
    compare(Size::Medium, |game, text| {
        if deep() {
            return judge(text, 20_000);
        }
        let page = Page::read(text).map_err(|error| error.to_string())?;
        // Positions that play reaches are counted one by one.
        let numbers = if game.reached.is_some() { Numbers::Plain } else { Numbers::Folded };
        page.visit(numbers, Solve).map_err(|error| error.to_string())
    });
}

/// Each text of the folder stands in the file, once, and at least fifteen games have figures of others.
#[test]
fn all_games_are_known() {
    let known = known::all();
    let mut names: Vec<String> = known.iter().map(|game| format!("{}.game", game.name)).collect();
    names.push("known.txt".to_owned());
    names.sort();
    let files = std::fs::read_dir(known::folder()).expect("the folder is there");
    let mut files: Vec<String> = files
        .map(|file| file.expect("a file").file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    assert_eq!(names, files);
    for game in &known {
        let text = text(&game.name);
        assert!(text.contains(&format!("\ngame {}\n", game.name)), "{}", game.name);
        assert!(text.starts_with("# "), "{}: the first line says what it is", game.name);
        assert_eq!(game.source == "computed here", game.outside.is_empty(), "{}", game.name);
        let figures = ["start", "longest", "valid", "reached"];
        assert!(game.outside.iter().all(|name| figures.contains(&&**name)), "{}", game.name);
    }
    let outside = known.iter().filter(|game| !game.outside.is_empty()).count();
    assert!(known.len() >= 30 && outside >= 15, "{} games, {outside}", known.len());
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
