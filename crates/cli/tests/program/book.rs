//! The book in `docs/` is true. Its commands print what it shows, its listings are the code tried here, its pictures
//! are those that the program draws, and its links lead to pages that exist.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::process::Command;

use retrograde::adapters::{Explicit, Quotient};
use retrograde_boards::{Group, Subsets, squares};
use retrograde_chess::Tablebase;
use retrograde_table::{About, Table, Writer};

use crate::shown::{folder, root, try_commands};

// docs/game.md
use std::ops::ControlFlow;

use retrograde::{Game, Predecessors, Status, Value};

/// A dial with this number of marks. A move turns the hand one or three marks further. From an even mark `m`, a move may
/// also turn it to `m / 2`.
struct Dial(u64);

impl Game for Dial {
    fn states(&self) -> u64 {
        self.0
    }

    fn status(&self, mark: u64) -> Status {
        // With the hand at 0, the player to move has just lost.
        if mark == 0 { Status::Terminal(Value::Loss(0)) } else { Status::Open }
    }

    fn successors(
        &self,
        mark: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        visit((mark + 1) % self.0)?;
        visit((mark + 3) % self.0)?;
        if mark.is_multiple_of(2) { visit(mark / 2) } else { ControlFlow::Continue(()) }
    }
}

impl Predecessors for Dial {
    fn predecessors(&self, mark: u64, mut visit: impl FnMut(u64)) {
        visit((mark + self.0 - 1) % self.0);
        visit((mark + self.0 - 3) % self.0);
        if 2 * mark < self.0 {
            visit(2 * mark);
        }
    }
}
// end

// docs/game.md
use retrograde_games::{Facts, Solvable, positions_are_states, successors_or_end};
use retrograde_positions::{Board, End, Move, Positions};

impl Positions for Dial {
    // A position is the number of its state.
    positions_are_states!();

    fn players(&self) -> &'static [&'static str] {
        &["player"]
    }

    fn start(&self) -> Option<u64> {
        Some(20)
    }

    fn read(&self, text: &str) -> Result<u64, String> {
        let mark = text.parse().ok().filter(|mark| *mark < self.0);
        mark.ok_or_else(|| format!("{text:?} is not a mark: write a number below {}", self.0))
    }

    fn write(&self, mark: &u64) -> String {
        mark.to_string()
    }

    fn player(&self, _: &u64) -> usize {
        0
    }

    fn moves(&self, &from: &u64, visit: &mut dyn FnMut(Move<u64>)) -> Option<End> {
        let points = |to| vec![from as usize, to as usize];
        successors_or_end(self, from, |to| visit(Move::new(to.to_string(), points(to), to)))
    }

    fn board(&self, &mark: &u64) -> Option<Board> {
        let mut board = Board::circle((0..self.0).map(|mark| mark.to_string()));
        board.put(("hand", '*'), None, [mark as usize]);
        Some(board)
    }
}

impl Solvable for Dial {
    fn facts(&self) -> Facts {
        Facts::of("dial")
    }
}
// end

/// The same game. It answers for many marks at once.
struct Fast(Dial);

impl Game for Fast {
    fn states(&self) -> u64 {
        self.0.states()
    }

    fn status(&self, mark: u64) -> Status {
        self.0.status(mark)
    }

    fn successors(&self, mark: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        self.0.successors(mark, visit)
    }

    // docs/fast.md
    fn classify(&self, marks: Range<u64>, mut visit: impl FnMut(u64, Status, u32, &[Value])) {
        for mark in marks {
            match mark {
                0 => visit(0, Status::Terminal(Value::Loss(0)), 0, &[]),
                _ => visit(mark, Status::Open, 3 - (mark % 2) as u32, &[]),
            }
        }
    }
    // end
}

impl Predecessors for Fast {
    fn predecessors(&self, mark: u64, visit: impl FnMut(u64)) {
        self.0.predecessors(mark, visit);
    }

