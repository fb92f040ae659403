//! The pulse: every process hears from every other, however long a level takes, or says whom it does not hear.
//!
//! A process that was killed closes its connections; one that was stopped, or whose network is gone, falls silent. The one
//! that gives up says why, and the others say it again. Whoever notices ends at once: the threads of the solve may be
//! anywhere, and what is to be kept lies in checkpoints.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::say::fail;

/// The connections by which this process is heard.
#[derive(Clone)]
pub(crate) struct Pulse {
    streams: Arc<Mutex<Vec<TcpStream>>>,
}

/// A beat, the end of a process that is done, and of one that gives up, which says why.
const BEAT: u8 = b'.';
const DONE: u8 = b'q';
const GIVES_UP: u8 = b'!';

impl Pulse {
    /// Begins to beat, and to listen for those of all others.
    pub(crate) fn start(
        streams: Vec<Option<TcpStream>>,
        hosts: &[String],
        patience: Duration,
    ) -> io::Result<Pulse> {
        let mut written = Vec::new();
        for (other, stream) in streams.into_iter().enumerate() {
            let Some(stream) = stream else { continue };
            stream.set_read_timeout(Some(patience))?;
            stream.set_write_timeout(Some(Duration::from_secs(1)))?;
            written.push(stream.try_clone()?);
            let name = format!("process {other} ({})", hosts[other]);
            thread::Builder::new().spawn(move || listen(stream, &name, patience))?;
        }
        let pulse = Pulse { streams: Arc::new(Mutex::new(written)) };
        let beating = pulse.clone();
        let pause = (patience / 4).min(Duration::from_secs(1));
        thread::Builder::new().spawn(move || {
            loop {
                beating.write(&[BEAT]);
                thread::sleep(pause);
            }
        })?;
        Ok(pulse)
    }

    /// Says that this process is done, and will be heard no more.
    pub(crate) fn done(&self) {
        self.write(&[DONE]);
    }

    /// Says to all others why this process gives up.
    pub(crate) fn give_up(&self, problem: &str) {
        let mut message = vec![GIVES_UP];
        message.extend(problem.bytes().take(1000));
        message.push(b'\n');
        self.write(&message);
    }

    fn write(&self, bytes: &[u8]) {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        // Whom it does not reach, another thread does not hear.
        streams.iter_mut().for_each(|stream| drop(stream.write_all(bytes)));
    }
}

fn listen(mut stream: TcpStream, name: &str, patience: Duration) {
    let mut bytes = [0; 256];
    loop {
        let problem = match stream.read(&mut bytes) {
            Ok(0) => "its connection was closed: it was killed, or its machine is gone".to_owned(),
            Ok(len) => match bytes[..len].iter().position(|&byte| byte != BEAT) {
                None => continue,
                Some(at) if bytes[at] == DONE => return,
                Some(at) => {
                    let mut said = bytes[at + 1..len].to_vec();
                    let _ = stream.take(1000).read_to_end(&mut said);
                    fail(&format!("{name} gave up: {}", String::from_utf8_lossy(&said).trim()));
                }
            },
            Err(error) => match error.kind() {
                io::ErrorKind::Interrupted => continue,
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                    let seconds = patience.as_secs_f64();
                    format!("nothing was heard of it for {seconds:.0} seconds (--patience)")
                }
                _ => format!("its connection failed ({error})"),
            },
        };
        fail(&format!("{name} is gone: {problem}"));
    }
}
