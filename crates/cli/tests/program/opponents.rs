//! The program against hundreds of opponents on every game. It must keep its promises to the ply, and never lose a drawn
//! game. The rules and the naive solver judge the results; for chess, the tables do.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use retrograde::{Game, Outcome, Status, Value};
use retrograde_chess::{Position, Tablebase};
use retrograde_games::{Board, Chase, Corner, Graph, Piece, Pursuit, Take, Takes};
use retrograde_positions::AnyStates;
use retrograde_testkit::{Rng, cases, naive, seed};

use crate::chess::TABLES;
use crate::{home, program, write_file};

/// The facts about a game.
trait Referee {
    /// States to begin in, with their values.
    fn starts(&self) -> Vec<(String, Value)>;
    /// The moves of a state: how to type each, where it leads, and its value for the player to move.
    fn moves(&self, state: &str) -> Vec<(String, String, Value)>;
}

/// A game of the program, and the solution of the naive solver.
struct Naive<G> {
    game: G,
    values: Vec<Option<Value>>,
}

impl<G: Game + AnyStates> Naive<G> {
    fn new(game: G) -> Self {
        Naive { values: naive::solve(&game), game }
    }
}

impl<G: Game + AnyStates> Referee for Naive<G> {
    fn starts(&self) -> Vec<(String, Value)> {
        let open = (0..self.game.states())
            .filter(|&state| self.game.status(state) == Status::Open && self.game.has_moves(state));
        open.map(|state| (self.game.text(state).unwrap(), self.values[state as usize].unwrap()))
            .collect()
    }

    fn moves(&self, state: &str) -> Vec<(String, String, Value)> {
        let from = self.game.read(state).expect("a state");
        let mut moves = Vec::new();
        self.game.moves(&from, &mut |played| {
            let to = self.game.number(&played.next).expect("a small game has all its positions");
            let value = self.values[to as usize].expect("moves lead to no invalid");
            moves.push((played.name, self.game.write(&played.next), value));
        });
        moves
    }
}

impl Referee for (Tablebase, &[&str]) {
    fn starts(&self) -> Vec<(String, Value)> {
        let mut starts = Vec::new();
        for name in self.1 {
            let endings = self.0.opened(&name.parse().unwrap()).unwrap();
            let some = (0..endings.index().states()).step_by(37);
            for position in some.filter_map(|state| endings.index().position(state)) {
                starts.push((position.to_string(), self.0.value(&position).unwrap()));
            }
        }
        starts
    }

    fn moves(&self, state: &str) -> Vec<(String, String, Value)> {
        let position: Position = state.parse().unwrap();
        if position.material().is_none() {
            return vec![];
        }
        let played = position.moves().into_iter().map(|played| {
            let after = position.play(&played);
            (position.san(&played), after.to_string(), self.0.value(&after).unwrap())
        });
        played.collect()
    }
}

/// The program at play, connected by pipes.
struct Opponent {
    child: Child,
    input: ChildStdin,
    output: Option<BufReader<ChildStdout>>,
}

impl Opponent {
    fn new(arguments: &str) -> Opponent {
        let mut child = program(&format!("play {arguments}"));
        let mut child =
            child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut opponent = Opponent { child, input, output: Some(BufReader::new(output)) };
        opponent.listen();
        opponent
    }

    /// Types a line and returns the answer: the moves of the program, and the new position.
    fn say(&mut self, line: &str) -> (Vec<String>, String) {
        writeln!(self.input, "{line}").expect("it listens");
        self.listen()
    }

    fn listen(&mut self) -> (Vec<String>, String) {
        let mut played = Vec::new();
        for line in self.output.as_mut().expect("it is not over").lines() {
            let line = line.expect("text");
            assert!(!line.contains("is no move") && !line.contains("error"), "{line}");
            let known = ["win for ", "draw after ", "a draw is offered"];
            if line.ends_with(" to move") || known.iter().any(|known| line.starts_with(known)) {
                return (played, line);
            }
            // `   2  thief: 5,5  (loss in 12)`
            let number = line.trim_start().split("  ").next().unwrap_or_default();
            if line.starts_with(' ') && number.parse::<u32>().is_ok() {
                let (_, rest) = line.split_once(": ").expect("who has moved");
                played.push(rest.rsplit_once("  (").expect("a value").0.to_owned());
            }
        }
        panic!("the program has stopped");
    }
}