    // docs/fast.md
    fn predecessors_of_each(&self, first: u64, set: u64, mut visit: impl FnMut(u64, u64)) {
        let mut left = set;
        while left != 0 {
            let mark = first + u64::from(left.trailing_zeros());
            left &= left - 1;
            self.predecessors(mark, |from| visit(mark, from));
        }
    }
    // end
}

// docs/boards.md
/// The L-game, on four by four squares. The player to move puts their L elsewhere, turned or mirrored. Then the player may move
/// one of two neutral stones. A player who cannot put the L elsewhere loses.
struct LGame {
    /// All places of an L, as sets of squares.
    places: Vec<u64>,
    /// All places of the two neutral stones.
    stones: Subsets,
}

impl LGame {
    fn new() -> LGame {
        let group = Group::square(4);
        // All six places of one L that is not turned, then the images of each, turned and mirrored.
        let moved = [0, 1, 4, 5, 8, 9].map(|by| 0b0001_0111 << by);
        let images = |set| (0..group.order()).map(move |element| (element, set));
        let places = moved.into_iter().flat_map(images);
        let places = places.map(|(element, set)| group.image(element, set)).collect();
        LGame { places, stones: Subsets::new(16, 2) }
    }

    fn state(&self, mine: usize, theirs: usize, stones: u64) -> u64 {
        let pair = mine * self.places.len() + theirs;
        pair as u64 * self.stones.count() + self.stones.rank(stones)
    }

    fn position(&self, state: u64) -> (usize, usize, u64) {
        let pair = (state / self.stones.count()) as usize;
        let stones = self.stones.unrank(state % self.stones.count());
        (pair / self.places.len(), pair % self.places.len(), stones)
    }
}

impl Game for LGame {
    fn states(&self) -> u64 {
        (self.places.len() * self.places.len()) as u64 * self.stones.count()
    }

