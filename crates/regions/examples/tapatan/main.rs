//! Tapatan, from the Philippines, as a family of regions. Copy this example to write a family of your own:
//! `cargo run --release -p retrograde-regions --example tapatan` builds it.
//!
//! Nine points lie three by three, joined along rows, columns and both diagonals. Two players put three men each on the
//! points in turn. Then a move takes one man a step along a line. A player who makes three in a row wins. Endless play
//! is a draw. The program solves it from a text, `examples/games/tapatan.game`.
//!
//! A region is named by the number of placed men, `p0` to `p5`, and `m` once all are placed. No move takes a man, so
//! each region needs only the next one. Both colours move alike. So a state says which men the side to move has, and
//! `m` has no separate states for the colours.

pub(crate) mod board;
mod family;
pub(crate) mod game;
mod positions;

pub(crate) use family::{Tapatan, Tier};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    use retrograde_positions::Positions;
    use retrograde_regions::{Builder, Tablebase};

    let folder = std::env::temp_dir().join("retrograde-tapatan");
    Builder::new(&Tapatan, &folder).build(&[Tier::START])?;
    let tables = Tablebase::<Tapatan>::open(&folder)?;
    let start = Tapatan.start().expect("a start");
    println!("{start}: {}", tables.probe(&start)?.value);
    std::fs::remove_dir_all(folder)?;
    Ok(())
}
