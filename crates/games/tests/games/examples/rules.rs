//! The answers of the second copy of the rules. It also reads the files a second time, as simply as the examples allow.

use super::{Question, Solved};
use crate::naive::{self, Ground};
use retrograde::Outcome;

pub(crate) fn answer(question: &Question) -> Solved {
    let words = |line: &str| -> Vec<String> {
        line.split('#').next().unwrap().split_whitespace().map(str::to_string).collect()
    };
    let pair = |line: &[String]| (line[0].clone(), line[1].clone());
    match question.game() {
        "graph" => {
            // DOT in the form of the example: each statement is a path or an assignment.
            let text = question.text();
            let (mut moves, mut given) = (Vec::new(), Vec::new());
            if let Some((_, body)) = text.split_once('{') {
                for path in body.split([';', '\n']).filter(|statement| statement.contains("->")) {
                    let path = path.split('[').next().unwrap();
                    let path: Vec<String> =
                        path.split("->").map(|name| name.trim().to_string()).collect();
                    moves.extend(path.windows(2).map(pair));
                }
            } else {
                for line in text.lines().map(words).filter(|line| !line.is_empty()) {
                    if line[0] == "=" {
                        given.push(pair(&line[1..]));
                    } else {
                        moves.push(pair(&line));
                    }
                }
            }
            let start = Some(moves[0].0.clone());
            let values = naive::graph(&moves, &given, question.misere());
            Solved { values, start, cop_win: None, signs: None }
        }
        "pursuit" => {
            let text = question.text();
            let text = match text.split_once('\n') {
                Some((size, rest)) if size.starts_with(|c: char| c.is_ascii_digit()) => rest,
                _ => &text,
            };
            let find = |letter| -> Vec<String> {
                let row = |(row, line): (usize, &str)| -> Vec<String> {
                    line.match_indices(letter)
                        .map(|(column, _)| format!("{row},{column}"))
                        .collect()
                };
                text.lines().enumerate().flat_map(row).collect()
            };
            let (police, thief) = (find('P'), find('T'));
            let start =
                (!police.is_empty()).then(|| format!("police {} {}", police.join(" "), thief[0]));
            let values = Ground::board(text).solve(question.police() as usize);
            Solved { values, start, cop_win: None, signs: None }
        }
        "chase" => {
            let text = question.text();
            let (mut edges, mut exits, mut police, mut thief) =
                (Vec::new(), Vec::new(), Vec::new(), None);
            for line in text.lines().map(words).filter(|line| !line.is_empty()) {
                match &*line[0] {
                    "!" => exits.push(line[1].clone()),
                    "police" => police.push(line[1].clone()),
                    "thief" => thief = Some(line[1].clone()),
                    _ => edges.push(pair(&line)),
                }
            }
            let ground = Ground::graph(&edges, &exits);
            let values = ground.solve(question.police() as usize);
            let cop_win = Some(ground.cop_win(question.police() as usize, &values));
            let start = thief.map(|thief| format!("police {} {thief}", police.join(" ")));
            Solved { values, start, cop_win, signs: None }
        }
        "take" => {
            let takes = question.option("--take").unwrap();
            let takes = (takes != "any").then(|| question.numbers("--take"));
            let values =
                naive::take(&question.numbers("--heaps"), takes.as_deref(), question.misere());
            let start = Some(question.option("--heaps").unwrap().to_string());
            Solved { values, start, cop_win: None, signs: None }
        }
        "corner" => {
            let (rows, columns) =
                (question.number("--rows").unwrap(), question.number("--columns").unwrap());
            let values = naive::corner(
                question.option("--piece").unwrap(),
                rows,
                columns,
                question.misere(),
            );
            let sign =
                |cell: String| if values[&cell].outcome() == Outcome::Win { '+' } else { '-' };
            let row = |row| {
                (0..columns).map(|column| sign(format!("{row},{column}"))).collect::<String>()
            };
            let signs = (0..rows).map(row).collect::<Vec<_>>().join("\n");
            Solved { values, start: Some("0,0".to_string()), cop_win: None, signs: Some(signs) }
        }
        other => panic!("no game is called {other}"),
    }
}
