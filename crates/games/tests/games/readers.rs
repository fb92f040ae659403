//! Input that the readers refuse. Each message names the mistake, its line, and what to do.

use retrograde::{Game, Status, Value};
use retrograde_games::{Board, Cell, Chase, Corner, Graph, Piece, ReadError, Take, Takes};
use retrograde_positions::{AnyPositions, AnyStates};

#[track_caller]
fn refused<T>(result: Result<T, ReadError>, line: Option<u64>, what: &str) {
    let error = result.err().expect("this must be refused");
    assert_eq!(error.line(), line, "{error}");
    assert!(error.to_string().contains(what), "{error}");
    if let Some(line) = line {
        assert!(error.to_string().starts_with(&format!("line {line}: ")), "{error}");
    }
}

#[test]
fn boards_that_are_refused() {
    let board = Board::parse;
    refused(board(""), None, "empty");
    refused(board("\n  \n\n"), None, "empty");
    refused(board("3 4\n"), Some(1), "3 rows are promised here, but the board has 0");
    refused(board("...\n....\n"), Some(2), "has 4 cells, the first row has 3");
    refused(board("..\n...\n.\n"), Some(2), "equally long");
    refused(board("2 3\n...\n..\n"), Some(3), "has 2 cells, the first line promises 3");
    refused(board("3 3\n...\n...\n"), Some(1), "3 rows are promised here, but the board has 2");
    refused(board("1 3\n...\n...\n"), Some(3), "one row more than the 1 ");
    refused(board("...\n\n...\n"), Some(2), "blank line inside");
    refused(board("..\n.x\n"), Some(2), "'x' in column 2");
    refused(board("..\n.é\n"), Some(2), "'é' in column 2");
    refused(board(" ..\n"), Some(1), "' ' in column 1");
    refused(board(".T\nT.\n"), Some(2), "a second thief");
    refused(board("2\n..\n..\n"), Some(1), "not a size");
    refused(board("2 2 2\n..\n..\n"), Some(1), "not a size");
    refused(board("0 2\n..\n"), Some(1), "above 0");
    refused(board("2 99999999999\n..\n"), Some(1), "not a size");
    refused(
        board("4000000000 4000000000\n..\n"),
        Some(2),
        "has 2 cells, the first line promises 4000000000",
    );
}

#[test]
fn boards_as_people_write_them() {
    let board = Board::parse("\u{feff}\r\n2 4\r\n*.EC\r\nT..P  \r\n\r\n").unwrap();
    assert_eq!((board.rows(), board.columns()), (2, 4));
    assert_eq!(board.cells()[..4], [Cell::Wall, Cell::Floor, Cell::Exit, Cell::Floor]);
    assert_eq!((board.police(), board.thief()), (&[3, 7][..], Some(4)));
    assert_eq!(board.to_string(), "2 4\n*.EP\nT..P\n");
}

#[test]
fn random_boards_that_are_refused() {
    refused(Board::random(0, 5, 0, 0, 0, 1), None, "at least one row");
    refused(Board::random(5, 5, 101, 0, 0, 1), None, "0 to 100");
    refused(Board::random(2, 2, 50, 1, 1, 1), None, "do not fit on 2 cells");
    refused(Board::random(1 << 16, 1 << 16, 0, 0, 0, 1), None, "2^32");
    assert!(Board::random(2, 2, 50, 0, 1, 1).is_ok());
}

/// The records of speed identify their boards by these numbers.
#[test]
fn random_boards_are_the_same_for_ever() {
    let text = include_str!("../../../../examples/board-random.txt");
    assert_eq!(Board::random(9, 14, 20, 3, 2, 42).unwrap().to_string(), text);
}

#[test]
fn graphs_that_are_refused() {
    let graph = Graph::parse;
    refused(graph(""), None, "the graph is empty");
    refused(graph("# only a comment\n\n"), None, "the graph is empty");
    refused(graph("a b\nc\n"), Some(2), "not a move");
    refused(graph("a b c\n"), Some(1), "not a move");
    refused(graph("a b\n= b\n"), Some(2), "not a value");
    refused(graph("= b win loss\n"), Some(1), "not a value");
    refused(graph("a b\n= b won\n"), Some(2), "\"won\" is not a value");
    refused(graph("= b win\na b\n= b win\n"), Some(3), "b has a value in line 1 already");
    refused(
        graph("a b\nb a\n# no\n= b win\n"),
        Some(4),
        "b has a value by rule here and a move in line 2",
    );
    refused(graph("= b win\na b\nb a\n"), Some(1), "a move in line 3");
}

