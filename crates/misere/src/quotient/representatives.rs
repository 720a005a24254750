//! Pieces as a monoid sees them: those of one transition stand for each other.

use std::ops::ControlFlow;

use fixedbitset::FixedBitSet;
use grundy_base::limits::{Stop, ended};
use rustc_hash::FxHashMap;

use super::Word;
use super::closure::Letter;
use super::family::Family;
use super::monoid::{Draft, Monoid};

/// The pieces of one transition, by the one that has the shortest longest play.
#[derive(Debug)]
pub(super) struct Representative {
    pub(super) letter: Letter,
    pub(super) piece: u32,
    pub(super) length: u64,
}

/// Returns the representatives of the pieces of a draft, and the number of that of each. `lengths`
/// are the longest plays of the pieces.
pub(super) fn representatives(
    family: &mut impl Family,
    draft: &Draft,
    lengths: &[u64],
) -> Result<(Vec<Representative>, Vec<u32>), Stop> {
    let mut numbers: FxHashMap<Letter, u32> = FxHashMap::default();
    let mut representatives: Vec<Representative> = Vec::new();
    let mut of_pieces = Vec::new();
    for (piece, &element) in (0u32..).zip(&draft.elements) {
        let (options, length) = options_of(family, piece, lengths)?;
        let options = images(&options, &draft.monoid, &draft.elements);
        let letter = Letter { element, options };
        let count = representatives.len() as u32;
        let number = *numbers.entry(letter.clone()).or_insert(count);
        of_pieces.push(number);
        let representative = Representative {
            letter,
            piece,
            length,
        };
        if number == count {
            representatives.push(representative);
        } else if length < representatives[number as usize].length {
            representatives[number as usize] = representative;
        }
    }
    Ok((representatives, of_pieces))
}

/// Returns the options of a piece, each a sum in order, and its longest play; `lengths` are those
/// of the pieces before it.
pub(super) fn options_of(
    family: &mut impl Family,
    piece: u32,
    lengths: &[u64],
) -> Result<(Vec<Word>, u64), Stop> {
    let mut options = Vec::new();
    let mut length = 0;
    ended(family.options(piece, &mut |left| {
        let lengths = left.iter().map(|&piece| lengths[piece as usize]);
        length = length.max(1 + lengths.sum::<u64>());
        options.push(left.to_vec());
        ControlFlow::Continue(())
    }))?;
    Ok((options, length))
}

/// Returns the elements of sums.
pub(super) fn images(words: &[Word], monoid: &Monoid, elements: &[u32]) -> FixedBitSet {
    let mut images = FixedBitSet::with_capacity(monoid.order());
    for word in words {
        let elements = word.iter().map(|&piece| elements[piece as usize]);
        images.insert(monoid.product(elements) as usize);
    }
    images
}
