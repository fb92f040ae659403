//! Moves on the board as drawn, for games whose states are positions up to symmetry.

use retrograde::{Game, Predecessors, Status};
use retrograde_games::{Quixo, Setup, SetupError, Show, Visitor};
use retrograde_testkit::deep;

/// The text of the position after a move that `picture` shows. There the men of the other player are `x`.
fn text_of(picture: &str) -> String {
    let rows: Vec<String> = picture
        .lines()
        .filter(|line| line.starts_with(|first: char| first.is_ascii_digit()))
        .map(|line| line.chars().skip(2).step_by(2).map(swapped).collect())
        .collect();
    rows.join("/")
}

fn swapped(sign: char) -> char {
    match sign {
        'x' => 'o',
        'o' => 'x',
        sign => sign,
    }
}

/// Every move has a way, every way leads to the position it names, and no two ways share a name. Checks one in `step`
/// states.
fn holds(game: &(impl Game + Show), step: usize) -> usize {
    let mut all = 0;
    for from in (0..game.states()).step_by(step) {
        if game.status(from) != Status::Open {
            continue;
        }
        let mut successors = Vec::new();
        game.successors(from, |to| successors.push(to));
        successors.sort_unstable();
        successors.dedup();
        let mut names = Vec::new();
        for to in successors {
            let ways = game.ways(from, to);
            assert_eq!(ways.first().map(|way| &way.name), Some(&game.step(from, to)));
            for way in ways {
                assert_eq!(game.parse(&text_of(&way.picture)), Ok(to), "{}", way.picture);
                assert!(!way.name.is_empty());
                names.push(way.name);
            }
        }
        let count = names.len();
        all += count;
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{}", game.text(from));
    }
    all
}

struct Holds;

impl Visitor for Holds {
    type Output = usize;

    fn visit<G: Show + Predecessors + Send + 'static>(self, game: G) -> usize {
        holds(&game, if deep() { 1 } else { 3 })
    }
}

/// A slide that changed no letter had no name, and a board could be drawn in an image that no slide leads to.
#[test]
fn every_slide_of_quixo_has_a_way_and_a_name() {
    assert!(holds(&Quixo::new(3).unwrap(), 1) > 1000);
}

#[test]
fn every_move_of_the_l_game_has_a_way_and_a_name() -> Result<(), SetupError> {
    assert!(Setup::parse("l-game", &[], None)?.visit(Holds)? > 10_000);
    Ok(())
}
