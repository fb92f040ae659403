//! A second slow solver, for larger games. It goes level by level, in time that grows with the number of
//! moves.
//!
//! It asks the rules only for forward moves, and stores all of them. For each level, it keeps a list of the
//! values that become known at that level. It shares no idea with the engine: no codes, no marks, no parts,
//! no queues.

use retrograde::{Game, Status, Value};
use std::collections::BTreeMap;

/// The value of every state, `None` if the state is invalid.
///
/// `News` is the value of one move of a state. It arrives at the level of its distance. The first win settles
/// a state. So does the last loss, once all moves have news and none of them wins. A drawing move never has
/// news.
pub fn solve(game: &impl Game) -> Vec<Option<Value>> {
    let mut values = vec![None; game.states() as usize];
    // How much news a state still waits for before it is lost; 0 once it is settled.
    let mut awaited = vec![0u64; values.len()];
    let mut news = News::default();
    // Every move, by the state it leads to.
    let mut moves: Vec<(u64, u64)> = Vec::new();
    for state in 0..game.states() {
        let (mut count, listed) = (0, moves.len());
        let decided = match game.status(state) {
            Status::Invalid => continue,
            Status::Terminal(value) => Some(value),
            Status::Open => {
                game.exits(state, |exit| {
                    count += 1;
                    news.bring(state, exit);
                });
                game.each_successor(state, |to| moves.push((to, state)));
                count += (moves.len() - listed) as u64;
                (count == 0).then(|| game.stuck())
            }
        };
        if let Some(value) = decided {
            count = 1;
            news.bring(state, value);
        }
        (values[state as usize], awaited[state as usize]) = (Some(Value::Draw), count);
    }
    moves.sort_unstable();
    while let Some((_, level)) = news.0.pop_first() {
        for (state, value) in level {
            let awaited = &mut awaited[state as usize];
            let lost = matches!(value, Value::Loss(_));
            let settles = if lost { *awaited == 1 } else { *awaited > 0 };
            *awaited = if lost { awaited.saturating_sub(1) } else { 0 };
            if settles {
                values[state as usize] = Some(value);
                let first = moves.partition_point(|&(to, _)| to < state);
                for &(_, from) in moves[first..].iter().take_while(|&&(to, _)| to == state) {
                    news.bring(from, value.after_move(game.keeps_turn(from, state)));
                }
            }
        }
    }
    values
}

/// For each level, pairs of a state and the value of one of its moves.
#[derive(Default)]
struct News(BTreeMap<u32, Vec<(u64, Value)>>);

impl News {
    fn bring(&mut self, state: u64, value: Value) {
        if let Some(level) = value.distance() {
            self.0.entry(level).or_default().push((state, value));
        }
    }
}
