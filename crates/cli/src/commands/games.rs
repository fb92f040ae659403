//! `retrograde games`: all games, or the rules and the arguments of one.

use std::io::Write;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use retrograde_catalog::{
    AnyFamily, FAMILIES, family_named, family_object, game_object, registry_object,
};
use retrograde_games::{GAMES, GameSpec, Kind};

use crate::commands::examples;
use crate::report::format::FormatArg;
use crate::source::game::help;
use crate::term::failure::Failure;

/// List all games, or print the rules and the arguments of one
#[derive(Args)]
#[command(after_help = examples::REGISTRY)]
pub(crate) struct Games {
    /// The game [default: a list of all]
    #[arg(value_name = "GAME", value_parser = names(), hide_possible_values = true)]
    name: Option<String>,
    #[command(flatten)]
    format: FormatArg,
}

/// The names of all games and families.
fn names() -> PossibleValuesParser {
    let games = GAMES.iter().map(|game| PossibleValue::new(game.name));
    let families = FAMILIES.iter().map(|family| PossibleValue::new(family.spec.game));
    PossibleValuesParser::new(games.chain(families))
}

impl Games {
    /// Prints the list, or one game.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let mut printer = self.format.printer(out);
        let Some(name) = self.name else {
            return printer.either(write_list, || Ok(registry_object()));
        };
        match (GameSpec::find(&name), family_named(&name)) {
            (Some(game), _) => {
                printer.either(|out| write_game(game, out), || Ok(game_object(game)))
            }
            (_, Some(family)) => {
                printer.either(|out| write_family(family, out), || Ok(family_object(family)))
            }
            (None, None) => Err(Failure::Usage(format!("there is no game `{name}`"))),
        }
    }
}

fn write_list(out: &mut dyn Write) -> Result<(), Failure> {
    for game in GAMES {
        writeln!(out, "{:<17} {}", game.name, game.summary)?;
    }
    writeln!(out, "\nSolved in regions, by `retrograde build`:")?;
    for family in FAMILIES {
        writeln!(out, "{:<17} {}", family.spec.game, family.spec.summary)?;
    }
    Ok(())
}

fn write_game(game: &GameSpec, out: &mut dyn Write) -> Result<(), Failure> {
    match game.text {
        Some(text) => writeln!(out, "{text}")?,
        None => writeln!(out, "{}: {}\n\n{}\n", game.name, game.summary, game.rules)?,
    }
    if let Some(file) = &game.file {
        argument("FILE", &format!("the {}; `-` is standard input", file.holds), out)?;
    }
    for parameter in game.parameters {
        let name = match parameter.kind {
            Kind::Switch => format!("--{}", parameter.name),
            kind => format!("--{} {kind}", parameter.name),
        };
        argument(&name, &help(parameter), out)?;
    }
    if game.file.is_some() || !game.parameters.is_empty() {
        writeln!(out)?;
    }
    let line = format!("retrograde solve {} {}", game.name, game.example);
    Ok(writeln!(out, "{}", line.trim_end())?)
}

fn write_family(family: &AnyFamily, out: &mut dyn Write) -> Result<(), Failure> {
    let spec = family.spec;
    writeln!(out, "{}: {}\n\n{}\n", spec.game, spec.summary, spec.rules)?;
    argument("REGION..", spec.regions, out)?;
    for parameter in spec.parameters {
        argument(&format!("--{} N", parameter.name), parameter.help, out)?;
    }
    Ok(writeln!(out, "\n{} --out DIR", spec.build)?)
}

fn argument(name: &str, help: &str, out: &mut dyn Write) -> Result<(), Failure> {
    Ok(writeln!(out, "{name:<24} {help}")?)
}
