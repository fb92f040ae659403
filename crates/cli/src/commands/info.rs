//! `retrograde info`: what a table holds, in the same words and numbers as `solve`.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use retrograde_catalog::{
    AnyFamily, CompiledGame, GameOracle, Known, Oracle, family_of, from_about,
};
use retrograde_games::Remark;
use retrograde_table::{Exits, GridHeader, Header, InvalidStates, Table};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use crate::commands::examples;
use crate::commands::full::write_full;
use crate::commands::start::Start;
use crate::report::file::FileOf;
use crate::report::format::{FormatArg, Printer};
use crate::report::list::distance;
use crate::report::sides::write_sides;
use crate::report::start::{StartOf, StateReport};
use crate::report::summary::{LevelOf, Summary, counts, levels_of, summary_of, write_levels};
use crate::report::verdict::side_to_move;
use crate::source::engine::{EngineArgs, How};
use crate::source::parameters::shared;
use crate::source::target::start_of;

use crate::source::game_source::{game_of, open};
use crate::source::subject::Subject;
use crate::source::tables::Tables;
use crate::source::wrong::failed;
use crate::term::failure::{Failure, input};
use crate::term::number::{counted, grouped};

/// Print what a table holds: game, counts, distances, size, and the value of the start
///
/// With --full, also look at every state: a histogram, the gain of moving first, the longest wins. This also works for
/// a game, which the program then solves.
///
/// For a folder of chess endgames or morris, print a line for each table and side to move: how many positions this side
/// wins, draws and loses, and its longest win. In chess, symmetric placements all count, and equal pieces have no
/// order. Positions with an en passant capture are not counted.
#[derive(Args)]
#[command(after_help = examples::INFO, mut_args = shared)]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) subject: Subject,
    /// Print the value of this state [default: the game's start]
    #[arg(long, value_name = "STATE", allow_hyphen_values = true)]
    pub(crate) from: Option<String>,
    /// Look at every state: a histogram, the gain of moving first, the longest wins
    #[arg(long, conflicts_with = "from")]
    pub(crate) full: bool,
    #[command(flatten)]
    pub(crate) format: FormatArg,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

/// A longer board is not printed.
const BOARD_LINES_MAX: usize = 60;

impl Info {
    /// Prints the header, the histogram, and the result of play from the start.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.engine.start_threads()?;
        let Info { mut subject, from, full, format, engine } = self;
        let (title, from) = (subject.title(), from.as_deref());
        let mut printer = format.printer(out);
        // A table outside its folder can answer everything except what needs the tables beside it.
        let whole = full || from.is_some() || subject.table().is_some_and(Path::is_dir);
        if whole && let Some(tables) = subject.whole_tables()? {
            return match (tables.is_folder(), full) {
                (true, _) => write_folder(&tables, &mut printer),
                (false, true) => {
                    let region = tables.one()?;
                    write_full(&tables.oracle, &region, title, engine.quiet, &mut printer)
                }
                (false, false) => write_region(&tables, from, &mut printer),
            };
        }
        if full {
            let opened = subject.open(engine.memory)?;
            let (solved, _) = engine.solved(&opened, How::at_once(true))?;
            return write_full(&Oracle::new(solved), "", title, engine.quiet, &mut printer);
        }
        let advice = "; --full looks at all states of a game";
        for (place, path) in subject.tables(advice)?.iter().enumerate() {
            let table = Arc::new(open(path)?);
            printer.between(if place == 0 { "" } else { "\n\n" })?;
            write_of_game(&table, from, &mut printer)?;
        }
        Ok(())
    }
}

/// Prints the headers of the tables in a folder.
fn write_folder(tables: &Tables, printer: &mut Printer<'_>) -> Result<(), Failure> {
    let mut all = Vec::new();
    for region in tables.regions() {
        if let Some(table) = tables.oracle.table(&region).map_err(failed)? {
            all.push((region, table.header().about.clone()));
        }
    }
    if all.is_empty() {
        return Err(tables.nothing());
    }
    let family = tables.family();
    printer.either(
        |out| {
            let sides = all.iter().flat_map(|(region, about)| {
                family.sides(about).into_iter().map(move |side| (region.as_str(), side))
            });
            write_sides(sides, out)
        },
        || {
            let sides = all.iter();
            let sides = sides.map(|(region, about)| (region.clone(), family.sides_object(about)));
            Ok(FolderOf { tables: sides.collect() })
        },
    )
}

