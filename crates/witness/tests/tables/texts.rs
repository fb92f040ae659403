//! Tables of described games: the witness reads the text itself, and numbers positions by their specification.

use retrograde_games::find_game;
use retrograde_table::{About, Writer};
use retrograde_testkit::{Rng, cases, random_text, seed};
use retrograde_witness::Refusal;
use retrograde_witness::interpreter::Interpreter;

use crate::common::{Scratch, Solved, witnessed};

/// The text of a game of the registry.
pub(crate) fn text(name: &str) -> &'static str {
    find_game(name).and_then(|game| game.text).expect("a game with a text")
}

/// Small games with all that a text can say. `words` are what a game has and some of the others lack.
pub(crate) fn all_words() -> [&'static str; 11] {
    let games = [
        (text("achi"), &["drop man any", "placed", "win line"][..]),
        (text("dodgem"), &["leave", "win out"]),
        (text("hare-and-hounds"), &["win reach"]),
        (text("tsoro-yematatu"), &["board points", "jump"]),
        (include_str!("games/chains.game"), &["takes again", "else", "promote"]),
        (include_str!("games/falling.game"), &["any upon", "stuck draws"]),
        (include_str!("games/lions.game"), &["win take", "safe for", "demote", "taken hand"]),
        (include_str!("games/mills.game"), &["mill 3", "win below"]),
        (include_str!("games/royals.game"), &["royal king", "slide"]),
        (include_str!("games/turning.game"), &["nne", "any as horse", "any takes"]),
        (
            include_str!("games/runners.game"),
            &["man run", "across beside", "win own", "held", "both draws"],
        ),
    ];
    games.map(|(text, words)| {
        words.iter().for_each(|word| assert!(text.contains(word), "{word} in {text}"));
        text
    })
}

/// Writes the table of a text, and gives the number of its valid states.
fn write(text: &str, path: &std::path::Path) -> u64 {
    let solved = Solved::new("text", &[], Some(text), true);
    solved.writer().write(path, &solved.solution).unwrap();
    let counts = solved.solution.counts();
    counts.win + counts.loss + counts.draw
}

#[test]
fn small_texts_are_proved() {
    let folder = Scratch::new();
    let path = folder.join("text.table");
    for text in all_words() {
        let states = write(text, &path);
        let proved = witnessed(&path).unwrap_or_else(|refusal| panic!("{refusal}\n{text}"));
        assert_eq!((proved.positions, proved.distances), (states, true), "{text}");
    }
    for name in ["mu-torere", "pong-hau-ki", "three-mens-morris"] {
        let states = write(text(name), &path);
        let proved = witnessed(&path).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        assert_eq!((proved.positions, proved.distances), (states, true), "{name}");
    }
}

/// Royal men, and men that come back from a hand.
#[test]
fn an_ending_with_royal_men_is_proved() {
    let folder = Scratch::new();
    let path = folder.join("royal.table");
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/games");
    let text = std::fs::read_to_string(format!("{examples}/gold-and-king.game")).unwrap();
    let states = write(&text, &path);
    let proved = witnessed(&path).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(proved.positions, states);
}

/// The compiler of texts, its numbering and its symmetries against those of the witness.
#[test]
fn random_texts_are_proved() {
    let (folder, seed) = (Scratch::new(), seed());
    let (path, mut rng) = (folder.join("random.table"), Rng::new(seed));
    let (mut proved, wanted) = (0, cases(3000));
    // Words that change what a way is.
    let mut seen = [("\nroyal ", 0), ("\nmill ", 0), (" again", 0)];
    while proved < wanted {
        let text = random_text(&mut rng);
        let board = retrograde_games::Source { name: "text".into(), text: text.clone() };
        let setup = retrograde_games::Setup::parse("text", &[], Some(board)).unwrap();
        let Ok(game) = retrograde_catalog::game(&setup) else { continue };
        if game.states() > 1500 {
            continue;
        }
        let states = write(&text, &path);
        let told = witnessed(&path);
        let told = told.unwrap_or_else(|refusal| panic!("seed {seed}: {refusal}\n{text}"));
        assert_eq!(told.positions, states, "seed {seed}:\n{text}");
        proved += 1;
        seen.iter_mut().for_each(|(word, times)| *times += u32::from(text.contains(*word)));
    }
    assert!(seen.iter().all(|(_, times)| *times > 0), "seed {seed}: {seen:?}");
}

