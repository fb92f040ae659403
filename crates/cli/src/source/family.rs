//! The subject of `build`: a family with its arguments, or the text of a game; regions, and the folder of their tables.

use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, ValueHint, value_parser};
use retrograde_catalog::{
    AnyFamily, FAMILIES, Selection, TEXTS, TextFamily, family_named, nearest,
};
use retrograde_games::{GAMES, Source, find_game};
use retrograde_regions::TablebaseError;

use crate::source::misnamed::is_word;
use crate::source::options::Memory;
use crate::source::parameters::{Given, with_games};
use crate::source::text::read;
use crate::term::failure::Failure;

/// Regions of a family, and their folder.
pub(crate) struct FamilyArgs {
    of: FamilyOf,
    pub(crate) regions: Vec<String>,
    pub(crate) out: PathBuf,
}

/// A family.
enum FamilyOf {
    /// One that has a name.
    Named(&'static AnyFamily, Given),
    /// The game of a text, by its path or its name.
    Text(PathBuf),
}

impl FamilyArgs {
    /// Whether it is the game of a text.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.of, FamilyOf::Text(_))
    }

    /// The regions to build.
    pub(crate) fn select(&self, memory: Memory) -> Result<Selection, Failure> {
        let text = match &self.of {
            FamilyOf::Named(family, given) => {
                return family.select(&given.0, &self.regions).map_err(Failure::Usage);
            }
            FamilyOf::Text(path) => text_at(path, memory)?,
        };
        TextFamily::of_text(&text)?.selection(&self.regions).map_err(Failure::Usage)
    }

    /// All finished regions of the folder.
    pub(crate) fn finished(&self) -> Result<Selection, TablebaseError> {
        let family = match self.of {
            FamilyOf::Named(family, _) => family,
            FamilyOf::Text(_) => &TEXTS,
        };
        family.finished(&self.out)
    }
}

/// The text at a path, or with this name.
fn text_at(path: &Path, memory: Memory) -> Result<Source, Failure> {
    let name = path.display().to_string();
    let game = find_game(&name);
    if let Some(text) = game.and_then(|game| game.text) {
        return Ok(Source { name, text: text.to_owned() });
    }
    if !is_word(path) || path.exists() {
        return read(path, "the text", memory);
    }
    let families = FAMILIES.iter().map(|family| family.spec.name);
    let texts = GAMES.iter().filter(|game| game.text.is_some()).map(|game| game.name);
    let known: Vec<String> = families.chain(texts).map(str::to_owned).collect();
    let advice = match (game, nearest(&name, known.iter().cloned())) {
        (Some(game), _) => format!("it is solved at once: `{}`", game.command()),
        (None, Some(meant)) => format!("did you mean {meant}?"),
        (None, None) => format!("name a text, like my.game, or one of {}", known.join(", ")),
    };
    Err(Failure::Usage(format!("`{name}` is not built in regions; {advice}")))
}

/// The argument for regions.
fn regions(help: Option<&str>) -> Arg {
    let help = format!("{}. The regions that they need are built too", help.unwrap_or_default());
    Arg::new("regions").value_name("REGION").num_args(0..).help(help)
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
        let text = Arg::new("text")
            .value_name("TEXT")
            .required(true)
            .value_hint(ValueHint::FilePath)
            .value_parser(value_parser!(PathBuf))
            .help("The text of a game, a file that ends in `.game`, or the name of such a game");
        let command = command.args([out, text, regions(TEXTS.spec.regions)]);
        let command = command.subcommand_negates_reqs(true).subcommand_value_name("FAMILY");
        command.defer(|command| {
            let specs = FAMILIES.iter().map(|family| family.spec);
            with_games(command, specs, |command, spec| {
                let command = command.long_about(format!("{}: {}", spec.name, spec.rules));
                command.arg(regions(spec.regions))
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
        let out = matches.get_one("out").cloned().ok_or_else(|| missing("--out DIR"))?;
        let named = matches.subcommand().and_then(|(name, of)| Some((family_named(name)?, of)));
        let (of, matches) = match (named, matches.get_one::<PathBuf>("text")) {
            (Some((family, of)), _) => (FamilyOf::Named(family, Given::of(family.spec, of)), of),
            (None, Some(path)) => (FamilyOf::Text(path.clone()), matches),
            (None, None) => return Err(missing("a family, or the text of a game")),
        };
        let regions = matches.get_many("regions").unwrap_or_default().cloned().collect();
        Ok(FamilyArgs { of, regions, out })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
