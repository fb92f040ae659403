//! Games of the registry by name.

use std::any::Any;
use std::fs;
use std::path::Path;

use retrograde::Predecessors;
use retrograde_games::{GAMES, Graph, Setup, Solvable, Source, Spec, TEXT, Visitor, game_named};

/// A game with the arguments of its example, some of them replaced.
pub(crate) fn example(game: &'static Spec, others: &[(&str, &str)]) -> Setup {
    let words: Vec<&str> = game.example.split_whitespace().collect();
    let (file, options) = match words.split_first() {
        Some((file, rest)) if game.file.is_some() => (Some(*file), rest),
        _ => (None, &words[..]),
    };
    let file = file.map(|name| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
        Source { name: name.to_owned(), text: fs::read_to_string(path).unwrap() }
    });
    let options = options.chunks(2).map(|option| (option[0].trim_start_matches('-'), option[1]));
    let options = options.filter(|(name, _)| others.iter().all(|(other, _)| other != name));
    let arguments: Vec<(&str, &str)> = options.chain(others.iter().copied()).collect();
    Setup::parse(game.name, &arguments, file).unwrap()
}

/// A game whose graph the program stores.
pub(crate) fn stored(setup: &Setup) -> Graph {
    struct Downcast;
    impl Visitor for Downcast {
        type Output = Option<Graph>;

        fn visit<G: Solvable + Predecessors + 'static>(self, game: G) -> Option<Graph> {
            let game: Box<dyn Any> = Box::new(game);
            game.downcast().ok().map(|graph| *graph)
        }
    }
    let game = setup.visit(Downcast).unwrap();
    game.unwrap_or_else(|| panic!("{setup:?} is no graph"))
}

/// The games whose positions version 0.2 of the program numbered by what play reaches.
pub(crate) const REACHED: [&str; 6] =
    ["achi", "dodgem", "hare", "mu-torere", "pong-hau-ki", "tsoro"];

/// One of them, in that numbering.
pub(crate) fn reached(name: &str) -> Graph {
    stored(&Setup::former(name).unwrap())
}

/// Files that a page offers must be what the game reads. A checkout without links has their paths in place of their contents.
#[test]
fn the_files_to_begin_with_are_files_of_the_game() {
    struct States;
    impl Visitor for States {
        type Output = u64;

        fn visit<G: Solvable + Predecessors + 'static>(self, game: G) -> u64 {
            game.states()
        }
    }
    let mut read = 0;
    for (spec, file) in GAMES.iter().filter_map(|spec| Some((spec, spec.file.as_ref()?))) {
        let required: Vec<_> = spec.parameters.iter().filter(|one| one.is_required()).collect();
        let given: Vec<_> = required.iter().map(|parameter| (parameter.name, "1")).collect();
        // The games that are texts begin with their own.
        let texts = GAMES.iter().filter_map(|game| Some((game.name, game.text?)));
        let texts = texts.filter(|_| spec.name == TEXT);
        for (name, text) in file.examples.iter().copied().chain(texts) {
            assert!((file.recognizes)(text), "{name}: {text}");
            let source = Source { name: name.to_owned(), text: text.to_owned() };
            let setup = Setup::parse(spec.name, &given, Some(source)).expect("it has all it needs");
            assert!(setup.visit(States).expect("the file can be read") > 0, "{name}");
            read += 1;
        }
    }
    assert!(read >= 10, "{read}");
}

/// The words of a text come from the tables of the book.
#[test]
fn the_statements_of_a_text_are_those_of_the_book() {
    let file = game_named(TEXT).expect("a game").file.as_ref().expect("it reads a file");
    let statements: Vec<_> = file.statements().collect();
    assert_eq!(statements[0], ("game dao", "The name of the game."));
    for word in [
        "board",
        "men",
        "start",
        "move",
        "drop",
        "taken",
        "promote",
        "win",
        "both",
        "held",
        "stuck",
        "n",
        "all",
        "-rim",
        "a1,b2,row-4",
        "any",
    ] {
        let found =
            statements.iter().any(|(statement, _)| statement.split(' ').next() == Some(word));
        assert!(found, "{word} is in no table");
    }
}
