//! Random texts that use every word: the compiler, the audit, `verify` and the interpreter agree.

use retrograde_described::{DescribedGame, Numbers, Page, PageVisitor};
use retrograde_testkit::{Rng, cases, deep, random_text, random_text_of_lone_man, seed};

use crate::judged::judge;

struct States;

impl PageVisitor for States {
    type Output = u64;

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> u64 {
        retrograde::Game::states(&game)
    }
}

/// The states, if the game has rows.
struct StatesInRows;

impl PageVisitor for StatesInRows {
    type Output = Option<u64>;

    fn visit<const N: usize>(self, game: DescribedGame<N>) -> Option<u64> {
        game.in_rows().map(|_| retrograde::Game::states(&game))
    }
}

/// The numbers of 4,294,967,296 steps would have begun again at 0.
#[test]
fn rows_with_too_many_steps_are_not_used() {
    let text = |kinds: &[&str]| {
        let mut text =
            "game queens\nboard grid 8 8\nplayers white black\nmen black king 1\n".to_owned();
        for kind in kinds {
            text += &format!("men white {kind} 1\n");
        }
        text += "start black king a1\n";
        for (kind, column) in kinds.iter().zip('b'..) {
            text += &format!("start white {kind} {column}3\nmove {kind} slide all\n");
        }
        text + "move king step n\nwin reach king h8"
    };
    for (kinds, has_rows) in [(&["a", "b", "c"][..], true), (&["a", "b", "c", "d"][..], false)] {
        let page = Page::read(&text(kinds)).expect("the text is right");
        let rows = page.visit(Numbers::Folded, StatesInRows).expect("it has been read");
        assert_eq!(rows.is_some(), has_rows, "{kinds:?}");
    }
}

/// Prints the text if the test fails in it.
struct Named<'t>(&'t str, u64);

impl Drop for Named<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("seed {}:\n{}", self.1, self.0);
        }
    }
}

/// The numbering had no room for the second man of a kind that may stand on one point when its player is to move.
#[test]
fn men_that_have_won_where_they_stand() {
    let text = "game zone\nboard grid 3 2\nmen both man 1\nmen both king 1\n\
        start first man a1\nstart first king c1\nstart second man c2\nstart second king a2\n\
        move man,king step all takes\ndrop man,king any\ntaken hand\n\
        win reach man b1,c1,row-2 safe for first\nwin reach man row-1,a2,b2 safe for second";
    judge(text, 1).unwrap_or_else(|error| panic!("{error}"));
}

/// A hand followed from the rest for one player and not for the other, who could lose men: the positions with changed roles had men that
/// were gone.
#[test]
fn men_that_only_one_player_can_lose() {
    let text = "game ring\nboard points\nrow a b c d\nline rim abcda\nmen both man 1 hand\nmen both king 2 hand\n\
        mill 3 rim -rim\nmove king slide all\nmove man leave -rim\ndrop man cd\npromote man king c\n\
        win line 2 -rim\nwin reach man ad safe\nboth draws";
    judge(text, 1).unwrap_or_else(|error| panic!("{error}"));
}

/// A man that was dropped, and took another one by a mill, counted as the man that it took.
#[test]
fn a_drop_that_takes() {
    let text = "game drop\nboard grid 2 2\nmen both man 1 hand\nmen both king 1\nstart first king b1\nstart second king b2\n\
        royal man\nmill 2 ne\nmove king jump ne takes beside any\ndrop man,king column-a\ntaken hand\nheld wins";
    judge(text, 1).unwrap_or_else(|error| panic!("{error}"));
}

/// Only with three kinds does it matter that a man who is dropped as one of them is not promoted to another.
#[test]
fn a_man_who_is_dropped_as_another() {
    let text = "game drop\nboard grid 2 2\nmen both man 1 hand\nmen both bear 0\nmen both cat 0\ndrop man any as bear\n\
        move man,cat step all takes\nmove bear step n\ntaken hand\ndemote cat man\ndemote bear man\n\
        promote man cat any dropped\npromote cat man any takes";
    judge(text, 1).unwrap_or_else(|error| panic!("{error}"));
}

