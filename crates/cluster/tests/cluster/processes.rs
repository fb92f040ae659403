//! Real processes: the table is the same as on one machine, byte for byte, for any number of processes, also after
//! kills.

use retrograde::Solver;
use retrograde_catalog::{End, Engine, Job, Keep, Output, about, by_side, is_signal_ignored};
use retrograde_games::{Setup, Source};
use retrograde_table::{Compression, InvalidStates, SideCounts, Writer};
use retrograde_testkit::deep;
use serde_json::{Value as Json, json};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Once};
use std::thread;
use std::time::{Duration, Instant};

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
    let counts = game.sides().iter().zip(by_side(&*game, &solution));
    about.counts = counts.map(|(side, counts)| SideCounts::new(side, counts)).collect();
    let mut writer =
        Writer::new(about).invalid_states(InvalidStates::Forgotten).histogram(solution.histogram());
    if let Some(columns) = game.facts().turns.row_len().filter(|columns| *columns > 0) {
        writer = writer.rows(columns, game.sides().len() as u64);
    }
    writer.write(path, &solution).expect("the table can be written");
}

/// The job of solving it on so many processes.
pub(crate) fn job(setup: &Setup, processes: usize, out: &Path) -> Json {
    let mut job = Job::new(about(setup).into(), processes, write(out));
    job.timeout_ms = 20_000;
    serde_json::to_value(job).expect("a job")
}

/// The end of a job that writes a table with all states.
pub(crate) fn write(out: &Path) -> End {
    let compression = Compression::default();
    End::Write(Output { path: out.into(), replace: true, compression, keep: Keep::All })
}

/// Checkpoints in a folder, one at each level.
pub(crate) fn checkpoints(folder: &Path) -> Json {
    json!({ "folder": folder, "interval_ms": 0 })
}

/// The program with its job.
pub(crate) struct Running {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Running {
    pub(crate) fn start(job: &Json) -> Running {
        Running::start_with(job, Stdio::null())
    }

