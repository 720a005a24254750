//! Texts of games in braces: `{G|H}`, with more bars around a lone option that has braces itself.

use crate::shared_text::Piece::{Letters, Text};
use crate::shared_text::{TextId, Texts};

/// Most bars side by side; a lone option that has more keeps its braces.
const BARS: usize = 4;

/// The text of a game.
///
/// ```
/// use grundy_base::braced::Braced;
/// use grundy_base::shared_text::{Piece::Letters, Texts};
/// let mut texts = Texts::default();
/// let [one, two, three] =
///     ["1", "2", "3"].map(|number| Braced::without_braces(texts.join(&[Letters(number)])));
/// let bars = |count| "|".repeat(count);
/// let low = Braced::of_options([&[two], &[one]], ["{", "}"], bars, &mut texts);
/// let game = Braced::of_options([&[three], &[low]], ["{", "}"], bars, &mut texts);
/// assert_eq!(texts.write(game.closed, 100), "{3||2|1}");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Braced {
    /// Without braces around it.
    pub bare: TextId,
    /// With them, if it takes any.
    pub closed: TextId,
    /// Number of bars that divide it; none if it takes no braces.
    pub bars: usize,
}

impl Braced {
    /// Returns a text that takes no braces.
    #[must_use]
    pub fn without_braces(text: TextId) -> Self {
        Self {
            bare: text,
            closed: text,
            bars: 0,
        }
    }

    /// Lists options, with commas between them.
    pub fn list(options: &[Self], texts: &mut Texts) -> TextId {
        texts.list(options.iter().map(|option| option.closed), ",")
    }

    /// Writes a game from the texts of the options of Left and of Right, between two braces;
    /// `bars` writes a number of bars.
    pub fn of_options(
        sides: [&[Self]; 2],
        [open, close]: [&str; 2],
        bars: impl Fn(usize) -> String,
        texts: &mut Texts,
    ) -> Self {
        let [left, right] = sides.map(|side| match side {
            [only] if only.bars < BARS => (only.bars, only.bare),
            _ => (0, Self::list(side, texts)),
        });
        let count = left.0.max(right.0) + 1;
        let between = bars(count);
        let bare = texts.join(&[Text(left.1), Letters(&between), Text(right.1)]);
        Self {
            bare,
            closed: texts.join(&[Letters(open), Text(bare), Letters(close)]),
            bars: count,
        }
    }
}
