//! The examples at the end of the help of each command. A test runs all of them in order.

use retrograde_games::GAMES;

use crate::source::parameters::example;

/// A few commands that show what the program does.
pub(crate) const ALL: &str = "\
Examples:
  # police and thief on a grid: who wins, then best play with the board
  retrograde solve pursuit examples/board.txt
  retrograde line pursuit examples/board.txt
  # write a table; every command that takes a game also takes a table
  retrograde solve pursuit examples/board.txt --out board.table
  retrograde probe board.table 'police 3,0 5,4'
  # chess endgames
  retrograde build chess KQvK --out endgames
  retrograde info endgames

`retrograde COMMAND --help` has more examples.

Exit codes:
  0  success
  1  a check failed: a value does not follow from the rules, or a checksum is wrong
  2  an argument is wrong
  3  a file, a board or memory failed
";

/// An example of each game, and then other options.
pub(crate) fn solve() -> String {
    let examples: String = GAMES.iter().map(|game| example("solve", game)).collect();
    format!("Examples:\n{examples}{SOLVE}")
}

const SOLVE: &str = "  # a large random board
  retrograde board --rows 60 --columns 60 | retrograde solve pursuit - --json
  # write a table, to look values up later
  retrograde solve pursuit examples/board.txt --out board.table
  # with checkpoints: after a stop, the same command continues
  retrograde solve chase examples/petersen.txt --police 3 --checkpoint kept --out petersen.table
  # larger than memory: keep the arrays in files
  retrograde board --rows 20 --columns 20 > large.txt
  retrograde solve pursuit large.txt --memory 64MiB --disk parts --out large.table
";

pub(crate) const LINE: &str = "\
Examples:
  # best play, with the board
  retrograde line pursuit examples/board.txt
  # from another state than the game's start
  retrograde line take --heaps 3,5,7 --take any --from 1,2,4
  # with a table, nothing is solved
  retrograde solve pursuit examples/board.txt --out board.table
  retrograde line board.table 'thief 3,1 5,4'
  # a chess endgame, as PGN
  retrograde build chess KQvK --out endgames
  retrograde line endgames '8/8/8/8/8/2k5/8/KQ6 w - -' --out queen.pgn
";

pub(crate) const VERIFY: &str = "\
Examples:
  # solve a game, and check the solution
  retrograde verify corner --piece queen --rows 8 --columns 8
  # check a table of any size in 160 MB
  retrograde solve pursuit examples/board.txt --out board.table
  retrograde verify board.table
  # all chess endgames of a folder, or one
  retrograde build chess KQvK --out endgames
  retrograde verify endgames
  retrograde verify endgames KQvK
  # check every byte of a table
  retrograde verify board.table --checksums
  # compare chess endgames with the published ones
  retrograde verify endgames --published
  # check that moves and backward moves agree: all, a random sample, or a range of states
  retrograde verify pursuit examples/board.txt --rules
  retrograde verify quixo --size 4 --rules --sample 100000
  retrograde verify pursuit examples/board.txt --rules --states 0..1000 --json
";

pub(crate) const LIST: &str = "\
Examples:
  retrograde list take --heaps 3,5 --take any
  # for a spreadsheet
  retrograde list pursuit examples/board.txt --format csv --out board.csv
  # with a table, nothing is solved
  retrograde solve pursuit examples/board.txt --out board.table
  retrograde list board.table --json | head -3
  # a chess endgame: one position out of each set of symmetric positions
  retrograde build chess KQvK --out endgames
  retrograde list endgames/KQvK.table | head -3
";

pub(crate) const INFO: &str = "\
Examples:
  retrograde solve pursuit examples/board.txt --out board.table
  retrograde info board.table
  retrograde info board.table --from 'police 3,0 5,4' --json
  # a histogram, the longest wins, the gain of moving first; also of a game
  retrograde info board.table --full
  retrograde info pursuit examples/board.txt --full
  # all endgames of a folder, or one
  retrograde build chess KQvK --out endgames
  retrograde info endgames
  retrograde info endgames/KQvK.table
  retrograde info endgames KQvK --full
";

