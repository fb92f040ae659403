//! Random games with a symmetry. A group of permutations of a few points acts on the states, and all states
//! of an orbit are alike. Orbits differ in size, so a solver that counts moves without multiplicity fails.

use crate::{Plain, Rng, random};
use retrograde::{Status, Value};

/// A game with all its symmetries.
#[derive(Clone, Debug)]
pub struct Symmetric {
    /// The game itself.
    pub game: Plain,
    /// Every element of the group, as the list of the images of all states. The identity comes first.
    pub maps: Vec<Vec<u64>>,
}

impl Symmetric {
    /// The least state of the orbit of `state`.
    pub fn canonical(&self, state: u64) -> u64 {
        self.maps.iter().map(|map| map[state as usize]).min().expect("a group has an identity")
    }
}

/// A random symmetric game. The states are points and ordered pairs of points, in one or two copies, called
/// layers.
pub fn game(seed: u64) -> Symmetric {
    let mut rng = Rng::new(seed);
    let points = rng.within(2..5);
    let group = group(&mut rng, points);
    let layers = rng.within(1..3);
    let maps: Vec<Vec<u64>> = group.iter().map(|element| action(element, layers)).collect();
    let states = maps[0].len() as u64;

    let mut game = Plain::open(states);
    for state in 0..states {
        if maps.iter().any(|map| map[state as usize] < state) {
            continue; // Its orbit has been dealt with.
        }
        let status = match rng.below(10) {
            0 => Status::Invalid,
            1 => Status::Terminal(Value::Loss(rng.below(3) as u32)),
            2 if rng.chance(30) => Status::Terminal(Value::Draw),
            2 => Status::Terminal(Value::Win(rng.below(3) as u32)),
            _ => Status::Open,
        };
        let exits = match rng.below(12) {
            0 => vec![Value::Win(5)],
            1 => vec![Value::Loss(4), Value::Loss(7)],
            2 => vec![Value::Draw],
            _ => vec![],
        };
        for map in &maps {
            let image = map[state as usize] as usize;
            game.statuses[image] = status;
            game.exits[image] = if status == Status::Open { exits.clone() } else { vec![] };
        }
    }
    let (open, ends) = (
        game.states_where(|status| status == Status::Open),
        game.states_where(|status| status != Status::Invalid),
    );
    if !open.is_empty() {
        for _ in 0..rng.below(1 + states / 2) {
            connect_orbit(&mut game, &maps, rng.pick(&open), rng.pick(&ends));
            if rng.chance(15) {
                keep_between_orbits(&mut game, &maps, rng.pick(&open), rng.pick(&ends));
            }
        }
    }
    game.stuck = random::stuck(&mut rng);
    Symmetric { game, maps }
}

/// Adds all images of one move under the group, each once.
fn connect_orbit(game: &mut Plain, maps: &[Vec<u64>], from: u64, to: u64) {
    let mut images: Vec<(u64, u64)> =
        maps.iter().map(|map| (map[from as usize], map[to as usize])).collect();
    images.sort_unstable();
    images.dedup();
    images.into_iter().for_each(|(from, to)| game.connect(from, to));
}

/// Lets every move between two orbits keep the turn, because a quotient cannot tell such moves apart.
fn keep_between_orbits(game: &mut Plain, maps: &[Vec<u64>], from: u64, to: u64) {
    for first in maps {
        let images = maps.iter().map(|second| (first[from as usize], second[to as usize]));
        game.kept.extend(images);
    }
}

/// The group that one or two random permutations generate, the identity first.
fn group(rng: &mut Rng, points: u64) -> Vec<Vec<u64>> {
    let generators: Vec<Vec<u64>> = (0..rng.within(1..3))
        .map(|_| {
            let mut permutation: Vec<u64> = (0..points).collect();
            for last in (1..points).rev() {
                permutation.swap(last as usize, rng.below(last + 1) as usize);
            }
            permutation
        })
        .collect();
    let mut elements = vec![(0..points).collect::<Vec<u64>>()];
    let mut next = 0;
    while next < elements.len() {
        for generator in &generators {
            let product = elements[next].iter().map(|&point| generator[point as usize]).collect();
            if !elements.contains(&product) {
                elements.push(product);
            }
        }
        next += 1;
    }
    elements
}

/// How a permutation of the points acts on the states. Each layer has the points first, then the ordered
/// pairs.
fn action(element: &[u64], layers: u64) -> Vec<u64> {
    let points = element.len() as u64;
    let layer_states = points + points * points;
    let mut map = Vec::new();
    for layer in 0..layers {
        let base = layer * layer_states;
        map.extend(element.iter().map(|point| base + point));
        for &first in element {
            map.extend(element.iter().map(|second| base + points + first * points + second));
        }
    }
    debug_assert_eq!(map.len() as u64, layers * layer_states);
    map
}
