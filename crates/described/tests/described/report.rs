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
        assert_eq!(report.samples.len(), 10);
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