#[test]
fn dot_that_is_refused() {
    let graph = Graph::parse;
    refused(graph("digraph {}"), None, "the graph is empty");
    refused(graph("graph {\n a -- b\n}"), Some(1), "an undirected graph has no moves");
    refused(graph("digraph {\n a -- b\n}"), Some(2), "no direction");
    refused(graph("digraph {\n a -> b\n"), Some(3), "not closed");
    refused(graph("digraph {\n a -> { b c }\n}"), Some(2), "whole subgraph");
    refused(graph("digraph {\n subgraph s { b c }\n -> a\n}"), Some(3), "whole subgraph");
    refused(graph("digraph {\n a -> b }\n digraph { c }"), Some(3), "one graph");
    refused(graph("digraph {\n a -> ; }"), Some(2), "found `;` instead of a name");
    refused(graph("digraph {\n a [color=red\n }"), Some(3), "attributes are not closed");
    refused(graph("digraph {\n \"a -> b }"), Some(2), "a name in quotes is not closed");
    refused(graph("digraph { /* a\n }"), Some(1), "a comment is not closed");
    refused(graph("digraph {\n a [label=<b] }"), Some(2), "`<` is not closed");
    refused(graph("digraph {\n a -> b$c }"), Some(2), "'$'");
    refused(graph("digraph {\n a -> <b> }"), Some(2), "markup cannot be a name");
    refused(graph("digraph {\n a -> \"b\tc\"\n}"), Some(2), "tab");
    refused(graph("digraph {\n \"\" }"), Some(2), "empty");
    refused(graph("digraph {\n a -> \"b\" + c }"), Some(2), "`+`");
    refused(graph("digraph G x {\n a -> b }"), Some(1), "begin with `digraph {`");
    refused(graph("digraph {\n node -> a }"), Some(2), "`node` is a keyword of DOT");
    refused(graph("digraph {\n edge a -> b }"), Some(2), "`edge` is a keyword of DOT");
    refused(graph("digraph {\n a -> Graph }"), Some(2), "`Graph` is a keyword of DOT");
    refused(graph("digraph {\n strict -> a }"), Some(2), "`strict` is a keyword of DOT");
    assert!(graph("digraph { \"node\" -> a [graph=edge] }").is_ok());
}

#[test]
fn dot_as_tools_write_it() {
    let text = r##"
        # written by a tool
        strict digraph "G" { // a comment
            graph [rankdir=LR; label=<<b>bold</b>>]; node [shape=box]
            rankdir = "TB"
            /* edges -> to -> come */
            a -> b -> "c \"d\"" [color=red, label="x ] y"][weight=2]
            a:port:ne -> b:w; a -> -1.5;
            subgraph cluster_1 { rank=same; e; f -> a }
            { g }
            "a" -> "long" + "er"
            Grün -> a
        }
    "##;
    let graph = Graph::parse(text).unwrap();
    let named: Vec<String> = (0..graph.states()).map(|state| graph.text(state).unwrap()).collect();
    assert_eq!(named, ["a", "b", "c \"d\"", "-1.5", "e", "f", "g", "longer", "Grün"]);
    let successors = |label: &str| {
        let mut to = Vec::new();
        graph.each_successor(graph.state(label).unwrap(), |state| {
            to.push(graph.text(state).unwrap());
        });
        to.sort();
        to
    };
    // In a strict graph, a second edge from a to b is the same edge.
    assert_eq!(successors("a"), ["-1.5", "b", "longer"]);
    assert_eq!(successors("b"), ["c \"d\""]);
    assert_eq!(successors("f"), ["a"]);
    assert_eq!(successors("Grün"), ["a"]);
    assert_eq!(successors("g"), [""; 0]);
}

#[test]
fn a_list_of_moves_is_not_taken_for_dot() {
    let graph =
        Graph::parse("digraph strict # two labels like others\nstrict graph\n= graph draw\n")
            .unwrap();
    assert_eq!(graph.states(), 3);
    assert_eq!(graph.status(graph.state("graph").unwrap()), Status::Terminal(Value::Draw));
    let mut to = Vec::new();
    graph.each_successor(0, |state| to.push(state));
    assert_eq!(to, [1]);
}

#[test]
fn parallel_moves_and_loops_stay() {
    let graph = Graph::parse("a b\na b\na a\n").unwrap();
    assert_eq!((graph.degree(0), graph.degree(1)), (3, 0));
}

#[test]
fn chases_that_are_refused() {
    let chase = |text| Chase::parse(text, 1);
    refused(chase("# nothing\n"), None, "the graph is empty");
    refused(chase("a b\nc\n"), Some(2), "not an edge");
    refused(chase("a b c\n"), Some(1), "not an edge");
    refused(chase("a b\n!\n"), Some(2), "not an edge");
    refused(chase("a b\npolice c\n"), Some(2), "no edge or exit names \"c\"");
    refused(chase("a b\nthief c\n"), Some(2), "no edge or exit names \"c\"");
    refused(chase("a b\nthief a\nthief b\n"), Some(3), "a second thief, after the one in line 2");
    refused(chase("a b\npolice a\npolice b\n"), None, "2 policemen placed, but the game has 1");
    refused(Chase::parse("a b\npolice a\n", 2), None, "1 policeman placed, but the game has 2");
    refused(Chase::parse("a b\n", 0), None, "1 to 255");
    refused(Chase::parse("a b\n", 256), None, "1 to 255");
    let path: String = (0..200).map(|i| format!("{i} {}\n", i + 1)).collect();
    refused(Chase::parse(&path, 40), None, "more than 2^64 states");
    let hub: String = (0..70_000).map(|leaf| format!("hub {leaf}\n")).collect();
    refused(Chase::parse(&hub, 3), None, "over 4 billion moves at once");
    refused(Chase::on_board(&Board::parse("P.P").unwrap(), 1), None, "2 policemen placed");
}

