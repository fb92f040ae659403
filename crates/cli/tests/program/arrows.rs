//! `retrograde play` on a real terminal, small and large. The tests send keys and read the screen. `tmux` makes the
//! terminal.

use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use retrograde_testkit::needs;

use crate::chess::TABLES;
use crate::{home, write_file};

/// A terminal with a shell in it.
struct Terminal {
    name: String,
}

impl Terminal {
    /// A terminal of so many columns and rows. A test asks for `tmux` before.
    fn new(name: &str, columns: u32, rows: u32) -> Terminal {
        let terminal = Terminal { name: format!("retrograde-{name}-{}", std::process::id()) };
        let size = [("-x", columns), ("-y", rows)]
            .map(|(option, size)| [option.to_owned(), size.to_string()]);
        let shell = "env -u NO_COLOR PS1='ready$ ' sh".to_owned();
        let mut arguments = vec!["new-session".to_owned(), "-d".to_owned()];
        arguments.extend(size.concat());
        arguments.push(shell);
        terminal.tmux(&arguments);
        terminal.sees("ready$");
        terminal
    }

    /// What tmux answers.
    fn tmux(&self, arguments: &[String]) -> String {
        let output = self.asks_tmux(arguments).output().expect("tmux starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "tmux {arguments:?}: {said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn asks_tmux(&self, arguments: &[String]) -> Command {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.name, "-f", "/dev/null"]).args(arguments).current_dir(home());
        command
    }

    /// Presses keys, by the names that tmux has for them.
    fn press(&self, keys: &[&str]) {
        let mut arguments = vec!["send-keys".to_owned()];
        arguments.extend(keys.iter().map(|key| (*key).to_owned()));
        self.tmux(&arguments);
    }

    /// Types a line for the shell.
    fn command(&self, line: &str) {
        self.press(&[line, "Enter"]);
    }

    fn program(&self, arguments: &str) {
        self.command(&format!("{} {arguments}", env!("CARGO_BIN_EXE_retrograde")));
    }

    fn screen(&self) -> String {
        self.tmux(&["capture-pane".to_owned(), "-p".to_owned()])
    }

    /// Waits until the screen shows a text, and returns the screen. The screen may be half drawn, so wait for each text
    /// that you check.
    fn sees(&self, text: &str) -> String {
        self.until(text, |screen| screen.contains(text))
    }

    fn until(&self, what: &str, done: impl Fn(&str) -> bool) -> String {
        let began = Instant::now();
        loop {
            let screen = self.screen();
            if done(&screen) {
                return screen;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "waited for {what}:\n{screen}");
            sleep(Duration::from_millis(20));
        }
    }

    fn resize(&self, columns: u32, rows: u32) {
        let arguments = format!("resize-window -x {columns} -y {rows}");
        let arguments: Vec<String> = arguments.split(' ').map(str::to_owned).collect();
        self.tmux(&arguments);
    }

    /// The terminal is in the state that a shell needs: it shows what the user types, it wraps lines, and the cursor is
    /// visible.
    fn is_in_order(&self) {
        self.command(
            "stty -a | tr ' ' '\\n' | grep -cx -e icanon -e echo -e isig -e opost -e icrnl",
        );
        // The prompt may come after the typed text, and then stand before the answer.
        let five = |line: &str| line.trim_start_matches("ready$").trim() == "5";
        self.until("five settings in order", |screen| screen.lines().any(five));
        let flags = ["display-message", "-p", "#{cursor_flag} #{alternate_on} #{wrap_flag}"];
        let flags = self.tmux(&flags.map(str::to_owned));
        assert_eq!(flags.trim(), "1 0 1", "a cursor, the first screen, lines that wrap");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A panic here, while a test fails, would hide its message.
        let _ = self.asks_tmux(&["kill-server".to_owned()]).output();
    }
}

const BOARD: &str = "...E..\n.*....\n...**.\nP.....\n..*.*.\n.*..T.\n......\n";

/// A whole game with arrow keys, at both sizes: first with the best moves of the list, then with the pointer.
#[test]
fn a_game_is_played_by_arrows() {
    if !needs::program("tmux") {
        return;
    }
    write_file("screen.txt", BOARD);
    for (columns, rows) in [(60, 20), (200, 60)] {
        let terminal = Terminal::new(&format!("arrows{columns}"), columns, rows);
        terminal.program("play pursuit screen.txt");
        terminal.until("the whole board", |screen| {
            let lines = screen.lines().filter(|line| line.contains(" . ")).count();
            let said = ["WIN in 13 plies for police", "police to move"];
            lines == 7 && said.iter().all(|text| screen.contains(text))
        });
        terminal.press(&["Right", "Up", "Enter"]);
        terminal.sees("1  police: 2,1  (win in 13)");
        terminal.sees("2  thief: ");
        terminal.press(&["?"]);
        terminal.sees("  win in 11");
        terminal.press(&["?"]);
        terminal.until("no values", |screen| !screen.contains("  win in 11"));
        // The list has the best move first.
        for _ in 0..20 {
            if terminal.screen().contains("win for police after") {
                break;
            }
            terminal.press(&["?"]);
            terminal.sees("?: no values");
            terminal.press(&["Enter"]);
            terminal.until("the list to close", |screen| !screen.contains("?: no values"));
        }
        terminal.until("the thief caught", |screen| {
            screen.contains("win for police after 13 plies (by the rules)") && screen.contains('X')
        });
        terminal.press(&["C-c"]);
        // The terminal shows its old content again, and the game below it.
        terminal.sees("# win for police after 13 plies");
        terminal.sees("ready$");
        terminal.is_in_order();
    }
}

#[test]
fn a_move_may_be_typed_and_taken_back() {
    if !needs::program("tmux") {
        return;
    }
    write_file("screen-typed.txt", BOARD);
    let terminal = Terminal::new("typed", 60, 20);
    terminal.program("play pursuit screen-typed.txt");
    terminal.sees("WIN in 13 plies");
    terminal.press(&["3,9", "Enter"]);
    terminal.sees("`3,9` is no move here");
    terminal.press(&["4,1", "Enter"]);
    terminal.sees("1  police: 4,1  (win in 13)");
    terminal.press(&["BSpace"]);
    terminal.until("the move to be gone", |screen| !screen.contains("1  police: 4,1"));
    terminal.press(&["Tab"]);
    terminal.sees("best: 2,1  (win in 13)");
    terminal.press(&["help", "Enter"]);
    terminal.sees("new [STATE]");
    terminal.press(&["quit", "Enter"]);
    terminal.sees("ready$");
    terminal.is_in_order();
}

#[test]
fn another_size_is_another_picture() {
    if !needs::program("tmux") {
        return;
    }
    let terminal = Terminal::new("resize", 200, 60);
    terminal.program(&format!("play {}/KQvKR.table", *TABLES));
    terminal.sees("WIN in 69 plies for white");
    // First the origin of the piece, then its target.
    terminal.press(&["Right", "Enter"]);
    terminal.resize(60, 20);
    terminal.until("the board, small and whole", |screen| {
        [" 8 : . . . . . . :", "a b c d e f g h", "> "].iter().all(|text| screen.contains(text))
    });
    terminal.press(&["Left", "Enter"]);
    terminal.sees("1  white: Qg1");
    terminal.sees("win for black after 2 plies");
    terminal.resize(20, 5);
    terminal.sees("\n >");
    terminal.resize(60, 20);
    terminal.sees("a b c d e f g h");
    terminal.press(&["C-c"]);
    terminal.sees("1. Qg1");
    terminal.is_in_order();
}

/// A board larger than any screen: a window into it follows the side to move.
#[test]
fn a_large_board_is_seen_through_a_window() {
    if !needs::program("tmux") {
        return;
    }
    let terminal = Terminal::new("large", 60, 20);
    // A board with few states: all walls except a path along two edges.
    let path = format!("P{}\n{}", ".".repeat(149), format!("{}.\n", "*".repeat(149)).repeat(28));
    write_file("screen-large.txt", format!("{path}{}T\n", "*".repeat(149)));
    terminal.program("play pursuit screen-large.txt --side thief --from 'thief 0,0 29,149'");
    terminal.until("the thief alone", |screen| {
        screen.contains("thief to move") && screen.contains('T') && !screen.contains('P')
    });
    terminal.press(&["C-c"]);
    terminal.sees("ready$");
    terminal.is_in_order();
}

/// Ctrl-Z gives the terminal back, and `fg` takes it again.
#[test]
fn stopped_and_taken_up_again() {
    if !needs::program("tmux") {
        return;
    }
    let terminal = Terminal::new("stopped", 60, 20);
    terminal.command("set -m");
    terminal.program("play take --heaps 3,5,7 --take any");
    terminal.sees("WIN in 15 plies for first");
    terminal.press(&["C-z"]);
    terminal.sees("Stopped");
    terminal.is_in_order();
    terminal.command("fg");
    terminal.sees("WIN in 15 plies for first");
    terminal.press(&["3,5,6", "Enter"]);
    terminal.sees("2  second: ");
    terminal.press(&["C-d"]);
    terminal.sees("# from 3,5,7");
    terminal.is_in_order();
}

/// If a table is damaged while the program runs, play ends with an error on a restored terminal.
#[test]
fn an_error_leaves_the_terminal_in_order() {
    if !needs::program("tmux") {
        return;
    }
    let terminal = Terminal::new("error", 60, 20);
    terminal.program("play take --heaps 3,5,7 --take any; echo left with $?");
    terminal.sees("WIN in 15 plies for first");
    terminal.press(&["new 9,9,9", "Enter"]);
    terminal.sees("is not a size of this heap");
    terminal.press(&["C-c"]);
    terminal.sees("left with 0");
    terminal.is_in_order();
}
