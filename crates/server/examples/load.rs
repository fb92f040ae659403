//! Load for a server: random positions from many connections at once, every answer compared with the library's own.
//!
//! ```console
//! $ taskset -c 0 retrograde serve endgames --threads 1 &
//! $ taskset -c 1 cargo run --release -p retrograde-server --example load -- endgames 127.0.0.1:8080 64 10
//! ```
//!
//! The arguments are the folder that is served, the address, how many connections, and for how many seconds.
#![forbid(unsafe_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use retrograde_chess::Tablebase;
use retrograde_testkit::Rng;

/// Positions asked for again and again, in no order.
const POSITIONS: usize = 20_000;

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, address, connections, seconds] = &arguments[..] else {
        return Err("name the folder, the address, how many connections, how many seconds".into());
    };
    let (connections, seconds): (u64, u64) = (connections.parse()?, seconds.parse()?);
    let questions = questions(&Tablebase::open(folder)?)?;
    let began = Instant::now();
    let end = began + Duration::from_secs(seconds);
    let all: Vec<Result<Seen, Failure>> = thread::scope(|scope| {
        let questions = &questions[..];
        let askers: Vec<_> = (0..connections)
            .map(|seed| scope.spawn(move || ask(questions, address, seed, end)))
            .collect();
        askers.into_iter().map(|asker| asker.join().expect("no asker panics")).collect()
    });
    let spent = began.elapsed().as_secs_f64();
    let (mut times, mut wrong) = (Vec::new(), 0);
    for seen in all {
        let seen = seen?;
        times.extend(seen.times);
        wrong += seen.wrong;
    }
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{} answers in {spent:.1} s from {connections} connections: {:.0} a second, {wrong} wrong; \
         ms p50 {:.2}, p99 {:.2}, p99.9 {:.2}, longest {:.2}",
        times.len(),
        times.len() as f64 / spent,
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0)
    );
    println!("{}", memory(address)?);
    if wrong > 0 { Err(format!("{wrong} answers were wrong").into()) } else { Ok(()) }
}

/// What the server says of its memory.
fn memory(address: &str) -> Result<String, Failure> {
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(b"GET /metrics HTTP/1.1\r\nhost: load\r\nconnection: close\r\n\r\n")?;
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    let line = text.lines().find(|line| line.starts_with("process_resident_memory_bytes"));
    Ok(line.unwrap_or("the server does not say what memory it has").to_owned())
}

/// A request, and the body that it must be answered with.
struct Question {
    request: Vec<u8>,
    body: Vec<u8>,
}

fn questions(tables: &Tablebase) -> Result<Vec<Question>, Failure> {
    let materials = tables.regions();
    let mut rng = Rng::new(1);
    let mut questions = Vec::new();
    while questions.len() < POSITIONS {
        let index = tables.opened(&rng.pick(&materials))?.index();
        let Some(position) = index.position(rng.below(index.states())) else { continue };
        let fen = position.to_string().replace(' ', "_");
        let request = format!("GET /standard?fen={fen} HTTP/1.1\r\nhost: load\r\n\r\n");
        let body = serde_json::to_vec(&tables.report(&position)?)?;
        questions.push(Question { request: request.into(), body });
    }
    Ok(questions)
}

/// What one connection has seen.
struct Seen {
    times: Vec<Duration>,
    wrong: u64,
}

fn ask(questions: &[Question], address: &str, seed: u64, end: Instant) -> Result<Seen, Failure> {
    let mut rng = Rng::new(seed);
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::with_capacity(1 << 16, stream.try_clone()?);
    let mut seen = Seen { times: Vec::new(), wrong: 0 };
    let (mut line, mut body) = (String::new(), Vec::new());
    while Instant::now() < end {
        let question = &questions[rng.below(questions.len() as u64) as usize];
        let began = Instant::now();
        stream.write_all(&question.request)?;
        line.clear();
        reader.read_line(&mut line)?;
        let ok = line.starts_with("HTTP/1.1 200 ");
        let mut length = 0;
        while line != "\r\n" {
            line.clear();
            if reader.read_line(&mut line)? == 0 {
                return Err("the server has hung up".into());
            }
            if let Some(told) = line.strip_prefix("content-length: ") {
                length = told.trim().parse()?;
            }
        }
        body.resize(length, 0);
        reader.read_exact(&mut body)?;
        seen.times.push(began.elapsed());
        seen.wrong += u64::from(!ok || body != question.body);
    }
    Ok(seen)
}
