//! Bytes are damaged between two processes. The table is never wrong, no process panics or hangs, and the solve
//! continues from its checkpoint.
//!
//! A proxy between the processes damages one place of one connection. A normal run tries a few places;
//! `scripts/wire-faults` tries 300. `RETROGRADE_SEED` repeats a run.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::processes::{Running, board, checkpoints, folder, job, write_table};
use crate::strangers::{hosts, with};
use retrograde_testkit::{Rng, seed};
use serde_json::{Value as Json, json};

/// The damage to the bytes from one place on.
#[derive(Clone, Debug)]
enum Harm {
    Flip {
        bit: u8,
    },
    Insert {
        bytes: Vec<u8>,
    },
    Drop {
        len: usize,
    },
    /// The last so many bytes are repeated.
    Repeat {
        len: usize,
    },
}

/// One fault in one direction of one connection.
#[derive(Clone, Debug)]
struct Fault {
    /// Which connection, in the order of the calls, and whether the damaged bytes go to the caller.
    stream: (usize, bool),
    /// How many bytes pass before the fault.
    at: u64,
    harm: Harm,
}

/// How many bytes each connection has carried in each direction, and whether the fault has happened.
#[derive(Default)]
struct Seen {
    bytes: BTreeMap<(usize, bool), u64>,
    harmed: bool,
}

/// Passes calls on to `host`, from an address of its own.
fn proxy(host: &str, fault: Option<Fault>) -> (String, Arc<Mutex<Seen>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let seen = Arc::<Mutex<Seen>>::default();
    let (host, told) = (host.to_owned(), Arc::clone(&seen));
    thread::spawn(move || {
        // It ends with the test program.
        // If no process listens yet, the caller sees a closed connection and calls again.
        let calls = listener.incoming().filter_map(|caller| {
            let caller = caller.ok()?;
            Some((caller, TcpStream::connect(&host).ok()?))
        });
        for (number, (caller, called)) in calls.enumerate() {
            for to_caller in [false, true] {
                let (from, to) = if to_caller { (&called, &caller) } else { (&caller, &called) };
                let (from, to) = (from.try_clone(), to.try_clone());
                let (fault, seen) = (fault.clone(), Arc::clone(&told));
                thread::spawn(move || {
                    let (from, to) = (from.expect("a handle"), to.expect("a handle"));
                    pass_on(from, to, (number, to_caller), fault, &seen);
                });
            }
        }
    });
    (address, seen)
}

