//! `retrograde games`: all games, or the rules and the arguments of one.

use std::io::Write;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use retrograde_catalog::{registry_object, spec_named, spec_object, specs};
use retrograde_games::{Kind, Spec};

use crate::commands::examples;
use crate::report::format::FormatArg;
use crate::source::parameters::help;
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
    PossibleValuesParser::new(specs().map(|spec| PossibleValue::new(spec.name)))
}

impl Games {
    /// Prints the list, or one game.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let mut printer = self.format.printer(out);
        let Some(name) = self.name else {
            return printer.either(write_list, || Ok(registry_object()));
        };
        let none = || Failure::Usage(format!("there is no game `{name}`"));
        let spec = spec_named(&name).ok_or_else(none)?;
        printer.either(|out| write(spec, out), || Ok(spec_object(spec)))
    }
}

fn write_list(out: &mut dyn Write) -> Result<(), Failure> {
    let (families, games): (Vec<_>, Vec<_>) = specs().partition(|spec| spec.regions.is_some());
    for game in games {
        writeln!(out, "{:<17} {}", game.name, game.summary)?;
    }
    writeln!(out, "\nSolved in regions, by `retrograde build`:")?;
    for family in families {
        writeln!(out, "{:<17} {}", family.name, family.summary)?;
    }
    Ok(())
}

fn write(spec: &Spec, out: &mut dyn Write) -> Result<(), Failure> {
    match spec.text {
        Some(text) => writeln!(out, "{text}")?,
        None => writeln!(out, "{}: {}\n\n{}\n", spec.name, spec.summary, spec.rules)?,
    }
    if let Some(file) = &spec.file {
        argument("FILE", &format!("the {}; `-` is standard input", file.holds), out)?;
    }
    if let Some(regions) = spec.regions {
        argument("REGION..", regions, out)?;
    }
    for parameter in spec.parameters {
        let name = match parameter.kind {
            Kind::Switch => format!("--{}", parameter.name),
            kind => format!("--{} {kind}", parameter.name),
        };
        argument(&name, &help(parameter), out)?;
    }
    if spec.file.is_some() || spec.regions.is_some() || !spec.parameters.is_empty() {
        writeln!(out)?;
    }
    let folder = if spec.regions.is_some() { " --out DIR" } else { "" };
    Ok(writeln!(out, "{}{folder}", spec.command())?)
}

fn argument(name: &str, help: &str, out: &mut dyn Write) -> Result<(), Failure> {
    Ok(writeln!(out, "{name:<24} {help}")?)
}
