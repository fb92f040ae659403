//! Games of the registry by name.

use std::any::Any;
use std::fs;
use std::path::Path;

use retrograde::Predecessors;
use retrograde_games::{GAMES, GameSpec, Graph, Setup, Solvable, Source, Turns, Visitor};

/// A game with the arguments of its example, some of them replaced.
pub(crate) fn example(game: &'static GameSpec, others: &[(&str, &str)]) -> Setup {
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

/// The names of the games that take neither a file nor options, and whose two sides have names.
pub(crate) fn all_small() -> impl Iterator<Item = &'static str> {
    let plain = GAMES.iter().filter(|game| game.file.is_none() && game.parameters.is_empty());
    plain.map(|game| game.name).filter(|name| small(name).facts().turns != Turns::Alike)
}

/// A game whose graph the program stores.
pub(crate) fn small(name: &str) -> Graph {
    struct Downcast;
    impl Visitor for Downcast {
        type Output = Option<Graph>;

        fn visit<G: Solvable + Predecessors + 'static>(self, game: G) -> Option<Graph> {
            let game: Box<dyn Any> = Box::new(game);
            game.downcast().ok().map(|graph| *graph)
        }
    }
    let game = Setup::parse(name, &[], None).unwrap().visit(Downcast).unwrap();
    game.unwrap_or_else(|| panic!("{name} is no graph"))
}