/// Three parts of a text that can break a symmetry, each alone. The texts of the games above keep the symmetries of their boards in
/// these parts, so a witness that forgets to look there proves all of them.
#[test]
fn chains_mills_and_royal_men_can_break_a_symmetry() {
    let folder = Scratch::new();
    let path = folder.join("broken.table");
    let chains = "game chains\nboard grid 4 3\nplayers white black\nmen both man 2\n\
                  start white man a1,a2\nstart black man d2,d3\n\
                  move man jump orthogonal takes again\nmove man step orthogonal\n";
    let mills = "game mills\nboard grid 3 3\nmen both man 3 hand\ndrop man any\n\
                 move man step orthogonal placed\nwin below 2\nmill 3 e";
    let royals = "game royals\nboard grid 3 3\nplayers white black\nmen both king 1\nmen both man 1\n\
                  start white king a1\nstart white man b1\nstart black king c3\nstart black man b3\n\
                  move king step all takes\nmove man step all takes\nroyal king";
    for (text, breaks) in [
        // East alone, a chain may end where another direction would go on.
        (chains, "move man jump e takes again\n"),
        // Lines in one direction: rows are no columns.
        (mills, ""),
        (royals, " for white\n"),
    ] {
        let whole = if breaks.is_empty() { format!("{text} n\n") } else { format!("{text}\n") };
        let broken = format!("{text}{breaks}");
        let counts = [whole, broken].map(|text| {
            let states = write(&text, &path);
            let proved = witnessed(&path).unwrap_or_else(|refusal| panic!("{refusal}\n{text}"));
            assert_eq!(proved.positions, states, "{text}");
            states
        });
        assert!(counts[0] < counts[1] * 3 / 4, "{counts:?}: no symmetry is broken\n{text}");
    }
}

/// A man that is promoted stops, where a king would find another man to take. So black keeps a man, and no cell is without.
#[test]
fn a_promoted_man_jumps_no_further() {
    let folder = Scratch::new();
    let path = folder.join("promoted.table");
    let text = "game promoted\nboard grid 5 2\nplayers white black\nmen white man 1\nmen white king 0\nmen black man 2\n\
                start white man a1\nstart black man b1,d2\n\
                move man jump e takes again for white\nmove man step orthogonal\nmove king step all\n\
                promote man king column-c,column-d,column-e for white\n";
    let states = write(text, &path);
    let proved = witnessed(&path).unwrap_or_else(|refusal| panic!("{refusal}\n{text}"));
    assert_eq!(proved.positions, states);
    // Two men in a row: only the first is taken.
    let game = Interpreter::new(text).unwrap();
    let next = game.next(&game.read("white ...../Mm.m.").unwrap());
    assert!(next.contains(&game.read("black ...../..Km.").unwrap()));
    assert!(next.iter().all(|next| game.write(next).contains('m')));
}

/// A search for symmetries that costs too much finds none. The witness once gave up later than the program, and then
/// found 50 states in place of 154.
#[test]
fn both_give_up_the_search_for_symmetries_at_one_cost() {
    let folder = Scratch::new();
    let path = folder.join("costly.table");
    let text = |moves: &str| {
        format!(
            "game costly\nboard grid 3 3\nmen both man 1 hand\ndrop man any\n{moves}win own a2 other a1\nwin own b2\nwin own column-b\n"
        )
    };
    // All permutations of nine points fit, and each costs as many as there are ways and ends.
    for (moves, states) in [("move man run any\n", 82), ("", 28)] {
        let text = text(moves);
        assert_eq!(write(&text, &path), states, "{text}");
        let proved = witnessed(&path).unwrap_or_else(|refusal| panic!("{refusal}\n{text}"));
        assert_eq!(proved.positions, states);
    }
}

/// Rules that differ in one word give other values: the witness reads the text of the header, and nothing else.
#[test]
fn another_text_is_refused() {
    let folder = Scratch::new();
    let path = folder.join("other.table");
    let rules = text("achi");
    let solved = Solved::new("text", &[], Some(rules), true);
    let refusal = |old: &str, new: &str| {
        assert!(rules.contains(old));
        let about = About { board: Some(rules.replace(old, new)), ..solved.about.clone() };
        let writer = Writer::new(about).histogram(solved.solution.histogram());
        writer.write(&path, &solved.solution).unwrap();
        witnessed(&path).unwrap_err()
    };
    let other = refusal("win line 3 all", "win line 3 row");
    assert!(matches!(other, Refusal::Wrong(_)), "{other}");
    let nothing = refusal("win line 3 all", "win lane 3 all").to_string();
    assert!(nothing.contains("line 13 of its text cannot be understood"), "{nothing}");
}

/// No text makes the witness panic, whatever words it has.
#[test]
fn texts_that_make_no_sense_are_refused() {
    let mut rng = Rng::new(seed());
    let words = "game players board grid points dark row line men both hand 0 1 24 25 64 start move drop step slide run \
                 jump leave any all knight -x takes only-takes beside placed else for taken back promote demote dropped as nne \
                 win block own other reach safe out take stuck held loses a1 row-1 column-a";
    let words: Vec<&str> = words.split_whitespace().collect();
    for _ in 0..cases(3000) {
        let whole = random_text(&mut rng);
        let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(lines.len() as u64) as usize;
            let mut line: Vec<&str> = lines[at].split(' ').collect();
            let word = rng.below(line.len() as u64) as usize;
            match rng.below(3) {
                0 => drop(line.remove(word)),
                1 => line[word] = rng.pick(&words),
                _ => line.insert(word, rng.pick(&words)),
            }
            lines[at] = line.join(" ");
        }
        let _ = Interpreter::new(&lines.join("\n"));
    }
    assert!(Interpreter::new("").is_err() && Interpreter::new(&"#".repeat(70_000)).is_err());
}
