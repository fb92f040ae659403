//! The text of a position of police and thief, `police 0,0 3,4`: the side to move, the places of the police,
//! the place of the thief. All games of pursuit share it, whatever the names of their places.

/// The names of the sides, in the order of [`Placement::side`].
pub const SIDES: [&str; 2] = ["police", "thief"];

/// The places of all players, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Which of [`SIDES`] is to move.
    pub side: usize,
    /// The places of the police, in ascending order.
    pub police: Vec<u32>,
    /// The place of the thief.
    pub thief: u32,
}

impl Placement {
    /// The position as text, with the name of each place.
    pub fn text(&self, name: impl Fn(u32) -> String) -> String {
        let mut text = SIDES[self.side].to_string();
        for &place in self.police.iter().chain([&self.thief]) {
            text.push(' ');
            text.push_str(&name(place));
        }
        text
    }

    /// The position that a text names. The error says what is wrong with the text. `find` gives the place of
    /// a name.
    pub fn parse(
        text: &str,
        police: u32,
        find: impl Fn(&str) -> Result<u32, String>,
    ) -> Result<Placement, String> {
        let mut words = text.split_whitespace();
        let side = words
            .next()
            .and_then(|word| SIDES.iter().position(|side| *side == word))
            .ok_or_else(|| {
                format!(
                    "{text:?} does not begin with police or thief: write the side to move first"
                )
            })?;
        let mut places = words.map(find).collect::<Result<Vec<u32>, String>>()?;
        if places.len() as u64 != u64::from(police) + 1 {
            let count = places.len();
            return Err(format!(
                "{text:?} names {count} places: write {police} for the police, then one for the thief"
            ));
        }
        let thief = places.pop().expect("at least the thief's place was named");
        places.sort_unstable();
        Ok(Placement { side, police: places, thief })
    }
}
