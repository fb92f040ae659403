//! What is wrong with a text is said with line, column and what was expected. Of a position, the part that is wrong is named.

use retrograde_described::Page;

use crate::examples::text;

/// A right text, whose last line is replaced.
const BEFORE: &str =
    "game pong\nboard grid 3 3\nmen both man 2\nstart first man a1,b1\nstart second man a3,b3\n";

fn error(text: &str) -> String {
    Page::read(text).expect_err("the text is wrong").to_string()
}

#[test]
fn a_board_of_points_says_what_it_lacks() {
    let points = "board points\nrow a b c\n";
    for (text, expected) in [
        ("board points\nline abc abc", "the board has no points yet: write them with `row` first"),
        ("board points\nrow a b c\nline abc", "expected the points of the line, behind its name"),
    ] {
        let told = error(text);
        assert!(told.contains(expected), "{told}");
    }
    let men = "line row abc\nmen both man 1\nstart first man b\nstart second man b\n";
    let told = error(&format!("{points}{men}move man step all"));
    assert!(told.contains("two men cannot start on one point: `b` has one"), "{told}");
}

#[test]
fn a_wrong_word_has_a_place_and_the_nearest_word() {
    for (line, expected) in [
        (
            "mov man step all",
            "line 6, column 1: `mov`: did you mean `move`? Expected game, players,",
        ),
        ("move men step all", "line 6, column 6: `men`: did you mean `man`? Expected man"),
        (
            "move man stp all",
            "line 6, column 10: `stp`: did you mean `step`? Expected step, slide, run, jump or leave",
        ),
        ("move man step nee", "line 6, column 15: `nee`: did you mean `ne`?"),
        ("move man step", "line 6, column 14: the statement ends too soon: expected a direction"),
        ("move man step all take", "line 6, column 19: `take`: did you mean `takes`?"),
        ("move man jump over", "line 6, column 15: `over`: expected n, e,"),
        ("move man run all takes", "line 6, column 14: a man that runs or leaves takes nothing"),
        ("drop man z9", "line 6, column 10: `z9` is no point, row or column of the board"),
        (
            "drop man any takes",
            "line 6, column 14: `drop` has only the options as, upon, for and else",
        ),
        ("move man step all again", "line 6, column 15: only a `jump` with `takes` goes on"),
        (
            "move man step all upon s",
            "line 6, column 15: `upon` and `as` are options of `drop` alone",
        ),
        ("royal king", "line 6, column 7: `king`: expected man"),
        ("royal man for third", "line 6, column 15: `third`: expected first or second"),
        ("mill 4 all", "line 6, column 1: no line on this board is such a mill"),
        (
            "royal man\nmove man step all else",
            "line 7, column 1: `royal` and `else` do not go together",
        ),
        (
            "royal man\nmove man slide all takes",
            "line 1, column 1: the first player could take a royal man at once",
        ),
        ("win lin 3 all", "line 6, column 5: `lin`: did you mean `line`? Expected line, block,"),
        ("win line 9 all", "line 6, column 5: nothing on this board is such an end"),
        ("win line three all", "line 6, column 10: `three`: expected a number from 2 to 64"),
        ("win reach man a1 for third", "line 6, column 22: `third`: expected first or second"),
        (
            "stuck looses",
            "line 6, column 7: `looses`: did you mean `loses`? Expected loses, wins or draws",
        ),
        ("stuck loses now", "line 6, column 13: `now`: expected the end of the line"),
        ("board grid 2 2", "line 6, column 1: a second `board`: a text has one"),
        ("men first mouse 1", "line 6, column 11: `mouse` begins like `man`"),
        ("start first man c1", "line 6, column 17: 1 point for 2 `man`: name as many points"),
        (
            "men white king 1",
            "line 6, column 5: `white`: expected first, second or both; for other names, write `players` before `men`",
        ),
        (
            "move man for first step all",
            "line 6, column 10: options follow the directions: first write how the men move",
        ),
        ("move man step n e n", "line 6, column 19: `n` is among the directions before it"),
        ("move man connect", "line 6, column 10: the language has no `connect`"),
        (
            "start both man c1",
            "line 6, column 7: `both`: expected first or second; for other names,",
        ),
        (
            "men first king 1 hand\nstart first king c1",
            "line 7, column 18: `king` starts in hand: leave `start` out, or `hand`",
        ),
        ("row a b", "line 6, column 1: the board must stand before `men`"),
        (
            "promote man man row-3",
            "line 6, column 9: no player has a `man` that could become a `man`",
        ),
    ] {
        let got = error(&format!("{BEFORE}{line}\n"));
        assert!(got.starts_with(expected), "{line:?}: {got}");
    }
}

#[test]
fn columns_count_characters() {
    let got = error(
        "game jeu\nboard points\nrow é a\nline bord éa\nmen both élan 1 hand\n\n move élan stap bord",
    );
    assert!(got.starts_with("line 7, column 12: `stap`: did you mean `step`?"), "{got}");
}

#[test]
fn a_text_without_its_parts_says_what_to_write() {
    for (text, expected) in [
        ("", "line 1, column 1: the text has no name: write `game` and a name first"),
        ("game x", "line 1, column 1: no board yet: write `board` before this"),
        (
            "game x\nboard points",
            "line 2, column 1: the board has no points: write them with `row`",
        ),
        ("game x\nboard grid 2 2", "line 2, column 1: first has no men"),
        (
            "game x\nboard grid 2 2\nmen both man 1",
            "line 3, column 5: nothing says where `man` of first starts",
        ),
        (
            "game x\nboard grid 2 2\nmen both man 1 hand",
            "line 3, column 1: no man can move: write `move` or `drop`",
        ),
        (
            "game x\nboard grid 2 2\nmen both man 1\nstart first man a1\nstart second man b1\n\
            move man step all\nwin reach man row-1 safe",
            "line 1, column 1: the game is over before the first move",
        ),
        ("move man step all", "line 1, column 6: no men yet: write `men` before this"),
    ] {
        let got = error(text);
        assert!(got.starts_with(expected), "{text:?}: {got}");
    }
}