/// Prints the table of a region, and the value of a state of it.
fn write_region(
    tables: &Tables,
    from: Option<&str>,
    printer: &mut Printer<'_>,
) -> Result<(), Failure> {
    let oracle = &tables.oracle;
    let table = oracle.table(&tables.one()?).map_err(failed)?;
    let report = |text: &str| {
        let state = oracle.parse(text).map_err(failed)?;
        let asked = oracle.choices(&state).map_err(failed)?;
        let best = asked.moves.first().map(|best| best.value);
        let best = asked.moves.iter().take_while(|played| Some(played.value) == best);
        Ok::<_, Failure>(StateReport {
            state: oracle.text(&state),
            side: side_to_move(oracle, &state).to_owned(),
            value: asked.value,
            distance: distance(asked.value, oracle.has_distances()),
            best: best.map(|played| played.step.name.clone()).collect(),
        })
    };
    let start = from.map(report).transpose()?;
    table.map_or(Ok(()), |table| write(table, start, None, printer))
}

/// Prints the table of a game. This program may not know the game. If it cannot read the values, it still prints the
/// header.
fn write_of_game(
    table: &Arc<Table>,
    from: Option<&str>,
    printer: &mut Printer<'_>,
) -> Result<(), Failure> {
    let name = table.path().display().to_string();
    let setup = from_about(&table.header().about, &name).map_err(Failure::from);
    let asked = match setup.and_then(|setup| game_of(&setup, table)) {
        Ok(game) => ask(game, table, from),
        Err(_) if from.is_none() => Ok((None, None)),
        Err(failure) => Err(failure),
    };
    match asked {
        Ok((start, remark)) => write(table, start, remark, printer),
        Err(failure) if from.is_some() => Err(failure),
        Err(failure) => write(table, None, None, printer).and(Err(failure)),
    }
}

/// The value of the requested state or else the start, and the remark of the game.
fn ask(
    game: Arc<dyn CompiledGame>,
    table: &Arc<Table>,
    from: Option<&str>,
) -> Result<(Option<StateReport>, Option<Remark>), Failure> {
    let solved = GameOracle::new(game, Known::Table(Arc::clone(table))).map_err(input)?;
    let (game, values) = (solved.rules(), solved.values().map_err(input)?);
    let start = start_of(game, from)?.map(|state| Start::new(game, &*values, state));
    let start = start.transpose()?.flatten().map(|start| start.report(game, &*values));
    Ok((start.transpose()?, game.remark_on(&*values).map_err(input)?))
}

/// Prints a table.
fn write(
    table: &Table,
    start: Option<StateReport>,
    remark: Option<Remark>,
    printer: &mut Printer<'_>,
) -> Result<(), Failure> {
    printer.either(
        |out| {
            write_text(table, start.as_ref(), out)?;
            remark.as_ref().map_or(Ok(()), |remark| Ok(writeln!(out, "\n{}", remark.text)?))
        },
        || object(table, start.as_ref(), remark.as_ref()),
    )
}

/// The JSON output of `info` for a folder: what each side to move wins, draws and loses, by table.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FolderOf {
    #[cfg_attr(test, schemars(with = "BTreeMap<String, crate::report::entries::FamilySides>"))]
    tables: Map<String, Json>,
}

/// The JSON output of `info`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct InfoOf<'a> {
    game: &'a str,
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "crate::report::summary::SummaryOf"))]
    summary: Summary<'a>,
    start: Option<StartOf<'a>>,
    table: FileOf,
    #[cfg_attr(test, schemars(with = "Map<String, Json>"))]
    parameters: Json,
    board: Option<&'a str>,
    /// The entries of a family of regions for each side to move, under a name that the family chooses.
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "crate::report::entries::InfoSides"))]
    sides: BTreeMap<&'static str, Json>,
    distances: bool,
    levels: Vec<LevelOf>,
    half: Option<String>,
    invalid_kept: bool,
    compression: &'a str,
    numbers: u64,
    blocks: u64,
    block_rows: Option<u64>,
    block_columns: Option<u64>,
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "crate::report::entries::Remark"))]
    remark: BTreeMap<&'a str, Option<&'a [String]>>,
}