    /// Starts the program. Its errors go elsewhere. It receives all signals: a child process inherits the signals that
    /// its parent ignores, and a shell ignores some for background jobs. So the test catches them instead.
    pub(crate) fn start_with(job: &Json, errors: Stdio) -> Running {
        static CAUGHT: Once = Once::new();
        CAUGHT.call_once(|| {
            for signal in [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&it| is_signal_ignored(it))
            {
                signal_hook::flag::register(signal, Arc::default()).expect("a signal");
            }
        });
        let mut child = Command::new(env!("CARGO_BIN_EXE_retrograde-cluster"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .expect("the program starts");
        let stdin = child.stdin.as_mut().expect("its input is a pipe");
        writeln!(stdin, "{job}").expect("it reads its job");
        let out = child.stdout.take().expect("its output is a pipe");
        Running { child, lines: BufReader::new(out).lines() }
    }

    /// The next line of its output; `None` at the end of the output.
    pub(crate) fn line(&mut self) -> Option<Json> {
        let line = self.lines.next()?.expect("it writes text");
        Some(serde_json::from_str(&line).expect("it writes JSON"))
    }

    /// The process ids of its processes, once all listen.
    pub(crate) fn pids(&mut self, processes: usize) -> Vec<String> {
        let mut pids = vec![String::new(); processes];
        while pids.iter().any(String::is_empty) {
            let line = self.line().expect("it says who listens");
            if let Some(pid) = line["pid"].as_u64() {
                pids[line["process"].as_u64().expect("a number") as usize] = pid.to_string();
            }
        }
        pids
    }

    /// Waits for the end. The program must have written a table; returns its report.
    pub(crate) fn done(mut self) -> Json {
        let mut done = Json::Null;
        while let Some(line) = self.line() {
            assert!(line["failed"].is_null(), "{line}");
            if line["done"].is_object() {
                done = line["done"].clone();
            }
        }
        assert!(self.child.wait().expect("it ends").success());
        done
    }

    /// Waits for the end. Returns all output, and whether the program succeeded. It must end in time.
    pub(crate) fn end(mut self, until: Instant) -> (String, bool) {
        let Running { child, lines } = &mut self;
        thread::scope(|scope| {
            let reading = scope.spawn(|| lines.map_while(Result::ok).collect::<Vec<_>>());
            let status = loop {
                if let Some(status) = child.try_wait().expect("it can be waited for") {
                    break status;
                }
                if Instant::now() > until {
                    let _ = child.kill();
                    panic!("a process hangs: {:?}", reading.join());
                }
                thread::sleep(Duration::from_millis(5));
            };
            (reading.join().expect("it writes text").join("\n"), status.success())
        })
    }

    /// Waits for the end. The program must fail; returns all output.
    pub(crate) fn failed(mut self) -> String {
        let mut said = String::new();
        while let Some(line) = self.line() {
            said += &format!("{line}\n");
        }
        assert_eq!(self.child.wait().expect("it ends").code(), Some(1), "{said}");
        assert!(said.contains("\"failed\""), "{said}");
        said
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn signal(signal: &str, pid: &str) {
    assert!(Command::new("kill").args([signal, pid]).status().expect("kill runs").success());
}

/// Games of every kind, with graphs of different shapes.
fn games() -> Vec<(&'static str, Setup, bool)> {
    let chain: Vec<String> = (1..3_000).map(|state| format!("{state} {}", state - 1)).collect();
    let ring: Vec<String> =
        (0..500).map(|at| format!("{at} {}\n{at} {}", (at + 1) % 500, at * 37 % 501)).collect();
    let heaps = [("heaps", "6,7,8"), ("take", "any"), ("misere", "true")];
    vec![
        ("board with draws", board(9, 11), true),
        ("board without distances", board(7, 9), false),
        ("distances beyond a byte", game("graph", &[], Some(&chain.join("\n"))), true),
        ("graph with cycles", game("graph", &[], Some(&ring.join("\n"))), true),
        ("heaps", game("take", &heaps, None), true),
        ("two police", game("pursuit", &[("police", "2")], Some("....\n.*..\n...E")), true),
    ]
}

#[test]
fn one_to_five_processes_write_the_table_of_one_machine() {
    let folder = folder("equal");
    let all = deep();
    for (at, (name, setup, distances)) in games().into_iter().enumerate() {
        let expected = folder.join("expected.table");
        write_table(&setup, distances, &expected);
        let expected = fs::read(&expected).expect("a table");
        for processes in 1..=5 {
            // Each game runs on two numbers of processes, with one engine each, and each number of processes with two
            // games. In a deep check, every game runs on every number. Four processes keep their logs on disk.
            if !all && (processes + at) % 5 > 1 {
                continue;
            }
            let out = folder.join("found.table");
            let mut job = job(&setup, processes, &out);
            job["distances"] = json!(distances);
            job["threads"] = json!(1 + processes % 2);
            job["bit_parallel"] = json!(processes % 2 == 0);
            if processes == 4 && (at == 0 || all) {
                job["disk"] = json!(folder.join("logs"));
            }
            job["block"] = [json!(64), json!(4096), Json::Null][at % 3].clone();
            Running::start(&job).done();
            let found = fs::read(&out).expect("a table");
            assert!(found == expected, "{name} on {processes} processes is another table");
            fs::remove_file(&out).expect("it was there");
        }
    }
}

#[test]
fn survivors_name_the_killed_process_and_any_number_goes_on_from_the_checkpoint() {
    for bit_parallel in [false, true] {
        killed_and_resumed(bit_parallel);
    }
}

fn killed_and_resumed(bit_parallel: bool) {
    const PROCESSES: [usize; 6] = [3, 3, 2, 5, 1, 4];
    let folder = folder("killed");
    let setup = board(24, 25);
    let (out, kept) = (folder.join("found.table"), folder.join("kept"));
    let mut job = job(&setup, 1, &out);
    job["checkpoint"] = checkpoints(&kept);
    job["bit_parallel"] = json!(bit_parallel);
    let mut kills = 0;
    loop {
        let processes = PROCESSES[kills];
        job["processes"] = json!(processes);
        let mut running = Running::start(&job);
        let pids = running.pids(processes);
        // Each time a level or two later.
        let mut levels = 0;
        let killed = loop {
            let Some(line) = running.line() else { break false };
            levels += u32::from(line["level"].is_u64());
            if kills < PROCESSES.len() - 1 && levels > 0 {
                signal("-9", &pids[kills % processes]);
                break true;
            }
        };
        if !killed {
            break;
        }
        kills += 1;
        let began = Instant::now();
        let said = running.failed();
        assert!(began.elapsed() < Duration::from_secs(60), "{said}");
        assert!(said.contains("was killed by signal 9"), "{said}");
        assert!(said.contains(&format!("process {}", (kills - 1) % processes)), "{said}");
    }
    assert_eq!(kills, PROCESSES.len() - 1);
    let expected = folder.join("expected.table");
    write_table(&setup, true, &expected);
    assert!(fs::read(&out).expect("a table") == fs::read(&expected).expect("a table"));
    assert!(!kept.exists(), "what was kept is removed in the end");
}

/// A process that a signal ended left its lock and its temporary files. And this test failed if its parent ignored
/// SIGINT. This game takes far longer than the test.
#[test]
fn processes_that_a_signal_ends_leave_whole_files_alone() {
    let folder = folder("signals");
    let setup = game("take", &[("heaps", "1000000"), ("take", "any")], None);
    let mut job = job(&setup, 2, &folder.join("found.table"));
    job["checkpoint"] = checkpoints(&folder.join("kept"));
    for name in ["-TERM", "-INT", "-HUP"] {
        let mut running = Running::start(&job);
        running.pids(2);
        while running.line().is_some_and(|line| line["level"].is_null()) {}
        signal(name, &running.child.id().to_string());
        let until = Instant::now() + Duration::from_secs(60);
        assert!(!running.end(until).1, "{name} does not end it");
        // The others notice it at the end of their input.
        let left = || {
            let inside = fs::read_dir(folder.join("kept")).into_iter().flatten().flatten();
            let names = inside.map(|entry| entry.file_name().to_string_lossy().into_owned());
            names.filter(|name| name.starts_with('.')).collect::<Vec<_>>()
        };
        while !left().is_empty() {
            assert!(Instant::now() < until, "{name} leaves {:?}", left());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// The plan is made from the rules alone, before any process starts. A message of the scalar engine has four bytes for each
/// update, and eight more for each part that gets some. One of the bit-parallel engine has 14 bytes for a word, and the
/// plan counts 14 for each state.
#[test]
fn a_plan_says_what_the_solve_then_takes() {
    let out = folder("plan").join("found.table");
    let setups = [
        (board(24, 24), Json::Null, false),
        (board(13, 13), json!(64), false),
        (board(40, 40), Json::Null, true),
    ];
    for (setup, block, bit_parallel) in setups {
        let mut job = job(&setup, 3, &out);
        job["block"] = block;
        job["bit_parallel"] = json!(bit_parallel);
        let mut planning = job.clone();
        planning["end"] = json!("plan");
        let mut planner = Running::start(&planning);
        let plan = planner.line().expect("a plan")["plan"].clone();
        assert_eq!(planner.line(), None, "more than a plan");
        assert!(!out.exists());
        let mut running = Running::start(&job);
        while let Some(line) = running.line() {
            if line["memory"].is_u64() {
                assert_eq!((&line["memory"], &line["states"]), (&plan["memory"], &plan["states"]));
                break;
            }
        }
        let sent = running.done()["sent_bytes"].as_f64().expect("bytes");
        let most = plan["sent_bytes_most"].as_f64().expect("bytes");
        let least = if bit_parallel { most / 64.0 } else { most / 8.0 };
        assert!(least < sent && sent < 2.0 * most, "{sent} of {plan}");
        fs::remove_file(&out).expect("it was there");
    }
}

/// The first process also needs room to write the table, so it alone refuses. On a busy machine, the error named
/// another process that only repeated the failure, if its line came first.
#[test]
fn one_that_has_not_the_memory_ends_them_all() {
    let folder = folder("memory");
    let mut job = job(&board(9, 11), 3, &folder.join("found.table"));
    job["memory"] = json!(16 << 20);
    let said = Running::start(&job).failed();
    assert!(said.contains("process 0 each process needs"), "{said}");
}

#[test]
fn a_silent_process_is_named() {
    let folder = folder("silent");
    let mut job = job(&board(40, 40), 3, &folder.join("found.table"));
    job["timeout_ms"] = json!(1_000);
    let mut running = Running::start(&job);
    let pids = running.pids(3);
    while running.line().expect("it goes on")["level"].is_null() {}
    signal("-STOP", &pids[1]);
    let said = running.failed();
    assert!(said.contains("nothing was heard of it"), "{said}");
    assert!(said.contains("process 1 ("), "{said}");
}
