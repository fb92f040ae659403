//! The examples that end the help: one for each game.

/// Solving every game, and what else there is to do with one.
pub(crate) const ALL: &str = "\
Examples:
  # any directed graph
  retrograde solve graph examples/graph.txt
  # police and thief on a grid
  retrograde solve pursuit examples/board.txt
  # two police and a thief on an undirected graph
  retrograde solve chase examples/cycle.txt --police 2
  # Nim; with --misere, the last to take loses
  retrograde solve take --heaps 3,5,7 --take any
  # a queen on her way to the corner
  retrograde solve corner --piece queen --rows 8 --columns 8
  # best play, drawn on the board
  retrograde line pursuit examples/board.txt
  # a large board of one's own
  retrograde board --rows 60 --columns 60 | retrograde solve pursuit - --json
  # a table, which then stands wherever a game does
  retrograde solve pursuit examples/board.txt --out board.table
  retrograde line board.table
  # stop when you like: the same command goes on from there
  retrograde solve chase examples/petersen.txt --police 3 --checkpoint kept --out petersen.table
";

/// What there is to do with a family of regions.
pub(crate) const REGIONS: &str = "\
Examples:
  # queen against rook, and the smaller endgames that captures lead to
  retrograde build chess KQvKR --out endgames
  # wins, draws and losses, and the longest mates
  retrograde stats endgames
  # a position and each of its moves
  retrograde probe endgames '8/8/8/8/2r5/8/2k5/K6Q w - -'
  # best play, as PGN
  retrograde line endgames '8/8/8/8/2r5/8/2k5/K6Q w - -'
  # all endgames of three and four pieces, every solution verified
  retrograde build chess --pieces 4 --out endgames --verify
  # what all of five would take
  retrograde build chess --pieces 5 --out endgames --plan
";
