//! How a server starts and stops, and how it treats folders with unexpected contents.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use retrograde_chess::builder;
use retrograde_testkit::signal;
use serde_json::json;

use crate::{Answer, FOLDER, SERVER, Server, fresh, games, write};

/// Every file of a folder with its contents.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.map(|path| (path.clone(), fs::read(&path).unwrap_or_default())).collect()
}

#[test]
fn asked_to_stop_it_answers_what_has_been_asked_and_can_be_started_again_at_once() {
    let mut server = Server::start(&FOLDER, "");
    let mut idle = server.connect();
    let mut half = server.connect();
    half.write_all(b"POST /standard HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\n")
        .unwrap();
    half.write_all(b"content-length: 41\r\n\r\n{\"fens\":").unwrap();
    // An answer shows that its request has arrived; so has the other request by then.
    assert_eq!(server.get("/health").status, 200);
    signal(server.child.id(), "TERM");
    while std::net::TcpStream::connect(server.address).is_ok() {}
    half.write_all(b"[\"8/8/8/8/8/2k5/8/K7 w - - 0 1\"]}").unwrap();
    let mut answer = Vec::new();
    half.read_to_end(&mut answer).unwrap();
    assert_eq!(Answer::read(&answer).expect("an answer").status, 200);
    // The server does not wait for clients without a request.
    assert_eq!(idle.read(&mut [0]).unwrap_or(0), 0);
    assert!(server.child.wait().unwrap().success());
    let address = server.address.to_string();
    let again = Server::start_at(&FOLDER, &address, "");
    assert_eq!(again.get("/health").status, 200);
    signal(again.child.id(), "KILL");
    drop(again);
    let once_more = Server::start_at(&FOLDER, &address, "");
    assert_eq!(once_more.get("/health").status, 200);
}

/// The server ignored a second signal, and waited ten seconds for a request without end.
#[test]
fn asked_twice_to_stop_it_waits_for_no_client() {
    let mut server = Server::start(&FOLDER, "");
    let mut half = server.connect();
    half.write_all(b"POST /standard HTTP/1.1\r\nhost: test\r\ncontent-length: 41\r\n\r\n").unwrap();
    assert_eq!(server.get("/health").status, 200);
    signal(server.child.id(), "TERM");
    while std::net::TcpStream::connect(server.address).is_ok() {}
    let asked = Instant::now();
    signal(server.child.id(), "INT");
    assert!(server.child.wait().unwrap().success());
    assert!(asked.elapsed().as_secs() < 5, "it takes {:?}", asked.elapsed());
}

#[test]
fn asking_writes_nothing() {
    let before = files(&FOLDER);
    for path in ["/tables", "/tables/board/line", "/tables/KRvK/stats", "/standard?fen=x"] {
        SERVER.get(path);
    }
    for method in ["PUT", "DELETE", "POST", "PATCH"] {
        let answer = SERVER.request(method, "/tables/board", "", b"x");
        assert_eq!(answer.status, 405);
    }
    assert_eq!(files(&FOLDER), before);
}

#[test]
fn links_that_lead_out_of_the_folder_are_left_out() {
    let (outside, folder) = (fresh("outside"), fresh("inside"));
    let (_, setup) = &games()[2];
    write(&outside.join("secret.table"), setup);
    write(&folder.join("real.table"), setup);
    std::os::unix::fs::symlink(outside.join("secret.table"), folder.join("link.table")).unwrap();
    std::os::unix::fs::symlink(folder.join("real.table"), folder.join("alias.table")).unwrap();
    let server = Server::start(&folder, "");
    let list = server.json("/tables");
    let names: Vec<_> = list["tables"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, [&json!("alias"), &json!("real")]);
    assert_eq!(server.get("/tables/link").status, 404);
    // Tables that appear later are not served: requests can only name what was there at the start.
    write(&folder.join("late.table"), setup);
    assert_eq!(server.get("/tables/late").status, 404);
}

