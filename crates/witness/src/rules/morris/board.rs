//! The boards of morris, point by point and line by line, as people draw them.

/// The points of a board and the lines of it.
pub(crate) struct Board {
    pub(crate) men: u32,
    /// Row by row from the top: the column as a letter, the row as a number.
    pub(crate) names: Vec<&'static str>,
    /// For each point, the points one step away.
    pub(crate) beside: Vec<u32>,
    mills: Vec<u32>,
    /// For each point, the mills through it.
    through: Vec<Vec<u32>>,
    /// For each symmetry, where each point goes. The first one is the identity.
    symmetries: Vec<Vec<u32>>,
    /// For each symmetry, byte of a set and value of that byte: the image of these points.
    images: Vec<[[u32; 256]; 3]>,
    /// For each set of mills, how few points meet all of them.
    meeting: Vec<u8>,
}

/// The rows, and the lines along which stones step. A line of three points is a mill.
type Drawn = (&'static str, &'static str);

const THREE: Drawn = ("a3 b3 c3 a2 b2 c2 a1 b1 c1", "a3b3c3 a2b2c2 a1b1c1 a3a2a1 b3b2b1 c3c2c1");
const SIX: Drawn = (
    "a5 c5 e5 b4 c4 d4 a3 b3 d3 e3 b2 c2 d2 a1 c1 e1",
    "a5c5e5 b4c4d4 b2c2d2 a1c1e1 a5a3a1 b4b3b2 d4d3d2 e5e3e1 a3b3 d3e3 c5c4 c2c1",
);
const NINE: Drawn = (
    "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1",
    "a7d7g7 b6d6f6 c5d5e5 a4b4c4 e4f4g4 c3d3e3 b2d2f2 a1d1g1 \
     a7a4a1 b6b4b2 c5c4c3 d7d6d5 d3d2d1 e5e4e3 f6f4f2 g7g4g1",
);
/// With three men, three in a row count on the diagonals too, but no stone steps along them.
const DIAGONALS: &str = "a3b2c1 a1b2c3";

impl Board {
    pub(crate) fn new(men: u32) -> Board {
        let (rows, lines) = [THREE, SIX, NINE][men as usize / 3 - 1];
        let names: Vec<&str> = rows.split(' ').collect();
        let number = |name: &str| {
            names.iter().position(|point| *point == name).expect("a line has points of the board")
        };
        let line = |line: &str| -> Vec<usize> {
            line.as_bytes().chunks(2).map(|name| number(&String::from_utf8_lossy(name))).collect()
        };
        let drawn: Vec<Vec<usize>> = lines.split(' ').map(line).collect();
        let mut beside = vec![0; names.len()];
        for pair in drawn.iter().flat_map(|line| line.windows(2)) {
            beside[pair[0]] |= 1 << pair[1];
            beside[pair[1]] |= 1 << pair[0];
        }
        let diagonals = if men == 3 { DIAGONALS } else { "" };
        let mills = drawn.into_iter().chain(diagonals.split_whitespace().map(line));
        let mills = mills.filter(|line| line.len() == 3);
        let mills: Vec<u32> = mills.map(|line| line.iter().map(|at| 1 << at).sum()).collect();
        let through =
            |point: usize| mills.iter().copied().filter(move |mill| mill >> point & 1 != 0);
        let through: Vec<Vec<u32>> = (0..names.len()).map(|at| through(at).collect()).collect();
        let symmetries = symmetries(&names, men > 3);
        let images = symmetries.iter().map(|to| images(to)).collect();
        let meeting = meeting(&mills);
        Board { men, names, beside, through, symmetries, images, meeting, mills }
    }

    /// All points.
    pub(crate) fn all(&self) -> u32 {
        (1 << self.names.len()) - 1
    }

    /// How many symmetries there are.
    pub(crate) fn symmetries(&self) -> usize {
        self.symmetries.len()
    }