impl Drop for Opponent {
    fn drop(&mut self) {
        // The test reads no records of games, so it does not wait for them.
        drop(self.output.take());
        let _ = writeln!(self.input, ":quit");
        let _ = self.child.wait();
    }
}

/// How the opponents play.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Manner {
    /// A random move among those that hold out longest. Then a win takes exactly as many plies as the program promised.
    Stubborn,
    /// A random move. Then a win may take fewer plies, but never more.
    Wild,
}

/// Plays so many games against the program from random states. The program moves first, and each state has this outcome
/// for it.
fn play(
    referee: &dyn Referee,
    opponent: &mut Opponent,
    rng: &mut Rng,
    (wanted, mark, other): (Outcome, &str, &str),
    (games, manner): (u32, Manner),
) {
    let wanted_here =
        |(text, value): &(String, Value)| value.outcome() == wanted && text.contains(mark);
    let starts: Vec<_> = referee.starts().into_iter().filter(wanted_here).collect();
    assert!(!starts.is_empty(), "there is nothing to play from with a {wanted:?} for {mark}");
    for _ in 0..games {
        let (start, promised) = &starts[rng.below(starts.len() as u64) as usize];
        let (mut state, mut promised) = (start.clone(), *promised);
        let (mut played, mut said) = opponent.say(&format!(":new {state}"));
        let mut plies = 0;
        // A drawn game may go on without end.
        while plies < 60 || wanted == Outcome::Win {
            // After a move of the program, the value is at least what it was.
            let moves = referee.moves(&state);
            assert_eq!(played.len(), 1, "{start}: {state}: {said}");
            let made = moves.iter().find(|(label, ..)| *label == played[0]);
            let (_, to, value) =
                made.unwrap_or_else(|| panic!("{state}: {} is no move", played[0]));
            match (promised, *value) {
                (Value::Win(before), Value::Loss(after)) => {
                    assert_eq!(before, after + 1, "{state}");
                }
                (Value::Draw, Value::Draw) => {}
                (before, after) => panic!("{start}: {state}: {before:?}, then {after:?}"),
            }
            (state, plies) = (to.clone(), plies + 1);
            if over(&said) {
                assert!(*value == Value::Loss(0) || wanted == Outcome::Draw, "{start}: {said}");
                break;
            }
            let moves = referee.moves(&state);
            let longest = moves.iter().map(|(.., value)| value.distance()).max().flatten();
            let some: Vec<_> = moves
                .iter()
                .filter(|(.., value)| manner == Manner::Wild || value.distance() == longest)
                .collect();
            let (label, to, value) = some[rng.below(some.len() as u64) as usize];
            if let (Value::Win(before), Value::Win(after)) = (promised, *value) {
                // Two plies fewer, or even fewer if the opponent makes a mistake.
                assert!(after + 2 <= before, "{state}: {label}");
                assert!(manner == Manner::Wild || after + 2 == before, "{state}: {label}");
            }
            (state, promised, plies) = (to.clone(), *value, plies + 1);
            (played, said) = opponent.say(label);
            // The program also prints moves that the test has typed.
            assert_eq!(played.first(), Some(label), "{start}");
            played.remove(0);
            // If the opponent makes a mistake, it may lose a drawn game.
            if wanted == Outcome::Draw && promised.outcome() == Outcome::Win {
                break;
            }
            if over(&said) && played.is_empty() {
                assert_eq!(promised.outcome(), wanted, "{start}: {said}");
                break;
            }
        }
        if wanted == Outcome::Win {
            let (_, value) = starts.iter().find(|(text, _)| text == start).unwrap();
            let Value::Win(distance) = *value else { unreachable!() };
            let all = format!("after {plies} pl");
            assert!(said.starts_with("win for ") && said.contains(&all), "{start}: {said}");
            assert!(plies <= distance, "{start}: {plies} plies, and {distance} were promised");
            assert!(
                manner == Manner::Wild || plies == distance,
                "{start}: {plies}, not {distance}"
            );
        } else {
            assert!(!said.starts_with(&format!("win for {other} ")), "{start}: {said}");
        }
    }
}

fn over(said: &str) -> bool {
    said.starts_with("win for ") || said.starts_with("draw after ")
}

