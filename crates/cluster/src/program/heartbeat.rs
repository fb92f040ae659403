//! The heartbeat: every process hears from every other, however long a level takes, or reports the silent
//! one.
//!
//! If a process is killed, its connections close. If it is stopped, or its network is gone, it falls silent.
//! A heartbeat says how many updates were sent, so lost updates are detected too. A process that gives up
//! says why, and the others repeat it. A process that notices a failure ends at once, because the threads of
//! the solve may be anywhere. Checkpoints hold all that matters.

use std::io;
use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use retrograde_cluster::Channel;

use crate::say::{fail_after, fail_as_told};
use crate::wire::Traffic;

/// The connections on which this process sends.
#[derive(Clone)]
pub(crate) struct Heartbeat {
    peers: Arc<Mutex<Vec<Peer>>>,
}

/// The connection to one other process.
struct Peer {
    stream: TcpStream,
    channel: Channel,
    traffic: Arc<Traffic>,
}

/// The first byte of a message. A heartbeat continues with the number of packets of updates sent; the next
/// two give a reason.
const BEAT: u8 = b'.';
const GIVES_UP: u8 = b'!';
const REPEATS: u8 = b'>';
const DONE: u8 = b'q';

impl Heartbeat {
    /// Starts to send heartbeats, and to listen for those of all others.
    pub(crate) fn start(
        streams: Vec<Option<TcpStream>>,
        (process, hosts): (usize, &[String]),
        traffic: &[Arc<Traffic>],
        patience: Duration,
    ) -> io::Result<Heartbeat> {
        let channel = |from, to| Channel::new(&format!("heartbeat from {from} to {to}"));
        let heartbeat = Heartbeat { peers: Arc::default() };
        let (mut peers, mut listeners) = (Vec::new(), Vec::new());
        for (other, stream) in streams.into_iter().enumerate() {
            let Some(stream) = stream else { continue };
            stream.set_read_timeout(Some(patience))?;
            stream.set_write_timeout(Some(Duration::from_secs(1)))?;
            let traffic = Arc::clone(&traffic[other]);
            listeners.push(Listener {
                name: name(other, hosts),
                stream: stream.try_clone()?,
                channel: channel(other, process),
                traffic: Arc::clone(&traffic),
                patience,
                heartbeat: heartbeat.clone(),
            });
            peers.push(Peer { stream, channel: channel(process, other), traffic });
        }
        *heartbeat.peers.lock().unwrap_or_else(PoisonError::into_inner) = peers;
        for listener in listeners {
            thread::Builder::new().spawn(move || listener.listen())?;
        }
        let beating = heartbeat.clone();
        let pause = (patience / 4).min(Duration::from_secs(1));
        thread::Builder::new().spawn(move || {
            loop {
                beating.write(|traffic| {
                    [&[BEAT][..], &traffic.sent.load(Ordering::Relaxed).to_le_bytes()].concat()
                });
                thread::sleep(pause);
            }
        })?;
        Ok(heartbeat)
    }

    /// Says that this process is done and will send no more.
    pub(crate) fn done(&self) {
        self.write(|_| vec![DONE]);
    }

    /// Tells all others why this process gives up, and ends it.
    pub(crate) fn end(&self, problem: &str) -> ! {
        fail_after(|| self.say_why(GIVES_UP, problem), problem)
    }

    fn say_why(&self, kind: u8, problem: &str) {
        const LEN_MAX: usize = 1000;
        self.write(|_| std::iter::once(kind).chain(problem.bytes().take(LEN_MAX)).collect());
    }

    fn write(&self, message: impl Fn(&Traffic) -> Vec<u8>) {
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        let mut packet = Vec::new();
        // A peer that does not get the whole message hears nothing more, and reports it.
        peers.retain_mut(|Peer { stream, channel, traffic }| {
            packet.clear();
            channel.pack(&message(traffic), &mut packet);
            stream.write_all(&packet).is_ok()
        });
    }
}

/// The name of a process in messages.
pub(crate) fn name(process: usize, hosts: &[String]) -> String {
    format!("process {process} ({})", hosts[process])
}

/// Listens to one other process.
struct Listener {
    name: String,
    stream: TcpStream,
    channel: Channel,
    traffic: Arc<Traffic>,
    patience: Duration,
    heartbeat: Heartbeat,
}

impl Listener {
    fn listen(mut self) {
        let (seconds, name) = (self.patience.as_secs_f64(), self.name.clone());
        let mut message = Vec::new();
        // How many updates had arrived when some arrived last, or none were missing.
        let (mut seen, mut when) = (0, Instant::now());
        let problem = loop {
            if let Err(error) = self.channel.read(&mut self.stream, &mut message) {
                break match error.kind() {
                    io::ErrorKind::UnexpectedEof => format!(
                        "{name} is gone: its connection was closed: it was killed, or its machine is gone"
                    ),
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => format!(
                        "{name} is gone: nothing was heard of it for {seconds:.0} seconds (--timeout)"
                    ),
                    io::ErrorKind::InvalidData => {
                        format!("what {name} says was damaged on the way: {error}")
                    }
                    _ => format!("{name} is gone: its connection failed ({error})"),
                };
            }
            let text = || String::from_utf8_lossy(&message[1..]);
            match (message.first(), message.get(1..).and_then(|rest| rest.first_chunk())) {
                (Some(&BEAT), Some(sent)) => {
                    let come = self.traffic.come.load(Ordering::Relaxed);
                    if come != seen || come >= u64::from_le_bytes(*sent) {
                        (seen, when) = (come, Instant::now());
                    } else if when.elapsed() >= self.patience {
                        break format!(
                            "updates from {name} were lost on the way: packet {come} has not come for {seconds:.0} seconds (--timeout)"
                        );
                    }
                }
                (Some(&GIVES_UP), _) => {
                    let problem = format!("{name} gave up: {}", text());
                    fail_as_told(|| self.heartbeat.say_why(REPEATS, &problem), &problem);
                }
                (Some(&REPEATS), _) => {
                    let problem = text();
                    fail_as_told(|| self.heartbeat.say_why(REPEATS, &problem), &problem);
                }
                (Some(&DONE), _) => return,
                _ => break format!("what {name} says makes no sense"),
            }
        };
        self.heartbeat.end(&problem)
    }
}
