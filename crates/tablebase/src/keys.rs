//! Sorted keys with a tree above: one block a level leads from the top to the key.
//!
//! Level 0 holds all keys in order. Level k + 1 has for each block of level k the shortest text
//! that is greater than all keys before the block and not greater than its first; the topmost level
//! is one block.

use grundy_base::{Diagnostic, Kind, message};
use serde::{Deserialize, Serialize};

use crate::blocks::{Texts, TextsMark};
use crate::column::ColumnReader;
use crate::folder::Folder;
use crate::manifest::Column;

pub(crate) fn name(level: usize) -> String {
    format!("keys{level}")
}

/// Writes the keys, which come in order, each once, and the levels above.
pub(crate) struct KeyWriter<'a> {
    folder: &'a Folder<'a>,
    lowest: Texts,
    before: Vec<u8>,
    separators: Vec<Box<[u8]>>,
}

/// How much of the keys is on the disk, and what the levels above need of them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct KeysMark {
    lowest: TextsMark,
    before: Vec<u8>,
    separators: Vec<Box<[u8]>>,
}

impl<'a> KeyWriter<'a> {
    pub(crate) fn open(folder: &'a Folder<'a>, mark: KeysMark) -> Result<Self, Diagnostic> {
        Ok(Self {
            folder,
            lowest: Texts::open(folder, &name(0), 1, mark.lowest)?,
            before: mark.before,
            separators: mark.separators,
        })
    }

    pub(crate) fn mark(&mut self) -> Result<KeysMark, Diagnostic> {
        Ok(KeysMark {
            lowest: self.lowest.mark()?,
            before: self.before.clone(),
            separators: self.separators.clone(),
        })
    }

    /// Returns the last key, where there is one.
    pub(crate) fn last(&self) -> Option<&[u8]> {
        (!self.lowest.is_empty()).then_some(&self.before)
    }

    /// The next key; one that is not greater than the last is refused.
    pub(crate) fn push(&mut self, key: &[u8]) -> Result<(), Diagnostic> {
        let first = self.lowest.is_empty();
        if !first && self.before.as_slice() >= key {
            let message = message!("the names of the positions are not sorted, or one comes twice");
            return Err(Diagnostic::new(Kind::Io, message));
        }
        if self.lowest.push(key)? {
            let before = self.before.iter().zip(key);
            let common = before.take_while(|(a, b)| a == b).count();
            let length = if first { 0 } else { common + 1 };
            self.separators.push(key[..length.min(key.len())].into());
        }
        self.before.clear();
        self.before.extend_from_slice(key);
        Ok(())
    }

    /// Returns the columns, the lowest level first.
    pub(crate) fn finish(self) -> Result<Vec<Column>, Diagnostic> {
        let mut columns = vec![self.lowest.finish()?];
        let mut separators = self.separators;
        while separators.len() > 1 {
            let below = std::mem::take(&mut separators);
            // Two at least, so that each level is half of the one below.
            let mut level =
                Texts::open(self.folder, &name(columns.len()), 2, TextsMark::default())?;
            for separator in below {
                if level.push(&separator)? {
                    separators.push(separator);
                }
            }
            columns.push(level.finish()?);
        }
        Ok(columns)
    }
}

/// Returns the row of a key, from the levels, the lowest first.
pub(crate) fn find(levels: &mut [ColumnReader], key: &[u8]) -> Result<Option<u64>, Diagnostic> {
    let mut number = 0;
    let (lowest, above) = match levels {
        [] => return Ok(None),
        [lowest, above @ ..] => (lowest, above),
    };
    if lowest.is_empty() {
        return Ok(None);
    }
    for level in above.iter_mut().rev() {
        let block = level.block(number)?;
        let not_greater = block.texts().take_while(|&text| text <= key).count() as u64;
        let Some(within) = not_greater.checked_sub(1) else {
            return Ok(None);
        };
        number = block.first + within;
    }
    let block = lowest.block(number)?;
    let within = block.texts().position(|text| text == key);
    Ok(within.map(|within| block.first + within as u64))
}
