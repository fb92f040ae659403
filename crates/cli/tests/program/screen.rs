//! The program on real terminals: narrow, usual and wide. tmux runs the terminal and shows its contents.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use retrograde_testkit::needs;

use crate::{home, results, run, write_file};

/// A terminal with a shell. Dropping it ends the terminal.
struct Screen {
    server: String,
    width: usize,
}

/// The prompt of the shell.
const PROMPT: &str = "ready>";

impl Screen {
    /// A terminal of so many columns. A test asks for `tmux` before.
    fn new(name: &str, width: usize) -> Screen {
        let screen = Screen { server: format!("retrograde-{}-{name}", std::process::id()), width };
        let bin = Path::new(env!("CARGO_BIN_EXE_retrograde")).parent().expect("a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        let shell = format!("exec env -u ENV PS1='{PROMPT} ' PATH='{}:{path}' sh", bin.display());
        let size = ["-x", &width.to_string(), "-y", "60"].map(str::to_owned);
        let mut made = screen.tmux(&["-f", "/dev/null", "new-session", "-d"]);
        let made = made.args(size).arg("-c").arg(home()).arg(shell).output().expect("tmux starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        screen.until("a prompt", |rows| rows.first().is_some_and(|row| row.starts_with(PROMPT)));
        screen
    }

    fn tmux(&self, arguments: &[&str]) -> Command {
        let mut tmux = Command::new("tmux");
        tmux.args(["-L", &self.server]).args(arguments);
        tmux
    }

    fn keys(&self, arguments: &[&str]) -> Output {
        let sent = self.tmux(&["send-keys"]).args(arguments).output().expect("tmux answers");
        assert!(sent.status.success(), "{}", String::from_utf8_lossy(&sent.stderr));
        sent
    }

    /// Clears the screen and types a command.
    fn types(&self, command: &str) {
        self.keys(&["-l", &format!("clear; {command}")]);
        self.keys(&["Enter"]);
        self.until("the command has begun", |rows| !rows.iter().any(|row| row.contains("clear;")));
    }

    /// The rows with text.
    fn rows(&self) -> Vec<String> {
        let seen = self.tmux(&["capture-pane", "-p"]).output().expect("tmux answers").stdout;
        let seen = String::from_utf8(seen).expect("the terminal shows UTF-8");
        seen.lines().filter(|row| !row.is_empty()).map(str::to_owned).collect()
    }

    /// Waits until the rows satisfy a condition.
    fn until(&self, what: &str, is: impl Fn(&[String]) -> bool) -> Vec<String> {
        let begun = Instant::now();
        loop {
            let rows = self.rows();
            if is(&rows) {
                return rows;
            }
            assert!(begun.elapsed() < Duration::from_secs(100), "never {what}: {rows:#?}");
            sleep(Duration::from_millis(30));
        }
    }

    /// Waits until a line of progress satisfies a condition, or the command has ended (`None`). Meanwhile only one line
    /// of progress may stand below the results.
    fn watch(&self, progress: fn(&str) -> bool, enough: fn(&str) -> bool) -> Option<Vec<String>> {
        loop {
            let rows = self.rows();
            let ended = rows.last().is_some_and(|row| row.starts_with(PROMPT));
            let lines: Vec<&String> = rows.iter().filter(|row| progress(row)).collect();
            assert!(lines.len() <= 1, "progress wraps or floods: {rows:#?}");
            if ended {
                assert_eq!(lines.len(), 0, "progress is left over: {rows:#?}");
                return None;
            }
            if let Some(line) = lines.first() {
                assert_eq!(Some(*line), rows.last(), "progress is below all else: {rows:#?}");
                assert!(line.chars().count() < self.width, "{line}");
                if enough(line) {
                    return Some(rows);
                }
            }
            sleep(Duration::from_millis(30));
        }
    }

    /// Presses Ctrl-C. The shell must come back with the terminal as before: it wraps long lines.
    fn interrupt(&self) {
        self.keys(&["C-c"]);
        self.until("the shell is back", |rows| rows.last().is_some_and(|row| row.contains(PROMPT)));
        self.types(&format!("printf '%0{}d\\n' 7", self.width + 5));
        let rows = self.until("it wraps", |rows| rows.len() == 3 && rows[0].starts_with("000"));
        assert_eq!((rows[0].len(), rows[1].as_str()), (self.width, "00007"), "{rows:#?}");
    }

    fn ended(&self) -> Vec<String> {
        self.until("the end", |rows| rows.last().is_some_and(|row| row.starts_with(PROMPT)))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.tmux(&["kill-server"]).output();
    }
}

/// SIGTERM and SIGHUP left the terminal on the other screen, in raw mode, without a cursor.
#[test]
fn a_signal_leaves_the_terminal_of_play_in_order() {
    if !needs::program("tmux") {
        return;
    }
    let screen = Screen::new("play-signal", 80);
    for signal in ["TERM", "HUP", "INT"] {
        screen
            .types("sh -c 'echo $$ > play.pid; exec retrograde play take --heaps 3,5 --take any'");
        let flags = || {
            let flags = "#{alternate_on} #{cursor_flag} #{wrap_flag}";
            let shown = screen.tmux(&["display-message", "-p", flags]).output();
            String::from_utf8_lossy(&shown.expect("tmux answers").stdout).into_owned()
        };
        screen.until("the screen of play", |_| flags() == "1 0 0\n");
        let pid = fs::read_to_string(home().join("play.pid")).expect("it is there");
        retrograde_testkit::signal(pid.trim().parse().expect("a number"), signal);
        screen.until("the first screen", |_| flags() == "0 1 1\n");
        // Enter starts a new line again, and the terminal shows typed text.
        screen.types("stty -a | tr ' ' '\\n' | grep -cxE 'icanon|echo|isig|opost|icrnl'");
        screen.until("five settings in order", |rows| rows.iter().any(|row| row == "5"));
    }
}

fn of_solve(row: &str) -> bool {
    ["seeding", "counting", "level "].iter().any(|word| row.starts_with(word))
}

/// Whether a line shows the share that is done, the time so far, and the time left.
fn says_all(row: &str) -> bool {
    let words: Vec<&str> = row.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let percent = words.iter().any(|word| word.ends_with('%'));
    percent && words.len() > 3 && words[words.len() - 3].ends_with('s') && row.ends_with(" left")
}

/// At each width, the line shows everything that fits, and afterwards it is gone.
#[test]
fn a_solve_shows_how_far_it_is_on_every_terminal() {
    if !needs::program("tmux") {
        return;
    }
    // Boards grow until one takes long enough to see the line.
    let mut side = 90;
    for (width, to_its_end) in [(40, false), (80, true), (200, false)] {
        let screen = Screen::new(&format!("solve-{width}"), width);
        loop {
            let make = format!("board --rows {side} --columns {side} --exits 2 --seed 1");
            write_file("screen-board.txt", results(run(&make)));
            screen.types("retrograde solve pursuit screen-board.txt --engine scalar --threads 1");
            let of_level = |row: &str| row.starts_with("level ") && says_all(row);
            let Some(rows) = screen.watch(of_solve, of_level) else {
                side += 20;
                continue;
            };
            let line = rows.last().expect("a line");
            // Parts that do not fit are left out. On a narrow terminal there is room for the bar while the numbers are
            // short.
            let bar = line.contains("[#") || line.contains("[.");
            assert!(bar || width == 40, "{line}");
            assert_eq!(line.contains(" settled"), width > 40, "{line}");
            assert_eq!(line.contains(" states/s"), width > 40, "{line}");
            break;
        }
        if to_its_end {
            assert_eq!(screen.watch(of_solve, |_| false), None);
            let rows = screen.ended();
            assert!(rows.iter().any(|row| row.starts_with("levels  ")), "{rows:#?}");
            assert!(rows.iter().any(|row| row.contains(" for police, from police ")), "{rows:#?}");
        } else {
            screen.interrupt();
        }
    }
}

/// The line is drawn late, so the endgames take a few times as long on a quick machine.
const BUILD: &str = "build chess KRvKN KQvKR KBvKN KQvKQ KRvKR KQvKB KQvKN KRvKB KBvKB KNvKN \
                     KQQvK KQRvK KQBvK KQNvK KRRvK KRBvK KRNvK KBBvK KBNvK KNNvK --out screen-tables";
/// The twenty materials of the build, and the four smaller ones that they need.
const TABLES: usize = 24;

fn of_build(row: &str) -> bool {
    row.starts_with("reading ") || row.starts_with("planning") || row.contains(" tables; ")
}

/// The build is stopped, continued on another terminal, stopped again, and completed.
#[test]
fn a_build_shows_how_far_it_is_and_goes_on_where_it_was() {
    if !needs::program("tmux") {
        return;
    }
    let _ = fs::remove_dir_all(home().join("screen-tables"));
    for width in [40, 200] {
        let screen = Screen::new(&format!("build-{width}"), width);
        let is_seen = (0..3).any(|_| {
            screen.types(&format!("retrograde {BUILD}"));
            let seen = screen.watch(of_build, |row| row.contains('%') && row.contains("; K"));
            if seen.is_none() {
                // The build before has left too little to do.
                let _ = fs::remove_dir_all(home().join("screen-tables"));
            }
            seen.is_some()
        });
        assert!(is_seen, "the build is too fast to see: it wants larger endgames");
        screen.interrupt();
    }
    let screen = Screen::new("build-80", 80);
    screen.types(&format!("retrograde {BUILD}"));
    assert_eq!(screen.watch(of_build, |_| false), None);
    let rows = screen.ended();
    let (made, others): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.contains(" states "));
    assert!(made.len() <= TABLES && others.len() == 2, "{rows:#?}");
    assert!(others[0].starts_with(&format!("OK: {TABLES} tables in screen-tables")), "{rows:#?}");
    let again = results(run(BUILD));
    assert!(
        again.starts_with(&format!("OK: {TABLES} tables in screen-tables, 0 made now")),
        "{again}"
    );
}

/// The number of states does not show how many moves these games have.
#[test]
fn what_takes_long_says_so_beforehand() {
    if !needs::program("tmux") {
        return;
    }
    let screen = Screen::new("forecast", 120);
    write_file("forecast.txt", "..\n..\n..\n..\n");
    for command in [
        "solve pursuit forecast.txt --police 12",
        "verify --rules corner --piece queen --rows 9000 --columns 9000",
    ] {
        screen.types(&format!("retrograde {command}"));
        let said = |row: &String| row.contains(" moves each; this takes about ");
        screen.until("a forecast", |rows| rows.iter().any(said));
        screen.interrupt();
    }
}

/// The program read from a terminal in silence, and seemed to hang.
#[test]
fn a_terminal_is_told_what_is_read_from_it_and_how_it_ends() {
    if !needs::program("tmux") {
        return;
    }
    let screen = Screen::new("reads", 100);
    results(run("solve take --heaps 3,5 --take any --out reads.table --force --quiet"));
    for (command, holds, line, answer) in [
        ("probe reads.table", "states, one per line,", "1,1", "1,1"),
        ("solve graph -", "the graph", "a b", "WIN"),
        ("solve pursuit -", "the board", "P.T", "WIN"),
        ("solve chase /dev/stdin", "the graph", "a b", "SOLVED"),
    ] {
        screen.types(&format!("retrograde {command}"));
        let told =
            format!("reading {holds} from the terminal; Ctrl-D on a line of its own ends it");
        screen.until("what is read", |rows| rows.contains(&told));
        screen.keys(&["-l", line]);
        screen.keys(&["Enter"]);
        screen.keys(&["C-d"]);
        let rows = screen.ended();
        let answers = |row: &String| row.starts_with(answer) && row != line;
        assert!(rows.iter().any(answers), "{command}: {rows:#?}");
    }
}