/// A royal man is never taken, but a backward move put one back.
#[test]
fn kings_that_are_dropped_as_men() {
    let text = "game drop\nboard points\nrow a . b\nrow . c .\nrow d . e\nline side ab bd\nline side ea\nline slant ace bcd\n\
        men both man 0 hand\nmen both king 2 hand\nroyal man\nmill 2 -side\ndrop man,king any\ndrop man,king b for second\ntaken hand\n\
        promote king man ab dropped\nwin out for second";
    judge(text, 1).unwrap_or_else(|error| panic!("{error}"));
}

/// Few random texts have rows in which the lone man takes all others, or is taken himself and this is the only move.
#[test]
fn rows_of_men_that_are_taken() {
    let texts = [
        "game hunt\nboard grid 3 2\nmen first hunter 1\nmen second wolf 1\nmen second sheep 2\nstart first hunter a1\n\
         start second wolf b2\nstart second sheep c1,c2\nmove hunter step all takes\nmove wolf step all\nmove sheep step w\nwin out",
        "game fox\nboard grid 2 3\nmen first hunter 2\nmen second fox 1\nstart first hunter a1,b1\nstart second fox a3\n\
         move hunter step n takes\nmove fox step all\nwin take fox for first\nboth draws",
    ];
    for text in texts {
        let summary = judge(text, 1).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(summary.in_rows, "{text}");
    }
}

/// Of how many states a text is judged: fewer ones in a usual run, so that it has as many texts in half the time.
fn most(all: u64) -> u64 {
    if deep() { all } else { all / 2 }
}

#[test]
fn random_texts_mean_what_the_interpreter_says() {
    let seed = seed();
    let mut rng = Rng::new(seed);
    let wanted = cases(20_000);
    let (mut accepted, mut tried, mut in_rows) = (0, 0, 0);
    while accepted < wanted {
        tried += 1;
        let text = random_text(&mut rng);
        let Ok(page) = Page::read(&text) else { continue };
        let states = page.clone().visit(Numbers::Plain, States).expect("it has been read");
        if states > most(1500) {
            continue;
        }
        accepted += 1;
        let _named = Named(&text, seed);
        match judge(&text, 1 + states / 40) {
            Ok(summary) => in_rows += u64::from(summary.in_rows),
            Err(error) => panic!("seed {seed}, text {accepted}: {error}\n{text}"),
        }
    }
    println!("{accepted} of {tried} texts, {in_rows} of them in rows, seed {seed}");
    retrograde_testkit::judged(accepted, "texts");
    assert!(in_rows >= wanted / 200, "only {in_rows} texts have rows");
}

/// Few of those texts have rows.
#[test]
fn random_texts_of_a_lone_man() {
    let seed = seed();
    let mut rng = Rng::new(seed);
    let wanted = cases(4_000);
    let (mut accepted, mut tried) = (0, 0);
    while accepted < wanted {
        tried += 1;
        assert!(tried < 100 * wanted, "only {accepted} of {tried} texts have rows");
        let text = random_text_of_lone_man(&mut rng);
        let Ok(page) = Page::read(&text) else { continue };
        let states = page.clone().visit(Numbers::Plain, StatesInRows).expect("it has been read");
        let Some(states) = states.filter(|&states| states <= most(3000)) else { continue };
        accepted += 1;
        let _named = Named(&text, seed);
        if let Err(error) = judge(&text, 1 + states / 10) {
            panic!("seed {seed}, text {accepted}: {error}\n{text}");
        }
    }
    println!("{accepted} of {tried} texts of a lone man, seed {seed}");
    retrograde_testkit::judged(accepted, "texts of a lone man");
}
