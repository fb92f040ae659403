//! Games from the headers of tables and from JSON, and back.

use std::sync::Arc;

use retrograde::Solver;
use retrograde_games::{
    Argument, Arguments, Kind, Parameter, Setup, SetupError, Source, TEXT, TextReport, Visitor,
    find_game, game_named, parameter_named, report,
};
use retrograde_table::About;
use serde_json::{Map, Value as Json};

use crate::compiled_game::{CompiledGame, Engine};

/// Sets a game up behind [`CompiledGame`].
pub fn game(setup: &Setup) -> Result<Arc<dyn CompiledGame>, SetupError> {
    setup.visit(Shared)
}

/// Puts a game behind [`CompiledGame`].
pub(crate) struct Shared;

impl Visitor for Shared {
    type Output = Arc<dyn CompiledGame>;

    fn visit<G: retrograde_games::Solvable + retrograde::Predecessors + 'static>(
        self,
        game: G,
    ) -> Arc<dyn CompiledGame> {
        Arc::new(game)
    }
}

/// What a text means, before it is solved on so many threads.
pub fn text_report(text: Source, threads: usize) -> Result<TextReport, SetupError> {
    let spec = game_named(TEXT)?;
    let setup = Setup::new(spec, Arguments::default(), Some(text.clone()))?;
    let solver = Solver::new().threads(threads);
    report(&text, game(&setup)?.memory_needed(Engine::Scalar, &solver))
}

/// The header of a game's table.
pub fn about(setup: &Setup) -> About {
    About {
        game: setup.spec().name.to_owned(),
        parameters: to_json(setup.arguments()),
        board: setup.file().map(|file| file.text.clone()),
        ..About::default()
    }
}

/// The game in the header of a table. Errors call the table `name`.
pub fn from_about(about: &About, name: &str) -> Result<Setup, SetupError> {
    let fault = |problem: String| SetupError::Input(format!("{name}: {problem}"));
    if let Some(setup) = Setup::former(&about.game) {
        return Ok(setup);
    }
    let spec = find_game(&about.game)
        .ok_or_else(|| fault(format!("this program does not know the game `{}`", about.game)))?;
    let arguments = from_json(&about.parameters)
        .map_err(|error| fault(format!("its parameters make no sense: {error}")))?;
    if spec.name == TEXT && arguments.get("numbering").is_none() {
        return Err(fault(
            "the header does not say by which numbering its text is read".to_owned(),
        ));
    }
    let file = about.board.clone().map(|text| Source { name: name.to_owned(), text });
    let setup = Setup::new(spec, arguments, file).map_err(|error| fault(error.to_string()))?;
    let complete = setup.complete();
    complete.map_err(|error| {
        fault(format!("the table is incomplete: {error}; copy or write it again"))
    })?;
    Ok(setup)
}

/// Arguments as an object: `{"heaps": [3, 5], "take": "any"}`.
pub fn to_json(arguments: &Arguments) -> Json {
    let value = |(parameter, argument): (&Parameter, &Argument)| {
        let value = match (parameter.kind, argument) {
            (Kind::Numbers, Argument::Numbers(numbers)) => numbers.clone().into(),
            (_, Argument::Number(number)) => (*number).into(),
            (_, Argument::Set) => true.into(),
            (_, Argument::Word(_) | Argument::Numbers(_)) => argument.to_string().into(),
        };
        (parameter.name.to_owned(), value)
    };
    Json::Object(arguments.iter().map(value).collect())
}

/// Arguments from such an object. Skips `null`, and switches that are `false`. The error says which argument
/// is wrong, and why.
pub fn from_json(object: &Json) -> Result<Arguments, String> {
    let empty = Map::new();
    let given = match object {
        Json::Null => &empty,
        Json::Object(given) => given,
        other => return Err(format!("`{other}` is not an object: write {{\"NAME\": VALUE}}")),
    };
    let mut arguments = Arguments::default();
    for (name, value) in given {
        let parameter = parameter_named(name)?;
        let text = match (parameter.kind, value) {
            (_, Json::Null) | (Kind::Switch, Json::Bool(false)) => continue,
            (Kind::Numbers, Json::Array(numbers)) => {
                numbers.iter().map(Json::to_string).collect::<Vec<_>>().join(",")
            }
            (Kind::Number { .. }, Json::Number(_)) | (Kind::Switch, Json::Bool(_)) => {
                value.to_string()
            }
            (Kind::Word(_) | Kind::NumbersOr(_), Json::String(text)) => text.clone(),
            (kind, _) => return Err(format!("{name}: `{value}` is not {}", form(kind))),
        };
        let given = parameter.kind.parse(&text).and_then(|given| arguments.give(parameter, given));
        given.map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(arguments)
}

/// The JSON form of a kind of argument.
fn form(kind: Kind) -> &'static str {
    match kind {
        Kind::Number { .. } => "a number",
        Kind::Numbers => "an array of numbers",
        Kind::NumbersOr(_) => "a string of a word, or of numbers with commas between",
        Kind::Word(_) => "a string",
        Kind::Switch => "true or false",
    }
}