fn object<'a>(
    table: &'a Table,
    start: Option<&'a StateReport>,
    remark: Option<&'a Remark>,
) -> Result<InfoOf<'a>, Failure> {
    let header = table.header();
    let about = &header.about;
    let blocks = header.grids.first();
    let words = remark.and_then(|remark| remark.words.as_ref());
    Ok(InfoOf {
        game: &about.game,
        summary: summary_of(table)?,
        start: start.map(StateReport::object),
        table: FileOf::of(table),
        parameters: parameters(header),
        board: about.board.as_deref(),
        sides: family_of(about)
            .map(|family| (family.style.counts.0, family.sides_object(about)))
            .into_iter()
            .collect(),
        distances: header.distances,
        levels: levels_of(&table.levels().map_err(input)?, header.distances),
        half: half(header, &counts(table)),
        invalid_kept: header.invalid_states == InvalidStates::Kept,
        compression: &header.compression,
        numbers: header.states,
        blocks: table.blocks(),
        block_rows: blocks.map(|grid| grid.block_rows),
        block_columns: blocks.map(|grid| grid.block_columns),
        remark: words.map(|(name, words)| (*name, words.as_deref())).into_iter().collect(),
    })
}

/// The parameters of the rules. The other entries of a family of regions have a form of their own.
fn parameters(header: &Header) -> Json {
    let about = &header.about;
    match &about.parameters {
        Json::Object(all) => {
            let is_plain = |value: &Json| match value {
                Json::Array(values) => !values.iter().any(Json::is_object),
                value => !value.is_object(),
            };
            let plain = all.iter().filter(|(_, value)| is_plain(value));
            plain.map(|(name, value)| (name.clone(), value.clone())).collect()
        }
        _ => json!({}),
    }
}

fn write_text(
    table: &Table,
    start: Option<&StateReport>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let header = table.header();
    let about = &header.about;
    writeln!(out, "table      {}", table.path().display())?;
    writeln!(out, "game       {}", about.game)?;
    for (name, value) in parameters(header).as_object().into_iter().flatten() {
        writeln!(out, "{name:<10} {}", plain(value))?;
    }
    writeln!(out)?;
    if let Some(start) = start {
        start.write(out)?;
        writeln!(out)?;
    }
    summary_of(table)?.write(out)?;
    let levels = table.levels().map_err(input)?;
    if header.distances && !levels.is_empty() {
        write_levels(|| Ok(levels.iter().copied()), out)?;
    }
    writeln!(out, "size       {}", FileOf::of(table).share())?;
    writeln!(out, "kept       {}", kept(header, half(header, &counts(table))))?;
    let shape = |grid: &GridHeader| {
        format!("{} x {}", grouped(grid.block_rows), grouped(grid.block_columns))
    };
    let shapes = header.grids.iter().map(shape).collect::<Vec<_>>().join(" or ");
    let (blocks, compression) = (counted(table.blocks(), "block"), &header.compression);
    writeln!(out, "blocks     {blocks} of up to {shapes} states, {compression}")?;
    let has_sides = |family: &&AnyFamily| !family.sides(about).is_empty();
    if let Some(family) = family_of(about).filter(has_sides) {
        writeln!(out, "\n{}", family.style.counts.1)?;
        let region = family.region(about).unwrap_or_default();
        write_sides(family.sides(about).into_iter().map(|side| (region, side)), out)?;
    }
    write_board(about.board.as_deref(), out)
}

/// A value in the form that the command line takes: no brackets, no quotes.
fn plain(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(","),
        value => value.to_string(),
    }
}

/// The only side to move whose states the table keeps, if it keeps one side.
fn half<C>(header: &Header, sides: &[(&str, C)]) -> Option<String> {
    let side = header.half()?;
    let name = usize::try_from(side).ok().and_then(|side| sides.get(side));
    Some(name.map_or_else(|| format!("side {side}"), |(name, _)| (*name).to_owned()))
}

/// What the table keeps of a state, and which states it keeps.
fn kept(header: &Header, half: Option<String>) -> String {
    let what = if header.distances { "values and distances in plies" } else { "values" };
    let whose =
        half.map_or("all states".to_owned(), |side| format!("the states with {side} to move"));
    let invalid_states = if header.invalid_states == InvalidStates::Forgotten {
        "; invalid states have any value"
    } else {
        ""
    };
    let exits = if header.exits == Exits::Forgotten {
        "; values that exits give are looked up in other tables"
    } else {
        ""
    };
    format!("{what}, of {whose}{invalid_states}{exits}")
}

fn write_board(board: Option<&str>, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(board) = board else { return Ok(()) };
    let lines = board.lines().count();
    if lines > BOARD_LINES_MAX {
        let lines = counted(lines, "line");
        return Ok(writeln!(out, "board      {lines} (--json prints them)")?);
    }
    writeln!(out, "board")?;
    for line in board.lines() {
        writeln!(out, "           {line}")?;
    }
    Ok(())
}
