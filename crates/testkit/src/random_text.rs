//! Random texts of described games, with every word of the language.

use crate::Rng;

/// The text of a small game (docs/texts.md). Most are right, and some make no sense.
pub fn random_text(rng: &mut Rng) -> String {
    let mut text = String::from("game random\n");
    let named = rng.chance(50);
    let players = if named { ["us", "them"] } else { ["first", "second"] };
    if named {
        text += "players us them\n";
    }
    let board = rng.pick(&[
        "board grid 2 2", "board grid 3 2", "board grid 2 3", "board grid 3 3", "board grid 1 5", "board grid 4 3 dark",
        "board points\nrow a . b\nrow . c .\nrow d . e\nline side ab bd\nline side ea\nline slant ace bcd\n",
        "board points\nrow a b c d\nline rim abcda\n",
        "board points\nrow a b\nrow c d\nrow e .\nline one abd ce\nline two bdcb\n",
    ]);
    text += board;
    text.push('\n');
    let grid = board.starts_with("board grid");
    let points: &[&str] = match grid {
        true => &["a1", "a2", "b1", "b2", "row-1", "row-2", "column-a", "column-b", "a1,b2", "any"],
        false => &["a", "b", "c", "ab", "cd", "ad", "bc", "acd", "any"],
    };
    let directions: &[&str] = match grid {
        true => &[
            "n",
            "e",
            "s",
            "w",
            "ne",
            "se",
            "sw",
            "nw",
            "orthogonal",
            "diagonal",
            "all",
            "n e",
            "s sw",
            "knight",
            "w knight",
            "nne ese",
            "any",
        ],
        false if board.contains("side") => {
            &["side", "-side", "slant", "-slant", "all", "side -slant", "any"]
        }
        false if board.contains("one") => &["one", "-one", "two", "-two", "all", "one two"],
        false => &["rim", "-rim", "rim -rim", "all"],
    };
    let kinds: &[&str] = if rng.chance(40) { &["man"] } else { &["man", "king"] };
    let mut starts = vec![];
    for kind in kinds {
        let whose = rng.pick(&["both", "both", "both", players[0], players[1]]);
        let count = rng.pick(&[0, 1, 1, 1, 2, 2]);
        let hand = rng.chance(40);
        text += &format!("men {whose} {kind} {count}{}\n", if hand { " hand" } else { "" });
        for player in players
            .iter()
            .filter(|player| !hand && count > 0 && (whose == "both" || whose == **player))
        {
            starts.push(format!("start {player} {kind} {}\n", rng.pick(points)));
        }
    }
    starts.iter().for_each(|start| text += start);
    if rng.chance(12) {
        text += &format!("royal {}{}\n", rng.pick(kinds), rng.pick(&["", "", " for first"]));
    }
    if rng.chance(15) {
        text += &format!("mill {} {}\n", rng.pick(&[2, 2, 3]), rng.pick(directions));
    }
    let only = |rng: &mut Rng| match rng.chance(20) {
        true => format!(" for {}", rng.pick(&players)),
        false => String::new(),
    };
    for _ in 0..1 + rng.below(4) {
        let kinds = if rng.chance(50) { rng.pick(kinds).to_owned() } else { kinds.join(",") };
        if rng.chance(30) {
            text += &format!("drop {kinds} {}", rng.pick(points));
            if rng.chance(15) {
                text += &format!(" upon {}", rng.pick(directions));
            }
            text += if rng.chance(15) { " else" } else { "" };
            text += if rng.chance(20) { " as king" } else { "" };
        } else {
            let way = ["step", "step", "slide", "run", "jump", "leave"];
            let way = rng.pick(&way);
            text += &format!("move {kinds} {way} {}", rng.pick(directions));
            let takes = !["run", "leave"].contains(&way);
            if takes && rng.chance(50) {
                text += if rng.chance(30) && !way.starts_with("jump") {
                    " only-takes"
                } else {
                    " takes"
                };
                text += if way == "jump" && rng.chance(60) { " again" } else { "" };
            }
            for (option, percent) in [(" placed", 12), (" else", 15)] {
                text += if rng.chance(percent) { option } else { "" };
            }
            if rng.chance(12) {
                text += &format!(" beside {}", rng.pick(directions));
            }
        }
        text += &only(rng);
        text.push('\n');
    }
    if rng.chance(40) {
        text += rng.pick(&["taken hand\n", "taken back\n"]);
    }
    if kinds.len() > 1 && rng.chance(40) {
        let [from, into] = rng.pick(&[["man", "king"], ["king", "man"]]);
        let options = rng.pick(&["", " dropped", " takes", " takes dropped"]);
        text += &format!("promote {from} {into} {}{options}{}\n", rng.pick(points), only(rng));
        text += if rng.chance(40) { "demote king man\n" } else { "" };
    }
    for _ in 0..rng.below(4) {
        let kind = rng.pick(kinds);
        let zone = rng.pick(points);
        let end = match rng.below(8) {
            0 => format!("line {} {}", rng.pick(&[2, 2, 3]), rng.pick(directions)),
            1 if grid => rng.pick(&["block 2 1", "block 1 2", "block 2 2"]).to_owned(),
            2 => format!("own {zone}"),
            3 => format!("own {zone} other {}", rng.pick(points)),
            4 => "out".to_owned(),
            5 => format!("take {kind}"),
            6 => format!("below {}", rng.pick(&[1, 2, 2, 3])),
            _ => format!("reach {kind} {zone}{}", if rng.chance(50) { " safe" } else { "" }),
        };
        text += &format!("win {end}{}\n", only(rng));
    }
    for word in ["stuck", "held", "both"] {
        if rng.chance(40) {
            text += &format!("{word} {}\n", rng.pick(&["loses", "wins", "draws"]));
        }
    }
    text
}

