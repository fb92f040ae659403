//! Compares the engine with theorems about these games.

use std::ops::ControlFlow;

use crate::registered::{reached, stored};
use retrograde::adapters::{Folded, Symmetric};
use retrograde::play::reachable;
use retrograde::{Counts, Game, Outcome, Solution, Status, Value, solve, verify};
use retrograde_boards::Group;
use retrograde_games::{Chase, Corner, Cubes, Piece, Quixo, Setup, Take, Takes};
use retrograde_positions::{AnyPositions, AnyStates};
use retrograde_testkit::{Rng, deep, seed};

fn loses(solution: &Solution, state: u64) -> bool {
    let outcome = solution.outcome(state).expect("no state of these games is invalid");
    assert_ne!(outcome, Outcome::Draw, "no play of these games is endless");
    outcome == Outcome::Loss
}

/// Bachet's game (1612): leave a multiple of four. The winner then answers one with three, two with two, and three with
/// one. The loser lasts longest by taking one each time. So a multiple of four lasts two plies for each four.
#[test]
fn taking_up_to_three_is_lost_on_multiples_of_four() {
    let solution = solve(&Take::new(&[1000], Takes::Set(vec![1, 2, 3])).unwrap());
    for heap in 0..=1000 {
        let rounds = heap as u32 / 4;
        let expected =
            if heap % 4 == 0 { Value::Loss(2 * rounds) } else { Value::Win(2 * rounds + 1) };
        assert_eq!(solution.value(heap), Some(expected), "heap of {heap}");
    }
}

/// Bouton, "Nim, a game with a complete mathematical theory" (1901): a position is lost if the sizes xor to 0. In
/// misère play, if no heap is above one, it is lost if the number of ones is odd.
#[test]
fn nim_is_lost_where_the_heaps_xor_to_nothing() {
    for heaps in [&[3, 5, 7][..], &[9], &[1, 1, 1, 1, 1], &[6, 0, 10, 4], &[15, 15, 15]] {
        let game = Take::new(heaps, Takes::Any).unwrap();
        let (normal, misere) = (solve(&game), solve(&game.clone().misere(true)));
        for state in 0..normal.states() {
            let text = game.text(state).unwrap();
            let sizes: Vec<u32> = text.split(',').map(|size| size.parse().unwrap()).collect();
            let xor = sizes.iter().fold(0, |xor, size| xor ^ size);
            assert_eq!(loses(&normal, state), xor == 0, "{text}");
            let ones_only = sizes.iter().all(|&size| size <= 1);
            assert_eq!(loses(&misere, state), (xor == 0) != ones_only, "{text}, misère");
        }
    }
}

/// Sprague (1935) and Grundy (1939): a heap is worth the Nim heap of the least size to which none of its takes leads.
#[test]
fn any_take_set_plays_like_nim() {
    let seed = seed();
    let mut rng = Rng::new(seed);
    for _ in 0..50 {
        let takes: Vec<u32> = (0..rng.within(1..5)).map(|_| rng.within(1..9) as u32).collect();
        let heaps: Vec<u32> = (0..rng.within(1..4)).map(|_| rng.below(14) as u32).collect();
        let mut grundy: Vec<u32> = Vec::new();
        for heap in 0..14 {
            let reached: Vec<u32> = takes
                .iter()
                .filter(|&&take| take <= heap)
                .map(|take| grundy[(heap - take) as usize])
                .collect();
            grundy.extend((0..).find(|value| !reached.contains(value)));
        }
        let game = Take::new(&heaps, Takes::Set(takes.clone())).unwrap();
        let solution = solve(&game);
        for state in 0..solution.states() {
            let text = game.text(state).unwrap();
            let xor =
                text.split(',').fold(0, |xor, size| xor ^ grundy[size.parse::<usize>().unwrap()]);
            assert_eq!(loses(&solution, state), xor == 0, "{text}, takes {takes:?}, seed {seed}");
        }
    }
}

/// Wythoff, "A modification of the game of Nim" (1907): the k-th pair of lost distances from the corner begins with the
/// least number that is in no earlier pair, and its numbers differ by k.
#[test]
fn the_queen_loses_on_wythoffs_pairs() {
    const SIDE: u32 = 300;
    let solution = solve(&Corner::new(Piece::Queen, SIDE, SIDE).unwrap());
    let mut used = vec![false; 2 * SIDE as usize];
    let mut pairs = Vec::new();
    for k in 0..SIDE {
        let least = (0..).find(|&n: &u32| !used[n as usize]).unwrap();
        if least + k >= SIDE {
            break;
        }
        (used[least as usize], used[(least + k) as usize]) = (true, true);
        pairs.push((least, least + k));
    }
    // The tenth pair as Wythoff prints it. The pairs contain every number.
    assert_eq!((pairs[10], pairs.len()), ((16, 26), 115));
    for down in 0..SIDE {
        for right in 0..SIDE {
            let state = u64::from((SIDE - 1 - down) * SIDE + SIDE - 1 - right);
            let pair = (down.min(right), down.max(right));
            assert_eq!(
                loses(&solution, state),
                pairs.contains(&pair),
                "{down} up and {right} left of the corner"
            );
        }
    }
}

