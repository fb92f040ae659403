//! Unknown callers do no harm, and a peer of another solve is refused with a reason.

use crate::processes::{Running, board, folder, job, write_table};
use serde_json::{Value as Json, json};
use std::fs;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::Duration;

/// Free addresses of this machine, each given out once.
///
/// The ports lie below those that a system assigns by itself (32768 and up on Linux). The system could assign a port of
/// that range again before the process of the test listens there. A proxy that got the port of its own host called
/// itself without end.
pub(crate) fn hosts(processes: usize) -> Vec<String> {
    static TAKEN: AtomicU32 = AtomicU32::new(0);
    let start = std::process::id().wrapping_mul(101);
    let ports = std::iter::repeat_with(|| {
        let port = start.wrapping_add(TAKEN.fetch_add(1, Ordering::Relaxed)) % 20_000;
        format!("127.0.0.1:{}", 10_000 + port)
    });
    ports.filter(|address| TcpListener::bind(address).is_ok()).take(processes).collect()
}

pub(crate) fn with(job: &Json, key: &str, value: Json) -> Json {
    let mut job = job.clone();
    *job.pointer_mut(&format!("/{key}")).expect("a key of the job") = value;
    job
}

#[test]
fn strangers_do_no_harm_and_another_game_is_refused_by_name() {
    let folder = folder("strangers");
    let (setup, out) = (board(9, 10), folder.join("found.table"));
    let hosts = hosts(2);
    let job = with(&job(&setup, 2, &out), "hosts", json!(hosts));
    let first = Running::start(&with(&job, "process", json!(0)));
    // Random bytes, a greeting with a huge length, silence, and a caller who hangs up.
    let mut strangers = Vec::new();
    for said in [&b"GET / HTTP/1.1\r\n\r\n"[..], b"retrograde net 2\xff\xff\xff\xff", b"", b"retro"]
    {
        let mut stranger = loop {
            match TcpStream::connect(&hosts[0]) {
                Ok(stranger) => break stranger,
                Err(_) => sleep(Duration::from_millis(10)),
            }
        };
        stranger.write_all(said).expect("somebody listens");
        strangers.push(stranger);
    }
    drop(strangers.pop());
    for (key, value, reason) in [
        ("distances", json!(false), "another distances, false and not true"),
        ("task/game/board", json!("..\n.E"), "another board"),
        ("processes", json!(3), "another number of processes, 3 and not 2"),
    ] {
        let other = with(&with(&job, "process", json!(1)), key, value);
        let said = Running::start(&other).failed();
        assert!(said.contains(&format!("process 0 ({}) refuses this one", hosts[0])), "{said}");
        assert!(said.contains(reason), "{said}");
    }
    let second = Running::start(&with(&job, "process", json!(1)));
    second.done();
    first.done();
    drop(strangers);
    let expected = folder.join("expected.table");
    write_table(&setup, true, &expected);
    assert!(fs::read(&out).expect("a table") == fs::read(&expected).expect("a table"));
}

#[test]
fn a_process_that_does_not_come_is_named() {
    let folder = folder("missing");
    let hosts = hosts(3);
    let job = with(&job(&board(5, 5), 3, &folder.join("found.table")), "hosts", json!(hosts));
    let job = with(&job, "timeout_ms", json!(300));
    let said = Running::start(&with(&job, "process", json!(1))).failed();
    assert!(said.contains(&format!("process 0 ({}) cannot be reached", hosts[0])), "{said}");
    let said = Running::start(&with(&job, "process", json!(0))).failed();
    assert!(said.contains(&format!("process 1 ({}) has not connected", hosts[1])), "{said}");
}

#[test]
fn another_version_an_unknown_key_and_too_little_memory_are_refused() {
    let folder = folder("refused");
    let job = job(&board(9, 10), 2, &folder.join("found.table"));
    let said = Running::start(&with(&job, "version", json!("0.0.1"))).failed();
    assert!(said.contains("retrograde of 0.0.1; install both of one version"), "{said}");
    let mut strange = job.clone();
    strange["hurry"] = json!(true);
    let said = Running::start(&strange).failed();
    assert!(said.contains("unknown field `hurry`") && said.contains("retrograde solve"), "{said}");
    let said = Running::start(&with(&job, "memory", json!(1 << 20))).failed();
    assert!(said.contains("each process needs") && said.contains("may take 1 MiB"), "{said}");
}
