//! Whole jobs: the table is the same as on one machine, byte for byte, for any number of ranks, also after a stop.

use retrograde::{Probe, Progress, Solution, SolveError, Solver, Value};
use retrograde_catalog::{
    Checkpoints, Engine, Job, JobDone, JobError, JobReport, Keep, Output, Task, about, by_side,
};
use retrograde_cluster::{BetweenThreads, Transport, plan, solve};
use retrograde_games::{Setup, Source};
use retrograde_table::{Compression, InvalidStates, SideCounts, TableError, Writer};
use retrograde_testkit::deep;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

/// An empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cluster").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the tests' folder can be written to");
    folder
}

pub(crate) fn game(name: &str, arguments: &[(&str, &str)], board: Option<&str>) -> Setup {
    let board = board.map(|text| Source { name: "the board".into(), text: text.into() });
    Setup::parse(name, arguments, board).expect("arguments that are right")
}

/// A board with walls, where a thief escapes to draws, and with exits.
pub(crate) fn board(rows: usize, columns: usize) -> Setup {
    let cell = |at: usize| match at * 7_919 % 97 {
        0..=12 => '*',
        13 => 'E',
        _ => '.',
    };
    let row = |row: usize| (0..columns).map(|column| cell(row * columns + column)).collect();
    let rows: Vec<String> = (0..rows).map(row).collect();
    game("pursuit", &[], Some(&rows.join("\n")))
}

/// The table that one machine writes, into `path`.
pub(crate) fn write_table(setup: &Setup, distances: bool, path: &Path) {
    let game = retrograde_catalog::game(setup).expect("a game");
    let solver = Solver::new().threads(1).distances(distances);
    let solution = game.solve(Engine::Scalar, solver).expect("nothing stops this solve");
    let mut about = about(setup);
    about.positions = game.position_counts(&Found(&solution)).expect("a solution").map(Into::into);
    let counts = game.sides().iter().zip(by_side(&*game, &solution));
    about.counts = counts.map(|(side, counts)| SideCounts::new(side, counts)).collect();
    let mut writer =
        Writer::new(about).invalid_states(InvalidStates::Forgotten).histogram(solution.histogram());
    if let Some(columns) = game.facts().turns.row_len().filter(|columns| *columns > 0) {
        writer = writer.rows(columns, game.sides().len() as u64);
    }
    writer.write(path, &solution).expect("the table can be written");
}

/// The values of a solution.
struct Found<'s>(&'s Solution);

impl Probe for Found<'_> {
    type Error = TableError;

    fn states(&self) -> u64 {
        self.0.states()
    }

    fn has_distances(&self) -> bool {
        self.0.has_distances()
    }

    fn probe(&self, state: u64) -> Result<Option<Value>, TableError> {
        Ok(self.0.value(state))
    }
}

/// A job that solves a game by name.
pub(crate) fn job(setup: &Setup, out: &Path) -> Job {
    job_of(Task::Game(Box::new(about(setup))), Keep::All, out)
}

pub(crate) fn job_of(task: Task, keep: Keep, out: &Path) -> Job {
    let compression = Compression::default();
    Job {
        task,
        threads: 1,
        memory: None,
        block: None,
        distances: true,
        engine: None,
        disk: None,
        checkpoint: None,
        out: Output { path: out.into(), replace: true, compression, keep },
    }
}

/// Checkpoints in a folder, one at each level.
pub(crate) fn every_level(folder: &Path) -> Option<Checkpoints> {
    Some(Checkpoints { folder: folder.into(), interval: Duration::ZERO })
}

/// A transport that may fail or damage what arrives, after so many exchanges.
pub(crate) struct Faulty {
    pub(crate) inner: BetweenThreads,
    /// How many exchanges succeed.
    pub(crate) left: usize,
    /// Damages a bit of what arrives then, if it is set. Otherwise the rank is lost.
    pub(crate) bit: Option<u64>,
}

impl Transport for Faulty {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn ranks(&self) -> usize {
        self.inner.ranks()
    }

    fn begin(&mut self, buffers: Vec<Vec<u8>>) -> Result<(), SolveError> {
        self.inner.begin(buffers)
    }

    fn finish(&mut self) -> Result<Vec<Vec<u8>>, SolveError> {
        if self.left == 0 && self.bit.is_none() {
            return Err(SolveError::Outside("this rank is lost".into()));
        }
        let mut received = self.inner.finish()?;
        if self.left == 0 {
            let bit = self.bit.take().expect("it was there");
            let mut bytes: Vec<&mut u8> = received.iter_mut().flatten().collect();
            let bits = 8 * bytes.len() as u64;
            if bits > 0 {
                *bytes[(bit % bits / 8) as usize] ^= 1 << (bit % 8);
            }
            self.left = usize::MAX;
        }
        self.left -= 1;
        Ok(received)
    }
}