/// The rook plays Nim with two heaps. The king loses if both distances are even. The bishop can reach an edge at once,
/// where it cannot move, so it loses only there.
#[test]
fn the_other_pieces_lose_by_their_distances() {
    let (rows, columns) = (40, 61);
    for (piece, lost) in [
        (Piece::Rook, (|down, right| down == right) as fn(u32, u32) -> bool),
        (Piece::King, |down, right| down % 2 == 0 && right % 2 == 0),
        (Piece::Bishop, |down, right| down.min(right) == 0),
    ] {
        let game = Corner::new(piece, rows, columns).unwrap();
        let signs = game.signs(&solve(&game)).unwrap();
        let expected: Vec<String> = (0..rows)
            .map(|row| {
                let sign =
                    |column| if lost(rows - 1 - row, columns - 1 - column) { '-' } else { '+' };
                (0..columns).map(sign).collect()
            })
            .collect();
        assert_eq!(signs, expected.join("\n"), "{piece:?}");
    }
}

/// The least number of police that catch the thief on a graph.
fn cop_number(edges: &str) -> u32 {
    let catch = |&police: &u32| {
        let chase = Chase::parse(edges, police).unwrap();
        chase.cop_win(&solve(&chase)).unwrap().is_some()
    };
    (1..).find(catch).unwrap()
}

/// Nowakowski and Winkler, "Vertex-to-vertex pursuit in a graph" (1983).
#[test]
fn one_policeman_wins_on_every_tree() {
    let seed = seed();
    let mut rng = Rng::new(seed);
    for vertices in 2..40 {
        let tree: String =
            (1..vertices).map(|vertex| format!("{vertex} {}\n", rng.below(vertex))).collect();
        assert_eq!(cop_number(&tree), 1, "seed {seed}: {tree}");
    }
}

#[test]
fn one_policeman_wins_on_every_complete_graph() {
    for vertices in 2..12 {
        let edges = (0..vertices).flat_map(|a| (0..a).map(move |b| format!("{a} {b}\n")));
        assert_eq!(cop_number(&edges.collect::<String>()), 1);
    }
}

/// Aigner and Fromme, "A game of cops and robbers" (1984).
#[test]
fn two_police_win_on_every_long_cycle() {
    for vertices in 4..20 {
        let cycle: String =
            (0..vertices).map(|a| format!("{a} {}\n", (a + 1) % vertices)).collect();
        assert_eq!(cop_number(&cycle), 2, "a cycle of {vertices}");
    }
    assert_eq!(cop_number("a b\nb c\nc a\n"), 1);
}

/// Maamoun and Meyniel, "On a game of policemen and robber" (1987), for grids of any dimension.
#[test]
fn two_police_win_on_every_grid() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 3), (2, 7), (4, 5), (6, 6)] {
        let mut grid = String::new();
        for row in 0..rows {
            for column in 0..columns {
                if row + 1 < rows {
                    grid += &format!("{row},{column} {},{column}\n", row + 1);
                }
                if column + 1 < columns {
                    grid += &format!("{row},{column} {row},{}\n", column + 1);
                }
            }
        }
        assert_eq!(cop_number(&grid), 2, "{rows} by {columns}");
    }
}

/// Aigner and Fromme (1984): if no cycle is shorter than five, and each vertex has three neighbours, three police are
/// needed.
#[test]
fn three_police_win_on_the_petersen_graph() {
    assert_eq!(cop_number(include_str!("../../../../examples/petersen.txt")), 3);
}

/// Each vertex of a graph without edges needs a policeman of its own. More than six police use separate code.
#[test]
fn every_island_needs_a_policeman() {
    assert_eq!(cop_number("a a\nb b\nc c\nd d\n"), 4);
    let chase = Chase::parse("a a\nb b\nc c\n", 8).unwrap();
    let places = chase.cop_win(&solve(&chase)).unwrap().unwrap();
    assert_eq!(places.len(), 8);
    assert!(["a", "b", "c"].iter().all(|island| places.iter().any(|place| place == island)));
}

