//! A game whose texts, names and signs are noise. It plays like any other, because play uses points and moves alone. Play used
//! to find out what a move does by comparing two drawings, and failed on signs that look like lines, blanks or other men.

use std::collections::{HashSet, VecDeque};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;

use retrograde::{Game, Predecessors, Solver, Status};
use retrograde_catalog::CompiledGame;
use retrograde_catalog::{Engine, GameOracle, Known, Oracle, State};
use retrograde_games::{Facts, Solvable, positions_are_states, successors_or_end};
use retrograde_positions::{Board, End, Ground, Hand, Move, Positions, check_position};
use retrograde_testkit::{Terminal, needs};

use crate::field::{Field, Look};
use crate::order::Order;
use crate::player::Player;
use crate::pointer::{Pointed, Pointer};
use crate::session::Session;

const POINTS: u64 = 12;

/// A token goes one, two or three points on, and cannot leave the last point.
#[derive(Debug)]
struct Noise;

/// A number that looks like nothing.
fn noise(number: u64) -> u64 {
    (number + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

impl Game for Noise {
    fn states(&self) -> u64 {
        POINTS
    }

    fn status(&self, _: u64) -> Status {
        Status::Open
    }

    fn successors(&self, state: u64, visit: impl FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        (state + 1..POINTS.min(state + 4)).try_for_each(visit)
    }
}

impl Predecessors for Noise {
    fn predecessors(&self, state: u64, visit: impl FnMut(u64)) {
        (state.saturating_sub(3)..state).for_each(visit);
    }
}

impl Positions for Noise {
    positions_are_states!();

    fn players(&self) -> &'static [&'static str] {
        &["player"]
    }

    fn start(&self) -> Option<u64> {
        Some(0)
    }

    fn read(&self, text: &str) -> Result<u64, String> {
        let found = (0..POINTS).find(|state| self.write(state) == text);
        found.ok_or_else(|| "noise".to_owned())
    }

    fn write(&self, state: &u64) -> String {
        format!("|-/\\ {:x}", noise(*state))
    }

    fn player(&self, _: &u64) -> usize {
        0
    }

    fn moves(&self, &from: &u64, visit: &mut dyn FnMut(Move<u64>)) -> Option<End> {
        let point = |state: u64| ((state * 5 + 3) % POINTS) as usize;
        successors_or_end(self, from, |to| {
            visit(Move::new(format!("{:o}", noise(to)), vec![point(from), point(to)], to));
        })
    }

    /// Points in no order, and a man whose sign is that of a line, of a blank or of a free point.
    fn board(&self, &state: &u64) -> Option<Board> {
        let mut board = Board::squares(3, 4, |row, column| {
            (Ground::Floor, format!("{:b}", noise(u64::from(row * 4 + column + 50))))
        });
        let sign = ['.', '-', ' ', '|', '*', 'E', ':', 'o'][noise(state) as usize % 8];
        board.put(("noise", sign), None, [((state * 5 + 3) % POINTS) as usize]);
        let hand = Hand { kind: "noise", sign, player: 0, count: noise(state) as u32 % 5 };
        board.hands.push(hand);
        Some(board)
    }
}

impl Solvable for Noise {
    fn facts(&self) -> Facts {
        Facts::of("noise")
    }
}

#[test]
fn a_game_of_noise_plays_like_any_other() {
    let solution = CompiledGame::solve(&Noise, Engine::Scalar, Solver::new()).unwrap();
    let known = Known::Solution(solution.into());
    let oracle = Oracle::new(GameOracle::new(Arc::new(Noise), known).unwrap());
    let field = Field::new("noise", &oracle);
    for state in 0..POINTS {
        check_position(&Noise, &state).unwrap();
        let node = field.look(&State::new(state)).unwrap();
        let Look::Board(board, tiles) = &node.look else { panic!("it has a board") };
        assert_eq!((tiles.tiles.len(), tiles.columns), (12, 4));
        assert_eq!(node.moves.len() as u64, 3.min(POINTS - 1 - state));
        // The origin is the same for all moves. The arrow keys reach every target, and Enter makes the move.
        for (number, choice) in node.moves.iter().enumerate() {
            let mut pointer = Pointer::new(&node, 0).unwrap();
            assert_eq!(pointer.targets(&node).len(), node.moves.len());
            let to = choice.step.points[1];
            let valued = pointer.valued_targets(&node);
            assert!(valued.contains(&(to, choice.value)), "{valued:?}");
            for (down, right) in [(-1, 0), (-1, 0), (0, -1), (0, -1), (0, -1)] {
                pointer.step(&node, board, down, right);
            }
            pointer.point = to;
            assert_eq!(pointer.settle(&node), Pointed::Moves(vec![number]));
        }
    }
    // A player who always takes the best move needs as many plies as the value says.
    let mut session = Session::new(field, oracle.start().unwrap(), [None, None], None).unwrap();
    let plies = session.game().node().value.distance().unwrap();
    for _ in 0..plies {
        session.obey(Order::Move(0)).unwrap();
    }
    assert!(session.game().over().is_some());
    assert_eq!(session.game().len() as u32, plies);
}

/// Calls `act` with a game by hand against the program.
fn against_program<T>(act: impl FnOnce(Session<'_>) -> T) -> T {
    let solution = CompiledGame::solve(&Noise, Engine::Scalar, Solver::new()).unwrap();
    let known = Known::Solution(solution.into());
    let oracle = Oracle::new(GameOracle::new(Arc::new(Noise), known).unwrap());
    let players = [None, Some(Player::new(5, None))];
    let field = Field::new("noise", &oracle);
    act(Session::new(field, oracle.start().unwrap(), players, None).unwrap())
}

/// The arrow keys that lead the pointer to a point.
fn keys_to(session: &Session<'_>, to: usize) -> Vec<&'static str> {
    let node = session.game().node();
    let Look::Board(board, _) = &node.look else { panic!("it has a board") };
    let pointer = Pointer::new(node, session.game().side()).unwrap();
    let (mut seen, mut ways) = (HashSet::new(), VecDeque::from([(pointer, Vec::new())]));
    while let Some((at, keys)) = ways.pop_front() {
        if at.point == to {
            return keys;
        }
        for (key, down, right) in [("Up", -1, 0), ("Down", 1, 0), ("Left", 0, -1), ("Right", 0, 1)]
        {
            let mut next = at.clone();
            next.step(node, board, down, right);
            if seen.insert(next.point) {
                ways.push_back((next, [&keys[..], &[key]].concat()));
            }
        }
    }
    panic!("no keys lead to {to}")
}

#[test]
#[ignore = "run as a child, on a terminal"]
fn play_noise_on_this_terminal() {
    let stop = crate::StopSignal { before_end: |_| {}, is_asked: || false };
    let games = against_program(|mut session| {
        let draw = |out: &mut dyn Write, drawing: &str| out.write_all(drawing.as_bytes());
        crate::play_screen(&mut session, true, draw, stop, &mut io::stdout()).unwrap()
    });
    println!("{}", games.join("\n"));
}

/// The arrow keys and Enter make the best moves, and the program replies, until the game is won.
#[test]
fn a_game_of_noise_is_played_on_a_real_terminal() {
    if !needs::program("tmux") {
        return;
    }
    let terminal = Terminal::new("noise", 100, 24, &std::env::temp_dir());
    let program = std::env::current_exe().unwrap();
    let child = "--ignored --exact --nocapture --test-threads 1 noise::play_noise_on_this_terminal";
    terminal.command(&format!("{} {child}", program.display()));
    terminal.sees("first to move");
    let record = against_program(|mut session| {
        while session.game().over().is_none() {
            let target = session.game().node().moves[0].step.points[1];
            for key in keys_to(&session, target) {
                terminal.press(&[key]);
            }
            terminal.press(&["Enter"]);
            session.obey(Order::Move(0)).unwrap();
            while session.reply().unwrap().is_some() {}
            for line in session.played(2) {
                terminal.sees(line.trim());
            }
        }
        terminal.sees(&session.news().unwrap());
        session.written().unwrap()
    });
    assert!(record.contains("win for first"), "{record}");
    terminal.press(&["C-c"]);
    terminal.until("the record", |screen| record.lines().all(|line| screen.contains(line)));
    terminal.sees("1 passed");
    terminal.is_in_order();
}
