//! Moves of games whose states are positions up to symmetry.

use retrograde::Predecessors;
use retrograde_games::{Quixo, Setup, SetupError, Solvable, Visitor};
use retrograde_positions::{Positions, check_position};
use retrograde_testkit::{Rng, seed};

/// Plays some games at random, and checks every position on the way. No move changes a man that it does not touch.
fn holds<G: Solvable>(game: &G, slides: bool) -> usize {
    let seed = seed();
    let mut rng = Rng::new(seed);
    let mut all = 0;
    for _ in 0..20 {
        let mut position = game.start().unwrap();
        for _ in 0..40 {
            check_position(game, &position).unwrap();
            let board = game.board(&position).unwrap();
            let mut next = Vec::new();
            game.moves(&position, &mut |played| {
                let after = game.board(&played.next).unwrap();
                let men = |board: &retrograde_positions::Board, point: usize| {
                    board.men_on(point).map(|man| (man.kind, man.player)).collect::<Vec<_>>()
                };
                let own = Some(game.player(&position));
                let touched = |point: &usize| {
                    let [before, after] = [&board, &after].map(|board| men(board, *point));
                    before == after
                        || played.points.contains(point)
                        || before.iter().any(|(_, player)| *player == own)
                };
                let last = *played.points.last().unwrap();
                assert!(slides || (0..board.points.len()).all(|point| touched(&point)));
                assert!(!men(&after, last).is_empty());
                next.push(played.next);
            });
            all += next.len();
            if next.is_empty() {
                break;
            }
            position = next.swap_remove(rng.below(next.len() as u64) as usize);
        }
    }
    all
}

struct Holds;

impl Visitor for Holds {
    type Output = usize;

    fn visit<G: Solvable + Predecessors + 'static>(self, game: G) -> usize {
        holds(&game, false)
    }
}

/// A slide that changed no letter had no name. And the board of the next position could be a mirror image, with the letters of
/// the players exchanged.
#[test]
fn every_slide_of_quixo_has_a_name_and_the_board_stays() {
    let game = Quixo::new(3).unwrap();
    assert!(holds(&game, true) > 1000);
    let start = game.start().unwrap();
    let mut after = None;
    game.moves(&start, &mut |played| {
        if played.name == "a3-c3" {
            after = Some(game.write(&played.next));
        }
    });
    assert_eq!(after.as_deref(), Some("o ..x/.../..."));
}

#[test]
fn every_move_of_the_l_game_has_a_name_and_the_board_stays() -> Result<(), SetupError> {
    assert!(Setup::parse("l-game", &[], None)?.visit(Holds)? > 10_000);
    Ok(())
}
