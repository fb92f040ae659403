//! The list of all games by name.

use retrograde_positions::{Kind, Parameter, Spec};

use crate::setup::{Setup, SetupError, Visitor};
use crate::{chase, corner, graph, l_game, pursuit, quixo, take, text};

/// Makes the player who cannot move win.
pub(crate) const MISERE: Parameter = Parameter {
    name: "misere",
    kind: Kind::Switch,
    default: None,
    help: "the player who cannot move wins",
};

/// Makes the list of games, and the one `match` over it, from the modules of the games and the files of texts. Each module has a
/// `SPEC`, and a function `build` that sets the game up.
macro_rules! registry {
    ($($game:ident,)* ; $($name:literal,)*) => {
        /// All games by name.
        pub static GAMES: &[&Spec] = &[
            $(&$game::SPEC,)*
            $(&Spec::of_text($name, include_str!(concat!("../texts/", $name, ".game"))),)*
        ];

        /// Sets a game up and passes it on.
        pub(crate) fn build<V: Visitor>(setup: &Setup, visitor: V) -> Result<V::Output, SetupError> {
            match setup.spec().name {
                $(name if name == $game::SPEC.name => $game::build(setup, visitor),)*
                name => unreachable!("{name} is not in the registry"),
            }
        }
    };
}

registry! {
    graph,
    pursuit,
    chase,
    take,
    corner,
    quixo,
    l_game,
    text,
    ;
    "three-mens-morris",
    "dao",
    "mu-torere",
    "dodgem",
    "hare-and-hounds",
    "fox-and-hounds",
    "pong-hau-ki",
    "achi",
    "tsoro-yematatu",
}

/// The game of that name, or an error that lists all of them.
pub fn game_named(name: &str) -> Result<&'static Spec, SetupError> {
    find_game(name).ok_or_else(|| {
        let games: Vec<&str> = GAMES.iter().map(|game| game.name).collect();
        let games = games.join(", ");
        SetupError::Input(format!("there is no game `{name}`; the games are {games}"))
    })
}

/// The game of that name.
pub fn find_game(name: &str) -> Option<&'static Spec> {
    GAMES.iter().find(|game| game.name == name).copied()
}

/// The parameter of a game with that name. The error lists all names.
pub fn parameter_named(name: &str) -> Result<&'static Parameter, String> {
    let all = Spec::parameters_of(GAMES.iter().copied());
    all.iter().copied().find(|parameter| parameter.name == name).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|known| known.name).collect();
        format!("no game has a parameter `{name}`; the parameters are {}", names.join(", "))
    })
}
