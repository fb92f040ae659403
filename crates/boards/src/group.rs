//! Symmetries of a board: groups of permutations of its squares.

use alloc::vec;
use alloc::vec::Vec;

use crate::squares;

mod automorphisms;

use automorphisms::automorphisms;

/// The most elements of a group.
const ELEMENTS_MAX: usize = 128;

/// A group of permutations of the squares of a board. Element 0 is the identity.
///
/// ```
/// let square = retrograde_boards::Group::square(3);
/// assert_eq!(square.order(), 8);
/// // The least of the images of a corner is the corner at square 0.
/// assert_eq!(square.canonical(1 << 8).0, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Group {
    squares: u32,
    /// For each element, the image of each square.
    elements: Vec<Vec<u8>>,
    /// For each element, each byte of a set and each value of this byte: the image of the squares in the
    /// byte.
    images: Vec<[u64; 256]>,
    inverses: Vec<usize>,
    /// For each pair of elements, their product.
    products: Vec<u8>,
}

impl Group {
    /// The group that has only the identity.
    pub fn trivial(squares: u32) -> Group {
        Group::generated(squares, &[])
    }

    /// The rotations and reflections of a square board; square `(row, column)` is `row * side + column`.
    pub fn square(side: u32) -> Group {
        let turn = permutation(side, side, |row, column| column * side + side - 1 - row);
        let flip = permutation(side, side, |row, column| row * side + side - 1 - column);
        Group::generated(side * side, &[turn, flip])
    }

    /// All products of some permutations. Each permutation lists the squares that squares 0, 1, 2, .. go to.
    ///
    /// # Panics
    ///
    /// If there are more than 64 squares, if a list is not a permutation, or if there are more than 128
    /// products.
    pub fn generated(squares: u32, generators: &[Vec<u8>]) -> Group {
        assert!(squares <= 64, "{squares} squares: a set holds at most 64");
        for generator in generators {
            let mut sorted = generator.clone();
            sorted.sort_unstable();
            let all: Vec<u8> = (0..squares as u8).collect();
            assert!(sorted == all, "{generator:?} is not a permutation of {squares} squares");
        }
        let mut elements: Vec<Vec<u8>> = vec![(0..squares as u8).collect()];
        let mut done = 0;
        while let Some(element) = elements.get(done).cloned() {
            for generator in generators {
                let product = element.iter().map(|&at| generator[usize::from(at)]).collect();
                if !elements.contains(&product) {
                    elements.push(product);
                    assert!(
                        elements.len() <= ELEMENTS_MAX,
                        "these permutations make more than {ELEMENTS_MAX}"
                    );
                }
            }
            done += 1;
        }
        Group::of(squares, elements)
    }

    /// The symmetries of a graph of squares: all permutations that map steps to steps. `neighbours` lists for each square
    /// the squares that a step leads to. Each set of `marks` is mapped to itself: squares where men begin, or win. `None`
    /// if there are more than 128.
    ///
    /// A permutation of squares is a symmetry of your game only if it maps the moves of all men to moves, and won
    /// positions to won positions. So give the steps of the men that move least freely.
    ///
    /// ```
    /// use retrograde_boards::Group;
    ///
    /// // A ring of six squares, without and with a marked one.
    /// let ring: Vec<u64> = (0..6).map(|at| 1 << ((at + 1) % 6) | 1 << ((at + 5) % 6)).collect();
    /// assert_eq!(Group::automorphisms(&ring, &[]).expect("few").order(), 12);
    /// assert_eq!(Group::automorphisms(&ring, &[1 << 4]).expect("few").order(), 2);
    /// // Ten squares without steps can be permuted in any way.
    /// assert!(Group::automorphisms(&[0; 10], &[]).is_none());
    /// ```
    ///
    /// # Panics
    ///
    /// If there are more than 64 squares, or if a step or a mark is on none of them.
    pub fn automorphisms(neighbours: &[u64], marks: &[u64]) -> Option<Group> {
        let elements = automorphisms(neighbours, marks);
        let few = elements.len() <= ELEMENTS_MAX;
        few.then(|| Group::of(neighbours.len() as u32, elements))
    }

    /// The group of these elements.
    fn of(squares: u32, elements: Vec<Vec<u8>>) -> Group {
        let place =
            |wanted: Vec<u8>| elements.iter().position(|each| *each == wanted).unwrap_or_default();
        let inverse = |element: &Vec<u8>| {
            let mut inverse = vec![0; element.len()];
            (0..).zip(element).for_each(|(from, &to)| inverse[usize::from(to)] = from);
            place(inverse)
        };
        let inverses = elements.iter().map(inverse).collect();
        let product = |first: &[u8], second: &[u8]| {
            place(first.iter().map(|&at| second[usize::from(at)]).collect()) as u8
        };
        let products = elements.iter();
        let products = products
            .flat_map(|first| elements.iter().map(move |second| product(first, second)))
            .collect();
        let mut images = Vec::new();
        for element in &elements {
            for first in (0..squares as usize).step_by(8) {
                let image = |byte: usize| {
                    let moved = squares_of(byte as u64).filter_map(|at| element.get(first + at));
                    moved.fold(0, |set, &to| set | 1 << to)
                };
                images.push(core::array::from_fn(image));
            }
        }
        Group { squares, elements, images, inverses, products }
    }

    /// How many squares the board has.
    pub fn squares(&self) -> u32 {
        self.squares
    }

    /// How many elements the group has.
    pub fn order(&self) -> usize {
        self.elements.len()
    }

    /// The inverse of an element.
    pub fn inverse(&self, element: usize) -> usize {
        self.inverses[element]
    }

    /// The element that maps as one element and then another do.
    #[inline]
    pub fn product(&self, first: usize, second: usize) -> usize {
        usize::from(self.products[first * self.elements.len() + second])
    }

    /// The image of a square under an element.
    #[inline]
    pub fn square_of(&self, element: usize, square: u32) -> u32 {
        u32::from(self.elements[element][square as usize])
    }

    /// The image of a set of squares under an element.
    #[inline]
    pub fn image(&self, element: usize, set: u64) -> u64 {
        let bytes = (self.squares as usize).div_ceil(8);
        let at = |byte: usize| (set >> (8 * byte)) as usize & 255;
        match &self.images[element * bytes..][..bytes] {
            // Small boards need no loop.
            [low] => low[at(0)],
            [low, high] => low[at(0)] | high[at(1)],
            images => images.iter().enumerate().fold(0, |all, (byte, image)| all | image[at(byte)]),
        }
    }

    /// The least of the images of a set, and the first element that maps the set to it.
    pub fn canonical(&self, set: u64) -> (u64, usize) {
        let images = (0..self.order()).map(|element| (self.image(element, set), element));
        images.min().unwrap_or((set, 0))
    }

    /// The elements that map a set to itself.
    pub fn stabilizer(&self, set: u64) -> impl Iterator<Item = usize> {
        (0..self.order()).filter(move |&element| self.image(element, set) == set)
    }
}

fn permutation(rows: u32, columns: u32, to: impl Fn(u32, u32) -> u32) -> Vec<u8> {
    let squares = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    squares.map(|(row, column)| to(row, column) as u8).collect()
}

fn squares_of(set: u64) -> impl Iterator<Item = usize> {
    squares(set).map(|square| square as usize)
}
