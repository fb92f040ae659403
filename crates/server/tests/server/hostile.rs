//! Hostile clients and bad networks: the server loses nothing, and no other client waits for them.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::{Answer, FOLDER, SERVER, Server};

/// Paths that lead out of the folder.
const TRICKS: [&str; 16] = [
    "/../../../etc/passwd",
    "/tables/../../etc/passwd",
    "/tables/..%2f..%2fetc%2fpasswd",
    "/tables/%2e%2e/manifest.json",
    "/tables/..",
    "/tables/manifest.json",
    "/tables/board.table",
    "/tables/board%00",
    "/tables/%ff%fe",
    "/tables/....//....//etc/passwd",
    "/tables/board/../../../../etc/passwd",
    "/page/../openapi.json",
    "/page/..%5c..%5cCargo.toml",
    "/page/%2fetc%2fpasswd",
    "//etc/passwd",
    "/tables/C:%5cwindows",
];

#[test]
fn no_path_leads_to_what_is_not_there() {
    for path in TRICKS {
        let answer = SERVER.get(path);
        assert!(matches!(answer.status, 400 | 404), "{path}: {answer:?}");
        let said = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(!said.contains("root:") && !said.contains("[package]"), "{path}: {said}");
    }
}

#[test]
fn large_bodies_and_long_batches_are_refused() {
    let body = vec![b' '; 10 << 20];
    for path in ["/standard", "/tables/board/probe", "/solve/pursuit"] {
        let answer =
            SERVER.request("POST", path, "content-type: application/json\r\n", &body[..1 << 20]);
        assert_eq!(answer.status, 413, "{path}");
        let head = format!("POST {path} HTTP/1.1\r\nhost: t\r\ncontent-type: application/json\r\n");
        let told = SERVER.raw(
            format!("{head}content-length: {}\r\nconnection: close\r\n\r\n", 10 << 20).as_bytes(),
        );
        assert_eq!(Answer::read(&told).expect("an answer before the body").status, 413, "{path}");
    }
    let server = Server::start(&FOLDER, "--batch 10");
    for (states, status) in [(10, 200), (11, 413)] {
        let asked = json!({ "states": vec!["police 3,0 5,4"; states] });
        assert_eq!(server.post("/tables/board/probe", &asked).status, status);
    }
    let long = format!("GET /standard?fen={} HTTP/1.1\r\nhost: t\r\n\r\n", "8".repeat(100 << 10));
    let status = Answer::read(&SERVER.raw(long.as_bytes())).map(|answer| answer.status);
    assert!(matches!(status, None | Some(414 | 431)), "{status:?}");
}

#[test]
fn what_is_no_http_or_no_json_is_told_so() {
    for garbage in [
        &b"\x16\x03\x01\x02\x00\x01\x00"[..],
        b"GET\r\n\r\n",
        b"\0\0\0\0\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
    ] {
        let status = Answer::read(&SERVER.raw(garbage)).map(|answer| answer.status);
        assert!(matches!(status, None | Some(400 | 505)), "{garbage:?}: {status:?}");
    }
    let kind = "content-type: application/json\r\n";
    for (headers, body, status) in [
        (kind, "{", 400),
        (kind, "[1]", 422),
        (kind, "{\"fens\":1}", 422),
        (kind, "{\"fens\":[],\"more\":1}", 422),
        (kind, "\u{0}", 400),
        ("", "{\"fens\":[]}", 415),
        (kind, "{\"fens\":[]}", 200),
    ] {
        let answer = SERVER.request("POST", "/standard", headers, body.as_bytes());
        assert_eq!(answer.status, status, "{headers}{body}");
    }
}

#[test]
fn who_has_said_all_hears_the_answer_though_he_says_no_more() {
    let mut stream = SERVER.connect();
    stream.write_all(b"GET /health HTTP/1.1\r\nhost: t\r\n\r\n").unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    assert_eq!(Answer::read(&answer).expect("an answer").status, 200);
}

#[test]
fn slow_senders_and_idle_connections_are_let_go() {
    let server = Server::start(&FOLDER, "--timeout 1");
    let closed = |begun: &[u8]| {
        let mut stream = server.connect();
        stream.write_all(begun).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("the server closes, and says so");
        Answer::read(&answer).map(|answer| answer.status)
    };
    assert_eq!(closed(b""), None);
    assert_eq!(closed(b"GET /health HT"), None);
    let head = "POST /standard HTTP/1.1\r\nhost: t\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{";
    assert_eq!(closed(head.as_bytes()), Some(408));
    // After an answer a connection may be idle, but not longer than the limit.
    assert_eq!(closed(b"GET /health HTTP/1.1\r\nhost: t\r\n\r\n"), Some(200));
}