#[test]
fn a_man_turns_over_only_into_another() {
    let text = |line: &str| {
        format!(
            "game x\nboard grid 3 3\nmen both gold 1 hand\nmen both rook 0\nmove gold step all\n{line}\n"
        )
    };
    for (line, expected) in [
        ("drop gold any as gold", "no player has a `gold` that could be dropped as a `gold`"),
        ("drop gold any as", "the statement ends too soon"),
        ("drop gold any as king", "`king`"),
        ("move rook step n as gold", "`upon` and `as` are options of `drop` alone"),
        ("promote gold rook any taken", "did you mean `takes`?"),
    ] {
        let got = error(&text(line));
        assert!(got.contains(expected), "{line}: {got}");
    }
    Page::read(&text("drop gold any as rook")).expect("the text is right");
}

/// A reader who knows another language learns what this one does not have.
#[test]
fn words_for_what_a_text_cannot_say_are_refused_by_name() {
    for (line, word) in [
        ("check man", "check"),
        ("move man fly", "fly"),
        ("move man leap 1 2", "leap"),
        ("pass", "pass"),
    ] {
        let got = error(&format!("{BEFORE}{line}\n"));
        assert!(got.contains(&format!("the language has no `{word}`")), "{got}");
        assert!(got.contains("docs/game.md"), "{got}");
    }
}

/// Opening a table from a stranger compiles its text.
#[test]
fn a_large_text_is_refused_or_compiled_soon() {
    let kinds: String = ('a'..='h').map(|kind| format!("men both {kind} 8 hand\n")).collect();
    let got = error(&format!("game x\nboard grid 8 8\n{kinds}drop a,b,c,d,e,f,g,h any"));
    assert!(got.contains("combinations"), "{got}");
    let got = error(&format!("game x\nboard grid 8 8\nmen both a 24\n{}", "#".repeat(1 << 16)));
    assert!(got.contains("at most 65536 are read"), "{got}");
    // A board on which every permutation is a symmetry.
    let points: String = ('a'..='z').map(|point| format!(" {point}")).collect();
    let text = format!("game x\nboard points\nrow{points}\nmen both man 2 hand\ndrop man any");
    let page = Page::read(&text).expect("the text is right");
    assert_eq!((page.symmetries(), page.leaves_symmetries()), (1, true));
    let report = page.report(1 << 30).expect("the text is right").to_string();
    assert!(report.contains("symmetries are not used, there are too many"), "{report}");
}

#[test]
fn a_wrong_position_is_told_which_part_is_wrong() {
    let cases = [
        ("gold-and-king", "", "it begins with the player to move, sente or gote;"),
        ("gold-and-king", "white K..../..../", "it begins with the player to move, sente or gote;"),
        ("gold-and-king", "sente", "the board is missing behind sente;"),
        (
            "gold-and-king",
            "sente K..../.....",
            "`K..../.....` has 2 with `/` between, and the board 5 rows;",
        ),
        (
            "gold-and-king",
            "sente ....k/...../..../G..../K.... -",
            "`....`, row 3 from the top, has 4 of 5 points;",
        ),
        (
            "gold-and-king",
            "sente ....k/...../..Q../G..../K.... -",
            "`Q` on c3 in row 3 from the top is no man: expected K, G, k or g;",
        ),
        ("gold-and-king", "sente ....k/...../...../G..../K....", "the men in hand are missing"),
        ("gold-and-king", "sente ....k/...../...../...../K.... Q", "`Q` in hand is no man:"),
        (
            "gold-and-king",
            "sente ....k/...../...../...../..... K",
            "no `king` of sente is ever in hand;",
        ),
        (
            "gold-and-king",
            "sente ....k/...../...../G..../K.... - -",
            "nothing stands for `-` at its end;",
        ),
        (
            "gold-and-king",
            "sente ....k/K..../...../G..../K.... -",
            "2 `king` of sente on the board: there are at most 1;",
        ),
        (
            "gold-and-king",
            "sente ...Gk/...../...../...../K.... -",
            "the player to move could take a royal man;",
        ),
        (
            "gold-and-king",
            "sente ....k/...../...../G..../K.... G",
            "no moves lead to these numbers of men, with this player to move;",
        ),
        (
            "gold-and-king",
            "sente ....k/...../...../...../..... G",
            "no moves lead to these numbers of men",
        ),
        (
            "draughts",
            "black M.../..../..../M.../..../...m/..m./....",
            "no `man` of black can stand on b8;",
        ),
        (
            "dobutsu-without-elephants",
            "sente .l./.c./.C./.LG -",
            "0 `giraffe` of gote in hand: by the men on the board it is 1;",
        ),
    ];
    for (name, position, problem) in cases {
        let page = Page::read(&text(name)).expect("it is an example");
        let told = page.report_position(position).expect_err("it is no position");
        assert!(told.contains(&format!("of this game: {problem}")), "{position}: {told}");
        let (_, example) = told.rsplit_once("; one is ").expect("an example");
        let example = example.trim_matches('"');
        assert!(page.report_position(example).is_ok(), "{example} is a position");
    }
}
