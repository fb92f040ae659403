//! Rounds: how processes that solve together keep step, over whatever carries their letters.
//!
//! The network has no flow control and would take in a whole level. So all go in rounds: in each, a process sends as many
//! letters as it likes, but bounded, and a last one that says how many; the round is over once it has all letters of all
//! others. A process may be one round ahead of another, never two, because it needs the other's last letter: so letters say of
//! which round they are, and those that are early wait. Nothing depends on the order in which letters come.

use std::ops::Deref;

use retrograde::SolveError;
use timely_bytes::arc::Bytes;

/// What one process sends another.
pub struct Letter {
    /// Who sends it.
    pub from: usize,
    /// In which round.
    pub round: u64,
    /// Whether it is the last of the round: then it says first how many there are besides.
    pub last: bool,
    /// What it says.
    pub body: Body,
}

/// The bytes of a letter.
pub enum Body {
    /// As they were written.
    Own(Vec<u8>),
    /// As they lie in a buffer of the network.
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

/// What carries letters: each arrives once, sooner or later, in any order.
pub trait Post {
    /// Which of the processes this is.
    fn index(&self) -> usize;

    /// How many processes there are.
    fn processes(&self) -> usize;

    /// Sends a letter to another process; does not wait.
    fn send(&mut self, to: usize, letter: Letter);

    /// A letter that has come. Where there is none: nothing, or the next one, if it is to be waited for.
    fn receive(&mut self, wait: bool) -> Result<Option<Letter>, SolveError>;
}

/// Goes through the rounds of one process.
pub struct Rounds<P> {
    post: P,
    round: u64,
    /// How many letters of this round have been sent to each process, the last one aside.
    sent: Vec<u64>,
    /// How many have come from each, and the body of the last one with the number it tells, once that has come.
    come: Vec<(u64, Option<(u64, Body)>)>,
    /// Letters of the round after this one.
    early: Vec<Letter>,
}

/// How long the number at the beginning of a last letter is.
const COUNT: usize = 8;

impl<P: Post> Rounds<P> {
    /// Before the first round.
    pub fn new(post: P) -> Rounds<P> {
        let mut rounds =
            Rounds { post, round: 0, sent: Vec::new(), come: Vec::new(), early: Vec::new() };
        rounds.begin(0);
        rounds
    }

    /// Which of the processes this is.
    pub fn index(&self) -> usize {
        self.post.index()
    }

    /// How many processes there are.
    pub fn processes(&self) -> usize {
        self.post.processes()
    }

    fn begin(&mut self, round: u64) {
        let processes = self.processes();
        self.round = round;
        self.sent = vec![0; processes];
        self.come.clear();
        self.come.resize_with(processes, || (0, None));
    }

    /// Sends a letter in this round.
    pub fn send(&mut self, to: usize, body: Vec<u8>) {
        self.sent[to] += 1;
        let (from, round) = (self.index(), self.round);
        self.post.send(to, Letter { from, round, last: false, body: Body::Own(body) });
    }

    /// Takes the letters of this round that have come by now.
    pub fn poll(&mut self, mut take: impl FnMut(&[u8])) -> Result<(), SolveError> {
        while let Some(letter) = self.next(false)? {
            self.sort(letter, &mut take)?;
        }
        Ok(())
    }

    /// Ends the round: says something to all, waits for all letters of this round, and gives back what each has said last, by
    /// process, its own among them.
    pub fn end(
        &mut self,
        said: &[u8],
        mut take: impl FnMut(&[u8]),
    ) -> Result<Vec<Body>, SolveError> {
        let (own, round) = (self.index(), self.round);
        for to in (0..self.processes()).filter(|&to| to != own) {
            let body = [&self.sent[to].to_le_bytes()[..], said].concat();
            self.post.send(to, Letter { from: own, round, last: true, body: Body::Own(body) });
        }
        self.come[own] = (0, Some((0, Body::Own(said.to_vec()))));
        let is_over = |come: &[(u64, Option<(u64, Body)>)]| {
            come.iter().all(|(count, last)| last.as_ref().is_some_and(|(of, _)| of == count))
        };
        while !is_over(&self.come) {
            if let Some(letter) = self.next(true)? {
                self.sort(letter, &mut take)?;
            }
        }
        let said = self.come.drain(..).filter_map(|(_, last)| last.map(|(_, body)| body));
        let said = said.collect();
        self.begin(round + 1);
        Ok(said)
    }

    /// The next letter: one that came early, or a new one.
    fn next(&mut self, wait: bool) -> Result<Option<Letter>, SolveError> {
        match self.early.iter().position(|letter| letter.round == self.round) {
            Some(at) => Ok(Some(self.early.swap_remove(at))),
            None => self.post.receive(wait),
        }
    }

    fn sort(&mut self, letter: Letter, take: &mut impl FnMut(&[u8])) -> Result<(), SolveError> {
        let Letter { from, round, last, body } = letter;
        let torn = || outside(format!("process {from} sent a letter that makes no sense"));
        if round == self.round + 1 {
            self.early.push(Letter { from, round, last, body });
            return Ok(());
        }
        let (count, ended) = self.come.get_mut(from).ok_or_else(torn)?;
        if round != self.round || last && ended.is_some() {
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

/// An error that the solve is not to blame for.
pub(crate) fn outside(problem: String) -> SolveError {
    SolveError::Outside(problem.into())
}
