//! Supersteps keep the processes of a solve in step, over any transport.
//!
//! The network has no flow control, and would take in a whole level at once. So the processes work in supersteps. In a
//! superstep, a process sends a limited number of messages to each other process, and then a last message with their
//! number. The superstep is over once a process has all messages of all others. A process may be one superstep ahead of
//! another, but never two, because it needs the other's last message. So each message names its superstep, and early
//! messages wait. The order of messages does not matter.

use std::ops::Deref;

use retrograde::SolveError;
use timely_bytes::arc::Bytes;

/// Data from one process to another.
pub struct Message {
    /// The sender.
    pub from: usize,
    /// In which superstep.
    pub superstep: u64,
    /// Whether it is the last of the superstep. Then it begins with the number of the messages before it.
    pub last: bool,
    /// The contents.
    pub body: Body,
}

/// The bytes of a message.
pub enum Body {
    /// Bytes that this process wrote.
    Own(Vec<u8>),
    /// Bytes in a buffer of the network.
    Read(Bytes),
}

impl Deref for Body {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Body::Own(bytes) => bytes,
            Body::Read(bytes) => bytes,
        }
    }
}

/// A transport of messages. Each message arrives once, sooner or later, in any order.
pub trait Transport {
    /// The number of this process.
    fn index(&self) -> usize;

    /// How many processes there are.
    fn processes(&self) -> usize;

    /// Sends a message to another process; does not wait.
    fn send(&mut self, to: usize, message: Message);

    /// The next message that has arrived. If there is none, returns `None`, or waits for one if `wait` is
    /// set.
    fn receive(&mut self, wait: bool) -> Result<Option<Message>, SolveError>;
}

/// The supersteps of one process.
pub struct Supersteps<P> {
    transport: P,
    superstep: u64,
    /// How many messages were sent to each process in this superstep, without the last one.
    sent: Vec<u64>,
    /// For each process, how many messages have come, and the last message with its number, if it has come.
    come: Vec<(u64, Option<(u64, Body)>)>,
    /// Messages of the next superstep.
    early: Vec<Message>,
}

/// The length of the number at the beginning of a last message.
const COUNT: usize = 8;

impl<P: Transport> Supersteps<P> {
    /// Before the first superstep.
    pub fn new(transport: P) -> Supersteps<P> {
        let mut supersteps = Supersteps {
            transport,
            superstep: 0,
            sent: Vec::new(),
            come: Vec::new(),
            early: Vec::new(),
        };
        supersteps.begin(0);
        supersteps
    }

    /// The number of this process.
    pub fn index(&self) -> usize {
        self.transport.index()
    }

    /// How many processes there are.
    pub fn processes(&self) -> usize {
        self.transport.processes()
    }

    fn begin(&mut self, superstep: u64) {
        let processes = self.processes();
        self.superstep = superstep;
        self.sent = vec![0; processes];
        self.come.clear();
        self.come.resize_with(processes, || (0, None));
    }

    /// Sends a message in this superstep.
    pub fn send(&mut self, to: usize, body: Vec<u8>) {
        self.sent[to] += 1;
        let (from, superstep) = (self.index(), self.superstep);
        self.transport.send(to, Message { from, superstep, last: false, body: Body::Own(body) });
    }

    /// Takes the messages of this superstep that have arrived.
    pub fn poll(&mut self, mut take: impl FnMut(&[u8])) -> Result<(), SolveError> {
        while let Some(message) = self.next(false)? {
            self.sort(message, &mut take)?;
        }
        Ok(())
    }

    /// Ends the superstep: sends a last message to all, waits for all messages of this superstep, and returns
    /// the last messages of all processes, including this one.
    pub fn end(
        &mut self,
        said: &[u8],
        mut take: impl FnMut(&[u8]),
    ) -> Result<Vec<Body>, SolveError> {
        let (own, superstep) = (self.index(), self.superstep);
        for to in (0..self.processes()).filter(|&to| to != own) {
            let body = [&self.sent[to].to_le_bytes()[..], said].concat();
            self.transport
                .send(to, Message { from: own, superstep, last: true, body: Body::Own(body) });
        }
        self.come[own] = (0, Some((0, Body::Own(said.to_vec()))));
        let is_over = |come: &[(u64, Option<(u64, Body)>)]| {
            come.iter().all(|(count, last)| last.as_ref().is_some_and(|(of, _)| of == count))
        };
        while !is_over(&self.come) {
            if let Some(message) = self.next(true)? {
                self.sort(message, &mut take)?;
            }
        }
        let said = self.come.drain(..).filter_map(|(_, last)| last.map(|(_, body)| body));
        let said = said.collect();
        self.begin(superstep + 1);
        Ok(said)
    }

    /// The next message: one that came early, or a new one.
    fn next(&mut self, wait: bool) -> Result<Option<Message>, SolveError> {
        match self.early.iter().position(|message| message.superstep == self.superstep) {
            Some(at) => Ok(Some(self.early.swap_remove(at))),
            None => self.transport.receive(wait),
        }
    }

    fn sort(&mut self, message: Message, take: &mut impl FnMut(&[u8])) -> Result<(), SolveError> {
        let Message { from, superstep, last, body } = message;
        let torn = || outside(format!("process {from} sent a message that makes no sense"));
        if superstep == self.superstep + 1 {
            self.early.push(Message { from, superstep, last, body });
            return Ok(());
        }
        let (count, ended) = self.come.get_mut(from).ok_or_else(torn)?;
        if superstep != self.superstep || last && ended.is_some() {
            return Err(torn());
        }
        if !last {
            *count += 1;
            take(&body);
            return Ok(());
        }
        let (number, _) = body.split_first_chunk::<COUNT>().ok_or_else(torn)?;
        let number = u64::from_le_bytes(*number);
        let said = match body {
            Body::Own(bytes) => Body::Own(bytes[COUNT..].to_vec()),
            Body::Read(mut bytes) => {
                drop(bytes.extract_to(COUNT));
                Body::Read(bytes)
            }
        };
        *ended = Some((number, said));
        Ok(())
    }
}

/// An error that the solver did not cause.
pub(crate) fn outside(problem: String) -> SolveError {
    SolveError::Outside(problem.into())
}
