//! The examples assert published figures; this test runs them.

#[path = "../../examples/dao.rs"]
mod dao;
#[path = "../../examples/dobutsu.rs"]
#[allow(dead_code)]
mod dobutsu;
#[path = "../../examples/fox_and_hounds.rs"]
mod fox_and_hounds;
#[path = "../../examples/l_game.rs"]
mod l_game;

#[test]
fn dao() {
    dao::main();
}

#[test]
fn dobutsu_shogi() {
    dobutsu::solve_small();
}

#[test]
fn fox_and_hounds() {
    fox_and_hounds::main();
}

#[test]
fn the_l_game() {
    l_game::main();
}
