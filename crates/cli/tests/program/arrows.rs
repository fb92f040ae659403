//! `retrograde play` on a real terminal, small and large. The tests send keys and read the screen. `tmux` makes the
//! terminal.

use retrograde_testkit::{Terminal, needs};

use crate::chess::TABLES;
use crate::{home, write_file};

/// A terminal of so many columns and rows. A test asks for `tmux` before.
fn terminal(name: &str, columns: u32, rows: u32) -> Terminal {
    Terminal::new(name, columns, rows, home())
}

/// Types a command of the program.
fn program(terminal: &Terminal, arguments: &str) {
    terminal.command(&format!("{} {arguments}", env!("CARGO_BIN_EXE_retrograde")));
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
        let terminal = terminal(&format!("arrows{columns}"), columns, rows);
        program(&terminal, "play pursuit screen.txt");
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
    let terminal = terminal("typed", 60, 20);
    program(&terminal, "play pursuit screen-typed.txt");
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
    let terminal = terminal("resize", 200, 60);
    program(&terminal, &format!("play {}/KQvKR.table", *TABLES));
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
    let terminal = terminal("large", 60, 20);
    // A board with few states: all walls except a path along two edges.
    let path = format!("P{}\n{}", ".".repeat(149), format!("{}.\n", "*".repeat(149)).repeat(28));
    write_file("screen-large.txt", format!("{path}{}T\n", "*".repeat(149)));
    program(&terminal, "play pursuit screen-large.txt --side thief --from 'thief 0,0 29,149'");
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
    let terminal = terminal("stopped", 60, 20);
    terminal.command("set -m");
    program(&terminal, "play take --heaps 3,5,7 --take any");
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
    let terminal = terminal("error", 60, 20);
    program(&terminal, "play take --heaps 3,5,7 --take any; echo left with $?");
    terminal.sees("WIN in 15 plies for first");
    terminal.press(&["new 9,9,9", "Enter"]);
    terminal.sees("is not a size of this heap");
    terminal.press(&["C-c"]);
    terminal.sees("left with 0");
    terminal.is_in_order();
}
