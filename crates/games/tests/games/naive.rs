//! A second copy of the rules, written from their statement with rows, columns and labels instead of numbers. It solves
//! a game by going through all positions again and again. It shares nothing with the games or the engine except the
//! type of a value, and judges both.
//! the games or the engine but the type of a value, and judges both.

use retrograde::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The value of every position by its text.
pub(crate) type Values = BTreeMap<String, Value>;

/// The status of a position by the rules.
pub(crate) enum Rule {
    Over(Value),
    Moves(Vec<String>),
}

/// Solves a game given by all its positions.
pub(crate) fn solve(rules: BTreeMap<String, Rule>) -> Values {
    let mut values = Values::new();
    let mut open = BTreeMap::new();
    for (position, rule) in rules {
        match rule {
            Rule::Over(value) => drop(values.insert(position, value)),
            Rule::Moves(moves) => drop(open.insert(position, moves)),
        }
    }
    for distance in 0.. {
        let settles = |moves: &Vec<String>| {
            let known: Vec<_> = moves.iter().map(|to| values.get(to).copied()).collect();
            if distance > 0 && known.contains(&Some(Value::Loss(distance - 1))) {
                Some(Value::Win(distance))
            } else if known.iter().all(|to| matches!(to, Some(Value::Win(d)) if *d < distance)) {
                Some(Value::Loss(distance))
            } else {
                None
            }
        };
        let settled: Vec<_> =
            open.iter().filter_map(|(p, moves)| Some((p.clone(), settles(moves)?))).collect();
        if settled.is_empty() && distance > 0 {
            break;
        }
        for (position, value) in settled {
            open.remove(&position);
            values.insert(position, value);
        }
    }
    values.extend(open.into_keys().map(|position| (position, Value::Draw)));
    values
}

/// A chase over named places: the steps from each place (without staying), and the exits.
pub(crate) struct Ground {
    pub(crate) places: Vec<String>,
    pub(crate) police_steps: BTreeSet<(String, String)>,
    pub(crate) thief_steps: BTreeSet<(String, String)>,
    pub(crate) exits: BTreeSet<String>,
}

impl Ground {
    /// A board as text, without the line for its size.
    pub(crate) fn board(text: &str) -> Ground {
        let mut cells = Vec::new();
        for (row, line) in (0i32..).zip(text.lines()) {
            for (column, letter) in (0i32..).zip(line.chars()) {
                if letter != '*' {
                    cells.push((row, column, letter));
                }
            }
        }
        let name = |&(row, column, _): &(i32, i32, char)| format!("{row},{column}");
        let steps = |near: &dyn Fn(i32, i32) -> bool| {
            let mut steps = BTreeSet::new();
            for from in &cells {
                for to in &cells {
                    if near((from.0 - to.0).abs(), (from.1 - to.1).abs()) {
                        steps.insert((name(from), name(to)));
                    }
                }
            }
            steps
        };
        Ground {
            police_steps: steps(&|rows, columns| rows.max(columns) == 1),
            thief_steps: steps(&|rows, columns| rows + columns == 1),
            exits: cells.iter().filter(|cell| cell.2 == 'E').map(name).collect(),
            places: cells.iter().map(name).collect(),
        }
    }

    /// A graph by its edges.
    pub(crate) fn graph(edges: &[(String, String)], exits: &[String]) -> Ground {
        let steps: BTreeSet<_> = edges
            .iter()
            .flat_map(|(a, b)| [(a.clone(), b.clone()), (b.clone(), a.clone())])
            .collect();
        let mut places = Vec::new();
        for (a, b) in edges {
            for label in [a, b] {
                if !places.contains(label) {
                    places.push(label.clone());
                }
            }
        }
        Ground {
            places,
            police_steps: steps.clone(),
            thief_steps: steps,
            exits: exits.iter().cloned().collect(),
        }
    }

    /// The value of every position with so many police. The text names them in the order of the places.
    pub(crate) fn solve(&self, police: usize) -> Values {
        let mut rules = BTreeMap::new();
        for crowd in self.crowds(police) {
            for thief in &self.places {
                let caught = crowd.contains(thief);
                let out = self.exits.contains(thief);
                let (to_police, to_thief) = if caught {
                    (Rule::Over(Value::Win(0)), Rule::Over(Value::Loss(0)))
                } else if out {
                    (Rule::Over(Value::Loss(0)), Rule::Over(Value::Win(0)))
                } else {
                    let police_moves =
                        self.crowd_moves(&crowd).into_iter().map(|to| text("thief", &to, thief));
                    let thief_moves = self
                        .moves(&self.thief_steps, thief)
                        .into_iter()
                        .map(|to| text("police", &crowd, &to));
                    (Rule::Moves(police_moves.collect()), Rule::Moves(thief_moves.collect()))
                };
                rules.insert(text("police", &crowd, thief), to_police);
                rules.insert(text("thief", &crowd, thief), to_thief);
            }
        }
        solve(rules)
    }

