//! The sorted keys of a tablebase, which are the texts of its positions, with a search tree above
//! them. A lookup reads one block at each level.
//!
//! Level 0 consists of all keys in order. Level k + 1 contains a separator for each block of level
//! k. A separator is the shortest text that is greater than all keys before the block, but not
//! greater than the first key of the block. The topmost level has a single block.

use grundy_base::{Diagnostic, Kind, message};
use serde::{Deserialize, Serialize};

use crate::blocks::{Texts, TextsMark};
use crate::column::ColumnReader;
use crate::folder::Folder;
use crate::manifest::Column;

pub(crate) fn name(level: usize) -> String {
    format!("keys{level}")
}

/// A writer of the sorted keys, which are the texts of the positions, and of the search tree above
/// them. The keys must be pushed in strictly ascending order.
pub(crate) struct KeyWriter<'a> {
    folder: &'a Folder<'a>,
    lowest: Texts,
    before: Vec<u8>,
    separators: Vec<Box<[u8]>>,
}

/// The state of the column of keys at a checkpoint. It includes the separators for the next level
/// of the search tree, one for each block of keys.
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

    /// Returns the key (the text of a position) that was pushed last, if there is one.
    pub(crate) fn last(&self) -> Option<&[u8]> {
        (!self.lowest.is_empty()).then_some(&self.before)
    }

    /// Appends a key, which is the text of a position. Returns an error if the key is not greater
    /// than the previous key.
    pub(crate) fn push(&mut self, key: &[u8]) -> Result<(), Diagnostic> {
        let first = self.lowest.is_empty();
        if !first && self.before.as_slice() >= key {
            let message = message!("the names of the positions are not sorted or not distinct");
            return Err(Diagnostic::new(Kind::Io, message));
        }
        if self.lowest.push(key)? {
            // The separator is the prefix of the key up to and including the first byte that
            // differs from the previous key. Short separators keep the upper levels small even if
            // keys are long.
            let before = self.before.iter().zip(key);
            let common = before.take_while(|(a, b)| a == b).count();
            // The first separator is empty, so that every key has a separator that is not greater.
            let length = if first { 0 } else { common + 1 };
            self.separators.push(key[..length.min(key.len())].into());
        }
        self.before.clear();
        self.before.extend_from_slice(key);
        Ok(())
    }

    /// Writes the levels of the search tree above the keys. Returns the columns of all levels,
    /// beginning with the keys themselves.
    pub(crate) fn finish(self) -> Result<Vec<Column>, Diagnostic> {
        let mut columns = vec![self.lowest.finish()?];
        let mut separators = self.separators;
        while separators.len() > 1 {
            let below = std::mem::take(&mut separators);
            // A block has at least two texts. So each level has at most half as many blocks as the
            // level below, and the loop ends even if every text fills a block.
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

/// Returns the row of a key, if the key exists. `levels` contains the levels of the search tree,
/// and its first element is the column of keys itself.
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
        // The last separator that is not greater than the key belongs to the only block that can
        // contain the key.
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
