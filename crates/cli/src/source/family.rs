//! The arguments that choose the regions of a family. Some families take more of them than others; the registry of
//! families says which.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use retrograde_catalog::{AnyFamily, FAMILIES, Parameter, ParameterValues};
use retrograde_games::whole_number;

use crate::term::failure::Failure;

/// The given arguments of families, by name.
#[derive(Clone)]
pub(crate) struct FamilyArgs(Vec<(&'static str, u32)>);

impl FamilyArgs {
    /// The value of an argument.
    pub(crate) fn get(&self, name: &str) -> Option<u32> {
        self.0.iter().find(|(each, _)| *each == name).map(|(_, value)| *value)
    }

    /// Refuses an argument that only another family takes.
    pub(crate) fn suit(&self, family: &AnyFamily) -> Result<(), Failure> {
        let takes =
            |name: &str| family.spec.parameters.iter().any(|parameter| parameter.name == name);
        let Some((name, _)) = self.0.iter().find(|(name, _)| !takes(name)) else { return Ok(()) };
        let of = parameters().find(|(_, parameter)| parameter.name == *name);
        let of = of.map_or("another family", |(family, _)| family.spec.game);
        Err(Failure::Usage(format!("--{name} is for {of}: leave it out")))
    }
}

fn parameters() -> impl Iterator<Item = (&'static AnyFamily, &'static Parameter)> {
    let of = |family: &&'static AnyFamily| {
        let family = *family;
        family.spec.parameters.iter().map(move |parameter| (family, parameter))
    };
    FAMILIES.iter().flat_map(of)
}

impl Args for FamilyArgs {
    fn augment_args(command: Command) -> Command {
        let option = |(family, parameter): (&AnyFamily, &Parameter)| {
            let help = format!("{}: {}", family.spec.game, parameter.help);
            let option = Arg::new(parameter.name).long(parameter.name).value_name("N").help(help);
            match parameter.values {
                ParameterValues::Range(from, to) => option.value_parser(move |text: &str| {
                    whole_number::<u32>(text, from.into()..=to.into())
                }),
                ParameterValues::OneOf(words) => {
                    option.value_parser(PossibleValuesParser::new(words))
                }
            }
        };
        parameters().map(option).fold(command, Command::arg)
    }

    fn augment_args_for_update(command: Command) -> Command {
        FamilyArgs::augment_args(command)
    }
}

impl FromArgMatches for FamilyArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<FamilyArgs, clap::Error> {
        let value = |(_, parameter): (_, &'static Parameter)| {
            let value = match parameter.values {
                ParameterValues::Range(..) => matches.get_one::<u32>(parameter.name).copied(),
                ParameterValues::OneOf(_) => {
                    matches.get_one::<String>(parameter.name).and_then(|word| word.parse().ok())
                }
            };
            value.map(|value| (parameter.name, value))
        };
        Ok(FamilyArgs(parameters().filter_map(value).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = FamilyArgs::from_arg_matches(matches)?;
        Ok(())
    }
}