    /// Whether the police can choose places from which they win wherever the thief is.
    pub(crate) fn cop_win(&self, police: usize, values: &Values) -> bool {
        self.crowds(police).iter().any(|crowd| {
            self.places
                .iter()
                .all(|thief| matches!(values[&text("police", crowd, thief)], Value::Win(_)))
        })
    }

    /// Every way to place so many police, each way once.
    fn crowds(&self, police: usize) -> BTreeSet<Vec<String>> {
        let mut crowds = BTreeSet::from([Vec::new()]);
        for _ in 0..police {
            crowds = crowds
                .iter()
                .flat_map(|crowd| self.places.iter().map(|place| self.with(crowd, place)))
                .collect();
        }
        crowds
    }

    fn crowd_moves(&self, crowd: &[String]) -> BTreeSet<Vec<String>> {
        let mut crowds = BTreeSet::from([Vec::new()]);
        for from in crowd {
            let to = self.moves(&self.police_steps, from);
            crowds = crowds
                .iter()
                .flat_map(|begun| to.iter().map(|place| self.with(begun, place)))
                .collect();
        }
        crowds
    }

    fn moves(&self, steps: &BTreeSet<(String, String)>, from: &str) -> Vec<String> {
        let near = |to: &&String| *to == from || steps.contains(&(from.to_string(), (*to).clone()));
        self.places.iter().filter(near).cloned().collect()
    }

    fn with(&self, crowd: &[String], place: &str) -> Vec<String> {
        let mut crowd = crowd.to_vec();
        crowd.push(place.to_string());
        crowd.sort_by_key(|member| self.places.iter().position(|place| place == member));
        crowd
    }
}

fn text(side: &str, crowd: &[String], thief: &str) -> String {
    format!("{side} {} {thief}", crowd.join(" "))
}

/// Heaps. `takes` is `None` if a player may take any number.
pub(crate) fn take(heaps: &[u32], takes: Option<&[u32]>, misere: bool) -> Values {
    let mut positions = vec![Vec::new()];
    for &heap in heaps {
        positions = positions
            .iter()
            .flat_map(|begun: &Vec<u32>| (0..=heap).map(|size| [&begun[..], &[size]].concat()))
            .collect();
    }
    let text = |sizes: &[u32]| sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let rule = |sizes: &Vec<u32>| {
        let mut moves = Vec::new();
        for heap in 0..sizes.len() {
            for taken in
                (1..=sizes[heap]).filter(|taken| takes.is_none_or(|takes| takes.contains(taken)))
            {
                let mut left = sizes.clone();
                left[heap] -= taken;
                moves.push(text(&left));
            }
        }
        stuck(moves, misere)
    };
    solve(positions.iter().map(|sizes| (text(sizes), rule(sizes))).collect())
}

/// A walk to the corner. The first letter names the piece.
pub(crate) fn corner(piece: &str, rows: u32, columns: u32, misere: bool) -> Values {
    let mut rules = BTreeMap::new();
    let text = |row: u32, column: u32| format!("{row},{column}");
    for row in 0..rows {
        for column in 0..columns {
            let mut moves = Vec::new();
            for to_row in row..rows {
                for to_column in column..columns {
                    let (down, right) = (to_row - row, to_column - column);
                    let straight = (down == 0) != (right == 0);
                    let diagonal = down == right && down > 0;
                    let walks = match piece {
                        "queen" => straight || diagonal,
                        "rook" => straight,
                        "bishop" => diagonal,
                        "king" => (straight || diagonal) && down.max(right) == 1,
                        _ => panic!("no piece is called {piece}"),
                    };
                    if walks {
                        moves.push(text(to_row, to_column));
                    }
                }
            }
            rules.insert(text(row, column), stuck(moves, misere));
        }
    }
    solve(rules)
}

/// A directed graph, with its moves and the given values.
pub(crate) fn graph(
    moves: &[(String, String)],
    given: &[(String, String)],
    misere: bool,
) -> Values {
    let mut rules = BTreeMap::new();
    for vertex in
        moves.iter().flat_map(|(from, to)| [from, to]).chain(given.iter().map(|(vertex, _)| vertex))
    {
        let rule =
            match given.iter().find(|(valued, _)| valued == vertex).map(|(_, value)| &**value) {
                Some("win") => Rule::Over(Value::Win(0)),
                Some("loss") => Rule::Over(Value::Loss(0)),
                Some(_) => Rule::Over(Value::Draw),
                None => {
                    let moves = moves.iter().filter(|(from, _)| from == vertex);
                    stuck(moves.map(|(_, to)| to.clone()).collect(), misere)
                }
            };
        rules.insert(vertex.clone(), rule);
    }
    solve(rules)
}

/// A player who cannot move loses, or wins in misère play.
fn stuck(moves: Vec<String>, misere: bool) -> Rule {
    if moves.is_empty() && misere { Rule::Over(Value::Win(0)) } else { Rule::Moves(moves) }
}
