//! Representatives of pieces: pieces with the same transition can replace each other in a monoid.
//! The transition of a piece consists of its element and the set of the elements of its options.

use std::ops::ControlFlow;

use fixedbitset::FixedBitSet;
use grundy_base::limits::{Stop, stopped_early};
use rustc_hash::FxHashMap;

use super::Word;
use super::closure::Letter;
use super::family::Family;
use super::monoid::{Draft, Monoid};

/// The representative of a class of pieces with the same transition, that is, the same element and
/// the same set of elements of the options. Among the pieces of the class, it has the least
/// `length`, which is the number of moves in its longest play.
#[derive(Debug)]
pub(super) struct Representative {
    pub(super) letter: Letter,
    pub(super) piece: u32,
    pub(super) length: u64,
}

/// Returns the representatives of the pieces of a draft, and for each piece the index of its
/// representative. The argument `lengths` has the length of the longest play of each piece.
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
        // A search for a shortest path needs the least length in the class.
        if number == count {
            representatives.push(representative);
        } else if length < representatives[number as usize].length {
            representatives[number as usize] = representative;
        }
    }
    Ok((representatives, of_pieces))
}

/// Returns the options of a piece, each as a sum, and the number of moves in the longest play of
/// the piece. The argument `lengths` has this number for each earlier piece.
pub(super) fn options_of(
    family: &mut impl Family,
    piece: u32,
    lengths: &[u64],
) -> Result<(Vec<Word>, u64), Stop> {
    let mut options = Vec::new();
    let mut length = 0;
    stopped_early(family.options(piece, &mut |left| {
        let lengths = left.iter().map(|&piece| lengths[piece as usize]);
        length = length.max(1 + lengths.sum::<u64>());
        options.push(left.to_vec());
        ControlFlow::Continue(())
    }))?;
    Ok((options, length))
}

/// Returns the set of the elements of the given sums.
pub(super) fn images(words: &[Word], monoid: &Monoid, elements: &[u32]) -> FixedBitSet {
    let mut images = FixedBitSet::with_capacity(monoid.order());
    for word in words {
        let elements = word.iter().map(|&piece| elements[piece as usize]);
        images.insert(monoid.product(elements) as usize);
    }
    images
}
