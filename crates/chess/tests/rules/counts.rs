//! Solves whole regions and compares them with published counts.

use retrograde::bit_parallel::ByWords;
use retrograde::play::LineEnd;
use retrograde::{Counts, Outcome, Solution, Solver, Value, verify};
use retrograde_chess::{Chess, Endgame, Material, SolvedRegion};
use retrograde_regions::{Family, Run, SideFacts};

/// The solution of a material, and those of the materials that it needs.
fn solve_all(material: Material) -> (Endgame<'static>, Solution) {
    let solved =
        material.needs().into_iter().map(|need| SolvedRegion::of(solve_all(need).1)).collect();
    let game = Endgame::new(material, solved);
    let solution = Solver::new().solve(ByWords(&game)).unwrap();
    (game, solution)
}

/// The entries of `counts.txt`: wins, draws, losses, longest win, longest loss.
fn expected(material: Material, side: &str) -> Vec<Option<u64>> {
    let line = include_str!("counts.txt")
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{material} {side} ")))
        .unwrap_or_else(|| panic!("counts.txt knows nothing of {material}, {side} to move"));
    let number = |word: &str| (word != "-").then(|| word.parse().unwrap());
    line.split_whitespace().map(number).collect()
}

/// The longest loss of a side.
fn longest_loss(runs: &[Run], side: usize, solution: &Solution) -> u64 {
    let runs = runs.iter().filter(|run| run.side == side && run.positions > 0);
    let losses = runs.filter_map(|run| solution.longest(run.states.clone(), Outcome::Loss));
    losses.map(|(_, plies)| plies.into()).max().unwrap_or(0)
}

fn check(material: &str) {
    let material: Material = material.parse().unwrap();
    let (game, solution) = solve_all(material);
    let runs = Chess::runs(&game);
    let Ok(sides) = SideFacts::of(&runs, &solution);
    assert_eq!(sides, SideFacts::of_solution(&runs, &solution), "{material}");
    for (number, (facts, side)) in sides.iter().zip(["white", "black"]).enumerate() {
        let win = facts.longest_win.map_or(0, |(_, plies)| plies.into());
        let Counts { win: wins, draw, loss, .. } = facts.positions;
        let found = [wins, draw, loss, win, longest_loss(&runs, number, &solution)];
        let expected = expected(material, side);
        let same = |(found, expected): (&u64, &Option<u64>)| expected.is_none_or(|n| n == *found);
        assert_eq!(found.len(), expected.len());
        assert!(
            found.iter().zip(&expected).all(same),
            "{material}, {side} to move: {found:?} instead of {expected:?}"
        );
    }
    // State by state, so the values of the bit-parallel engine are those of the scalar one.
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
        for side in SideFacts::of_solution(&Chess::runs(&game), &solution) {
            let Counts { win, draw, loss, .. } = side.positions;
            assert!(
                (win, loss, side.longest_win) == (0, 0, None) && draw > 0,
                "{material}: {side:?}"
            );
        }
    }
}

#[test]
fn queen_against_rook() {
    check("KQvKR");
}

/// Play from the table ends in mate after exactly so many plies.
#[test]
fn the_longest_mates_with_a_rook_take_16_moves() {
    let (game, solution) = solve_all("KRvK".parse().unwrap());
    let longest = |&state: &u64| solution.value(state) == Some(Value::Win(31));
    for state in (0..solution.states()).filter(longest).take(10) {
        let line = retrograde::play::line(&game, &solution, state).unwrap();
        assert_eq!(line.states.len(), 32);
        assert_eq!(line.end, LineEnd::Terminal(Value::Loss(0)));
    }
}
