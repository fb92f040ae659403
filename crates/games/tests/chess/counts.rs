//! Whole regions solved, and compared with what is known of them.

use retrograde::{LineEnd, Solution, Value, solve, verify};
use retrograde_games::chess::{Color, Endgame, Material};

/// A material's solution, and those of all it needs, solved on the way.
fn solve_all(material: Material) -> (Endgame<Solution>, Solution) {
    let solved = material.needs().into_iter().map(|need| solve_all(need).1).collect();
    let game = Endgame::new(material, solved);
    let solution = solve(&game);
    (game, solution)
}

/// Wins, draws and losses of one side to move, in placements on the board, and its longest win or
/// loss in plies.
#[derive(Debug, Default, PartialEq)]
struct Known {
    win: u64,
    draw: u64,
    loss: u64,
    longest: u32,
}

fn counted(game: &Endgame<Solution>, solution: &Solution) -> [Known; 2] {
    let mut known = [Known::default(), Known::default()];
    for block in game.index().blocks() {
        let side = &mut known[block.turn as usize];
        let counts = solution.count(block.states.clone());
        side.win += counts.win * u64::from(block.multiplicity);
        side.draw += counts.draw * u64::from(block.multiplicity);
        side.loss += counts.loss * u64::from(block.multiplicity);
        let distances = block.states.filter_map(|state| solution.value(state)?.distance());
        side.longest = distances.max().unwrap_or(0).max(side.longest);
    }
    known
}

/// Reads `counts.txt`: material, side to move, wins, draws, losses, longest.
fn expected(material: Material, color: Color) -> Known {
    let side = ["white", "black"][color as usize];
    let line = include_str!("counts.txt")
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{material} {side} ")))
        .unwrap_or_else(|| panic!("counts.txt knows nothing of {material}, {side} to move"));
    let numbers: Vec<u64> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
    Known { win: numbers[0], draw: numbers[1], loss: numbers[2], longest: numbers[3] as u32 }
}

fn check(material: &str) {
    let material: Material = material.parse().unwrap();
    let (game, solution) = solve_all(material);
    let [white, black] = counted(&game, &solution);
    assert_eq!(white, expected(material, Color::White), "{material}, white to move");
    assert_eq!(black, expected(material, Color::Black), "{material}, black to move");
    verify(&game, &solution).unwrap_or_else(|broken| panic!("{material}: {broken}"));
}

#[test]
fn queen_against_king() {
    check("KQvK");
}

#[test]
fn rook_against_king() {
    check("KRvK");
}

#[test]
fn pawn_against_king() {
    check("KPvK");
}

#[test]
fn a_lone_bishop_or_knight_never_wins() {
    for material in ["KBvK", "KNvK"] {
        let (game, solution) = solve_all(material.parse().unwrap());
        for side in counted(&game, &solution) {
            assert_eq!((side.win, side.loss), (0, 0), "{material}");
            assert!(side.draw > 0);
        }
    }
}

#[test]
fn queen_against_rook() {
    check("KQvKR");
}

/// Play from the table ends in mate after as many plies as it says.
#[test]
fn the_longest_mates_with_a_rook_take_16_moves() {
    let (game, solution) = solve_all("KRvK".parse().unwrap());
    let longest = |&state: &u64| solution.value(state) == Some(Value::Win(31));
    for state in (0..solution.states()).filter(longest).take(10) {
        let line = retrograde::line(&game, &solution, state).unwrap();
        assert_eq!(line.states.len(), 32);
        assert_eq!(line.end, LineEnd::Final(Value::Loss(0)));
    }
}
