//! Tests of the real server on a real socket, with plain HTTP requests.

mod answers;
mod caching;
mod hostile;
mod life;
mod page;
mod solve;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

use retrograde::Solver;
use retrograde_catalog::{Engine, about, by_side};
use retrograde_chess::builder;
use retrograde_games::{Setup, Source};
use retrograde_table::{About, SideCounts, Writer};
use serde_json::Value as Json;

/// A folder that all tests read and none changes.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = fresh("tables");
    builder(&folder).build(&["KRvK", "KPvK"]).expect("endgames are built");
    for (name, setup) in games() {
        write(&folder.join(format!("{name}.table")), &setup);
    }
    folder
});

/// A server for all tests that need no server of their own.
static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let server = Server::start(&FOLDER, "");
    // Rust drops no static variables. A shell kills the server when the tests end, because their end of the pipe
    // closes.
    let mut shell = Command::new("sh");
    shell.args(["-c", "read end; kill -KILL $0", &server.child.id().to_string()]);
    let shell = shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    std::mem::forget(shell.expect("a shell starts").stdin.take());
    server
});

/// A folder with this name that does not exist yet.
fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("server").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the tests' folder can be written to");
    folder
}

/// The games of the folder.
fn games() -> Vec<(&'static str, Setup)> {
    let game = |name, arguments: &[_], board: Option<&str>| {
        let text = board.map(|file| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
            fs::read_to_string(path).expect("an example")
        });
        let board = text.map(|text| Source { name: "board".to_owned(), text });
        Setup::parse(name, arguments, board).expect("a game")
    };
    vec![
        ("board", game("pursuit", &[], Some("board.txt"))),
        ("graph", game("graph", &[], Some("graph.txt"))),
        ("take", game("take", &[("heaps", "3,5"), ("take", "any")], None)),
        ("achi", game("text", &[], Some("games/achi.game"))),
    ]
}

/// Solves a game into a table.
fn write(path: &Path, setup: &Setup) {
    let game = retrograde_catalog::game(setup).expect("a game");
    let solution = game.solve(Engine::Scalar, Solver::new()).expect("a small game");
    let counts = game.sides().iter().zip(by_side(&*game, &solution));
    let counts = counts.map(|(side, counts)| SideCounts::new(side, counts)).collect();
    let about = About { counts, ..about(setup) };
    let writer = Writer::new(about).histogram(solution.histogram());
    writer.write(path, &solution).expect("a table");
}

/// A running server. It is killed with the test that started it.
struct Server {
    child: Child,
    address: SocketAddr,
}

/// An answer.
#[derive(Debug)]
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Server {
    /// Starts the server on a free port.
    fn start(folder: &Path, options: &str) -> Server {
        Server::start_at(folder, "127.0.0.1:0", options)
    }

    fn start_at(folder: &Path, address: &str, options: &str) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_retrograde-server"));
        command.arg(folder).args(["--listen", address]).args(options.split_whitespace());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the server starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("its output is a pipe");
        BufReader::new(out).read_line(&mut line).expect("it says where it listens");
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/');
        Server { child, address: address.parse().expect("an address") }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
        stream
    }

    /// Sends these bytes, and reads until the server closes the connection or sends no more.
    fn raw(&self, request: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // The server may refuse before it has read everything.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    /// A request with headers, each with its line break, and a body.
    fn request(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        let length = body.len();
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n"
        )
        .into_bytes();
        request.extend_from_slice(body);
        Answer::read(&self.raw(&request)).unwrap_or_else(|| panic!("{method} {path}: no answer"))
    }

    fn get(&self, path: &str) -> Answer {
        self.request("GET", path, "", b"")
    }

    fn json(&self, path: &str) -> Json {
        self.get(path).json()
    }

    fn post(&self, path: &str, body: &Json) -> Answer {
        let headers = "content-type: application/json\r\n";
        self.request("POST", path, headers, body.to_string().as_bytes())
    }

    /// The value of a counter.
    fn metric(&self, name: &str) -> u64 {
        let text = String::from_utf8(self.get("/metrics").body).expect("text");
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.map_or(0, |value| value.parse().expect("a number"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    /// The first answer in these bytes. A chunked body stays as it is.
    fn read(bytes: &[u8]) -> Option<Answer> {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
        let head = String::from_utf8(bytes[..end].to_vec()).ok()?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Answer { status, head, body: bytes[end + 4..].to_vec() })
    }

    /// The body, which must be a success in JSON.
    fn json(&self) -> Json {
        let body = self.said();
        assert_eq!(self.status, 200, "{body}");
        body
    }

    /// The body, whether success or error.
    fn said(&self) -> Json {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| *key == name).map(|(_, value)| value)
    }
}

/// A text, encoded for an address.
fn escaped(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}
