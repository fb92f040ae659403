//! What a report says of a text.

use retrograde_described::Page;

use crate::examples::text;

const DODGEM: &str = "\
dodgem: right and up, right begins

    a3 b3 c3
    a2 b2 c2
    a1 b1 c1

men        right: 2 car (C)
men        up: 2 car (c)
ends       a player wins with no man left of one's own
           a player wins who has no move
positions  2,754 in 12 cells
states     1,377: no symmetry of the board, and the players can change roles
memory     1 MB to solve it
start      right C../C../.cc  a2-a1 a2-b2 a3-b3

10 random positions:
  up Cc./.cC/...  b2-a2 b3-c3 b3-off
";

const TSORO: &str = "\
tsoro-yematatu: first and second, first begins

        a
      b c d
    e   f   g

next       a: b c d, b: a c e, c: a b d f, d: a c g, e: b f, f: c e g
           g: d f
men        first: 3 man (M) in hand
men        second: 3 man (m) in hand
ends       a player wins with own men on b,c,d, or another of 5 such sets
           a player loses who has no move
";

#[test]
fn a_report_shows_board_men_sizes_and_positions() {
    for (name, expected) in [("dodgem", DODGEM), ("tsoro-yematatu", TSORO)] {
        let page = Page::read(&text(name)).expect("it is an example");
        let report = page.report(700_000).expect("it has been read");
        assert_eq!(page.report(700_000).as_ref(), Ok(&report), "the same positions each time");
        let shown = report.to_string();
        assert!(shown.starts_with(expected), "{shown}");
        assert_eq!(report.random.len(), 10);
    }
}

/// Ends of one player, patterns with men of both, and royal men.
#[test]
fn a_report_says_what_ends_the_game() {
    let game = "game ends\nplayers us them\nboard grid 3 3\nmen both man 2\nmen us king 1\nstart us man a1,b1\n\
        start them man a3,b3\nstart us king c1\nroyal king\nmove man,king step all takes\nwin own a2 other b2 for us\n\
        win reach man row-1 safe for them\nwin below 1\nstuck draws\n";
    let report = Page::read(game).and_then(|page| page.report(0)).expect("it is right");
    let expected = [
        "a player wins with no man of the other left",
        "us wins with own men on a2 and men of the other on b2",
        "them wins with a man that cannot be taken on one of a1,b1,c1",
        "a player loses who has no move, if a royal man is attacked",
        "a player draws who has no move",
    ];
    assert_eq!(report.ends, expected);
}

/// Zones that overlap in part leave numbers without a position.
#[test]
fn a_report_says_if_a_count_is_a_bound() {
    let overlapping = "game zones\nboard grid 3 3\nmen both man 1\nmen both king 0\n\
        start first man a1\nstart second man c3\nmove man step all\n\
        promote man king row-3 for first\npromote man king column-a for second\n";
    let report = Page::read(overlapping).and_then(|page| page.report(0)).expect("it is right");
    assert!(!report.exact);
    assert!(report.to_string().contains("positions  at most "), "{report}");
}

/// A text may say what can never happen: it is a game, but perhaps not the one that was meant.
#[test]
fn statements_without_effect_are_named() {
    let grid = "game idle\nboard grid 3 3\nmen both man 2\nmen both king 0\nstart first man a1,b1\n\
        start second man a3,b3\nmove man step all\n";
    let points = "game idle\nboard points\nrow a b c\nrow d e f\nline row abc def\nline column ad be cf\n\
        men both man 1\nstart first man a\nstart second man f\n";
    for (text, expected) in [
        (format!("{grid}promote man king row-3\nmove king slide all takes"), &[][..]),
        (
            format!("{grid}move king slide all"),
            &[
                "line 4: first never has a `king`",
                "line 4: second never has a `king`",
                "line 8: no man can ever move like this",
            ],
        ),
        (
            format!(
                "{grid}promote man king row-3\nmove man leave n for first\nmove king leave n\ndrop man any"
            ),
            &["line 11: no man can ever move like this"],
        ),
        (
            format!("{grid}promote man king row-3 for first\npromote king man row-1 for second"),
            &[
                "line 4: second never has a `king`",
                "line 9: no man ever comes there to become another",
            ],
        ),
        (
            format!(
                "{grid}promote man king row-3\ntaken hand\ndemote king man\nwin line 3 all\nwin below 2\nwin out"
            ),
            &[
                "line 9: no man is ever taken",
                "line 11: no player can ever hold this end",
                "line 12: no player can ever hold this end",
                "line 13: no player can ever hold this end",
            ],
        ),
        (
            format!(
                "{grid}promote man king row-3\nmove man jump all takes\ndemote king man\nwin own a1,b2\nwin own b2,a1 for first\nmill 3 n e"
            ),
            &[
                "line 10: no `king` ever comes to a hand, to be a `man` there",
                "line 12: the lines before say the same",
                "line 13: no player ever has 3 men on the board",
            ],
        ),
        (
            format!(
                "{grid}promote man king row-3\nmove king step n for first\nwin reach king row-1 for first"
            ),
            &["line 10: no player can ever hold this end"],
        ),
        (format!("{points}move man step all"), &[]),
        (format!("{points}move man step -row"), &["line 6: nothing goes along `column`"]),
    ] {
        let report = Page::read(&text)
            .and_then(|page| page.report(0))
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(report.no_effect, expected, "{text}");
        let shown = report.to_string();
        assert_eq!(shown.contains("no effect  line "), !expected.is_empty(), "{shown}");
    }
}

#[test]
fn no_example_has_a_statement_without_effect() {
    let mut count = 0;
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/games"))
        .expect("the folder")
    {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "game") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        let report = Page::read(&text).and_then(|page| page.report(0)).expect("it is an example");
        assert_eq!(report.no_effect, [""; 0], "{}", path.display());
        count += 1;
    }
    assert!(count >= 40, "{count}");
}

#[test]
fn a_position_of_ones_choice_is_shown() {
    let page = Page::read(&text("dodgem")).expect("it is an example");
    let shown = page.report_position("up Cc./.cC/...").expect("it is a position");
    assert_eq!(shown.moves, ["b2-a2", "b3-c3", "b3-off"]);
    assert_eq!(
        shown.rows,
        ["Cc.", ".cC", "..."].map(|row| row.chars().map(Some).collect::<Vec<_>>())
    );
    assert_eq!(shown.end, None);
    let problem = page.report_position("up Cc./.cQ/...").expect_err("no man has this sign");
    assert!(
        problem.contains("`Q` on c2 in row 2 from the top is no man: expected C or c"),
        "{problem}"
    );
}
