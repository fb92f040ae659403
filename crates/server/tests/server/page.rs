//! The page includes all that it needs.

use crate::SERVER;

fn text(path: &str) -> String {
    let answer = SERVER.get(path);
    assert_eq!(answer.status, 200, "{path}");
    String::from_utf8(answer.body).expect("text")
}

/// The texts between `before` and a quotation mark.
fn named<'a>(text: &'a str, before: &str) -> Vec<&'a str> {
    text.split(before).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_file_that_the_page_names_is_served() {
    let index = text("/");
    let mut files = named(&index, "=\"page/");
    assert!(files.len() >= 3, "{files:?}");
    let mut read = Vec::new();
    let mut texts = Vec::new();
    while let Some(file) = files.pop() {
        if read.contains(&file.to_owned()) {
            continue;
        }
        read.push(file.to_owned());
        texts.push(text(&format!("/page/{file}")));
        let found: Vec<String> = named(texts.last().expect("a text"), "from \"./")
            .into_iter()
            .map(String::from)
            .collect();
        files.extend(found.into_iter().map(|file| &*file.leak()));
    }
    assert!(read.len() >= 10, "{read:?}");
    for text in texts.iter().chain([&index]) {
        let outside = named(text, "\"http").into_iter().filter(|rest| !rest.contains("w3.org/"));
        assert_eq!(outside.count(), 0, "the page asks another server");
        assert!(!text.contains("url(http") && !text.contains("style=\""));
    }
}

#[test]
fn the_page_may_load_nothing_from_elsewhere() {
    let index = SERVER.get("/");
    let policy = index.header("content-security-policy").expect("a policy");
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(index.header("content-type"), Some("text/html; charset=utf-8"));
    let script = SERVER.get("/page/app.js");
    assert_eq!(script.header("content-type"), Some("text/javascript; charset=utf-8"));
    assert_eq!(script.header("x-content-type-options"), Some("nosniff"));
}