/// A side that the program plays.
struct Side {
    /// Its name, and that of the other side.
    names: [&'static str; 2],
    /// The part of a state's text that shows that this side is to move.
    mark: &'static str,
    /// Whether it can win from some state, and whether it can draw.
    ends: [bool; 2],
}

/// More than a hundred opponents of each kind, shared among the sides; and a tenth as many drawn games of each side.
fn meets_many(referee: &dyn Referee, arguments: &str, sides: &[Side]) {
    let seed = seed();
    println!("RETROGRADE_SEED={seed}");
    let mut rng = Rng::new(seed);
    let winners = sides.iter().filter(|side| side.ends[0]).count() as u32;
    for Side { names: [_, other], mark, ends: [wins, draws] } in sides {
        let mut opponent = Opponent::new(&format!("{arguments} --side {other} --seed {seed}"));
        if *wins {
            for manner in [Manner::Stubborn, Manner::Wild] {
                let games = cases(1_500) as u32 / winners;
                play(
                    referee,
                    &mut opponent,
                    &mut rng,
                    (Outcome::Win, mark, other),
                    (games, manner),
                );
            }
        }
        if *draws {
            play(
                referee,
                &mut opponent,
                &mut rng,
                (Outcome::Draw, mark, other),
                (cases(150) as u32, Manner::Wild),
            );
        }
    }
}

/// The sides of a chase.
fn chase(police: [bool; 2], thief: [bool; 2]) -> [Side; 2] {
    [
        Side { names: ["police", "thief"], mark: "police", ends: police },
        Side { names: ["thief", "police"], mark: "thief", ends: thief },
    ]
}

/// If the sides are alike, the first player is the one who begins.
fn first(ends: [bool; 2]) -> [Side; 1] {
    [Side { names: ["first", "second"], mark: "", ends }]
}

#[test]
fn at_pursuit_it_keeps_what_it_promises() {
    // A wall that the thief can run around, and an exit.
    let text = "P....E\n.**..*\n.**.*.\n....*.\nT.....\n";
    write_file("opponents.txt", text);
    let game = Naive::new(Pursuit::new(Board::parse(text).unwrap()).unwrap());
    meets_many(&game, "pursuit opponents.txt", &chase([true, false], [true, false]));
    // No exit, and places that no path reaches.
    let text = include_str!("../../../../examples/board-no-exit.txt");
    write_file("opponents-round.txt", text);
    let game = Naive::new(Pursuit::new(Board::parse(text).unwrap()).unwrap());
    meets_many(&game, "pursuit opponents-round.txt", &chase([true, true], [false, true]));
}

#[test]
fn at_a_chase_it_keeps_what_it_promises() {
    let text =
        "1 2\n2 3\n3 4\n4 5\n5 1\npolice 1\npolice 2\nthief 4\n1 6\n6 7\n7 8\n8 9\n9 6\n! 8\n";
    write_file("opponents-chase.txt", text);
    let game = Naive::new(Chase::parse(text, 2).unwrap());
    let arguments = "chase opponents-chase.txt --police 2";
    meets_many(&game, arguments, &chase([true, false], [true, false]));
}

#[test]
fn on_graphs_it_keeps_what_it_promises() {
    let mut rng = Rng::new(17);
    let mut text = String::new();
    for from in 0..150 {
        for _ in 0..rng.below(4) {
            text += &format!("v{from} v{}\n", rng.below(150));
        }
    }
    write_file("opponents-graph.txt", &text);
    let game = Naive::new(Graph::parse(&text).unwrap());
    meets_many(&game, "graph opponents-graph.txt", &first([true, true]));
}

#[test]
fn at_heaps_and_corners_it_keeps_what_it_promises() {
    let game = Naive::new(Take::new(&[3, 5, 7], Takes::Any).unwrap());
    meets_many(&game, "take --heaps 3,5,7 --take any", &first([true, false]));
    let game = Naive::new(Take::new(&[3, 4, 5], Takes::Set(vec![1, 2])).unwrap().misere(true));
    meets_many(&game, "take --heaps 3,4,5 --take 1,2 --misere", &first([true, false]));
    let game = Naive::new(Corner::new(Piece::Queen, 9, 12).unwrap());
    meets_many(&game, "corner --piece queen --rows 9 --columns 12", &first([true, false]));
}

#[test]
fn at_chess_it_keeps_what_it_promises() {
    let tables = Tablebase::open(home().join(*TABLES)).unwrap();
    let sides = [
        Side { names: ["white", "black"], mark: " w ", ends: [true, true] },
        Side { names: ["black", "white"], mark: " b ", ends: [true, true] },
    ];
    let start = "--from 8/8/8/8/8/2k5/1R6/K7_w_-_-";
    meets_many(&(tables, &["KQvKR", "KPvK"][..]), &format!("{} {start}", *TABLES), &sides);
}