/// A client that never reads fills all buffers, and then the server waits, but only for a limited time.
#[test]
fn who_does_not_read_is_let_go() {
    let server = Server::start(&FOLDER, "--timeout 1");
    let mut stream = server.connect();
    let one = b"GET /openapi.json HTTP/1.1\r\nhost: t\r\n\r\n";
    stream.set_write_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut sent = 0;
    while stream.write_all(one).is_ok() {
        sent += 1;
        assert!(sent < 10_000_000, "the server goes on answering a client that does not read");
    }
    wait_for_calm(&server);
}

/// A thousand bad connections at once, of every kind. Meanwhile and afterwards the server answers all other clients.
#[test]
fn a_thousand_bad_requests_leave_nothing_behind() {
    let server = Server::start(&FOLDER, "--timeout 2 --connections 300");
    let path = "/standard?fen=8/8/8/8/8/2k5/1R6/K7_w_-_-";
    let expected = SERVER.get(path).body;
    let large = vec![b'x'; 10 << 20];
    let bad = |number: usize| {
        let mut stream = server.connect();
        let mut answer = Vec::new();
        match number % 8 {
            0 => {
                let path = TRICKS[number / 8 % TRICKS.len()];
                let _ =
                    write!(stream, "GET {path} HTTP/1.1\r\nhost: t\r\nconnection: close\r\n\r\n");
                let _ = stream.read_to_end(&mut answer);
                assert!(!answer.is_empty(), "{path}");
            }
            1 if number % 80 == 1 => {
                let _ = write!(
                    stream,
                    "POST /standard HTTP/1.1\r\nhost: t\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                    large.len()
                );
                let _ = stream.write_all(&large);
                let _ = stream.read_to_end(&mut answer);
            }
            1 => drop(stream.write_all(b"\xff\xfe\xfd garbage\r\n\r\n")),
            2 => {
                // Sends a letter now and then, until the server closes the connection.
                for letter in b"GET /health HTTP/1.1".iter().cycle().take(40) {
                    if stream.write_all(&[*letter]).is_err() {
                        break;
                    }
                    thread::sleep(Duration::from_millis(100));
                }
            }
            3 => {
                let _ = stream.write_all(b"GET /tables HTTP/1.1\r\nhost");
                let _ = stream.shutdown(Shutdown::Write);
                let _ = stream.read_to_end(&mut answer);
            }
            4 => {
                // Sends a request, and hangs up before the answer.
                let _ = write!(stream, "GET {path} HTTP/1.1\r\nhost: t\r\n\r\n");
            }
            5 => {
                let _ = stream.write_all(b"POST /solve/pursuit HTTP/1.1\r\nhost: t\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n");
                let _ = stream.read_to_end(&mut answer);
            }
            6 => {
                let _ = stream.write_all(b"GET /health HTTP/1.1\r\nhost: t\r\n\r\n");
                let _ = stream.shutdown(Shutdown::Write);
                let _ = stream.read_to_end(&mut answer);
                assert!(
                    answer.starts_with(b"HTTP/1.1 200"),
                    "{}",
                    String::from_utf8_lossy(&answer)
                );
            }
            _ => {
                let _ = write!(
                    stream,
                    "GET /standard?fen={} HTTP/1.1\r\nhost: t\r\n\r\n",
                    "K".repeat(30_000)
                );
                let _ = stream.read_to_end(&mut answer);
            }
        }
    };
    thread::scope(|scope| {
        for worker in 0..200 {
            let bad = &bad;
            scope.spawn(move || (0..5).for_each(|turn| bad(5 * worker + turn)));
        }
        for _ in 0..100 {
            assert_eq!(server.get(path).body, expected);
        }
    });
    assert_eq!(server.get(path).body, expected);
    wait_for_calm(&server);
}

/// Waits until only the asking connection is open, and no request is left.
fn wait_for_calm(server: &Server) {
    for _ in 0..300 {
        let name = |name| server.metric(name);
        if (name("retrograde_connections"), name("retrograde_requests"), name("retrograde_waiting"))
            == (1, 1, 0)
        {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("{} connections are still open", server.metric("retrograde_connections"));
}
