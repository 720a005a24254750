//! Sorted keys with a tree above: one block a level leads from the top to the key.
//!
//! Level 0 holds all keys in order. Level k + 1 has for each block of level k the shortest text that is greater than all keys
//! before the block and not greater than its first; the topmost level is one block.

use grundy_base::{Diagnostic, Stop};

use crate::blocks::Texts;
use crate::column::ColumnReader;
use crate::folder::Folder;
use crate::manifest::Column;

pub(crate) fn name(level: usize) -> String {
    format!("keys{level}")
}

/// Writes the keys, which come in order, each once, and the levels above.
pub(crate) fn write<'a>(
    folder: &Folder<'_>,
    keys: impl Iterator<Item = &'a [u8]>,
    mut poll: impl FnMut() -> Result<(), Stop>,
) -> Result<Vec<Column>, Diagnostic> {
    let mut columns = Vec::new();
    let mut separators: Vec<Box<[u8]>> = Vec::new();
    let mut level = Texts::create(folder, &name(0), 1)?;
    let mut before: &[u8] = &[];
    for key in keys {
        if level.push(key)? {
            poll()?;
            let common = before.iter().zip(key).take_while(|(a, b)| a == b).count();
            let length = if separators.is_empty() { 0 } else { common + 1 };
            separators.push(key[..length.min(key.len())].into());
        }
        before = key;
    }
    columns.push(level.finish()?);
    while separators.len() > 1 {
        let below = std::mem::take(&mut separators);
        // Two at least, so that each level is half of the one below.
        let mut level = Texts::create(folder, &name(columns.len()), 2)?;
        for separator in below {
            if level.push(&separator)? {
                separators.push(separator);
            }
        }
        columns.push(level.finish()?);
    }
    Ok(columns)
}

/// The row of a key, from the levels, the lowest first.
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
