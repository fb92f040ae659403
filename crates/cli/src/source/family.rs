//! The subject of `build`: a family, its arguments, its regions, and the folder of their tables.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, ValueHint, value_parser};
use retrograde_catalog::{AnyFamily, FAMILIES, family_named};

use crate::source::parameters::{Given, with_games};

/// Regions of a family, and their folder.
pub(crate) struct FamilyArgs {
    pub(crate) family: &'static AnyFamily,
    pub(crate) given: Given,
    pub(crate) regions: Vec<String>,
    pub(crate) out: PathBuf,
}

impl Args for FamilyArgs {
    fn augment_args(command: Command) -> Command {
        let out = Arg::new("out")
            .long("out")
            .short('o')
            .value_name("DIR")
            .value_hint(ValueHint::DirPath)
            .value_parser(value_parser!(PathBuf))
            .help("The folder; created if it does not exist");
        let command = command.arg(out).subcommand_required(true).subcommand_value_name("FAMILY");
        command.defer(|command| {
            let specs = FAMILIES.iter().map(|family| family.spec);
            with_games(command, specs, |command, spec| {
                let help = spec.regions.unwrap_or_default();
                let help = format!("{help}. The regions that they need are built too");
                let regions = Arg::new("regions").value_name("REGION").num_args(0..).help(help);
                command.long_about(format!("{}: {}", spec.name, spec.rules)).arg(regions)
            })
            .subcommand_help_heading("Families")
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for FamilyArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<FamilyArgs, clap::Error> {
        let missing = |what: &str| {
            let problem = format!("the build needs {what}");
            clap::Error::raw(ErrorKind::MissingRequiredArgument, problem)
        };
        let (name, of_family) = matches.subcommand().ok_or_else(|| missing("a family"))?;
        let family = family_named(name).ok_or_else(|| missing("a family"))?;
        let out = matches.get_one("out").cloned().ok_or_else(|| missing("--out DIR"))?;
        let regions = of_family.get_many("regions").unwrap_or_default().cloned().collect();
        Ok(FamilyArgs { family, given: Given::of(family.spec, of_family), regions, out })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