pub(crate) const PROBE: &str = "\
Examples:
  retrograde solve pursuit examples/board.txt --out board.table
  retrograde probe board.table 'police 3,0 5,4'
  # the value of every move, best first
  retrograde probe board.table 'police 3,0 5,4' --json
  # read states from standard input, one per line
  retrograde list board.table | cut -f 1 | retrograde probe board.table
  # a chess endgame: the values of the position and of its moves
  retrograde build chess KQvK --out endgames
  retrograde probe endgames '8/8/8/8/8/2k5/8/KQ6 w - -'
";

pub(crate) const BUILD: &str = "\
Examples:
  # print the memory, disk space and time of a build
  retrograde build chess KQvKR --out endgames --plan
  # queen against rook, and the smaller endgames that captures lead to
  retrograde build chess KQvKR --out endgames
  # the values of a position and of its moves; best play, as PGN
  retrograde probe endgames '8/8/8/8/2r5/8/2k5/K6Q w - -'
  retrograde line endgames '8/8/8/8/2r5/8/2k5/K6Q w - -'
  # three men's morris; the values of a position and of its moves; best play
  retrograde build morris --men 3 --out merels
  retrograde probe merels 'white b2 black a1 hand 2'
  retrograde line merels start
  # all endgames of up to four pieces; verify every solution
  retrograde build chess --pieces 4 --out endgames --verify
  # an endgame that exceeds memory, with its arrays in files
  retrograde build chess KQRvKR --out endgames --memory 200MB --disk arrays
  # an endgame on four ranks, on one machine or several
  mpirun -n 4 retrograde-mpi build chess KQRvKR --out endgames
";

pub(crate) const RULES: &str = "\
Examples:
  # is this the game that you mean? then solve it
  retrograde rules examples/games/dao.game
  # the moves of a position
  retrograde rules examples/games/dodgem.game --from 'up Cc./.cC/...'
  retrograde solve examples/games/dao.game
";

pub(crate) const CERTIFICATE: &str = "\
Examples:
  # a proof that the police win in 13 plies, and its check
  retrograde certificate pursuit examples/board.txt --out police.txt
  python3 examples/certificates/check.py police.txt examples/board.txt
  # a draw; a mate, from tables
  retrograde certificate mu-torere --out draw.txt
  retrograde certificate endgames --from '8/8/8/8/8/2k5/1R6/K7 w - -' --out mate.txt
";

pub(crate) const UCI: &str = "\
Examples:
  # tables of an endgame, then the engine: a chess program starts it by this line
  retrograde build chess KQvKR --out endgames
  retrograde uci --tables endgames
  # a dialog by hand: all moves of a position, best first
  printf 'setoption name MultiPV value 9\\nposition fen 8/8/8/8/8/2k5/8/KQ6 w - -\\ngo\\n' | retrograde uci --tables endgames
";

pub(crate) const REGISTRY: &str = "\
Examples:
  # all games
  retrograde games
  # the rules and the arguments of one
  retrograde games pursuit
  retrograde games chess --json
";

pub(crate) const BOARD: &str = "\
Examples:
  # the same seed gives the same board on every machine
  retrograde board --rows 8 --columns 8 --seed 7
  retrograde board --rows 20 --columns 30 --walls 25 --out board-20x30.txt
  # solve the board at once
  retrograde board --rows 60 --columns 60 | retrograde solve pursuit -
";

pub(crate) const COMPLETIONS: &str = "\
Each shell reads its completions from this file. Create the folder if necessary, and start a new shell:
  retrograde completions bash > ~/.local/share/bash-completion/completions/retrograde
  retrograde completions zsh > ~/.zsh/completions/_retrograde
  retrograde completions fish > ~/.config/fish/completions/retrograde.fish
  retrograde completions elvish > ~/.config/elvish/lib/retrograde.elv
  retrograde completions powershell > ~/retrograde.ps1

zsh needs `fpath+=(~/.zsh/completions)` before `compinit` in ~/.zshrc, elvish `use retrograde` in rc.elv, and
PowerShell `. ~/retrograde.ps1` in $PROFILE.
";