#[test]
fn starts_need_everybody() {
    let start = |text| Chase::parse(text, 2).unwrap().start();
    assert_eq!(start("a b\n"), None);
    assert_eq!(start("a b\npolice a\npolice b\n"), None);
    assert_eq!(start("a b\nthief a\n"), None);
    let chase =
        Chase::parse("police b # comes before its edge\npolice a\nthief c\na b\nb c\n", 2).unwrap();
    assert_eq!(chase.write(&chase.start().unwrap()), "police a b c");
}

#[test]
fn a_loop_names_a_vertex_without_edges() {
    let chase = Chase::parse("a a\nb b\nb a\na b\n! c\n", 1).unwrap();
    assert_eq!(chase.states(), 2 * 3 * 3);
    assert_eq!(chase.degree(chase.state("police a b").unwrap()), 2);
    assert_eq!(chase.degree(chase.state("thief a b").unwrap()), 2);
}

#[test]
fn heaps_and_corners_that_are_refused() {
    refused(Take::new(&[], Takes::Any), None, "no heaps");
    refused(Take::new(&[3], Takes::Set(vec![])), None, "no takes");
    refused(Take::new(&[3], Takes::Set(vec![1, 0])), None, "take of 0");
    refused(Take::new(&[u32::MAX; 3], Takes::Set(vec![1])), None, "2^64 positions");
    refused(Take::new(&[u32::MAX, u32::MAX - 1], Takes::Any), None, "4 billion moves");
    refused(Take::new(&[u32::MAX], Takes::Any), None, "4 billion moves");
    refused(Corner::new(Piece::Queen, 0, 3), None, "at least one row");
    refused(Corner::new(Piece::Rook, u32::MAX, u32::MAX), None, "4 billion moves");
    refused(Corner::new(Piece::King, 1, u32::MAX - 3), None, "4 billion moves");
}

#[test]
fn states_that_are_refused() {
    #[track_caller]
    fn refused(game: &impl AnyStates, text: &str, what: &str) {
        let error = game.state(text).expect_err("this must be refused");
        assert!(error.contains(what), "{error}");
    }
    let chase = Chase::on_board(&Board::parse("..*\n...").unwrap(), 2).unwrap();
    refused(&chase, "", "does not begin with police or thief");
    refused(&chase, "robber 0,0 0,1 1,1", "does not begin");
    refused(&chase, "police 0,0 1,1", "names 2 places");
    refused(&chase, "police 0,0 1,1 1,1 1,1", "names 4 places");
    refused(&chase, "police 0,0 1,1 0,2", "is a wall");
    refused(&chase, "police 0,0 1,1 2,0", "off the board");
    refused(&chase, "police 0,0 1,1 0,-1", "not a cell");
    refused(&chase, "police 0,0 1,1 0", "not a cell");
    refused(&chase, "police 0,0 1,1 99999999999,0", "not a cell");
    refused(&Chase::parse("a b\n", 1).unwrap(), "thief a c", "there is no vertex \"c\"");
    refused(&Graph::parse("a b\n").unwrap(), "c", "there is no vertex \"c\"");
    let take = Take::new(&[3, 5], Takes::Any).unwrap();
    refused(&take, "3", "names 1 heap:");
    refused(&take, "3,6", "0 to 5");
    refused(&take, "x,5", "0 to 3");
    let corner = Corner::new(Piece::King, 2, 3).unwrap();
    refused(&corner, "2,0", "to 1,2");
    refused(&corner, "0,3", "no cell");
    refused(&corner, "0", "no cell");
}

/// A reader in quadratic time would not finish this.
#[test]
fn large_files_are_read() {
    let board = Board::random(1500, 1000, 15, 3, 1, 1).unwrap();
    assert_eq!(Board::parse(&board.to_string()), Ok(board));

    let cycle: String = (0..300_000).map(|i| format!("{i} {}\n", (i + 1) % 300_000)).collect();
    assert_eq!(Graph::parse(&cycle).unwrap().states(), 300_000);
    assert_eq!(Chase::parse(&cycle, 1).unwrap().states(), 2 * 300_000 * 300_000);
    let dot = format!("digraph {{\n{}}}\n", cycle.replace(' ', " -> "));
    assert_eq!(Graph::parse(&dot).unwrap().states(), 300_000);
}
