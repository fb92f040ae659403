//! The pages of the book: their commands, their pictures and their links.

use std::fs;
use std::process::Command;

use retrograde_testkit::needs;

use crate::shown::{folder, root, try_commands};

#[test]
fn the_commands_print_what_the_book_shows() {
    if !needs::program("python3") {
        return;
    }
    let (mut tried, mut pictures) = (0, 0);
    for page in pages() {
        let folder = folder(&format!("book-{page}"));
        tried += try_commands(&page_text(&page), &folder);
        // If a page draws a file with the name of a picture of the book, the file is that picture.
        for entry in
            fs::read_dir(root().join("docs/pictures")).expect("there are pictures").flatten()
        {
            let drawn = folder.join(entry.file_name());
            if page != "probe.md"
                && let Ok(drawn) = fs::read_to_string(drawn)
            {
                let kept = fs::read_to_string(entry.path()).expect("a picture");
                assert!(drawn == kept, "{} is not what {page} draws", entry.path().display());
                pictures += 1;
            }
        }
    }
    assert!(tried >= 25 && pictures >= 3, "these tests have lost sight of the book");
}

/// Commands in `sh` blocks need a network, a cluster or a browser, so they do not run here. The program must still know
/// the options that they name: with `--help` at the end it reads all of them, and then prints its help.
#[test]
fn commands_that_need_more_than_this_machine_have_the_right_options() {
    let mut tried = 0;
    // The server reads its options itself.
    let is_here = |line: &&str| line.starts_with("retrograde ") && !line.contains(" serve ");
    // On several ranks, commands have the same options. A job of SLURM passes them on.
    let line = |line: &str| line.replace("retrograde-mpi.slurm ", "retrograde-mpi ");
    let alone = |line: &str| match line.split_once("retrograde-mpi ") {
        Some((_, command)) => format!("retrograde {command}"),
        None => line.to_owned(),
    };
    let texts = pages().iter().map(|page| page_text(page)).collect::<Vec<_>>();
    let blocks = texts.iter().flat_map(|text| text.split("```sh\n").skip(1));
    for block in blocks.filter_map(|rest| rest.split("```").next()) {
        let block = block.replace("\\\n", " ");
        let commands: Vec<String> =
            block.lines().map(|text| alone(&line(text.trim_start()))).collect();
        for command in commands.iter().map(String::as_str).filter(is_here) {
            let command = command.split(" # ").next().unwrap_or_default().replace('\'', "");
            let words = command.split_whitespace().skip(1);
            let mut program = Command::new(env!("CARGO_BIN_EXE_retrograde"));
            let output = program.args(words).arg("--help").output().expect("the program starts");
            assert!(
                output.status.success(),
                "{command}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            tried += 1;
        }
    }
    assert!(tried >= 4, "these tests have lost sight of the book");
}

/// The summary names every page, and links lead to files that exist.
#[test]
fn links_lead_somewhere() {
    let summary = page_text("SUMMARY.md");
    for page in pages() {
        assert!(
            page == "SUMMARY.md" || summary.contains(&format!("({page})")),
            "{page} is in no summary"
        );
        for link in page_text(&page).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let link = link.split('#').next().unwrap_or_default();
            if !link.contains("://") && !link.is_empty() {
                assert!(root().join("docs").join(link).exists(), "{page}: {link}");
            }
        }
    }
}

pub(super) fn pages() -> Vec<String> {
    let entries = fs::read_dir(root().join("docs")).expect("there is a book").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut pages: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    pages.sort();
    pages
}

pub(super) fn page_text(page: &str) -> String {
    fs::read_to_string(root().join("docs").join(page)).expect("a page")
}
