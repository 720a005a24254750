//! The manifest of a checkpoint: the identity and the phase of the labelling, and a list of the
//! parts that store its state. A part that the manifest does not name is ignored.
//!
//! The manifest has two lines: JSON, and the CRC-32 of the JSON line in hexadecimal digits. It is
//! written atomically after all parts.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::part::Part;
use crate::phase::Phase;

/// The name of the manifest at the location of the checkpoints.
pub(crate) const NAME: &str = "manifest.json";
/// Largest manifest that is read, in bytes.
pub(crate) const MAX_BYTES: u64 = 1 << 28;
/// Version of the manifest format.
const VERSION: u32 = 2;

/// The identity and the phase of a labelling, and the parts of its checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    version: u32,
    pub(crate) of: Value,
    /// The random number that identifies the labelling.
    pub(crate) labelling: u64,
    pub(crate) phase: Phase,
    /// Number of positions discovered.
    pub(crate) positions: u64,
    /// Number of vertices of each position: 2 if either player may begin, and otherwise 1.
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

    /// Parses a manifest. Returns nothing if it is damaged or has another format version.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let (line, sum) = text.strip_suffix('\n')?.split_once('\n')?;
        if format!("{:08x}", crc32fast::hash(line.as_bytes())) != sum {
            return None;
        }
        let new: Self = serde_json::from_str(line).ok()?;
        // Larger numbers could overflow in later arithmetic. A forged manifest can contain them and
        // have a correct checksum.
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
            // The checksum must detect every truncation and every single changed byte.
            assert_eq!(Manifest::read(&bytes[..length]), None, "{length}");
        }
        for index in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 2;
            assert_eq!(Manifest::read(&changed), None, "{index}");
        }
    }
}
