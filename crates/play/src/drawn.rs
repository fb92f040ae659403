//! Turns a board that a game draws as text into cells, so that a player can choose moves with the arrow keys.

use std::collections::HashSet;

use retrograde_catalog::{Oracle, Played, State, Way};

use crate::field::{Grid, Look, Paint, Tile};

/// The characters of lines and blanks: no man stands there.
const LINES: &str = "-|/\\ ";

/// The look of a state without a board of cells, and its moves with the cells to point at.
pub(crate) fn drawn(
    oracle: &dyn Oracle,
    state: &State,
    mut moves: Vec<Played>,
) -> (Look, Vec<Played>) {
    let Some(picture) = oracle.picture(state) else {
        return (Look::Text(oracle.text(state)), moves);
    };
    if moves.iter().any(|played| !ways(oracle, state, played).is_empty()) {
        return turning(oracle, state, &picture, moves);
    }
    let first = first_letter(oracle);
    let Some(first) = first.filter(|_| oracle.players().len() == 2) else {
        return (Look::Text(picture), moves);
    };
    let before = Letters::read(&picture);
    for played in &mut moves {
        if let Some(after) = played.to.as_ref().and_then(|to| oracle.picture(to)) {
            played.path = before.path(&Letters::read(&after));
        }
    }
    let tile = |&sign: &char| {
        let paint = match sign {
            '.' => Paint::Floor,
            sign if LINES.contains(sign) => Paint::Floor,
            sign => Paint::Man(usize::from(sign != first), false),
        };
        Tile { sign, paint }
    };
    let cells = before.signs.iter().map(tile).collect();
    (Look::Grid(Grid { columns: before.columns, cells, names: None, below: None }), moves)
}

fn ways(oracle: &dyn Oracle, state: &State, played: &Played) -> Vec<Way> {
    played.to.as_ref().map(|to| oracle.ways(state, to)).unwrap_or_default()
}

/// The same for games whose states are positions up to symmetry. Each way to make a move is a choice of its own, with
/// the squares to point at.
fn turning(
    oracle: &dyn Oracle,
    state: &State,
    picture: &str,
    moves: Vec<Played>,
) -> (Look, Vec<Played>) {
    let board = Letters::read(picture);
    let tile = |&sign: &char| {
        let paint = match sign {
            'x' => Paint::Man(0, false),
            'o' => Paint::Man(1, false),
            _ => Paint::Floor,
        };
        Tile { sign, paint }
    };
    let cells = board.signs.iter().map(tile).collect();
    let (mut met, mut all) = (HashSet::new(), Vec::new());
    for played in moves.into_iter().filter(|played| met.insert(played.to.clone())) {
        all.extend(ways(oracle, state, &played).into_iter().map(|way| Played {
            path: board.pointed(&way.name),
            label: way.name,
            ..played.clone()
        }));
    }
    (Look::Grid(Grid { columns: board.columns, cells, names: None, below: None }), all)
}

/// The letter of the first player's men: the letter that the first player's moves put on the board.
fn first_letter(oracle: &dyn Oracle) -> Option<char> {
    let start = oracle.start()?;
    let best = oracle.ask(&start).ok()?.moves.into_iter().next()?;
    let [before, after] = [Some(start), best.to]
        .map(|state| oracle.picture(&state?).map(|picture| Letters::read(&picture)));
    let (before, after) = (before?, after?);
    let cell = *before.path(&after).last()?;
    Some(after.signs[cell])
}

/// A picture as rows of equal length.
struct Letters {
    columns: usize,
    signs: Vec<char>,
}

impl Letters {
    fn read(picture: &str) -> Letters {
        let columns = picture.lines().map(|line| line.chars().count()).max().unwrap_or(0).max(1);
        let row = |line: &str| format!("{line:columns$}").chars().collect::<Vec<_>>();
        Letters { columns, signs: picture.lines().flat_map(row).collect() }
    }

    /// The cells of the squares in the name of a move, on a board with names at its edge. A path of four squares may be
    /// the beginning of a longer one. So its last square is pointed at twice.
    fn pointed(&self, name: &str) -> Vec<usize> {
        let side = self.signs.len() / self.columns - 1;
        let signs: Vec<char> = name.chars().filter(|sign| sign.is_ascii_alphanumeric()).collect();
        let cell = |square: &[char]| {
            let (column, row) =
                (square[0] as usize - 'a' as usize, square[1] as usize - '0' as usize);
            (side - row) * self.columns + 2 + 2 * column
        };
        let mut path: Vec<usize> = signs.chunks_exact(2).map(cell).collect();
        if path.len() == 4 {
            path.extend(path.last().copied());
        }
        path
    }

