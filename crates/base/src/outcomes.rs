//! Who wins and in how many moves, for all positions of a game at once.

use crate::outcome::Outcome;

/// Outcomes and remoteness of positions that are numbered from 0, a byte a position.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// 2 r + 1 for a position won in r moves, 2 r for a lost one; 254 and 255 stand for 127 moves and more. A table
    /// without remoteness holds 1 and 0.
    bytes: Vec<u8>,
}

impl Outcomes {
    /// Whether the player to move wins.
    #[must_use]
    pub fn wins(&self, position: u64) -> bool {
        self.bytes[position as usize] & 1 == 1
    }

    /// Who wins.
    #[must_use]
    pub fn outcome(&self, position: u64) -> Outcome {
        Outcome::from_win(self.wins(position))
    }

    /// Moves left, 127 standing for that many and more; 0 everywhere in a table without remoteness.
    #[must_use]
    pub fn remoteness(&self, position: u64) -> u8 {
        self.bytes[position as usize] >> 1
    }

    /// The bytes, for storing them.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A table from its bytes, as a pass over all positions fills them or [`Outcomes::bytes`] gave them.
    #[must_use]
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self { bytes }
    }
}
