//! How processes find each other. Each listens on its own address and nowhere else, calls the processes
//! before it, and waits for those after it. Two connections join each pair, one for updates and one for the
//! [heartbeat](crate::heartbeat).
//!
//! A caller first says which solve it belongs to. A peer of another version, game or number is refused with a
//! reason, and any other caller is dropped. timely gets the sockets only after that.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use retrograde_cluster::Channel;
use serde_json::{Value as Json, json};

use crate::job::difference;
use crate::say::say;

/// The connections to the other processes, by number; none to this one.
pub(crate) struct Met {
    pub(crate) updates: Vec<Option<TcpStream>>,
    pub(crate) heartbeats: Vec<Option<TcpStream>>,
}

/// The first bytes from both ends, with the version of the protocol.
const MAGIC: &[u8; 16] = b"retrograde net 2";
/// The channels of the messages before updates and heartbeat.
const HELLO: &str = "hello";
const REPLY: &str = "reply";
/// How long a caller may take for its first message.
const HELLO_TIME: Duration = Duration::from_secs(5);
/// The purposes of the connections.
const USES: [&str; 2] = ["updates", "heartbeat"];

/// Listens on an address of this machine.
pub(crate) fn listen(address: &str) -> Result<TcpListener, String> {
    TcpListener::bind(address).map_err(|error| {
        format!(
            "{address}: cannot listen there ({error}); give this process an address of this machine"
        )
    })
}

/// Connects to all other processes, within a time.
pub(crate) fn meet(
    listener: TcpListener,
    hosts: &[String],
    process: usize,
    identity: &Json,
    patience: Duration,
) -> Result<Met, String> {
    let until = Instant::now() + patience;
    let none = || hosts.iter().map(|_| None).collect::<Vec<_>>();
    let mut met = Met { updates: none(), heartbeats: none() };
    // Accepts calls from the beginning: later processes call while this one calls earlier ones.
    let (sender, callers) = mpsc::channel();
    let expected = json!({ "identity": identity, "process": process });
    thread::Builder::new()
        .spawn(move || take_calls(&listener, &expected, &sender))
        .map_err(|error| format!("no thread can be started: {error}"))?;
    for (other, host) in hosts.iter().enumerate().take(process) {
        for (at, purpose) in USES.into_iter().enumerate() {
            let hello =
                json!({ "identity": identity, "process": process, "to": other, "use": purpose });
            let stream = call(host, other, &hello, until)?;
            [&mut met.updates, &mut met.heartbeats][at][other] = Some(stream);
        }
    }
    let mut refused = None;
    while let Some(missing) = (process + 1..hosts.len())
        .find(|&other| met.updates[other].is_none() || met.heartbeats[other].is_none())
    {
        let left = until.saturating_duration_since(Instant::now());
        match callers.recv_timeout(left) {
            Ok(Call::Peer { other, purpose, mut stream }) => {
                let slot = match [&mut met.updates, &mut met.heartbeats][purpose].get_mut(other) {
                    Some(slot) if slot.is_none() => slot,
                    _ => {
                        let _ = reply(&mut stream, Some("this process has already connected"));
                        continue;
                    }
                };
                if reply(&mut stream, None).is_ok() {
                    *slot = Some(stream);
                }
            }
            Ok(Call::Refused(reason)) => {
                say(&json!({ "note": reason }));
                refused = Some(reason);
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                let host = &hosts[missing];
                let seconds = patience.as_secs_f64();
                let refused = refused.map_or(String::new(), |reason| format!("; {reason}"));
                return Err(format!(
                    "process {missing} ({host}) has not connected within {seconds:.0} seconds{refused}; start it, or allow more by --timeout"
                ));
            }
        }
    }
    for stream in met.updates.iter().chain(&met.heartbeats).flatten() {
        let ready = stream
            .set_nodelay(true)
            .and_then(|()| stream.set_read_timeout(None))
            .and_then(|()| stream.set_write_timeout(None));
        ready.map_err(|error| format!("a connection failed: {error}"))?;
    }
    Ok(met)
}

/// The result of a call.
enum Call {
    Peer {
        other: usize,
        purpose: usize,
        stream: TcpStream,
    },
    /// The caller belongs to another solve; the reason.
    Refused(String),
}