    /// The cells that men leave, then the cells that they enter. If a man leaves the board, its cell is pointed at
    /// twice.
    fn path(&self, after: &Letters) -> Vec<usize> {
        let changed = || {
            let pairs = self.signs.iter().zip(&after.signs).enumerate();
            pairs.filter(|(_, (before, after))| before != after)
        };
        let left = changed().filter(|(_, (_, after))| **after == '.').map(|(cell, _)| cell);
        let reached = changed().filter(|(_, (_, after))| **after != '.').map(|(cell, _)| cell);
        match (left.collect::<Vec<_>>(), reached.collect::<Vec<_>>()) {
            (left, reached) if reached.is_empty() => [&left[..], &left[..]].concat(),
            (left, reached) => [left, reached].concat(),
        }
    }
}

#[cfg(test)]
mod tests {
    use retrograde::Solver;
    use retrograde_catalog::{Engine, Known, Solved, game};
    use retrograde_games::{GAMES, Setup};

    use super::*;
    use crate::field::Field;

    /// A player can point at every slide of quixo and every place of an L. These moves used to be a list in which one
    /// name occurred many times.
    #[test]
    fn moves_of_turning_boards_are_pointed_at() {
        for (name, arguments) in [("quixo", &[("size", "3")][..]), ("l-game", &[])] {
            let game = game(&Setup::parse(name, arguments, None).unwrap()).unwrap();
            let solution = game.solve(Engine::Scalar, Solver::new()).unwrap();
            let solved = Solved::new(&*game, Known::Solution(&solution)).unwrap();
            let field = Field::new(name, &solved);
            // A seventh of the positions, with both players to move.
            for number in (0..game.states()).step_by(7) {
                if solution.value(number).is_none() {
                    continue;
                }
                let node = field.look(&Solved::state(number)).unwrap();
                let Look::Grid(grid) = &node.look else { continue };
                let mut paths: Vec<_> = node.moves.iter().map(|played| &played.path).collect();
                assert!(paths.iter().all(|path| path.len() >= 2), "{name}");
                let on_board = |cell: &usize| ".xon".contains(grid.cells[*cell].sign);
                assert!(paths.iter().all(|path| path.iter().all(on_board)), "{name}");
                paths.sort_unstable();
                // No path is the beginning of another.
                assert!(
                    paths.windows(2).all(|two| !two[1].starts_with(two[0])),
                    "{name}: {}",
                    node.text
                );
            }
        }
    }

    /// A player can point at every move of these games, and no two moves have the same cells. Their boards used to be
    /// plain text.
    #[test]
    fn moves_of_small_games_are_pointed_at() {
        let plain = GAMES.iter().filter(|game| game.file.is_none() && game.parameters.is_empty());
        for name in plain.map(|game| game.name) {
            let game = game(&Setup::parse(name, &[], None).unwrap()).unwrap();
            if game.sides().len() != 2 {
                continue;
            }
            let solution = game.solve(Engine::Scalar, Solver::new()).unwrap();
            let solved = Solved::new(&*game, Known::Solution(&solution)).unwrap();
            let field = Field::new(name, &solved);
            for number in 0..game.states() {
                let state = Solved::state(number);
                let node = field.look(&state).unwrap();
                let Look::Grid(grid) = &node.look else { panic!("{name} has no board") };
                let men = grid.cells.iter().filter(|tile| matches!(tile.paint, Paint::Man(..)));
                assert!(men.count() <= 8, "{name}");
                let mut paths: Vec<_> = node.moves.iter().map(|played| &played.path).collect();
                for (played, path) in node.moves.iter().zip(&paths) {
                    assert!(!path.is_empty() && path.iter().all(|cell| *cell < grid.cells.len()));
                    if let [from, .., to] = path[..] {
                        let side = node.side.unwrap();
                        assert_eq!(grid.cells[from].paint, Paint::Man(side, false), "{name}");
                        assert!(grid.cells[to].sign == '.' || from == to, "{}", played.label);
                    }
                }
                paths.sort_unstable();
                paths.dedup();
                assert_eq!(paths.len(), node.moves.len(), "{name}: {}", node.text);
            }
        }
    }
}