/// What each rank of a job returns, and what all have reported.
pub(crate) fn ran<T: Transport>(
    job: &Job,
    transports: Vec<T>,
) -> (Vec<Result<Option<JobDone>, JobError>>, Vec<JobReport>) {
    let reports = Mutex::new(Vec::new());
    let hear = |report| {
        reports.lock().expect("no thread fails").push(report);
        ControlFlow::Continue(())
    };
    let hear = &hear;
    let ended = thread::scope(|scope| {
        let running = transports
            .into_iter()
            .map(|mut transport| scope.spawn(move || solve(job, &mut transport, hear)));
        let running: Vec<_> = running.collect();
        running.into_iter().map(|thread| thread.join().expect("no rank panics")).collect()
    });
    (ended, reports.into_inner().expect("no thread fails"))
}

/// Runs a job that must succeed.
pub(crate) fn done(job: &Job, ranks: usize) -> (JobDone, Vec<JobReport>) {
    let (ended, reports) = ran(job, BetweenThreads::all(ranks));
    let mut ended = ended.into_iter().map(|ended| ended.expect("nothing stops this solve"));
    let first = ended.next().expect("a rank").expect("the first rank describes the table");
    assert!(ended.all(|other| other.is_none()));
    (first, reports)
}

/// The problem of the first rank that says what is wrong. Those that only miss another rank do not.
pub(crate) fn problem(ended: Vec<Result<Option<JobDone>, JobError>>) -> String {
    let problems = ended.into_iter().filter_map(|ended| match ended {
        Err(JobError::Failed(problem)) => Some(problem),
        _ => None,
    });
    let (missed, own): (Vec<_>, Vec<_>) =
        problems.partition(|problem| problem.ends_with("is gone"));
    own.into_iter().chain(missed).next().expect("a rank fails")
}

/// Games of every kind, with graphs of different shapes.
fn games() -> Vec<(&'static str, Setup, bool)> {
    let chain: Vec<String> = (1..3_000).map(|state| format!("{state} {}", state - 1)).collect();
    let ring: Vec<String> =
        (0..500).map(|at| format!("{at} {}\n{at} {}", (at + 1) % 500, at * 37 % 501)).collect();
    // The header of its table tells how many positions there are, too. Ranks did not count them.
    let described = include_str!("../../../../examples/games/hare-and-hounds.game");
    let heaps = [("heaps", "6,7,8"), ("take", "any"), ("misere", "true")];
    vec![
        ("board with draws", board(9, 11), true),
        ("board without distances", board(7, 9), false),
        ("distances beyond a byte", game("graph", &[], Some(&chain.join("\n"))), true),
        ("graph with cycles", game("graph", &[], Some(&ring.join("\n"))), true),
        ("described game", game("text", &[], Some(described)), true),
        ("heaps", game("take", &heaps, None), true),
        ("two police", game("pursuit", &[("police", "2")], Some("....\n.*..\n...E")), true),
    ]
}

#[test]
fn one_to_five_ranks_write_the_table_of_one_machine() {
    let folder = folder("equal");
    let all = deep();
    for (at, (name, setup, distances)) in games().into_iter().enumerate() {
        let expected = folder.join("expected.table");
        write_table(&setup, distances, &expected);
        let expected = fs::read(&expected).expect("a table");
        for ranks in 1..=5 {
            // Each game runs on two numbers of ranks, with one engine each, and each number of ranks with two games. In a
            // deep check, every game runs on every number. Four ranks keep their logs on disk.
            if !all && (ranks + at) % 5 > 1 {
                continue;
            }
            let out = folder.join("found.table");
            let mut job = job(&setup, &out);
            (job.distances, job.threads) = (distances, 1 + ranks % 2);
            let has_words = name.contains("board");
            job.engine = Some(match ranks % 2 == 0 && has_words {
                true => Engine::BitParallel,
                false => Engine::Scalar,
            });
            if ranks == 4 && has_words {
                job.disk = Some(folder.join("logs"));
            }
            job.block = [Some(64), Some(4096), None][at % 3];
            done(&job, ranks);
            let found = fs::read(&out).expect("a table");
            assert!(found == expected, "{name} on {ranks} ranks is another table");
            fs::remove_file(&out).expect("it was there");
        }
    }
}

