//! ASCII equivalents of punctuation marks and digits.

/// Returns the ASCII equivalent of a typographic or full-width character, if there is one.
///
/// ```
/// use grundy_base::ascii::ascii_of;
/// assert_eq!(ascii_of('３'), Some('3'));
/// assert_eq!(ascii_of('（'), Some('('));
/// assert_eq!(ascii_of('三'), None);
/// ```
#[must_use]
pub fn ascii_of(letter: char) -> Option<char> {
    Some(match letter {
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' => '"',
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{3001}' => ',',
        '\u{3010}' => '[',
        '\u{3011}' => ']',
        '\u{2212}' | '\u{2013}' => '-',
        '\u{3000}' | '\u{a0}' => ' ',
        // The full-width characters are in the order of ASCII.
        '\u{ff01}'..='\u{ff5e}' => return char::from_u32(u32::from(letter) - 0xfee0),
        _ => return None,
    })
}
