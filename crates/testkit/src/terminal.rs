//! A real terminal for tests: they press keys and read the screen. `tmux` makes the terminal.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A terminal with a shell in it. Dropping it ends the terminal.
pub struct Terminal {
    name: String,
    folder: PathBuf,
}

impl Terminal {
    /// A terminal of so many columns and rows, whose shell is in a folder. A test asks for `tmux` before.
    pub fn new(name: &str, columns: u32, rows: u32, folder: &Path) -> Terminal {
        let name = format!("retrograde-{name}-{}", std::process::id());
        let terminal = Terminal { name, folder: folder.to_owned() };
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
    pub fn tmux(&self, arguments: &[String]) -> String {
        let output = self.asks_tmux(arguments).output().expect("tmux starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "tmux {arguments:?}: {said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn asks_tmux(&self, arguments: &[String]) -> Command {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.name, "-f", "/dev/null"]).args(arguments);
        command.current_dir(&self.folder);
        command
    }

    /// Presses keys, by the names that tmux has for them.
    pub fn press(&self, keys: &[&str]) {
        let mut arguments = vec!["send-keys".to_owned()];
        arguments.extend(keys.iter().map(|key| (*key).to_owned()));
        self.tmux(&arguments);
    }

    /// Types a line for the shell.
    pub fn command(&self, line: &str) {
        self.press(&[line, "Enter"]);
    }

    /// The text on the screen.
    pub fn screen(&self) -> String {
        self.tmux(&["capture-pane".to_owned(), "-p".to_owned()])
    }

    /// Waits until the screen shows a text, and returns the screen. The screen may be half drawn, so wait for each text
    /// that you check.
    pub fn sees(&self, text: &str) -> String {
        self.until(text, |screen| screen.contains(text))
    }

    /// Waits until the screen satisfies a condition.
    pub fn until(&self, what: &str, done: impl Fn(&str) -> bool) -> String {
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

    /// Changes the size of the terminal.
    pub fn resize(&self, columns: u32, rows: u32) {
        let arguments = format!("resize-window -x {columns} -y {rows}");
        let arguments: Vec<String> = arguments.split(' ').map(str::to_owned).collect();
        self.tmux(&arguments);
    }

    /// Checks that the terminal is in the state that a shell needs: it shows what the user types, it wraps lines, and the
    /// cursor is visible.
    pub fn is_in_order(&self) {
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
