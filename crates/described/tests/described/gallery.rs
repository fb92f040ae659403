//! The gallery of the book: each game of `examples/games` with its board, its text and what is known of it. `scripts/gallery` writes the
//! page, and a test compares it.

use std::fmt::Write;

use retrograde::grouped;
use retrograde_described::{DescribedGame, Numbers, Page, PageVisitor};
use retrograde_picture::Drawing;
use retrograde_positions::Positions;

use crate::known::{self, Known, text};

/// Draws the board at the start.
struct Draw;

impl PageVisitor for Draw {
    type Output = String;

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> String {
        let start = game.start().expect("every text has a start");
        let board = game.board(&start).expect("every text has a board");
        let title = format!("{}, {} to move", game.name(), game.players()[game.player(&start)]);
        Drawing { title, ..Drawing::of(board) }.svg()
    }
}

fn counts([won, lost, drawn]: [u64; 3]) -> String {
    format!("{} won, {} lost, {} drawn", grouped(won), grouped(lost), grouped(drawn))
}

/// The section of a game.
fn section(game: &Known) -> String {
    let (name, text) = (&game.name, text(&game.name));
    let (comments, rest): (Vec<&str>, Vec<&str>) = {
        let lines: Vec<&str> = text.lines().collect();
        let first = lines.iter().position(|line| !line.starts_with('#')).unwrap_or(0);
        (lines[..first].to_vec(), lines[first..].to_vec())
    };
    let about: Vec<&str> =
        comments.iter().map(|line| line.trim_start_matches(['#', ' '])).collect();
    let mut section = format!("## {name}\n\n{}\n\n", about.join("\n"));
    let _ = writeln!(section, "![the board of {name} at the start](pictures/gallery/{name}.svg)\n");
    let mut row = |what: &str, said: &str| writeln!(section, "| {what} | {said} |");
    let _ = row("value of the start", &game.start).and_then(|()| {
        row("---", "---")?;
        row("longest win", &format!("{} plies", game.longest))?;
        row("positions", &counts(game.valid))?;
        if let Some(reached) = game.reached {
            row("reached from the start", &counts(reached))?;
        }
        row("time", &format!("{} s", game.seconds))?;
        row("by", &game.by)?;
        row("rules", &game.rules)?;
        match game.outside.is_empty() {
            true => row("figures of others", "none: computed here"),
            false => {
                row("figures of others", &format!("{}: {}", game.outside.join(", "), game.source))
            }
        }
    });
    let _ = write!(section, "\n```text\n{}\n```\n", rest.join("\n"));
    section
}

/// The page.
fn page(games: &[Known]) -> String {
    let mut page = String::from(BEFORE);
    for game in games {
        page.push('\n');
        page.push_str(&section(game));
    }
    page
}

const BEFORE: &str = "\
# Gallery

<!-- Written by scripts/gallery from examples/games and known.txt there. -->

Each of these games is a [page of text](texts.md) in the folder `examples/games`. `retrograde solve examples/games/NAME.game` solves it.
Positions are counted as the player to move sees them, and positions that are equal by symmetry count apart. The time is that of a solve
on one thread of a busy machine. Where others have published figures, or another program has found them, the source is named.
";

/// The names and contents of all files.
fn files() -> Vec<(String, String)> {
    let games = known::all();
    let mut files = vec![("gallery.md".to_owned(), page(&games))];
    for game in &games {
        let page =
            Page::read(&text(&game.name)).unwrap_or_else(|error| panic!("{}: {error}", game.name));
        let svg = page.visit(Numbers::Plain, Draw).expect("it has been read");
        files.push((format!("pictures/gallery/{}.svg", game.name), svg));
    }
    files
}

#[test]
fn the_gallery_shows_what_is_known() {
    let docs = format!("{}/../../docs", env!("CARGO_MANIFEST_DIR"));
    let write = std::env::var_os("RETROGRADE_GALLERY").is_some();
    for (name, content) in files() {
        let path = format!("{docs}/{name}");
        if write {
            std::fs::write(&path, &content).unwrap_or_else(|error| panic!("{path}: {error}"));
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(kept == content, "{name} is out of date: run scripts/gallery");
    }
}