fn pass_on(
    mut from: TcpStream,
    mut to: TcpStream,
    stream: (usize, bool),
    fault: Option<Fault>,
    seen: &Mutex<Seen>,
) {
    let fault = fault.filter(|fault| fault.stream == stream);
    let (mut bytes, mut gone, mut dropping) = (vec![0; 1 << 16], 0, 0);
    let mut last = Vec::new();
    while let Ok(len @ 1..) = from.read(&mut bytes) {
        let mut now = bytes[..len].to_vec();
        if let Some(Fault { at, harm, .. }) = &fault
            && (gone..gone + len as u64).contains(at)
        {
            let at = (at - gone) as usize;
            match harm {
                Harm::Flip { bit } => now[at] ^= 1 << bit,
                Harm::Insert { bytes } => drop(now.splice(at..at, bytes.iter().copied())),
                Harm::Drop { len } => dropping = *len,
                Harm::Repeat { len } => {
                    let before: Vec<u8> = last.iter().chain(&now[..=at]).copied().collect();
                    let again = before[before.len().saturating_sub(*len)..].to_vec();
                    drop(now.splice(at + 1..at + 1, again));
                }
            }
            let dropped = at..now.len().min(at + dropping);
            dropping -= dropped.len();
            now.drain(dropped);
            seen.lock().expect("no thread panics").harmed = true;
        } else if dropping > 0 {
            let dropped = dropping.min(now.len());
            dropping -= dropped;
            now.drain(..dropped);
        }
        gone += len as u64;
        *seen.lock().expect("no thread panics").bytes.entry(stream).or_default() = gone;
        last = bytes[..len].to_vec();
        if to.write_all(&now).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
    let _ = from.shutdown(Shutdown::Read);
}

/// Places in all streams, more often at the beginning and the end. Some faults change a byte, some change whole
/// packets.
fn random_fault(rng: &mut Rng, streams: &BTreeMap<(usize, bool), u64>) -> Fault {
    let choices: Vec<_> = streams.iter().map(|(&stream, &bytes)| (stream, bytes)).collect();
    // Most bytes are updates, which the first connection carries.
    let updates: Vec<_> = choices.iter().copied().filter(|((number, _), _)| *number == 0).collect();
    let (stream, bytes) = if rng.chance(60) { rng.pick(&updates) } else { rng.pick(&choices) };
    let near = rng.below(bytes.min(1_000));
    let at = match rng.below(4) {
        0 => near,
        1 => bytes - 1 - near,
        _ => rng.below(bytes),
    };
    let longest = rng.pick(&[1, 8, 100, 5_000]);
    let len = rng.within(1..longest + 1) as usize;
    let harm = match rng.below(4) {
        0 => Harm::Flip { bit: rng.below(8) as u8 },
        1 => Harm::Insert { bytes: (0..len).map(|_| rng.bits() as u8).collect() },
        2 => Harm::Drop { len },
        _ => Harm::Repeat { len },
    };
    Fault { stream, at, harm }
}

/// Solves on two processes; the second calls the first through a proxy. Returns the output of the processes, their exit
/// status, and the log of the proxy. Standard error must be empty.
fn solve(
    job: &Json,
    fault: Option<Fault>,
    folder: &Path,
) -> ([(String, bool); 2], Arc<Mutex<Seen>>) {
    let mut hosts = hosts(2);
    // A process notices lost data after this time. A busy machine may take longer to start a process; that is one more
    // error.
    let job = match fault {
        Some(_) => &with(job, "timeout_ms", json!(2_000)),
        None => job,
    };
    let errors = folder.join("errors");
    let open = || OpenOptions::new().create(true).append(true).open(&errors).expect("a file");
    let start = |process: u32, hosts: &[String]| {
        let job = with(&with(job, "hosts", json!(hosts)), "process", json!(process));
        Running::start_with(&job, open().into())
    };
    let first = start(0, &hosts);
    let (address, seen) = proxy(&hosts[0], fault);
    hosts[0] = address;
    let second = start(1, &hosts);
    /// No process may run longer than this, on any machine.
    const TIME: Duration = Duration::from_secs(120);
    let until = Instant::now() + TIME;
    let ends = [first, second].map(|running| thread::spawn(move || running.end(until)));
    let ends = ends.map(|end| end.join().expect("no thread panics"));
    assert_eq!(fs::read_to_string(&errors).expect("a file"), "", "{ends:?}");
    (ends, seen)
}

/// A flipped bit between two processes gave a wrong table with exit code 0, or a panic, because nothing checked the
/// bytes of a connection.
#[test]
fn damaged_bytes_end_in_an_error_that_names_the_peer_and_the_checkpoint_stays_good() {
    let faults = std::env::var("RETROGRADE_FAULTS").ok().and_then(|text| text.parse().ok());
    let faults: usize = faults.unwrap_or(8);
    let errors: usize = [false, true].map(|engine| damage(faults / 2, engine)).iter().sum();
    assert!(errors >= faults / 8, "only {errors} of {faults} faults were errors");
}

/// Solves with so many faults, and returns how many of them ended in an error.
fn damage(faults: usize, bit_parallel: bool) -> usize {
    let (folder, seed) = (folder("faults"), seed());
    let setup = board(13, 14);
    let expected = folder.join("expected.table");
    write_table(&setup, true, &expected);
    let expected = fs::read(&expected).expect("a table");
    let (out, kept) = (folder.join("found.table"), folder.join("kept"));
    let mut job = job(&setup, 2, &out);
    job["checkpoint"] = checkpoints(&kept);
    job["bit_parallel"] = json!(bit_parallel);
    // The existing table is right. The test removes what is left.
    let is_right = |out: &Path| {
        let found = fs::read(out).ok().map(|found| found == expected);
        let _ = fs::remove_file(out);
        found
    };
    let (ends, seen) = solve(&job, None, &folder);
    assert!(ends.iter().all(|(_, well)| *well), "{ends:?}");
    assert_eq!(is_right(&out), Some(true));
    let streams = seen.lock().expect("no thread panics").bytes.clone();
    assert_eq!(streams.len(), 4, "two connections, in two directions");
    let (mut errors, mut well, mut missed, mut resumed) = (0, 0, 0, 0);
    let (mut slowest, mut kinds) = (Duration::ZERO, BTreeMap::<String, u32>::new());
    for number in 0..faults {
        let mut rng = Rng::new(seed + number as u64);
        let fault = random_fault(&mut rng, &streams);
        let began = Instant::now();
        let (ends, seen) = solve(&job, Some(fault.clone()), &folder);
        slowest = slowest.max(began.elapsed());
        let context = format!("seed {}, {fault:?}: {ends:?}", seed + number as u64);
        let table = is_right(&out);
        assert_ne!(table, Some(false), "a wrong table: {context}");
        let Seen { bytes, harmed } = &*seen.lock().expect("no thread panics");
        missed += usize::from(!harmed);
        for (process, (said, is_well)) in ends.iter().enumerate() {
            assert!(!said.contains("panic"), "a panic: {context}");
            assert_eq!(said.contains("\"failed\""), !is_well, "an end without a reason: {context}");
            let other = format!("process {} (", 1 - process);
            assert!(*is_well || said.contains(&other), "no peer is named: {context}");
            let reason = said.lines().find(|line| line.contains("\"failed\"")).unwrap_or_default();
            let words: String = reason.chars().filter(|c| !c.is_ascii_digit()).collect();
            *kinds.entry(words).or_default() += 1;
        }
        if ends.iter().all(|(_, is_well)| *is_well) {
            // The damage came before the processes knew each other, so they called again; or it came after the last
            // data.
            assert_eq!(table, Some(true), "no table: {context}");
            let (handshake, end) = (1_000, 200);
            let sent = bytes.get(&fault.stream).copied().unwrap_or_default();
            let updates = handshake..sent.saturating_sub(end);
            let in_updates = *harmed && fault.stream.0 == 0 && updates.contains(&fault.at);
            assert!(!in_updates, "damaged updates are not noticed: {context}");
            well += 1;
            continue;
        }
        errors += 1;
        if table.is_none() {
            resumed += usize::from(kept.join("cluster.manifest").exists());
            let (ends, _) = solve(&job, None, &folder);
            assert!(ends.iter().all(|(_, well)| *well), "it does not go on: {context}, {ends:?}");
            assert_eq!(is_right(&out), Some(true), "a wrong table later: {context}");
        }
        let _ = fs::remove_dir_all(&kept);
    }
    println!(
        "{faults} faults: {errors} errors, {well} solved all the same, {missed} beyond the end; {resumed} went on from a \
         checkpoint; the slowest took {slowest:.1?}; {kinds:#?}"
    );
    errors
}
