//! The manifest of a checkpoint: what was labelled, how far, and which parts hold it. What no
//! manifest names does not exist.
//!
//! It is one line of JSON, and a second line with the CRC-32 of the first in hexadecimal digits. It
//! is written last, as a whole.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::part::Part;
use crate::phase::Phase;

/// The name of the manifest in the place for checkpoints.
pub(crate) const NAME: &str = "manifest.json";
/// Longest manifest that is read.
pub(crate) const LONGEST: u64 = 1 << 28;
/// What is written there, in this version.
const VERSION: u32 = 2;

/// What a checkpoint is of, and what it is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    version: u32,
    pub(crate) of: Value,
    /// The number of the labelling, which no other has.
    pub(crate) labelling: u64,
    pub(crate) phase: Phase,
    /// How many positions have been met.
    pub(crate) positions: u64,
    /// Vertices of a position.
    pub(crate) turns: u64,
    pub(crate) parts: Vec<Part>,
}

impl Manifest {
    pub(crate) fn new(
        of: Value,
        labelling: u64,
        phase: Phase,
        (positions, turns): (u64, u64),
    ) -> Self {
        Self {
            version: VERSION,
            of,
            labelling,
            phase,
            positions,
            turns,
            parts: Vec::new(),
        }
    }

    pub(crate) fn write(&self) -> Vec<u8> {
        let line = serde_json::to_string(self).unwrap_or_default();
        format!("{line}\n{:08x}\n", crc32fast::hash(line.as_bytes())).into_bytes()
    }

    /// Nothing where it is damaged, or of another version of the program.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let (line, sum) = text.strip_suffix('\n')?.split_once('\n')?;
        if format!("{:08x}", crc32fast::hash(line.as_bytes())) != sum {
            return None;
        }
        let new: Self = serde_json::from_str(line).ok()?;
        let possible = new.version == VERSION
            && (1..=2).contains(&new.turns)
            && new.positions < 1 << 60
            && match new.phase {
                Phase::Finding { first, .. } => first <= new.positions,
                Phase::Labelling { stage, .. } => stage < 1 << 30,
                Phase::Loopy { value, .. } => value < u32::MAX - 2,
                Phase::Reading | Phase::Finite { .. } | Phase::Sieving { .. } => true,
            };
        possible.then_some(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_or_changed_manifest_is_none() {
        let phase = Phase::Labelling { stage: 3, done: 9 };
        let manifest = Manifest::new(Value::from("nim(3)"), u64::MAX, phase, (10, 1));
        let bytes = manifest.write();
        assert_eq!(Manifest::read(&bytes), Some(manifest));
        for length in 0..bytes.len() {
            assert_eq!(Manifest::read(&bytes[..length]), None, "{length}");
        }
        for index in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 2;
            assert_eq!(Manifest::read(&changed), None, "{index}");
        }
    }
}
