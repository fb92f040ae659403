//! `retrograde verify`: checks that every value follows from the values one move later, that every byte is as it was
//! written, or that the rules of a game are consistent.

use std::io::Write;

use clap::Args;
use retrograde_catalog::Oracle;
use retrograde_table::Table;

use crate::commands::audit::RulesArgs;
use crate::commands::{checksums, examples, published};
use crate::report::format::{FormatArg, Printer};
use crate::report::sound::Verified;
use crate::source::engine::{EngineArgs, How};
use crate::source::game_source::tables;
use crate::source::parameters::shared;
use crate::source::subject::Subject;
use crate::source::wrong::{failed, found, wrong_table};
use crate::term::failure::Failure;

/// Check a table, or solve a game and check the solution: compare every value and distance with those one move later
#[derive(Args)]
#[command(after_help = examples::VERIFY, mut_args = shared)]
pub(crate) struct Verify {
    #[command(flatten)]
    subject: Subject,
    /// Check only that every byte of a table is as it was written
    #[arg(long, conflicts_with_all = ["rules", "no_distance"])]
    checksums: bool,
    /// Check only that chess endgames are, byte for byte, the tables of up to five men whose checksums are published
    #[arg(long, conflicts_with_all = ["checksums", "rules", "no_distance"])]
    published: bool,
    /// Check only the rules of a game: compare every move with every backward move
    #[arg(long, conflicts_with = "no_distance")]
    rules: bool,
    #[command(flatten)]
    of_rules: RulesArgs,
    /// Check values without distances
    #[arg(long, help_heading = "Engine")]
    no_distance: bool,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    engine: EngineArgs,
}

impl Verify {
    /// Checks, and prints the result.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        self.engine.start_threads()?;
        let Verify {
            mut subject,
            checksums,
            published,
            rules,
            of_rules,
            no_distance,
            format,
            engine,
        } = self;
        if checksums {
            return checksums::check(subject, engine.quiet, &mut format.printer(out));
        }
        if published {
            return published::check(subject, engine.quiet, &mut format.printer(out));
        }
        if rules {
            return of_rules.check(subject, engine.quiet, &mut format.printer(out));
        }
        let mut printer = format.printer(out);
        if let Some(tables) = subject.whole_tables()? {
            for region in tables.regions() {
                verify(&tables.oracle, &region, &engine, &mut printer)?;
            }
            return Ok(());
        }
        // A table with a damaged header is wrong, and not only unreadable.
        for path in subject.table().map(tables).transpose()?.into_iter().flatten() {
            if let Err(wrong @ Failure::Wrong(_)) = Table::open(&path).map_err(wrong_table) {
                return Err(wrong);
            }
        }
        for opened in subject.open_all(engine.memory)? {
            let kind = engine.engine(&*opened.game)?;
            let (solved, _) = engine.solved(&opened, How::at_once(!no_distance))?;
            verify(&Oracle::new(solved.engine(kind)), "", &engine, &mut printer)?;
        }
        Ok(())
    }
}

/// Verifies a region, or a game without regions, and prints the result.
fn verify(
    oracle: &Oracle,
    region: &str,
    engine: &EngineArgs,
    printer: &mut Printer<'_>,
) -> Result<(), Failure> {
    // A table that leaves out values is verified in memory.
    let table = oracle.table(region).map_err(failed)?.filter(|table| !table.is_complete());
    let loaded = table.map_or(Ok(0), |table| table.load_bytes()).map_err(wrong_table)?;
    engine.memory.allow("verifying this table", loaded)?;
    let states = oracle.region(region).map_err(failed)?;
    let verifier = engine.verifier(region, loaded);
    let verified = oracle.verify(region, verifier).map_err(found)?;
    let counts = states.counts().map_err(failed)?;
    let counted = counts.iter().map(|(_, of)| of.win + of.loss + of.draw).sum();
    printer.print(&Verified {
        game: oracle.game(),
        file: oracle.table(region).map_err(failed)?.map(|table| table.path().display().to_string()),
        states: if counts.is_empty() { verified.states } else { counted },
        moves: verified.moves,
        region: (!region.is_empty()).then_some(region),
    })?;
    printer.flush()
}
