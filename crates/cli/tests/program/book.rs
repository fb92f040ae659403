//! The book in `docs/` is true. Its commands print what it shows, its listings are the code tried here, its pictures
//! are those that the program draws, and its links lead to pages that exist.

use std::collections::BTreeSet;
use std::ops::Range;

use retrograde::adapters::{Explicit, Quotient};
use retrograde_boards::{Orbits, squares};
use retrograde_chess::Tablebase;
use retrograde_table::{About, Table, Writer};

use crate::shown::folder;
use pages::{page_text, pages};

mod pages;

// docs/game.md
use retrograde::adapters::{BackwardMoves, Numbered, Rules};
use retrograde::{Flow, Value};
use retrograde_boards::{Cells, Group, Kind, Position, singles};

/// The fields of a path, as a set.
const FIELDS: u64 = 0xff;

/// Two tokens on a path. A move takes your token one or two fields further, over the other token or not, to a free field. A
/// player who cannot move loses.
struct Race {
    cells: Cells,
}

impl Race {
    fn new() -> Race {
        // One token each. The first set is the token of the player to move.
        let kinds = [Kind::on(FIELDS, 1); 2];
        Race { cells: Cells::new(Group::trivial(8), &kinds, |counts| counts == [1, 1]) }
    }
}

impl Rules for Race {
    type Position = Position<2>;

    // The methods that number positions.
    retrograde_boards::forward!(Rules for this => this.cells);

    fn moves(&self, position: &Position<2>, mut visit: impl FnMut(&Position<2>) -> Flow) -> Flow {
        let [mine, theirs] = *position.sets();
        let ahead = (mine << 1 | mine << 2) & FIELDS & !theirs;
        singles(ahead).try_for_each(|to| visit(&self.cells.with_sets([theirs, to])))
    }
}

impl BackwardMoves for Race {
    fn backward_moves(&self, position: &Position<2>, mut visit: impl FnMut(&Position<2>)) {
        let [theirs, mine] = *position.sets();
        let behind = (mine >> 1 | mine >> 2) & !theirs;
        singles(behind).for_each(|from| visit(&self.cells.with_sets([from, theirs])));
    }
}
// end

// docs/game.md
use retrograde::{Game, Predecessors, Status};

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

    fn successors(&self, mark: u64, mut visit: impl FnMut(u64) -> Flow) -> Flow {
        visit((mark + 1) % self.0)?;
        visit((mark + 3) % self.0)?;
        if mark.is_multiple_of(2) { visit(mark / 2) } else { Flow::Continue(()) }
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
use retrograde::forward;

/// The dial, on which a player may not stop at mark 7.
struct Guarded(Dial);

impl Game for Guarded {
    // The defaults of the other three ask `status` and `successors`.
    forward!(Game for this => this.0; but status invalid_states classify successors degree);

    fn status(&self, mark: u64) -> Status {
        if mark == 7 { Status::Invalid } else { self.0.status(mark) }
    }

    fn successors(&self, mark: u64, mut visit: impl FnMut(u64) -> Flow) -> Flow {
        self.0.successors(mark, |to| if to == 7 { Flow::Continue(()) } else { visit(to) })
    }
}

impl Predecessors for Guarded {
    // It may visit mark 7, because the solver ignores invalid states.
    forward!(Predecessors for this => this.0);
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

    fn successors(&self, mark: u64, visit: impl FnMut(u64) -> Flow) -> Flow {
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
    /// The numbering: the L of the player to move, that of the other player, the neutral stones.
    orbits: Orbits<3>,
    /// All places of an L, as sets of squares.
    places: Vec<u64>,
}

impl LGame {
    fn new() -> LGame {
        let group = Group::square(4);
        // All six places of one L that is not turned, then the images of each, turned and mirrored.
        let moved = [0, 1, 4, 5, 8, 9].map(|by| 0b0001_0111 << by);
        let images = |set| (0..group.order()).map(move |element| (element, set));
        let places = moved.into_iter().flat_map(images);
        let places: Vec<u64> = places.map(|(element, set)| group.image(element, set)).collect();
        let orbits = Orbits::among(group, [4, 4, 2], |first| places.contains(&first));
        LGame { orbits, places }
    }
}

impl Rules for LGame {
    type Position = [u64; 3];

    fn states(&self) -> u64 {
        self.orbits.states()
    }

    fn position(&self, state: u64) -> Option<[u64; 3]> {
        // Some numbers are gaps. In others the four squares of the second L form no L.
        let position = self.orbits.position(state);
        let is_position = self.orbits.is_position(state) && self.places.contains(&position[1]);
        is_position.then_some(position)
    }

    fn state(&self, position: &[u64; 3]) -> u64 {
        self.orbits.state(*position)
    }

    fn moves(&self, sets: &[u64; 3], mut visit: impl FnMut(&[u64; 3]) -> Flow) -> Flow {
        let [mine, theirs, neutral] = *sets;
        let fits = |&&place: &&u64| place != mine && place & (theirs | neutral) == 0;
        for &place in self.places.iter().filter(fits) {
            visit(&[theirs, place, neutral])?;
            let free = !(place | theirs | neutral) & 0xffff;
            for from in squares(neutral) {
                let stone = |to: u32| neutral ^ 1 << from | 1 << to;
                squares(free).try_for_each(|to| visit(&[theirs, place, stone(to)]))?;
            }
        }
        Flow::Continue(())
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

    fn successors(&self, field: u64, visit: impl FnMut(u64) -> Flow) -> Flow {
        Some(field + 1).filter(|next| *next < self.fields).into_iter().try_for_each(visit)
    }
}
// end

type Done = Result<(), Box<dyn std::error::Error>>;

#[test]
fn a_game_in_forty_lines() -> Done {
    let path = folder("book-race").join("race.table");
    // docs/game.md
    let game = Numbered(Race::new());
    retrograde::audit(&game)?;
    let solution = retrograde::solve(&game);
    let start = game.0.state(&game.0.cells.with_sets([1 << 1, 1 << 2]));
    assert_eq!(solution.value(start), Some(Value::Win(5)));
    let about = About { game: "race".to_owned(), ..About::default() };
    Writer::new(about).write(&path, &solution)?;
    // end
    assert_eq!(Table::open(&path)?.probe(start)?, Some(Value::Win(5)));
    retrograde::audit(&Guarded(Dial(60)))?;
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
    let game = Explicit::from_game(Numbered(LGame::new()));
    let solution = retrograde::solve(&game);
    retrograde::verify(&game, &solution)?;
    let counts = solution.counts();
    // Up to symmetry. Most positions are drawn, and no loss takes more than eight plies.
    assert_eq!([counts.win, counts.loss, counts.draw], [1_006, 29, 1_261]);
    // end
    let stuck = (0..game.states()).filter(|state| solution.value(*state) == Some(Value::Loss(0)));
    assert_eq!(stuck.count(), 15);
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
    retrograde_chess::builder(&folder).build(&["KQvKR"])?;
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
