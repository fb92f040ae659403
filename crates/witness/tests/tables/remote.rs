//! Tables by URL: a web server on a real socket that sends parts of files, and ones that answer strangely.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::{fs, thread};

use retrograde_testkit::needs;
use retrograde_witness::{Options, Proved, Refusal, tables, witness};

use crate::common::{Scratch, Solved, witnessed};

/// The name of a file, and which bytes of it.
type Request = (String, Range<u64>);

/// A server. It runs until the tests end.
struct Server {
    address: String,
    asked: Arc<Mutex<Vec<Request>>>,
}

/// The name of a file, a range, and how many requests for that came before; then the whole answer.
type Answers = dyn Fn(&str, Range<u64>, usize, &mut TcpStream) -> std::io::Result<()> + Send + Sync;

impl Server {
    fn start(answers: Box<Answers>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
                let mut head = Vec::new();
                while let Some(Ok(line)) = lines.next()
                    && !line.is_empty()
                {
                    head.push(line);
                }
                let name = head[0].split(' ').nth(1).unwrap().trim_start_matches('/').to_owned();
                let range = head.iter().find_map(|line| line.strip_prefix("Range: bytes="));
                let (from, to) = range.unwrap().split_once('-').unwrap();
                let range = from.parse().unwrap()..to.parse::<u64>().unwrap() + 1;
                let request = (name, range);
                let mut record = record.lock().unwrap();
                let before = record.iter().filter(|each| **each == request).count();
                record.push(request.clone());
                drop(record);
                // The witness may hang up.
                let _ = answers(&request.0, request.1, before, &mut stream);
            }
        });
        Server { address, asked }
    }

    /// A server that always gives this answer.
    fn answering(answer: impl Into<Vec<u8>>) -> Server {
        let answer = answer.into();
        Server::start(Box::new(move |_, _, _, stream| stream.write_all(&answer)))
    }

    /// An honest server of a folder. `change` may make its files dishonest, when they are asked for once more.
    fn of(folder: &Path, change: fn(&mut Vec<u8>, usize)) -> Server {
        let files = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
        let files = files.filter(|path| path.is_file());
        let files: HashMap<String, Vec<u8>> =
            files.map(|path| (name(&path).to_owned(), fs::read(&path).unwrap())).collect();
        Server::start(Box::new(move |name, range, before, stream| match files.get(name) {
            None => stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
            Some(file) => {
                let mut file = file.clone();
                change(&mut file, before);
                stream.write_all(&part(&file, range))
            }
        }))
    }

    fn url(&self, name: &str) -> PathBuf {
        format!("{}/{name}", self.address).into()
    }

    /// In small parts. So little memory that blocks are unpacked again and again.
    fn witnessed(&self, name: &str, part_bytes: u64) -> Result<Proved, Refusal> {
        let options = Options { part_bytes, memory: 1 << 12, ..Options::default() };
        witness(&self.url(name), &options)
    }

    fn requests(&self) -> Vec<Request> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// An answer with a part of a file.
fn part(file: &[u8], range: Range<u64>) -> Vec<u8> {
    let (from, to, len) = (range.start, range.end.min(file.len() as u64), file.len());
    let head = format!(
        "HTTP/1.1 206 Partial Content\r\ncontent-range: bytes {from}-{}/{len}\r\nContent-Length: {}\r\n\r\n",
        to - 1,
        to - from
    );
    [head.as_bytes(), &file[from as usize..to as usize]].concat()
}

fn honest(_: &mut Vec<u8>, _: usize) {}

fn solved(folder: &Scratch) -> PathBuf {
    let path = folder.join("board.table");
    let solved = Solved::pursuit("E.......\n.*......\n........\n......*.\n........\n", 1);
    solved.writer().write(&path, &solved.solution).unwrap();
    path
}

#[test]
fn a_table_by_url_is_proved_in_parts() {
    if !needs::program("curl") {
        return;
    }
    let folder = Scratch::new();
    let path = solved(&folder);
    let server = Server::of(path.parent().unwrap(), honest);
    let proved = witnessed(&path).unwrap();
    assert_eq!(server.witnessed("board.table", 256), Ok(proved));
    let (requests, len) = (server.requests(), fs::metadata(&path).unwrap().len());
    assert!(len > 1024, "the table has several parts");
    for from in (0..len).step_by(256) {
        assert!(
            requests.contains(&("board.table".into(), from..from + 256)),
            "{from}: {requests:?}"
        );
    }

    // The program, in its own parts: one is enough.
    let mut program = Command::new(env!("CARGO_BIN_EXE_retrograde-witness"));
    let output = program.arg(server.url("board.table")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with(&format!("OK: {}/board.table: ", server.address)), "{said}");
    assert_eq!(server.requests(), [("board.table".into(), 0..1 << 20)]);
}

