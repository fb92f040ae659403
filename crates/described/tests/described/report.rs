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

men        first: 3 man (M) in hand
men        second: 3 man (m) in hand
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
