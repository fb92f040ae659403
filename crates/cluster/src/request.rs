//! What all ranks pack together, as the first one tells the others.

use retrograde_table::{Compression, InvalidStates, Packing, Tile};

/// What all ranks pack together.
pub(crate) struct Request {
    pub(crate) packing: Packing,
    pub(crate) tiles: Vec<Tile>,
}

/// The strengths of compression, as numbers of a request.
const STRENGTHS: [Compression; 4] =
    [Compression::None, Compression::Fast, Compression::Standard, Compression::Best];

impl Request {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let Packing { compression, invalid_states, leaves_out_exits } = self.packing;
        let strength = STRENGTHS.iter().position(|each| *each == compression).unwrap_or_default();
        let forgotten = invalid_states == InvalidStates::Forgotten;
        let mut bytes = vec![strength as u8, u8::from(forgotten), u8::from(leaves_out_exits)];
        bytes.extend(self.tiles.iter().flat_map(Tile::to_bytes));
        bytes
    }

    /// `None` if it makes no sense for a game of `states` states.
    pub(crate) fn decode(bytes: &[u8], states: u64) -> Option<Request> {
        let (&[strength, forgotten, exits], tiles) = bytes.split_first_chunk()?;
        let (tiles, rest) = tiles.as_chunks();
        let packing = Packing {
            compression: *STRENGTHS.get(usize::from(strength))?,
            invalid_states: match forgotten {
                0 => InvalidStates::Kept,
                _ => InvalidStates::Forgotten,
            },
            leaves_out_exits: exits != 0,
        };
        let tiles = tiles.iter().map(|tile| Tile::from_bytes(tile, states));
        let tiles = tiles.collect::<Option<_>>().filter(|_| rest.is_empty())?;
        Some(Request { packing, tiles })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile_values::tests::tiles;

    #[test]
    fn a_request_is_read_as_it_was_written_and_others_are_refused() {
        let packing = Packing {
            compression: Compression::Best,
            invalid_states: InvalidStates::Forgotten,
            leaves_out_exits: true,
        };
        let bytes = Request { packing, tiles: tiles() }.encode();
        let read = Request::decode(&bytes, 4000).unwrap();
        assert_eq!((read.packing, read.tiles), (packing, tiles()));
        assert!(Request::decode(&bytes, 3999).is_none());
        assert!(Request::decode(&bytes[..bytes.len() - 1], 4000).is_none());
        let mut strange = bytes;
        strange[0] = 4;
        assert!(Request::decode(&strange, 4000).is_none());
    }
}
