//! The list of all games by name.

use retrograde_positions::{Arguments, Parameter, Spec};

use crate::setup::{Setup, SetupError, Source, Visitor};
use crate::{chase, corner, graph, l_game, pursuit, quixo, take, text};

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
        fn build<V: Visitor>(setup: &Setup, visitor: V) -> Result<V::Output, SetupError> {
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
    "tapatan",
}

impl Setup {
    /// A game by name, with its arguments as texts. See [`Kind::parse`](retrograde_positions::Kind::parse).
    pub fn parse(
        game: &str,
        arguments: &[(&str, &str)],
        file: Option<Source>,
    ) -> Result<Setup, SetupError> {
        let mut given = Arguments::default();
        for (name, text) in arguments {
            let parsed = parameter_named(name)
                .and_then(|parameter| given.give(parameter, parameter.kind.parse(text)?));
            parsed.map_err(|error| SetupError::Argument(format!("{game}: {name}: {error}")))?;
        }
        Setup::new(game_named(game)?, given, file)
    }

    /// A game with its arguments and its file. Refuses parameters that the game does not have and a file that it
    /// does not read, and fills in defaults.
    pub fn new(
        spec: &'static Spec,
        arguments: Arguments,
        file: Option<Source>,
    ) -> Result<Setup, SetupError> {
        if let Some(Parameter { name, .. }) = spec.misplaced(&arguments) {
            return Err(SetupError::misplaced(name, spec, GAMES.iter().copied()));
        }
        if let (Some(source), None) = (&file, &spec.file) {
            let (game, name) = (spec.name, &source.name);
            return Err(SetupError::Argument(format!("{game} reads no file: leave {name} out")));
        }
        // A text by its name is that text.
        let (spec, file) = match spec.text {
            Some(text) => {
                (&text::SPEC, Some(Source { name: spec.name.to_owned(), text: text.to_owned() }))
            }
            None => (spec, file),
        };
        Ok(Setup::of(spec, &arguments, file))
    }

    /// Sets the game up and passes it to `visitor`.
    pub fn visit<V: Visitor>(&self, visitor: V) -> Result<V::Output, SetupError> {
        self.complete()?;
        build(self, visitor)
    }
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