/// A rank is lost at any time, and another number of ranks goes on. At last all finish.
#[test]
fn any_number_of_ranks_goes_on_after_one_is_lost() {
    const RANKS: [usize; 6] = [3, 3, 2, 5, 4, 1];
    let folder = folder("lost");
    let setup = board(24, 25);
    let expected = folder.join("expected.table");
    write_table(&setup, true, &expected);
    for engine in [Engine::Scalar, Engine::BitParallel] {
        let (out, kept) = (folder.join("found.table"), folder.join("kept"));
        let mut job = job(&setup, &out);
        (job.checkpoint, job.engine) = (every_level(&kept), Some(engine));
        let mut levels = Vec::new();
        for (run, ranks) in RANKS.into_iter().enumerate() {
            let lost = |inner: BetweenThreads| {
                let is_lost = inner.rank() == run % ranks && ranks > 1;
                Faulty { inner, left: if is_lost { 12 } else { usize::MAX }, bit: None }
            };
            let (ended, reports) =
                ran(&job, BetweenThreads::all(ranks).into_iter().map(lost).collect());
            let level = reports.iter().find_map(|report| match report {
                JobReport::Solved(progress) => progress.level,
                _ => None,
            });
            levels.push(level.expect("it tells its level"));
            if ranks > 1 {
                assert_eq!(problem(ended), "this rank is lost", "{engine:?}, {ranks} ranks");
                assert!(!out.exists());
            } else {
                assert!(ended.into_iter().all(|ended| ended.is_ok()));
            }
        }
        assert!(levels.is_sorted() && levels[0] < levels[5], "{engine:?}: {levels:?}");
        assert!(fs::read(&out).expect("a table") == fs::read(&expected).expect("a table"));
        assert!(!kept.exists(), "what was kept is removed in the end");
        fs::remove_file(&out).expect("it was there");
    }
}

/// One rank is asked to stop. All ranks keep one level, and stop. The next ranks go on from it.
#[test]
fn ranks_that_are_asked_to_stop_keep_their_level_first() {
    let folder = folder("stop");
    let setup = board(40, 40);
    let (out, kept) = (folder.join("found.table"), folder.join("kept"));
    let mut job = job(&setup, &out);
    // With a checkpoint at each level, too. Then they never stopped.
    job.checkpoint = every_level(&kept);
    let begun = Mutex::new(Vec::new());
    let job = &job;
    let run = |ranks: usize, asked: Option<usize>| {
        let hear = |rank: usize, report: JobReport| match report {
            JobReport::Solved(Progress { level: Some(level), .. }) => {
                begun.lock().unwrap().push(level);
                match asked == Some(rank) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            }
            _ => ControlFlow::Continue(()),
        };
        let hear = &hear;
        thread::scope(|scope| {
            let running = BetweenThreads::all(ranks).into_iter().map(|mut transport| {
                let rank = transport.rank();
                scope.spawn(move || solve(job, &mut transport, &move |report| hear(rank, report)))
            });
            let running: Vec<_> = running.collect();
            running.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        })
    };
    let ended = run(3, Some(1));
    assert!(ended.iter().all(|ended| matches!(ended, Err(JobError::Stopped))), "{ended:?}");
    assert!(kept.join("cluster.manifest").exists() && !out.exists());
    begun.lock().unwrap().clear();
    assert!(run(2, None).iter().all(Result::is_ok));
    assert!(begun.lock().unwrap().iter().all(|level| *level > 1), "it begins again");
    let expected = folder.join("expected.table");
    write_table(&setup, true, &expected);
    assert!(fs::read(&out).expect("a table") == fs::read(&expected).expect("a table"));
}

/// The plan is made from the rules alone. The scalar engine sends four bytes for each update, and eight more for each part
/// that gets some. The bit-parallel engine sends 14 bytes for a word, and the plan counts 14 for each state.
#[test]
fn a_plan_says_what_the_solve_then_takes() {
    let out = folder("plan").join("found.table");
    let setups = [
        (board(24, 24), None, Engine::Scalar),
        (board(13, 13), Some(64), Engine::Scalar),
        (board(40, 40), None, Engine::BitParallel),
    ];
    for (setup, block, engine) in setups {
        let mut job = job(&setup, &out);
        (job.block, job.engine) = (block, Some(engine));
        let plan = plan(&job, 3).expect("a plan");
        assert!(!out.exists());
        let (done, reports) = done(&job, 3);
        let most = reports.iter().filter_map(|report| match report {
            JobReport::Begun { bytes, .. } => Some(*bytes),
            _ => None,
        });
        assert_eq!(most.max(), Some(plan.memory));
        let (sent, most) = (done.sent_bytes as f64, plan.sent_bytes_most as f64);
        let least = if engine == Engine::BitParallel { most / 64.0 } else { most / 8.0 };
        assert!(least < sent && sent < 2.0 * most, "{sent} of {plan:?}");
        fs::remove_file(&out).expect("it was there");
    }
}

#[test]
fn the_engine_suits_the_game() {
    let out = folder("engine").join("found.table");
    let quixo = game("quixo", &[("size", "3")], None);
    for (setup, engine) in [(board(40, 40), "bit-parallel"), (quixo, "scalar")] {
        let plan = plan(&job(&setup, &out), 4).expect("a plan");
        assert_eq!(plan.engine, engine, "{plan:?}");
    }
}

#[test]
fn one_that_has_not_the_memory_says_so() {
    let folder = folder("memory");
    let mut job = job(&board(9, 11), &folder.join("found.table"));
    job.memory = Some(1 << 20);
    let said = problem(ran(&job, BetweenThreads::all(3)).0);
    assert!(said.contains("each rank needs") && said.contains("more ranks need less"), "{said}");
}
