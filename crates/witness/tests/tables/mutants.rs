//! One value of a table is wrong, and all checksums are right. The witness refuses every such table, and so
//! does `verify`.
//!
//! By default a few dozen tables. A deep check makes 500 of each game, and 500 of endgames of chess.

use std::fs;
use std::path::Path;

use retrograde::internal::checksum::checksum;
use retrograde::{Game, Status};
use retrograde_catalog::{Engine, Known};
use retrograde_chess::{Chess, Index, Material, Tablebase};
use retrograde_games::Board;
use retrograde_regions::{Manifest, RegionExits, Tables};
use retrograde_table::{BestExits, Compression, Exits, InvalidStates, Table, Writer};
use retrograde_testkit::{Rng, deep, seed};
use retrograde_witness::tables;

use crate::common::{Lie, Scratch, Solved, assert_refused, other};
use crate::sample::sampled;
use crate::texts::all_words;

/// How many mutants of a kind to make.
fn mutants(few: u64) -> u64 {
    if deep() { 500 } else { few }
}

#[test]
fn mutants_of_games_are_refused() {
    let seed = seed();
    let boards = [(6, 9, 20, 1), (10, 10, 15, 1), (9, 9, 0, 1), (3, 5, 10, 2)];
    let mut solved = Vec::from(boards.map(|(rows, columns, walls, police)| {
        let exits = if walls == 0 { 0 } else { 2 };
        let board = Board::random(rows, columns, walls, exits, 0, seed).unwrap();
        Solved::pursuit(&board.to_string(), police)
    }));
    solved.push(Solved::new("quixo", &[("size", "3")], None, true));
    solved.push(Solved::new("l-game", &[], None, true));
    refuse_mutants(&solved, seed);
}

#[test]
fn mutants_of_texts_are_refused() {
    let solved = all_words().map(|text| Solved::new("text", &[], Some(text), true));
    let outcomes = |solved: &Solved| solved.solution.counts();
    assert!(solved.iter().map(outcomes).all(|counts| counts.win > 0 && counts.loss > 0));
    assert!(solved.iter().any(|solved| outcomes(solved).draw > solved.solution.states() / 4));
    refuse_mutants(&solved, seed());
}

/// The tables of some games in turn, each with one wrong value.
fn refuse_mutants(solved: &[Solved], seed: u64) {
    let (folder, mut rng) = (Scratch::new(), Rng::new(seed));
    let rounds = solved.len() as u64 * mutants(3);
    let path = folder.join("mutant.table");
    for (round, solved) in (0..rounds).zip(solved.iter().cycle()) {
        let Solved { game, solution, .. } = solved;
        let state = loop {
            let state = rng.below(game.states());
            if game.rules().status(state) != Status::Invalid {
                break state;
            }
        };
        let truth = solution.value(state).unwrap();
        let lie = Lie { truth: solution, state, value: other(truth, &mut rng) };
        let what = format!(
            "round {round} of seed {seed}: {} is {truth:?}, not {:?}",
            game.text(state).unwrap(),
            lie.value
        );
        solved.writer().compression(Compression::Fast).write(&path, &lie).unwrap();
        assert_refused(&path, &what);
        let table = Table::open(&path).unwrap();
        table.check().expect("checksums find no lie");
        let known = Known::Table(table.into());
        let verified = game.verify(Engine::BitParallel, Default::default(), &known);
        assert!(verified.is_err(), "{what}: verify finds nothing");
    }
}

#[test]
fn mutants_of_endgames_are_refused() {
    let (folder, seed) = (Scratch::new(), seed());
    let mut rng = Rng::new(seed);
    let many = deep();
    let targets = if many { &["KPvK", "KQvKR", "KPvKP"][..] } else { &["KPvK"] };
    let endgames = folder.endgames(targets);
    let paths = tables(&endgames).unwrap();
    let three: Vec<_> = paths.iter().filter(|path| stem(path).len() == 4).collect();
    let mut forgotten = 0;
    for round in 0..mutants(8) {
        // A proof of KPvKP, the least endgame with en passant captures, takes a minute, and one of KQvKR seconds.
        let path = match round % 200 {
            50 if many => &endgames.join("KPvKP.table"),
            at if many && at % 10 == 0 => &endgames.join("KQvKR.table"),
            _ => rng.pick(&three),
        };
        let material: Material = stem(path).parse().unwrap();
        let honest = fs::read(path).unwrap();
        let endings = Tablebase::open(&endgames).unwrap();
        let table = endings.opened(&material).unwrap().table();
        let index = Index::new(material);
        let (state, position) = loop {
            // Every other change of KPvKP is in a position with an en passant capture.
            let passing = index.placements()..index.states();
            let state = match !passing.is_empty() && round / 200 % 2 == 0 {
                true => rng.within(passing),
                false => rng.below(index.states()),
            };
            if let Some(position) = index.position(state) {
                break (state, position);
            }
        };
        let truth = table.probe(state).unwrap().unwrap();
        let value = other(truth, &mut rng);
        let what = format!("round {round} of seed {seed}: {position} is {truth:?}, not {value:?}");
        let writer =
            Writer::new(table.header().about.clone()).invalid_states(InvalidStates::Forgotten);
        let writer = writer.grids(table.header().rows());
        // If both sides would be consistent with the wrong value, the table must keep both.
        let half = table.header().half().filter(|_| table.keeps(state) && rng.chance(50));
        let writer = half.into_iter().fold(writer, Writer::half);
        let lie = Lie { truth: table, state, value };
        let mutant = path.with_extension("mutant");
        // A lie that is worse than the best exit would be no lie if exits were forgotten.
        let folder = Tables::open(Chess, &endgames).unwrap();
        let written = folder.with_game_watched(&material, Some(u64::MAX), |game, failure| {
            let exits = RegionExits::<Chess>::new(game, &mutant, failure);
            let exit = exits.best_exit(state).unwrap();
            let writer = match half.is_some() && exit.is_none_or(|exit| exit < value) {
                true => writer.forget_exits(&exits),
                false => writer,
            };
            writer.compression(Compression::Fast).write(&mutant, &lie).unwrap();
        });
        written.unwrap();
        let exits = Table::open(&mutant).unwrap().header().exits;
        forgotten += u32::from(exits == Exits::Forgotten);
        fs::rename(mutant, path).unwrap();
        assert_refused(path, &what);
        assert!(
            !three.contains(&path) || sampled(path, u64::MAX).is_err(),
            "{what}: a sample of all positions finds nothing"
        );
        // The manifest believes the lie: only the values can tell.
        let told = Manifest::read(&endgames).unwrap().unwrap();
        let mut corrected = told.clone();
        let entry = corrected.regions.get_mut(stem(path)).unwrap();
        let bytes = fs::read(path).unwrap();
        entry.bytes = bytes.len() as u64;
        entry.checksum = format!("{:016x}", checksum(&bytes, 0));
        corrected.write(&endgames).unwrap();
        let verified = Tablebase::open(&endgames).unwrap().verify(&material).unwrap_err();
        assert!(verified.to_string().contains("state"), "{what}: {verified}");
        fs::write(path, honest).unwrap();
        told.write(&endgames).unwrap();
    }
    assert!(forgotten > 0 || !many, "no mutant leaves out what exits tell");
}

fn stem(path: &Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap()
}
