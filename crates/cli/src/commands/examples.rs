//! The examples at the end of the help of each command. A test runs all of them in order.

use retrograde_games::{GAMES, GameSpec};

/// A few commands that show what the program does.
pub(crate) const ALL: &str = "\
Examples:
  # police and thief on a grid: who wins, and best play, drawn on the board
  retrograde solve pursuit examples/board.txt
  retrograde line pursuit examples/board.txt
  # a table, which then stands wherever a game does
  retrograde solve pursuit examples/board.txt --out board.table
  retrograde probe board.table 'police 3,0 5,4'
  # chess endgames
  retrograde build chess KQvK --out endgames
  retrograde info endgames

`retrograde COMMAND --help` has more of each.

Exit codes:
  0  all is well
  1  an answer is wrong: a value does not follow from the rules, or a checksum does not hold
  2  the arguments are at fault
  3  a file, a board or memory is at fault
";

/// An example of each game, and then other options.
pub(crate) fn solve() -> String {
    let examples: String = GAMES.iter().map(|game| of_game("solve", game)).collect();
    format!("Examples:\n{examples}{SOLVE}")
}

/// A command with a game, under what the game is.
pub(crate) fn of_game(command: &str, game: &GameSpec) -> String {
    let line = format!("retrograde {command} {} {}", game.name, game.example);
    format!("  # {}\n  {}\n", game.summary, line.trim_end())
}

const SOLVE: &str = "\
  # a large board of one's own
  retrograde board --rows 60 --columns 60 | retrograde solve pursuit - --json
  # a table, to be asked without solving again
  retrograde solve pursuit examples/board.txt --out board.table
  # stop when you like: the same command goes on from there
  retrograde solve chase examples/petersen.txt --police 3 --checkpoint kept --out petersen.table
  # larger than memory: the arrays lie in files
  retrograde board --rows 20 --columns 20 > large.txt
  retrograde solve pursuit large.txt --memory 64MiB --disk parts --out large.table
";

pub(crate) const LINE: &str = "\
Examples:
  # best play, drawn on the board
  retrograde line pursuit examples/board.txt
  # from another state than the game's start
  retrograde line take --heaps 3,5,7 --take any --from 1,2,4
  # from a table nothing is solved
  retrograde solve pursuit examples/board.txt --out board.table
  retrograde line board.table 'thief 3,1 5,4'
  # a chess endgame, as PGN
  retrograde build chess KQvK --out endgames
  retrograde line endgames '8/8/8/8/8/2k5/8/KQ6 w - -' --out queen.pgn
";

pub(crate) const VERIFY: &str = "\
Examples:
  # solves, and checks what it found
  retrograde verify corner --piece queen --rows 8 --columns 8
  # a table, in 160 MB whatever its size
  retrograde solve pursuit examples/board.txt --out board.table
  retrograde verify board.table
  # all chess endgames of a folder, or one
  retrograde build chess KQvK --out endgames
  retrograde verify endgames
  retrograde verify endgames KQvK
  # whether every byte of a table is as it was written
  retrograde verify board.table --checksums
  # whether the rules of a game agree with themselves; of a large game some states, or those of a range
  retrograde verify pursuit examples/board.txt --rules
  retrograde verify quixo --size 4 --rules --sample 100000
  retrograde verify pursuit examples/board.txt --rules --states 0..1000 --json
";

pub(crate) const LIST: &str = "\
Examples:
  retrograde list take --heaps 3,5 --take any
  # for a spreadsheet
  retrograde list pursuit examples/board.txt --format csv --out board.csv
  # of a table nothing is solved
  retrograde solve pursuit examples/board.txt --out board.table
  retrograde list board.table --json | head -3
  # a chess endgame: one position for all that symmetry makes equal
  retrograde build chess KQvK --out endgames
  retrograde list endgames/KQvK.table | head -3
";

pub(crate) const INFO: &str = "\
Examples:
  retrograde solve pursuit examples/board.txt --out board.table
  retrograde info board.table
  retrograde info board.table --from 'police 3,0 5,4' --json
  # a histogram, the longest wins, who gains from moving first; also of a game
  retrograde info board.table --full
  retrograde info pursuit examples/board.txt --full
  # endgames: all of a folder in brief, or one
  retrograde build chess KQvK --out endgames
  retrograde info endgames
  retrograde info endgames/KQvK.table
  retrograde info endgames KQvK --full
";

pub(crate) const PROBE: &str = "\
Examples:
  retrograde solve pursuit examples/board.txt --out board.table
  retrograde probe board.table 'police 3,0 5,4'
  # every move and what it is worth, best first
  retrograde probe board.table 'police 3,0 5,4' --json
  # a state a line, answered line by line
  retrograde list board.table | cut -f 1 | retrograde probe board.table
  # a chess endgame: the position and each of its moves
  retrograde build chess KQvK --out endgames
  retrograde probe endgames '8/8/8/8/8/2k5/8/KQ6 w - -'
";

pub(crate) const BUILD: &str = "\
Examples:
  # what it would take
  retrograde build chess KQvKR --out endgames --plan
  # queen against rook, and the smaller endgames that captures lead to
  retrograde build chess KQvKR --out endgames
  # a position and each of its moves; best play, as PGN
  retrograde probe endgames '8/8/8/8/2r5/8/2k5/K6Q w - -'
  retrograde line endgames '8/8/8/8/2r5/8/2k5/K6Q w - -'
  # three men's morris; what a position and its moves are worth, and best play
  retrograde build morris --men 3 --out merels
  retrograde probe merels 'white b2 black a1 hand 2'
  retrograde line merels start
  # all endgames of three and four pieces, every solution verified
  retrograde build chess --pieces 4 --out endgames --verify
  # one that does not fit, with its arrays in files
  retrograde build chess KQRvKR --out endgames --memory 200MB --disk arrays
  # one that no process has the memory for alone
  retrograde build chess KQRvKR --out endgames --processes 4
";

pub(crate) const BOARD: &str = "\
Examples:
  # the same for the same seed, on every machine
  retrograde board --rows 8 --columns 8 --seed 7
  retrograde board --rows 20 --columns 30 --walls 25 --out board-20x30.txt
  # solved at once
  retrograde board --rows 60 --columns 60 | retrograde solve pursuit -
";

pub(crate) const COMPLETIONS: &str = "\
Where each shell looks for them (make the folder where there is none, and start a new shell):
  retrograde completions bash > ~/.local/share/bash-completion/completions/retrograde
  retrograde completions zsh > ~/.zsh/completions/_retrograde
  retrograde completions fish > ~/.config/fish/completions/retrograde.fish
  retrograde completions elvish > ~/.config/elvish/lib/retrograde.elv
  retrograde completions powershell > ~/retrograde.ps1

zsh wants `fpath+=(~/.zsh/completions)` before `compinit` in ~/.zshrc, elvish `use retrograde` in rc.elv, and
PowerShell `. ~/retrograde.ps1` in $PROFILE.
";