/// Accepts calls until no process is missing. Each has its own thread, so that a silent caller blocks no
/// other.
fn take_calls(listener: &TcpListener, expected: &Json, callers: &Sender<Call>) {
    let hearing = std::sync::Arc::new(());
    loop {
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(Duration::from_millis(10));
            continue;
        };
        const HEARD_MAX: usize = 256;
        if std::sync::Arc::strong_count(&hearing) > HEARD_MAX {
            continue;
        }
        let (expected, callers) = (expected.clone(), callers.clone());
        let heard = std::sync::Arc::clone(&hearing);
        drop(thread::Builder::new().spawn(move || {
            if let Some(call) = hear(stream, &expected) {
                let _ = callers.send(call);
            }
            drop(heard);
        }));
    }
}

/// The caller; `None` if it is unknown.
fn hear(mut stream: TcpStream, expected: &Json) -> Option<Call> {
    stream.set_read_timeout(Some(HELLO_TIME)).ok()?;
    stream.set_write_timeout(Some(HELLO_TIME)).ok()?;
    let address = stream.peer_addr().ok()?;
    let hello = read_message(&mut stream, HELLO).ok()?;
    let other = hello["process"].as_u64().unwrap_or(u64::MAX);
    let problem = difference(&hello["identity"], &expected["identity"])
        .map(|differs| format!("it solves with {differs}"))
        .or_else(|| {
            (hello["to"] != expected["process"])
                .then(|| "it calls another process; compare the hosts files".to_owned())
        });
    if let Some(problem) = problem {
        let _ = reply(&mut stream, Some(&problem));
        return Some(Call::Refused(format!(
            "process {other} calls from {address} and is refused: {problem}"
        )));
    }
    let purpose = USES.iter().position(|purpose| hello["use"] == *purpose)?;
    Some(Call::Peer { other: usize::try_from(other).ok()?, purpose, stream })
}

/// Calls a process again and again, until it listens and accepts.
fn call(host: &str, other: usize, hello: &Json, until: Instant) -> Result<TcpStream, String> {
    const PAUSE: Duration = Duration::from_millis(50);
    let mut before = String::new();
    loop {
        let problem = match try_call(host, hello, until) {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(refusal)) => {
                return Err(format!(
                    "process {other} ({host}) refuses this one: {refusal}{before}"
                ));
            }
            Err(error) => error,
        };
        before = format!("; the call before failed: {problem}");
        if Instant::now() + PAUSE >= until {
            return Err(format!(
                "process {other} ({host}) cannot be reached: {problem}; start it, or allow more by --timeout"
            ));
        }
        thread::sleep(PAUSE);
    }
}

fn try_call(host: &str, hello: &Json, until: Instant) -> io::Result<Result<TcpStream, String>> {
    let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
    let address = host.to_socket_addrs()?.next();
    let address = address.ok_or_else(|| io::Error::other("its name has no address"))?;
    let mut stream = TcpStream::connect_timeout(&address, left)?;
    stream.set_read_timeout(Some(left))?;
    write_message(&mut stream, HELLO, hello)?;
    let answer = read_message(&mut stream, REPLY).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => io::Error::other("it hangs up"),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            io::Error::other("it does not answer in time")
        }
        _ => error,
    })?;
    Ok(match answer["refused"].as_str() {
        Some(refusal) => Err(refusal.to_owned()),
        None => Ok(stream),
    })
}

fn reply(stream: &mut TcpStream, refused: Option<&str>) -> io::Result<()> {
    write_message(stream, REPLY, &json!({ "refused": refused }))
}

fn write_message(stream: &mut TcpStream, channel: &str, message: &Json) -> io::Result<()> {
    let mut bytes = MAGIC.to_vec();
    Channel::new(channel).pack(message.to_string().as_bytes(), &mut bytes);
    stream.write_all(&bytes)
}

fn read_message(stream: &mut TcpStream, channel: &str) -> io::Result<Json> {
    let strange = || io::Error::other("the program there is not a process of a solve");
    let (mut magic, mut message) = ([0; 16], Vec::new());
    stream.read_exact(&mut magic)?;
    if &magic != MAGIC {
        return Err(strange());
    }
    Channel::new(channel).read(stream, &mut message)?;
    serde_json::from_slice(&message).map_err(|_| strange())
}
