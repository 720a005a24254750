//! Texts of games in braces, such as `{G|H}`. A single option loses its braces, and the game around
//! it is written with one bar more than the option: `{3|{2|1}}` is written `{3||2|1}`.

use crate::shared_text::Piece::{Letters, Text};
use crate::shared_text::{TextId, Texts};

/// Largest number of bars in a row. A single option that contains a row of this length keeps its
/// braces.
const BARS: usize = 4;

/// The text of a game, with and without its outer braces.
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
    /// The text without outer braces.
    pub bare: TextId,
    /// The text with its outer braces. It equals `bare` if the text needs none.
    pub closed: TextId,
    /// The number of bars in a row at the outermost level, or 0 for a text without braces.
    pub bars: usize,
}

impl Braced {
    /// Creates a text that needs no braces.
    ///
    /// ```
    /// use grundy_base::braced::Braced;
    /// use grundy_base::shared_text::{Piece::Letters, Texts};
    /// let mut texts = Texts::default();
    /// let half = Braced::without_braces(texts.join(&[Letters("1/2")]));
    /// assert_eq!((half.bars, texts.write(half.closed, 100)), (0, "1/2".to_owned()));
    /// ```
    #[must_use]
    pub fn without_braces(text: TextId) -> Self {
        Self {
            bare: text,
            closed: text,
            bars: 0,
        }
    }

    /// Joins the texts of options with commas.
    ///
    /// ```
    /// use grundy_base::braced::Braced;
    /// use grundy_base::shared_text::{Piece::Letters, Texts};
    /// let mut texts = Texts::default();
    /// let options =
    ///     ["0", "*", "^"].map(|text| Braced::without_braces(texts.join(&[Letters(text)])));
    /// let list = Braced::join(&options, &mut texts);
    /// assert_eq!(texts.write(list, 100), "0,*,^");
    /// ```
    pub fn join(options: &[Self], texts: &mut Texts) -> TextId {
        texts.join_with(options.iter().map(|option| option.closed), ",")
    }

    /// Creates the text of a game from the texts of its options: those of Left, then those of
    /// Right. `bars` returns the text of a given number of bars.
    ///
    /// ```
    /// use grundy_base::braced::Braced;
    /// use grundy_base::shared_text::{Piece::Letters, Texts};
    /// let mut texts = Texts::default();
    /// let [zero, star] =
    ///     ["0", "*"].map(|text| Braced::without_braces(texts.join(&[Letters(text)])));
    /// let bars = |count| "|".repeat(count);
    /// let up = Braced::of_options([&[zero], &[star]], ["{", "}"], bars, &mut texts);
    /// assert_eq!(texts.write(up.closed, 100), "{0|*}");
    /// assert_eq!(texts.write(up.bare, 100), "0|*");
    /// ```
    pub fn of_options(
        sides: [&[Self]; 2],
        [open, close]: [&str; 2],
        bars: impl Fn(usize) -> String,
        texts: &mut Texts,
    ) -> Self {
        let [left, right] = sides.map(|side| match side {
            [only] if only.bars < BARS => (only.bars, only.bare),
            _ => (0, Self::join(side, texts)),
        });
        // Use one bar more than either side, so that the outermost bars are unique.
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