/// The tables that moves lead to are beside it.
#[test]
fn an_endgame_by_url_takes_values_of_other_tables_of_the_folder() {
    if !needs::program("curl") {
        return;
    }
    let folder = Scratch::new();
    let endgames = folder.endgames(&["KPvK"]);
    let server = Server::of(&endgames, honest);
    for path in tables(&endgames).unwrap() {
        let options = Options { threads: 2, ..Options::default() };
        assert_eq!(witness(&server.url(name(&path)), &options), witnessed(&path));
    }
    server.requests();
    fs::remove_file(endgames.join("KQvK.table")).unwrap();
    let server = Server::of(&endgames, honest);
    let said = server.witnessed("KPvK.table", 256).unwrap_err().to_string();
    assert_eq!(said, format!("{}/KQvK.table: there is no file of this name", server.address));
    // To open a table takes its header and its index, not its blocks.
    let (asked, len) =
        (server.requests().len(), fs::metadata(endgames.join("KPvK.table")).unwrap().len());
    assert!((asked as u64) < len / 256 / 2, "{asked} parts of {len} bytes");
}

#[test]
fn a_part_that_changes_is_refused() {
    if !needs::program("curl") {
        return;
    }
    let folder = Scratch::new();
    let path = solved(&folder);
    let folder = path.parent().unwrap();
    // Other bytes at the second look; and another length.
    let changes: [fn(&mut Vec<u8>, usize); 2] = [
        |file, before| file.iter_mut().for_each(|byte| *byte ^= u8::from(before > 0)),
        |file, before| file.extend(vec![0; before]),
    ];
    for change in changes {
        let server = Server::of(folder, change);
        let said = server.witnessed("board.table", 16).unwrap_err().to_string();
        assert!(said.contains("the file on the server has changed"), "{said}");
    }
}

#[test]
fn strange_servers_are_refused() {
    if !needs::program("curl") {
        return;
    }
    let folder = Scratch::new();
    let path = solved(&folder);
    let file = fs::read(&path).unwrap();
    let whole = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", file.len());
    let whole = [whole.as_bytes(), &file].concat();
    let short = [
        &b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-255/4000\r\n\r\n"[..],
        &file[..200],
    ];
    let early = [&b"HTTP/1.1 206 Partial Content\r\nContent-Length: 256\r\n\r\n"[..], &file[..200]];
    let refused = |server: &Server, why: &str| {
        let said = server.witnessed("board.table", 256).unwrap_err().to_string();
        assert!(said.starts_with(&format!("{}/board.table: ", server.address)), "{said}");
        assert!(said.contains(why), "{said}, not {why}");
    };
    for (answer, why) in [
        (whole.clone(), "sends no parts of files (Range)"),
        (short.concat(), "sends another part than was asked for"),
        (early.concat(), "the server does not answer: "),
        (b"HTTP/1.1 404 Not Found\r\n\r\n".into(), "there is no file of this name"),
        (b"HTTP/1.1 503 Service Unavailable\r\n\r\n".into(), "the server answers 503"),
        (
            b"HTTP/1.1 302 Found\r\nLocation: file:///etc/hostname\r\n\r\n".into(),
            "the server does not answer: ",
        ),
        (b"hello\r\n\r\n".into(), "the server does not answer: "),
        (
            b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-0/0\r\n\r\n".into(),
            "the file is cut short",
        ),
    ] {
        refused(&Server::answering(answer), why);
    }
    // A part without an end.
    let endless = Server::start(Box::new(|_, _, _, stream| {
        stream.write_all(
            b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-255/4000\r\n\r\n",
        )?;
        loop {
            stream.write_all(&[0; 4096])?;
        }
    }));
    refused(&endless, "sends another part than was asked for");
    // A small file may come as a whole, and from another address.
    let server = Server::answering(whole);
    let moved = format!(
        "HTTP/1.1 302 Found\r\nLocation: {}/elsewhere\r\nContent-Length: 0\r\n\r\n",
        server.address
    );
    let moved = Server::answering(moved);
    let proved = witness(&moved.url("board.table"), &Options::default());
    assert_eq!(proved, witnessed(&path));
    // No program listens.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let silent = format!("http://127.0.0.1:{port}/board.table");
    let said = witness(silent.as_ref(), &Options::default()).unwrap_err().to_string();
    assert!(said.contains("the server does not answer: "), "{said}");
}
