//! What parts cost and what they send each other: `parts GAME PARTS`, where a game is `pursuit60`, `pursuit100` or `quixo`.
//!
//! One line: levels, updates between parts in all and at the busiest level, their bytes, and the seconds of a solve on
//! threads with as many parts. Run it under a counter of allocations to see how many a level takes (`NOTES.md`).
#![forbid(unsafe_code)]

use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::time::Instant;

use retrograde::internal::Thresholds;
use retrograde::parts::{Engine, Kind, Outboxes, Part, Partition, PendingEvents, Tally, Watch};
use retrograde::{Predecessors, SolveError, Solver};
use retrograde_games::{Board, Pursuit, Quixo};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, parts] = &arguments[..] else { return usage() };
    let Ok(parts) = parts.parse() else { return usage() };
    let board = |side| Board::random(side, side, 15, 3, 1, 1).and_then(Pursuit::new);
    let told = match &game[..] {
        "pursuit60" => board(60).map(|game| tell(&game, parts)),
        "pursuit100" => board(100).map(|game| tell(&game, parts)),
        "quixo" => Quixo::new(4).map(|game| tell(&game, parts)),
        _ => return usage(),
    };
    match told.map_err(|error| error.to_string()).and_then(|told| told.map_err(|e| e.to_string())) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("parts: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("usage: parts pursuit60|pursuit100|quixo PARTS");
    ExitCode::FAILURE
}

/// Solves the game in parts of its own, which counts updates, and by the solver, whose answer must be the same.
fn tell<G: Predecessors>(game: &G, parts: u64) -> Result<String, SolveError> {
    let partition = Partition::new(game, game.states().div_ceil(parts), true);
    let made = || (0..partition.parts()).map(|part| partition.part(part)).collect();
    let counted = || Counted {
        game,
        partition,
        parts: made(),
        outboxes: partition.outboxes(1 << 16),
        sent: vec![],
    };
    let solved = Solver::new().threads(1).run(0, counted)?;
    let sent = solved.engine.sent;
    let part_states = partition.part_states() as usize;
    let thresholds = Thresholds { part_states, cached_states: 0, ..Thresholds::default() };
    let threads = partition.parts().clamp(2, 16);
    let start = Instant::now();
    let solution = Solver::new().threads(threads).thresholds(thresholds).solve(game)?;
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(*solution.histogram(), solved.histogram);
    let (levels, all) = (sent.len() as u64, sent.iter().sum::<u64>());
    let most = sent.iter().max().unwrap_or(&0);
    Ok(format!(
        "{} parts of {part_states} states, {levels} levels: {all} updates between parts, {} a level, {most} at most, \
         {} bytes a level; {threads} threads {seconds:.2} s",
        partition.parts(),
        all / levels.max(1),
        4 * all / levels.max(1),
    ))
}

/// All parts in one thread, which counts what they send each other at each level.
struct Counted<'g, G> {
    game: &'g G,
    partition: Partition,
    parts: Vec<Part>,
    outboxes: Outboxes,
    sent: Vec<u64>,
}

impl<G: Predecessors> Engine for Counted<'_, G> {
    fn kind(&self) -> Kind {
        self.partition.kind(*b"counted1")
    }

    fn states(&self) -> u64 {
        self.game.states()
    }

    fn bytes(&self, level: u32) -> u64 {
        (0..self.parts.len()).map(|part| self.partition.bytes(part, level)).sum()
    }

    fn seed(
        &mut self,
        pending: &mut PendingEvents,
        _: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        Ok(self.parts.iter_mut().map(|part| part.seed(self.game, pending)).sum())
    }

    fn settle(
        &mut self,
        level: u32,
        pending: &PendingEvents,
        _: &mut Watch<'_>,
    ) -> Result<Tally, SolveError> {
        let Counted { game, parts, outboxes, .. } = self;
        parts.iter_mut().for_each(|part| part.begin(level));
        let mut sent = 0;
        for part in 0..parts.len() {
            loop {
                let done = parts[part].sweep(*game, outboxes);
                sent += outboxes.len() as u64;
                outboxes.drain(|to, updates| parts[to].deliver(updates.iter().copied()));
                if done {
                    break;
                }
            }
        }
        self.sent.push(sent);
        Ok(self.parts.iter_mut().map(|part| part.end(pending)).sum())
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        self.parts.iter().try_for_each(|part| part.write(to))
    }

    fn read(&mut self, level: u32, from: &mut dyn Read) -> Result<Option<Tally>, SolveError> {
        self.parts.iter_mut().map(|part| part.read(level, from)).sum::<Result<_, _>>().map(Some)
    }
}
