//! The stream that timely reads and writes: a connection to another process, with its bytes in
//! [packets](Channel).
//!
//! timely trusts its input: a damaged header makes it panic, wait forever or deliver to the wrong place. So
//! it gets no byte before the checksum and number of the packet are right. If they are wrong, or the
//! connection is lost, the process tells the others and ends here. timely never sees an error either, because
//! it would panic.

use std::io::{self, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use retrograde_cluster::Channel;
use timely_communication::allocator::zero_copy::stream::Stream;

use crate::heartbeat::Heartbeat;

/// How many packets of updates went each way. The [heartbeat](crate::heartbeat) compares them.
#[derive(Default)]
pub(crate) struct Traffic {
    pub(crate) sent: AtomicU64,
    pub(crate) come: AtomicU64,
}

/// A connection for updates. All clones share it.
#[derive(Clone)]
pub(crate) struct Wire(Arc<Connection>);

struct Connection {
    stream: TcpStream,
    /// The process at the other end, and its address.
    peer: String,
    traffic: Arc<Traffic>,
    heartbeat: Heartbeat,
    reader: Mutex<Reader>,
    writer: Mutex<Writer>,
}

struct Reader {
    from: BufReader<TcpStream>,
    channel: Channel,
    payload: Vec<u8>,
    /// How much of the payload timely has read.
    taken: usize,
    /// Whether the last packet has arrived.
    ended: bool,
}

struct Writer {
    channel: Channel,
    packet: Vec<u8>,
}

impl Wire {
    /// A connection between two processes, given by their numbers.
    pub(crate) fn new(
        stream: TcpStream,
        (own, other): (usize, usize),
        peer: String,
        traffic: Arc<Traffic>,
        heartbeat: Heartbeat,
    ) -> io::Result<Wire> {
        /// Two packets.
        const BUFFER: usize = 1 << 17;
        let channel = |from, to| Channel::new(&format!("updates from {from} to {to}"));
        let from = BufReader::with_capacity(BUFFER, stream.try_clone()?);
        let (payload, taken, ended) = (Vec::new(), 0, false);
        let reader = Reader { from, channel: channel(other, own), payload, taken, ended };
        let writer = Writer { channel: channel(own, other), packet: Vec::new() };
        let (reader, writer) = (Mutex::new(reader), Mutex::new(writer));
        Ok(Wire(Arc::new(Connection { stream, peer, traffic, heartbeat, reader, writer })))
    }
}

impl Connection {
    /// Sends the next packet, and returns how much of the payload it took.
    fn send(&self, payload: &[u8]) -> usize {
        let Writer { channel, packet } = &mut *lock(&self.writer);
        packet.clear();
        let len = channel.pack(payload, packet);
        if let Err(error) = (&self.stream).write_all(packet) {
            self.fail(&error);
        }
        self.traffic.sent.store(channel.packets(), Ordering::Relaxed);
        len
    }

    /// Ends this process, and the others with it.
    fn fail(&self, error: &io::Error) -> ! {
        /// If the other process gave up or was killed, the heartbeat has a better message within this time.
        const GRACE: Duration = Duration::from_secs(3);
        let peer = &self.peer;
        if error.kind() == io::ErrorKind::InvalidData {
            self.heartbeat.end(&format!("updates from {peer} were damaged on the way: {error}"));
        }
        thread::sleep(GRACE);
        self.heartbeat.end(&format!("the connection to {peer} failed: {error}"))
    }
}

impl Read for Wire {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let Reader { from, channel, payload, taken, ended } = &mut *lock(&self.0.reader);
        if *taken == payload.len() && !*ended {
            if let Err(error) = channel.read(from, payload) {
                self.0.fail(&error);
            }
            self.0.traffic.come.store(channel.packets(), Ordering::Relaxed);
            (*taken, *ended) = (0, payload.is_empty());
        }
        let len = to.len().min(payload.len() - *taken);
        to[..len].copy_from_slice(&payload[*taken..*taken + len]);
        *taken += len;
        Ok(len)
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // An empty packet is the last one.
        Ok(if bytes.is_empty() { 0 } else { self.0.send(bytes) })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> io::Result<Wire> {
        Ok(self.clone())
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.0.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        if how != Shutdown::Read {
            self.0.send(&[]);
        }
        // If the other side has read that packet, it may have closed the connection already.
        let _ = self.0.stream.shutdown(how);
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