    /// The image of a set under a symmetry.
    #[inline]
    pub(crate) fn image(&self, symmetry: usize, set: u32) -> u32 {
        let [low, middle, high, _] = set.to_le_bytes().map(usize::from);
        let images = &self.images[symmetry];
        images[0][low] | images[1][middle] | images[2][high]
    }

    /// Whether a stone on a point is in a mill of these stones.
    #[inline]
    pub(crate) fn closes(&self, stones: u32, point: u32) -> bool {
        self.through[point as usize].iter().any(|mill| stones & mill == *mill)
    }

    /// The stones that stand in mills.
    pub(crate) fn milled(&self, stones: u32) -> u32 {
        let closed = self.mills.iter().filter(|mill| stones & **mill == **mill);
        closed.fold(0, |all, mill| all | mill)
    }

    /// How many mills these stones have, and how few points meet all of them.
    pub(crate) fn mills(&self, stones: u32) -> (u32, u32) {
        let mills = self.mills.iter().rev();
        let closed = mills.fold(0, |set, mill| set << 1 | usize::from(stones & mill == *mill));
        (closed.count_ones(), self.meeting[closed].into())
    }

    /// The most mills through a point.
    pub(crate) fn mills_at_once(&self) -> u32 {
        self.through.iter().map(Vec::len).max().unwrap_or(0) as u32
    }
}

/// The points of a set, in order.
pub(crate) fn points(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let point = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(point)
    })
}

/// Rotations and reflections, and with `inside_out` each of them with the rings exchanged, the innermost for
/// the outermost.
fn symmetries(names: &[&str], inside_out: bool) -> Vec<Vec<u32>> {
    // Offsets from the middle.
    let side = names.iter().map(|name| i32::from(name.as_bytes()[1] - b'0')).max().unwrap_or(0);
    let middle = side / 2;
    let offset = |name: &&str| {
        let [column, row] = [name.as_bytes()[0] - b'a', name.as_bytes()[1] - b'1'].map(i32::from);
        (column - middle, row - middle)
    };
    let places: Vec<(i32, i32)> = names.iter().map(offset).collect();
    let mut all = Vec::new();
    for (exchanged, reflected, turns) in
        (0..16).map(|n| (n / 8 == 1, n / 4 % 2 == 1, n % 4)).filter(|n| inside_out || !n.0)
    {
        let moved = |&(x, y): &(i32, i32)| {
            let (mut x, mut y) = if reflected { (-x, y) } else { (x, y) };
            for _ in 0..turns {
                (x, y) = (-y, x);
            }
            let ring = i32::max(x.abs(), y.abs());
            if exchanged {
                (x, y) = (x / ring * (middle + 1 - ring), y / ring * (middle + 1 - ring));
            }
            let to = places.iter().position(|place| *place == (x, y));
            to.expect("a symmetry maps points to points") as u32
        };
        all.push(places.iter().map(moved).collect());
    }
    all
}

fn images(to: &[u32]) -> [[u32; 256]; 3] {
    let image = |byte: u32, value: u32| {
        let moved = points(value).filter_map(|at| to.get((8 * byte + at) as usize));
        moved.fold(0, |set, point| set | 1 << point)
    };
    [0, 1, 2].map(|byte| std::array::from_fn(|value| image(byte, value as u32)))
}

/// For each set of mills, how few points meet all of them. One of them lies in the first mill.
fn meeting(mills: &[u32]) -> Vec<u8> {
    let mut meeting = vec![0u8; 1 << mills.len()];
    for set in 1..meeting.len() {
        let missed = |point: u32| {
            let others = mills.iter().enumerate().filter(|(_, mill)| *mill >> point & 1 == 0);
            others.fold(0, |all, (at, _)| all | 1usize << at)
        };
        let first = mills[set.trailing_zeros() as usize];
        let least = points(first).map(|point| meeting[set & missed(point)]).min();
        meeting[set] = 1 + least.unwrap_or(0);
    }
    meeting
}
