//! Regions: positions that no move leads back to, once play has left them.
//!
//! Cells between which moves lead back and forth are one region. A region takes less memory to solve than the whole game, and its moves
//! into other regions need only the values of these.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use crate::cells::{Cell, Shifts, reachable};
use crate::game::DescribedGame;
use crate::page::Page;
use crate::words::upper;

/// Some cells of a game, between which moves lead back and forth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellRegion {
    /// The men of both players, those in hand behind a `+`: `KQvKR`, `2MvM+2M`. If the same men make two regions, the player to move
    /// follows.
    pub name: String,
    /// Its cells: the numbers of the positions, and which player is to move.
    pub cells: Vec<(Range<u64>, usize)>,
    /// The regions that its moves lead to. They come before it.
    pub needs: Vec<usize>,
}

impl<const N: usize> DescribedGame<N> {
    /// The regions of the game, each behind those that it needs. The region of the start is the last one.
    pub fn regions(&self) -> Vec<CellRegion> {
        let (page, slots) = (self.page(), &self.0.0.book.slots);
        let numbers: Vec<(Vec<u32>, Range<u64>)> = self.0.0.cells.iter().collect();
        let places = numbers.iter().enumerate().map(|(place, (counts, _))| (&**counts, place));
        let places: HashMap<&[u32], usize> = places.collect();
        // A cell without numbers has those of the cell with the players in changed roles, or the game is over there.
        let place_of = |cell: &Cell| {
            let counts = slots.counts(cell);
            let other = || slots.exchanged(page, &counts);
            places.get(&*counts).or_else(|| places.get(&*other()?)).copied()
        };
        let (shifts, cells) = (
            Shifts::new(&page.text, &page.atoms),
            reachable(&page.text, &page.atoms)
                .expect("the text has been compiled with these cells"),
        );
        let mut ways: Vec<Vec<usize>> = vec![Vec::new(); numbers.len()];
        let mut named: Vec<Option<&Cell>> = vec![None; numbers.len()];
        for cell in &cells {
            let Some(place) = place_of(cell) else { continue };
            if slots.counts(cell) == numbers[place].0 {
                named[place] = Some(cell);
            }
            shifts.each_after(&page.text, &page.atoms, cell, |after| {
                ways[place].extend(place_of(&after).filter(|after| *after != place));
            });
        }
        ways.iter_mut().for_each(|after| {
            after.sort_unstable();
            after.dedup();
        });
        let start = place_of(&cells[0]).expect("the game is not over at the start");
        let components = components(&ways, start);
        let mut region_of = vec![0; numbers.len()];
        let places = components.iter().enumerate();
        places.for_each(|(region, all)| all.iter().for_each(|&place| region_of[place] = region));
        let first_of =
            |component: &Vec<usize>| named[component[0]].expect("a cell with numbers is reachable");
        let men: Vec<String> =
            components.iter().map(|component| page.men_of(first_of(component))).collect();
        let mut alike: HashMap<&str, usize> = HashMap::new();
        men.iter().for_each(|name| *alike.entry(name).or_default() += 1);
        let mut regions = Vec::with_capacity(components.len());
        for (region, component) in components.iter().enumerate() {
            let others = component.iter().flat_map(|&place| &ways[place]);
            let needs: BTreeSet<usize> = others.map(|&after| region_of[after]).collect();
            let mut name = men[region].clone();
            if alike[&*name] > 1 {
                name += &format!("-{}", page.text.players[first_of(component).side]);
            }
            let cell = |&place: &usize| {
                let (counts, states) = &numbers[place];
                (states.clone(), counts[slots.side] as usize)
            };
            let cells = component.iter().map(cell).collect();
            let needs = needs.into_iter().filter(|need| *need != region).collect();
            regions.push(CellRegion { name, cells, needs });
        }
        regions
    }
}

impl Page {
    /// The men of a cell: `KQvKR`, `2MvM+2M`.
    fn men_of(&self, cell: &Cell) -> String {
        let classes = self.text.classes.iter().enumerate();
        let men = |counts: &[u8], player: usize| {
            let own = classes.clone().filter(|(_, class)| class.player == player);
            let some = own.filter(|(at, _)| counts[*at] > 0);
            let some = some.map(|(at, class)| match counts[at] {
                1 => upper(class.sign()).to_string(),
                count => format!("{count}{}", upper(class.sign())),
            });
            some.collect::<String>()
        };
        let of = |player| match men(&cell.hand, player) {
            hand if hand.is_empty() => men(&cell.board, player),
            hand => format!("{}+{hand}", men(&cell.board, player)),
        };
        format!("{}v{}", of(0), of(1))
    }
}

/// The strongly connected components of what a place leads to, each behind those that it leads to. Its places are in order.
///
/// This is Tarjan's algorithm, without recursion.
fn components(ways: &[Vec<usize>], start: usize) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut found = vec![NEW; ways.len()];
    let mut low = vec![0; ways.len()];
    let mut is_open = vec![false; ways.len()];
    let (mut components, mut open, mut path, mut count) = (Vec::new(), vec![], vec![(start, 0)], 0);
    while let Some((place, way)) = path.pop() {
        if way == 0 {
            (found[place], low[place], is_open[place]) = (count, count, true);
            count += 1;
            open.push(place);
        } else {
            low[place] = low[place].min(low[ways[place][way - 1]]);
        }
        let next = (way..ways[place].len()).find(|&way| {
            let to = ways[place][way];
            if found[to] != NEW && is_open[to] {
                low[place] = low[place].min(found[to]);
            }
            found[to] == NEW
        });
        if let Some(way) = next {
            path.extend([(place, way + 1), (ways[place][way], 0)]);
        } else if low[place] == found[place] {
            let first = open.iter().rposition(|&other| other == place).expect("it is open");
            let mut component = open.split_off(first);
            component.iter().for_each(|&other| is_open[other] = false);
            component.sort_unstable();
            components.push(component);
        }
    }
    components
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn components_come_behind_those_that_they_lead_to() {
        // 0 -> 1 <-> 2 -> 3, 0 -> 3 -> 4 -> 5 -> 3.
        let ways = [vec![1, 3], vec![2], vec![1, 3], vec![4], vec![5], vec![3]];
        assert_eq!(components(&ways, 0), [vec![3, 4, 5], vec![1, 2], vec![0]]);
        assert_eq!(components(&[vec![0]], 0), [vec![0]]);
    }
}