/// The text of a small game in which a man is alone of his kind, and no player has men in hand.
pub fn random_text_of_lone_man(rng: &mut Rng) -> String {
    let (columns, rows) = rng.pick(&[(2, 2), (3, 2), (2, 3), (3, 3), (5, 1), (4, 2)]);
    let mut text = format!("game lone\nboard grid {columns} {rows}\n");
    let mut free: Vec<String> = (0..columns * rows)
        .map(|at| format!("{}{}", char::from(b'a' + (at % columns) as u8), at / columns + 1))
        .collect();
    let mut starts = String::new();
    let mut men = vec![("lone", rng.pick(&["first", "second"]), 1)];
    for kind in ["man", "king"] {
        let whose: &[&str] = rng.pick(&[&["first", "second"], &["first"], &["second"], &[]]);
        men.extend(whose.iter().map(|player| (kind, *player, 1 + u64::from(rng.chance(25)))));
    }
    for (kind, player, count) in &men {
        text += &format!("men {player} {kind} {count}\n");
        let at: Vec<String> = (0..(*count).min(free.len() as u64))
            .map(|_| free.swap_remove(rng.below(free.len() as u64) as usize))
            .collect();
        starts += &format!("start {player} {kind} {}\n", at.join(","));
    }
    text += &starts;
    let mut kinds: Vec<&str> = men.iter().map(|(kind, ..)| *kind).collect();
    kinds.dedup();
    if rng.chance(40) {
        text += &format!("royal {}\n", rng.pick(&kinds));
    }
    let directions = [
        "n",
        "e",
        "s",
        "ne",
        "orthogonal",
        "diagonal",
        "all",
        "all",
        "knight",
        "ssw",
        "any",
        "n e",
    ];
    for &kind in &kinds {
        for _ in 0..1 + rng.below(2) {
            let way = rng.pick(&["step", "step", "slide", "run"]);
            text += &format!("move {kind} {way} {}", rng.pick(&directions));
            if way != "run" && rng.chance(60) {
                text += if rng.chance(25) { " only-takes" } else { " takes" };
            }
            text.push('\n');
        }
    }
    if rng.chance(30) {
        text += rng.pick(&["promote man king row-1\n", "promote man king any takes\n"]);
    }
    let points = ["a1", "a2", "b1", "b2", "row-1", "row-2", "column-a", "column-b", "a1,b2"];
    for _ in 0..rng.below(4) {
        let (kind, zone) = (rng.pick(&kinds), rng.pick(&points));
        let end = match rng.below(8) {
            0 => format!("line 2 {}", rng.pick(&directions)),
            1 => format!("own {zone} other {}", rng.pick(&points)),
            2 => "out".to_owned(),
            3 | 4 => format!("take {kind}"),
            5 => format!("below {}", 2 + rng.below(2)),
            6 => format!("reach {kind} {zone}"),
            _ => format!("reach {kind} {zone} safe"),
        };
        let only = rng.pick(&["", " for first", " for second"]);
        text += &format!("win {end}{only}\n");
    }
    for word in ["stuck", "held", "both"] {
        if rng.chance(40) {
            text += &format!("{word} {}\n", rng.pick(&["loses", "wins", "draws"]));
        }
    }
    text
}
