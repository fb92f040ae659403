//! Caching, compression, and requests from pages of other origins.

use crate::{FOLDER, SERVER, Server};

const FEN: &str = "/standard?fen=8/8/8/8/8/2k5/1R6/K7_w_-_-";

#[test]
fn an_answer_that_the_client_has_is_not_sent_again() {
    for path in [FEN, "/tables", "/tables/board/stats", "/", "/page/app.js", "/openapi.json"] {
        let first = SERVER.get(path);
        assert_eq!(first.status, 200, "{path}");
        let tag = first.header("etag").unwrap_or_else(|| panic!("{path} has no tag"));
        assert!(first.header("cache-control").is_some(), "{path}");
        for known in [tag.to_owned(), format!("\"other\", {tag}"), "*".to_owned()] {
            let again = SERVER.request("GET", path, &format!("if-none-match: {known}\r\n"), b"");
            assert_eq!((again.status, again.body.len()), (304, 0), "{path} {known}");
            assert_eq!(again.header("etag"), Some(tag));
        }
        let changed = SERVER.request("GET", path, "if-none-match: W/\"0000\"\r\n", b"");
        assert_eq!(changed.status, 200);
    }
}

#[test]
fn what_is_no_answer_is_not_kept() {
    for path in ["/standard?fen=x", "/tables/none", "/nothing", "/health", "/metrics"] {
        let answer = SERVER.get(path);
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        assert_eq!(answer.header("etag"), None, "{path}");
    }
}

#[test]
fn long_answers_are_compressed_for_those_who_can_read_them() {
    let gzip = SERVER.request("GET", FEN, "accept-encoding: gzip\r\n", b"");
    assert_eq!(gzip.header("content-encoding"), Some("gzip"), "{}", gzip.head);
    assert!(gzip.body.len() < SERVER.get(FEN).body.len() / 3);
    assert!(gzip.header("vary").is_some_and(|vary| vary.contains("accept-encoding")));
    let short = SERVER.request("GET", "/health", "accept-encoding: gzip\r\n", b"");
    assert_eq!(short.header("content-encoding"), None);
}

#[test]
fn pages_of_other_origins_may_ask_only_where_that_is_wanted() {
    let origin = "origin: https://example.org\r\n";
    let answer = SERVER.request("GET", FEN, origin, b"");
    assert_eq!(answer.header("access-control-allow-origin"), None);
    for (option, allowed) in [
        ("--cors https://example.org", Some("https://example.org")),
        ("--cors https://example.com", None),
        ("--cors *", Some("*")),
    ] {
        let server = Server::start(&FOLDER, option);
        let answer = server.request("GET", FEN, origin, b"");
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("access-control-allow-origin"), allowed, "{option}");
        let asked = format!(
            "{origin}access-control-request-method: POST\r\naccess-control-request-headers: content-type\r\n"
        );
        let before = server.request("OPTIONS", "/standard", &asked, b"");
        assert_eq!(before.header("access-control-allow-origin"), allowed, "{option}");
    }
}
