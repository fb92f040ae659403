//! The texts of morris, the arguments that choose regions, and the names of regions.

use retrograde_regions::{Arguments, Family, FamilyTexts, Kind, Parameter, Spec};
use retrograde_table::About;

use crate::board::Men;
use crate::family::{GAME, Morris};
use crate::region::Region;

impl FamilyTexts for Morris {
    const SPEC: &'static Spec = &Spec {
        name: GAME,
        summary: "Three, six or nine men's morris",
        rules: "White begins. Both players place their men in turn, one a move, on any free point. Then they move a man along a line to the \
                next point, if it is free. Three men in a row are a mill. A player who closes a mill takes a man of the opponent: one in no \
                mill, or any if all are in mills. Two mills closed at once take one man. A player with fewer than three men loses. So does \
                a player who cannot move. Endless play is a draw. With nine men each, a player with three men left may jump to any point. \
                With three men each, the diagonals are mills too, and the first mill wins.",
        regions: Some(
            "the stones of both sides, like 5-4; in the placing phase like p3-1-2: how many are placed, then how many are on the \
             board, first those of the side to move [default: the whole game]",
        ),
        parameters: &[Parameter {
            name: "men",
            kind: Kind::Word(&["3", "6", "9"]),
            default: None,
            help: "how many men each side has",
        }],
        example: "--men 3",
        ..Spec::EMPTY
    };

    fn of(name: Option<&str>, about: Option<&About>) -> Option<Morris> {
        if let Some(about) = about {
            let men = about.parameters["men"].as_u64()?;
            return Men::of(men.try_into().ok()?).map(Morris::new);
        }
        Men::ALL.into_iter().map(Morris::new).find(|morris| Some(Family::name(morris)) == name)
    }

    fn chosen(given: &Arguments, regions: &[String]) -> Result<(Morris, Vec<Region>), String> {
        let men = given
            .word("men")
            .and_then(|men| Men::of(men.parse().ok()?))
            .ok_or("name the game: --men 3, 6 or 9")?;
        let read = |name: &String| Region::named(men, name).map_err(|error| error.to_string());
        let targets: Vec<Region> = regions.iter().map(read).collect::<Result<_, _>>()?;
        let whole = || vec![Region::start(men)];
        Ok((Morris::new(men), if targets.is_empty() { whole() } else { targets }))
    }

    fn title(&self, region: &Region) -> String {
        let (own, other) = region.blocks()[0];
        match region.placed() {
            Some(0) => "the empty board".to_owned(),
            Some(1) => "one man placed".to_owned(),
            Some(placed) => {
                format!(
                    "{placed} men placed: {own} on the board of the side to move, {other} of the other"
                )
            }
            None => format!("all men placed: {own} against {other}"),
        }
    }
}