#[test]
fn a_damaged_table_spoils_no_other_and_tells_no_path() {
    let folder = fresh("damaged");
    for (name, setup) in games() {
        write(&folder.join(format!("{name}.table")), &setup);
    }
    let path = folder.join("board.table");
    let mut bytes = fs::read(&path).unwrap();
    let end = bytes.len() - 40;
    bytes[end / 2..end].iter_mut().for_each(|byte| *byte ^= 0x55);
    fs::write(&path, bytes).unwrap();
    let server = Server::start(&folder, "");
    let answer = server.get("/tables/board/probe?state=police%203,0%205,4");
    let said = answer.said().to_string();
    assert!(matches!(answer.status, 404 | 500), "{said}");
    assert!(!said.contains("damaged/") && !said.contains(".table"), "{said}");
    assert_eq!(server.get("/tables/take/probe?state=3,5").status, 200);
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn what_is_no_folder_is_told_so() {
    for (folder, options) in
        [("/nowhere/at/all", ""), (env!("CARGO_MANIFEST_DIR"), "--listen 203.0.113.1:1")]
    {
        let ran = Command::new(env!("CARGO_BIN_EXE_retrograde-server"))
            .arg(folder)
            .args(options.split_whitespace())
            .output()
            .expect("it starts");
        assert_eq!(ran.status.code(), Some(3));
        let said = String::from_utf8(ran.stderr).expect("text");
        let named = options.split_whitespace().last().unwrap_or(folder);
        assert!(said.contains(&format!("error: {named}: ")), "{said}");
    }
}

#[test]
fn requests_are_counted_by_route_and_status() {
    let server = Server::start(&FOLDER, "");
    for _ in 0..3 {
        server.get("/tables/board/stats");
    }
    server.get("/tables/none/stats");
    server.get("/../etc/passwd");
    let name = "retrograde_answers_total";
    let route = "route=\"/tables/{name}/stats\"";
    assert_eq!(server.metric(&format!("{name}{{{route},status=\"200\"}}")), 3);
    assert_eq!(server.metric(&format!("{name}{{{route},status=\"404\"}}")), 1);
    assert_eq!(server.metric(&format!("{name}{{route=\"other\",status=\"404\"}}")), 1);
    assert_eq!(server.metric(&format!("retrograde_answer_seconds_count{{{route}}}")), 4);
    assert_eq!(server.metric("retrograde_tables"), 9);
}

/// Runs the server with wrong arguments. It must end, and its message is returned.
fn refused(arguments: &[&str], status: i32) -> String {
    let ran = Command::new(env!("CARGO_BIN_EXE_retrograde-server")).args(arguments).output();
    let ran = ran.expect("the server starts");
    let said = String::from_utf8(ran.stderr).expect("the server writes UTF-8");
    assert_eq!(ran.status.code(), Some(status), "{said}");
    said
}

/// `serve FILE` ended in a raw "Not a directory".
#[test]
fn a_file_in_place_of_a_folder_is_told() {
    let folder = fresh("mistakes");
    let file = folder.join("file");
    fs::write(&file, "").expect("a file");
    let (name, folder) = (file.display().to_string(), folder.display().to_string());
    let said = refused(&[&name], 3);
    assert!(said.contains("this is not a folder; name the folder of a table"), "{said}");
    assert!(said.contains(&format!("such as {folder}")), "{said}");
    let said = refused(&[&format!("{name}/below")], 3);
    assert!(said.contains(&format!("{name} is not a folder")), "{said}");
}

/// `--port 9000` got the tip `-- --port`, and did not hear of `--listen`.
#[test]
fn a_port_leads_to_listen() {
    for (arguments, better) in [
        (&["none", "--port", "9000"][..], "retrograde serve none --listen 9000"),
        (&["none", "-p", "9000"], "retrograde serve none --listen 9000"),
        (&["none", "9000"], "retrograde serve none --listen 9000"),
        (&["--host", "127.0.0.1:0", "none"], "retrograde serve --listen 127.0.0.1:0 none"),
        (&["none", "--host", "example"], "retrograde serve none --listen 8080"),
    ] {
        let said = refused(arguments, 2);
        assert!(said.contains(&format!("`{better}`")), "{said}");
        // The suggestion runs, up to the folder that is not there.
        let better: Vec<&str> = better.split(' ').skip(2).collect();
        assert!(refused(&better, 3).contains("none: "), "{better:?}");
    }
    for arguments in [&["none", "--colour"][..], &["none", "--listen", "-1"], &["one", "two"]] {
        let said = refused(arguments, 2);
        assert!(said.contains("unexpected argument") && !said.contains("-- -"), "{said}");
    }
}

/// Wrong values quoted parsers, and an origin with a path was accepted but could never match.
#[test]
fn a_wrong_value_says_which_are_right() {
    for (option, value, holds) in [
        ("--threads", "0", "write a whole number from 1 to 1024"),
        ("--cache", "1GiB", "write a whole number from 1 to "),
        ("--timeout", "30s", "write a whole number from 1 to 3600"),
        ("--log", "loud", "write off, error, warn, info or debug"),
        ("--listen", "localhost", "write an address with a port"),
        ("--cors", "https://example.org/", "write an origin without a path"),
        ("--cors", "example.org", "write an origin without a path"),
    ] {
        let said = refused(&["none", option, value], 2);
        assert!(said.contains(holds), "{said}");
    }
}

/// A server did not see a table that was written after its start, and needed a restart.
#[test]
fn new_tables_are_served_without_a_restart() {
    let folder = fresh("grows");
    let (name, setup) = games().pop().expect("a game");
    write(&folder.join("first.table"), &setup);
    let server = Server::start(&folder, "");
    assert_eq!(server.get("/tables/first").status, 200);
    assert_eq!(server.get("/tables/second").status, 404);
    write(&folder.join("second.table"), &setup);
    let end = Instant::now() + Duration::from_secs(20);
    let until = |path: &str, status: u16| {
        while server.get(path).status != status {
            assert!(Instant::now() < end, "{name}: {path} is not {status}");
            thread::sleep(Duration::from_millis(100));
        }
    };
    until("/tables/second", 200);
    assert_eq!(server.json("/tables/second/line"), server.json("/tables/first/line"));
    fs::remove_file(folder.join("first.table")).expect("it was there");
    until("/tables/first", 404);
    // A build adds regions, and their tables.
    builder(&folder).build(&["KRvK"]).expect("an endgame is built");
    until("/tables/KRvK", 200);
    assert_eq!(server.get("/standard?fen=8/8/8/8/8/2k5/8/K6R_w_-_-").status, 200);
    assert_eq!(server.json("/health")["tables"], 2);
}
