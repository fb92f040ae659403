//! The text of a position of police and thief, `police 0,0 3,4`: who is to move, where the police
//! stand, where the thief stands. Every pursuit shares it, whatever its places are called.

/// The names of the movers, in the order of [`Placement::mover`].
pub const MOVERS: [&str; 2] = ["police", "thief"];

/// Who stands where, and who is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Which of [`MOVERS`] is to move.
    pub mover: usize,
    /// The places of the police, in ascending order.
    pub police: Vec<u32>,
    /// The place of the thief.
    pub thief: u32,
}

impl Placement {
    /// The position in words, each place by its name.
    pub fn text(&self, name: impl Fn(u32) -> String) -> String {
        let mut text = MOVERS[self.mover].to_string();
        for &place in self.police.iter().chain([&self.thief]) {
            text.push(' ');
            text.push_str(&name(place));
        }
        text
    }

    /// The position that a text names, or what is wrong with it. `find` tells the place of a name.
    pub fn parse(
        text: &str,
        police: u32,
        find: impl Fn(&str) -> Result<u32, String>,
    ) -> Result<Placement, String> {
        let mut words = text.split_whitespace();
        let mover = words
            .next()
            .and_then(|word| MOVERS.iter().position(|mover| *mover == word))
            .ok_or_else(|| {
                format!("{text:?} does not begin with police or thief: name who is to move first")
            })?;
        let mut places = words.map(find).collect::<Result<Vec<u32>, String>>()?;
        if places.len() as u64 != u64::from(police) + 1 {
            let count = places.len();
            return Err(format!(
                "{text:?} names {count} places: name {police} for the police, then the thief's"
            ));
        }
        let thief = places.pop().expect("at least the thief's place was named");
        places.sort_unstable();
        Ok(Placement { mover, police: places, thief })
    }
}