    fn status(&self, state: u64) -> Status {
        let (mine, theirs, stones) = self.position(state);
        let (mine, theirs) = (self.places[mine], self.places[theirs]);
        if mine & theirs | (mine | theirs) & stones == 0 { Status::Open } else { Status::Invalid }
    }

    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (mine, theirs, stones) = self.position(state);
        let taken = self.places[theirs] | stones;
        for (to, place) in self.places.iter().enumerate() {
            if to != mine && place & taken == 0 {
                visit(self.state(theirs, to, stones))?;
                for (from, free) in squares(stones)
                    .flat_map(|at| squares(!(place | taken) & 0xffff).map(move |to| (at, to)))
                {
                    visit(self.state(theirs, to, stones ^ 1 << from ^ 1 << free))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
// end

// docs/regions.md
/// A path that ends where another game begins: the last field's only move leads there.
struct Into {
    fields: u64,
    beyond: Value,
}

impl Game for Into {
    fn states(&self) -> u64 {
        self.fields
    }

    fn status(&self, _field: u64) -> Status {
        Status::Open
    }

    fn exits(&self, field: u64, mut visit: impl FnMut(Value)) {
        if field + 1 == self.fields {
            // `keeps_turn` is `false`: the other player moves next.
            visit(self.beyond.after_move(false));
        }
    }

    fn successors(&self, field: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        Some(field + 1).filter(|next| *next < self.fields).into_iter().try_for_each(visit)
    }
}
// end

type Done = Result<(), Box<dyn std::error::Error>>;

#[test]
fn a_game_in_forty_lines() -> Done {
    // docs/game.md
    let game = Dial(60);
    retrograde::audit(&game)?;
    let solution = retrograde::solve(&game);
    retrograde::verify(&game, &solution)?;
    assert_eq!(solution.value(57), Some(Value::Win(1)));
    let line = retrograde::play::line(&game, &solution, 20)?;
    assert_eq!(line.states.len(), 37);
    // end
    assert_eq!(game.read(&game.write(&59)), Ok(59));
    assert!(game.read("60").is_err());
    let fast = Fast(Dial(6000));
    retrograde::audit(&fast)?;
    let (fast, slow) = (retrograde::solve(&fast), retrograde::solve(&Dial(6000)));
    assert!((0..6000).all(|mark| fast.value(mark) == slow.value(mark)));
    Ok(())
}

/// The encyclopedias give the same counts: 18,368 positions; 2,296 of them up to symmetry, of which 15 are lost at once
/// and 14 more later.
#[test]
fn a_game_on_a_board() -> Done {
    // docs/boards.md
    let game = Explicit::from_game(LGame::new());
    let solution = retrograde::solve(&game);
    retrograde::verify(&game, &solution)?;
    let counts = solution.counts();
    assert_eq!(counts.win + counts.loss + counts.draw, 18_368);
    // Mirror images count separately. Most positions are drawn, and no loss takes more than eight plies.
    assert_eq!((counts.win, counts.loss), (8_048, 232));
    // end
    let group = Group::square(4);
    let least = |state| {
        let (mine, theirs, stones) = game.game().position(state);
        let sets = [game.game().places[mine], game.game().places[theirs], stones];
        let images = (0..group.order()).map(|element| sets.map(|set| group.image(element, set)));
        images.min().expect("identity is one")
    };
    let orbits = |wanted: &dyn Fn(Value) -> bool| {
        let states = (0..game.states()).filter(|state| solution.value(*state).is_some_and(wanted));
        states.map(least).collect::<BTreeSet<_>>().len()
    };
    assert_eq!(orbits(&|_| true), 2_296);
    assert_eq!(orbits(&|value| value == Value::Loss(0)), 15);
    assert_eq!(orbits(&|value| matches!(value, Value::Loss(_))), 15 + 14);
    Ok(())
}

#[test]
fn symmetry_and_regions() -> Done {
    // docs/symmetry.md
    // A ring of twelve cells. A token moves one or three cells, either way. The player who brings it to cell 0 wins.
    let steps = |cell: u64| [(cell, (cell + 1) % 12), (cell, (cell + 11) % 12)];
    let jumps = |cell: u64| [(cell, (cell + 3) % 12), (cell, (cell + 9) % 12)];
    let moves = (1..12).flat_map(|cell| steps(cell).into_iter().chain(jumps(cell)));
    let ring = Explicit::from_edges(12, moves);
    let half = Quotient::new(&ring, |cell| cell.min((12 - cell) % 12));
    retrograde::audit(&half)?;
    let (whole, half_solved) = (retrograde::solve(&ring), retrograde::solve(&half));
    assert_eq!(half_solved.value(7), None);
    assert_eq!(half_solved.value(half.canonical(7)), whole.value(7));
    // end
    let path = Explicit::from_game(Into { fields: 3, beyond: Value::Loss(4) });
    assert_eq!(retrograde::solve(&path).value(0), Some(Value::Win(7)));
    Ok(())
}

#[test]
fn tables_are_probed() -> Done {
    let folder = folder("book-listings");
    let path = folder.join("dial.table");
    let game = Explicit::from_edges(8, (1..8).map(|field| (field, field / 2)));
    let solution = retrograde::solve(&game);
    let about = About { game: "halves".to_owned(), ..About::default() };
    Writer::new(about).write(&path, &solution)?;
    // docs/probe.md
    let table = Table::open(path)?;
    assert_eq!(table.probe(0)?, Some(Value::Loss(0)));
    assert_eq!(table.probe(7)?, Some(Value::Win(3)));
    // end
    let folder = folder.join("endgames");
    let builder = retrograde_chess::Builder::new(&retrograde_chess::Chess, &folder);
    retrograde_chess::build(builder, &["KQvKR".parse()?])?;
    // docs/chess.md
    let tables = Tablebase::open(folder)?;
    let answer = tables.probe("8/8/8/8/8/1r6/6Q1/k1K5 b - -")?;
    assert_eq!(answer.value, Value::Win(37)); // plies to mate, for the player to move
    let best = answer.best().expect("black can move");
    assert_eq!(best.played.to_string(), "b3b1");
    assert_eq!(tables.value(&best.after)?, Value::Loss(36));
    // end
    Ok(())
}

/// Every listing of every page is in this file, and every listing of this file is in its page.
#[test]
fn the_listings_are_the_code_tried_here() {
    let here = include_str!("book.rs");
    let mut tried = BTreeSet::new();
    // Written so that this function does not find itself.
    for part in here.split(concat!("// do", "cs/")).skip(1) {
        let Some((page, code)) = part.split_once(".md\n") else { continue };
        let lines: Vec<&str> = code.lines().take_while(|line| line.trim() != "// end").collect();
        let indent = lines[0].len() - lines[0].trim_start().len();
        let code: Vec<&str> = lines.iter().map(|line| line.get(indent..).unwrap_or("")).collect();
        let text = page_text(&format!("{page}.md"));
        let code = format!("```rust\n{}\n```", code.join("\n"));
        assert!(text.contains(&code), "docs/{page}.md lacks:\n{code}");
        tried.insert((page.to_owned(), code));
    }
    let shown: usize =
        pages().iter().map(|page| page_text(page).matches("```rust\n").count()).sum();
    assert_eq!(tried.len(), shown, "a listing without a test");
    assert!(shown >= 8);
}

#[test]
fn the_commands_print_what_the_book_shows() {
    let (mut tried, mut pictures) = (0, 0);
    for page in pages() {
        let folder = folder(&format!("book-{page}"));
        tried += try_commands(&page_text(&page), &folder);
        // If a page draws a file with the name of a picture of the book, the file is that picture.
        for entry in
            fs::read_dir(root().join("docs/pictures")).expect("there are pictures").flatten()
        {
            let drawn = folder.join(entry.file_name());
            if page != "probe.md"
                && let Ok(drawn) = fs::read_to_string(drawn)
            {
                let kept = fs::read_to_string(entry.path()).expect("a picture");
                assert!(drawn == kept, "{} is not what {page} draws", entry.path().display());
                pictures += 1;
            }
        }
    }
    assert!(tried >= 25 && pictures >= 3, "these tests have lost sight of the book");
}

/// Commands in `sh` blocks need a network, a cluster or a browser, so they do not run here. The program must still know
/// the options that they name: with `--help` at the end it reads all of them, and then prints its help.
#[test]
fn commands_that_need_more_than_this_machine_have_the_right_options() {
    let mut tried = 0;
    // The server reads its options itself.
    let is_here = |line: &&str| line.starts_with("retrograde ") && !line.contains(" serve ");
    let texts = pages().iter().map(|page| page_text(page)).collect::<Vec<_>>();
    let blocks = texts.iter().flat_map(|text| text.split("```sh\n").skip(1));
    for block in blocks.filter_map(|rest| rest.split("```").next()) {
        let block = block.replace("\\\n", " ").replace("\"$process\"", "0");
        for command in block.lines().map(str::trim_start).filter(is_here) {
            let command = command.split(" # ").next().unwrap_or_default().replace('\'', "");
            let words = command.split_whitespace().skip(1);
            let mut program = Command::new(env!("CARGO_BIN_EXE_retrograde"));
            let output = program.args(words).arg("--help").output().expect("the program starts");
            assert!(
                output.status.success(),
                "{command}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            tried += 1;
        }
    }
    assert!(tried >= 4, "these tests have lost sight of the book");
}

/// The summary names every page, and links lead to files that exist.
#[test]
fn links_lead_somewhere() {
    let summary = page_text("SUMMARY.md");
    for page in pages() {
        assert!(
            page == "SUMMARY.md" || summary.contains(&format!("({page})")),
            "{page} is in no summary"
        );
        for link in page_text(&page).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let link = link.split('#').next().unwrap_or_default();
            if !link.contains("://") && !link.is_empty() {
                assert!(root().join("docs").join(link).exists(), "{page}: {link}");
            }
        }
    }
}

fn pages() -> Vec<String> {
    let entries = fs::read_dir(root().join("docs")).expect("there is a book").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut pages: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    pages.sort();
    pages
}

fn page_text(page: &str) -> String {
    fs::read_to_string(root().join("docs").join(page)).expect("a page")
}