/// Published about the L-game: up to symmetry it has 2,296 positions; 29 are lost, 1,006 are won, and the start is a
/// draw.
#[test]
fn the_l_game_has_the_published_counts() {
    let game = stored(&Setup::parse("l-game", &[], None).unwrap());
    let solution = solve(&game);
    verify(&game, &solution).unwrap();
    assert_eq!(solution.value(game.number(&game.start().unwrap()).unwrap()), Some(Value::Draw));
    let counts = Counts { win: 1_006, loss: 29, draw: 1_261, ..Counts::default() };
    assert_eq!(solution.counts(), counts);
}

/// Published by the GamesCrafters of Berkeley with their solver GamesmanUni (nyc.cs.berkeley.edu/uni): the value of the
/// start, how many of the reachable positions are won, lost and drawn, and the longest distance.
#[test]
fn small_games_have_the_published_counts() {
    for (name, start, [win, loss, draw], longest) in [
        ("achi", Value::Win(9), [2997, 1185, 1208], 10),
        ("dodgem", Value::Win(19), [1123, 840, 0], 21),
        ("hare", Value::Win(23), [1118, 849, 543], 28),
        ("mu-torere", Value::Draw, [208, 128, 844], 5),
        ("tsoro", Value::Win(11), [435, 240, 131], 11),
    ] {
        let game = reached(name);
        let solution = solve(&game);
        verify(&game, &solution).unwrap();
        assert_eq!(
            solution.value(game.number(&game.start().unwrap()).unwrap()),
            Some(start),
            "{name}"
        );
        let counts = Counts { win, loss, draw, ..Counts::default() };
        assert_eq!(solution.counts(), counts, "{name}");
        let distances = (0..game.states()).filter_map(|state| solution.value(state)?.distance());
        assert_eq!(distances.max(), Some(longest), "{name}");
    }
}

/// Philip D. Straffin, Position graphs for Pong Hau K'i and Mu Torere, Mathematics Magazine 68, 1995: best play is a draw.
#[test]
fn pong_hau_ki_is_a_draw() {
    let game = reached("pong-hau-ki");
    let solution = solve(&game);
    verify(&game, &solution).unwrap();
    assert_eq!(solution.value(game.number(&game.start().unwrap()).unwrap()), Some(Value::Draw));
    let lost = (0..game.states()).filter(|&state| solution.value(state) == Some(Value::Loss(0)));
    assert!(lost.count() > 0, "a player can be shut in");
}

/// Published there too, for positions with the side to move, mirror images counted separately.
#[test]
fn quixo_has_the_published_counts() {
    for (side, start, [win, loss, draw], longest) in [
        (3, Value::Win(7), [20_247, 11_780, 0], 8),
        (4, Value::Win(21), [49_953_979, 29_330_646, 3_213_236], 22),
    ] {
        // The larger one takes ten seconds.
        if side == 4 && !deep() {
            continue;
        }
        let game = Quixo::new(side).unwrap();
        let solution = solve(&game);
        let empty = game.number(&game.start().unwrap()).unwrap();
        assert_eq!(solution.value(empty), Some(start));
        let reached = reachable(&Turned(&game.0), [empty]);
        let (mut counts, mut farthest) = ([0; 3], 0);
        for state in reached.iter() {
            let orbit = state % game.states();
            let value = solution.value(orbit).unwrap();
            counts[value.outcome() as usize] += 8 / u64::from(game.0.0.stabilizer(orbit));
            farthest = farthest.max(value.distance().unwrap_or(0));
        }
        let [lost, drawn, won] = counts;
        assert_eq!(([won, lost, drawn], farthest), ([win, loss, draw], longest), "{side} rows");
    }
}

/// Boards up to symmetry, by Burnside: a symmetry keeps a board if the cubes are equal along each of its cycles.
#[test]
fn of_the_largest_quixo_it_is_said_how_large_it_is() {
    let group = Group::square(5);
    let cycles = |element: usize| {
        let along =
            |from| std::iter::successors(Some(from), |&at| Some(group.square_of(element, at)));
        let is_least = |&from: &u32| along(from).skip(1).take(24).all(|at| at >= from);
        (0..25).filter(is_least).count() as u32
    };
    let boards: u64 = (0..group.order()).map(|element| 3u64.pow(cycles(element))).sum();
    let positions = (boards / group.order() as u64).to_string();
    let error = Quixo::new(5).unwrap_err().to_string().replace(',', "");
    assert!(error.contains(&positions), "{error}: {positions}");
}

/// Quixo with separate states for the two players: first those of the first player, then the others.
struct Turned<'a>(&'a Folded<Cubes>);

impl Game for Turned<'_> {
    fn states(&self) -> u64 {
        2 * self.0.states()
    }

    fn status(&self, state: u64) -> Status {
        self.0.status(state % self.0.states())
    }

    fn successors(
        &self,
        state: u64,
        mut visit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let states = self.0.states();
        let other = if state < states { states } else { 0 };
        self.0.successors(state % states, |to| visit(other + to))
    }
}
