//! Solves whole regions and compares them with published counts.

use retrograde::bit_parallel::ByWords;
use retrograde::play::LineEnd;
use retrograde::{Solution, Solver, Value, verify};
use retrograde_chess::{Endgame, Longest, Material, Solved, Stats};

/// The solution of a material, and those of the materials that it needs.
fn solve_all(material: Material) -> (Endgame<'static>, Solution) {
    let solved = material.needs().into_iter().map(|need| Solved::of(solve_all(need).1)).collect();
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

fn check(material: &str) {
    let material: Material = material.parse().unwrap();
    let (game, solution) = solve_all(material);
    let Ok(sides) = Stats::of(game.index(), &solution);
    assert_eq!(sides, Stats::of_solution(game.index(), &solution), "{material}");
    for (stats, side) in sides.iter().zip(["white", "black"]) {
        let plies = |longest: Option<Longest>| longest.map_or(0, |longest| longest.plies.into());
        let (win, loss) = (plies(stats.longest_win), plies(stats.longest_loss));
        let found = [stats.win, stats.draw, stats.loss, win, loss];
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
        let Ok(sides) = Stats::of(game.index(), &solution);
        for stats in sides {
            let drawn = Stats { draw: stats.draw, states: stats.states, ..Stats::default() };
            assert_eq!(stats, drawn, "{material}");
            assert!(stats.draw > 0);
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
